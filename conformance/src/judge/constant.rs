//! The constant of a refusal that programs tell it by, `code` or the `type` of a problem, beside the documented ones.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use openapi_document::view::{Document, MediaType, Method, Operation, Response, Status};
use openapi_document::{Level, Node, Pointer};

use super::Findings;
use crate::case::{Spoil, Step};
use crate::checks;
use crate::fresh::is_natural_name;
use crate::model::{collection, names, prose};
use crate::shape::Shape;

/// Words that end like participles and tell no state.
const NO_STATE: [&str; 12] = [
    "unauthorized",
    "unauthorised",
    "unauthenticated",
    "unsupported",
    "failed",
    "required",
    "denied",
    "allowed",
    "exceeded",
    "limited",
    "forbidden",
    "need",
];

/// Words of one of several causes that credentials are refused for.
const CAUSES: [&str; 9] = [
    "missing",
    "invalid",
    "expired",
    "malformed",
    "wrong",
    "bad",
    "no",
    "token",
    "key",
];

/// Compares the constants of a refusal with those of the documented ones: where its request goes with an example,
/// with that one; else where its status leaves one cause only, with all of them.
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
    let is_cut = step.request.spoil == Some(Spoil::TruncatedBody);
    let is_paired = (step.expected.request_example.is_some() && step.request.spoil.is_none())
        || (is_cut && step.expected.example.is_some_and(is_of_syntax));
    let shown: Vec<&'d Node> = match step.expected.example {
        Some(own) if is_paired => vec![own],
        _ if is_paired || !has_one_cause(findings, &step.operation, code) => return,
        _ if code == 409 && (says_which(response) || says_another(&step.operation, response)) => {
            return;
        }
        _ if code == 409 && is_of_one_of_many(findings.contract.document, response) => return,
        _ => {
            let content = response.content();
            let all = content.iter().flat_map(MediaType::examples);
            let all: Vec<&'d Node> = all.map(|own| own.value.node).collect();
            if matches!(code, 409 | 410 | 412) && all.len() == 1 && tells_of_several(response) {
                return;
            }
            all
        }
    };
    let Some(first) = shown.first() else { return };
    let document = findings.contract.document;
    let foreign = LazyCell::new(|| foreign(document, &step.operation, code));
    for pointer in constants(first) {
        let text = |own: &Node| Some(own.at(&pointer)?.as_str()?.to_owned());
        let known: Vec<String> = shown.iter().filter_map(|own| text(own)).collect();
        let (Some(actual), true) = (text(body), known.len() == shown.len()) else {
            continue;
        };
        let speaks = |own: &String| is_of_cause(own, code, &foreign);
        if known.contains(&actual)
            || is_said(response, &actual)
            || (!is_paired
                && (known.iter().any(speaks) || is_shown(document, code, (&pointer, &actual))))
            || findings.has(&pointer)
        {
            continue;
        }
        let known: Vec<String> = known.iter().map(|own| format!("{own:?}")).collect();
        let texts = (known.join(" or "), format!("{actual:?}"));
        let place = first.at(&pointer).unwrap_or(first);
        let because = findings.contract.shown(place.span);
        findings.add(&checks::FINAL_VALUE, level, &pointer, texts, because);
    }
}

/// Whether a refusal is shown to be one of what is no JSON at all: `malformed_json`, `The body is not valid JSON`.
fn is_of_syntax(shown: &Node) -> bool {
    const READ: [&str; 8] = [
        "malformed",
        "invalid",
        "valid",
        "parse",
        "parsed",
        "parseable",
        "syntax",
        "unparsable",
    ];
    let mut said = Vec::new();
    prose::texts_in(shown, &mut said);
    said.into_iter()
        .map(names::words)
        .any(|own| prose::has(&own, &["json"]) && prose::has(&own, &READ))
}

/// Whether a text says that a refusal tells which of several causes it has: `in conflict with the state; type says which`.
fn says_which(response: &Response<'_>) -> bool {
    const TELLS: [&str; 4] = ["says", "tells", "names", "shows"];
    let text = response.at.node.get("description").and_then(Node::as_str);
    let mut said = prose::spoken(text.unwrap_or_default()).into_iter();
    said.any(|own| prose::has(&own, &["which"]) && prose::has(&own, &TELLS))
}

