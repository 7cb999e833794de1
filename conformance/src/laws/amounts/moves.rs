//! What is paid in or out moves a balance by as much, and what is called off comes back: of a record that tells
//! what is in it or left of it.

use std::cmp::Ordering;

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;
use crate::value;

use super::flow::{Flow, balances, is_fee, is_one_each, of_part};
use super::party::{self, Party, flow, names_parts, parties, read};
use super::{kinds, taken};
use crate::amount::{self, Amount, names_amount};
use crate::answered::{own_key, record_of, status, succeeded};
use crate::laws::requests::untouched::tell;
use crate::scene::Scene;
use crate::scene::addressing::names_key;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;

/// So many parts are asked for at once.
const TWINS: usize = 4;

/// Tries an operation that pays something in or out.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let is_post = call.operation.method == openapi_document::view::Method::Post;
    let pays = is_post && matches!(call.role, Role::Create | Role::Change);
    if !scene.may_write() || !pays {
        return Ok(false);
    }
    Ok(of(scene, call, draft).await == Ok(true))
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    if flow(call).is_none() && !names_parts(scene, call) && !party::says_passed(call) {
        return kinds::look(scene, call, draft).await;
    }
    let ready = scene.ready(call, "moves").await?;
    let parties = parties(scene, call, &ready)?;
    let mut before = Vec::new();
    for party in &parties {
        before.push(read(scene, party).await);
    }
    let done = scene.call(&ready, "moves").await?;
    let Some(amount) = amount(scene, call, &done) else {
        // Who looks at once whether there is enough does so each time, though the rest may take time.
        let mut unsaid = scene.draft(("moves", Vec::new()), call);
        let is_refused = beyond(scene, call, false, &mut unsaid).await == Some(false);
        let tried = is_refused && beyond(scene, call, true, draft).await.is_some();
        return Ok(tried);
    };
    let mut looked = false;
    for (party, before) in parties.iter().zip(before) {
        let Some(before) = before.filter(|own| !balances(own).is_empty()) else {
            continue;
        };
        let Some(after) = read(scene, party).await else {
            continue;
        };
        looked = true;
        moved(
            scene,
            (call, party),
            (&before, &after, amount),
            &done,
            draft,
        );
        let part = (&before, &after, amount);
        taken::leaves(scene, (call, party.maker), part, &done, draft);
        is_told(scene, call, &after, &done, draft);
        if draft.is_clean() && party.flow == Flow::Out {
            comes_back(scene, (call, party), (&before, &after, &done), draft).await;
        }
    }
    if draft.is_clean() {
        to_the_cent(scene, call, draft).await;
    }
    if draft.is_clean() {
        is_taken(scene, call, draft).await;
    }
    let mut is_bounded = false;
    for is_spent in [false, true] {
        if draft.is_clean() {
            is_bounded |= beyond(scene, call, is_spent, draft).await == Some(false);
        }
    }
    if draft.is_clean() && is_bounded && scene.may_race() {
        at_once(scene, call, draft).await;
    }
    Ok(looked)
}

/// More than there is cannot be taken, where a refusal of that is documented; nor more than is left, where something
/// was spent before. Whether it was granted.
async fn beyond<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    is_spent: bool,
    draft: &mut Draft,
) -> Option<bool> {
    call.first_of(&[402, 409, 422])?;
    let tag = if is_spent {
        "moves-rest"
    } else {
        "moves-beyond"
    };
    let ready = scene.ready(call, tag).await.ok()?;
    let parties = parties(scene, call, &ready).ok()?;
    // Who else is named has nothing that it could be taken from.
    let party = payer(&parties)?;
    if is_spent {
        let spent = scene.call(&ready, "spent").await.ok()?;
        if !succeeded(&spent) || status(&spent) == Some(202) {
            return None;
        }
    }
    let before = read(scene, party).await?;
    let most = most(&before)?;
    let mut known = Vec::new();
    for own in &parties {
        known.push((own, read(scene, own).await?));
    }
    let mut sent = scene.compose(&ready, "beyond").ok()?;
    let mut json = sent.json.clone()?;
    let (name, asked) = amount::only(&json)?;
    let is_alike = asked.is_of_unit(most);
    let pointer = Pointer::root().join(name.as_str());
    let more = most.with(most.units + 1);
    amount::put(&mut json, &name, more).ok()?;
    let found = scene
        .contract()
        .validate_request(call.body.as_ref()?, &json)
        .ok()?;
    if !is_alike || !found.is_empty() {
        return None;
    }
    scene.put_json(&mut sent, &ready.call, json);
    let taken = scene.send(sent).await;
    if succeeded(&taken) && status(&taken) != Some(202) {
        let claim = Claim::new(
            &checks::SUM_EXCEEDED,
            Ground::Names,
            format!("no more than {} is taken", value::plain(&most.node())),
            format!("granted: {}", value::plain(&more.node())),
        )
        .at(pointer);
        scene.differ(draft, call, claim, &taken);
    }
    if !succeeded(&taken) {
        unmoved(scene, call, &known, &taken, draft).await;
    }
    Some(succeeded(&taken))
}

