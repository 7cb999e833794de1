//! Options for commands before and after a run.

use clap::Args;
use conformance::config::Config;
use conformance::hooks::Hooks;

use super::heading;

/// Commands before and after the run and its cases.
#[derive(Debug, Args)]
#[command(next_help_heading = heading::COMMANDS)]
pub(super) struct HookArguments {
    /// Run this command before the first request. A command gets the variables `CONFORMANCE_URL`,
    /// `CONFORMANCE_GROUP` and `CONFORMANCE_WEBHOOKS`. The run ends in an error when one fails.
    #[arg(long, value_name = "COMMAND")]
    before: Option<String>,
    /// Run this command at the end, also after a failure.
    #[arg(long, value_name = "COMMAND")]
    after: Option<String>,
    /// Run this command before each example, before each scenario, and before the laws.
    #[arg(long, value_name = "COMMAND")]
    before_each: Option<String>,
    /// Run this command after each of them.
    #[arg(long, value_name = "COMMAND")]
    after_each: Option<String>,
}

impl HookArguments {
    /// The commands. The command line overrides the configuration.
    pub(super) fn hooks(&self, config: &Config, url: String) -> Hooks {
        let file = &config.hooks;
        let either =
            |item: &Option<String>, file: &Option<String>| item.clone().or_else(|| file.clone());
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
