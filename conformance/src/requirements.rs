//! Requirements: what each case demands, how strongly, and whether it was demanded already when the list of
//! a contract's revision was frozen. A suite that grows demands more; an old list does not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use spec::document::{Document, Operation};

use crate::case::CaseName;
use crate::event::CaseReport;
use crate::level::{Level, Profile, Verdict};

mod frozen;
mod report;

pub use frozen::{Frozen, FrozenError};
pub use report::of_report;

/// Why a case does not count.
const NOT_SCORED: &str = "not scored: the list of requirements does not have it";

/// How strongly the cases of a contract demand.
#[derive(Debug, Default)]
pub struct Requirements {
    levels: BTreeMap<String, Levels>,
    profile: Profile,
    frozen: Option<Frozen>,
    /// The cases of the list that were decided.
    seen: BTreeSet<String>,
}

/// The levels of one operation.
#[derive(Debug, Clone)]
struct Levels {
    own: Level,
    /// Those of its responses, by status.
    responses: BTreeMap<String, Level>,
}

impl Requirements {
    /// The requirements of a document; of those that a list has, where there is one.
    pub fn new(document: &Document, profile: Profile, frozen: Option<Frozen>) -> Self {
        let operations = document.operations();
        let levels = operations.iter().map(|own| (own.label(), levels(own)));
        Self {
            levels: levels.collect(),
            profile,
            frozen,
            seen: BTreeSet::new(),
        }
    }

    /// The level of a case: that of the response it is about, else of its operation.
    fn level(&self, case: &CaseReport) -> Level {
        let Some(levels) = self.levels.get(&case.operation_id) else {
            return Level::Must;
        };
        let rest = case.id.strip_prefix(&case.operation_id);
        let status = rest.and_then(|rest| rest.strip_prefix('/')?.split('/').next());
        let of_response = status.and_then(|status| levels.responses.get(status));
        let level = of_response.map_or(levels.own, |own| levels.own.min(*own));
        self.profile.raise(level)
    }

    /// Tells a case which requirement it is, and leaves it out of the count where the list does not have it.
    pub fn mark(&mut self, case: &mut CaseReport) {
        case.level = self.level(case);
        for difference in &mut case.differences {
            if difference.requirement.is_empty() {
                difference.requirement = format!("{}#{}", case.id, difference.check.id);
            }
        }
        let Some(frozen) = &self.frozen else { return };
        if !frozen.has(&case.operation_id, &case.id) {
            not_scored(case);
            return;
        }
        self.seen.insert(case.id.clone());
        for difference in &mut case.differences {
            if !frozen.has_check(difference.check.id) {
                difference.known = Some(NOT_SCORED.to_owned());
            }
        }
        if matches!(case.verdict, Verdict::Warn | Verdict::Fail) {
            let scored = case.differences.iter().filter(|own| own.known.is_none());
            case.verdict = Verdict::of(scored.map(|own| own.level));
        }
    }

    /// Entries of the list that no case stands for, once all is decided: skips that say so.
    pub fn settle(&self) -> Vec<CaseReport> {
        let Some(frozen) = &self.frozen else {
            return Vec::new();
        };
        let stale = frozen.cases().filter(|own| !self.seen.contains(own.case));
        let stale = stale.map(|own| {
            let name = CaseName {
                id: format!("requirements/{}", own.case),
                operation: own.operation.to_owned(),
                area: "requirements".to_owned(),
            };
            let reason = format!(
                "{}: stale: no case of this run stands for it",
                frozen.place(own.line)
            );
            CaseReport::unsent(&name, Verdict::Skip, reason)
        });
        stale.collect()
    }
}

fn not_scored(case: &mut CaseReport) {
    for difference in &mut case.differences {
        difference.known = Some(NOT_SCORED.to_owned());
    }
    // A mistake of the contract or the harness is none of the server's.
    if case.verdict != Verdict::Error {
        let before = case.reason.take();
        case.verdict = Verdict::Skip;
        case.reason = Some(before.map_or_else(
            || NOT_SCORED.to_owned(),
            |before| format!("{NOT_SCORED}; {before}"),
        ));
    }
}

fn levels(operation: &Operation<'_>) -> Levels {
    let responses = operation.responses().into_iter();
    let responses = responses.map(|own| {
        let level = Level::from(own.level(operation));
        (own.status.to_string(), level)
    });
    Levels {
        own: Level::from(operation.level()),
        responses: responses.collect(),
    }
}

/// Where the list of a contract's revision stands beside the document, where it does.
pub fn beside(spec: &Path, sha256: &str) -> Option<std::path::PathBuf> {
    let name = format!("{}.yaml", sha256.get(..12)?);
    let file = spec.parent()?.join("requirements").join(name);
    file.is_file().then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks;
    use crate::contract::Spot;
    use crate::judge::Difference;

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
                expected: String::new(),
                actual: String::new(),
                spec: Spot {
                    file: "a".to_owned(),
                    line: 1,
                },
                curl: String::new(),
                requirement: String::new(),
                known: None,
            })
            .collect();
        case.verdict = Verdict::of(case.differences.iter().map(|own| own.level));
        case
    }

    fn requirements(profile: Profile, list: Option<&str>) -> Requirements {
        let document = spec::loader::load_text("t.json", DOCUMENT).unwrap();
        let frozen = list.map(|text| Frozen::parse("list.yaml", text).unwrap());
        Requirements::new(&document, profile, frozen)
    }

    #[test]
    fn levels_are_those_of_the_response_and_of_the_profile() {
        for (id, profile, expected) in [
            ("getA/200/x", Profile::Documented, Level::Should),
            ("getA/404/x", Profile::Documented, Level::May),
            ("laws/success/getA", Profile::Documented, Level::Should),
            ("getA/404/x", Profile::Complete, Level::Must),
        ] {
            let mut own = case(id, &[&checks::STATUS_CODE]);
            requirements(profile, None).mark(&mut own);
            assert_eq!(own.level, expected, "{id}");
            assert_eq!(own.differences[0].requirement, format!("{id}#status-code"));
        }
    }

    #[test]
    fn what_the_list_does_not_have_does_not_count() {
        let list = "requirements: '1'\ncontract: {version: '1', sha256: abc}\nsuite: '0'\n\
                    checks: [status-code]\ncases:\n  getA:\n    getA/200/x: SHOULD\n    getA/200/y: SHOULD\n";
        let mut all = requirements(Profile::Documented, Some(list));
        for (id, found, verdict) in [
            ("getA/200/x", &[&checks::STATUS_CODE][..], Verdict::Fail),
            ("getA/200/x", &[&checks::ECHO], Verdict::Pass),
            ("getA/200/z", &[&checks::STATUS_CODE], Verdict::Skip),
            ("getA/200/z", &[], Verdict::Skip),
        ] {
            let mut own = case(id, found);
            all.mark(&mut own);
            assert_eq!(own.verdict, verdict, "{id} {found:?}");
        }
        let stale = all.settle();
        assert_eq!(stale.len(), 1);
        assert_eq!(stale[0].id, "requirements/getA/200/y");
        let reason = stale[0].reason.as_deref();
        assert_eq!(
            reason,
            Some("list.yaml:8: stale: no case of this run stands for it")
        );
    }
}
