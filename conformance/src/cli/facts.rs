//! Options of the command `facts`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use conformance::options::Options;

use crate::built_in;

/// Options of the command `facts`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = false)]
pub(crate) struct FactsArguments {
    /// The document; default: the contract within this program.
    #[arg(long, value_name = "FILE", global = true)]
    spec: Option<PathBuf>,
    /// An overlay that changes the document before it is read. May be repeated; overlays apply in
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
    /// Add the facts that were read to the behaviour file, each marked as a draft.
    #[arg(long)]
    pub(crate) write: bool,
    /// List the facts that were read and not yet accepted or rejected.
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
    /// State that facts hold. They bind from then on.
    Accept {
        /// The ids of the facts.
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// State that facts do not hold. They are not tested from then on.
    Reject {
        /// The ids of the facts.
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

    /// The file that gets new entries. `None` for the contract within this program.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        let beside = || Some(self.spec.as_ref()?.with_file_name("behaviour.yaml"));
        self.behaviour.clone().or_else(beside)
    }
}
