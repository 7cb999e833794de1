//! Deletion: a deleted record must not be found, listed or deleted again.

use openapi_document::view::{Location, Response, Status};
use openapi_document::{Mapping, Node, Value};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::fresh::is_natural_name;
use crate::model::{self, Call, Role, same_path};
use crate::names;
use crate::prose;
use crate::value;

use super::members;
use crate::answered::{describe, items_of, key_name, record_of, status, succeeded};
use crate::laws::lists::paging::Paging;
use crate::scene::Scene;
use crate::scene::addressing::can_address;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// Words for records that a server keeps after their deletion.
const GONE: [&str; 14] = [
    "retired",
    "terminated",
    "deleted",
    "removed",
    "archived",
    "cancelled",
    "canceled",
    "closed",
    "inactive",
    "disabled",
    "deactivated",
    "expired",
    "revoked",
    "detached",
];

/// Tests an operation that deletes a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Delete || call.path_parameters().is_empty() || stays(scene, call) {
        return Ok(false);
    }
    test_call(scene, call, draft).await.map(|()| true)
}

/// Whether the behaviour file says that the record can be read after the operation.
fn stays<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> bool {
    let label = call.operation.label();
    let behaviour = &scene.model.behaviour;
    behaviour.records.iter().any(|record| {
        let does = |event: &&openapi_document::behaviour::Event| {
            event.operations.iter().any(|(_, item)| item.text == label)
        };
        let events: Vec<&str> = record
            .events
            .iter()
            .filter(does)
            .map(|item| item.name.text.as_str())
            .collect();
        let all = record.machines.iter().flat_map(|item| &item.transitions);
        let transitions = all.filter(|item| events.contains(&item.event.text.as_str()));
        transitions
            .filter_map(|item| record.state(&item.to.text))
            .any(|state| state.wire.is_some())
    })
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "deletion").await?;
    let sent = scene.compose(&ready, "deletion")?;
    let nothing = value::node(Value::Mapping(Mapping::default()));
    let reader = reader(scene, call);
    let mut record = nothing;
    if let Some(reader) = reader {
        let before = scene.read(reader, &record, &sent).await?;
        if let Some(found) = record_of(reader, &before) {
            record = found.clone();
        }
    }
    let owners = scene.named_before(call, &ready, &sent).into_iter();
    let owners: Vec<_> = owners
        .map(|(item, record)| (item, record.clone()))
        .collect();
    let done = scene.send(sent).await;
    if !succeeded(&done) {
        return Err(format!("the deletion did not succeed: {}", describe(&done)));
    }
    // The parent's sums change with the deletion; the scene checks their equations in this reading.
    for (creator, owner) in owners {
        let readers = scene.readers_for(creator, &owner, &done.sent);
        if let Some(reads) = readers
            .into_iter()
            .find(|other| other.operation.path != call.operation.path)
        {
            let _ = scene.read(reads, &owner, &done.sent).await;
        }
    }
    let mut is_kept = is_kept(call, &done);
    if let Some(reader) = reader.filter(|_| !is_kept) {
        let read = scene.read(reader, &record, &done.sent).await?;
        is_kept = record_of(reader, &read).is_some_and(|now| is_marked(&record, now));
        if !is_kept {
            is_unread(scene, (call, reader), &read, draft);
            is_unlisted(scene, reader, (&record, &done.sent), draft).await?;
        }
    }
    members::check(scene, call, (&ready, &done), draft).await;
    if !is_kept {
        again(scene, call, done.sent, draft).await?;
    }
    Ok(())
}

/// Whether the deletion leaves a readable record: it answers the record, or was only accepted for later.
fn is_kept(call: &Call<'_>, done: &Exchange) -> bool {
    status(done) == Some(202) || record_of(call, done).is_some()
}

/// The operation that reads the deleted record: it has the same path.
fn reader<'w, 'd>(scene: &Scene<'w, 'd>, call: &Call<'d>) -> Option<&'w Call<'d>> {
    let path = call.operation.path;
    let mut readers = scene.model.of(Role::Read);
    readers.find(|call| same_path(call.operation.path, path))
}

