//! The program that makes a report.

use serde::Serialize;

/// The program that made a report.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// This program.
pub const TOOL: Tool = Tool {
    name: "conformance",
    version: env!("CARGO_PKG_VERSION"),
};
