//! Cascade: what is said to be deleted together with a record is gone when that is: "deletes a customer together with its drafts".

use crate::checks;
use crate::model::{Call, Model, Record, Role};
use crate::names;
use crate::prose;

use super::deletion::{says_gone, tells_absence};
use crate::answered::{record_of, succeeded, told};
use crate::laws::steps::blocked::named;
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// Makes what is said to go, too, deletes what it belongs to, and reads it.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let model = scene.model;
    let said: Vec<&str> = call.texts().flat_map(prose::sentences).collect();
    let creators = model.calls.iter().filter(|own| own.role == Role::Create);
    let goes = |own: &&Call<'d>| {
        let kind = own.record();
        kind.is_some_and(|kind| said.iter().any(|text| goes_with(text, kind).is_some()))
    };
    let all: Vec<&Call<'d>> = creators
        .filter(goes)
        .filter(|own| scene.covers(own))
        .collect();
    for maker in all {
        let kind = maker.record()?;
        let before = said.iter().find_map(|text| goes_with(text, kind))?;
        of(scene, (call, maker), &before, draft).await;
    }
    Some(())
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    (call, maker): (&Call<'d>, &Call<'d>),
    before: &str,
    draft: &mut Draft,
) -> Option<()> {
    let kind = owner(scene, call)?;
    let tag = format!("cascade-{}", maker.operation.label());
    let ready = scene.ready(maker, &tag).await.ok()?;
    let [(owner, with)] = &named(scene, &ready, kind)[..] else {
        return None;
    };
    let made = scene.call(&ready, &tag).await.ok()?;
    let record = record_of(maker, &made).filter(|_| succeeded(&made))?;
    // Of drafts alone, where it says so.
    let mut states = record.entries().filter(|own| names::tells_state(&own.key));
    let state = states.next().and_then(|own| own.value.as_str());
    let shown = maker.record()?.name.clone();
    (before.is_empty() || state.is_some_and(|own| own.eq_ignore_ascii_case(before)))
        .then_some(())?;
    let readers = scene.readers_for(maker, record, &made.sent);
    let reader = readers.first().copied().or_else(|| remover(scene, maker));
    let reader = reader.filter(|own| tells_absence(own))?;
    let gone = scene.compose_read(call, owner, with, &[]).ok()?;
    let gone = scene.send(gone).await;
    succeeded(&gone).then_some(())?;
    let read = scene.compose_read(reader, record, &made.sent, &[]).ok()?;
    let read = scene.send(read).await;
    if succeeded(&read) && !record_of(reader, &read).is_some_and(says_gone) {
        let by = call.operation.label();
        let expected = format!("no {shown}: `{by}` has deleted what it belongs to");
        let claim = Claim::new(
            &checks::DELETED_FOUND,
            Ground::Name(reader.operation.at.node.span),
            expected,
            told(&read),
        );
        scene.differ(draft, call, claim, &read);
    }
    Some(())
}

/// The deletion of what a call makes: what nobody can read cannot be deleted any more.
fn remover<'w, 'd>(scene: &Scene<'w, '_, '_, 'd>, maker: &Call<'d>) -> Option<&'w Call<'d>> {
    let model: &'w Model<'d> = scene.model;
    let label = maker.operation.label();
    model.of(Role::Delete).find(|own| {
        let parameter = own.path_parameters().last().copied();
        let creator = parameter.and_then(|last| model.creator_for(&own.operation, last));
        creator.is_some_and(|own| own.operation.label() == label) && own.response(404).is_some()
    })
}

/// The kind of record that a deletion takes away: that of what is read at the same path.
fn owner<'w, 'd>(scene: &Scene<'w, '_, '_, 'd>, call: &Call<'d>) -> Option<&'w Record<'d>> {
    let path = call.operation.path;
    let mut readers = scene.model.of(Role::Read);
    readers.find(|own| own.operation.path == path)?.record()
}

/// Where a sentence says that a kind of record is deleted with another one: the state that it has to be in, nothing for any.
fn goes_with(text: &str, kind: &Record<'_>) -> Option<String> {
    let noun = names::words(&kind.name).pop()?;
    with(text, &noun)
}

fn with(text: &str, noun: &str) -> Option<String> {
    const OF_ALL: [&str; 8] = ["all", "its", "the", "their", "s", "stored", "saved", "own"];
    const DELETES: [&str; 6] = [
        "deletes", "deleted", "removes", "removed", "delete", "remove",
    ];
    const DOUBTFUL: [&str; 14] = [
        "not", "never", "no", "unless", "if", "cannot", "only", "without", "refused", "kept",
        "keeps", "stay", "stays", "remain",
    ];
    // `and its invoices can be paid still` says something else of them.
    const SAYS: [&str; 9] = [
        "is", "are", "can", "may", "must", "will", "become", "becomes", "has",
    ];
    let words = names::words(text);
    let is_said = prose::has(&words, &DELETES) && !prose::has(&words, &DOUBTFUL);
    let from = words.windows(2).position(|own| {
        let (first, second) = (own[0].as_str(), own[1].as_str());
        (first == "together" && second == "with")
            || (matches!(first, "and" | "with") && matches!(second, "all" | "its"))
    });
    // `Deletes a customer and the customer's invoices`
    let of_it = || {
        words.windows(4).position(|own| {
            let (first, second) = (own[0].as_str(), own[1].as_str());
            matches!(first, "and" | "with") && second == "the" && own[3] == "s"
        })
    };
    let from = from.or_else(of_it);
    let after = &words[from.filter(|_| is_said)? + 2..];
    let at = after
        .iter()
        .take(5)
        .position(|own| names::singular(own) == noun)?;
    let rest = &after[at + 1..];
    if prose::has(rest, &SAYS) && !prose::has(rest, &DELETES) {
        return None;
    }
    let before = at.checked_sub(1).map(|at| after[at].clone());
    let of_all = |own: &String| OF_ALL.contains(&own.as_str());
    Some(before.filter(|own| !of_all(own)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_deleted_with_another_record() {
        for (text, expected) in [
            (
                "Deletes a customer together with its draft invoices",
                Some("draft"),
            ),
            ("Deletes the customer and all invoices of it", Some("")),
            ("The customer is removed with its invoices", Some("")),
            ("The customer and all its invoices are deleted", Some("")),
            (
                "Deletes the customer and all of the customer's invoices",
                Some(""),
            ),
            (
                "Delete a customer and the customer's stored invoices",
                Some(""),
            ),
            ("Delete a customer and the invoices", None),
            ("Deletes the customer; its invoices are kept", None),
            (
                "The customer is deleted and its invoices can be read still",
                None,
            ),
            ("Deletes the customer, and its invoices stay", None),
            ("A customer is not deleted together with its invoices", None),
            ("Deletes a customer, refused with its open invoices", None),
        ] {
            assert_eq!(with(text, "invoice").as_deref(), expected, "{text}");
        }
    }
}