/// Whether an operation says that it is refused with a code of its own, where what it refers to is shared and shows another one:
/// `a name that is taken is refused with 409 (accountNameTaken)`.
fn says_another(operation: &Operation<'_>, response: &Response<'_>) -> bool {
    let is_shared = response.raw.node.reference().is_some();
    let content = response.content();
    let shown = content.iter().flat_map(MediaType::examples);
    let mut known = Vec::new();
    shown.for_each(|own| prose::texts_in(own.value.node, &mut known));
    let node = operation.at.node;
    let texts = ["summary", "description"].map(|key| node.get(key).and_then(Node::as_str));
    let said = texts.into_iter().flatten().flat_map(prose::sentences);
    let mut of_refusal = said.filter(|own| prose::has(&names::words(own), &["409"]));
    let is_code = |own: &str| {
        let is_word = own
            .chars()
            .all(|own| own.is_ascii_alphanumeric() || own == '_');
        let is_joined = own.contains('_') || own.chars().skip(1).any(char::is_uppercase);
        is_word && is_joined
    };
    is_shared
        && of_refusal.any(|own| {
            let mut marked = own.split('`').skip(1).step_by(2);
            marked.any(|own| is_code(own) && !known.contains(&own))
        })
}

/// Whether a conflict is shared by operations, and shown with the cause of one of them: `order_not_pending`, where another order is cancelled.
fn is_of_one_of_many(document: &Document, response: &Response<'_>) -> bool {
    const OF_ALL: [&str; 17] = [
        "conflict",
        "invalid",
        "state",
        "status",
        "transition",
        "illegal",
        "not",
        "allowed",
        "operation",
        "resource",
        "error",
        "request",
        "in",
        "wrong",
        "bad",
        "is",
        "http",
    ];
    let Some(own) = response.raw.node.reference() else {
        return false;
    };
    let operations = document.operations();
    let refers = |other: &Operation<'_>| {
        let other = other.response(409);
        other.is_some_and(|other| other.raw.node.reference() == Some(own))
    };
    let is_shared = operations.iter().filter(|own| refers(own)).nth(1).is_some();
    let content = response.content();
    let mut shown = content.iter().flat_map(MediaType::examples);
    let is_of_all = |text: &str| {
        let last = text.rsplit(['/', '#', ':']).next().unwrap_or_default();
        let words = names::words(last);
        words.iter().all(|own| OF_ALL.contains(&own.as_str()))
    };
    is_shared
        && shown.any(|own| {
            let mut all = constants(own.value.node).into_iter();
            all.any(|at| {
                let text = own.value.node.at(&at).and_then(Node::as_str);
                text.is_some_and(|own| !is_of_all(own))
            })
        })
}

/// Whether the text of a refusal tells of a code, as one of several: `One of invalid_state, hold_expired`.
fn is_said(response: &Response<'_>, code: &str) -> bool {
    let text = response.at.node.get("description").and_then(Node::as_str);
    let is_of_word = |own: char| own.is_alphanumeric() || own == '_' || own == '-';
    let mut words = text.unwrap_or_default().split(|own| !is_of_word(own));
    words.any(|own| own == code)
}

/// Whether another operation shows a constant with this status: one that has several causes there has them here.
fn is_shown(document: &Document, code: u16, (pointer, actual): (&Pointer, &str)) -> bool {
    let operations = document.operations();
    let responses = operations.iter().filter_map(|own| own.response(code));
    let mut responses = responses.filter(|own| own.status == Status::Code(code));
    responses.any(|own| {
        let content = own.content();
        let mut shown = content.iter().flat_map(MediaType::examples);
        shown.any(|own| own.value.node.at(pointer).and_then(Node::as_str) == Some(actual))
    })
}

