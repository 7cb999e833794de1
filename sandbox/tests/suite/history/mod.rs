//! An independent model of the state machines, written by hand.
//!
//! [`model`] is written from the rules in words, not from `spec/behaviour.yaml`. It checks the
//! generated tables (`tables`) and the behaviour of the service (`pairs`, `random`), so that a
//! mistake in the shared file is noticed.

mod model;
mod pairs;
mod random;
mod tables;
mod world;
