//! Evaluates the criteria of a scenario step.

use std::time::Duration;

use openapi_document::{Level, Pointer};
use openapi_facts::Evidence;

use super::{Difference, Findings, Judge};
use crate::because::Because;
use crate::case::Step;
use crate::checks;
use crate::condition::Failure;
use crate::expression::{Expression, Scope};
use crate::scenario::{Criterion, Limit, Until};

/// Adds the success criteria that do not hold.
pub(super) fn criteria(findings: &mut Findings<'_, '_>, step: &Step<'_>, scope: &Scope<'_>) {
    for criterion in &step.flow.criteria {
        let Some(failure) = criterion.condition.failure(scope) else {
            continue;
        };
        let pointer = pointer(&failure);
        // Another check of the same value is more specific.
        if !pointer.is_root() && findings.has(&pointer) {
            continue;
        }
        let texts = texts(&failure, criterion);
        let because = because(criterion);
        findings.add(
            &checks::SUCCESS_CRITERION,
            level(step),
            &pointer,
            texts,
            because,
        );
    }
}

fn level(step: &Step<'_>) -> Level {
    step.flow.level.unwrap_or_else(|| step.operation.level())
}

fn because(criterion: &Criterion) -> Because {
    Because::new(Evidence::Stated, criterion.spot.clone(), &criterion.text)
}

fn pointer(failure: &Failure) -> Pointer {
    match &failure.expression {
        Some(Expression::ResponseBody(pointer)) => pointer.clone(),
        _ => Pointer::root(),
    }
}

fn texts(failure: &Failure, criterion: &Criterion) -> (String, String) {
    let expected = format!("{} ({})", failure.expected, criterion.text);
    (expected, failure.actual.clone())
}

impl<'d> Judge<'_, 'd> {
    fn alone(
        &self,
        step: &Step<'d>,
        check: &'static checks::Check,
        pointer: &Pointer,
        texts: (String, String),
        because: Because,
    ) -> Difference {
        let mut findings = self.findings(&step.operation);
        findings.add(check, level(step), pointer, texts, because);
        findings.list.remove(0)
    }
}

/// The differences of the last answer of a repeated step whose deadline has passed.
pub fn until<'d>(
    judge: &Judge<'_, 'd>,
    step: &Step<'d>,
    until: &Until,
    scope: &Scope<'_>,
    waited: Duration,
) -> Vec<Difference> {
    let failures = until.criteria.iter().filter_map(|criterion| {
        let failure = criterion.condition.failure(scope)?;
        let (expected, actual) = texts(&failure, criterion);
        let texts = (
            format!("{expected} within {:?}", until.deadline),
            format!("{actual} after {} ms", waited.as_millis()),
        );
        let check = &checks::UNTIL_DEADLINE;
        Some(judge.alone(step, check, &pointer(&failure), texts, because(criterion)))
    });
    failures.collect()
}

/// The difference when the number of parallel answers that met the condition is wrong.
pub fn parallel<'d>(
    judge: &Judge<'_, 'd>,
    step: &Step<'d>,
    limit: &Limit,
    met: usize,
) -> Option<Difference> {
    let wrong = met > limit.count || (limit.exactly && met != limit.count);
    wrong.then(|| {
        let how = if limit.exactly { "exactly" } else { "at most" };
        let texts = (
            format!(
                "{how} {} answers with {}",
                limit.count, limit.criterion.text
            ),
            format!("{met} answers"),
        );
        let check = &checks::PARALLEL_COUNT;
        let because = because(&limit.criterion);
        judge.alone(step, check, &Pointer::root(), texts, because)
    })
}
