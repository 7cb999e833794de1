//! Judges an answer without its body: whether it arrived, its status, headers and media type.

use openapi_document::view::{Located, MediaType, Method, Operation, Response, Status, is_json};
use openapi_document::{Level, Node, Pointer, Provenance};
use openapi_facts::Evidence;

use super::Findings;
use crate::because::Because;
use crate::case::Step;
use crate::checks;
use crate::exchange::{Answer, BodyFault, Exchange, JsonFault, NoAnswer};
use crate::value;

fn place_of(findings: &Findings<'_, '_>, step: &Step<'_>) -> Because {
    match (&step.expected.response, &step.flow.spot) {
        (Some(response), _) => findings.contract.stated(response.key_span),
        (None, Some(spot)) => {
            Because::new(Evidence::Stated, spot.clone(), "a step of the scenario")
        }
        (None, None) => findings.contract.stated(step.operation.at.node.span),
    }
}

/// The answer, when it arrived completely.
pub(super) fn arrived<'e>(
    findings: &mut Findings<'_, '_>,
    step: &Step<'_>,
    exchange: &'e Exchange,
) -> Option<&'e Answer> {
    let answer = exchange.outcome.as_ref();
    let (check, actual) = match answer {
        Err(NoAnswer::Timeout(limit)) => (&checks::NO_ANSWER, format!("nothing within {limit:?}")),
        Err(NoAnswer::Closed(reason)) => (&checks::CONNECTION_CLOSED, reason.clone()),
        Err(NoAnswer::Withheld(_)) => return None,
        Ok(answer) => match &answer.body {
            Ok(_) => return Some(answer),
            Err(BodyFault::TooSlow { received }) => (
                &checks::NO_ANSWER,
                format!(
                    "status {} and {received} bytes of a body without an end",
                    answer.status
                ),
            ),
            Err(BodyFault::Incomplete { received, reason }) => (
                &checks::BODY_INCOMPLETE,
                format!(
                    "status {} and {received} bytes, then: {reason}",
                    answer.status
                ),
            ),
            Err(BodyFault::TooLarge { limit }) => (
                &checks::BODY_TOO_LARGE,
                format!("status {} and more than {limit} bytes", answer.status),
            ),
        },
    };
    let expected = match &step.expected.response {
        Some(response) => format!("a complete answer with status {}", response.status),
        None => "a complete answer".to_owned(),
    };
    let place = place_of(findings, step);
    findings.add_certain(check, (expected, actual), place);
    None
}

/// The documented response for the answer's status, when it is the expected one.
pub(super) fn status<'d>(
    findings: &mut Findings<'_, 'd>,
    step: &Step<'d>,
    answer: &Answer,
) -> Option<Response<'d>> {
    let actual = || format!("status {}", answer.status);
    let expected = step.expected.response.as_ref();
    let wanted = expected.map_or_else(
        || "a documented status".to_owned(),
        |response| format!("status {}", response.status),
    );
    let place = place_of(findings, step);
    if let Some(response) = expected.filter(|response| response.status.covers(answer.status)) {
        return Some(response.clone());
    }
    if answer.status == 501 {
        findings.add_certain(&checks::NOT_IMPLEMENTED, (wanted, actual()), place);
        return None;
    }
    if step.flow.rejection && answer.is_success() {
        findings.add_certain(&checks::REJECTION_EXPECTED, (wanted, actual()), place);
        return None;
    }
    if let Some(response) = expected {
        let level = response.level(step.operation.level());
        if answer.status >= 500 {
            findings.add_certain(&checks::SERVER_ERROR, (wanted, actual()), place);
        } else {
            let texts = (wanted, actual());
            findings.add(&checks::STATUS_CODE, level, &Pointer::root(), texts, place);
        }
        return None;
    }
    let selected = step.operation.response(answer.status);
    let is_named = selected
        .as_ref()
        .is_some_and(|response| response.status != Status::Default);
    if !is_named && answer.status >= 500 {
        findings.add_certain(&checks::SERVER_ERROR, (wanted, actual()), place);
    } else if selected.is_none() {
        let texts = (wanted, actual());
        findings.add(
            &checks::UNDECLARED_STATUS,
            Level::Documented,
            &Pointer::root(),
            texts,
            place,
        );
    }
    selected
}

/// Compares the headers with the declared ones.
pub(super) fn headers<'d>(
    findings: &mut Findings<'_, 'd>,
    operation: &Operation<'d>,
    answer: &Answer,
    response: &Response<'d>,
) {
    for (name, header) in response.headers() {
        if name.eq_ignore_ascii_case("content-type") {
            continue;
        }
        let level = Provenance::of(header.node)
            .map_or_else(|| response.level(operation.level()), |item| item.level);
        let place = findings.contract.stated(header.node.span);
        let required = header.node.get("required").and_then(Node::as_bool) == Some(true);
        match answer.header(name) {
            None if required => {
                let texts = (format!("the header `{name}`"), "absent".to_owned());
                findings.add(
                    &checks::HEADER_MISSING,
                    level,
                    &Pointer::root(),
                    texts,
                    place,
                );
            }
            None => {}
            Some(text) => {
                if let Some(wrong) = header_fault(findings, &header, &text) {
                    let texts = (
                        format!("the header `{name}`: {wrong}"),
                        value::excerpt(&value::string(&text).to_json()),
                    );
                    findings.add(&checks::HEADER_VALUE, level, &Pointer::root(), texts, place);
                }
            }
        }
    }
}

