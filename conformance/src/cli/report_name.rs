//! Names the outputs for the option `--report`.

use clap::ValueEnum;
use conformance::report::Format;

/// An output besides report.json and certificate.json.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ReportName {
    /// junit.xml, for build servers.
    Junit,
    /// report.sarif, for code scanning.
    Sarif,
    /// report.html: the whole run on one page.
    Html,
    /// traffic.har: all requests and answers.
    Har,
    /// events.ndjson: each event when it happens.
    Ndjson,
    /// annotations.txt and summary.md; within GitHub Actions they annotate and sum up the step.
    Github,
    /// badge.json, for shields.io.
    Badge,
    /// All of them.
    All,
}

impl ReportName {
    /// The formats that the name selects.
    pub(super) fn formats(self) -> Vec<Format> {
        match self {
            Self::Junit => vec![Format::Junit],
            Self::Sarif => vec![Format::Sarif],
            Self::Html => vec![Format::Html],
            Self::Har => vec![Format::Har],
            Self::Ndjson => vec![Format::Ndjson],
            Self::Github => vec![Format::Github],
            Self::Badge => vec![Format::Badge],
            Self::All => Format::ALL.to_vec(),
        }
    }
}
