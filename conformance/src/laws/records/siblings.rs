//! Siblings: an operation on one of two similar records of the same parent must not change the other one.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;

use crate::amount::Amount;
use crate::answered::{key_name, record_of, status};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::compare::Mismatch;
use crate::scene::draft::{Claim, Draft};

/// Creates a sibling of the record, calls the operation, and compares the sibling.
pub(crate) async fn check<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let is_step = call.operation.method == Method::Post;
    if call.role != Role::Change || speaks_of_others(call) {
        return None;
    }
    let ready = scene.ready(call, "siblings").await.ok()?;
    let (creator, record) = scene.record_before(call, &ready)?;
    let kind = (creator.record()?, call.record()?);
    let key = key_name(creator).filter(|_| kind.0.is(kind.1))?;
    let value = record.get(key)?.clone();
    let recipe = scene.chosen(call)?;
    let mut before = recipe.split()?.1.iter();
    let step = before.find(|step| step.name.operation == creator.operation.label())?;
    let sent = scene.compose_again(&ready, step, "sibling").ok()?;
    let created = scene.send(sent).await;
    let sibling = record_of(creator, &created)
        .filter(|node| !scene.model.is_moving(node))?
        .clone();
    let was = state(&sibling);
    if sibling.get(key)?.same_value(&value) {
        return None;
    }
    let readers = scene.readers_for(creator, &sibling, &created.sent);
    let reader = readers.first().copied()?;
    let before = scene.read(reader, &sibling, &created.sent).await.ok()?;
    let done = scene.call(&ready, "siblings").await.ok()?;
    let moved = record_of(call, &done).filter(|_| status(&done) != Some(202))?;
    let now = state(moved);
    let is_same = moved.get(key)?.same_value(&value);
    // If a step did not change its record, the test says nothing.
    if !is_same || (is_step && (was.is_none() || now == was)) {
        return None;
    }
    let read = scene.read(reader, &sibling, &created.sent).await.ok()?;
    let (known, other) = (record_of(reader, &before)?, record_of(reader, &read)?);
    for apart in scene.mismatches(creator, known, other) {
        let is_state = was.is_some_and(|(name, _)| apart.pointer == Pointer::root().join(name));
        if (is_step && is_state) || is_shared(&apart) {
            continue;
        }
        let claim = Claim::new(
            &checks::OTHERS_CHANGED,
            Basis::Names,
            format!(
                "{}: `{}` was about another record",
                scene.shown(reader, &apart.pointer, Some(&apart.one)),
                call.operation.label()
            ),
            scene.shown(reader, &apart.pointer, apart.other.as_ref()),
        )
        .at(apart.pointer);
        scene.differ(draft, call, claim, &read);
    }
    let (Some((name, now)), Some((_, was)), true) = (now, was, is_step) else {
        return Some(());
    };
    if state(other)? == (name, now) {
        let expected = format!(
            "{was}: `{}` was about another record",
            call.operation.label()
        );
        let claim = Claim::new(
            &checks::OTHERS_CHANGED,
            Basis::Names,
            expected,
            now.to_owned(),
        )
        .at(Pointer::root().join(name));
        scene.differ(draft, call, claim, &read);
    }
    Some(())
}

/// Whether a difference may be something that siblings share: an amount of their parent, or a rank among them.
fn is_shared(apart: &Mismatch) -> bool {
    let is_counted =
        |node: &Node| node.as_number().is_some() || Amount::read_signed(node).is_some();
    let names = apart.pointer.segments();
    is_counted(&apart.one) || names.into_iter().any(|item| is_among_others(&item))
}

/// The only state property of a record, with its value.
fn state(record: &Node) -> Option<(&str, &str)> {
    let mut states = record
        .entries()
        .filter(|entry| names::names_state(&entry.key));
    let only = states.next().filter(|_| states.next().is_none())?;
    Some((only.key.as_str(), only.value.as_str()?))
}

/// Whether the text of a step mentions several records.
fn speaks_of_others(call: &Call<'_>) -> bool {
    const OTHERS: [&str; 8] = [
        "all", "every", "each", "other", "others", "also", "too", "family",
    ];
    call.spoken()
        .iter()
        .any(|sentence| prose::has(sentence, &OTHERS))
}

/// Whether a property shows the position of a record among others.
pub(crate) fn is_among_others(name: &str) -> bool {
    const WORDS: [&str; 13] = [
        "default",
        "primary",
        "preferred",
        "selected",
        "current",
        "active",
        "position",
        "rank",
        "order",
        "index",
        "count",
        "total",
        "balance",
    ];
    names::words(name)
        .iter()
        .any(|word| WORDS.contains(&word.as_str()))
}
