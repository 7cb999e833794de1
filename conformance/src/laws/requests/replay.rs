//! Replay: requests with one idempotency key, sent at once, make one record; a repeat is answered with a
//! documented status, and a request that is refused for its key changes nothing of the record that has it.

use std::collections::BTreeSet;

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, names, prose};

use super::key::set_key;
use crate::laws::trial::answered::{own_key, record_of, status, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many are sent at once.
const TWINS: usize = 6;

/// Requests with one key, sent at once, make one record.
pub(crate) async fn at_once<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    header: &str,
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(key) = own_key(call).filter(|_| world.may_race()) else {
        return Ok(());
    };
    let ready = world.ready(call, "repetition-race").await?;
    let mut sent = world.compose(&ready, "repetition-race")?;
    let own = ready.state.fresh.fork("repetition-race").uuid();
    set_key(&mut sent, header, own);
    let twins: Vec<Sent> = std::iter::repeat_n(sent, TWINS).collect();
    let exchanges = world.send_together(twins).await;
    let keys = exchanges
        .iter()
        .filter_map(|own| Some(record_of(call, own)?.get(key)?.to_json()));
    let keys: BTreeSet<String> = keys.collect();
    if let (true, Some(last)) = (keys.len() > 1, exchanges.last()) {
        let claim = Claim::new(
            &checks::REPEAT_MADE_ANOTHER,
            Ground::Names,
            format!("one record of {TWINS} requests with one key, sent at once"),
            format!("{} records", keys.len()),
        );
        world.differ(draft, call, claim, last);
    }
    Ok(())
}

/// A repeat that is granted has a documented status.
pub(crate) fn is_documented<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    repeat: &Exchange,
    draft: &mut Draft,
) {
    let code = status(repeat).unwrap_or_default();
    if call.operation.response(code).is_some() {
        return;
    }
    let claim = Claim::new(
        &checks::UNDECLARED_STATUS,
        Ground::Responses,
        "a documented answer to a repeat",
        told(repeat),
    );
    world.differ(draft, call, claim, repeat);
}

/// A repeat that is answered as before is marked as one, and the first answer is not, where the document tells of such a
/// mark.
pub(crate) fn is_marked<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let mark = Mark::of(world, call, status(second)?)?;
    let is_in = |own: &Exchange| {
        let answer = own.outcome.as_ref().ok();
        answer.and_then(|own| own.header(&mark.name)).as_deref() == Some(mark.value.as_str())
    };
    let at = Pointer::root().join("header").join(&*mark.name);
    if is_in(first) {
        let expected = format!("no `{}` in the answer to a new request", mark.name);
        let claim = Claim::new(&checks::HEADER_VALUE, Ground::Names, expected, &*mark.value).at(at);
        world.differ(draft, call, claim, first);
    } else if !is_in(second) {
        let expected = format!("`{}: {}` in the answer to a repeat", mark.name, mark.value);
        let claim = Claim::new(&checks::HEADER_MISSING, Ground::Names, expected, "none").at(at);
        world.differ(draft, call, claim, second);
    }
    Some(())
}

/// The header that marks the answer to a repeat.
#[derive(Debug, PartialEq, Eq)]
struct Mark {
    name: String,
    value: String,
}

impl Mark {
    /// The mark that a text tells of, else the header that is documented and called so.
    fn of<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>, code: u16) -> Option<Self> {
        let document = world.model.document;
        let response = call.operation.response(code)?;
        let headers = response.headers().into_iter();
        let headers: Vec<_> = headers
            .map(|(name, own)| (name, document.resolve(&own).unwrap_or(own)))
            .collect();
        let said = |node: &'d Node| node.get("description")?.as_str();
        let parameters = call.operation.parameters();
        let of_parameters = parameters.iter().filter_map(|own| said(own.at.node));
        let of_headers = headers.iter().filter_map(|(_, own)| said(own.node));
        let of_response = said(response.at.node);
        let mut texts = call.texts().chain(call.overall).chain(of_parameters);
        let told = texts.find_map(Self::told);
        let told = told.or_else(|| of_headers.chain(of_response).find_map(Self::told));
        told.or_else(|| {
            let is_mark = |own: &&(&str, _)| {
                let words = names::words(own.0);
                prose::has(&words, &["replayed", "replay"])
            };
            let (name, own) = headers.iter().find(is_mark)?;
            let is_sometimes = said(own.node).is_some_and(|text| {
                let words = names::words(text);
                prose::has(&words, &["when", "if", "only", "where"])
            });
            is_sometimes.then(|| Self {
                name: (*name).to_owned(),
                value: "true".to_owned(),
            })
        })
    }

    /// What a sentence about repeats tells: `carries Idempotent-Replayed: true`, in the marks of code.
    fn told(text: &str) -> Option<Self> {
        const AGAIN: [&str; 5] = ["replay", "replayed", "repeat", "repeated", "again"];
        let about = |own: &&str| prose::has(&names::words(own), &AGAIN);
        let mut sentences = prose::sentences(text).into_iter().filter(about);
        sentences.find_map(|own| {
            let mut code = own.split('`').skip(1).step_by(2);
            code.find_map(|own| {
                let (name, value) = own.split_once(": ")?;
                let is_header = |own: char| own.is_ascii_alphabetic() || own == '-';
                let is_mark = name.contains('-') && name.chars().all(is_header);
                (is_mark && value == "true").then(|| Self {
                    name: name.to_owned(),
                    value: value.to_owned(),
                })
            })
        })
    }
}

/// The record that has a key is as it was when another one was asked for with it.
pub(crate) async fn is_untouched<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    made: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let record = record_of(call, made)
        .filter(|own| !world.model.is_moving(own))?
        .clone();
    let readers = world.readers_for(call, &record, &made.sent);
    let reader = readers.first().copied()?;
    let read = world.read(reader, &record, &made.sent).await.ok()?;
    let now = record_of(reader, &read)?;
    for own in world.apart(call, &record, now) {
        let claim = Claim::new(
            &checks::REFUSAL_CHANGED_STATE,
            Ground::Names,
            format!(
                "{}, as it was when it was made",
                world.shown(reader, &own.pointer, Some(&own.one))
            ),
            world.shown(reader, &own.pointer, own.other.as_ref()),
        )
        .at(own.pointer);
        world.differ(draft, call, claim, &read);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_sentences_tell_of() {
        for (text, expected) in [
            (
                "A repeat is answered as before, with `Idempotent-Replayed: true`.",
                Some("Idempotent-Replayed"),
            ),
            ("Send `Prefer: wait` again.", None),
            ("Every answer carries `X-Mode: true`.", None),
        ] {
            let found = Mark::told(text).map(|own| own.name);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
