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

/// The number of cases with each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Cases as documented.
    pub pass: usize,
    /// Cases that break a SHOULD.
    pub warn: usize,
    /// Cases that break a MUST.
    pub fail: usize,
    /// Cases that were not tested.
    pub skip: usize,
    /// Cases that did not judge the server, because the contract or the runner is broken.
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

    /// The number of all cases.
    pub fn total(&self) -> usize {
        self.pass + self.warn + self.fail + self.skip + self.error
    }

    /// The verdict of the run. Never `pass` when no case passed.
    pub fn verdict(&self) -> Verdict {
        // An error of the runner does not hide a failure of the server.
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

/// Everything that a run reported.
#[derive(Debug, Default)]
pub struct Record {
    /// The properties known at the start.
    pub start: Option<Start>,
    /// The cases in the order of their decision.
    pub cases: Vec<CaseReport>,
    /// The number of cases with each verdict.
    pub counts: Counts,
    /// The results at the end.
    pub finish: Option<Finish>,
    /// Requests with their answers, if they are kept.
    pub exchanges: Vec<Traffic>,
    /// Documented and received bodies, if they are kept.
    pub comparisons: Vec<Comparison>,
    /// The coverage of the documented answers, if it is kept.
    pub coverage: Option<Coverage>,
    wants: Wants,
}

impl Record {
    /// A record that also keeps the events in `wants`.
    pub fn keeping(wants: Wants) -> Self {
        Self {
            wants,
            ..Self::default()
        }
    }

    /// The cases without those that only repeat the verdict of other cases.
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
        if let Some(finish) = &self.finish {
            reach.grant(&finish.granted);
        }
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

/// Writes a text to a file in a folder; creates the folder. Overwrites an earlier file in place,
/// which is faster because the file keeps its blocks.
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

/// A value as JSON text for a file.
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
