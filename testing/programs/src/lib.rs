//! Builds, starts and stops the programs of this checkout, for xtask, benchmarks and tests.
//!
//! Begin with [`process`].

pub mod build;
pub mod guide;
pub mod process;
pub mod sandbox;
pub mod standalone;
pub mod workspace;