/// Parts of more than half of what is there, asked for at once: one at most is granted.
async fn at_once<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let ready = scene.ready(call, "moves-at-once").await.ok()?;
    let parties = parties(scene, call, &ready).ok()?;
    let before = read(scene, payer(&parties)?).await?;
    let most = most(&before).filter(|own| own.units > 1)?;
    let part = most.with(most.units / 2 + 1);
    let mut twins = Vec::new();
    for twin in 0..TWINS {
        let mut sent = scene.compose(&ready, &format!("twin-{twin}")).ok()?;
        let mut json = sent.json.clone()?;
        let name = amount::only(&json).filter(|own| own.1.is_of_unit(most))?.0;
        amount::put(&mut json, &name, part).ok()?;
        scene.put_valid(call, (&mut sent, &ready.call), json)?;
        twins.push(sent);
    }
    let all = scene.send_together(twins).await;
    let may_wait = !party::is_at_once(call);
    let is_granted = |own: &&Exchange| {
        let record = record_of(call, own);
        let is_open = may_wait && record.is_some_and(|own| scene.model.is_moving(own));
        succeeded(own) && status(own) != Some(202) && !is_open
    };
    let mut granted: Vec<&Exchange> = all.iter().filter(is_granted).collect();
    // One that is told twice was granted once.
    if let Some(key) = own_key(call) {
        let of =
            |own: &Exchange| record_of(call, own).and_then(|own| Some(own.get(key)?.to_json()));
        granted.sort_by_key(|own| of(own));
        granted.dedup_by_key(|own| of(own));
    }
    if let (2.., Some(last)) = (granted.len(), granted.last()) {
        let claim = Claim::new(
            &checks::SUM_EXCEEDED,
            Ground::Names,
            format!(
                "no more than {} is taken, of requests sent at once",
                value::plain(&most.node())
            ),
            format!(
                "{} times {} was granted",
                granted.len(),
                value::plain(&part.node())
            ),
        );
        scene.differ(draft, call, claim, last);
    }
    Some(())
}

/// The only one that something is taken from, where it tells how much is there.
fn payer<'p, 'w, 'd>(parties: &'p [Party<'w, 'd>]) -> Option<&'p Party<'w, 'd>> {
    let mut sides = parties
        .iter()
        .filter(|own| own.flow == Flow::Out && !balances(&own.record).is_empty());
    let only = sides.next()?;
    sides.next().is_none().then_some(only)
}

/// What is refused moves nothing, on neither side.
async fn unmoved<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    known: &[(&Party<'_, 'd>, Node)],
    refused: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    for (party, before) in known {
        let after = read(scene, party).await?;
        if !scene.model.is_moving(before) && draft.is_clean() {
            tell(
                scene,
                (call, party.reader),
                (before, &after),
                refused,
                draft,
            );
        }
    }
    Some(())
}

/// The most that may be taken of what is there, with an overdraft that a record tells of; `None` where it tells of
/// more than that.
fn most(record: &Node) -> Option<Amount> {
    let all = balances(record).into_iter();
    let all = all.filter_map(|name| Amount::read_signed(record.get(name)?));
    let most = all.max_by(|one, other| one.compared(*other).unwrap_or(Ordering::Equal))?;
    let is_credit =
        |own: &String| matches!(own.as_str(), "overdraft" | "credit" | "limit" | "backorder");
    let mut told = record.entries().filter(|entry| {
        let words = names::words(&entry.key);
        words.iter().any(is_credit) && !entry.value.is_null()
    });
    let Some(only) = told.next() else {
        return Some(most);
    };
    let words = names::words(&only.key).join(" ");
    let is_limit = matches!(words.as_str(), "overdraft" | "overdraft limit");
    let limit = Amount::read(&only.value).filter(|_| is_limit && told.next().is_none())?;
    most.plus(limit)
}

