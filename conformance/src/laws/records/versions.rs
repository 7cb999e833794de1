//! Versions: an entity tag must change with the record, and a change of another version must be refused.
//!
//! A client that knows the current tag gets 304, if documented.

use openapi_document::view::Parameter;

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::prose;

use super::rewriting;
use crate::answered::{describe, record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::unchanged::{Unchanged, claim_each};
use crate::scene::version::{UNKNOWN_TAG, asks, tag, with_header};

/// Tests an operation that reads, changes, deletes or creates a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let applied = match call.role {
        Role::Read => known(scene, call, draft).await,
        Role::Change | Role::Delete => changed(scene, call, draft).await,
        Role::Create => {
            creation_tag(scene, call, draft).await;
            let asks = rewriting::test_call(scene, call, draft).await.is_some();
            let tried = by_child(scene, call, draft).await == Ok(true);
            Ok(asks || tried || !draft.is_clean())
        }
        _ => return Ok(false),
    };
    applied.or(Ok(false))
}

/// A client with the current tag must get 304, if documented; one with another tag must get the record.
async fn known<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "versions").await?;
    let first = scene.call(&ready, "versions").await?;
    let Some(known_tag) = tag(&first).filter(|_| succeeded(&first)) else {
        return Ok(false);
    };
    let other = scene
        .send(with_header(&first.sent, "if-none-match", UNKNOWN_TAG))
        .await;
    if status(&other) == Some(304) {
        let claim = Claim::new(
            &checks::VERSION_IGNORED,
            Basis::Standard(
                "RFC 9110, section 13.1.2: `if-none-match` with another tag gets the representation",
            ),
            "the record, as its tag differs",
            describe(&other),
        );
        scene.differ(draft, call, claim, &other);
    }
    if call.response(304).is_none() {
        return Ok(true);
    }
    let again = scene
        .send(with_header(&first.sent, "if-none-match", &known_tag))
        .await;
    if status(&again) == Some(304) {
        scene.reach(call, 304, draft);
    } else if tag(&again) == Some(known_tag) {
        let claim = Claim::new(
            &checks::VERSION_IGNORED,
            Basis::Status(304),
            "status 304 for the current tag",
            describe(&again),
        );
        scene.differ(draft, call, claim, &again);
    }
    Ok(true)
}

/// The server must refuse a change of another version, and give the changed record another tag.
async fn changed<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let asks = asks(call);
    let ready = scene.ready(call, "versions").await?;
    let sent = scene.compose(&ready, "versions")?;
    if asks {
        let named = Box::pin(Unchanged::by(scene, call, (&ready, sent.clone()))).await;
        let stale = scene
            .send(with_header(&sent, "if-match", UNKNOWN_TAG))
            .await;
        refused(scene, call, &stale, draft);
        if let Some(named) = named.filter(|_| draft.is_clean()) {
            Box::pin(named.check(scene, call, &stale, draft)).await;
        }
        without_version(scene, call, &sent, draft).await;
    }
    if call.role == Role::Delete {
        return Ok(asks);
    }
    let Some((creator, record)) = scene.record_before(call, &ready) else {
        return Ok(asks);
    };
    let (creator, record) = (creator.clone(), record.clone());
    let reader = scene.readers_for(&creator, &record, &sent).first().copied();
    let Some(reader) = reader else {
        return Ok(asks);
    };
    let before = scene.read(reader, &record, &sent).await?;
    if let (true, Some(now)) = (asks && draft.is_clean(), record_of(reader, &before)) {
        let found = scene.mismatches(call, &record, now);
        claim_each(scene, (call, call), found, &before, draft);
    }
    let Some(old) = tag(&before) else {
        return Ok(asks);
    };
    let done = scene.send(sent).await;
    let after = scene.read(reader, &record, &done.sent).await?;
    let moved = record_of(reader, &before).zip(record_of(reader, &after));
    let moved = moved.is_some_and(|(one, other)| !one.same_value(other));
    if succeeded(&done) && moved && tag(&after) == Some(old) {
        let claim = Claim::new(
            &checks::VERSION_STANDS,
            Basis::Standard(
                "RFC 9110, section 8.8.1: a validator changes whenever the representation does",
            ),
            "another tag after the change",
            "the same tag",
        );
        scene.differ(draft, call, claim, &after);
    }
    is_next(scene, call, (&done, &after), draft);
    Ok(true)
}

