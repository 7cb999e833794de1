//! What the sandbox sends by itself, and where to it may.
//!
//! A merchant gives the address, so every one is hostile until shown otherwise: it is read in one
//! way only, its host is resolved once, every address that comes of it is judged, and the connection
//! goes to an address that was judged. Redirects are not followed and no proxy is asked.

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
