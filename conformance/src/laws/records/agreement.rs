//! Agreement: readings of a record must show what was answered: with every reader, and each time.

use std::time::Duration;

use openapi_document::Node;
use openapi_document::view::MediaType;

use crate::checks::{self, Check};
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;

use crate::answered::{describe, record_of, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::compare::shown;
use crate::scene::draft::{Claim, Draft, Tried};
use openapi_document::Pointer;

/// How often a record in transition is read, with `PAUSE` between two readings.
const LOOKS: u64 = 8;
/// The longest `Retry-After`, in seconds, that the runner waits.
const LONGEST: u64 = 3;
const PAUSE: Duration = Duration::from_millis(50);
/// Words of query parameters that select or expand parts of a record.
const SELECTORS: [&str; 3] = ["expand", "include", "fields"];

/// Tests an operation that answers a record which it created or changed.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !matches!(call.role, Role::Create | Role::Change) {
        return Ok(false);
    }
    test_call(scene, call, draft).await
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "agreement").await?;
    // A server that caches readings is stale only where the record was read before.
    if call.role == Role::Change {
        scene.read_before(call, &ready).await;
    }
    let exchange = scene.call(&ready, "agreement").await?;
    let record = record_of(call, &exchange).cloned();
    let Some(record) = record else {
        return Ok(false);
    };
    let readers = scene.readers_for(call, &record, &exchange.sent);
    for reader in &readers {
        let first = scene.read(reader, &record, &exchange.sent).await?;
        judge(
            scene,
            call,
            reader,
            (&record, &exchange.sent),
            &first,
            draft,
        );
        let second = scene.read(reader, &record, &exchange.sent).await?;
        let (first, second) = if differs(scene, reader, (&first, &second)) {
            // Another request of the run may have changed the record: an unstable one differs each time.
            let third = scene.read(reader, &record, &exchange.sent).await?;
            (second, third)
        } else {
            (first, second)
        };
        again(scene, call, reader, (&first, &second), draft);
        if [&first, &second].into_iter().any(|exchange| {
            record_of(reader, exchange).is_some_and(|node| scene.model.is_moving(node))
        }) {
            let address = (&record, &exchange.sent);
            let allowed_reads = allowed_reads(&exchange);
            comes_to_rest(scene, call, reader, (address, second, allowed_reads), draft).await?;
        }
    }
    if !readers.is_empty() && draft.is_clean() {
        for other in scene.successes_of_other_examples(call, "agreement").await {
            as_read(scene, call, &other, draft).await?;
        }
    }
    Ok(!readers.is_empty())
}

/// Every reader must show what an answer has.
pub(crate) async fn as_read<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    created: &Exchange,
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(record) = record_of(call, created).cloned() else {
        return Ok(());
    };
    for reader in scene.readers_for(call, &record, &created.sent) {
        let read = scene.read(reader, &record, &created.sent).await?;
        judge(scene, call, reader, (&record, &created.sent), &read, draft);
    }
    Ok(())
}

/// How often a record in transition is read: a little longer than `Retry-After` says.
fn allowed_reads(created: &Exchange) -> u64 {
    let answer = created.outcome.as_ref().ok();
    let observed = answer.and_then(|answer| answer.header("retry-after"));
    let seconds: Option<u64> = observed.and_then(|text| text.trim().parse().ok());
    let seconds = seconds.filter(|item| *item <= LONGEST);
    LOOKS + seconds.unwrap_or(0) * 1000 / 50
}

/// A record must not change any more once it has left its transition.
async fn comes_to_rest<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    reader: &Call<'d>,
    ((record, with), first, allowed_reads): ((&Node, &Sent), Exchange, u64),
    draft: &mut Draft,
) -> Result<(), String> {
    let mut now = first;
    for _ in 0..allowed_reads {
        let at_rest = record_of(reader, &now).is_some_and(|node| !scene.model.is_moving(node));
        if at_rest {
            let later = scene.read(reader, record, with).await?;
            again(scene, call, reader, (&now, &later), draft);
            at_rest_as_shown(scene, call, reader, &later, draft);
            return Ok(());
        }
        scene.pass(PAUSE).await;
        now = scene.read(reader, record, with).await?;
    }
    Ok(())
}

