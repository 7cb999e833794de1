//! Inconclusive: why the answer to an example is no evidence against the server.

use jiff::Timestamp;
use jiff::civil::Date;
use openapi_document::view::{Location, Status};
use openapi_document::{Node, Pointer};

use super::is_answered;
use super::named::references;
use super::obstacle::answer_of;
use crate::case::{Spoil, Step};
use crate::event::CaseReport;
use crate::level::Examples;

/// Why an operation may refuse the credential of the run.
const MORE_RIGHTS: &str = "it may need another kind of credential, or more rights";

/// Why the report of a step is inconclusive. `None` when it counts. `is_example` is false for a
/// step of a scenario, whose state was prepared. `has_succeeded` says whether the operation did so in
/// this run.
pub(super) fn reason(
    step: &Step<'_>,
    report: &CaseReport,
    is_example: bool,
    (examples, has_succeeded): (Examples, bool),
) -> Option<String> {
    let expected = step.expected.response.as_ref()?;
    if !expected.status.is_success() {
        if examples == Examples::Normative {
            return None;
        }
        let of_rights = lacks_rights(step, report).filter(|_| !has_succeeded);
        return of_rights.or_else(|| other_refusal(step, report));
    }
    let is_binding = examples == Examples::Normative;
    let refused = || refused_without(step, report).filter(|_| !is_binding);
    let of_run = refused_invention(step, report).or_else(refused);
    of_run.or_else(|| {
        is_example.then_some(())?;
        let refused = || refused_as_documented(step, report).filter(|_| !is_binding);
        other_success(step, report).or_else(refused)
    })
}

/// Why a refusal is inconclusive whose operation demands a credential and refused the one of the run
/// as documented: the server may check rights before it reads the request.
fn lacks_rights(step: &Step<'_>, report: &CaseReport) -> Option<String> {
    let is_refused =
        |code: &u16| step.operation.documents(*code) && is_answered(report, &code.to_string());
    let demands = step.operation.requires_credentials();
    let has_credential = step.request.spoil != Some(Spoil::NoCredentials);
    let code = [401, 403].into_iter().find(is_refused)?;
    (demands && has_credential).then(|| {
        format!(
            "the server answered {code}, which is documented, and the operation never succeeded: {MORE_RIGHTS}"
        )
    })
}

/// Why a spoiled body is inconclusive that got the other documented status for a wrong body.
fn other_refusal(step: &Step<'_>, report: &CaseReport) -> Option<String> {
    let expected = step.expected.response.as_ref()?.status;
    let other = match expected {
        Status::Code(400) => 422,
        Status::Code(422) => 400,
        _ => return None,
    };
    let is_spoiled = step.request.spoil == Some(Spoil::TruncatedBody);
    let is_documented = step.operation.documents(other) && is_answered(report, &other.to_string());
    (is_spoiled && is_documented).then(|| {
        format!("the server refused the cut body with {other}, which is documented as well")
    })
}

/// Why an example is inconclusive that got another documented success: the state of the server may
/// decide, such as whether a `PUT` creates or replaces.
fn other_success(step: &Step<'_>, report: &CaseReport) -> Option<String> {
    let expected = step.expected.response.as_ref()?;
    let mut documented = step.operation.responses().into_iter();
    let other = documented.find_map(|response| match response.status {
        Status::Code(code) if response.status.is_success() => {
            is_answered(report, &code.to_string()).then_some(code)
        }
        _ => None,
    })?;
    expected
        .status
        .is_success()
        .then(|| format!("the server answered {other}, which is documented as well"))
}

/// Why a refusal of an invented request is inconclusive: the server may refuse a request that is
/// valid by its schema. A step whose scenario states a criterion must meet it.
fn refused_invention(step: &Step<'_>, report: &CaseReport) -> Option<String> {
    let expected = step.expected.response.as_ref()?;
    let is_refused = expected.status.is_success() && is_answered(report, "4");
    let answer = answer_of(&report.differences);
    let is_open = step.is_invented() && step.flow.criteria.is_empty();
    (is_refused && is_open).then(|| {
        format!(
            "the contract shows no example of this request; the run invented one, and the server answered {answer}"
        )
    })
}

/// Why a refused reading is inconclusive whose example shows no parameters: the server may need one
/// that the document calls optional. `answers` notes an undocumented status.
fn refused_without(step: &Step<'_>, report: &CaseReport) -> Option<String> {
    let is_refused = ["400", "404", "422"]
        .into_iter()
        .any(|code| is_answered(report, code));
    let is_shown = !step.request.documented.arguments.is_empty() || step.flow.spot.is_some();
    let parameters = step.operation.parameters();
    let mut optional = parameters.iter().filter(|parameter| {
        parameter.location == Location::Query && { step.request.arguments.iter() }
            .all(|argument| argument.name != parameter.name)
    });
    let is_open = step.operation.method.is_safe() && is_refused && !is_shown;
    let first = optional.next().filter(|_| is_open)?;
    let answer = answer_of(&report.differences);
    Some(format!(
        "the server answered {answer}; it may need a parameter that the document calls optional, such as `{}`",
        first.name
    ))
}

/// Why a documented refusal of an example is inconclusive: the server need not have the example's
/// records and state, its times may have passed, and the credential may not be enough. Does not
/// apply when the document says that examples bind.
fn refused_as_documented(step: &Step<'_>, report: &CaseReport) -> Option<String> {
    let body = step.expected.request_example;
    let has_arguments = !step.request.arguments.is_empty();
    let status = step
        .operation
        .responses()
        .into_iter()
        .find_map(|response| {
            let Status::Code(code) = response.status else {
                return None;
            };
            is_answered(report, &code.to_string()).then_some(code)
        })?;
    let why = match status {
        404 | 410 if has_arguments || body.is_some() => "what the example names may not be there",
        401 | 403 => MORE_RIGHTS,
        402 | 409 | 412 | 423 | 424 | 428 => "it may be of the state of the server",
        400 | 422 if body.is_some_and(names_others) => "what the example names may not be there",
        400 | 422 if body.is_some_and(is_past) => "a time in the example has passed",
        _ => return None,
    };
    let answer = answer_of(&report.differences);
    Some(format!(
        "the server refused the example with {answer}, which is documented: {why}; give a scenario that leads to its success"
    ))
}

/// Whether a body has a key of another record.
fn names_others(body: &Node) -> bool {
    let mut found = Vec::new();
    references(body, &Pointer::root(), &mut found);
    !found.is_empty()
}

/// Whether a body has a time that has passed.
fn is_past(body: &Node) -> bool {
    let now = Timestamp::now();
    let text = body.as_str().unwrap_or_default();
    let is_moment = text.parse::<Timestamp>().is_ok_and(|time| time < now);
    let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let is_day = text.len() == 10 && text.parse::<Date>().is_ok_and(|time| time < today);
    is_moment
        || is_day
        || body.entries().any(|entry| is_past(&entry.value))
        || body.items().any(is_past)
}
