//! Template: what a text says that a property is written of: `https://docs.shop.example/errors/{code}`. Held against every
//! answer, refusals too, where no documented one is otherwise. Pure.

use openapi_document::view::{Document, Response};
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Answer, Exchange};
use crate::laws::trial::contradiction::Contradiction;
use crate::model::{Call, Templates};
use crate::value;

use super::described::{Place, Reading};

/// The first property of an answer that is written otherwise than its text says.
pub(crate) fn contradiction<'d>(
    (document, templates): (&'d Document, &Templates<'d>),
    call: &Call<'d>,
    exchange: &Exchange,
) -> Option<Contradiction> {
    let answer = exchange.outcome.as_ref().ok()?;
    let response = call.operation.response(answer.status)?;
    if let Some(found) = of_headers(answer, &response, templates) {
        return Some(found);
    }
    let may_say = |name: &str| templates.has(name);
    let due = |own: &Place<'_, 'd>| {
        let due = filled(templates.of(own.text)?, own.object)?;
        (due != own.told).then(|| format!("{due:?}, as its text writes it of others"))
    };
    let reading = Reading {
        document,
        may_say: &may_say,
        due: &due,
    };
    reading.contradiction(call, exchange)
}

/// The first header that is no path of the form that its text writes.
fn of_headers<'d>(
    answer: &Answer,
    response: &Response<'d>,
    templates: &Templates<'d>,
) -> Option<Contradiction> {
    response.headers().into_iter().find_map(|(name, header)| {
        let text = header.node.get("description").and_then(Node::as_str)?;
        let form = templates.of(text).filter(|own| own.starts_with('/'))?;
        let told = answer.header(name).filter(|own| !is_formed(own, form))?;
        Some(Contradiction {
            check: &checks::HEADER_VALUE,
            pointer: Pointer::root().join("header").join(name),
            due: format!("{form}, as its text writes it"),
            told,
        })
    })
}

/// Whether the end of a path is of a form, each name in braces standing for one segment or a part of it.
fn is_formed(path: &str, form: &str) -> bool {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let (own, due): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), form.split('/').collect());
    let fits = |own: &str, due: &str| match due.split_once('{') {
        None => own == due,
        Some((before, rest)) => {
            let after = rest.split_once('}').map_or("", |own| own.1);
            let inner = own
                .strip_prefix(before)
                .and_then(|own| own.strip_suffix(after));
            after.contains('{') || inner.is_some_and(|own| !own.is_empty())
        }
    };
    // The first part of a form is empty: it begins with a slash.
    let both = own.iter().rev().zip(due.iter().skip(1).rev());
    own.len() >= due.len() && both.into_iter().all(|(own, due)| fits(own, due))
}

/// A template with the properties that its names in braces are, where each is there and plain enough to be written one
/// way only.
fn filled(template: &str, object: &Node) -> Option<String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        let own = object.get(name).filter(|own| !own.is_null())?;
        if own.as_mapping().is_some() || own.as_sequence().is_some() {
            return None;
        }
        let own = value::plain(own);
        let is_plain = |own: char| own.is_ascii_alphanumeric() || "-_.".contains(own);
        if !own.chars().all(is_plain) {
            return None;
        }
        filled.push_str(before);
        filled.push_str(&own);
        rest = after;
    }
    filled.push_str(rest);
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_of_others() {
        let object = r#"{"carrier":"dhl","number":17,"name":"a b","none":null}"#;
        let object = openapi_document::json::read_text(object).unwrap();
        for (template, expected) in [
            (
                "https://track.example/{carrier}/{number}",
                Some("https://track.example/dhl/17"),
            ),
            ("/parcels/{number}", Some("/parcels/17")),
            ("/parcels/{weight}", None),
            ("/parcels/{name}", None),
            ("/parcels/{none}", None),
        ] {
            let found = filled(template, &object);
            assert_eq!(found.as_deref(), expected, "{template}");
        }
    }

    #[test]
    fn forms_of_paths() {
        for (path, expected) in [
            ("/v1/parcels/p_1", true),
            ("https://shop.example/api/v1/parcels/p_1?x=1", true),
            ("/parcels/p_1", false),
            ("/v1/parcel/p_1", false),
            ("/v1/parcels/", false),
            ("/v1/parcels/p_1/items", false),
            ("p_1", false),
        ] {
            assert_eq!(
                is_formed(path, "/v1/parcels/{parcel_id}"),
                expected,
                "{path}"
            );
        }
    }
}
