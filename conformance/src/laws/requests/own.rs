//! Own: what a step asks for is bounded by a property of its own record, where a text says so: "at most `balance`",
//! "more than `amount_capturable` is refused". What is refused for that changes nothing.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, names, prose};
use crate::shape::Shape;

use super::limits::limited;
use super::untouched::Untouched;
use crate::laws::amounts::amount::{self, Amount};
use crate::laws::trial::answered::{record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// Words before a property that is the most, whatever the sentence says.
const MOST: [&str; 6] = [
    "at most",
    "no more than",
    "not more than",
    "not exceed",
    "never exceed",
    "up to",
];

/// Words before a property whose excess a sentence tells of.
const BEYOND: [&str; 5] = [
    "more than",
    "exceeds",
    "larger than",
    "greater than",
    "higher than",
];

/// Words of what becomes of it.
const REFUSED: [&str; 6] = [
    "refused", "rejected", "cannot", "invalid", "error", "declined",
];

/// Words of sentences that hold sometimes only, or tell of something else than a refusal.
const SOMETIMES: [&str; 10] = [
    "if", "when", "unless", "except", "may", "capped", "reduced", "clamped", "usually", "default",
];

/// Asks a step for one more than the property of its record that a text says to be the most.
pub(super) async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    if !says_any(world, call) {
        return Ok(false);
    }
    let ready = world.ready(call, "limits-own").await?;
    let sent = world.compose(&ready, "limits-own")?;
    let body = sent.json.clone().ok_or("the call has no JSON body")?;
    let record = world.made_by_now(call, &ready).await;
    let record = record.ok_or("nothing was made before")?;
    let Some((by, name, most)) = bounded(world, call, (&record, &body)) else {
        return Ok(false);
    };
    let mut json = body;
    amount::put(&mut json, &name, most.with(most.units + 1))?;
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    if !world.contract().validate_request(schema, &json)?.is_empty() {
        return Ok(false);
    }
    asked(world, call, (&ready, json), (&by, &name), draft).await
}

/// Asks for it; what is refused has to leave the record as it was.
async fn asked<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, json): (&Ready<'_, 'd>, Node),
    (by, name): (&str, &str),
    draft: &mut Draft,
) -> Result<bool, String> {
    let before = Untouched::of(world, call, ready).await;
    let mut sent = world.compose(ready, "limits-own")?;
    world.put_json(&mut sent, &ready.call, json);
    let exchange = world.send(sent).await;
    if succeeded(&exchange) {
        // What is said to be granted in part is none of more.
        if record_of(call, &exchange).is_none() && status(&exchange) == Some(202) {
            return Ok(true);
        }
        let expected = format!("a refusal: `{name}` is more than `{by}`");
        let at = Pointer::root().join(name);
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(&exchange),
        )
        .at(at);
        world.differ(draft, call, claim, &exchange);
        return Ok(true);
    }
    let seen = world.judge_seen(draft, call, &exchange, |own| matches!(own, 400 | 409 | 422));
    if let (Some(before), Some(_)) = (before, seen) {
        before.look(world, call, &exchange, draft).await;
    }
    Ok(true)
}

/// Whether any text of an operation may tell of a bound.
fn says_any<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> bool {
    let document = world.model.document;
    let record = Shape::of(document, call.record().map(|own| &own.schema));
    let names = record.property_names();
    let mut texts = call
        .texts()
        .chain(of_body(world, call).map(|(_, text)| text));
    texts.any(|text| names.iter().any(|name| bounds(text, name)))
}

/// The properties of a body with their descriptions.
fn of_body<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
) -> impl Iterator<Item = (&'d str, &'d str)> + use<'d> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let names = shape.property_names().into_iter();
    names.filter_map(move |name| {
        let own = shape.property(document, name);
        let text = own.keyword("description").and_then(Node::as_str)?;
        Some((name, text))
    })
}

/// The property of a record that bounds one of a body: its name, that of what it bounds, and how much it is.
fn bounded<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (record, body): (&Node, &Node),
) -> Option<(String, String, Amount)> {
    record.entries().find_map(|entry| {
        let most = Amount::read(&entry.value).filter(|own| own.units > 0)?;
        let of_own = of_body(world, call).find(|(name, text)| {
            let is_alike = body.get(name).and_then(Amount::read);
            bounds(text, &entry.key) && is_alike.is_some_and(|own| own.is_of_unit(most))
        });
        let said = call.texts().any(|text| bounds(text, &entry.key));
        let name = match of_own {
            Some((name, _)) => name.to_owned(),
            None => limited(body, most, |_| false).filter(|_| said)?,
        };
        (body.get(&entry.key).is_none()).then(|| (entry.key.clone(), name, most))
    })
}

/// Whether a text says that a property is the most that is granted.
pub(crate) fn bounds(text: &str, name: &str) -> bool {
    let marked = format!("`{name}`");
    let mut sentences = prose::sentences(text).into_iter();
    sentences.any(|sentence| {
        let Some((before, _)) = sentence.split_once(&marked) else {
            return false;
        };
        let words = names::words(&sentence.to_lowercase());
        let own = names::words(&before.to_lowercase()).join(" ");
        let own = own.trim_end_matches(" the").trim_end_matches(" its");
        let ends = |list: &[&str]| list.iter().any(|last| own.ends_with(last));
        let first = sentence.split([',', ':']).next().unwrap_or_default();
        let is_plain = !prose::has(&names::words(first), &SOMETIMES);
        is_plain && (ends(&MOST) || ends(&BEYOND) && prose::has(&words, &REFUSED))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_bound_by_a_property() {
        for (text, expected) in [
            ("At most `left`, which is also what is taken", true),
            ("More than `left` is refused with a `400`.", true),
            ("It must not exceed the `left`.", true),
            ("Whatever exceeds `left` is rejected", true),
            ("More than `left` is capped", false),
            ("If there is more than `left`, it is refused", false),
            ("More than `other` is refused", false),
            ("`left` is refused", false),
            ("By default at most `left`", false),
        ] {
            assert_eq!(bounds(text, "left"), expected, "{text}");
        }
    }
}
