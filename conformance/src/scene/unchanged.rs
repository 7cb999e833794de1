//! Unchanged: checks that a refused request, or a repeated one, left the records that it names unchanged.

use openapi_document::{Node, Pointer};
use openapi_facts::{Evidence, Rule};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::names;
use crate::prose;

use crate::answered::{describe, record_of, status};
use crate::scene::basis::Basis;
use crate::scene::compare::Mismatch;
use crate::scene::draft::{Claim, Draft};
use crate::scene::whole::{Whole, shown};
use crate::scene::{Ready, Scene};

/// The records that a request names, as read before it.
pub(crate) struct Unchanged<'w, 'd> {
    all: Vec<(&'w Call<'d>, Node)>,
    with: Sent,
}

impl<'w, 'd> Unchanged<'w, 'd> {
    /// Reads the records that a call names. `None` if no operation reads any of them, or all are in transition.
    pub(crate) async fn of(
        scene: &mut Scene<'w, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
    ) -> Option<Self> {
        let with = scene.compose(ready, "untouched").ok()?;
        Self::by(scene, call, (ready, with)).await
    }

    /// Reads the records that this request of a call names.
    pub(crate) async fn by(
        scene: &mut Scene<'w, 'd>,
        call: &Call<'d>,
        (ready, with): (&Ready<'_, 'd>, Sent),
    ) -> Option<Self> {
        let mut all = Vec::new();
        for (creator, created) in scene.named_before(call, ready, &with) {
            let readers = scene.readers_for(creator, created, &with);
            let Some(reader) = readers.first().copied() else {
                continue;
            };
            let Ok(read) = scene.read(reader, created, &with).await else {
                continue;
            };
            let record = record_of(reader, &read).filter(|node| !scene.model.is_moving(node));
            if let Some(record) = record {
                all.push((reader, record.clone()));
            }
        }
        for owner in moved(scene, call) {
            let Some(whole) = Whole::of(scene, call, (ready, owner)) else {
                continue;
            };
            let is_known = all
                .iter()
                .any(|(reader, _)| reader.operation.label() == whole.reader.operation.label());
            // Other requests of the run move a record that all callers share.
            if is_known || whole.is_shared() {
                continue;
            }
            if let Some(record) = whole.read(scene).await {
                all.push((whole.reader, record));
            }
        }
        (!all.is_empty()).then_some(Self { all, with })
    }

    /// Reads the records again after a refusal and claims each difference.
    pub(crate) async fn check(
        &self,
        scene: &mut Scene<'w, 'd>,
        call: &Call<'d>,
        refused: &Exchange,
        draft: &mut Draft,
    ) -> Option<()> {
        // Without an answer, or after a 408, 425 or 429, the client does not know whether the request was executed.
        let is_refusal = |code: &u16| (400..500).contains(code) && !matches!(code, 408 | 425 | 429);
        status(refused).filter(is_refusal)?;
        for (reader, record) in &self.all {
            let Ok(read) = scene.read(reader, record, &self.with).await else {
                continue;
            };
            match shown(reader, &read) {
                Some(after) => {
                    let mut found = scene.mismatches(reader, record, after);
                    found.extend(scene.moved_markers(reader, record, after));
                    found.retain(|difference| !counts_refusals(&difference.pointer));
                    self.retain_traces(scene, (reader, record), after, &mut found)
                        .await;
                    claim_each(scene, (call, reader), found, refused, draft);
                }
                None if matches!(status(&read), Some(404 | 410)) => {
                    let claim = Claim::new(
                        &checks::REFUSAL_CHANGED_STATE,
                        Basis::Names,
                        "the record, as before the refusal",
                        describe(&read),
                    );
                    scene.differ(draft, call, claim, refused);
                }
                None => {}
            }
        }
        Some(())
    }

