//! What is asked for of a record is in the currency of that record, where the text says so.

use std::collections::BTreeSet;

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use super::amount;
use crate::laws::requests::told::Told;
use crate::laws::requests::untouched::Untouched;
use crate::laws::steps::stated::texts;
use crate::laws::trial::addressing::names_key;
use crate::laws::trial::answered::{own_key, record_of, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// Words of amounts that become others.
const CONVERTED: [&str; 6] = [
    "converted",
    "converts",
    "conversion",
    "exchange",
    "rate",
    "rates",
];

/// Asks for something of a record in another currency than its own; whether it takes from that record decides how plainly
/// a text has to say so.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    is_taking: bool,
    draft: &mut Draft,
) -> Option<()> {
    let is_post = call.operation.method == Method::Post;
    (is_post && !converts(call)).then_some(())?;
    let ready = world.ready(call, "sums-currency").await.ok()?;
    let named = named(world, call, &ready);
    let is_said = if is_taking {
        is_said(call)
    } else {
        is_said_plainly(call, &named)
    };
    let mut sent = world.compose(&ready, "currency").ok()?;
    let mut json = sent.json.clone().filter(|_| is_said)?;
    let (at, own) = amount::currency_of(&json)?;
    let document = world.model.document;
    let mut names = at.segments();
    let shape = Shape::of(document, call.body.as_ref());
    let shape = names.try_fold(shape, |own, name| {
        let property = own.property(document, &name);
        property.target().is_some().then_some(property)
    })?;
    let known = shape.known_values();
    let other = known.iter().find(|other| **other != own)?;
    let own = own.to_owned();
    // Of records in several currencies it may be any that is meant.
    let is_only = named.iter().all(|(_, theirs)| *theirs == own);
    if named.is_empty() || !is_only {
        return None;
    }
    if !is_taking {
        let granted = world.call(&ready, "currency-own").await.ok()?;
        succeeded(&granted).then_some(())?;
    }
    value::put(&mut json, &at, value::string(other)).ok()?;
    let found = world
        .contract()
        .validate_request(call.body.as_ref()?, &json);
    found.is_ok_and(|all| all.is_empty()).then_some(())?;
    world.put_json(&mut sent, &ready.call, json);
    let before = Box::pin(Untouched::by(world, call, (&ready, sent.clone()))).await;
    let taken = world.send(sent).await;
    if succeeded(&taken) {
        differ(world, call, (&at, &own), (&taken, draft));
    } else {
        if let Some(before) = before {
            before.look(world, call, &taken, draft).await;
        }
        let mut said = call.texts().flat_map(prose::sentences);
        let own = said.find(|own| {
            let words = names::words(&own.to_lowercase());
            prose::has(&words, &["currency"]) && prose::has(&words, &["must", "same", "otherwise"])
        });
        match own {
            Some(own) => Told::read(world.model, own).judge(world, call, &taken, draft),
            None => {
                world.judge_seen(draft, call, &taken, |_| true);
            }
        }
    }
    Some(())
}

/// The kinds of the records that a request names, with the currency of each that tells one only.
fn named<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> BTreeSet<(String, String)> {
    let Ok(sent) = world.compose(ready, "currency") else {
        return BTreeSet::new();
    };
    let made = ready.state.kept.as_deref().unwrap_or_default().iter();
    let all = made.filter_map(|own| {
        let maker = world.model.call(&own.sent.operation)?;
        let record = record_of(maker, own)?;
        let key = record.get(own_key(maker)?)?;
        let is_named = names_key(call, &sent, key) || names_within(sent.json.as_ref(), key);
        let kind = maker.record()?.name.rsplit(' ').next()?.to_owned();
        Some((kind, only_currency(record).filter(|_| is_named)?))
    });
    all.collect()
}

/// Whether an item of a list in a body has a key: a part of a payment that is for a seller.
fn names_within(body: Option<&Node>, key: &Node) -> bool {
    let items = body.into_iter().flat_map(Node::entries);
    let mut items = items.flat_map(|own| own.value.items());
    items.any(|own| {
        let mut entries = own.entries();
        entries.any(|own| names::subject(&own.key).is_some() && own.value.same_value(key))
    })
}

