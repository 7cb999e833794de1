//! Run: executes a command from its arguments to its exit code.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use crate::baseline::{self, Baseline};
use crate::cli::{DiffArguments, Judging, LintArguments};
use crate::config::{self, Config, FailOn};
use crate::crate_version;
use crate::diff;
use crate::finding::Side;
use crate::fixes;
use crate::gate::{self, Gate};
use crate::git::GitError;
use crate::input::{self, Input, Overlays};
use crate::level::Level;
use crate::lint;
use crate::output::Output;
use crate::problems::Problems;
use crate::report::{Report, Task};
use crate::streams::{CANNOT, Streams, USAGE};

/// The settings from the command line and the configuration.
struct Settings {
    config: Config,
    baseline: Option<PathBuf>,
    gate: Gate,
    today: Date,
    fail_on: Option<Level>,
}

/// Runs `contract lint`.
pub fn lint(arguments: &LintArguments, streams: &mut Streams<'_>) -> u8 {
    let settings = match Settings::of(&arguments.judging) {
        Ok(settings) => settings,
        Err(problems) => return complain(&problems, streams),
    };
    let mut report = Report::new(Task::Lint, settings.fail_on);
    let documents = match documents(&arguments.documents, &settings.config) {
        Ok(documents) => documents,
        Err(problems) => return complain(&problems, streams),
    };
    let levels = settings.gate.levels.of_lint();
    let overlays = &arguments.judging.overlays;
    for document in documents {
        match document {
            Ok(input) => {
                if arguments.fix
                    && let Err(error) = fix(&input, overlays, &levels, streams)
                {
                    return failed(&error.to_string(), streams);
                }
                lint::lint(&input, overlays, &levels, &mut report);
            }
            Err(error) => no_revision(&error, &mut report),
        }
    }
    settings.gate.weigh(&mut report);
    settings.finish(&arguments.judging, report, streams)
}

/// Runs `contract diff`.
pub fn diff(arguments: &DiffArguments, streams: &mut Streams<'_>) -> u8 {
    let settings = match Settings::of(&arguments.judging) {
        Ok(settings) => settings,
        Err(problems) => return complain(&problems, streams),
    };
    let mut report = Report::new(Task::Diff, settings.fail_on);
    match pair(arguments, &settings.config) {
        Err(Reason::Usage(problems)) => return complain(&problems, streams),
        Err(Reason::Revision(error)) => no_revision(&error, &mut report),
        Ok((base, revision)) => {
            let overlays = &arguments.judging.overlays;
            let found = diff::diff(&base, &revision, overlays, settings.today, &mut report);
            settings.gate.weigh(&mut report);
            if let Some(pair) = found {
                gate::judge_version(&pair, &base, &revision, &mut report);
                let manifest = arguments.manifest.as_ref();
                if let Some(manifest) = manifest.or(settings.config.manifest.as_ref()) {
                    let judged = crate_version::judge_crate(&pair, &base, manifest, &mut report);
                    if let Err(message) = judged {
                        return failed(&message, streams);
                    }
                }
            }
        }
    }
    settings.finish(&arguments.judging, report, streams)
}

/// Applies the safe fixes to a document on disk, and prints each of them.
fn fix(
    input: &Input,
    overlays: &Overlays,
    levels: &openapi_lint::Levels,
    streams: &mut Streams<'_>,
) -> io::Result<()> {
    for (file, title) in fixes::make(input, overlays, levels)? {
        let _ = writeln!(streams.err, "fixed {}: {title}", file.display());
    }
    Ok(())
}

fn no_revision(error: &GitError, report: &mut Report) {
    lint::unreadable(&input::unreadable(error), Side::Base, None, report);
}

/// The documents from the command line, or from the configuration.
fn documents(words: &[String], config: &Config) -> Result<Vec<Result<Input, GitError>>, Problems> {
    if !words.is_empty() {
        return Ok(words.iter().map(|word| Input::parse(word)).collect());
    }
    if config.documents.is_empty() {
        return Err(no_document());
    }
    let named = config.documents.iter();
    Ok(named.map(|path| Ok(Input::Disk(path.clone()))).collect())
}

fn no_document() -> Problems {
    Problems::one(
        "usage",
        "no document is named",
        "name one, or write `document = \"openapi.yaml\"` into contract.toml",
    )
}

/// Why nothing can be compared.
enum Reason {
    Usage(Problems),
    Revision(GitError),
}