/// How much was moved, where that is done: one where only pieces can be meant.
fn amount(scene: &Scene<'_, '_, '_, '_>, call: &Call<'_>, done: &Exchange) -> Option<Amount> {
    let told = record_of(call, done);
    let may_wait = !party::is_at_once(call);
    let is_open = told.is_some_and(|own| (may_wait && scene.model.is_moving(own)) || is_fee(own));
    if !succeeded(done) || status(done) == Some(202) || is_open {
        return None;
    }
    let sent = done.sent.json.as_ref();
    let mut amounts = sent
        .into_iter()
        .flat_map(Node::entries)
        .filter(|entry| names_amount(&entry.key) && Amount::read(&entry.value).is_some());
    match (amounts.next(), amounts.next()) {
        (Some(only), None) => Amount::read(&only.value),
        // How many pieces a list of lines asks for is not told by one number.
        (None, _) if is_one_each(call.operation.path) && !has_lines(sent) => {
            Amount::read(&value::number(1))
        }
        _ => None,
    }
}

/// Whether a request has a list of objects.
fn has_lines(sent: Option<&Node>) -> bool {
    let mut entries = sent.into_iter().flat_map(Node::entries);
    entries.any(|own| own.value.items().any(|line| line.as_mapping().is_some()))
}

/// One balance at least has moved by the amount.
fn moved<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, party): (&Call<'d>, &Party<'_, 'd>),
    (before, after, amount): (&Node, &Node, Amount),
    done: &Exchange,
    draft: &mut Draft,
) {
    let names = balances(before);
    let has_moved = |name: &&str| {
        let of = |record: &Node| record.get(name).and_then(Amount::read_signed);
        let (low, high) = match party.flow {
            Flow::In => (of(before), of(after)),
            Flow::Out => (of(after), of(before)),
        };
        let due = low.and_then(|own| own.plus(amount));
        let both = due.zip(high);
        both.and_then(|(due, now)| due.compared(now))
            .is_some_and(std::cmp::Ordering::is_eq)
    };
    let is_alike = |name: &&str| {
        let own = before.get(name).and_then(Amount::read_signed);
        own.is_some_and(|own| own.is_of_unit(amount))
    };
    if scene.model.is_moving(after) || names.iter().any(has_moved) || !names.iter().all(is_alike) {
        return;
    }
    let Some(name) = names.first().copied() else {
        return;
    };
    let show = |record: &Node| record.get(name).map_or_else(String::new, Node::to_json);
    let sign = if party.flow == Flow::In { "+" } else { "-" };
    let by = value::plain(&amount.node());
    let texts = (format!("{} {sign} {by}", show(before)), show(after));
    differ(scene, call, (name, texts), done, draft);
}

/// An amount that numbers with a point do not have moves a balance to the last cent: a hundred times 1.15 is less than 115 there.
async fn to_the_cent<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    const UNEVEN: [i128; 2] = [115, 6435];
    let ready = scene.ready(call, "moves-cent").await.ok()?;
    let parties = parties(scene, call, &ready).ok()?;
    let party = parties.iter().find(|own| own.flow == Flow::In)?;
    let sent = scene.compose(&ready, "moves-cent").ok()?;
    let json = sent.json.as_ref()?;
    let mut named = json.entries().filter(|own| names_amount(&own.key));
    let only = named.next().filter(|_| named.next().is_none())?;
    let told = Amount::read(&only.value).filter(|own| own.places() == 2)?;
    let of = |units| {
        let (mut sent, mut json) = (sent.clone(), json.clone());
        let uneven = amount::like(&only.value, told.with(units).node());
        value::put(&mut json, &Pointer::root().join(only.key.as_str()), uneven).ok()?;
        scene.put_valid(call, (&mut sent, &ready.call), json)?;
        Some((sent, told.with(units)))
    };
    let (sent, amount) = UNEVEN.into_iter().find_map(of)?;
    let before = read(scene, party)
        .await
        .filter(|own| !balances(own).is_empty())?;
    let done = scene.send(sent).await;
    (succeeded(&done) && status(&done) != Some(202)).then_some(())?;
    let record = record_of(call, &done)?;
    if is_fee(record) || scene.model.is_moving(record) {
        return None;
    }
    let after = read(scene, party).await?;
    moved(
        scene,
        (call, party),
        (&before, &after, amount),
        &done,
        draft,
    );
    Some(())
}

