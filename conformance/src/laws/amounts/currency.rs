//! What is taken from a record is in the currency of that record, where the text says so.

use spec::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use super::amount;
use super::taking::taking;
use crate::laws::steps::stated::texts;
use crate::laws::trial::answered::{status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// Takes from a record in another currency than its own.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    is_said(call).then_some(())?;
    let ready = world.ready(call, "sums-currency").await.ok()?;
    let taking = taking(world, call, &ready).await?;
    let mut sent = world.compose(&ready, "currency").ok()?;
    let mut json = sent.json.clone()?;
    let (at, own) = amount::currency_of(&json)?;
    let (_, of_record) = amount::currency_of(&taking.record).or_else(|| {
        Some((
            at.clone(),
            amount::currency(taking.record.get(taking.property)?)?,
        ))
    })?;
    let document = world.model.document;
    let mut names = at.segments();
    let shape = Shape::of(document, call.body.as_ref());
    let shape = names.try_fold(shape, |own, name| {
        let property = own.property(document, &name);
        property.target().is_some().then_some(property)
    })?;
    let known = shape.known_values();
    let other = known.iter().find(|other| **other != own)?;
    if own != of_record {
        return None;
    }
    value::put(&mut json, &at, value::string(other)).ok()?;
    world.put_json(&mut sent, &ready.call, json);
    let taken = world.send(sent).await;
    if succeeded(&taken) {
        differ(world, call, (&at, of_record), (&taken, draft));
    } else if let Some((code, response)) =
        status(&taken).and_then(|own| Some((own, call.response(own)?)))
    {
        world.judge_form(draft, call, &response, &taken);
        world.reach(call, code, draft);
    }
    Some(())
}

fn differ<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (at, currency): (&Pointer, &str),
    (taken, draft): (&Exchange, &mut Draft),
) {
    let claim = Claim::new(
        &checks::REJECTION_EXPECTED,
        format!("a refusal, as documented: the record is in {currency}"),
        told(taken),
    )
    .at(at.clone());
    world.differ(draft, call, claim, taken);
}

/// Whether a text of an operation, of its refusals or of its body says that another currency is refused.
fn is_said(call: &Call<'_>) -> bool {
    let mut said = Vec::new();
    let node = call.operation.at.node;
    let refusals = node.get("responses").into_iter().flat_map(Node::entries);
    let refusals = refusals
        .filter(|own| own.key.starts_with('4'))
        .map(|own| &own.value);
    for own in refusals {
        texts(own, &mut said);
    }
    said.extend(call.texts().flat_map(prose::sentences).map(str::to_owned));
    said.iter().any(|own| says(own))
}

/// Whether a sentence says that of two currencies.
fn says(text: &str) -> bool {
    const OTHER: [&str; 9] = [
        "another",
        "other",
        "different",
        "differs",
        "differ",
        "mismatch",
        "match",
        "matches",
        "same",
    ];
    let words = names::words(&text.to_lowercase());
    let has = |list: &[&str]| words.iter().any(|own| list.contains(&own.as_str()));
    let converts = has(&[
        "converted",
        "converts",
        "conversion",
        "exchange",
        "rate",
        "rates",
    ]);
    has(&["currency", "currencies"]) && has(&OTHER) && !converts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_tell_currencies_apart() {
        for (text, expected) in [
            (
                "More than is left, or another currency than that of the payment",
                true,
            ),
            ("currency_mismatch", true),
            ("Has to be in the same currency", true),
            (
                "Another currency is converted at the rate of the day",
                false,
            ),
            ("The currency of the payment", false),
            ("Another payment has this reference", false),
        ] {
            assert_eq!(says(text), expected, "{text}");
        }
    }
}
