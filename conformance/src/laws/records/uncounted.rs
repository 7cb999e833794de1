//! Uncounted: what is deleted counts no more where the description of a property says that it counts what is there: "how many
//! cards the customer has", "the number of cards, not counting deleted ones".

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;

use crate::answered::{record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// Reads what the record of a deletion belongs to before and after it.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    reader: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let ready = scene.ready(call, "uncounted").await.ok()?;
    let sent = scene.compose(&ready, "uncounted").ok()?;
    let (maker, made) = scene.made_before(call, &ready)?;
    let (kind, made) = (maker.record()?.name.clone(), made.clone());
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    let with = kept.iter().find(|own| {
        let is_of = own.sent.operation == maker.operation.label();
        is_of && record_of(maker, own).is_some_and(|own| own.same_value(&made))
    })?;
    let with = with.sent.clone();
    let mut owner = None;
    for (own, record) in scene.named_before(maker, &ready, &with) {
        let readers = scene.readers_for(own, record, &with);
        let name = counter(scene, own, &kind);
        if let (Some(reads), Some(name)) = (readers.first().copied(), name) {
            owner = Some((reads, record.clone(), name));
        }
    }
    let (reads, owner, name) = owner?;
    let before = scene.read(reads, &owner, &with).await.ok()?;
    let before = number(record_of(reads, &before)?, name)?;
    let done = scene.send(sent).await;
    succeeded(&done).then_some(())?;
    let read = scene.read(reader, &made, &done.sent).await.ok()?;
    matches!(status(&read), Some(404 | 410)).then_some(())?;
    let after = scene.read(reads, &owner, &with).await.ok()?;
    let told = number(record_of(reads, &after)?, name)?;
    let due = before.checked_sub(1)?;
    if told != due {
        let expected = format!("{due}: one less, as its text says");
        let claim = Claim::new(
            &checks::TOTAL_DIFFERS,
            Ground::Name(reads.operation.at.node.span),
            expected,
            told.to_string(),
        )
        .at(Pointer::root().join(name));
        scene.differ(draft, call, claim, &after);
    }
    Some(())
}

fn number(record: &Node, name: &str) -> Option<i64> {
    record.get(name)?.to_json().parse().ok()
}

/// The property of what a call makes that says to count the records of a kind that are there.
fn counter<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, kind: &str) -> Option<&'d str> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|own| &own.schema));
    let noun = names::words(kind).pop()?;
    let mut all = shape.property_names().into_iter();
    all.find(|name| {
        let own = shape.property(document, name);
        let text = own.keyword("description").and_then(Node::as_str);
        own.type_name() == Some("integer") && text.is_some_and(|own| counts(own, &noun))
    })
}

/// Whether a description says that it counts the records of a kind that are there.
fn counts(text: &str, noun: &str) -> bool {
    const THERE: [&str; 9] = [
        "has",
        "have",
        "saved",
        "stored",
        "attached",
        "there",
        "currently",
        "now",
        "file",
    ];
    const EVER: [&str; 11] = [
        "made",
        "created",
        "opened",
        "ever",
        "registered",
        "added",
        "far",
        "issued",
        "total",
        "were",
        "since",
    ];
    const GONE: [&str; 3] = ["deleted", "removed", "detached"];
    const OPEN: [&str; 8] = [
        "can",
        "may",
        "could",
        "most",
        "maximum",
        "left",
        "more",
        "approximately",
    ];
    let all = prose::spoken(text);
    let Some(first) = all.first() else {
        return false;
    };
    let opening: Vec<&str> = first.iter().map(String::as_str).collect();
    let is_number = matches!(
        opening[..],
        ["how", "many", ..] | ["number", "of", ..] | ["the", "number", "of", ..]
    );
    let mut counted = opening
        .iter()
        .skip_while(|own| !matches!(**own, "many" | "of"));
    let is_of_kind = counted
        .nth(1)
        .is_some_and(|own| names::singular(own) == noun);
    let is_gone = |own: &Vec<String>| prose::has(own, &GONE);
    let is_said = all.iter().any(|own| is_gone(own) && says_without(own));
    let is_plain = !all.iter().any(|own| is_gone(own) || prose::has(own, &OPEN));
    let is_there = prose::has(first, &THERE) && !prose::has(first, &EVER) && is_plain;
    let is_held = matches!(opening[..], [.., "has" | "have"])
        || is_there && !prose::has(first, &["has", "have"]);
    is_number && is_of_kind && (is_said || (is_there && is_held))
}

/// Whether a sentence says that what is deleted does not count.
fn says_without(words: &[String]) -> bool {
    let joined = words.join(" ");
    let leaves_out = ["without", "excluding", "except"];
    let is_left_out = leaves_out.iter().any(|own| {
        let gone = [" deleted", " removed", " detached"];
        gone.iter()
            .any(|gone| joined.contains(&format!("{own}{gone}")))
    });
    let not = [
        "not count",
        "not counting",
        "not counted",
        "not included",
        "not including",
    ];
    is_left_out || not.iter().any(|own| joined.contains(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_that_count_what_is_there() {
        for (text, expected) in [
            ("How many cards the customer has.", true),
            ("Number of cards that are saved for the customer now", true),
            ("The number of cards, not counting deleted ones.", true),
            ("How many cards were made. Deleted ones do not count.", true),
            ("How many cards were saved for the customer.", false),
            (
                "How many cards the customer has, deleted ones included",
                false,
            ),
            ("How many accounts the customer has", false),
            ("How many cards the customer may have", false),
            ("How many cards the customer has posted", false),
            ("How many active cards the customer has", false),
            (
                "How many cards were ever made. It does not fall when one is deleted.",
                false,
            ),
            ("Number of cards", false),
        ] {
            assert_eq!(counts(text, "card"), expected, "{text}");
        }
    }
}
