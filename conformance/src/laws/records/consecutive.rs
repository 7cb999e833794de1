//! Consecutive: a number that a text says to count what is made under a record without gaps does, also after what was refused.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, prose};
use crate::mutation::mutations;
use crate::shape::Shape;
use crate::value;

use crate::laws::amounts::amount::{Amount, names_amount};
use crate::laws::amounts::totals::defined;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many requests that break a keyword are sent between two that do not.
const BROKEN: usize = 2;

/// Makes one, then asks for what is refused, and makes another one.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    // What is made under no other record is made by others, too.
    (!call.path_parameters().is_empty()).then_some(())?;
    let name = counted(world, call)?;
    let ready = world.ready(call, "consecutive").await.ok()?;
    let number = |own: &Node| own.get(name).and_then(Node::as_u64);
    let first = world.call(&ready, "consecutive-first").await.ok()?;
    let mut due = record_of(call, &first).and_then(number)?;
    due += refused(world, call, &ready).await? + 1;
    let second = world.call(&ready, "consecutive-second").await.ok()?;
    let told = record_of(call, &second)
        .filter(|_| succeeded(&second))
        .and_then(number)?;
    if told != due {
        let expected = format!("{due}: its text says that there are no gaps");
        let claim = Claim::new(
            &checks::EFFECT_DIFFERS,
            Ground::Text,
            expected,
            told.to_string(),
        );
        world.differ(draft, call, claim.at(Pointer::root().join(name)), &second);
    }
    Some(())
}

/// Sends requests that are broken, and some whose amounts do not go together; how many of them were granted.
async fn refused<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<u64> {
    let valid = world.compose(ready, "consecutive-refused").ok()?;
    let (body, schema) = (valid.json.as_ref()?, call.body.as_ref()?);
    let broken = mutations(world.contract(), schema, (body, &valid.encoding));
    let broken = broken.into_iter().take(BROKEN).map(|own| own.value);
    let mut all: Vec<Node> = broken.collect();
    for entry in body.entries().filter(|own| names_amount(&own.key)) {
        let more = Amount::read(&entry.value).map(|own| own.with(own.units + 1));
        let mut json = body.clone();
        let at = Pointer::root().join(entry.key.as_str());
        if more.is_some_and(|own| value::put(&mut json, &at, own.node()).is_ok()) {
            all.push(json);
        }
    }
    let mut granted = 0;
    for json in all {
        let mut sent = world.compose(ready, "consecutive-refused").ok()?;
        world.put_json(&mut sent, &ready.call, json);
        let exchange = world.send(sent).await;
        exchange.outcome.is_ok().then_some(())?;
        granted += u64::from(succeeded(&exchange));
    }
    Some(granted)
}

/// The whole number of a record that is said to count without gaps.
fn counted<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    let document = world.model.document;
    let record = Shape::of(document, call.record().map(|own| &own.schema));
    let lines = call.texts().flat_map(prose::sentences).flat_map(defined);
    let lines: Vec<(&str, &str)> = lines.collect();
    let mut names = record.property_names().into_iter();
    names.find(|name| {
        let own = record.property(document, name);
        let text = own.keyword("description").and_then(Node::as_str);
        let of_line = lines.iter().filter(|own| own.0 == *name).map(|own| own.1);
        let mut said = text.into_iter().chain(of_line).flat_map(prose::spoken);
        own.type_name() == Some("integer") && said.any(|own| says_without_gaps(&own))
    })
}

/// Whether a sentence says that a number counts on, one by one.
fn says_without_gaps(words: &[String]) -> bool {
    const OPEN: [&str; 5] = ["may", "can", "not", "unless", "except"];
    let is_without = words
        .windows(2)
        .any(|own| matches!(own[0].as_str(), "without" | "no") && own[1].starts_with("gap"));
    (is_without || prose::has(words, &["consecutive", "gapless"])) && !prose::has(words, &OPEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_without_gaps() {
        for (text, expected) in [
            (
                "counts the till's sales from 1 without gaps, on over all its shifts",
                true,
            ),
            ("Consecutive within the invoice book", true),
            ("Counts from 1; there may be gaps", false),
            ("May have no gaps", false),
            ("The number of the sale", false),
        ] {
            let said = prose::spoken(text);
            assert_eq!(
                said.iter().any(|own| says_without_gaps(own)),
                expected,
                "{text}"
            );
        }
    }
}