/// The balance that the answer tells of is that of the record.
fn is_told<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    after: &Node,
    done: &Exchange,
    draft: &mut Draft,
) {
    let Some(child) = record_of(call, done).filter(|_| call.role == Role::Create) else {
        return;
    };
    let is_after = |name: &str| {
        let words = names::words(name);
        let has = |word: &str| words.iter().any(|own| own == word);
        has("balance") && words.len() <= 3 && (has("after") || has("new") || has("resulting"))
    };
    let mut names = balances(after)
        .into_iter()
        .filter(|own| names::words(own).contains(&"balance".to_owned()));
    let (Some(name), None) = (names.next(), names.next()) else {
        return;
    };
    let mut told = child.entries().filter(|entry| is_after(&entry.key));
    let (Some(told), Some(now), true) = (told.next(), after.get(name), names_one(done)) else {
        return;
    };
    let both = Amount::read_signed(&told.value).zip(Amount::read_signed(now));
    let differs = both
        .and_then(|(one, other)| one.compared(other))
        .is_some_and(std::cmp::Ordering::is_ne);
    if differs {
        let texts = (
            format!("{}, as `{name}` is read", now.to_json()),
            told.value.to_json(),
        );
        differ(scene, call, (&told.key, texts), done, draft);
    }
}

/// Whether the request names one record only that has a balance.
fn names_one(done: &Exchange) -> bool {
    let sent = done.sent.json.as_ref();
    let mut entries = sent.into_iter().flat_map(Node::entries);
    !entries.any(|entry| of_part(&entry.key).is_some())
}

/// What is called off comes back, where it was seen to be taken.
async fn comes_back<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    (call, party): (&Call<'d>, &Party<'_, 'd>),
    (before, after, done): (&Node, &Node, &Exchange),
    draft: &mut Draft,
) {
    let Some(child) = record_of(call, done)
        .cloned()
        .filter(|_| call.role == Role::Create)
    else {
        return;
    };
    let Some(back) = calls_off(scene, call) else {
        return;
    };
    let Ok(sent) = scene.compose_read(back, &child, &done.sent, &[]) else {
        return;
    };
    let undone = scene.send(sent).await;
    let told = record_of(back, &undone);
    if !succeeded(&undone)
        || status(&undone) == Some(202)
        || told.is_some_and(|own| scene.model.is_moving(own))
    {
        return;
    }
    let Some(now) = read(scene, party).await else {
        return;
    };
    let kept = before.entries().map(|own| own.key.as_str());
    let kept =
        kept.filter(|name| is_kept(name) && before.get(name).and_then(Amount::read).is_some());
    for name in balances(before).into_iter().chain(kept) {
        let of = |record: &Node| record.get(name).cloned();
        let (one, taken, last) = (of(before), of(after), of(&now));
        let (Some(one), Some(taken), Some(last)) = (one, taken, last) else {
            continue;
        };
        let order = |own: &Node, other: &Node| {
            let both = Amount::read_signed(own).zip(Amount::read_signed(other));
            both.and_then(|(own, other)| own.compared(other))
        };
        // No more comes back than was taken.
        let is_beyond = match order(&taken, &one) {
            Some(Ordering::Greater) => order(&last, &one) == Some(Ordering::Less),
            _ => order(&last, &one) == Some(Ordering::Greater),
        };
        if is_beyond || (!one.same_value(&taken) && last.same_value(&taken)) {
            let what = back.operation.label();
            let texts = (
                format!("{} again after `{what}`", one.to_json()),
                last.to_json(),
            );
            differ(scene, back, (name, texts), &undone, draft);
            return;
        }
    }
}

/// Whether a name tells what is set aside.
fn is_kept(name: &str) -> bool {
    const KEPT: [&str; 7] = [
        "held",
        "hold",
        "reserved",
        "blocked",
        "locked",
        "pending",
        "authorized",
    ];
    let words = names::words(name);
    words.len() <= 2 && words.iter().any(|own| KEPT.contains(&own.as_str()))
}

