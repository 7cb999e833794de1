//! What may happen to a record, told a second time and by hand.
//!
//! [`model`] is written from the rules as people tell them, not from `spec/behaviour.yaml`; it judges
//! the generated tables (`tables`) and what the service does (`pairs`, `random`), so that a mistake in
//! the shared file cannot hide.

mod model;
mod pairs;
mod random;
mod tables;
mod world;
