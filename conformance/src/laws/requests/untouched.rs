//! Untouched: what was refused has left the record that it is about as it was.

use spec::Node;

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::Call;

use crate::laws::trial::answered::{record_of, status, told};
use crate::laws::trial::compare::Apart;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::{Ready, World};

/// The record that a call is about, as it was read before.
pub(crate) struct Untouched<'w, 'd> {
    reader: &'w Call<'d>,
    record: Node,
    with: Sent,
}

impl<'w, 'd> Untouched<'w, 'd> {
    /// Reads it; `None` where nothing does, or where it moves by itself.
    pub(crate) async fn of(
        world: &mut World<'w, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
    ) -> Option<Self> {
        let (maker, made) = world.made_before(call, ready)?;
        let made = made.clone();
        let with = world.compose(ready, "untouched").ok()?;
        let reader = world.readers_for(maker, &made, &with).first().copied()?;
        let read = world.read(reader, &made, &with).await.ok()?;
        let record = record_of(reader, &read)
            .filter(|own| !world.model.is_moving(own))?
            .clone();
        Some(Self {
            reader,
            record,
            with,
        })
    }

    /// Reads it again after a refusal.
    pub(crate) async fn look(
        &self,
        world: &mut World<'w, '_, '_, 'd>,
        call: &Call<'d>,
        refused: &Exchange,
        draft: &mut Draft,
    ) -> Option<()> {
        let read = world
            .read(self.reader, &self.record, &self.with)
            .await
            .ok()?;
        match record_of(self.reader, &read) {
            Some(after) => tell(
                world,
                (call, self.reader),
                (&self.record, after),
                refused,
                draft,
            ),
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
