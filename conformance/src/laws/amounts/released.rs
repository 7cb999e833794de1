//! Released: what a step is said to release, or to put back, is there again: each number that the making of its record has moved in a record
//! which that names is as it was before. "Releases the held money", "puts the ordered quantities back into stock".

use std::cmp::Ordering;

use openapi_document::{Node, Pointer};

use super::amount::Amount;
use crate::checks;
use crate::exchange::Sent;
use crate::laws::trial::addressing::names_key;
use crate::laws::trial::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::trial::compare::tells_of_changes;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;
use crate::model::{Call, Role, names, prose};
use crate::value;

/// A key of so many characters is no other text by chance.
const LONG: usize = 8;

/// A record that another one names, and what it is read with.
type Holder<'w, 'd> = (&'w Call<'d>, Node, Sent);

/// Makes what a step is about, takes the step, and compares what the making has moved.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let mut said = call.texts().flat_map(prose::sentences);
    let is_step = call.role == Role::Change && call.body.is_none() && calls_off(call);
    let is_meant = is_step || call.role == Role::Delete;
    (is_meant && said.any(releases)).then_some(())?;
    let name = call.path_parameters().last().copied()?;
    let maker = world.model.creator_for(&call.operation, name)?;
    let tag = format!("released-{}", call.operation.label());
    let ready = world.ready(maker, &tag).await.ok()?;
    let sent = world.compose(&ready, &tag).ok()?;
    let holders = holders(world, maker, (&sent, ready.state.kept.as_deref()?));
    let mut before = Vec::new();
    for holder in &holders {
        before.push(read(world, holder).await?);
    }
    let made = world.send(sent).await;
    let record = record_of(maker, &made)
        .filter(|_| succeeded(&made))?
        .clone();
    let mut moved = Vec::new();
    for (holder, before) in holders.into_iter().zip(before) {
        let now = read(world, &holder).await?;
        let names = numbers(&before).into_iter();
        let names = names.filter(|own| is_other(&before, &now, own));
        let names: Vec<String> = names.map(str::to_owned).collect();
        if !names.is_empty() {
            moved.push((holder, before, names));
        }
    }
    (!moved.is_empty()).then_some(())?;
    let step = world.compose_read(call, &record, &made.sent, &[]).ok()?;
    let done = world.send(step).await;
    let is_done = succeeded(&done) && status(&done) != Some(202);
    let is_moving = record_of(call, &done).is_some_and(|own| world.model.is_moving(own));
    (is_done && !is_moving).then_some(())?;
    for (holder, before, names) in moved {
        let read = world.read(holder.0, &holder.1, &holder.2).await.ok()?;
        let now = record_of(holder.0, &read)?.clone();
        for name in names.iter().filter(|own| is_other(&before, &now, own)) {
            let by = call.operation.label();
            let due = value::plain(before.get(name)?);
            let expected = format!("{due}, as before: `{by}` is said to give it back");
            let actual = format!("{}, {}", value::plain(now.get(name)?), told(&read));
            let claim = Claim::new(&checks::BALANCE_UNMOVED, Ground::Text, expected, actual);
            let claim = claim.at(Pointer::root().join(name.as_str()));
            world.differ(draft, call, claim, &read);
        }
    }
    Some(())
}

/// Whether a step calls something off: what is captured, shipped or released to somebody is not as before.
fn calls_off(call: &Call<'_>) -> bool {
    const OFF: [&str; 12] = [
        "cancel", "void", "reject", "decline", "expire", "return", "abandon", "reverse", "deny",
        "refuse", "abort", "withdraw",
    ];
    let last = call.operation.path.rsplit(['/', ':']).next();
    prose::has(&names::words(last.unwrap_or_default()), &OFF)
}

