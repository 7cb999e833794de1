//! Labels: what a text says to come back as it was sent, such as the identifier of a request, does: of what is refused,
//! too. Nothing more is sent for it. Pure.

use openapi_document::view::{Location, Parameter};
use openapi_document::{Node, Pointer};

use crate::exchange::Exchange;
use crate::model::{Call, Model, told_back};
use crate::names;
use crate::prose;
use crate::shape::Shape;

/// A label is not longer than so: what is, may be cut.
const LONG: usize = 36;

/// A label that did not come back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    /// Where it was lost: `/header/X-Request-Id`, or the property of the body that repeats it.
    pub(crate) place: Pointer,
    /// What was sent.
    pub(crate) due: String,
    /// What came.
    pub(crate) told: String,
}

/// The first header of a request that comes back otherwise than a text says.
pub(crate) fn lost(call: &Call<'_>, exchange: &Exchange) -> Option<Lost> {
    let answer = exchange.outcome.as_ref().ok()?;
    // What is answered again may have been put aside as a whole.
    let may_be_old = exchange.sent.header("idempotency-key").is_some() && answer.is_success();
    if exchange.sent.method != call.operation.method || may_be_old {
        return None;
    }
    // What is said is read only of what was sent, and came back otherwise.
    let lost = |name: &str| {
        let due = exchange.sent.header(name)?;
        let told = answer.header(name).unwrap_or_default();
        let is_lost = is_plain(due) && told != due && tells(call, answer.status, name);
        is_lost.then(|| Lost {
            place: Pointer::root().join("header").join(name),
            due: format!("{due} as sent"),
            told,
        })
    };
    let parameters = call.operation.parameters().into_iter();
    let mut declared = parameters.filter(|own| own.location == Location::Header);
    let of_declared = declared.find_map(|own| lost(own.name).filter(|_| comes_back(call, &own)));
    of_declared.or_else(|| {
        let headers = call.success.as_ref()?.response.headers();
        let mut names = headers.into_iter().map(|(name, _)| name);
        let found = names.find_map(|name| Some((name, lost(name)?)));
        let (name, lost) = found?;
        (undeclared(call) == Some(name)).then_some(lost)
    })
}

/// The header that a text says to come back as it was sent, though the operation does not declare that it may be.
pub(crate) fn undeclared<'d>(call: &Call<'d>) -> Option<&'d str> {
    let parameters = call.operation.parameters();
    let is_declared = |name: &str| {
        let mut all = parameters.iter();
        all.any(|own| own.location == Location::Header && own.name.eq_ignore_ascii_case(name))
    };
    let said: Vec<Vec<String>> = call.overall.into_iter().flat_map(prose::spoken).collect();
    let is_said = |name: &str| {
        let words = names::words(name);
        let mut said = said.iter();
        said.any(|own| {
            own.windows(words.len()).any(|part| part == words) && told_back::says_back(own)
        })
    };
    let headers = call.success.as_ref()?.response.headers();
    let mut names = headers.into_iter().map(|(name, _)| name);
    names.find(|name| !is_declared(name) && is_said(name))
}

/// The first property of a body that has the name of a header of the answer, and not its value as a text says.
pub(crate) fn unlike(model: &Model<'_>, call: &Call<'_>, exchange: &Exchange) -> Option<Lost> {
    let answer = exchange.outcome.as_ref().ok()?;
    let body = answer.json()?;
    let response = call.operation.response(answer.status)?;
    let mut media = response.content().into_iter();
    let shape = Shape::of(model.document, media.find_map(|own| own.schema()).as_ref());
    response.headers().into_iter().find_map(|(name, at)| {
        let due = answer.header(name)?;
        let header = model.document.resolve(&at).unwrap_or(at);
        let of_header = header.node.get("description").and_then(Node::as_str);
        if name.eq_ignore_ascii_case("etag") {
            return of_version(body, (of_header?, &due));
        }
        let (place, told) = repeated(body, name)?;
        let told = told.as_str().filter(|own| *own != due)?;
        let mut names = place.segments();
        let property = names.try_fold(shape.clone(), |own, name| {
            Some(own.property(model.document, &name))
        })?;
        let of_property = property.keyword("description").and_then(Node::as_str);
        let words = names::words(plain_name(name));
        let names_both = |own: &Vec<String>| {
            let times = own.windows(words.len()).filter(|part| *part == words);
            let is_said = says_always(own) || repeats_value(own);
            times.count() > 1 || (is_said && prose::speaks_of(own, plain_name(name)))
        };
        let overall = call.overall.into_iter().flat_map(prose::spoken);
        let own = of_header
            .into_iter()
            .chain(of_property)
            .flat_map(prose::spoken);
        let mut said = own.chain(overall.filter(names_both));
        said.any(|own| says_repeated(&own) || says_always(&own) || repeats_value(&own))
            .then(|| Lost {
                place: place.clone(),
                due: format!("{due}, as `{name}` has it"),
                told: told.to_owned(),
            })
    })
}