impl From<GitError> for Reason {
    fn from(error: GitError) -> Self {
        Self::Revision(error)
    }
}

/// The old and the new document.
fn pair(arguments: &DiffArguments, config: &Config) -> Result<(Input, Input), Reason> {
    let since = arguments.since.as_deref().or(config.base.as_deref());
    let configured = || match config.documents.as_slice() {
        [one] => Ok(Input::Disk(one.clone())),
        [] => Err(Reason::Usage(no_document())),
        _ => Err(Reason::Usage(Problems::one(
            "usage",
            "contract.toml names several documents",
            "name the one to compare",
        ))),
    };
    match (&arguments.base, &arguments.revision) {
        (Some(base), Some(revision)) => Ok((Input::parse(base)?, Input::parse(revision)?)),
        (Some(only), None) => match Input::parse(only)? {
            // A file on disk is the new document, and a file of a revision the old one.
            file @ Input::Disk(_) => Ok((file.before(since)?, file)),
            old @ Input::Revision(_) => match old.now() {
                Some(now) => Ok((old, now)),
                None => Ok((old, configured()?)),
            },
        },
        (None, _) => {
            let old = configured()?;
            Ok((old.before(since)?, old))
        }
    }
}

impl Settings {
    fn of(judging: &Judging) -> Result<Self, Problems> {
        let usual = Path::new(config::NAME);
        let file = match &judging.config {
            Some(file) => Some(file.as_path()),
            None => usual.exists().then_some(usual),
        };
        let config = match file {
            Some(file) => Config::read(file)?,
            None => Config::default(),
        };
        let folder = file.and_then(Path::parent).unwrap_or(Path::new(""));
        let usual = folder.join(baseline::NAME);
        let named = judging.baseline.clone().or_else(|| config.baseline.clone());
        // The file does not exist yet when the first finding is accepted.
        let is_needed = named.is_some() && judging.accept.is_none();
        let path = named.unwrap_or(usual);
        let list = if path.exists() || is_needed {
            Baseline::read(&path)?
        } else {
            Baseline::default()
        };
        let fail_on = judging.fail_on.or(config.fail_on);
        Ok(Self {
            gate: Gate {
                levels: config.levels.clone(),
                baseline: list,
            },
            baseline: judging.accept.is_some().then_some(path),
            config,
            today: judging.today.unwrap_or_else(today),
            fail_on: fail_on.unwrap_or(FailOn::Level(Level::Error)).level(),
        })
    }

    /// Judges the findings, and writes all requested outputs.
    fn finish(&self, judging: &Judging, mut report: Report, streams: &mut Streams<'_>) -> u8 {
        let reason = judging.accept.as_deref().zip(self.baseline.as_deref());
        self.gate.settle(&mut report, self.today);
        let outputs = match (&judging.output, &self.config.outputs) {
            (given, _) if !given.is_empty() => given.clone(),
            (_, configured) if !configured.is_empty() => configured.clone(),
            _ => vec![Output::TERMINAL],
        };
        for output in &outputs {
            match output.write(&report, streams.color) {
                // A closed pipe is not an error.
                Ok(text) => drop(streams.out.write_all(text.as_bytes())),
                Err(error) => return failed(&error.to_string(), streams),
            }
        }
        if let Some((reason, path)) = reason {
            let expires = judging.expires.unwrap_or_else(|| {
                let term = Span::new().days(baseline::TERM);
                self.today.saturating_add(term)
            });
            let text = baseline::accepting(&report, reason, expires);
            if let Err(error) = append(path, &text) {
                let message = format!("failed to write {}: {error}", path.display());
                return failed(&message, streams);
            }
            let count = text.matches("[[finding]]").count();
            let mut message = String::new();
            let _ = writeln!(
                message,
                "accepted {count} in {} until {expires}",
                path.display()
            );
            let _ = streams.err.write_all(message.as_bytes());
        }
        report.outcome().code()
    }
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::options().create(true).append(true).open(path)?;
    file.write_all(text.as_bytes())
}

fn today() -> Date {
    TimeZone::UTC.to_datetime(Timestamp::now()).date()
}

fn complain(problems: &Problems, streams: &mut Streams<'_>) -> u8 {
    let text = problems.render(false);
    let _ = streams.err.write_all(text.as_bytes());
    USAGE
}

fn failed(message: &str, streams: &mut Streams<'_>) -> u8 {
    let _ = writeln!(streams.err, "error: {message}");
    CANNOT
}
