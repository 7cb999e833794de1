//! Removed: a list that can be asked for what belongs to a record of another kind has that, too, once that record is
//! deleted, where the text of the parameter says so.

use openapi_document::{Node, Pointer};

use super::filling::maker;
use super::filter::Filter;
use super::filters::Stand;
use crate::checks;
use crate::laws::steps::barred::step_on;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;
use crate::model::{Role, names, prose};

impl<'d> Stand<'_, 'd> {
    /// Deletes what a new record of the list names, and asks for it.
    pub(super) async fn removed(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        filters: &[Filter<'d>],
        draft: &mut Draft,
    ) {
        for filter in filters.iter().filter(|own| own.is_exact()) {
            let parameters = self.list.operation.parameters();
            let mut own = parameters.iter().filter(|own| own.name == filter.parameter);
            let text = own.find_map(|own| own.at.node.get("description")?.as_str());
            let is_said = text.is_some_and(|own| prose::spoken(own).iter().any(|own| says(own)));
            if is_said && draft.is_clean() {
                self.of_removed(world, filter, draft).await;
            }
        }
    }

    async fn of_removed(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        filter: &Filter<'d>,
        draft: &mut Draft,
    ) -> Option<()> {
        let subject = names::subject(filter.parameter).filter(|own| !own.is_empty())?;
        let maker = maker(world, self.list)?;
        let removes =
            |own: &str| names::subject(own).is_some_and(|own| names::fits(&own, &subject));
        let mut removers = world.model.of(Role::Delete);
        let remover = removers.find(|own| {
            let last = own.path_parameters().last().copied();
            last.is_some_and(removes) && own.operation.path.ends_with('}') && world.covers(own)
        })?;
        let tag = format!("removed-{}", self.list.operation.label());
        let ready = world.ready(maker, &tag).await.ok()?;
        let step = step_on(world, remover, &ready)?;
        let made = world.call(&ready, &tag).await.ok()?;
        let record = record_of(maker, &made)?;
        let asked = filter.value(record)?.clone();
        let sent = world.compose_step(&ready, &step, &tag).ok()?;
        let mut named = sent.path_arguments.iter();
        let is_it = named.any(|(_, own)| asked.as_str() == Some(own));
        if !is_it || !succeeded(&world.send(sent).await) {
            return None;
        }
        let given = self.walk(world, &[(filter.parameter, asked)]).await.ok()?;
        let last = given.last.as_ref()?;
        let records: Vec<&Node> = self.records(&given);
        if given.ended && succeeded(last) && !self.has(&records, record) {
            let expected = format!("what belongs to a deleted {subject}, as its text says");
            let told = format!("{} records without one of it", records.len());
            let claim = Claim::new(&checks::FILTER_MISSES, Ground::Names, expected, told)
                .at(Pointer::root().join("query").join(filter.parameter));
            world.differ(draft, self.list, claim, last);
        }
        Some(())
    }
}

/// Whether a sentence says that what was deleted can be asked for as well.
fn says(sentence: &[String]) -> bool {
    const GONE: [&str; 2] = ["deleted", "removed"];
    const OPEN: [&str; 7] = ["not", "no", "may", "if", "unless", "except", "without"];
    let at = sentence
        .iter()
        .position(|own| matches!(own.as_str(), "also" | "even" | "including"));
    let is_gone = at.is_some_and(|at| prose::has(&sentence[at..], &GONE));
    is_gone && !prose::has(sentence, &OPEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_asked_for_when_it_is_gone() {
        for (text, expected) in [
            (
                "Only payments of this customer, also of a deleted one.",
                true,
            ),
            ("Orders of a seller, even if it was removed", false),
            ("Orders of a seller, even of a removed one", true),
            ("Only payments of this customer.", false),
            ("Of this customer, who must not be deleted", false),
            ("Whether deleted ones are listed, too", false),
        ] {
            let found = prose::spoken(text).iter().any(|own| says(own));
            assert_eq!(found, expected, "{text}");
        }
    }
}
