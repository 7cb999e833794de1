//! What the description of an operation says to go into or out of a balance that no request names does so: the one
//! of who asks, in the currency that is meant. No more is taken than is there, not at the same time either, and
//! what is refused takes nothing.

use std::cmp::Ordering;

use openapi_document::node::Entry;
use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::case::{BodyValue, Step};
use crate::checks::{self, Check};
use crate::exchange::{Answer, Exchange, Sent};
use crate::model::{self, Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::flow::{balances, is_fee, tells_of_balance};
use crate::amount::{self, Amount, names_amount};
use crate::answered::{record_of, status, succeeded};
use crate::laws::lists::filling::maker;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// Tries an operation that is said to add to a balance, or to take from it.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let writes = matches!(call.role, Role::Create | Role::Change) && scene.may_write();
    if !writes || call.operation.method != Method::Post || !scene.may_race() {
        return Ok(false);
    }
    let Some((reader, adds)) = reader(scene, call) else {
        return Ok(false);
    };
    // Nothing of it can be told apart.
    of(scene, call, (&reader, adds), draft).await
}

/// What is read of balances, and which one is meant, where that is said.
struct Reader<'w, 'd> {
    call: &'w Call<'d>,
    which: Option<&'static str>,
}

/// What is read of a balance, and whether the operation adds to it.
fn reader<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
) -> Option<(Reader<'w, 'd>, bool)> {
    let (means, adds) = call.said_to_move()?;
    let reads = |own: &&Call<'d>| {
        let collection = model::collection(own.operation.path);
        own.operation.method == Method::Get
            && own.path_parameters().is_empty()
            && !own.operation.path.ends_with('}')
            && names::singular(collection) == means
            && !is_made(scene, own)
    };
    let mut readers = scene.model.calls.iter().filter(reads);
    let reader = readers.next().filter(|_| readers.next().is_none())?;
    let which = call.said_which(means);
    Some((
        Reader {
            call: reader,
            which,
        },
        adds,
    ))
}

/// Whether what is read is a list of records that requests make: then it is no balance of who asks.
fn is_made<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> bool {
    call.role == Role::List && maker(scene, call).is_some()
}

/// A balance as it is read.
#[derive(Debug)]
struct Account {
    pointer: Pointer,
    currency: Option<String>,
    amount: Amount,
}

/// The balances in a body, each with its currency.
fn accounts(node: &Node, at: &Pointer, which: Option<&str>, found: &mut Vec<Account>) {
    let is_meant = |own: &&str| which.is_none_or(|which| prose::has(&names::words(own), &[which]));
    let names = node.entries().map(|own| own.key.as_str());
    let named = names.filter(|_| which.is_some()).filter(is_meant);
    let all = balances(node).into_iter().filter(|_| which.is_none());
    for name in all.chain(named) {
        if let Some(amount) = node.get(name).and_then(Amount::read_signed) {
            let own = node.get(name).and_then(amount::currency);
            found.push(Account {
                pointer: at.join(name),
                currency: own.or(currency(node)).map(str::to_owned),
                amount,
            });
        }
    }
    // One of each currency: `"available": [{"amount": 5000, "currency": "EUR"}]`.
    let is_balance = |own: &&Entry| tells_of_balance(&own.key) && is_meant(&own.key.as_str());
    for entry in node.entries().filter(is_balance) {
        for (index, item) in entry.value.items().enumerate() {
            if let (Some(amount), Some(own)) = (Amount::read_signed(item), amount::currency(item)) {
                found.push(Account {
                    pointer: at.join(entry.key.as_str()).join(index.to_string()),
                    currency: Some(own.to_owned()),
                    amount,
                });
            }
        }
    }
    for entry in node.entries() {
        accounts(&entry.value, &at.join(entry.key.as_str()), which, found);
    }
    for (index, item) in node.items().enumerate() {
        accounts(item, &at.join(index.to_string()), which, found);
    }
}

fn currency(node: &Node) -> Option<&str> {
    amount::currency_of(node).map(|(_, own)| own)
}

async fn read<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    reader: &Reader<'_, 'd>,
) -> Option<Vec<Account>> {
    let ready = scene.ready(reader.call, "means-read").await.ok()?;
    let exchange = scene.call(&ready, "read").await.ok()?;
    let answer = exchange.outcome.as_ref().ok();
    let body = answer
        .filter(|own| own.is_success())
        .and_then(Answer::json)?;
    let mut found = Vec::new();
    accounts(body, &Pointer::root(), reader.which, &mut found);
    Some(found)
}

/// The accounts that are meant, and the others.
fn meant<'a>(
    all: &'a [Account],
    wanted: Option<&str>,
) -> Option<(Vec<&'a Account>, Vec<&'a Account>)> {
    let is_told = all.iter().any(|own| own.currency.is_some());
    let is_meant = |own: &&Account| !is_told || own.currency.as_deref() == wanted;
    let (own, others): (Vec<_>, Vec<_>) = all.iter().partition(is_meant);
    (!own.is_empty() && (is_told || own.len() == 1)).then_some((own, others))
}

