//! Requirements: the level of each case, and whether the frozen list of the contract's version
//! already had it. New checks do not change an old list.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::behaviour::Reading;
use openapi_document::view::{Document, Operation};
use openapi_facts::Evidence;

use crate::case::CaseName;
use crate::collect::Selection;
use crate::event::CaseReport;
use crate::laws;
use crate::level::{Level, Verdict, Weights};
use crate::list_identity::ListIdentity;

mod frozen;
mod lists;
mod report;

use frozen::Entry;
pub use frozen::{Frozen, FrozenError};
pub use lists::Lists;
pub use report::{Decided, ListError, ReportError};

/// The levels of the cases of a contract.
#[derive(Debug, Default)]
pub struct Requirements {
    levels: BTreeMap<String, Levels>,
    weights: Weights,
    /// Readings that the behaviour file confirms.
    confirmed: Vec<Reading>,
    /// The strongest evidence of the facts that a case tests.
    facts: BTreeMap<String, Evidence>,
    frozen: Option<Frozen>,
    /// The cases of the list that were decided.
    seen: BTreeSet<String>,
}

/// The levels of one operation.
#[derive(Debug, Clone)]
struct Levels {
    operation: Level,
    /// The levels of its responses, by status.
    responses: BTreeMap<String, Level>,
}

impl Requirements {
    /// The requirements of a document, limited by a frozen list if there is one.
    pub fn new(
        document: &Document,
        confirmed: Vec<Reading>,
        weights: Weights,
        frozen: Option<Frozen>,
    ) -> Self {
        let operations = document.operations();
        let operations = operations
            .iter()
            .map(|operation| (operation.label(), levels(operation)));
        let webhooks = document.webhooks();
        let webhooks = webhooks
            .iter()
            .map(|webhook| (webhook.label(), levels(&webhook.operation)));
        let levels = operations.chain(webhooks);
        Self {
            levels: levels.collect(),
            weights,
            confirmed,
            facts: BTreeMap::new(),
            frozen,
            seen: BTreeSet::new(),
        }
    }

    /// Adds the evidence of the facts that each case tests.
    #[must_use]
    pub fn with_facts(self, facts: BTreeMap<String, Evidence>) -> Self {
        Self { facts, ..self }
    }

    /// The frozen list that the requirements use.
    pub fn list(&self) -> Option<ListIdentity> {
        self.frozen.as_ref().map(Frozen::identity)
    }

    /// The level of a case in the contract: that of its response, else that of its operation.
    fn level(&self, case: &CaseReport) -> Level {
        let Some(levels) = self.levels.get(&case.operation_id) else {
            return Level::Must;
        };
        let rest = case.id.strip_prefix(&case.operation_id);
        let status = rest.and_then(|rest| rest.strip_prefix('/')?.split('/').next());
        let of_response = status.and_then(|status| levels.responses.get(status));
        of_response.map_or(levels.operation, |level| levels.operation.min(*level))
    }

    /// The strongest evidence for which a case can report a difference.
    fn evidence(&self, case: &CaseReport) -> Evidence {
        let law = case
            .id
            .strip_prefix("laws/")
            .and_then(|rest| rest.split('/').next());
        let of_law = law.map_or(Evidence::Stated, |law| {
            laws::evidence(&self.confirmed, law, &case.operation_id)
        });
        let of_facts = self.facts.get(&case.id).copied();
        of_facts.map_or(of_law, |of_facts| of_facts.max(of_law))
    }

    /// Sets the requirement and level of a case. A case that is not in the list only warns.
    pub fn mark(&mut self, case: &mut CaseReport) {
        let level = self.level(case);
        case.evidence = self.evidence(case);
        case.level = self.weights.weigh(level, case.evidence);
        for difference in &mut case.differences {
            if difference.requirement.is_empty() {
                difference.requirement = format!("{}#{}", case.id, difference.check.id);
            }
        }
        let Some(frozen) = &self.frozen else { return };
        let listed = frozen.level(&case.operation_id, &case.id);
        if listed.is_some() {
            self.seen.insert(case.id.clone());
        }
        // A level that was lower in the list stays lower.
        let most = match listed {
            Some(listed) if listed < level => self.weights.profile.raise(listed),
            Some(_) => Level::Must,
            None => Level::Should,
        };
        let before = case.verdict;
        for difference in &mut case.differences {
            let is_known = frozen.has_check(difference.check.id);
            let most = if is_known {
                most
            } else {
                most.min(Level::Should)
            };
            difference.level = difference.level.min(most);
        }
        if matches!(before, Verdict::Warn | Verdict::Fail) {
            case.verdict = Verdict::of(case.differences.iter().map(|difference| difference.level));
        }
        if case.verdict != before {
            let name = frozen.identity().name;
            let reason = format!("the list of requirements {name} does not demand this");
            case.reason.get_or_insert(reason);
        }
    }

    /// Skips for entries of the list that no case of the run covers, once all selected cases are
    /// decided.
    pub fn settle(&self, selection: &Selection) -> Vec<CaseReport> {
        let Some(frozen) = &self.frozen else {
            return Vec::new();
        };
        let unseen =
            |entry: &Entry<'_>| !self.seen.contains(entry.case) && selection.wants(entry.case);
        let stale = frozen.cases().filter(unseen);
        let stale = stale.map(|entry| {
            let name = CaseName {
                id: format!("requirements/{}", entry.case),
                operation: entry.operation.to_owned(),
                area: "requirements".to_owned(),
            };
            let reason = format!(
                "{}: stale: this run has no such case",
                frozen.place(entry.line)
            );
            CaseReport::unsent(&name, Verdict::Skip, reason)
        });
        stale.collect()
    }
}

