//! Report: consumers of events, one for each output format.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use self::untested::Untested;
use crate::coverage::Coverage;
use crate::event::{CaseReport, Consumer, Event, Finish, Start, Wants};
use crate::judge::Difference;
use crate::level::Verdict;
use crate::traffic::{Comparison, Traffic};

use reach::Reach;

pub mod badge;
pub mod cause;
pub mod certificate;
mod format;
pub mod github;
pub mod har;
pub mod html;
pub mod json;
pub mod junit;
pub mod merge;
pub mod ndjson;
mod reach;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod snapshots;
pub mod terminal;
mod untested;

pub use format::Format;

/// How many cases came to which verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// As documented.
    pub pass: usize,
    /// Differ where they should not.
    pub warn: usize,
    /// Differ where they must not.
    pub fail: usize,
    /// Were not exercised.
    pub skip: usize,
    /// Say nothing of the server: the contract or the harness is broken.
    pub error: usize,
}

impl Counts {
    /// Counts one case.
    pub fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Pass => &mut self.pass,
            Verdict::Warn => &mut self.warn,
            Verdict::Fail => &mut self.fail,
            Verdict::Skip => &mut self.skip,
            Verdict::Error => &mut self.error,
        } += 1;
    }

    /// All cases.
    pub fn total(&self) -> usize {
        self.pass + self.warn + self.fail + self.skip + self.error
    }

    /// The verdict of the run: never `pass` where nothing passed.
    pub fn verdict(&self) -> Verdict {
        // What could not be decided hides nothing that was found.
        if self.fail > 0 {
            Verdict::Fail
        } else if self.error > 0 {
            Verdict::Error
        } else if self.pass + self.warn == 0 {
            Verdict::Fail
        } else {
            Verdict::Pass
        }
    }
}

/// Everything that is known of a run.
#[derive(Debug, Default)]
pub struct Record {
    /// How it began.
    pub start: Option<Start>,
    /// Its cases in the order in which they were decided.
    pub cases: Vec<CaseReport>,
    /// How many came to what.
    pub counts: Counts,
    /// How it ended.
    pub finish: Option<Finish>,
    /// What went over the wire, where it is kept.
    pub exchanges: Vec<Traffic>,
    /// Documented bodies beside those that came; likewise.
    pub comparisons: Vec<Comparison>,
    /// What was seen of the documented answers; likewise.
    pub coverage: Option<Coverage>,
    wants: Wants,
}

impl Record {
    /// A record that keeps more than the cases.
    pub fn keeping(wants: Wants) -> Self {
        Self {
            wants,
            ..Self::default()
        }
    }

    /// The cases that are decided by requests of their own, or by none; the others repeat what is
    /// said of these.
    pub fn own_cases(&self) -> impl Iterator<Item = &CaseReport> {
        self.cases.iter().filter(|case| case.via.is_empty())
    }

    /// The stated facts that no case tested.
    fn untested(&self) -> Untested {
        let mut untested = Untested::default();
        self.cases.iter().for_each(|case| untested.add(case));
        untested
    }

    /// The cases of the operations that never succeeded, each with its reason.
    pub fn unreached(&self) -> impl Iterator<Item = &CaseReport> {
        let mut reach = Reach::default();
        self.cases.iter().for_each(|case| reach.add(case));
        let cases = self.cases.iter();
        cases.filter(move |case| {
            case.id.starts_with(reach::SUCCESS) && reach.lacks(&case.operation_id)
        })
    }

    /// Every difference with its case, each once.
    pub fn differences(&self) -> impl Iterator<Item = (&CaseReport, &Difference)> {
        self.own_cases().flat_map(|case| {
            let differences = case.differences.iter();
            differences.map(move |difference| (case, difference))
        })
    }

    /// The time from the first request to the last answer, in milliseconds.
    pub fn duration_ms(&self) -> u64 {
        let duration = self
            .finish
            .as_ref()
            .map(|finish| finish.duration.as_millis());
        u64::try_from(duration.unwrap_or_default()).unwrap_or(u64::MAX)
    }
}

/// Writes a text into a folder, which is made where it is missing. What a run before has left there is written over
/// in its place: a file that is emptied first gives its blocks back, and has to ask for them again.
///
/// # Errors
/// The file cannot be written.
pub fn write(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(name);
    let mut options = File::options();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    Ok(path)
}

/// A value as the text of a file.
fn pretty(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}

impl Consumer for Record {
    fn wants(&self) -> Wants {
        self.wants
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(start) => self.start = Some(Start::clone(start)),
            Event::Case(case) => {
                self.counts.add(case.verdict);
                self.cases.push(case.clone());
            }
            Event::Finished(finish) => self.finish = Some(finish.clone()),
            Event::Exchange(traffic) if self.wants.exchanges => {
                self.exchanges.push(traffic.clone());
            }
            Event::Compared(comparison) if self.wants.exchanges => {
                self.comparisons.push(comparison.clone());
            }
            Event::Coverage(coverage) => self.coverage = Some(coverage.clone()),
            Event::Exchange(_) | Event::Compared(_) => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_a_pass_is_no_pass() {
        let counts = |pass, warn, fail, skip, error| Counts {
            pass,
            warn,
            fail,
            skip,
            error,
        };
        for (counts, verdict) in [
            (counts(0, 0, 0, 0, 0), Verdict::Fail),
            (counts(0, 0, 0, 9, 0), Verdict::Fail),
            (counts(1, 0, 0, 9, 0), Verdict::Pass),
            (counts(0, 1, 0, 0, 0), Verdict::Pass),
            (counts(9, 0, 1, 0, 0), Verdict::Fail),
            (counts(9, 0, 1, 0, 1), Verdict::Fail),
            (counts(9, 0, 0, 0, 1), Verdict::Error),
        ] {
            assert_eq!(counts.verdict(), verdict, "{counts:?}");
        }
    }
}