/// The only amount of a request.
fn asked(sent: &Sent) -> Option<(String, Amount)> {
    let body = sent.json.iter().flat_map(Node::entries);
    let mut amounts = body.filter(|own| names_amount(&own.key));
    let only = amounts.next().filter(|_| amounts.next().is_none())?;
    Some((only.key.clone(), Amount::read(&only.value)?))
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (reader, adds): (&Reader<'_, 'd>, bool),
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "means").await?;
    let looked = moves(scene, call, (reader, adds), (&ready, false), draft).await;
    if let (Some(()), true) = (looked, draft.is_clean())
        && let Ok(ready) = scene.ready(call, "means-part").await
    {
        moves(scene, call, (reader, adds), (&ready, true), draft).await;
    }
    if let (Some(()), true) = (looked, draft.is_clean())
        && let Some(ready) = elsewhere(scene, call).await
    {
        moves(scene, call, (reader, adds), (&ready, false), draft).await;
    }
    let takes = !adds && scene.model.means(call).is_some();
    let mut looked = looked.is_some();
    if takes && draft.is_clean() {
        looked |= beyond(scene, call, reader, draft).await.is_some();
        at_once(scene, call, reader, draft).await;
    }
    Ok(looked || !draft.is_clean())
}

/// The balance moves by what was asked for, or by half of it, and no other one does.
async fn moves<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (reader, adds): (&Reader<'_, 'd>, bool),
    (ready, is_part): (&Ready<'_, 'd>, bool),
    draft: &mut Draft,
) -> Option<()> {
    let mut sent = scene.compose(ready, "means").ok()?;
    let (name, mut amount) = asked(&sent)?;
    if is_part {
        amount = amount.with(amount.units / 2);
        let mut json = sent.json.clone()?;
        amount::put(&mut json, &name, amount).ok()?;
        scene.put_valid(call, (&mut sent, &ready.call), json)?;
    }
    let before = read(scene, reader).await?;
    let done = scene.send(sent).await;
    let record = record_of(call, &done).filter(|own| !is_fee(own))?.clone();
    let is_later = status(&done) == Some(202) || scene.model.is_moving(&record);
    if is_later && !call.is_said_to_be_at_once() {
        return None;
    }
    let after = read(scene, reader).await?;
    let sent_currency = done.sent.json.as_ref().and_then(currency);
    let wanted = currency(&record).or(sent_currency);
    let (own, others) = meant(&before, wanted)?;
    let now = |own: &Account| {
        let mut after = after.iter();
        after.find(|other| other.currency == own.currency && same_name(own, other))
    };
    let by = if adds {
        amount
    } else {
        amount.with(-amount.units)
    };
    let is_due = |own: &&Account| {
        let due = own.amount.plus(by);
        let both = due.zip(now(own).map(|own| own.amount));
        both.and_then(|(due, now)| due.compared(now)) == Some(Ordering::Equal)
    };
    if !own.iter().all(|own| own.amount.is_of_unit(amount)) {
        return None;
    }
    let first: &Account = own.first()?;
    if !own.iter().any(is_due) {
        let due = first.amount.plus(by)?;
        let claim = (&checks::BALANCE_UNMOVED, first, due);
        differ(scene, (call, reader), claim, (now(first), &done), draft);
    }
    for other in others {
        let moved =
            now(other).filter(|now| now.amount.compared(other.amount) != Some(Ordering::Equal));
        if let Some(moved) = moved {
            let claim = (&checks::OTHERS_CHANGED, other, other.amount);
            differ(scene, (call, reader), claim, (Some(moved), &done), draft);
        }
    }
    Some(())
}

fn same_name(one: &Account, other: &Account) -> bool {
    let name = |own: &Account| {
        let mut names: Vec<String> = own.pointer.segments().map(Into::into).collect();
        names.retain(|own| own.parse::<usize>().is_err());
        names.pop()
    };
    name(one) == name(other)
}