fn levels(operation: &Operation<'_>) -> Levels {
    let responses = operation.responses().into_iter();
    let responses = responses.map(|response| {
        let level = Level::from(response.level(operation.level()));
        (response.status.to_string(), level)
    });
    Levels {
        operation: Level::from(operation.level()),
        responses: responses.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks;
    use crate::judge::Difference;
    use crate::level::Profile;
    use crate::spot::Spot;

    const DOCUMENT: &str = r#"{"openapi":"3.0.4","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{
        "operationId":"getA","x-provenance":{"level":"inferred"},"responses":{
            "200":{"description":"d"},
            "404":{"description":"d","x-provenance":{"level":"proposed"}}}}}}}"#;

    fn case(id: &str, checks: &[&'static checks::Check]) -> CaseReport {
        let name = CaseName {
            id: id.to_owned(),
            operation: "getA".to_owned(),
            area: "a".to_owned(),
        };
        let mut case = CaseReport::unsent(&name, Verdict::Pass, "");
        case.reason = None;
        case.differences = checks
            .iter()
            .map(|check| Difference {
                check,
                level: Level::Must,
                pointer: String::new(),
                place: String::new(),
                expected: String::new(),
                actual: String::new(),
                answer: None,
                because: Vec::new(),
                spec: Spot {
                    file: "a".to_owned(),
                    line: 1,
                    column: None,
                },
                curl: String::new(),
                requirement: String::new(),
                known: None,
            })
            .collect();
        case.verdict = Verdict::of(case.differences.iter().map(|difference| difference.level));
        case
    }

    fn requirements(profile: Profile, list: Option<&str>) -> Requirements {
        let document = openapi_document::loader::load_text("t.json", DOCUMENT).unwrap();
        let frozen = list.map(|text| Frozen::parse("list.yaml", text).unwrap());
        let weights = Weights {
            profile,
            ..Weights::default()
        };
        Requirements::new(&document, Vec::new(), weights, frozen)
    }

    #[test]
    fn levels_are_those_of_the_response_and_of_the_profile() {
        for (id, profile, expected) in [
            ("getA/200/x", Profile::Documented, Level::Should),
            ("getA/404/x", Profile::Documented, Level::May),
            ("laws/success/getA", Profile::Documented, Level::Should),
            ("getA/404/x", Profile::Complete, Level::Must),
        ] {
            let mut report = case(id, &[&checks::STATUS_CODE]);
            requirements(profile, None).mark(&mut report);
            assert_eq!(report.level, expected, "{id}");
            assert_eq!(
                report.differences[0].requirement,
                format!("{id}#status-code")
            );
        }
    }

    #[test]
    fn a_case_has_the_evidence_of_its_facts() {
        for (facts, expected) in [
            (None, Evidence::Read),
            (Some(Evidence::Read), Evidence::Read),
            (Some(Evidence::Stated), Evidence::Stated),
        ] {
            let mut found = case("laws/barred/getA", &[]);
            let facts = facts.map(|evidence| ("laws/barred/getA".to_owned(), evidence));
            let all = requirements(Profile::Documented, None);
            all.with_facts(facts.into_iter().collect()).mark(&mut found);
            assert_eq!(found.evidence, expected);
        }
    }

    #[test]
    fn cases_outside_the_list_warn() {
        let list = "requirements: '1'\ncontract: {version: '1', sha256: abc}\nsuite: '0'\n\
                    checks: [status-code]\ncases:\n  getA:\n    getA/200/x: SHOULD\n    getA/200/y: SHOULD\n    getA/200/w: MAY\n";
        let (old, new) = (&checks::STATUS_CODE, &checks::ECHO);
        for (profile, id, found, verdict) in [
            (Profile::Complete, "getA/200/x", &[old][..], Verdict::Fail),
            (Profile::Complete, "getA/200/x", &[new], Verdict::Warn),
            (Profile::Complete, "getA/200/x", &[old, new], Verdict::Fail),
            (Profile::Complete, "getA/200/z", &[old], Verdict::Warn),
            (Profile::Complete, "getA/200/z", &[], Verdict::Pass),
            (Profile::Documented, "getA/200/x", &[old], Verdict::Fail),
            (Profile::Documented, "getA/200/w", &[old], Verdict::Pass),
            (Profile::Complete, "getA/200/w", &[old], Verdict::Fail),
        ] {
            let mut report = case(id, found);
            requirements(profile, Some(list)).mark(&mut report);
            assert_eq!(report.verdict, verdict, "{profile:?} {id} {found:?}");
            let is_told = report.reason.as_deref()
                == Some("the list of requirements list does not demand this");
            let is_weaker = !found.is_empty() && verdict != Verdict::Fail;
            assert_eq!(is_told, is_weaker, "{profile:?} {id} {found:?}");
        }
    }

    #[test]
    fn an_entry_without_a_case_is_reported() {
        let list = "requirements: '1'\ncontract: {version: '1', sha256: abc}\nsuite: '0'\n\
                    checks: []\ncases:\n  getA:\n    getA/200/x: SHOULD\n    getA/200/y: SHOULD\n";
        let mut all = requirements(Profile::Documented, Some(list));
        all.mark(&mut case("getA/200/x", &[]));
        let stale = all.settle(&Selection::default());
        assert_eq!(stale.len(), 1);
        assert_eq!(stale[0].id, "requirements/getA/200/y");
        let reason = stale[0].reason.as_deref();
        assert_eq!(
            reason,
            Some("list.yaml:8: stale: this run has no such case")
        );
        // Another shard has the case.
        let mut others = Selection::default();
        let shard = |number| crate::shard::Shard::parse(&format!("{number}/2")).unwrap();
        let other = [shard(1), shard(2)]
            .into_iter()
            .find(|item| !item.has("getA/200/y"));
        others.shard = other;
        assert!(all.settle(&others).is_empty());
    }
}
