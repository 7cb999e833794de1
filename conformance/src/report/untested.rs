//! Which stated facts no case of a run tested.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::event::{CaseReport, TestedFact};

/// Follows the cases of a run.
#[derive(Debug, Default)]
pub(super) struct Untested {
    /// Each stated fact: `None` where a case tested it, else why the first case could not.
    facts: BTreeMap<String, Option<Reason>>,
}

/// Why a case could not test a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Reason {
    /// The id of the case.
    pub(super) case: String,
    /// What was in its way.
    pub(super) reason: String,
}

impl Untested {
    /// Follows a case. A fact is tested where one of its cases tests it.
    pub(super) fn add(&mut self, case: &CaseReport) {
        for TestedFact { fact, untested } in &case.facts {
            let reason = untested.clone().map(|reason| Reason {
                case: case.id.clone(),
                reason,
            });
            let known = self.facts.entry(fact.clone());
            let known = known.or_insert_with(|| reason.clone());
            if reason.is_none() {
                *known = None;
            }
        }
    }

    /// How many stated facts the run meant to test.
    pub(super) fn stated(&self) -> usize {
        self.facts.len()
    }

    /// The stated facts that no case tested, with the reason of their first case.
    pub(super) fn list(&self) -> Vec<(&str, &Reason)> {
        let facts = self.facts.iter();
        let untested = facts.filter_map(|(fact, reason)| Some((fact.as_str(), reason.as_ref()?)));
        untested.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::CaseName;
    use crate::level::Verdict;

    #[test]
    fn a_fact_counts_as_tested_where_one_case_tests_it() {
        let mut untested = Untested::default();
        for (case, facts) in [
            (
                "laws/moves/a",
                vec![("one", Some("no way")), ("two", Some("no list"))],
            ),
            (
                "laws/moves/b",
                vec![("one", None), ("two", Some("no record"))],
            ),
        ] {
            let name = CaseName {
                id: case.to_owned(),
                operation: String::new(),
                area: String::new(),
            };
            let mut report = CaseReport::unsent(&name, Verdict::Pass, "");
            let facts = facts.into_iter().map(|(fact, reason)| TestedFact {
                fact: fact.to_owned(),
                untested: reason.map(str::to_owned),
            });
            report.facts = facts.collect();
            untested.add(&report);
        }
        let reason = Reason {
            case: "laws/moves/a".to_owned(),
            reason: "no list".to_owned(),
        };
        assert_eq!(
            (untested.stated(), untested.list()),
            (2, vec![("two", &reason)])
        );
    }
}
