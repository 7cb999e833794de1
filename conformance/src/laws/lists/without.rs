//! Without: what a text says that a list is without is in none of its items: "the endpoints, without their secrets".

use super::pages::Stand;
use super::paging::Walk;
use crate::checks;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::World;
use crate::names;
use crate::prose;

impl<'d> Stand<'_, 'd> {
    /// Looks for what the text of the list says to be left out of each item.
    pub(super) fn is_without(
        &self,
        world: &World<'_, '_, '_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) {
        let Some(last) = &whole.last else { return };
        let nouns: Vec<String> = self
            .list
            .spoken()
            .iter()
            .filter_map(|own| left_out(own))
            .collect();
        for record in self.records(whole) {
            let is_out = |name: &str| nouns.contains(&names::words(name).join(" "));
            let mut there = record
                .entries()
                .filter(|own| is_out(&own.key) && !own.value.is_null());
            if let Some(own) = there.next() {
                let texts = (
                    format!("items without `{}`, as is said of the list", own.key),
                    "one that has it".to_owned(),
                );
                let place = openapi_document::Pointer::root().join(own.key.as_str());
                self.differ_at(world, (&checks::EFFECT_DIFFERS, place), texts, last, draft);
                return;
            }
        }
    }
}

/// The only thing that a sentence says its items to be without.
fn left_out(words: &[String]) -> Option<String> {
    const SOMETIMES: [&str; 13] = [
        "not", "no", "never", "none", "if", "when", "unless", "only", "where", "those", "may",
        "some", "cannot",
    ];
    let at = words.iter().position(|own| own == "without");
    let at = at.filter(|_| !prose::has(words, &SOMETIMES))?;
    let [whose, noun] = words.get(at + 1..)? else {
        return None;
    };
    matches!(whose.as_str(), "their" | "its" | "the").then(|| names::singular(noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_items_are_said_to_be_without() {
        for (text, expected) in [
            (
                "Lists the endpoints, newest first, without their secrets.",
                Some("secret"),
            ),
            ("Lists the endpoints without the need of a key.", None),
            ("Without any the list is empty.", None),
            ("No order is listed without its total.", None),
        ] {
            let found = prose::spoken(text).iter().find_map(|own| left_out(own));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
