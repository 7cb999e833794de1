//! Controls another sandbox through its control interface, for the commands `trigger` and `listen`.

mod control;
mod forward;

pub use control::{Remote, RemoteError};
pub use forward::{Forwarded, Forwarder};