/// Whether the text of a refusal tells of more causes than one: `has open holds, or is cancelled`.
fn tells_of_several(response: &Response<'_>) -> bool {
    let text = response.at.node.get("description").and_then(Node::as_str);
    let words = names::words(&text.unwrap_or_default().to_lowercase());
    words.iter().any(|own| own == "or")
}

/// Whether a status is answered for one reason, however it was come by.
fn has_one_cause(findings: &Findings<'_, '_>, operation: &Operation<'_>, code: u16) -> bool {
    if code == 409 {
        // A key of the request is one reason; a key of the record, and the state of another one, are others.
        let headers = operation.parameters();
        let mut headers = headers.iter().map(|own| names::words(own.name));
        let is_once = headers.any(|own| own.iter().any(|word| word == "idempotency"));
        let document = findings.contract.document;
        let content = operation.request_body().map(|own| own.content());
        let schema = content.iter().flatten().find_map(MediaType::schema);
        let shape = Shape::of(document, schema.as_ref());
        let operations = document.operations();
        let is_collection = |name: &str| {
            let name = names::singular(name);
            let mut paths = operations.iter().map(|own| collection(own.path));
            paths.any(|own| names::singular(own) == name)
        };
        let is_of_state = operation.path.contains('{')
            || shape.property_names().into_iter().any(|own| {
                let subject = names::subject(own);
                shape.requires(own) && is_collection(subject.as_deref().unwrap_or(own))
            });
        let is_named = shape.property_names().into_iter().any(is_natural_name);
        return !(is_once && (is_named || is_of_state));
    }
    if code == 404 && may_be_gone(findings.contract.document, operation) {
        return false;
    }
    matches!(code, 401 | 404 | 405 | 406 | 410 | 412 | 415 | 428)
}

/// Whether an operation is about a part without a key that can be taken away: the coupon of `/orders/{id}/coupon`, which may be as
/// unknown as its order.
fn may_be_gone(document: &Document, operation: &Operation<'_>) -> bool {
    let is_part = operation.path.contains('{') && !operation.path.ends_with('}');
    let takes = |own: &Operation<'_>| own.method == Method::Delete && own.path == operation.path;
    is_part && document.operations().iter().any(takes)
}

/// The constants of a refusal, by their pointers.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constants(BTreeMap<String, String>);

