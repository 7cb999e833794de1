//! Beyond: an amount that is more than can ever be there is refused, with the status and the code that a text tells of it:
//! "more than is available is answered with `422` and the code `balance_insufficient`".

use crate::model::{Call, names, prose};
use crate::shape::Shape;

use super::told::{Told, status_in};
use super::untouched::Untouched;
use crate::laws::amounts::amount::{self, Amount, names_amount};
use crate::laws::trial::answered::succeeded;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::World;

/// So many times what is sent by itself is more than can be there, where the schema has no maximum.
const TIMES: i128 = 100_000;

/// Asks for as much as the schema allows, where a sentence says that there may not be so much.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let sentence = call
        .texts()
        .flat_map(prose::sentences)
        .find(|own| says(own))?;
    // What is limited otherwise, too, may be refused for that.
    let limited = ["limit", "limits", "maximum"];
    let mut spoken = call.spoken().into_iter();
    (!spoken.any(|own| prose::has(&own, &limited))).then_some(())?;
    let ready = world.ready(call, "beyond").await.ok()?;
    let mut sent = world.compose(&ready, "beyond").ok()?;
    let mut json = sent.json.clone()?;
    let amounts = json.entries().filter(|own| names_amount(&own.key));
    let amounts: Vec<String> = amounts.map(|own| own.key.clone()).collect();
    let [name] = <[String; 1]>::try_from(amounts).ok()?;
    let own = Amount::read(json.get(&name)?)?;
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let most = shape.property(world.model.document, &name);
    let most = most.keyword("maximum").and_then(Amount::read);
    let most = most.map_or(own.units * TIMES, |own| own.units);
    amount::put(&mut json, &name, own.with(most)).ok()?;
    let found = world
        .contract()
        .validate_request(call.body.as_ref()?, &json);
    found.ok().filter(Vec::is_empty)?;
    let before = Untouched::of(world, call, &ready).await;
    world.put_json(&mut sent, &ready.call, json);
    let exchange = world.send(sent).await;
    if succeeded(&exchange) {
        // There may be as much, however unlikely it is.
        return None;
    }
    Told::read(world.model, sentence).judge(world, call, &exchange, draft);
    before?.look(world, call, &exchange, draft).await
}

/// Whether a sentence says that more than there is gets a status.
fn says(sentence: &str) -> bool {
    const THERE: [&str; 8] = [
        "available",
        "left",
        "remains",
        "remaining",
        "due",
        "balance",
        "outstanding",
        "funds",
    ];
    let words = names::words(&sentence.to_lowercase());
    let is_more = words
        .windows(2)
        .any(|own| own[0] == "more" && own[1] == "than");
    let is_plain = !prose::has(&words, &["if", "unless", "may", "once"]);
    is_more && prose::has(&words, &THERE) && status_in(sentence).is_some() && is_plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_more_than_there_is() {
        for (sentence, expected) in [
            (
                "More than is available in this currency is answered with `422` and the code `x`",
                true,
            ),
            ("Refunding more than remains is a `409`", true),
            (
                "More than is available is answered with `422`, or `409` if it is closed",
                false,
            ),
            ("More than two are refused with `422`", false),
            ("What is available is told by `402`", false),
        ] {
            assert_eq!(says(sentence), expected, "{sentence}");
        }
    }
}