/// The currency of a record, which it tells itself or beside each of its amounts.
fn only_currency(record: &Node) -> Option<String> {
    let is_own = |own: &str| {
        let words = names::words(own);
        words == ["currency"] || words == ["default", "currency"]
    };
    let mut own = record.entries().filter(|own| is_own(&own.key));
    if let Some(own) = own.find_map(|own| own.value.as_str()) {
        return Some(own.to_owned());
    }
    let mut all = record
        .entries()
        .filter_map(|own| amount::currency(&own.value));
    let first = all.next()?;
    all.all(|own| own == first).then(|| first.to_owned())
}

fn differ<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (at, currency): (&Pointer, &str),
    (taken, draft): (&Exchange, &mut Draft),
) {
    let claim = Claim::new(
        &checks::REJECTION_EXPECTED,
        Ground::Text,
        format!("a refusal, as documented: the record is in {currency}"),
        told(taken),
    )
    .at(at.clone());
    world.differ(draft, call, claim, taken);
}

/// Whether a text of an operation says that amounts are converted: then another currency is no mistake.
fn converts(call: &Call<'_>) -> bool {
    let mut said = call.texts().map(|own| names::words(&own.to_lowercase()));
    said.any(|own| prose::has(&own, &CONVERTED))
}

/// Whether a refusal, a sentence with its status, or one that says whose currency it is, says that another one is refused.
fn is_said_plainly(call: &Call<'_>, named: &BTreeSet<(String, String)>) -> bool {
    let mut refused = Vec::new();
    let node = call.operation.at.node;
    let refusals = node.get("responses").into_iter().flat_map(Node::entries);
    for own in refusals.filter(|own| own.key.starts_with('4')) {
        texts(&own.value, &mut refused);
    }
    let kinds: BTreeSet<&str> = named.iter().map(|own| own.0.as_str()).collect();
    let mut own = call.texts().flat_map(prose::sentences);
    refused.iter().any(|own| says(own))
        || own.any(|own| {
            let words = names::words(&own.to_lowercase());
            let has_status = prose::has(&words, &["400", "409", "422"]);
            (has_status && says(own)) || is_in_its(&words, &kinds)
        })
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
    let converts = has(&CONVERTED);
    has(&["currency", "currencies"]) && has(&OTHER) && !converts
}

/// Whether words say that an amount is in the currency of a record of one of some kinds: `in the card's currency`, `in the
/// currency of the account`.
fn is_in_its(words: &[String], kinds: &BTreeSet<&str>) -> bool {
    // What is booked or shown in another currency than is asked for, nobody has to say to be refused.
    const DOUBTFUL: [&str; 16] = [
        "not", "may", "if", "or", "default", "fee", "debited", "credited", "charged", "paid",
        "settled", "booked", "shown", "returned", "reported", "billing",
    ];
    let is_kind = |own: &String| kinds.contains(names::singular(own).as_str());
    let told = words.iter().enumerate().filter(|own| own.1 == "currency");
    let mut told = told.filter(|(at, _)| {
        let before = &words[at.saturating_sub(4)..*at];
        let start = before.iter().rposition(|own| own == "in");
        let of_kind = start.is_some_and(|start| before[start..].iter().any(is_kind));
        let after: Vec<&String> = words[at + 1..].iter().take(4).collect();
        let is_of = start.is_some() && after.first().is_some_and(|own| *own == "of");
        let is_unit = after
            .first()
            .is_some_and(|own| *own == "s" || *own == "unit");
        !is_unit && (of_kind || (is_of && after.into_iter().any(is_kind)))
    });
    told.next().is_some() && !prose::has(words, &DOUBTFUL)
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

    #[test]
    fn whose_currency_it_is() {
        let kinds = BTreeSet::from(["card", "account"]);
        for (text, expected) in [
            ("The amount is above zero, in the card's currency.", true),
            ("The amount is in the currency of the account", true),
            ("May be in the currency of the account", false),
            ("It is debited in the currency of the account", false),
            ("Amounts are in the currency's smallest unit", false),
            ("The amount is in the given currency", false),
            ("In the currency of the request", false),
        ] {
            let words = names::words(&text.to_lowercase());
            assert_eq!(is_in_its(&words, &kinds), expected, "{text}");
        }
    }
}
