//! Fixed: what is said to be unchangeable is refused to change.

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value::{self, unlike};

use super::replacing::is_valid;
use super::versions::keep_up_with;
use crate::answered::{record_of, status, succeeded, told};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// So many properties are tried.
const MOST: usize = 4;

/// Days that may stand for one another.
const DAYS: [&str; 2] = ["2024-02-26", "2024-02-27"];

/// Puts something else where nothing can be changed; whether anything is said to be so.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    // What comes after "and" may hold of some cases only.
    let clauses = call
        .texts()
        .flat_map(prose::sentences)
        .flat_map(|own| own.split(", and "));
    let fixed = clauses.map(names::words).filter(|own| is_fixed(own));
    let names = |words: Vec<String>| {
        let is_named = |name: &&str| {
            let own = names::words(name);
            words.windows(own.len()).any(|part| part == own)
        };
        let all = shape.property_names().into_iter();
        all.filter(is_named).collect::<Vec<_>>()
    };
    let all: Vec<&'d str> = fixed.flat_map(names).take(MOST).collect();
    let mut looked = false;
    for name in all {
        if !draft.is_clean() {
            break;
        }
        looked |= of(scene, call, name, draft).await.is_some();
    }
    looked
}

/// Whether a sentence says that something cannot be changed, whatever else is so.
fn is_fixed(sentence: &[String]) -> bool {
    const CASES: [&str; 14] = [
        "if", "once", "while", "after", "until", "unless", "when", "directly", "can", "may",
        "with", "that", "which", "whose",
    ];
    const CHANGED: [&str; 3] = ["changed", "modified", "altered"];
    let is_barred = sentence.windows(3).any(|own| {
        let is_denied = own[0] == "cannot" || own[0] == "not" || own[0] == "never";
        is_denied && own[1] == "be" && CHANGED.contains(&own[2].as_str())
    });
    (is_barred || prose::has(sentence, &["immutable"])) && !prose::has(sentence, &CASES)
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &'d str,
    draft: &mut Draft,
) -> Option<()> {
    let ready = scene.ready(call, &format!("fixed-{name}")).await.ok()?;
    let mut sent = scene.compose(&ready, "fixed").ok()?;
    let first = scene.send(sent.clone()).await;
    let made = record_of(call, &first)?.clone();
    let before = made.get(name).filter(|own| !own.is_null())?;
    let body = sent.json.clone()?;
    let changed = with_other(scene, call, &body, (name, before))?;
    keep_up_with(call, &mut sent, &first);
    scene.put_json(&mut sent, &ready.call, changed);
    let second = scene.send(sent).await;
    let now = record_of(call, &second).and_then(|own| own.get(name));
    if succeeded(&second) {
        // What is ignored is not changed.
        if now.is_some_and(|own| !own.same_value(before)) {
            let at = Pointer::root().join(name);
            let expected = format!("a refusal: `{name}` cannot be changed");
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Text,
                expected,
                told(&second),
            )
            .at(at);
            scene.differ(draft, call, claim, &second);
        }
        return Some(());
    }
    if let Some(code @ (400 | 409 | 422)) = status(&second) {
        scene.reach(call, code, draft);
    }
    Some(())
}

/// A valid body in which a property has another value than it had.
fn with_other<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    body: &Node,
    (name, before): (&str, &Node),
) -> Option<Node> {
    let document = scene.model.document;
    let own = Shape::of(document, call.body.as_ref()).property(document, name);
    let known = own.known_values().into_iter().map(value::string);
    let is_day = own.format() == Some("date");
    let days = DAYS.into_iter().filter(|_| is_day).map(value::string);
    let flipped = match before.value {
        Value::Bool(flag) => Some(value::node(Value::Bool(!flag))),
        _ => None,
    };
    let is_open = own.known_values().is_empty() && own.format().is_none();
    let plain = unlike(before).filter(|_| is_open);
    let mut all = known.chain(days).chain(flipped).chain(plain);
    all.find_map(|other| {
        let mut whole = body.clone();
        let is_other = !other.same_value(before);
        value::put(&mut whole, &Pointer::root().join(name), other).ok()?;
        (is_other && is_valid(scene, call, &whole)).then_some(whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_what_cannot_be_changed() {
        for (sentence, expected) in [
            ("`scheme` and `currency` cannot be changed (409)", true),
            ("The currency must not be changed", true),
            ("`currency` is immutable", true),
            ("The amount cannot be changed once it is captured", false),
            ("The amount can be changed", false),
            (
                "The commodity of a tariff with components cannot be changed",
                false,
            ),
            (
                "The note is changed as sent, the amount must not be negative",
                false,
            ),
        ] {
            assert_eq!(is_fixed(&names::words(sentence)), expected, "{sentence}");
        }
    }
}
