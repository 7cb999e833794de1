//! Starts the log, which goes to stderr as text or as one JSON object per line.

use std::io::IsTerminal;

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// The format of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON object per line.
    Json,
}

/// The environment variable with the log filter.
pub const FILTER: &str = "SANDBOX_LOG";

/// Starts the log with the filter in [`FILTER`].
///
/// # Errors
/// The filter cannot be parsed.
pub fn start(format: Format) -> Result<(), ParseError> {
    let filter = std::env::var_os(FILTER).filter(|text| !text.is_empty());
    let filter = filter.map_or_else(|| "info".into(), |text| text.to_string_lossy().into_owned());
    let filter = EnvFilter::try_new(filter)?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // An error of the log, such as a full disk, must not end the request.
        .log_internal_errors(false);
    match format {
        Format::Text => log.with_ansi(std::io::stderr().is_terminal()).init(),
        Format::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    Ok(())
}