/// Why the text of a header breaks its schema. Numbers and booleans are parsed from the text.
fn header_fault(findings: &Findings<'_, '_>, header: &Located<'_>, text: &str) -> Option<String> {
    let schema = header.get("schema")?;
    let validate = |node: &Node| findings.contract.validate_answer(&schema, node).ok();
    let as_text = validate(&value::string(text))?;
    let first = as_text.into_iter().next()?;
    let as_json = openapi_document::json::read_text(text)
        .ok()
        .filter(|node| node.as_str().is_none());
    if as_json.is_some_and(|node| validate(&node).is_some_and(|list| list.is_empty())) {
        return None;
    }
    Some(first.message)
}

/// Whether an empty body is valid for a media type: an empty text.
fn allows_empty(findings: &Findings<'_, '_>, media: &MediaType<'_>) -> bool {
    let text = value::string("");
    let is_text = essence(media.name).starts_with("text/");
    let schema = media.schema();
    let violations = schema.map(|schema| findings.contract.validate_answer(&schema, &text));
    is_text && violations.is_none_or(|violations| violations.is_ok_and(|list| list.is_empty()))
}

/// The media type of the body. `None` when the answer has no body or no documented media type.
pub(super) fn media<'d>(
    findings: &mut Findings<'_, 'd>,
    step: &Step<'d>,
    answer: &Answer,
    response: &Response<'d>,
) -> Option<MediaType<'d>> {
    let content = response.content();
    let expected = step.expected.media.as_ref().or(content.first())?;
    let body = answer.body.as_ref().ok()?;
    if step.operation.method == Method::Head {
        return None;
    }
    let level = response.level(step.operation.level());
    let place = findings.contract.stated(expected.at.node.span);
    if body.is_empty() {
        if allows_empty(findings, expected) {
            return None;
        }
        let texts = (
            format!("a body of type {}", expected.name),
            "no body".to_owned(),
        );
        findings.add(&checks::BODY_MISSING, level, &Pointer::root(), texts, place);
        return None;
    }
    let actual = answer.header("content-type");
    let essence = actual.as_deref().map(essence).unwrap_or_default();
    if essence == self::essence(expected.name) || matches_range(expected.name, &essence) {
        return Some(expected.clone());
    }
    let other = content
        .iter()
        .find(|media| self::essence(media.name) == essence);
    if let Some(media) = other.filter(|_| step.expected.example.is_none()) {
        return Some(media.clone());
    }
    let actual = actual.unwrap_or_else(|| "no content-type".to_owned());
    let level = Provenance::of(expected.at.node).map_or(level, |item| item.level);
    let texts = (expected.name.to_owned(), value::excerpt(&actual));
    findings.add(&checks::MEDIA_TYPE, level, &Pointer::root(), texts, place);
    // Compares a JSON body under another media type too, because only the media type may be wrong.
    (is_json(&essence) && expected.is_json()).then(|| expected.clone())
}

/// The documented JSON media type that the answer declares.
pub(super) fn media_of<'d>(answer: &Answer, response: &Response<'d>) -> Option<MediaType<'d>> {
    let actual = essence(&answer.header("content-type")?);
    let mut content = response.content().into_iter();
    content.find(|named| named.is_json() && essence(named.name) == actual)
}

fn essence(media_type: &str) -> String {
    media_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

/// Whether a documented range such as `*/*` or `application/*` covers a media type.
fn matches_range(documented: &str, actual: &str) -> bool {
    match essence(documented).strip_suffix('*') {
        Some("*/") => !actual.is_empty(),
        Some(prefix) => actual.starts_with(prefix),
        None => false,
    }
}

/// Compares the `status` of a problem with the status of its answer (RFC 9457).
pub(super) fn problem(
    findings: &mut Findings<'_, '_>,
    answer: &Answer,
    (media, level): (&MediaType<'_>, Level),
    json: &Node,
) {
    let stated = json.get("status").filter(|json| json.as_number().is_some());
    let is_problem = essence(media.name) == "application/problem+json";
    let Some(stated) =
        stated.filter(|stated| is_problem && stated.as_u64() != Some(answer.status.into()))
    else {
        return;
    };
    let texts = (
        format!("{}, as the answer", answer.status),
        stated.to_json(),
    );
    let place = findings.contract.stated(media.at.node.span);
    let pointer = Pointer::root().join("status");
    findings.add(&checks::PROBLEM_STATUS, level, &pointer, texts, place);
}

/// The body as JSON, when it should be JSON and is.
pub(super) fn json<'e>(
    findings: &mut Findings<'_, '_>,
    answer: &'e Answer,
    media: &MediaType<'_>,
    level: Level,
) -> Option<&'e Node> {
    if !media.is_json() && !is_json(&answer.header("content-type").unwrap_or_default()) {
        return None;
    }
    let place = findings.contract.stated(media.at.node.span);
    let (check, expected, actual) = match answer.json_fault() {
        None => return answer.json(),
        Some(JsonFault::Utf8(at)) => (
            &checks::INVALID_UTF8,
            "UTF-8",
            format!("byte {at} is not part of any character"),
        ),
        Some(JsonFault::Json { message, at }) => {
            // The runner cannot tell which part of such a body is secret, so it quotes nothing.
            let bytes = answer.body.as_ref().map_or(0, Vec::len);
            (
                &checks::INVALID_JSON,
                "a JSON value",
                format!("{message} at byte {at} of {bytes}"),
            )
        }
    };
    findings.add(
        check,
        level,
        &Pointer::root(),
        (expected.to_owned(), actual),
        place,
    );
    None
}
