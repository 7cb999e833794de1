//! Output: writes the report for people and for programs.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::report::Report;

pub mod github;
pub mod html;
pub mod json;
pub mod markdown;
pub mod sarif;
pub mod terminal;

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// For people, with excerpts.
    Terminal,
    /// For programs.
    Json,
    /// For code scanning.
    Sarif,
    /// Annotations and a step summary for GitHub Actions.
    Github,
    /// A changelog.
    Markdown,
    /// One page.
    Html,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Terminal,
        Self::Json,
        Self::Sarif,
        Self::Github,
        Self::Markdown,
        Self::Html,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }
}

/// A requested output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The format.
    pub format: Format,
    /// The file, or the folder for `github`; `None` for standard output.
    pub path: Option<PathBuf>,
}

/// An unknown output format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoOutput(String);

impl fmt::Display for NoOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no output `{}`", self.0)?;
        let names = Format::ALL.map(Format::as_str);
        match openapi_document::spelling::nearest(&self.0, names.into_iter()) {
            Some(near) => write!(f, ": did you mean `{near}`?"),
            None => write!(f, ": the outputs are {}", names.join(", ")),
        }
    }
}

impl std::error::Error for NoOutput {}

impl Output {
    /// The default output.
    pub const TERMINAL: Self = Self {
        format: Format::Terminal,
        path: None,
    };

    /// Parses `FORMAT` or `FORMAT=PATH`.
    ///
    /// # Errors
    /// The format is unknown.
    pub fn parse(text: &str) -> Result<Self, NoOutput> {
        let (name, path) = match text.split_once('=') {
            Some((name, path)) if !path.is_empty() => (name, Some(PathBuf::from(path))),
            Some((name, _)) => (name, None),
            None => (text, None),
        };
        let mut all = Format::ALL.into_iter();
        let format = all.find(|format| format.as_str() == name);
        let format = format.ok_or_else(|| NoOutput(name.to_owned()))?;
        Ok(Self { format, path })
    }

    /// The output with its path relative to a folder.
    #[must_use]
    pub fn within(self, folder: &Path) -> Self {
        Self {
            path: self.path.map(|path| folder.join(path)),
            ..self
        }
    }

    /// Writes a report to its file. Returns the text for standard output, which is empty if there
    /// is a file.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, report: &Report, color: bool) -> io::Result<String> {
        let text = match (self.format, &self.path) {
            (Format::Terminal, path) => terminal::text(report, color && path.is_none()),
            (Format::Json, _) => json::text(report)?,
            (Format::Sarif, _) => sarif::text(report)?,
            (Format::Markdown, _) => markdown::text(report),
            (Format::Html, _) => html::text(report)?,
            (Format::Github, Some(folder)) => {
                github::write(report, folder)?;
                return Ok(String::new());
            }
            (Format::Github, None) => {
                github::summarize(report)?;
                github::annotations(report)
            }
        };
        match &self.path {
            Some(path) => write(path, &text).map(|()| String::new()),
            None => Ok(text),
        }
    }
}

/// Writes a file, and creates its folder.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let failed = |error: io::Error| {
        io::Error::new(
            error.kind(),
            format!("failed to write {}: {error}", path.display()),
        )
    };
    if let Some(folder) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}

/// Formats a value as indented JSON.
fn pretty(value: &impl serde::Serialize) -> io::Result<String> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_parsed_with_their_paths() {
        let sarif = Output::parse("sarif=a/b=c.sarif").unwrap();
        assert_eq!(sarif.format, Format::Sarif);
        assert_eq!(sarif.path, Some("a/b=c.sarif".into()));
        assert_eq!(Output::parse("terminal").unwrap(), Output::TERMINAL);
        let error = Output::parse("sariff=x").unwrap_err().to_string();
        assert!(error.ends_with("did you mean `sarif`?"), "{error}");
        let error = Output::parse("pdf").unwrap_err().to_string();
        assert!(error.contains("the outputs are terminal, json"), "{error}");
    }
}
