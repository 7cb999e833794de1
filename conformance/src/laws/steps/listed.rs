//! Listed: what is said to count the records of a kind tells how many the list of them under it has.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};

use super::counted::{Counted, Told};
use super::following::{Follower, counts};
use crate::laws::trial::answered::items_of;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// A list of fewer items than this has no other page.
const SHORT: usize = 5;

/// Looks at each number of a record that is said to count what is made under it.
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
        let claim = Claim::new(&checks::TOTAL_DIFFERS, Ground::Text, expected, shown).at(pointer);
        world.differ(draft, call, claim, known.last()?);
    }
    Some(())
}
