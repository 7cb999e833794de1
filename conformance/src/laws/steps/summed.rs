//! Summed: what is said to be a sum over the records of a kind is one, and what counts the items of a list tells how many
//! it has.

use spec::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, names};
use crate::value;

use super::counted::{Counted, Told};
use super::following::{Follower, counts, names_it};
use crate::laws::amounts::amount::Amount;
use crate::laws::trial::answered::{items_of, own_key, record_of};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// A list of fewer items than this has no other page.
const SHORT: usize = 5;

/// Whether what is said to be a sum over the records of a kind is one, where all of them are known: they were made on the
/// way, as was the record itself.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (call, own): (&Call<'d>, &Follower<'_, 'd>),
    (after, known): (&Node, &[Exchange]),
    draft: &mut Draft,
) -> Option<()> {
    let kind = own.maker.record()?;
    for (name, told) in counts(world, kind) {
        if told.what == Counted::Number && told.deed.is_none() {
            is_counted(world, (call, own), (name, &told, after), known, draft).await;
        }
        let Counted::Sum(of, states) = &told.what else {
            continue;
        };
        let Some(parts) = parts(world, (own, known), &told.kind).await else {
            continue;
        };
        let is = Amount::read_signed(after.get(name)?)?;
        if parts.iter().any(|own| world.model.is_moving(own)) {
            continue;
        }
        let mut due = is.with(0);
        for part in &parts {
            let mut telling = part.entries().filter(|own| names::tells_state(&own.key));
            let state = telling
                .next()
                .and_then(|own| own.value.as_str())
                .unwrap_or_default();
            if states.is_empty() || states.iter().any(|own| own == state) {
                due = due.plus(Amount::read_signed(part.get(of)?)?)?;
            }
        }
        if due.compared(is)?.is_ne() {
            let pointer = Pointer::root().join(name);
            let sum = value::plain(&due.node());
            let what = call.operation.label();
            let expected = format!("{sum} after `{what}`, the sum that its text tells of");
            let told = world.shown(own.maker, &pointer, after.get(name));
            let claim = Claim::new(&checks::SUM_DIFFERS, expected, told).at(pointer);
            world.differ(draft, call, claim, known.last()?);
        }
    }
    Some(())
}

/// Whether a record tells as many as the list that stands under it has, where all of it is one short page.
async fn is_counted<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (call, own): (&Call<'d>, &Follower<'_, 'd>),
    (name, told, after): (&str, &Told, &Node),
    known: &[Exchange],
    draft: &mut Draft,
) -> Option<()> {
    let is_plain = told.with.is_empty() && told.without.is_empty();
    let of_kind = |list: &&Call<'d>| {
        let rest = list.operation.path.strip_prefix(own.reader.operation.path);
        let is_under = rest.is_some_and(|own| own.matches('/').count() == 1 && !own.contains('{'));
        is_under && list.about.rsplit(' ').next() == Some(told.kind.as_str())
    };
    let list = world
        .model
        .of(Role::List)
        .find(of_kind)
        .filter(|_| is_plain)?;
    // The path of the list names what that of the record does.
    let read = world.compose_read(own.reader, &own.record, &own.with, &[]);
    let sent = world
        .compose_read(list, &own.record, &read.ok()?, &[])
        .ok()?;
    let listed = world.send(sent).await;
    let has = items_of(list, &listed)?.len();
    let tells = after.get(name)?.as_u64()?;
    if has < SHORT && u64::try_from(has).ok()? != tells {
        let pointer = Pointer::root().join(name);
        let (what, under) = (call.operation.label(), list.operation.label());
        let expected = format!("{has} after `{what}`, as many as `{under}` has");
        let shown = world.shown(own.maker, &pointer, after.get(name));
        let claim = Claim::new(&checks::TOTAL_DIFFERS, expected, shown).at(pointer);
        world.differ(draft, call, claim, known.last()?);
    }
    Some(())
}

/// The records of a kind that name another one, as they are read now; `None` where one of them may not be known.
async fn parts<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (own, known): (&Follower<'_, 'd>, &[Exchange]),
    noun: &str,
) -> Option<Vec<Node>> {
    let mut found: Vec<(Node, Node)> = Vec::new();
    for made in known {
        let maker = world.model.call(&made.sent.operation)?;
        let (Some(kind), Some(record)) = (maker.record(), record_of(maker, made)) else {
            continue;
        };
        let key = own_key(maker).and_then(|key| record.get(key));
        let is_it = kind.name.rsplit(' ').next() == Some(noun) && names_it(record, own);
        let Some(key) = key.filter(|_| is_it) else {
            continue;
        };
        if found.iter().any(|(own, _)| own.same_value(key)) {
            continue;
        }
        let reader = world
            .readers_for(maker, record, &made.sent)
            .first()
            .copied()?;
        let read = world.read(reader, record, &made.sent).await.ok()?;
        found.push((key.clone(), record_of(reader, &read)?.clone()));
    }
    (!found.is_empty()).then(|| found.into_iter().map(|own| own.1).collect())
}