/// What a step takes of what was set aside, a balance has lost then: that much, or nothing of it, as it was taken before;
/// or it has the rest again.
async fn is_taken<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    const TAKES: [&str; 4] = ["capture", "settle", "redeem", "complete"];
    let kind = call.record().filter(|_| call.role == Role::Create)?;
    let verb = |own: &Call<'d>| {
        let words = names::words(own.operation.path.rsplit('/').next().unwrap_or_default());
        words
            .into_iter()
            .next()
            .filter(|own| TAKES.contains(&own.as_str()))
    };
    let takes = |own: &&Call<'d>| {
        let of_kind = own.record().is_some_and(|own| own.is(kind));
        of_kind && verb(own).is_some() && own.role == Role::Change && scene.covers(own)
    };
    let step = scene.model.calls.iter().find(takes)?;
    let verb = verb(step)?;
    let ready = scene.ready(step, "moves-taken").await.ok()?;
    let (made, before) = ready.state.kept.as_deref()?.split_last()?;
    if made.sent.operation != call.operation.label() {
        return None;
    }
    let whole = amount(scene, call, made)?;
    let mut holders = before.iter().filter_map(|own| {
        let maker = scene.model.call(&own.sent.operation)?;
        let record = record_of(maker, own).filter(|_| maker.role == Role::Create)?;
        let key = record.get(own_key(maker)?)?;
        names_key(call, &made.sent, key).then(|| (maker, record.clone(), own.sent.clone()))
    });
    let (maker, holder, with) = holders.next().filter(|_| holders.next().is_none())?;
    let reader = scene.readers_for(maker, &holder, &with).first().copied()?;
    let was = scene.read(reader, &holder, &with).await.ok()?;
    let done = scene.call(&ready, "moves-taken").await.ok()?;
    let child = record_of(step, &done).filter(|_| succeeded(&done))?;
    let says_taken = |name: &str| {
        let words = names::words(name);
        words.len() <= 2 && words.iter().any(|own| names::is_done(own, &verb))
    };
    let mut told = child.entries().filter(|own| says_taken(&own.key));
    let taken = told.find_map(|own| Amount::read(&own.value))?;
    let is = scene.read(reader, &holder, &with).await.ok()?;
    let (was, is) = (record_of(reader, &was)?, record_of(reader, &is)?);
    if scene.model.is_moving(child) || !whole.is_of_unit(taken) {
        return None;
    }
    for name in balances(was) {
        let of = |own: &Node| own.get(name).and_then(Amount::read_signed);
        let (Some(one), Some(last)) = (of(was), of(is)) else {
            continue;
        };
        let same = |one: Option<Amount>, other: Option<Amount>| {
            let both = one.zip(other);
            both.and_then(|(one, other)| one.compared(other)) == Some(Ordering::Equal)
        };
        let is_due = same(Some(last), Some(one))
            || same(last.plus(taken), Some(one))
            || same(last.plus(taken), one.plus(whole));
        if one.is_of_unit(taken) && !is_due {
            let by = value::plain(&taken.node());
            let expected = format!("{} - {by}, which was taken", one.node().to_json());
            let texts = (expected, last.node().to_json());
            differ(scene, step, (name, texts), &done, draft);
            return Some(());
        }
    }
    Some(())
}

/// The operation that calls off what another one has made, with nothing to say beside it.
fn calls_off<'w, 'd>(scene: &Scene<'w, '_, '_, 'd>, call: &Call<'d>) -> Option<&'w Call<'d>> {
    const BACK: [&str; 6] = [
        "cancel",
        "release",
        "void",
        "return",
        "reverse",
        "cancellation",
    ];
    let kind = call.record()?;
    let model = scene.model;
    let is_back = |own: &&Call<'d>| {
        let words = names::words(own.operation.path.rsplit('/').next().unwrap_or_default());
        let of_kind = own.record().is_some_and(|own| own.is(kind));
        let is_named = matches!(&words[..], [word] if BACK.contains(&word.as_str()));
        of_kind && is_named && own.role == Role::Change && own.body.is_none() && scene.covers(own)
    };
    model.calls.iter().find(is_back)
}

fn differ<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, (expected, actual)): (&str, (String, String)),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let claim = Claim::new(&checks::BALANCE_UNMOVED, Ground::Names, expected, actual)
        .at(Pointer::root().join(name));
    scene.differ(draft, call, claim, exchange);
}
