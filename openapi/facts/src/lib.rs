//! What a document says about its service, and where it says so.
//!
//! A fact is a typed statement about the service. It carries the places that it was read from, and how well these
//! places support it. This package is pure: it knows no network, no clock and no randomness. Begin with `source.rs`.

mod evidence;
mod source;

pub use evidence::Evidence;
pub use source::Source;
