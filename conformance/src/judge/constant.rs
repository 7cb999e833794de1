//! Compares the constants of a refusal with the documented ones: its `code`, or the `type` of a
//! problem.

use openapi_document::view::{MediaType, Response, Status};
use openapi_document::{Level, Node};

use super::Findings;
use crate::case::Step;
use crate::checks;
use crate::constants::constants;

/// Statuses with one cause, independent of the request.
const OF_ONE_CAUSE: [u16; 6] = [405, 406, 410, 412, 415, 428];

/// Compares the constants of a refusal with those of the example for its request. Without such an
/// example, compares with all examples when the status has only one cause.
pub(super) fn compare<'d>(
    findings: &mut Findings<'_, 'd>,
    step: &Step<'d>,
    body: &Node,
    response: &Response<'d>,
    level: Level,
) {
    let Status::Code(code @ 400..) = response.status else {
        return;
    };
    let is_paired = step.expected.request_example.is_some() && step.request.spoil.is_none();
    let paired = step.expected.example.filter(|_| is_paired);
    let shown: Vec<&'d Node> = match paired {
        Some(example) => vec![example],
        None if is_paired || !OF_ONE_CAUSE.contains(&code) => return,
        None => {
            let content = response.content();
            let examples = content.iter().flat_map(MediaType::examples);
            examples.map(|example| example.value.node).collect()
        }
    };
    let Some(first) = shown.first() else { return };
    for pointer in constants(first) {
        let text = |node: &Node| Some(node.at(&pointer)?.as_str()?.to_owned());
        let known: Vec<String> = shown.iter().filter_map(|node| text(node)).collect();
        let (Some(actual), true) = (text(body), known.len() == shown.len()) else {
            continue;
        };
        if known.contains(&actual) || is_listed(response, &actual) || findings.has(&pointer) {
            continue;
        }
        let known: Vec<String> = known.iter().map(|text| format!("{text:?}")).collect();
        let texts = (known.join(" or "), format!("{actual:?}"));
        let place = first.at(&pointer).unwrap_or(first);
        let because = findings.contract.shown(place.span);
        findings.add(&checks::FINAL_VALUE, level, &pointer, texts, because);
    }
}

/// Whether the description of a refusal lists a code: `One of invalid_state, hold_expired`.
fn is_listed(response: &Response<'_>, code: &str) -> bool {
    let text = response.at.node.get("description").and_then(Node::as_str);
    let is_of_word = |char: char| char.is_alphanumeric() || char == '_' || char == '-';
    let mut words = text.unwrap_or_default().split(|char| !is_of_word(char));
    words.any(|word| word == code)
}
