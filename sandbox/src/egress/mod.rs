//! Sends requests to receivers, within the limits of a policy.
//!
//! Merchants choose the receivers, so every address is untrusted. It is parsed once and its host is
//! resolved once. The policy checks every resolved address, and the connection goes to a checked
//! address. Redirects are not followed and proxies are not used.

mod address;
mod client;
mod destination;
mod policy;
mod resolver;
mod tls;

pub use address::Class;
pub use client::{Client, Limits};
pub use destination::{Destination, Refusal, origin};
pub use policy::Policy;
pub use resolver::{Resolve, SystemResolver};
