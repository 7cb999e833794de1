//! Report: consumers of events, one for each output format.

use std::io;

use serde::Serialize;

use crate::event::{CaseReport, Consumer, Event, Finish, Start};
use crate::level::Verdict;

pub mod json;
pub mod snapshots;
pub mod terminal;

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
        if self.error > 0 {
            Verdict::Error
        } else if self.fail > 0 || self.pass + self.warn == 0 {
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
}

impl Consumer for Record {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(start) => self.start = Some(start.clone()),
            Event::Case(case) => {
                self.counts.add(case.verdict);
                self.cases.push(case.clone());
            }
            Event::Finished(finish) => self.finish = Some(*finish),
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
            (counts(9, 0, 1, 0, 1), Verdict::Error),
        ] {
            assert_eq!(counts.verdict(), verdict, "{counts:?}");
        }
    }
}
