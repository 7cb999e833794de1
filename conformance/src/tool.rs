//! Names this program in reports.

use serde::Serialize;

/// The program that wrote a report.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// The version.
    pub version: &'static str,
}

/// This program.
pub const TOOL: Tool = Tool {
    name: "conformance",
    version: env!("CARGO_PKG_VERSION"),
};
