//! The headings of the options of a run, in the order of `--help`.

pub(super) const CONTRACT: &str = "Contract";
pub(super) const SERVER: &str = "Server";
pub(super) const CREDENTIALS: &str = "Credentials";
pub(super) const SCOPE: &str = "Scope";
pub(super) const REQUESTS: &str = "Requests";
pub(super) const VERDICT: &str = "Verdict";
pub(super) const OUTPUT: &str = "Output";
pub(super) const NOTIFICATIONS: &str = "Notifications";
pub(super) const COMMANDS: &str = "Commands before and after";
