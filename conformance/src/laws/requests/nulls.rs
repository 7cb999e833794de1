//! Nulls: the server must accept null for optional properties that may be null.
//!
//! A refusal counts if the request succeeds without the property and null is refused like a value of a wrong type.

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::codes;
use crate::exchange::Exchange;
use crate::model::Call;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use crate::answered::{describe, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft};

/// At most this many properties are tested.
const MOST: usize = 6;

/// Sends null for each property that may be null.
pub(super) async fn check<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) {
    for name in nullable(scene, call).into_iter().take(MOST) {
        test_call(scene, call, name, draft).await;
    }
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let null = value::node(Value::Null);
    let refused = send(scene, call, (name, Some(null), "null")).await?;
    if succeeded(&refused) || !matches!(status(&refused), Some(400 | 422)) {
        return Some(());
    }
    let without = send(scene, call, (name, None, "without")).await?;
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref()).property(document, name);
    let wrong = send(scene, call, (name, Some(wrong(&shape)), "wrong")).await?;
    let code = |exchange: &Exchange| {
        let body = exchange
            .outcome
            .as_ref()
            .ok()
            .and_then(|answer| answer.json());
        body.and_then(codes::code_of).map(str::to_owned)
    };
    let is_one = status(&refused) == status(&wrong) && code(&refused) == code(&wrong);
    if is_one && succeeded(&without) {
        let expected = "a success: null is allowed, and the property is optional";
        let claim = Claim::new(
            &checks::VALID_REFUSED,
            Basis::Names,
            expected,
            describe(&refused),
        );
        let claim = claim.at(Pointer::root().join(name));
        scene.differ(draft, call, claim, &refused);
    }
    Some(())
}

/// Sends the call with a value of a property, or without the property. A null must be valid.
async fn send<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (name, wanted, what): (&str, Option<Node>, &str),
) -> Option<Exchange> {
    let tag = format!("bounds-{what}-{name}");
    let ready = scene.ready(call, &tag).await.ok()?;
    let mut sent = scene.compose(&ready, &tag).ok()?;
    let mut json = sent.json.clone()?;
    let is_null = wanted.as_ref().is_some_and(Node::is_null);
    match wanted {
        Some(item) => value::put(&mut json, &Pointer::root().join(name), item).ok()?,
        None => value::remove(&mut json, name),
    }
    if is_null {
        scene.put_valid(call, (&mut sent, &ready.call), json)?;
    } else {
        scene.put_json(&mut sent, &ready.call, json);
    }
    Some(scene.send(sent).await)
}

/// A value of another type.
fn wrong(shape: &Shape<'_>) -> Node {
    match shape.type_name() {
        Some("object") => value::string("none"),
        _ => value::node(Value::Mapping(openapi_document::Mapping::default())),
    }
}

/// The optional properties of a body that may be null, unless a text restricts them.
fn nullable<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Vec<&'d str> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let spoken = call.spoken();
    let is_it = |name: &&str| {
        let property = shape.property(document, name);
        let types = property.keyword("type").into_iter().flat_map(Node::strings);
        let may_be = property.flag("nullable") || types.into_iter().any(|word| word == "null");
        let text = property.keyword("description").and_then(Node::as_str);
        let in_description = text.into_iter().flat_map(prose::spoken);
        let named = spoken
            .iter()
            .filter(|sentence| prose::speaks_of(sentence, name));
        let mut said = in_description.chain(named.cloned());
        // An enumeration without null, or another schema in `allOf`, may forbid it.
        let is_bound = ["enum", "const", "allOf"]
            .iter()
            .any(|key| property.keyword(key).is_some());
        let is_free = !shape.requires(name) && !property.flag("readOnly") && !is_bound;
        may_be && is_free && !said.any(|sentence| limits(&sentence))
    };
    shape.property_names().into_iter().filter(is_it).collect()
}

/// Whether a sentence restricts when something is sent.
fn limits(words: &[String]) -> bool {
    const LIMITS: [&str; 16] = [
        "must",
        "required",
        "requires",
        "needs",
        "needed",
        "either",
        "both",
        "together",
        "unless",
        "only",
        "cannot",
        "exactly",
        "instead",
        "refused",
        "rejected",
        "mandatory",
    ];
    prose::has(words, &LIMITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_restrict_a_property() {
        for (text, expected) in [
            ("ISO 3166 code of two capitals; null if not given.", false),
            ("Free text", false),
            ("Required for companies", true),
            ("Must be given for companies", true),
            ("Only with `type: company`", true),
        ] {
            let said = prose::spoken(text).iter().any(|sentence| limits(sentence));
            assert_eq!(said, expected, "{text}");
        }
    }
}
