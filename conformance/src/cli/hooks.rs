//! Options for commands before and after a run.

use clap::Args;
use conformance::config::Config;
use conformance::hooks::Hooks;

/// Commands before and after the run and its cases.
#[derive(Debug, Args)]
pub(super) struct HookArguments {
    /// A command that runs before the first request. Commands get `CONFORMANCE_URL`,
    /// `CONFORMANCE_GROUP` and `CONFORMANCE_WEBHOOKS` in their environment; one that fails is an
    /// error of the run.
    #[arg(long, value_name = "COMMAND")]
    before: Option<String>,
    /// A command that runs at the end, even when the run failed.
    #[arg(long, value_name = "COMMAND")]
    after: Option<String>,
    /// A command that runs before each example, each scenario, and the laws.
    #[arg(long, value_name = "COMMAND")]
    before_each: Option<String>,
    /// A command that runs after each of them.
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
