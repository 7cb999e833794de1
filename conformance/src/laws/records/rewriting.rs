//! Rewriting: a PUT to an existing record must name its current version, if the document requires one.
//!
//! The server must refuse a missing, an unknown and an outdated version.

use crate::checks;
use crate::exchange::Exchange;
use crate::model::Call;

use crate::answered::{describe, record_of, succeeded};
use crate::scene::Scene;
use crate::scene::another_body::another_body;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft};
use crate::scene::version::{UNKNOWN_TAG, asks, tag, with_header};

/// The status for a version that does not match.
const FAILED: u16 = 412;

/// The status for a missing version.
const LACKING: u16 = 428;

/// Tests a PUT under a client-chosen key. `None` if the operation takes no version.
pub(super) async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    if call.chosen.is_none() || !asks(call) {
        return None;
    }
    let ready = scene.ready(call, "rewriting").await.ok()?;
    let sent = scene.compose(&ready, "rewriting").ok()?;
    if call.response(FAILED).is_some() {
        // A record that does not exist has no version.
        let early = scene
            .send(with_header(&sent, "if-match", UNKNOWN_TAG))
            .await;
        is_refused(scene, call, (FAILED, &early), draft);
    }
    let first = scene.send(sent.clone()).await;
    let created = record_of(call, &first)?.clone();
    let known_tag = tag(&first)?;
    let mut next = sent;
    if let Some(other) = next
        .json
        .as_ref()
        .and_then(|body| another_body(scene, call, body))
    {
        scene.put_json(&mut next, &ready.call, other);
    }
    let bare = scene.send(next.clone()).await;
    is_refused(scene, call, (LACKING, &bare), draft);
    let strange = scene
        .send(with_header(&next, "if-match", UNKNOWN_TAG))
        .await;
    is_refused(scene, call, (FAILED, &strange), draft);
    let second = scene.send(with_header(&next, "if-match", &known_tag)).await;
    if !succeeded(&second) {
        return Some(());
    }
    scene.judge_seen(draft, call, &second, |_| true);
    let moved = record_of(call, &second).is_some_and(|now| !now.same_value(&created));
    let Some(new) = tag(&second).filter(|_| moved) else {
        return Some(());
    };
    if new == known_tag {
        let claim = Claim::new(
            &checks::VERSION_STANDS,
            Basis::Standard(
                "RFC 9110, section 8.8.1: a validator changes whenever the representation does",
            ),
            "another tag after the change",
            "the same tag",
        );
        scene.differ(draft, call, claim, &second);
        return Some(());
    }
    let outdated = scene.send(with_header(&next, "if-match", &known_tag)).await;
    is_refused(scene, call, (FAILED, &outdated), draft);
    Some(())
}

/// Compares the refusal of a PUT with the documented one, if the status is documented.
fn is_refused<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (code, exchange): (u16, &Exchange),
    draft: &mut Draft,
) {
    if call.response(code).is_none() {
        return;
    }
    let seen = scene.judge_seen(draft, call, exchange, |item| *item == code);
    if seen.is_none() && succeeded(exchange) {
        let claim = Claim::new(
            &checks::VERSION_IGNORED,
            Basis::Standard("RFC 9110, section 13.1: a precondition that does not hold is refused"),
            format!("status {code}, as the request does not name the current version"),
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
    }
}
