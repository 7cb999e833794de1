//! Taking: an operation that takes an amount from a record, and what it takes from.

use std::cmp::Ordering;

use openapi_document::node::Entry;
use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::lifted::lifted;
use super::parts::{counted, parts};
use crate::amount::{self, Amount, names_amount, shared};
use crate::answered::record_of;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// What nothing but what is left is called.
const RESTS: [&str; 4] = ["outstanding", "remaining", "capturable", "refundable"];

/// An operation that takes, and what it takes from.
pub(crate) struct Taking<'w, 'd> {
    pub(crate) property: &'d str,
    pub(crate) whole: Amount,
    /// Whether that is the amount of an item of the record, which the request names.
    pub(crate) is_of_item: bool,
    /// What an amount beside its currency looks like, where the body has such.
    form: Option<Node>,
    /// The operation that made what it takes from, and that record.
    pub(crate) maker: &'w Call<'d>,
    pub(crate) record: Node,
    /// A request that names it.
    pub(crate) with: Sent,
}

/// The amount in the body, where the record that the call is about has the same.
pub(crate) async fn taking<'w, 'd>(
    scene: &mut Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Taking<'w, 'd>> {
    // What is put at the place of an amount takes nothing from it.
    if matches!(call.operation.method, Method::Put | Method::Patch) || sets(&call.about) {
        return None;
    }
    let (maker, record) = scene.made_before(call, ready)?;
    let mut record = lifted(record);
    if bound_within(call, &record).is_some() {
        // What has come of it since is told where it is read.
        record = lifted(&scene.made_by_now(call, ready).await?);
    }
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    if bound(call, &record).is_some_and(|own| own.units == 0) {
        // What was captured of it since is told where it is read.
        record = lifted(&scene.made_by_now(call, ready).await?);
    }
    let record = &record;
    let (property, amount) = shared(&shape, record)
        .or_else(|| of_total(&shape, record, call.operation.path))
        .or_else(|| of_bound(call, &shape, record))?;
    let names: Vec<&str> = record.entries().map(|own| own.key.as_str()).collect();
    let counted = counted(record, call.operation.path);
    let parts = parts(&names);
    let captured = parts
        .as_ref()
        .and_then(|own| own.captured(record, property));
    // What was captured of it is all there is to be given back; it is itself taken of the whole.
    let captured = captured.filter(|(_, name)| Some(*name) != counted);
    let bound = bound(call, record).or_else(|| bound_within(call, record));
    let whole = bound.unwrap_or_else(|| {
        let whole = captured.map_or(amount, |(own, _)| own);
        largest(record)
            .filter(|own| own.compared(whole) == Some(Ordering::Greater))
            .unwrap_or(whole)
    });
    // What is made of nothing but the same kind of record is no part of it.
    let is_part = maker.operation.label() != call.operation.label() && whole.units > 1;
    let is_object = !shape
        .property(scene.model.document, property)
        .property_names()
        .is_empty();
    let with = scene.compose(ready, "sums-source").ok()?;
    let of_item = match named(record, with.json.as_ref()?) {
        Some(item) => Some(Amount::read(item.get(property)?)?),
        None => None,
    };
    is_part.then(|| Taking {
        property,
        is_of_item: of_item.is_some(),
        whole: of_item.unwrap_or(whole),
        form: record.get(property).filter(|_| is_object).cloned(),
        maker,
        record: record.clone(),
        with,
    })
}

/// The item of a list within a record whose key a body tells.
fn named<'n>(record: &'n Node, body: &Node) -> Option<&'n Node> {
    let lists = record.entries().filter_map(|own| own.value.as_sequence());
    lists.flatten().find(|item| {
        let key = item.get("id").filter(|own| own.as_str().is_some());
        key.is_some_and(|key| body.entries().any(|own| own.value.same_value(key)))
    })
}

/// The largest of what a record tells to be there in all: with a tip, more is captured than the `amount`.
fn largest(record: &Node) -> Option<Amount> {
    const ALL: [&str; 3] = ["total", "captured", "paid"];
    let tells = |name: &str| names_amount(name) && prose::has(&names::words(name), &ALL);
    let told = record.entries().filter(|own| tells(&own.key));
    let told = told.filter_map(|own| Amount::read(&own.value));
    told.reduce(|one, other| match one.compared(other) {
        Some(Ordering::Less) => other,
        _ => one,
    })
}

/// Whether a step puts something in the place of what was there: `changePlan`.
fn sets(about: &str) -> bool {
    const SETS: [&str; 10] = [
        "change",
        "update",
        "set",
        "edit",
        "modify",
        "adjust",
        "replace",
        "switch",
        "upgrade",
        "downgrade",
    ];
    let first = about.split(' ').next().unwrap_or_default();
    SETS.contains(&first)
}

/// The amount of the record that a text says is the most that can be taken: `more than `totalMinor` is refused`.
fn bound(call: &Call<'_>, record: &Node) -> Option<Amount> {
    let amounts = record.entries().filter(|own| says_bound_of(call, &own.key));
    let mut amounts = amounts.filter_map(|own| Amount::read(&own.value));
    amounts.next().filter(|_| amounts.next().is_none())
}

