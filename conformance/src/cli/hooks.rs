//! Options of what is done before and after.

use clap::Args;
use conformance::config::Config;
use conformance::hooks::Hooks;

/// Commands before and after the run and its cases.
#[derive(Debug, Args)]
pub(super) struct HookArguments {
    /// A command before anything is sent. Commands are told `CONFORMANCE_URL`, `CONFORMANCE_GROUP` and
    /// `CONFORMANCE_WEBHOOKS`; one that fails is an error of the run.
    #[arg(long, value_name = "COMMAND")]
    before: Option<String>,
    /// A command after everything, whatever became of it.
    #[arg(long, value_name = "COMMAND")]
    after: Option<String>,
    /// A command before each example, each scenario, and the laws.
    #[arg(long, value_name = "COMMAND")]
    before_each: Option<String>,
    /// A command after each of them.
    #[arg(long, value_name = "COMMAND")]
    after_each: Option<String>,
}

impl HookArguments {
    /// The commands: the command line before the configuration.
    pub(super) fn hooks(&self, config: &Config, url: String) -> Hooks {
        let file = &config.hooks;
        let either =
            |own: &Option<String>, file: &Option<String>| own.clone().or_else(|| file.clone());
        Hooks {
            before: either(&self.before, &file.before),
            after: either(&self.after, &file.after),
            before_each: either(&self.before_each, &file.before_each),
            after_each: either(&self.after_each, &file.after_each),
            url,
            webhooks: String::new(),
        }
    }
}