/// The server must refuse a request without a version with 428, if documented.
async fn without_version<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    sent: &Sent,
    draft: &mut Draft,
) -> Option<()> {
    const LACKING: u16 = 428;
    call.response(LACKING).filter(|_| draft.is_clean())?;
    let mut bare = sent.clone();
    bare.headers
        .retain(|(name, _)| !name.eq_ignore_ascii_case("if-match"));
    let exchange = scene.send(bare).await;
    let seen = scene.judge_seen(draft, call, &exchange, |code| *code == LACKING);
    if seen.is_some() {
        return Some(());
    }
    // Another reason may come first, and a required header that is missing may be a 400 or 422.
    let parameters = call.operation.parameters();
    let is_version = |parameter: &&Parameter<'_>| names::same(parameter.name, "if-match");
    let version = parameters.iter().find(is_version);
    let has_to_be = version.is_some_and(Parameter::required);
    let is_said = || {
        let code = LACKING.to_string();
        let text = version.and_then(|parameter| parameter.at.node.get("description")?.as_str());
        let mut said = call.texts().chain(text).flat_map(prose::spoken);
        said.any(|sentence| {
            prose::has(&sentence, &[&code])
                && prose::has(&sentence, &["without", "missing", "lacks"])
        })
    };
    let may_be_other = match status(&exchange) {
        Some(400 | 422) => has_to_be && !is_said(),
        item => matches!(item, Some(401 | 403 | 404 | 409 | 429 | 500..)),
    };
    if !may_be_other {
        let expected = format!("status {LACKING}, as the request names no version");
        let check = if succeeded(&exchange) {
            &checks::VERSION_IGNORED
        } else {
            &checks::STATUS_CODE
        };
        let claim = Claim::new(check, Basis::Status(LACKING), expected, describe(&exchange));
        scene.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// The tag in the answer to a creation must be that of the next reading.
async fn creation_tag<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    if !documents_tag(call) {
        return None;
    }
    let ready = scene.ready(call, "versions-made").await.ok()?;
    let done = scene.call(&ready, "versions-made").await.ok()?;
    let record = record_of(call, &done)?.clone();
    let readers = scene.readers_for(call, &record, &done.sent);
    let reader = readers.first().copied()?;
    let after = scene.read(reader, &record, &done.sent).await.ok()?;
    is_next(scene, call, (&done, &after), draft);
    Some(())
}

/// Whether the success documents an entity tag.
fn documents_tag(call: &Call<'_>) -> bool {
    let headers = call
        .success
        .as_ref()
        .map(|success| success.response.headers());
    let mut names = headers.into_iter().flatten();
    names.any(|(name, _)| name.eq_ignore_ascii_case("etag"))
}

/// A creation below a record that changes the record must change its tag.
async fn by_child<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "versions").await?;
    let Some((creator, record)) = scene.record_before(call, &ready) else {
        return Ok(false);
    };
    let record = record.clone();
    let sent = scene.compose(&ready, "versions")?;
    let reader = scene.readers_for(creator, &record, &sent).first().copied();
    let Some(reader) = reader.filter(|call| moves_always(call)) else {
        return Ok(false);
    };
    let mut before = scene.read(reader, &record, &sent).await?;
    let mut all = vec![sent];
    // Another kind of child may be counted elsewhere.
    for step in scene.other_kinds(call, (&ready, &ready.call)) {
        all.extend(scene.compose_step(&ready, &step, "versions-kind"));
    }
    let mut has_moved = false;
    for sent in all {
        let Some(old) = tag(&before).filter(|_| draft.is_clean()) else {
            break;
        };
        let done = scene.send(sent).await;
        let after = scene.read(reader, &record, &done.sent).await?;
        let both = record_of(reader, &before).zip(record_of(reader, &after));
        let moved = both.is_some_and(|(one, other)| !one.same_value(other));
        if succeeded(&done) && moved && tag(&after) == Some(old) {
            let expected = format!("another tag after `{}`", call.operation.label());
            let claim = Claim::new(
                &checks::VERSION_STANDS,
                Basis::Standard(
                    "RFC 9110, section 8.8.1: a validator changes whenever the representation does",
                ),
                expected,
                "the same tag",
            );
            scene.differ(draft, call, claim, &after);
        }
        has_moved |= succeeded(&done) && moved;
        before = after;
    }
    Ok(has_moved)
}