/// A record after its transition must follow its schema and have the values of the documented one in that state.
fn at_rest_as_shown<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    reader: &Call<'d>,
    read: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let success = reader.success.as_ref()?;
    scene.judge_form(draft, reader, &success.response, read);
    let now = record_of(reader, read)?;
    let content = success.response.content();
    let shown = content.iter().flat_map(MediaType::examples);
    let mut shown = shown.filter_map(|example| example.value.node.at(&success.record.as_ref()?.at));
    let state = |node: &Node| {
        let mut states = node
            .entries()
            .filter(|entry| names::names_state(&entry.key));
        states.next().map(|entry| entry.value.clone())
    };
    let state_now = state(now)?;
    let example = shown.find(|item| state(item).is_some_and(|node| node.same_value(&state_now)))?;
    for entry in example.entries().filter(|entry| !entry.value.is_null()) {
        let pointer = Pointer::root().join(entry.key.as_str());
        if now.get(&entry.key).is_some_and(Node::is_null) && is_time_or_count(&entry.key) {
            let claim = Claim::new(
                &checks::FINAL_VALUE,
                Basis::Name(reader.operation.at.node.span),
                format!(
                    "a value, as in the documented record in the state {}",
                    state_now.to_json()
                ),
                "null",
            )
            .at(pointer);
            scene.differ(draft, call, claim, read);
        }
    }
    Some(())
}

/// Whether a property is the time of an event, or a count.
fn is_time_or_count(name: &str) -> bool {
    let words = names::words(name);
    let last = words.last().map_or("", String::as_str);
    let done = words.iter().any(|item| names::is_participle(item));
    (last == "at" && done) || matches!(last, "count" | "rows" | "total" | "size")
}

fn judge<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    reader: &Call<'d>,
    (record, sent): (&Node, &Sent),
    read: &Exchange,
    draft: &mut Draft,
) {
    let what = reader.operation.label();
    let Some(found) = record_of(reader, read) else {
        if !succeeded(read) {
            let claim = Claim::new(
                &checks::READ_DIFFERS,
                Basis::Name(reader.operation.at.node.span),
                format!("`{what}` finds the record of `{}`", call.operation.label()),
                describe(read),
            );
            scene.differ(draft, call, claim, read);
        }
        return;
    };
    if selection(sent) != selection(&read.sent) {
        return;
    }
    differ(
        scene,
        call,
        reader,
        (&checks::READ_DIFFERS, "as in the earlier answer"),
        (record, found, read),
        draft,
    );
}

/// The query arguments that select or expand parts of a record: with others the same record has
/// another form.
fn selection(sent: &Sent) -> Vec<&(String, String)> {
    let selects = |(name, _): &&(String, String)| {
        let words = names::words(name);
        words.iter().any(|word| SELECTORS.contains(&word.as_str()))
    };
    sent.query.iter().filter(selects).collect()
}

/// Whether two readings of a record differ.
fn differs<'d>(
    scene: &Scene<'_, 'd>,
    reader: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
) -> bool {
    let pair = record_of(reader, first).zip(record_of(reader, second));
    pair.is_some_and(|(one, other)| !scene.mismatches(reader, one, other).is_empty())
}

fn again<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    reader: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    draft: &mut Draft,
) {
    let (Some(one), Some(other)) = (record_of(reader, first), record_of(reader, second)) else {
        return;
    };
    if scene.model.is_moving(one) {
        return;
    }
    differ(
        scene,
        call,
        reader,
        (&checks::READ_UNSTABLE, "as in the reading before"),
        (one, other, second),
        draft,
    );
    is_touched(scene, call, reader, (one, other, second), draft);
}

/// A reading must not move the modification time.
fn is_touched<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    reader: &Call<'d>,
    (one, other, exchange): (&Node, &Node, &Exchange),
    draft: &mut Draft,
) {
    let is_named = |name: &str| {
        let words = names::words(name);
        let last = words.last().map(String::as_str);
        let first = words.first().map(String::as_str);
        names::is_time_of_verb(&words, &["update"])
            || matches!(first, Some("updated" | "modified"))
                && matches!(last, Some("at" | "on" | "date" | "time"))
    };
    let volatile = scene.volatile(call);
    for entry in one.entries().filter(|entry| is_named(&entry.key)) {
        let now = other.get(&entry.key);
        if volatile.contains(&entry.key) || now.is_none_or(|now| now.same_value(&entry.value)) {
            continue;
        }
        let pointer = Pointer::root().join(entry.key.as_str());
        let claim = Claim::new(
            &checks::READ_UNSTABLE,
            Basis::Name(reader.operation.at.node.span),
            format!("{}, as in the reading before", shown(Some(&entry.value))),
            scene.shown(reader, &pointer, now),
        )
        .at(pointer);
        scene.differ(draft, call, claim, exchange);
    }
}

fn differ<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    reader: &Call<'d>,
    (check, expected): (&'static Check, &str),
    (one, other, exchange): (&Node, &Node, &Exchange),
    draft: &mut Draft,
) {
    for difference in scene.mismatches(call, one, other) {
        let shown_one = scene.shown(reader, &difference.pointer, Some(&difference.one));
        let claim = Claim::new(
            check,
            Basis::Name(reader.operation.at.node.span),
            format!("{shown_one}, {expected}"),
            match &difference.other {
                Some(other) => scene.shown(reader, &difference.pointer, Some(other)),
                None => shown(None),
            },
        )
        .at(difference.pointer);
        scene.differ(draft, call, claim, exchange);
    }
}