    /// Removes differences in values that change with each reading.
    async fn retain_traces(
        &self,
        scene: &mut Scene<'w, 'd>,
        (reader, record): (&Call<'d>, &Node),
        after: &Node,
        found: &mut Vec<Mismatch>,
    ) {
        if found.is_empty() {
            return;
        }
        let again = self.again(scene, (reader, record)).await;
        found.retain(|difference| {
            let now = again.as_ref().map(|again| again.at(&difference.pointer));
            now.is_none_or(|now| is_same(after.at(&difference.pointer), now))
        });
    }

    /// Another reading of a record.
    async fn again(
        &self,
        scene: &mut Scene<'w, 'd>,
        (reader, record): (&Call<'d>, &Node),
    ) -> Option<Node> {
        let again = scene.read(reader, record, &self.with).await.ok()?;
        shown(reader, &again).cloned()
    }

    /// Reads the records again after a repeated request, which must have no further effect. A value that a second
    /// repeat does not change counts as moved by itself.
    pub(crate) async fn check_after_repeat(
        &self,
        scene: &mut Scene<'w, 'd>,
        call: &Call<'d>,
        repeat: &Exchange,
        draft: &mut Draft,
    ) {
        for (reader, record) in &self.all {
            let Ok(read) = scene.read(reader, record, &self.with).await else {
                continue;
            };
            let Some(after) = shown(reader, &read) else {
                continue;
            };
            let (after, mut found) = (after.clone(), scene.mismatches(reader, record, after));
            if found.is_empty() {
                continue;
            }
            scene.send(repeat.sent.clone()).await;
            let again = self.again(scene, (reader, record)).await;
            found.retain(|difference| {
                let now = again.as_ref().map(|again| again.at(&difference.pointer));
                let moves = now.is_some_and(|now| !is_same(after.at(&difference.pointer), now));
                moves && !counts_requests(&difference.pointer)
            });
            for difference in found {
                let expected = scene.shown(reader, &difference.pointer, Some(&difference.one));
                let claim = Claim::new(
                    &checks::REPEAT_DONE_AGAIN,
                    Basis::Names,
                    format!("{expected}, unchanged by the repeated request"),
                    scene.shown(reader, &difference.pointer, difference.other.as_ref()),
                );
                scene.differ(draft, call, claim.at(difference.pointer), repeat);
            }
        }
    }
}

/// The records whose numbers an operation moves, by stated facts.
fn moved<'w>(scene: &Scene<'w, '_>, call: &Call<'_>) -> Vec<&'w str> {
    let facts = scene.facts.list.iter();
    let facts =
        facts.filter(|fact| fact.evidence() == Evidence::Stated && fact.is_about(&call.operation));
    let counters = facts.filter_map(|fact| match &fact.rule {
        Rule::Counter(rule) => Some(rule.subject.owner.as_str()),
        _ => None,
    });
    counters.collect()
}

/// Whether two values are equal, or both absent.
fn is_same(one: Option<&Node>, other: Option<&Node>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.same_value(other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Whether a property counts requests, whatever their result.
fn counts_requests(at: &Pointer) -> bool {
    const ASKED: [&str; 5] = ["request", "requests", "calls", "hits", "usage"];
    at.segments()
        .any(|name| prose::has(&names::words(&name), &ASKED))
}

/// Whether a property counts refusals.
fn counts_refusals(at: &Pointer) -> bool {
    const REFUSED: [&str; 12] = [
        "attempt", "attempts", "tries", "retries", "failure", "failures", "failed", "decline",
        "declined", "declines", "error", "errors",
    ];
    at.segments()
        .any(|name| prose::has(&names::words(&name), &REFUSED))
}

/// Claims the differences between two readings around a refusal, including modification times.
pub(crate) fn claim_changes<'d>(
    scene: &Scene<'_, 'd>,
    (call, teller): (&Call<'d>, &Call<'d>),
    (before, after): (&Node, &Node),
    refused: &Exchange,
    draft: &mut Draft,
) {
    let mut found = scene.mismatches(teller, before, after);
    found.extend(scene.moved_markers(teller, before, after));
    claim_each(scene, (call, teller), found, refused, draft);
}

/// Claims these differences.
pub(crate) fn claim_each<'d>(
    scene: &Scene<'_, 'd>,
    (call, teller): (&Call<'d>, &Call<'d>),
    found: Vec<Mismatch>,
    refused: &Exchange,
    draft: &mut Draft,
) {
    for difference in found {
        let expected = scene.shown(teller, &difference.pointer, Some(&difference.one));
        let claim = Claim::new(
            &checks::REFUSAL_CHANGED_STATE,
            Basis::Names,
            format!("{expected}, as before the refusal"),
            scene.shown(teller, &difference.pointer, difference.other.as_ref()),
        );
        scene.differ(draft, call, claim.at(difference.pointer), refused);
    }
}