/// Whether the operation documents that a record is not found.
pub(super) fn documents_absence(call: &Call<'_>) -> bool {
    let absence = |response: &Response<'_>| {
        matches!(
            response.status,
            Status::Code(404 | 410) | Status::Range(4) | Status::Default
        )
    };
    call.operation.responses().iter().any(absence)
}

/// Whether a record says that it is deleted.
pub(super) fn says_gone(record: &Node) -> bool {
    let is_gone = |text: &str| {
        let words = names::words(text);
        words.iter().any(|word| GONE.contains(&word.as_str()))
    };
    record.entries().any(|entry| match &entry.value.value {
        Value::String(text) => is_gone(&entry.key) || is_gone(text),
        Value::Bool(flag) => {
            let is_active = names::words(&entry.key).iter().any(|word| word == "active");
            (*flag && is_gone(&entry.key)) || (!*flag && is_active)
        }
        _ => false,
    })
}

/// Whether the deletion marked the record: with a flag, a time, or another state.
fn is_marked(before: &Node, now: &Node) -> bool {
    let mut entries = now.entries();
    entries.any(|entry| {
        let old = before.get(&entry.key);
        match (&entry.value.value, old.map(|old| &old.value)) {
            (Value::Bool(true), Some(Value::Bool(false)))
            | (Value::String(_), None | Some(Value::Null)) => true,
            (Value::String(new), Some(Value::String(old))) => {
                names::names_state(&entry.key) && new != old
            }
            (Value::Mapping(_), Some(_)) => old.is_some_and(|old| is_marked(old, &entry.value)),
            _ => false,
        }
    })
}

fn is_unread<'d>(
    scene: &mut Scene<'_, 'd>,
    (call, reader): (&Call<'d>, &Call<'d>),
    read: &Exchange,
    draft: &mut Draft,
) {
    if !documents_absence(reader) {
        return;
    }
    if !succeeded(read) {
        absent(scene, reader, read, draft);
        return;
    }
    if !record_of(reader, read).is_some_and(says_gone) {
        let expected = format!("`{}` does not find it", reader.operation.label());
        let claim = Claim::new(
            &checks::DELETED_FOUND,
            Basis::Name(reader.operation.at.node.span),
            expected,
            describe(read),
        );
        scene.differ(draft, call, claim, read);
    }
}

/// Compares a refusal for a missing record with the documented one.
fn absent<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, exchange: &Exchange, draft: &mut Draft) {
    let code = status(exchange).filter(|code| matches!(code, 404 | 410));
    let documented = code.and_then(|code| call.response(code));
    let Some(response) = documented.or_else(|| call.first_of(&[404, 410])) else {
        return;
    };
    scene.judge(draft, call, &response, exchange);
    if let Some(code) = code {
        scene.reach(call, code, draft);
    }
}

async fn is_unlisted<'d>(
    scene: &mut Scene<'_, 'd>,
    reader: &Call<'d>,
    (record, with): (&Node, &Sent),
    draft: &mut Draft,
) -> Result<(), String> {
    let Some((kind, key)) = reader.record().zip(key_name(reader)) else {
        return Ok(());
    };
    let Some(value) = record.get(key) else {
        return Ok(());
    };
    let model = scene.model;
    for list in model.lists(kind) {
        if !can_address(list, record, with) {
            continue;
        }
        let paging = Paging::of(scene, list);
        let address = (record, with);
        let search = paging.find(scene, list, address, (key, value)).await?;
        if let (Some(item), Some(last)) = (&search.found, &search.last)
            && !says_gone(item)
        {
            let claim = Claim::new(
                &checks::DELETED_LISTED,
                Basis::Names,
                "no item for the deleted record",
                "an item for it",
            );
            scene.differ(draft, list, claim, last);
        }
        if draft.is_clean() {
            is_unfiltered(scene, list, (record, with), (key, value), draft).await;
        }
    }
    Ok(())
}

