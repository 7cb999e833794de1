//! Lists the optional output formats, besides the terminal, `report.json` and the certificate.

use std::io;
use std::path::{Path, PathBuf};

use super::{Record, badge, github, har, html, junit, sarif, write};
use crate::event::Wants;

/// An optional output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// `junit.xml`, for build servers.
    Junit,
    /// `report.sarif`, for code scanning.
    Sarif,
    /// `report.html`: the whole run on one page.
    Html,
    /// `traffic.har`: all requests and answers.
    Har,
    /// `events.ndjson`: each event when it happens.
    Ndjson,
    /// Annotations and a step summary for GitHub Actions.
    Github,
    /// `badge.json`, for shields.io.
    Badge,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Junit,
        Self::Sarif,
        Self::Html,
        Self::Har,
        Self::Ndjson,
        Self::Github,
        Self::Badge,
    ];

    /// The events that it needs besides cases.
    pub fn wants(self) -> Wants {
        match self {
            Self::Html => Wants::ALL,
            Self::Har => Wants {
                exchanges: true,
                coverage: false,
            },
            // A separate consumer writes the events of NDJSON.
            Self::Junit | Self::Sarif | Self::Ndjson | Self::Github | Self::Badge => {
                Wants::default()
            }
        }
    }

    /// Writes it into a folder. Returns the written files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(self, record: &Record, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let one = |name, text: &str| Ok(vec![write(folder, name, text)?]);
        match self {
            Self::Junit => one("junit.xml", &junit::text(record)),
            Self::Sarif => one("report.sarif", &sarif::text(record)?),
            Self::Html => one("report.html", &html::text(record)?),
            Self::Har => one("traffic.har", &har::text(record)?),
            Self::Badge => one("badge.json", &badge::text(record)?),
            Self::Github => github::write(record, folder),
            Self::Ndjson => Ok(vec![folder.join(super::ndjson::NAME)]),
        }
    }
}
