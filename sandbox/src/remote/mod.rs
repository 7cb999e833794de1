//! Another sandbox, by its control interface: what the commands `trigger` and `listen` do.

mod control;
mod forward;

pub use control::{Remote, RemoteError};
pub use forward::{Forwarded, Forwarder};
