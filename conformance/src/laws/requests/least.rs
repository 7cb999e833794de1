//! Least: what is asked for on a record is at least a property of it, where a text says so: "the first payment has to be at least the
//! `deposit_amount`". Less is refused, by each kind of request, and changes nothing of what it names.

use openapi_document::view::Method;

use crate::checks;
use crate::model::{Call, Role, names, prose};
use crate::recipe::Recipe;

use super::limits::limited;
use super::untouched::Untouched;
use crate::laws::amounts::amount::{self, Amount};
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many kinds of requests are tried at most.
const MOST: usize = 3;

/// Words before the property.
const LEAST: [&str; 4] = [
    "at least",
    "no less than",
    "not less than",
    "not be less than",
];

/// Words of sentences that hold sometimes only.
const SOMETIMES: [&str; 10] = [
    "if", "when", "unless", "except", "may", "should", "can", "usually", "default", "or",
];

/// A property that is the least, and whether it is so of the first request only.
#[derive(Debug, PartialEq, Eq)]
struct Least<'d> {
    property: &'d str,
    is_of_first: bool,
    /// What has to be so much, in words.
    of: Vec<String>,
}

impl Least<'_> {
    /// Whether it is what a call is asked for by a property of its body.
    fn is_of(&self, call: &Call<'_>, name: &str) -> bool {
        let kind = call.record().map_or("", |own| own.name.as_str());
        let noun = names::words(kind).pop().unwrap_or_default();
        let is_noun = |own: &String| *own == "amount" || names::singular(own) == noun;
        prose::speaks_of(&self.of, name) || self.of.last().is_some_and(is_noun)
    }
}

/// Asks for one less than the property of its record that a text says to be the least.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let is_on_one = call.operation.method == Method::Post && call.operation.path.contains('{');
    let is_asking = matches!(call.role, Role::Create | Role::Change) && is_on_one;
    let least = call
        .texts()
        .flat_map(prose::sentences)
        .find_map(read)
        .filter(|_| is_asking)?;
    world.ready(call, "least").await.ok()?;
    let mut ways: Vec<&Recipe<'d>> = Vec::new();
    for way in world.chosen(call).into_iter().chain(world.ways(call)) {
        if !ways.iter().any(|own| own.example == way.example) && ways.len() < MOST {
            ways.push(way);
        }
    }
    for (index, way) in ways.into_iter().enumerate() {
        let tag = format!("least-{index}");
        of(world, call, (&least, way, &tag), draft).await;
    }
    Some(())
}

async fn of<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    (least, way, tag): (&Least<'d>, &'w Recipe<'d>, &str),
    draft: &mut Draft,
) -> Option<()> {
    let label = call.operation.label();
    let (_, before) = way.split()?;
    let is_first = before.iter().all(|own| own.name.operation != label);
    (is_first || !least.is_of_first).then_some(())?;
    let ready = world.prepare(way, tag).await.ok()?;
    let mut sent = world.compose(&ready, tag).ok()?;
    let record = world.made_by_now(call, &ready).await?;
    let bound = Amount::read(record.get(least.property)?).filter(|own| own.units > 1)?;
    let mut json = sent.json.clone()?;
    let name = limited(&json, bound, |_| false)?;
    least.is_of(call, &name).then_some(())?;
    amount::put(&mut json, &name, bound.with(bound.units - 1)).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    let before = Box::pin(Untouched::by(world, call, (&ready, sent.clone()))).await;
    let exchange = world.send(sent).await;
    if succeeded(&exchange) {
        let expected = format!("a refusal: `{name}` is less than `{}`", least.property);
        let at = openapi_document::Pointer::root().join(name.as_str());
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
    world.judge_seen(draft, call, &exchange, |own| matches!(own, 400 | 409 | 422))?;
    Box::pin(before?.look(world, call, &exchange, draft)).await
}

/// The property that a sentence says to be the least.
fn read(sentence: &str) -> Option<Least<'_>> {
    let parts: Vec<&str> = sentence.split('`').collect();
    let at = (1..parts.len()).step_by(2).find(|at| {
        let before = names::words(&parts[at - 1].to_lowercase()).join(" ");
        let before = before.trim_end_matches(" the").trim_end_matches(" its");
        LEAST.iter().any(|own| before.ends_with(own))
    })?;
    let clause = parts[at - 1].rsplit(", ").next().unwrap_or_default();
    let words = names::words(&clause.to_lowercase());
    let has = |own: &[&str]| prose::has(&words, own);
    let is_told = has(&["must", "has", "have", "needs"]) && !has(&SOMETIMES);
    let of = words.iter();
    let of = of.take_while(|own| !matches!(own.as_str(), "must" | "has" | "have" | "needs"));
    let of: Vec<String> = of.cloned().collect();
    is_told.then(|| Least {
        of,
        property: parts[at],
        is_of_first: has(&["first"]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_tell_the_least() {
        for (text, expected) in [
            (
                "The first payment has to be at least the `deposit` (`too_low`), and none may be more than `due`",
                Some(("deposit", true)),
            ),
            (
                "The amount must be at least `least`",
                Some(("least", false)),
            ),
            ("The amount should be at least `least`", None),
            ("Unless it is the last it must be at least `least`", None),
            ("It has at least one `line`", None),
            ("It must be at most `most`", None),
        ] {
            let found = read(text).map(|own| (own.property, own.is_of_first));
            assert_eq!(found, expected, "{text}");
        }
    }
}