impl Constants {
    /// Those of a body.
    pub(crate) fn of(body: &Node) -> Self {
        let all = constants(body).into_iter();
        let texts = all.filter_map(|at| {
            let text = body.at(&at)?.as_str()?.to_owned();
            Some((at.to_string(), text))
        });
        Self(texts.collect())
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all of the other ones are among them.
    pub(crate) fn have(&self, other: &Self) -> bool {
        other
            .0
            .iter()
            .all(|(at, text)| self.0.get(at) == Some(text))
    }

    /// In words: `"not_found"`.
    pub(crate) fn told(&self) -> String {
        let texts: Vec<String> = self.0.values().map(|own| format!("{own:?}")).collect();
        texts.join(", ")
    }
}

/// The places of constants in a refusal: of a code, of the type of a problem.
fn constants(shown: &Node) -> Vec<Pointer> {
    let is_constant = |own: &Node| {
        let text = own.as_str().unwrap_or_default();
        // A problem of no type of its own may be given one.
        let is_blank = text == "about:blank";
        let fits = |own: char| own.is_ascii_alphanumeric() || "_-./:#".contains(own);
        !is_blank
            && text.len() > 2
            && text.chars().all(fits)
            && text.bytes().any(|own| own.is_ascii_alphabetic())
    };
    let is_named = |name: &str| {
        let words = names::words(name);
        matches!(
            words.last().map(String::as_str),
            Some("code" | "type" | "error")
        )
    };
    let own = |at: &Pointer, node: &Node| {
        let all = node
            .entries()
            .filter(|own| is_named(&own.key) && is_constant(&own.value));
        all.map(|own| at.join(own.key.as_str())).collect::<Vec<_>>()
    };
    let mut found = own(&Pointer::root(), shown);
    for entry in shown
        .entries()
        .filter(|own| own.value.as_mapping().is_some())
    {
        found.extend(own(&Pointer::root().join(entry.key.as_str()), &entry.value));
    }
    found
}

/// Words of the paths of others, which the refusals of one operation do not speak of; of what is not found, of the
/// records above the last one that its path names, too.
fn foreign(document: &Document, own: &Operation<'_>, code: u16) -> BTreeSet<String> {
    let of = |path: &str| {
        let parts = path.split('/').filter(|own| !own.starts_with('{'));
        parts
            .flat_map(|own| names::words(&names::singular(own)))
            .collect::<BTreeSet<String>>()
    };
    let all = document.operations();
    let all: BTreeSet<String> = all.iter().flat_map(|own| of(own.path)).collect();
    let above = own
        .path
        .rfind("/{")
        .and_then(|at| own.path[..at].rfind('}'));
    let is_of_last = |at: &usize| code == 404 && own.path[..*at].contains('{');
    let from = above.filter(is_of_last).map_or(0, |at| at + 1);
    all.difference(&of(&own.path[from..])).cloned().collect()
}

/// Whether a constant tells of one cause of several: of a state, of another record, of what is wrong with
/// credentials.
fn is_of_cause(text: &str, code: u16, foreign: &BTreeSet<String>) -> bool {
    let last = text.rsplit(['/', '#', ':']).next().unwrap_or_default();
    names::words(last).iter().any(|own| {
        let is_state = own.ends_with("ed") && !NO_STATE.contains(&own.as_str());
        let is_of_credentials = code == 401 && CAUSES.contains(&own.as_str());
        is_state || is_of_credentials || foreign.contains(own)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_names_and_no_spaces() {
        for (text, expected) in [
            (
                r#"{"code":"not_found","message":"Not there"}"#,
                vec!["/code"],
            ),
            (
                r#"{"error":{"code":"E1X","type":"a b"}}"#,
                vec!["/error/code"],
            ),
            (
                r#"{"type":"https://docs.example/errors/not-found","status":404}"#,
                vec!["/type"],
            ),
            (r#"{"error":"Not found"}"#, vec![]),
            (r#"{"type":"about:blank"}"#, vec![]),
        ] {
            let found = constants(&openapi_document::json::read_text(text).unwrap());
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn an_answer_has_the_constants_of_an_example() {
        let of = |text: &str| Constants::of(&openapi_document::json::read_text(text).unwrap());
        let shown = of(r#"{"code":"exceeds_due","message":"More than is due"}"#);
        assert_eq!(shown.told(), r#""exceeds_due""#);
        for (answer, expected) in [
            (r#"{"code":"exceeds_due","type":"refused","hint":1}"#, true),
            (r#"{"code":"validation_failed"}"#, false),
            (r#"{"error":{"code":"exceeds_due"}}"#, false),
            ("[]", false),
        ] {
            assert_eq!(of(answer).have(&shown), expected, "{answer}");
            assert!(of(answer).have(&of(r#"{"message":"No code"}"#)));
        }
    }

    #[test]
    fn refusals_of_what_is_no_json() {
        for (text, expected) in [
            (
                r#"{"code":"malformed_json","message":"Cannot be read"}"#,
                true,
            ),
            (
                r#"{"code":"bad_request","message":"The body is not valid JSON."}"#,
                true,
            ),
            (
                r#"{"code":"invalid_request","message":"email is required"}"#,
                false,
            ),
            (
                r#"{"code":"unsupported","message":"Only JSON is taken"}"#,
                false,
            ),
        ] {
            let shown = openapi_document::json::read_text(text).unwrap();
            assert_eq!(is_of_syntax(&shown), expected, "{text}");
        }
    }

    #[test]
    fn causes_that_are_one_of_several() {
        let foreign = BTreeSet::from(["payment".to_owned()]);
        for (text, code, expected) in [
            ("not_found", 404, false),
            ("PAYMENT_NOT_FOUND", 404, true),
            ("already_captured", 409, true),
            ("WRONG_STATE", 409, false),
            ("unauthorized", 401, false),
            ("token_expired", 401, true),
        ] {
            assert_eq!(is_of_cause(text, code, &foreign), expected, "{text}");
        }
    }
}