/// A list filtered by a unique value of the deleted record must not contain it.
async fn is_unfiltered<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    (record, with): (&Node, &Sent),
    (key, node): (&str, &Node),
    draft: &mut Draft,
) -> Option<()> {
    let parameters = list.operation.parameters().into_iter();
    let query = parameters.filter(|parameter| parameter.location == Location::Query);
    let names: Vec<&str> = query.map(|parameter| parameter.name).collect();
    let by = names.into_iter().find(|name| {
        let observed = record.get(name).and_then(Node::as_str);
        *name != key && is_natural_name(name) && observed.is_some()
    })?;
    let requested = [(by, record.get(by)?.clone())];
    let sent = scene.compose_read(list, record, with, &requested).ok()?;
    let found = scene.send(sent).await;
    let mut records = items_of(list, &found)?
        .iter()
        .filter_map(|node| node.at(&list.record()?.at));
    let item = records.find(|item| item.get(key).is_some_and(|item| item.same_value(node)))?;
    if !says_gone(item) {
        let expected = format!("no item for the deleted record when filtered by `{by}`");
        let claim = Claim::new(
            &checks::DELETED_LISTED,
            Basis::Names,
            expected,
            "an item for it",
        );
        scene.differ(draft, list, claim, &found);
    }
    Some(())
}

/// The second deletion must be answered as documented.
async fn again<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    sent: Sent,
    draft: &mut Draft,
) -> Result<(), String> {
    let second = scene.send(sent).await;
    // The documented 404 of `DELETE /notes/{id}/pin` may concern the note alone.
    let is_of_record = model::names_one(call.operation.path) && call.path_parameters().len() == 1;
    let is_documented = call.not_found().is_some() && is_of_record;
    if !is_documented && call.response(410).is_none() {
        return Ok(());
    }
    if succeeded(&second) && call.spoken().iter().any(|sentence| may_be_again(sentence)) {
        return Ok(());
    }
    if succeeded(&second) {
        let expected = "a refusal: the record is already deleted";
        let claim = Claim::new(
            &checks::DELETED_TWICE,
            Basis::Names,
            expected,
            describe(&second),
        );
        scene.differ(draft, call, claim, &second);
    } else if status(&second) != Some(409) || call.response(409).is_none() {
        absent(scene, call, &second, draft);
    }
    Ok(())
}

/// Whether a sentence allows to delete a deleted record again: "deleting a reader again does nothing".
fn may_be_again(sentence: &[String]) -> bool {
    const AGAIN: [&str; 6] = [
        "already",
        "again",
        "twice",
        "repeated",
        "idempotent",
        "harmless",
    ];
    const REFUSED: [&str; 8] = [
        "404", "410", "409", "refused", "rejected", "fails", "cannot", "found",
    ];
    let is_error = prose::has(sentence, &["error"]) && !prose::has(sentence, &["no", "not"]);
    prose::has(sentence, &AGAIN) && !prose::has(sentence, &REFUSED) && !is_error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_that_are_marked_as_deleted() {
        for (record, expected) in [
            (r#"{"status":"DELETED"}"#, true),
            (r#"{"deleted":true}"#, true),
            (r#"{"deletedAt":"2026-01-01"}"#, true),
            (r#"{"active":false}"#, true),
            (r#"{"deleted":false,"deletedAt":null}"#, false),
            (r#"{"status":"active"}"#, false),
        ] {
            let record = openapi_document::json::read_text(record).unwrap();
            assert_eq!(says_gone(&record), expected, "{}", record.to_json());
        }
    }

    #[test]
    fn sentences_that_allow_a_second_deletion() {
        for (text, expected) in [
            (
                "Retiring a reader that is retired already does nothing",
                true,
            ),
            (
                "A second deletion of it has no effect, and is again `204`",
                true,
            ),
            (
                "Archiving a plan that is archived already is not an error",
                true,
            ),
            ("Archiving what is archived already is an error", false),
            (
                "Deleting it again is answered with 404 and does nothing",
                false,
            ),
            ("What is deleted already is not found", false),
        ] {
            let words = names::words(text);
            assert_eq!(may_be_again(&words), expected, "{text}");
        }
    }
}
