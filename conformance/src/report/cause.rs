//! Cause: groups differences that share one cause, such as a schema that all answers break in the
//! same way.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::checks;
use crate::event::CaseReport;
use crate::judge::Difference;
use crate::level::Level;

/// Differences with one cause: the same check fails at the same place of the contract, for the same
/// property.
#[derive(Debug)]
pub struct Cause<'r> {
    /// The highest level of the differences.
    pub level: Level,
    /// The clearest difference with its case.
    pub example: (&'r CaseReport, &'r Difference),
    /// The number of differences by operation and place in the answer, with `*` for any index.
    pub places: BTreeMap<(&'r str, String), usize>,
    /// The cases with the cause, and the places in their answers.
    pub cases: BTreeSet<(&'r str, String)>,
    /// The number of differences.
    pub count: usize,
}

/// Groups the differences of cases by cause: the highest level first, then the most frequent.
/// Leaves out known deviations.
pub fn causes<'r>(cases: impl IntoIterator<Item = &'r CaseReport>) -> Vec<Cause<'r>> {
    let mut causes: BTreeMap<_, Cause<'r>> = BTreeMap::new();
    for case in cases {
        // The steps that decide such a case already have the differences.
        let difference = case.differences.iter().filter(|_| case.via.is_empty());
        for difference in difference.filter(|difference| difference.known.is_none()) {
            let spot = &difference.spec;
            let starred = &difference.place;
            let property = starred.rsplit('/').find(|segment| *segment != "*");
            let property = property.unwrap_or_default().to_owned();
            let is_coerced = difference.check == &checks::TYPE_COERCED;
            let is_ignored = difference.check == &checks::CONSTRAINT_IGNORED;
            let is_beyond_schema = difference.check == &checks::UNDECLARED_PROPERTY;
            let property = if is_coerced || is_ignored {
                String::new()
            } else {
                property
            };
            let place = match standard(difference) {
                // A standard that applies to every operation is one cause.
                Some(words) => words.to_owned(),
                // Coerced types are one cause in the server.
                None if is_coerced => String::new(),
                // So is a keyword that the server ignores, whatever has it.
                None if is_ignored => difference.expected.clone(),
                // A property that no schema lists is one cause, however many schemas lack it.
                None if is_beyond_schema => String::new(),
                None if starred.is_empty() && is_of_form(difference) => {
                    format!("{} {}", difference.expected, difference.actual)
                }
                None if starred.is_empty() => case.operation_id.clone(),
                None => spot.to_string(),
            };
            let key = (difference.check.id, place, property);
            let cause = causes.entry(key).or_insert_with(|| Cause {
                level: difference.level,
                example: (case, difference),
                places: BTreeMap::new(),
                cases: BTreeSet::new(),
                count: 0,
            });
            cause.cases.insert((&case.id, starred.clone()));
            cause.level = cause.level.max(difference.level);
            cause.count += 1;
            let place = (case.operation_id.as_str(), starred.clone());
            *cause.places.entry(place).or_default() += 1;
            if clarity(case, difference) < clarity(cause.example.0, cause.example.1) {
                cause.example = (case, difference);
            }
        }
    }
    let mut causes: Vec<Cause<'r>> = causes.into_values().collect();
    causes.sort_by_key(|item| (Reverse(item.level), Reverse(item.count)));
    causes
}

impl Cause<'_> {
    /// The first case by id, with the place. They are the same in each run.
    pub fn first(&self) -> (&str, &str) {
        let first = self.cases.first();
        first.map_or(("", ""), |(id, place)| (*id, place.as_str()))
    }

    /// The operations with the cause, sorted by name.
    pub fn operations(&self) -> Vec<&str> {
        let mut operations: Vec<&str> = self
            .places
            .keys()
            .map(|(operation, _)| *operation)
            .collect();
        operations.dedup();
        operations
    }

    /// The places in answers, each once.
    pub fn pointers(&self) -> Vec<&str> {
        let mut pointers: Vec<&str> = self
            .places
            .keys()
            .map(|(_, pointer)| pointer.as_str())
            .collect();
        pointers.sort_unstable();
        pointers.dedup();
        pointers
    }
}

/// The standard that a difference refers to. `None` when it refers to the document.
fn standard(difference: &Difference) -> Option<&str> {
    let words = difference.because.first()?.words.as_str();
    (words.starts_with("RFC ") && difference.check != &checks::SERVER_ERROR).then_some(words)
}

/// Whether many operations may have a difference for one reason, such as a framework that answers
/// every mistake with an undocumented media type. An error of the server, or a valid request that
/// it refuses, has a reason of its own.
fn is_of_form(difference: &Difference) -> bool {
    let is_own = [&checks::SERVER_ERROR, &checks::UNDECLARED_STATUS];
    difference.answer.is_none() && !is_own.contains(&difference.check)
}

/// A sort key for clear examples: a documented example before a law, then the shorter request.
fn clarity(case: &CaseReport, difference: &Difference) -> (bool, usize) {
    (case.id.starts_with("laws/"), difference.curl.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn case(operation: &str, place: &str) -> CaseReport {
        let mut case = sample::record(1, Level::Must, "one").cases.remove(0);
        operation.clone_into(&mut case.operation_id);
        place.clone_into(&mut case.differences[0].place);
        case
    }

    #[test]
    fn differences_with_one_reason_are_one_cause() {
        let cases = [case("getThing", "/*/name"), case("listThings", "/*/name")];
        let found = causes(&cases);
        let [cause] = &found[..] else {
            panic!("{found:#?}");
        };
        assert_eq!(cause.count, 2);
        assert_eq!(cause.operations(), ["getThing", "listThings"]);
        assert_eq!(cause.pointers(), ["/*/name"]);
    }

    #[test]
    fn a_keyword_that_the_server_ignores_is_one_cause() {
        for (keywords, expected) in [(["nullable", "nullable"], 1), (["nullable", "pattern"], 2)] {
            let mut cases = [case("addThing", "/name"), case("changeThing", "/size")];
            for ((line, case), keyword) in cases.iter_mut().enumerate().zip(keywords) {
                case.differences[0].check = &checks::CONSTRAINT_IGNORED;
                case.differences[0].expected = format!("a refusal: `{keyword}` is broken");
                case.differences[0].spec.line = line;
                case.differences[0].because.clear();
            }
            assert_eq!(causes(&cases).len(), expected);
        }
    }

    #[test]
    fn a_property_beyond_several_schemas_is_one_cause() {
        for (check, expected) in [(&checks::UNDECLARED_PROPERTY, 1), (&checks::SCHEMA_TYPE, 2)] {
            let mut cases = [case("getThing", "/details"), case("listThings", "/details")];
            for (line, case) in cases.iter_mut().enumerate() {
                case.differences[0].check = check;
                case.differences[0].spec.line = line;
                case.differences[0].because.clear();
            }
            assert_eq!(causes(&cases).len(), expected);
        }
    }
}
