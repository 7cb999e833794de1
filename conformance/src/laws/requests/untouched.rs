//! Untouched: what was refused has left the records that it names as they were: the one that it is about, and those in its body.

use spec::Node;

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::Call;

use super::left_behind::Listed;
use crate::laws::trial::answered::{record_of, status, told};
use crate::laws::trial::compare::Apart;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::{Ready, World};

/// The records that a request names, as they were read before it, and what is listed of them.
pub(crate) struct Untouched<'w, 'd> {
    all: Vec<(&'w Call<'d>, Node)>,
    lists: Vec<Listed<'w, 'd>>,
    with: Sent,
}

impl<'w, 'd> Untouched<'w, 'd> {
    /// Reads what a call names; `None` where nothing reads any of it, or all of it moves by itself.
    pub(crate) async fn of(
        world: &mut World<'w, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
    ) -> Option<Self> {
        let with = world.compose(ready, "untouched").ok()?;
        Self::by(world, call, (ready, with)).await
    }

    /// Reads what this request of a call names.
    pub(crate) async fn by(
        world: &mut World<'w, '_, '_, 'd>,
        call: &Call<'d>,
        (ready, with): (&Ready<'_, 'd>, Sent),
    ) -> Option<Self> {
        let mut all = Vec::new();
        let mut lists = Vec::new();
        for (maker, made) in world.named_before(call, ready, &with) {
            lists.extend(Box::pin(Listed::of(world, (maker, made), &with)).await);
            let readers = world.readers_for(maker, made, &with);
            let Some(reader) = readers.first().copied() else {
                continue;
            };
            let Ok(read) = world.read(reader, made, &with).await else {
                continue;
            };
            let record = record_of(reader, &read).filter(|own| !world.model.is_moving(own));
            all.extend(record.map(|own| (reader, own.clone())));
        }
        (!all.is_empty() || !lists.is_empty()).then_some(Self { all, lists, with })
    }

    /// Reads them again after a refusal.
    pub(crate) async fn look(
        &self,
        world: &mut World<'w, '_, '_, 'd>,
        call: &Call<'d>,
        refused: &Exchange,
        draft: &mut Draft,
    ) -> Option<()> {
        for (reader, record) in &self.all {
            let read = world.read(reader, record, &self.with).await.ok()?;
            match record_of(reader, &read) {
                Some(after) => tell(world, (call, reader), (record, after), refused, draft),
                None if matches!(status(&read), Some(404 | 410)) => {
                    let claim = Claim::new(
                        &checks::REFUSAL_CHANGED_STATE,
                        "the record, as before the refusal",
                        told(&read),
                    );
                    world.differ(draft, call, claim, refused);
                }
                None => {}
            }
        }
        for own in &self.lists {
            Box::pin(own.look(world, call, refused, draft)).await;
        }
        Some(())
    }
}

/// Tells of what is otherwise after a refusal than it was before, and of what says that something is.
pub(crate) fn tell<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, teller): (&Call<'d>, &Call<'d>),
    (before, after): (&Node, &Node),
    refused: &Exchange,
    draft: &mut Draft,
) {
    let mut found = world.apart(teller, before, after);
    found.extend(world.stirred(teller, before, after));
    tell_of(world, (call, teller), found, refused, draft);
}

/// Tells of some of it.
pub(crate) fn tell_of<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, teller): (&Call<'d>, &Call<'d>),
    found: Vec<Apart>,
    refused: &Exchange,
    draft: &mut Draft,
) {
    for own in found {
        let expected = world.shown(teller, &own.pointer, Some(&own.one));
        let claim = Claim::new(
            &checks::REFUSAL_CHANGED_STATE,
            format!("{expected}, as before the refusal"),
            world.shown(teller, &own.pointer, own.other.as_ref()),
        );
        world.differ(draft, call, claim.at(own.pointer), refused);
    }
}
