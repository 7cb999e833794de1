//! Numbered: the number of a record's version rises with each change, where its text says so.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, prose};
use crate::shape::Shape;

use crate::laws::trial::compare::tells_of_changes;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Looks at the numbers of a record before and after it was changed.
pub(super) fn look<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (before, after): (&Node, &Node),
    (exchange, draft): (&Exchange, &mut Draft),
) {
    let is_changed = before.entries().any(|own| {
        let other = after.get(&own.key);
        !tells_of_changes(&own.key) && !other.is_some_and(|other| other.same_value(&own.value))
    });
    if !is_changed {
        return;
    }
    for name in names(world, call, before) {
        let number = |own: &Node| own.get(name).and_then(Node::as_u64);
        let (Some(one), Some(other)) = (number(before), number(after)) else {
            continue;
        };
        if other <= one {
            let expected = format!("more than {one}: its text says that it rises with each change");
            let document = world.model.document;
            let shape = Shape::of(document, call.record().map(|record| &record.schema));
            let property = shape.property(document, name);
            let ground = property
                .nearest()
                .map(|schema| Ground::description(schema.node));
            let claim = Claim::new(
                &checks::EFFECT_DIFFERS,
                ground.unwrap_or(Ground::Text),
                expected,
                other.to_string(),
            )
            .at(Pointer::root().join(name));
            world.differ(draft, call, claim, exchange);
        }
    }
}

/// The numbers of a record that are said to rise with each change of it.
pub(super) fn names<'n, 'd>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    record: &'n Node,
) -> Vec<&'n str> {
    let document = world.model.document;
    let shape = Shape::of(document, call.record().map(|own| &own.schema));
    // What is no change of the record's data need not be an update.
    let is_update = matches!(call.operation.method, Method::Put | Method::Patch);
    let is_said = |name: &str| {
        let text = shape.property(document, name);
        let text = text.keyword("description").and_then(Node::as_str);
        text.is_some_and(|own| prose::spoken(own).iter().any(|own| rises(own, is_update)))
    };
    let numbers = record.entries().filter(|own| own.value.as_u64().is_some());
    let named = numbers.map(|own| own.key.as_str());
    named
        .filter(|own| tells_of_changes(own) && is_said(own))
        .collect()
}

/// Whether a sentence says that a number rises with each change: `Goes up by one with every change`.
fn rises(words: &[String], is_update: bool) -> bool {
    const RISES: [&str; 10] = [
        "rises",
        "increases",
        "increased",
        "incremented",
        "increments",
        "grows",
        "raised",
        "bumped",
        "up",
        "higher",
    ];
    const CHANGES: [&str; 2] = ["change", "changes"];
    const UPDATES: [&str; 4] = ["update", "modification", "write", "edit"];
    const DOUBTFUL: [&str; 12] = [
        "not", "never", "unless", "except", "may", "only", "if", "minor", "major", "some", "but",
        "no",
    ];
    let is_one = prose::has(words, &CHANGES) || is_update && prose::has(words, &UPDATES);
    let of_each = prose::has(words, &["each", "every", "any"]) && is_one;
    of_each && prose::has(words, &RISES) && !prose::has(words, &DOUBTFUL)
}

#[cfg(test)]
mod tests {
    use super::rises;
    use crate::model::names;

    #[test]
    fn what_rises_with_each_change() {
        for (text, expected) in [
            ("Starts at 1 and goes up by one with every change", true),
            ("Incremented by 1 on each update", true),
            ("Increases with every change of the agreement", true),
            (
                "Incremented each time a major change is published, never otherwise",
                false,
            ),
            ("The version of the agreement", false),
            ("The number of the document, raised by hand", false),
        ] {
            assert_eq!(rises(&names::words(text), true), expected, "{text}");
        }
        let update = names::words("Incremented by 1 on each update");
        assert!(!rises(&update, false), "a step is no update");
    }
}
