//! Alike: what counts as the same request, where a text says so. The same JSON in another order is the same; a key in
//! another case is another one.

use openapi_document::{Node, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, prose};

use super::key::{set_key, spoken, with_key};
use super::scope::is_of_first;
use crate::laws::trial::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Looks at requests that are alike, and at keys that are.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    header: &str,
    draft: &mut Draft,
) {
    let said = spoken(call);
    if said.iter().any(|own| ignores_order(own)) {
        in_other_order(world, call, header, draft).await;
    }
    if said.iter().any(|own| minds_case(own)) {
        in_other_case(world, call, header, draft).await;
    }
}

/// Whether a sentence says that the order of properties makes no other request.
fn ignores_order(sentence: &[String]) -> bool {
    const OF: [&str; 7] = [
        "property",
        "properties",
        "fields",
        "members",
        "keys",
        "whitespace",
        "space",
    ];
    const IGNORED: [&str; 7] = [
        "matter",
        "matters",
        "irrelevant",
        "ignored",
        "ignoring",
        "regardless",
        "whatever",
    ];
    let is_denied = |own: &[String]| own[0] == "order" && own[1] == "matters";
    prose::has(sentence, &["order"])
        && prose::has(sentence, &OF)
        && prose::has(sentence, &IGNORED)
        && !sentence.windows(2).any(is_denied)
}

/// Whether a sentence says that keys are told apart by case.
fn minds_case(sentence: &[String]) -> bool {
    let joined = sentence.join(" ");
    prose::has(sentence, &["key", "keys"])
        && joined.contains("case sensitive")
        && !prose::has(sentence, &["not", "no"])
}

/// The same properties the other way round, at each level.
fn turned(node: &Node) -> Node {
    let mut other = node.clone();
    if let Value::Mapping(mapping) = &mut other.value {
        mapping.entries.reverse();
        for entry in &mut mapping.entries {
            entry.value = turned(&entry.value);
        }
    }
    other
}

/// The same request with its properties in another order is answered as a repeat.
async fn in_other_order<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    header: &str,
    draft: &mut Draft,
) -> Option<()> {
    let (_, sent) = with_key(world, call, (header, "alike-order")).await?;
    let body = sent.json.as_ref()?;
    (body.entries().count() > 1).then_some(())?;
    let mut again = sent.clone();
    again.put_json(world.model.document, call.body.as_ref(), turned(body));
    let first = world.send(sent).await;
    succeeded(&first).then_some(())?;
    let second = world.send(again).await;
    let expected = "the answer to the first request: the order of properties makes no other one";
    if matches!(status(&second), Some(400 | 409 | 422)) {
        let claim = Claim::new(
            &checks::REPEAT_REFUSED,
            Ground::Text,
            expected,
            told(&second),
        );
        world.differ(draft, call, claim, &second);
    } else if is_another(call, (&first, &second)) {
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Ground::Text,
            expected,
            "another record",
        );
        world.differ(draft, call, claim, &second);
    }
    Some(())
}

/// Another request whose key is the same but for its case is granted.
async fn in_other_case<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    header: &str,
    draft: &mut Draft,
) -> Option<()> {
    let (_, first) = with_key(world, call, (header, "alike-case")).await?;
    let key = first.header(header)?.to_owned();
    let other = key.to_uppercase();
    (other != key).then_some(())?;
    let (_, mut second) = with_key(world, call, (header, "alike-case-other")).await?;
    let (_, control) = with_key(world, call, (header, "alike-case-control")).await?;
    let own = second.header(header)?.to_owned();
    set_key(&mut second, header, other);
    let first = world.send(first).await;
    succeeded(&first).then_some(())?;
    let exchange = world.send(second.clone()).await;
    let expected = "a success: keys in another case are others";
    if matches!(status(&exchange), Some(409 | 422)) {
        set_key(&mut second, header, own);
        let is_of_key = succeeded(&world.send(second).await);
        if is_of_key && succeeded(&world.send(control).await) {
            let claim = Claim::new(
                &checks::REPEAT_REFUSED,
                Ground::Text,
                expected,
                told(&exchange),
            );
            world.differ(draft, call, claim, &exchange);
        }
    } else if succeeded(&exchange) && is_of_first(call, (&first, &exchange)) {
        let claim = Claim::new(
            &checks::REPEAT_REFUSED,
            Ground::Text,
            expected,
            "the first record",
        );
        world.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// Whether two answers tell of two records.
fn is_another(call: &Call<'_>, (first, second): (&Exchange, &Exchange)) -> bool {
    let key_of = |own| Some(record_of(call, own)?.get(own_key(call)?)?.clone());
    let (one, other) = (key_of(first), key_of(second));
    one.is_some_and(|one| other.is_some_and(|other| !one.same_value(&other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::names;

    #[test]
    fn what_a_text_says_of_order_and_case() {
        for (text, order, case) in [
            (
                "The body is the same JSON (whitespace and the order of properties do not matter)",
                true,
                false,
            ),
            (
                "Bodies are compared as JSON, regardless of the order of their keys",
                true,
                false,
            ),
            ("The order matters, and so do the fields", false, false),
            ("Keys are case-sensitive", false, true),
            ("Keys are not case-sensitive", false, false),
            ("References are case-sensitive", false, false),
        ] {
            let words = names::words(text);
            assert_eq!(ignores_order(&words), order, "{text}");
            assert_eq!(minds_case(&words), case, "{text}");
        }
    }
}
