//! Counted: a record that tells how many items the list under it has tells as many as there are.

use openapi_document::{Mapping, Pointer, Value};

use crate::checks;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use super::pages::Stand;
use super::paging::Walk;
use crate::laws::trial::answered::record_of;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::World;

/// Words that say that some are left out.
const SOME: [&str; 12] = [
    "only",
    "not",
    "no",
    "never",
    "except",
    "without",
    "excluding",
    "active",
    "open",
    "failed",
    "since",
    "other",
];

impl<'d> Stand<'_, 'd> {
    /// Reads the record that the list is under, and counts.
    pub(crate) async fn counted(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Option<()> {
        let parameter = self.list.path_parameters().last().copied()?;
        let parent = world.model.creator_for(&self.list.operation, parameter)?;
        let name = counter(world, self.list, parent).filter(|_| whole.ended)?;
        let nothing = value::node(Value::Mapping(Mapping::default()));
        let reader = world
            .readers_for(parent, &nothing, self.with())
            .first()
            .copied()?;
        let read = world.read(reader, &nothing, self.with()).await.ok()?;
        let told: u64 = value::plain(record_of(reader, &read)?.get(name)?)
            .parse()
            .ok()?;
        let items = whole.pages.iter().map(Vec::len).sum::<usize>() as u64;
        if told != items {
            let texts = (
                format!(
                    "{items}, as many as `{}` lists",
                    self.list.operation.label()
                ),
                told.to_string(),
            );
            let place = Pointer::root().join(name);
            self.differ_at(world, (&checks::TOTAL_DIFFERS, place), texts, &read, draft);
        }
        Some(())
    }
}

/// The property in which a kind of record tells how many items the list under it has.
fn counter<'d>(
    world: &World<'_, '_, '_, 'd>,
    list: &Call<'d>,
    parent: &Call<'d>,
) -> Option<&'d str> {
    let document = world.model.document;
    let shape = Shape::of(document, parent.record().map(|own| &own.schema));
    let leaves_out = |words: &Vec<String>| prose::has(words, &SOME);
    // What a list says is not found may be the record that it is under.
    let is_part = |words: &Vec<String>| prose::has(words, &["only", "except", "excluding"]);
    if list.spoken().iter().any(is_part) {
        return None;
    }
    let mut names = shape.property_names().into_iter();
    names.find(|name| {
        let own = shape.property(document, name);
        let text = own.keyword("description").and_then(|own| own.as_str());
        let is_all = !prose::spoken(text.unwrap_or_default())
            .iter()
            .any(leaves_out);
        own.type_name() == Some("integer") && is_all && counts(name, &list.about)
    })
}

/// Whether a name is that of the number of what a list is about: `entryCount` of ledger entries.
fn counts(name: &str, about: &str) -> bool {
    let words = names::words(name);
    let noun = match &words[..] {
        [noun @ .., last] if last == "count" => noun,
        [first, of, noun @ ..] if first == "number" && of == "of" => noun,
        _ => return false,
    };
    let noun = names::singular(&noun.join(" "));
    !noun.is_empty() && (noun == about || about.ends_with(&format!(" {noun}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_what_a_list_is_about() {
        for (name, about, expected) in [
            ("entryCount", "ledger entry", true),
            ("number_of_entries", "ledger entry", true),
            ("openEntryCount", "ledger entry", false),
            ("count", "ledger entry", false),
            ("viewCount", "comment", false),
        ] {
            assert_eq!(counts(name, about), expected, "{name}");
        }
    }
}