/// The call once more, with another currency in it and in the steps before it.
async fn elsewhere<'w, 'd>(
    scene: &mut Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
) -> Option<Ready<'w, 'd>> {
    let way = scene.chosen(call)?;
    let mut steps = way.script.steps.clone();
    let document = scene.model.document;
    let mut wanted = None;
    for step in &mut steps {
        let Some(body) = &mut step.request.body else {
            continue;
        };
        let Some(mut json) = body.value.plain().cloned() else {
            continue;
        };
        let Some((at, own)) = amount::currency_of(&json) else {
            continue;
        };
        let of_body = Shape::of(document, body.schema.as_ref());
        let names = at.segments();
        let shape = names.fold(of_body, |own, name| own.property(document, &name));
        let mut others = shape.known_values().into_iter();
        let other = others.rfind(|other| *other != own);
        let other = wanted.get_or_insert(other?.to_owned()).clone();
        let is_known = shape.known_values().contains(&other.as_str());
        value::put(&mut json, &at, value::string(&other)).ok()?;
        is_known.then_some(())?;
        body.value = BodyValue::Sample(json);
    }
    wanted?;
    let (last, before): (&Step<'d>, &[Step<'d>]) = steps.split_last()?;
    let mut ready = scene
        .prepare_by(way, before, "means-elsewhere")
        .await
        .ok()?;
    ready.call = last.clone();
    Some(ready)
}

/// What a request would take from, and the request with an amount of it.
async fn taking<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    reader: &Reader<'_, 'd>,
    (ready, tag): (&Ready<'_, 'd>, &str),
    of: impl Fn(i128) -> i128,
) -> Option<(Account, Sent)> {
    let mut sent = scene.compose(ready, tag).ok()?;
    let (name, amount) = asked(&sent)?;
    let mut json = sent.json.clone()?;
    let wanted = currency(&json).map(str::to_owned);
    let before = read(scene, reader).await?;
    let (own, _) = meant(&before, wanted.as_deref())?;
    let own = own.first().filter(|own| own.amount.is_of_unit(amount))?;
    let part = own.amount.with(of(own.amount.units.max(0)));
    amount::put(&mut json, &name, part).ok()?;
    scene.put_valid(call, (&mut sent, &ready.call), json)?;
    let account = Account {
        pointer: own.pointer.clone(),
        currency: own.currency.clone(),
        amount: own.amount,
    };
    Some((account, sent))
}

/// More than there is cannot be taken, and who is refused has taken nothing.
async fn beyond<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    reader: &Reader<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let ready = scene.ready(call, "means-beyond").await.ok()?;
    let stand = (&ready, "beyond");
    let (account, sent) = taking(scene, call, reader, stand, |all| all + 1).await?;
    let taken = scene.send(sent).await;
    if succeeded(&taken) {
        exceeded(
            scene,
            call,
            (&account, "all and one more was granted"),
            &taken,
            draft,
        );
        return None;
    }
    let after = read(scene, reader).await?;
    let mut after = after.into_iter();
    let now = after.find(|own| own.currency == account.currency && same_name(own, &account))?;
    if now.amount.compared(account.amount) != Some(Ordering::Equal) {
        let claim = (&checks::REFUSAL_CHANGED_STATE, &account, account.amount);
        differ(scene, (call, reader), claim, (Some(&now), &taken), draft);
    }
    scene.judge_seen(draft, call, &taken, |own| matches!(own, 402 | 409 | 422))?;
    Some(())
}

/// Of two parts that are more than all together, asked for at once, one is granted at most.
async fn at_once<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    reader: &Reader<'_, 'd>,
    draft: &mut Draft,
) -> Option<()> {
    let one = scene.ready(call, "means-race-1").await.ok()?;
    let other = scene.ready(call, "means-race-2").await.ok()?;
    let half = |all: i128| all / 2 + 1;
    let (_, first) = taking(scene, call, reader, (&one, "race-1"), half).await?;
    let (account, second) = taking(scene, call, reader, (&other, "race-2"), half).await?;
    if account.amount.units < 2 {
        return None;
    }
    let exchanges = scene.send_together(vec![first, second]).await;
    if exchanges.iter().all(succeeded) {
        let last = exchanges.last()?;
        exceeded(
            scene,
            call,
            (&account, "two of more than half were granted"),
            last,
            draft,
        );
    }
    Some(())
}

fn exceeded<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (account, actual): (&Account, &str),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let claim = Claim::new(
        &checks::SUM_EXCEEDED,
        Ground::Text,
        format!(
            "no more than {} is taken",
            value::plain(&account.amount.node())
        ),
        actual.to_owned(),
    );
    scene.differ(draft, call, claim, exchange);
}

fn differ<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, reader): (&Call<'d>, &Reader<'_, 'd>),
    (check, account, due): (&'static Check, &Account, Amount),
    (now, exchange): (Option<&Account>, &Exchange),
    draft: &mut Draft,
) {
    let told = |own: Amount| value::plain(&own.node());
    let of = account.currency.as_deref().unwrap_or_default();
    let what = reader.call.operation.label();
    let claim = Claim::new(
        check,
        Ground::Text,
        format!(
            "{} {of} in `{what}`, where {} was",
            told(due),
            told(account.amount)
        ),
        now.map_or_else(|| "absent".to_owned(), |own| told(own.amount)),
    )
    .at(account.pointer.clone());
    scene.differ(draft, call, claim, exchange);
}
