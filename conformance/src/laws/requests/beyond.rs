//! Beyond: an amount that is more than can ever be there is refused, with the status and the code that a text tells of it:
//! "more than is available is answered with `422` and the code `balance_insufficient`".

use spec::Pointer;

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, codes, names, prose};
use crate::shape::Shape;

use super::untouched::Untouched;
use crate::laws::amounts::amount::{self, Amount, names_amount};
use crate::laws::trial::answered::{status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
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
    refused(world, call, (sentence, &name), &exchange, draft);
    before?.look(world, call, &exchange, draft).await
}

/// The refusal has the status and the code that are told.
fn refused<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (sentence, name): (&str, &str),
    exchange: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let code = status(exchange).filter(|own| matches!(own, 400 | 402 | 409 | 422))?;
    let at = Pointer::root().join(name);
    let marked = || sentence.split('`').skip(1).step_by(2);
    let due = marked().find_map(|own| own.parse::<u16>().ok())?;
    if due != code {
        let expected = format!("status {due}: it is more than can be there");
        let claim = Claim::new(&checks::STATUS_CODE, expected, told(exchange)).at(at);
        world.differ(draft, call, claim, exchange);
        return Some(());
    }
    let body = exchange.outcome.as_ref().ok()?.json();
    let mut all = marked().filter(|own| world.model.codes().is_known(own));
    let due = all.next().filter(|_| all.next().is_none());
    if let (Some(due), Some(own)) = (due, body.and_then(codes::code_of))
        && own != due
    {
        let expected = format!("the code {due:?}, as is said");
        let claim = Claim::new(&checks::FINAL_VALUE, expected, format!("{own:?}"));
        world.differ(draft, call, claim, exchange);
    }
    let response = call.response(code)?;
    world.judge_form(draft, call, &response, exchange);
    world.reach(call, code, draft);
    Some(())
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
    let marked = sentence.split('`').skip(1).step_by(2);
    let mut codes = marked.filter_map(|own| own.parse().ok());
    let codes = codes
        .by_ref()
        .filter(|own: &u16| (400..500).contains(own))
        .count();
    let is_plain = !prose::has(&words, &["if", "unless", "may", "once"]);
    is_more && prose::has(&words, &THERE) && codes == 1 && is_plain
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
