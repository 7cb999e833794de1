//! Lines: what a text says to be a sum over the lines of a record is, for two lines, what it is for each of them alone, together.

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use super::amount::Amount;
use crate::laws::trial::answered::record_of;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// What a line costs, in units of the last place: so little that how a share of it is rounded shows in the sum.
const PRICES: [i128; 2] = [3, 13];

/// Makes a record with one line, with another one, and with both.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let kind = call.record().filter(|_| call.role == Role::Create)?;
    let document = world.model.document;
    let body = Shape::of(document, call.body.as_ref());
    let record = Shape::of(document, Some(&kind.schema));
    let mut lists = body.property_names().into_iter();
    let (list, price) = lists.find_map(|list| {
        let item = body.property(document, list).items(document);
        let mut names = item.property_names().into_iter();
        let price = names.find(|own| prose::has(&names::words(own), &["price", "amount"]))?;
        Some((list, price))
    })?;
    let text = |name: &str| {
        let own = record.property(document, name);
        let own = own.keyword("description").and_then(Node::as_str);
        own.map_or_else(Vec::new, prose::spoken)
    };
    let named = record.property_names().into_iter();
    let sums: Vec<(&str, i128)> = named
        .filter_map(|name| Some((name, off(&text(name), list)?)))
        .collect();
    if sums.is_empty() {
        return None;
    }
    let mut made = Vec::new();
    for prices in [&PRICES[..1], &PRICES[1..], &PRICES[..]] {
        let tag = format!("lines-{}", made.len());
        made.push(with(world, call, (list, price, prices), &tag).await?);
    }
    let [one, other, both] = &made[..] else {
        return None;
    };
    for (name, off) in sums {
        let amount = |own: &Exchange| Amount::read_signed(record_of(call, own)?.get(name)?);
        let (one, other, is) = (amount(one)?, amount(other)?, amount(both)?);
        let due = one.plus(other)?;
        let apart = is.plus(due.with(-due.units))?;
        // What is written with fewer places may be rounded otherwise.
        let is_fine = is.places() == due.places();
        if apart.units.abs() > off && (is_fine || off == 0) && apart.units != 0 {
            let told = |own: Amount| value::plain(&own.node());
            let expected = format!(
                "{}: {} of one of the `{list}` and {} of the other",
                told(due),
                told(one),
                told(other)
            );
            let claim = Claim::new(&checks::SUM_DIFFERS, Ground::Text, expected, told(is))
                .at(Pointer::root().join(name));
            world.differ(draft, call, claim, both);
        }
    }
    Some(())
}

/// Makes a record with so many lines of these prices.
async fn with<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (list, price, prices): (&str, &str, &[i128]),
    tag: &str,
) -> Option<Exchange> {
    let ready = world.ready(call, tag).await.ok()?;
    let mut sent = world.compose(&ready, tag).ok()?;
    let mut json = sent.json.clone()?;
    let first = json.get(list)?.items().next()?.clone();
    let amount = Amount::read(first.get(price)?)?;
    let lines = prices.iter().map(|units| {
        let mut line = first.clone();
        let at = Pointer::root().join(price);
        value::put(&mut line, &at, amount.with(*units).node()).ok()?;
        for own in first.entries() {
            if names::words(&own.key).iter().any(|own| own == "quantity") {
                let at = Pointer::root().join(own.key.as_str());
                value::put(&mut line, &at, value::number(1)).ok()?;
            }
        }
        Some(line)
    });
    let lines: Vec<Node> = lines.collect::<Option<_>>()?;
    let at = Pointer::root().join(list);
    value::put(&mut json, &at, value::node(Value::Sequence(lines))).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    let made = world.send(sent).await;
    record_of(call, &made).is_some().then_some(made)
}

/// Whether sentences say that a number is a sum over a list, and by how much it may be off: by how a share is rounded, unless that is
/// said to be done for each.
fn off(said: &[Vec<String>], list: &str) -> Option<i128> {
    const OPEN: [&str; 15] = [
        "if",
        "unless",
        "not",
        "less",
        "plus",
        "minus",
        "and",
        "including",
        "after",
        "before",
        "shipping",
        "delivery",
        "discount",
        "discounts",
        "with",
    ];
    const SHARES: [&str; 6] = ["tax", "taxes", "vat", "fee", "fees", "discount"];
    let noun = names::singular(list);
    let is_sum = |own: &&Vec<String>| {
        let is_named = own.iter().any(|own| names::singular(own) == noun);
        own.iter().any(|own| own == "sum") && is_named && !prose::has(own, &OPEN)
    };
    let sum = said.iter().find(is_sum)?;
    let is_each = said
        .iter()
        .any(|own| prose::has(own, &["each", "every"]) && prose::has(own, &["rounded"]));
    let is_share = prose::has(sum, &SHARES);
    Some(i128::from(is_share && !is_each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_be_a_sum_over_lines() {
        for (text, expected) in [
            ("The sum of the line totals.", Some(0)),
            ("The sum of the taxes of all lines.", Some(1)),
            (
                "The sum of the taxes of all lines. The tax of each line is rounded half up before summing.",
                Some(0),
            ),
            ("The sum of the lines plus shipping.", None),
            ("The sum of the payments.", None),
            ("The sum of the lines, if there are any.", None),
        ] {
            assert_eq!(off(&prose::spoken(text), "lines"), expected, "{text}");
        }
    }
}
