//! Syntax: half a body must be refused with the code that a text gives for invalid JSON.
//!
//! Example: "a body that is not well-formed JSON is answered with `400` `invalid_json`".

use crate::case::Spoil;
use crate::checks;
use crate::exchange::Exchange;
use crate::model::Call;
use crate::names;
use crate::prose;

use crate::answered::{describe, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft};
use crate::scene::{Ready, Scene};

/// Sends half a body.
pub(super) async fn check<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    draft: &mut Draft,
) -> Result<(), String> {
    let mut step = ready.call.clone();
    step.request.spoil = Some(Spoil::TruncatedBody);
    let sent = scene.compose_step(ready, &step, "malformed")?;
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Basis::Text,
            "a refusal of half a body",
            describe(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    } else {
        scene.judge_refusal(draft, call, &exchange);
        coded_as_said(scene, call, &exchange, draft);
    }
    Ok(())
}

/// Compares the texts of a refusal with the documented code.
fn coded_as_said<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let said = call.texts().chain(call.overall);
    let mut said = said.flat_map(prose::sentences).filter_map(code_of_no_json);
    let (code, due) = said.next()?;
    let is_due = due.is_none_or(|code| status(exchange) == Some(code));
    let body = exchange.outcome.as_ref().ok()?.json().filter(|_| is_due)?;
    let mut texts = Vec::new();
    prose::texts_in(body, &mut texts);
    if !texts.contains(&code) {
        let expected = format!("{code:?}, the documented code for invalid JSON");
        let codes = texts.into_iter().find(|word| !word.contains(' '));
        let actual = codes.map_or_else(|| "none".to_owned(), |item| format!("{item:?}"));
        let claim = Claim::new(&checks::FINAL_VALUE, Basis::Text, expected, actual);
        scene.differ(draft, call, claim, exchange);
    }
    Some(())
}

/// The code that a sentence gives for invalid JSON, and the status if it gives one.
fn code_of_no_json(sentence: &str) -> Option<(&str, Option<u16>)> {
    const OPEN: [&str; 6] = ["if", "may", "unless", "except", "duplicate", "object"];
    let words = names::words(&sentence.to_lowercase());
    let has = |word: &[&str]| prose::has(&words, word);
    let is_not = has(&["not", "isn"]) && has(&["valid", "formed", "parsed", "parse", "read"]);
    let is_broken = has(&["malformed", "unparsable", "unparseable"]);
    let is_said = has(&["json"]) && (is_not || is_broken) && !has(&OPEN);
    let marked = || sentence.split('`').skip(1).step_by(2);
    let status = marked()
        .find_map(|word| word.parse().ok())
        .or_else(|| words.iter().find_map(|word| word.parse().ok()));
    let is_code = |name: &&str| {
        let is_of_word =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let words = names::words(name).len();
        // A single word may be a property name.
        words > 1 && name.parse::<u16>().is_err() && name.bytes().all(is_of_word)
    };
    let mut codes = marked().filter(is_code);
    let code = codes.next().filter(|_| is_said && codes.next().is_none())?;
    Some((code, status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_for_invalid_json() {
        for (text, expected) in [
            (
                "A body that is not well-formed JSON is answered with `400` `invalid_json`",
                Some(("invalid_json", Some(400))),
            ),
            (
                "Malformed JSON is refused with `malformed_body`",
                Some(("malformed_body", None)),
            ),
            (
                "A body that is not a JSON object gives `invalid_request`",
                None,
            ),
            (
                "A body that is not valid JSON or names `amount` twice",
                None,
            ),
            ("JSON is answered with `application/json`", None),
        ] {
            assert_eq!(code_of_no_json(text), expected, "{text}");
        }
    }
}