/// Whether a text of a call says that a property is the most that can be taken.
fn says_bound_of(call: &Call<'_>, name: &str) -> bool {
    let refusals = [400, 409, 422].into_iter();
    let texts = refusals.filter_map(|code| call.text_of(code));
    let mut said = call.texts().chain(texts).flat_map(prose::sentences);
    said.any(|own| says_bound(own, name))
}

/// The property of an object within the record that a text marks as the most that can be taken: `an `amount` greater than
/// `payment.capturable` is refused`.
fn bound_within(call: &Call<'_>, record: &Node) -> Option<Amount> {
    let is_named = |name: &str| name.contains('.') && says_bound_of(call, name);
    let mut amounts = record.entries().filter(|own| is_named(&own.key));
    let only = amounts.next().filter(|_| amounts.next().is_none())?;
    Amount::read(&only.value)
}

/// The only amount in a body, where a text bounds it by one within the record, or by what is left of it.
fn of_bound<'d>(call: &Call<'_>, body: &Shape<'d>, record: &Node) -> Option<(&'d str, Amount)> {
    let tells_rest = |own: &Entry| prose::has(&names::words(&own.key), &RESTS);
    let is_of_rest = record
        .entries()
        .any(|own| tells_rest(own) && says_bound_of(call, &own.key));
    let bound =
        bound_within(call, record).or_else(|| bound(call, record).filter(|_| is_of_rest))?;
    let names = body.property_names().into_iter();
    let mut names = names.filter(|own| names_amount(own));
    let only = names.next().filter(|_| names.next().is_none())?;
    Some((only, bound))
}

/// Whether a sentence says that a property, of several words or of what is left, is the most there may be.
fn says_bound(sentence: &str, name: &str) -> bool {
    const BEYOND: [&str; 8] = [
        "up to",
        "more than",
        "exceed",
        "exceeds",
        "exceeding",
        "larger than",
        "higher than",
        "greater than",
    ];
    let own = names::words(name);
    let text = format!(" {} ", names::words(sentence).join(" "));
    let is_next = |beyond: &&str| {
        let own = own.join(" ");
        text.contains(&format!(" {beyond} {own} "))
            || text.contains(&format!(" {beyond} the {own} "))
            || text.contains(&format!(" {beyond} its {own} "))
    };
    let is_rest = own.len() == 1 && prose::has(&own, &RESTS);
    (own.len() > 1 || is_rest) && BEYOND.iter().any(is_next)
}

/// The amount in a body, where what is taken is counted in a record that has a total.
fn of_total<'d>(body: &Shape<'d>, record: &Node, path: &str) -> Option<(&'d str, Amount)> {
    counted(record, path)?;
    let total = Amount::read(record.get("total")?)?;
    let mut names = body
        .property_names()
        .into_iter()
        .filter(|own| names_amount(own));
    let only = names
        .next()
        .filter(|own| names.next().is_none() && *own == "amount")?;
    Some((only, total))
}

/// What is taken from, as it is read now.
pub(crate) async fn source<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    taking: &Taking<'_, 'd>,
) -> Option<Node> {
    let (record, with) = (&taking.record, &taking.with);
    let readers = scene.readers_for(taking.maker, record, with);
    let reader = readers.first().copied()?;
    let read = scene.read(reader, record, with).await.ok()?;
    record_of(reader, &read).map(lifted)
}

pub(crate) fn request<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    taking: &Taking<'_, 'd>,
    (amount, tag): (Amount, &str),
) -> Result<Sent, String> {
    let mut sent = scene.compose(ready, tag)?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    if let (None, Some(form)) = (json.get(taking.property), &taking.form) {
        value::put(
            &mut json,
            &Pointer::root().join(taking.property),
            form.clone(),
        )?;
    }
    amount::put(&mut json, taking.property, amount)?;
    scene.put_json(&mut sent, &ready.call, json);
    Ok(sent)
}

pub(crate) async fn take<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    taking: &Taking<'_, 'd>,
    part: (Amount, &str),
) -> Result<Exchange, String> {
    let sent = request(scene, ready, taking, part)?;
    Ok(scene.send(sent).await)
}

pub(crate) fn differ<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    taking: &Taking<'_, 'd>,
    (what, draft): (String, &mut Draft),
    exchange: &Exchange,
) {
    let claim = Claim::new(
        &checks::SUM_EXCEEDED,
        Ground::Text,
        format!("no more than {} is taken", shown(taking.whole)),
        format!("granted: {what}"),
    )
    .at(Pointer::root().join(taking.property));
    scene.differ(draft, call, claim, exchange);
}

pub(crate) fn shown(amount: Amount) -> String {
    value::plain(&amount.node())
}

/// Whether a node is an amount; for other laws.
pub(crate) fn is_amount(node: &Node) -> bool {
    Amount::read(node).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_sentences_name() {
        for (text, name, expected) in [
            (
                "Capturing more than `totalMinor` is refused with 422.",
                "totalMinor",
                true,
            ),
            (
                "Together they cannot exceed the captured amount",
                "captured_amount",
                true,
            ),
            (
                "Together they cannot exceed what is left",
                "captured_amount",
                false,
            ),
            ("`totalMinor` is what is charged", "totalMinor", false),
            ("It cannot exceed the amount", "amount", false),
            (
                "Any amount up to the outstanding amount is charged",
                "outstanding",
                true,
            ),
        ] {
            assert_eq!(says_bound(text, name), expected, "{text}");
        }
    }
}
