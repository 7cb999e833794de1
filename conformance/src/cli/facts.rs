//! The options of `facts`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use conformance::options::Options;

use crate::built_in;

/// The options of `facts`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = false)]
pub(crate) struct FactsArguments {
    /// The document; default: the contract within this program.
    #[arg(long, value_name = "FILE", global = true)]
    spec: Option<PathBuf>,
    /// An overlay to change the document by before it is read. May be given more than once: they are applied in their
    /// order.
    #[arg(long, value_name = "FILE", global = true)]
    overlay: Vec<PathBuf>,
    /// The behaviour file; default: behaviour.yaml beside the document.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) behaviour: Option<PathBuf>,
    /// Show one kind only, such as `barred`.
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// How to print the facts.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: FactsFormat,
    /// Add what was read to the behaviour file, each entry marked as a draft.
    #[arg(long)]
    pub(crate) write: bool,
    /// Say what was read and has not been looked at since.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(subcommand)]
    pub(crate) ruling: Option<RulingCommand>,
}

/// How facts are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FactsFormat {
    /// For people.
    Table,
    /// For programs.
    Json,
}

/// A ruling on facts.
#[derive(Debug, Subcommand)]
pub(crate) enum RulingCommand {
    /// State that facts hold: they bind then.
    Accept {
        /// Their ids.
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// State that facts do not hold: they are not tested then.
    Reject {
        /// Their ids.
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

impl FactsArguments {
    /// The options that name the document and the behaviour file.
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        let spec = built_in::spec(self.spec.clone())?;
        let mut options = Options::new(spec, "http://127.0.0.1");
        options.overlays.clone_from(&self.overlay);
        options.behaviour.clone_from(&self.behaviour);
        Ok(options)
    }

    /// The file that entries are written to; `None` where the document is that within this program.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let beside = || Some(self.spec.as_ref()?.with_file_name("behaviour.yaml"));
        self.behaviour.clone().or_else(beside)
    }
}