/// Whether a sentence says that all that was taken is given back.
fn releases(sentence: &str) -> bool {
    const BACK_TO: [&str; 6] = [
        "stock",
        "balance",
        "wallet",
        "account",
        "inventory",
        "availability",
    ];
    const DOUBTFUL: [&str; 14] = [
        "not",
        "never",
        "if",
        "unless",
        "when",
        "part",
        "partly",
        "rest",
        "remaining",
        "fee",
        "later",
        "may",
        "after",
        "less",
    ];
    const VERBS: [&str; 8] = [
        "releases",
        "released",
        "frees",
        "restores",
        "restored",
        "restocks",
        "unfreezes",
        "unblocks",
    ];
    const TAKEN: [&str; 13] = [
        "money",
        "amount",
        "amounts",
        "funds",
        "hold",
        "held",
        "stock",
        "quantity",
        "quantities",
        "reservation",
        "balance",
        "reserved",
        "points",
    ];
    let words = names::words(&sentence.to_lowercase());
    let goes_back = words
        .iter()
        .position(|own| matches!(own.as_str(), "puts" | "gives" | "put" | "given"));
    let goes_back = goes_back.is_some_and(|at| prose::has(&words[at..], &["back"]));
    let says = goes_back || prose::has(&words, &VERBS);
    let to = words.iter().position(|own| own == "to");
    let is_to_other = to.is_some_and(|at| !prose::has(&words[at..], &BACK_TO));
    says && prose::has(&words, &TAKEN) && !prose::has(&words, &DOUBTFUL) && !is_to_other
}

/// The records that a request names, and who reads them.
fn holders<'w, 'd>(
    world: &World<'w, '_, '_, 'd>,
    maker: &Call<'d>,
    (sent, kept): (&Sent, &[crate::exchange::Exchange]),
) -> Vec<Holder<'w, 'd>> {
    let of = |exchange: &crate::exchange::Exchange| {
        let call = world
            .model
            .call(&exchange.sent.operation)
            .filter(|own| own.role == Role::Create)?;
        let record = record_of(call, exchange)?;
        let key = record.get(own_key(call)?)?;
        let is_named =
            names_key(maker, sent, key) || sent.json.as_ref().is_some_and(|own| holds(own, key));
        let reader = world
            .readers_for(call, record, &exchange.sent)
            .first()
            .copied()?;
        is_named.then(|| (reader, record.clone(), exchange.sent.clone()))
    };
    kept.iter().filter_map(of).collect()
}

/// Whether a long text stands somewhere in a body.
fn holds(body: &Node, key: &Node) -> bool {
    let is_long = key.as_str().is_some_and(|own| own.len() >= LONG);
    let within = || {
        let entries = body.entries().map(|own| &own.value);
        entries.chain(body.items()).any(|own| holds(own, key))
    };
    is_long && (body.same_value(key) || within())
}

async fn read<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (reader, record, with): &Holder<'_, 'd>,
) -> Option<Node> {
    let read = world.read(reader, record, with).await.ok()?;
    record_of(reader, &read).cloned()
}

/// The numbers of a record, but for what counts its changes.
fn numbers(record: &Node) -> Vec<&str> {
    const NEVER_BACK: [&str; 14] = [
        "version",
        "revision",
        "count",
        "total",
        "lifetime",
        "sequence",
        "last",
        "placed",
        "at",
        "on",
        "time",
        "date",
        "timestamp",
        "number",
    ];
    let counts = |own: &str| tells_of_changes(own) || prose::has(&names::words(own), &NEVER_BACK);
    let all = record
        .entries()
        .filter(|own| Amount::read_signed(&own.value).is_some());
    all.map(|own| own.key.as_str())
        .filter(|own| !counts(own))
        .collect()
}

/// Whether a number is another one than it was.
fn is_other(before: &Node, now: &Node, name: &str) -> bool {
    let [before, now] = [before, now].map(|own| own.get(name).and_then(Amount::read_signed));
    let compared = before
        .zip(now)
        .and_then(|(before, now)| before.compared(now));
    compared.is_some_and(|own| own != Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_say_what_is_given_back() {
        for (sentence, expected) in [
            ("Releases the held money", true),
            (
                "Cancels an `open` order and puts the ordered quantities back into stock",
                true,
            ),
            ("The stock is given back", true),
            ("The amount is given back", true),
            ("The rest of the amount is released", false),
            ("Releases the payment to the shop", false),
            ("Releases the held amount to the seller", false),
            ("The held amount is not released", false),
        ] {
            assert_eq!(releases(sentence), expected, "{sentence}");
        }
    }
}
