//! The table of outcomes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::trial::{Outcome, Tried};

#[derive(Default)]
struct Row {
    valid: usize,
    accepted: usize,
    invalid: usize,
    refused: usize,
    reported: usize,
}

impl Row {
    fn add(&mut self, tried: &Tried<'_>) {
        for (instance, outcome) in tried.pairs() {
            if instance.valid {
                self.valid += 1;
                self.accepted += usize::from(outcome == Outcome::Accepted);
            } else {
                self.invalid += 1;
                self.refused += usize::from(outcome.refuses());
                self.reported += usize::from(!outcome.refuses() && tried.is_reported());
            }
        }
    }

    fn line(&self, keyword: &str) -> String {
        let silent = self.invalid - self.refused - self.reported;
        format!(
            "| {keyword} | {} of {} | {} of {} | {} | {silent} |\n",
            self.accepted, self.valid, self.refused, self.invalid, self.reported
        )
    }
}

/// The table: one line for each keyword, and one for all.
pub(super) fn page(tried: &[Tried<'_>]) -> String {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut all = Row::default();
    for own in tried {
        rows.entry(&own.case.keyword).or_default().add(own);
        all.add(own);
    }
    let mut text = String::from(
        "| keyword | valid accepted | invalid refused | else reported | in silence |\n|---|---|---|---|---|\n",
    );
    for (keyword, row) in rows {
        text.push_str(&row.line(&format!("`{keyword}`")));
    }
    text.push_str(&all.line("all"));
    text.push('\n');
    text
}

/// The instances that should have had another outcome.
pub(super) fn failures(tried: &[Tried<'_>]) -> String {
    let mut text = String::new();
    for own in tried {
        for (instance, outcome) in own.pairs() {
            let good = if instance.valid {
                outcome == Outcome::Accepted
            } else {
                outcome.refuses()
            };
            if good {
                continue;
            }
            let valid = if instance.valid { "valid" } else { "invalid" };
            let _ = writeln!(
                text,
                "{}: {}: {}: {valid}, {outcome:?}; {} {}",
                own.case.keyword,
                own.case.description,
                instance.description,
                own.case.schema,
                instance.value
            );
            match &own.reported {
                Ok(titles) if titles.is_empty() => {}
                reported => {
                    let _ = writeln!(text, "    {reported:?}");
                }
            }
        }
    }
    text
}