/// Whether a text says that the tag changes with every change of the record. Otherwise it may cover only written
/// values.
fn moves_always(reader: &Call<'_>) -> bool {
    let headers = reader
        .success
        .as_ref()
        .map(|success| success.response.headers());
    let mut headers = headers.into_iter().flatten();
    let header = headers.find(|(name, _)| name.eq_ignore_ascii_case("etag"));
    let text = header.and_then(|(_, at)| at.node.get("description")?.as_str());
    let of_tag = |name: &&str| names::words(name).iter().any(|word| word == "etag");
    // In a long text, only the paragraph about the tag counts.
    let overall = reader.overall.into_iter();
    let overall = overall.flat_map(|text| text.split("\n\n")).filter(of_tag);
    let mut said = text
        .into_iter()
        .chain(reader.texts().filter(of_tag))
        .chain(overall);
    said.any(says_always)
}

fn says_always(text: &str) -> bool {
    const EVERY: [&str; 4] = ["every", "each", "any", "whenever"];
    let said = prose::spoken(text);
    let is_said = |words: &Vec<String>| {
        prose::has(words, &EVERY)
            && words.iter().any(|word| word.starts_with("change"))
            && !prose::has(words, &["not"])
    };
    said.iter().any(is_said)
}

/// The tag in the answer to a change must be that of the next reading, if both show the same record.
fn is_next<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (done, after): (&Exchange, &Exchange),
    draft: &mut Draft,
) {
    let reader = scene.model.call(&after.sent.operation);
    let Some(reader) = reader.filter(|other| documents_tag(other) && documents_tag(call)) else {
        return;
    };
    let same = record_of(call, done).zip(record_of(reader, after));
    let (Some(one), Some(other)) = (tag(done), tag(after)) else {
        return;
    };
    let strong = |word: &str| word.trim_start_matches("W/").to_owned();
    if same.is_some_and(|(one, other)| one.same_value(other)) && strong(&one) != strong(&other) {
        let expected = format!("the tag of the next reading, {other}");
        let claim = Claim::new(
            &checks::VERSION_DIFFERS,
            Basis::Standard(
                "RFC 9110, section 8.8.1: a validator changes whenever the representation does",
            ),
            expected,
            one,
        );
        scene.differ(draft, call, claim, done);
    }
}

/// Compares the refusal of a change of another version with the documented one.
fn refused<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, exchange: &Exchange, draft: &mut Draft) {
    if succeeded(exchange) {
        let claim = Claim::new(
            &checks::VERSION_IGNORED,
            Basis::Standard("RFC 9110, section 13.1: a precondition that does not hold is refused"),
            "a refusal, as the version differs",
            describe(exchange),
        );
        scene.differ(draft, call, claim, exchange);
        return;
    }
    let Some(response) = call.first_of(&[412, 409]) else {
        return;
    };
    scene.judge_form(draft, call, &response, exchange);
    if let Some(code) = status(exchange) {
        scene.reach(call, code, draft);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_about_tags_that_always_change() {
        for (text, expected) in [
            (
                "Tells versions apart; it changes whenever the payment changes.",
                true,
            ),
            ("It changes with every change of the invoice", true),
            ("The version of the record.", false),
            ("Any text. It is opaque.", false),
        ] {
            assert_eq!(says_always(text), expected, "{text}");
        }
    }
}
