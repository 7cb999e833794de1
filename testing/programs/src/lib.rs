//! The programs of this checkout: built, started and stopped, for the verbs, benchmarks and trials.
//!
//! It knows no test and no verb. Begin with [`process`].

pub mod build;
pub mod guide;
pub mod process;
pub mod sandbox;
pub mod standalone;
pub mod workspace;