/// The name of a header without the mark of those that no standard has.
fn plain_name(name: &str) -> &str {
    let is_mark =
        name.len() > 2 && name.is_char_boundary(2) && name[..2].eq_ignore_ascii_case("x-");
    if is_mark { &name[2..] } else { name }
}

/// The property that is called like a header: of the body, or of an object in it.
fn repeated<'n>(body: &'n Node, name: &str) -> Option<(Pointer, &'n Node)> {
    let name = plain_name(name);
    let own = |node: &'n Node, at: Pointer| {
        let entry = node.entries().find(|own| names::same(&own.key, name))?;
        Some((at.join(entry.key.as_str()), &entry.value))
    };
    own(body, Pointer::root()).or_else(|| {
        body.entries()
            .find_map(|inner| own(&inner.value, Pointer::root().join(inner.key.as_str())))
    })
}

/// An entity tag that is not the property in quotes which its description says it is.
fn of_version(body: &Node, (text, due): (&str, &str)) -> Option<Lost> {
    let mut said = prose::sentences(text).into_iter();
    let sentence = said.find(|own| {
        let words = names::words(own);
        prose::has(&words, &["quotes", "quoted"]) && !prose::has(&words, &["not", "hash", "if"])
    })?;
    let name = sentence.split('`').nth(1)?;
    let told = crate::value::plain(body.get(name)?);
    (due.trim_matches('"') != told && !due.starts_with("W/")).then(|| Lost {
        place: Pointer::root().join("header").join("ETag"),
        due: format!("\"{told}\", the `{name}` in quotes"),
        told: due.to_owned(),
    })
}

/// Whether a sentence says that something always has a value that was spoken of before.
fn says_always(sentence: &[String]) -> bool {
    ["always", "same", "value"]
        .iter()
        .all(|own| prose::has(sentence, &[own]))
        && !prose::has(sentence, &["not", "never"])
}

/// Whether a sentence says that something repeats a value that was spoken of before: `error bodies repeat its value as request_id`.
fn repeats_value(sentence: &[String]) -> bool {
    prose::has(sentence, &["repeat", "repeats"])
        && prose::has(sentence, &["value"])
        && !prose::has(sentence, &["not", "never"])
}

/// Whether a sentence says that a property has the value of a header.
fn says_repeated(sentence: &[String]) -> bool {
    const SAME: [&str; 6] = ["same", "value", "equal", "equals", "repeats", "repeated"];
    prose::has(sentence, &["header"])
        && prose::has(sentence, &SAME)
        && !prose::has(sentence, &["not", "never"])
}

/// Whether every server would take a text for a label as it is.
fn is_plain(text: &str) -> bool {
    let may_be = |own: u8| own.is_ascii_alphanumeric() || own == b'-';
    !text.is_empty() && text.len() <= LONG && text.bytes().all(may_be)
}

/// Whether the documented answer of a status has a header.
fn tells(call: &Call<'_>, status: u16, name: &str) -> bool {
    let response = call.operation.response(status);
    let headers = response
        .iter()
        .flat_map(openapi_document::view::Response::headers);
    headers
        .into_iter()
        .any(|(own, _)| own.eq_ignore_ascii_case(name))
}

/// Whether a text says that a header comes back as it was sent: its own, or that of the whole document.
fn comes_back(call: &Call<'_>, parameter: &Parameter<'_>) -> bool {
    told_back::is_told_back(parameter, call.overall)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_repeat_a_header() {
        for (text, expected) in [
            (
                "Their `request_id` is the value of the `Request-Id` header",
                true,
            ),
            ("The same as in the header `Request-Id`", true),
            ("`error.request_id` is always the same value", true),
            ("Error bodies repeat its value as `request_id`", true),
            ("A repeat has another `request_id`", false),
            ("The value of the header is never kept", false),
            ("Tell it to support", false),
        ] {
            let mut said = prose::spoken(text).into_iter();
            let found =
                said.any(|own| says_repeated(&own) || says_always(&own) || repeats_value(&own));
            assert_eq!(found, expected, "{text}");
        }
        let body =
            openapi_document::json::read_text(r#"{"version": 3, "error": {"request_id": "a"}}"#)
                .unwrap();
        let text = "The `version` of the order in double quotes.";
        assert_eq!(of_version(&body, (text, "\"3\"")), None);
        assert!(of_version(&body, (text, "\"2\"")).is_some());
        assert_eq!(of_version(&body, ("Its `version`", "\"2\"")), None);
        let place = repeated(&body, "X-Request-Id").map(|own| own.0.to_string());
        assert_eq!(place.as_deref(), Some("/error/request_id"));
        assert!(is_plain("pos-7-000123") && !is_plain("a b") && !is_plain(""));
    }
}
