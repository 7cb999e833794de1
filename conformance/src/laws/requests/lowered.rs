//! Lowered: the most that a change sets is not below what is there already, where a text says so: "`max_balance` may not be set below
//! the sum of the available and the pending balance". What is refused for that changes nothing.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;

use super::untouched::Untouched;
use crate::laws::amounts::amount::{self, Amount};
use crate::laws::records::versions::keep_up_with;
use crate::laws::trial::answered::{record_of, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many ways that bring something about first are tried at most.
const MOST: usize = 4;

/// Asks for less than what the record tells to be there.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let (name, sentence) = limit(world, call)?;
    let ways = world.all_ways(call).iter();
    let ways = ways.filter(|own| !own.changes.is_empty() && own.stands_on.is_none());
    for (index, way) in ways.take(MOST).enumerate() {
        let tag = format!("lowered-{index}");
        let Ok(ready) = world.prepare(way, &tag).await else {
            continue;
        };
        let mut sent = world.compose(&ready, &tag).ok()?;
        let Some((maker, record)) = world.made_before(call, &ready) else {
            continue;
        };
        let (maker, record) = (maker.clone(), record.clone());
        let readers = world.readers_for(&maker, &record, &sent);
        let reader = readers.first().copied()?;
        let read = world.read(reader, &record, &sent).await.ok()?;
        let now = record_of(reader, &read);
        let Some((by, below)) = now.and_then(|own| below(own, name, &sentence)) else {
            continue;
        };
        keep_up_with(call, &mut sent, &read);
        let mut json = sent.json.clone()?;
        amount::put(&mut json, name, below).ok()?;
        world.put_valid(call, (&mut sent, &ready.call), json)?;
        let before = Box::pin(Untouched::by(world, call, (&ready, sent.clone()))).await;
        let exchange = world.send(sent).await;
        if succeeded(&exchange) {
            let expected = format!("a refusal: `{name}` is below `{by}`");
            let at = Pointer::root().join(name);
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Text,
                expected,
                told(&exchange),
            )
            .at(at);
            world.differ(draft, call, claim, &exchange);
            return Some(());
        }
        let is_refusal = |own: &u16| matches!(own, 400 | 409 | 422);
        world.judge_seen(draft, call, &exchange, is_refusal);
        if let Some(before) = before {
            Box::pin(before.look(world, call, &exchange, draft)).await;
        }
        return Some(());
    }
    None
}

/// The number of a body that a sentence says not to be set below something, and the words of that sentence.
fn limit<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<(&'d str, Vec<String>)> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let is_number = |name: &&str| {
        let own = shape.property(document, name);
        matches!(own.type_name(), Some("integer" | "number" | "string"))
    };
    let names: Vec<&'d str> = shape
        .property_names()
        .into_iter()
        .filter(is_number)
        .collect();
    let refusals = [409, 422].into_iter().filter_map(|code| call.text_of(code));
    let mut said = call.texts().chain(refusals).flat_map(prose::spoken);
    said.find_map(|own| {
        let name = names.iter().find(|name| says_below(&own, name))?;
        Some((*name, own))
    })
}

/// Whether a sentence says that a property is not set below something.
fn says_below(sentence: &[String], name: &str) -> bool {
    const NOT: [&str; 7] = [
        "not", "cannot", "never", "refused", "rejected", "409", "422",
    ];
    const SET: [&str; 8] = [
        "set",
        "lowered",
        "reduced",
        "changed",
        "decreased",
        "cut",
        "shrunk",
        "brought",
    ];
    const DOUBTFUL: [&str; 9] = [
        "unless", "if", "while", "when", "except", "until", "but", "further", "then",
    ];
    const MAY: [&str; 3] = ["can", "may", "allowed"];
    let own = names::words(name);
    if own.is_empty() || prose::has(sentence, &DOUBTFUL) {
        return false;
    }
    let may = sentence.windows(2).any(|own| {
        let is_open = own[1] != "not";
        MAY.contains(&own[0].as_str()) && is_open
    });
    let named = sentence.windows(own.len()).position(|part| part == own);
    let below = sentence.iter().position(|own| own == "below");
    let is_said = named.zip(below).is_some_and(|(named, below)| named < below);
    is_said && !may && prose::has(sentence, &NOT) && prose::has(sentence, &SET)
}

/// The property with the most of those that a sentence tells of, and less than that.
fn below(record: &Node, name: &str, sentence: &[String]) -> Option<(String, Amount)> {
    const BARE: [&str; 3] = ["number", "count", "total"];
    const LESS: [&str; 4] = ["less", "minus", "without", "difference"];
    let limit = Amount::read(record.get(name)?)?;
    let own = names::words(name);
    let at = sentence.iter().position(|own| own == "below")?;
    let behind = &sentence[at..];
    let is_told = |other: &str| {
        let words = names::words(other);
        let is_another = words.iter().any(|word| !own.contains(word));
        let is_bare = words.iter().all(|word| BARE.contains(&word.as_str()));
        is_another && !is_bare && words.iter().all(|word| behind.contains(word))
    };
    let all = record.entries().filter(|own| is_told(&own.key));
    let all = all.filter_map(|own| Some((own.key.clone(), Amount::read(&own.value)?)));
    let all: Vec<(String, Amount)> = all.collect();
    let is_alike = |own: &Amount| own.is_of_unit(limit) && own.places() == limit.places();
    // Of several that are no sum nobody knows which is meant.
    let is_sum = prose::has(behind, &["sum", "and", "plus", "together"]);
    let is_clear = all.len() == 1 || is_sum;
    let is_plain = is_clear && !prose::has(behind, &LESS);
    let alike = all.into_iter().filter(|(_, own)| is_alike(own));
    let (by, most) = alike.max_by_key(|(_, amount)| amount.units)?;
    (is_plain && most.units > 1).then(|| (by, limit.with(most.units - 1)))
}

/// Whether an operation is one that may set the most of something.
pub(super) fn may_be(call: &Call<'_>) -> bool {
    call.role == Role::Change && matches!(call.operation.method, Method::Patch | Method::Put)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_below_something() {
        for (text, expected) in [
            (
                "`max_balance` may not be set below the sum of the available and the pending balance (`409`)",
                true,
            ),
            ("Lowering `max_balance` below a balance is allowed", false),
            (
                "`max_balance` can be set below the balance, and deposits are refused (`409`) then",
                false,
            ),
            (
                "`max_balance` may not be set below the balance unless it is closed",
                false,
            ),
            ("The balance may not fall below `max_balance`", false),
            ("A `max_balance` is never negative", false),
        ] {
            let said = prose::spoken(text);
            let found = said.iter().any(|own| says_below(own, "max_balance"));
            assert_eq!(found, expected, "{text}");
        }
        let record =
            r#"{"max_balance": 900, "available_balance": 10, "pending_balance": 25, "limit": 70}"#;
        let record = openapi_document::json::read_text(record).unwrap();
        let words = names::words("not below the sum of the available and the pending balance");
        let (by, below) = below(&record, "max_balance", &words).unwrap();
        assert_eq!((by.as_str(), below.units), ("pending_balance", 24));
    }
}
