//! Valued: one of a closed list that a text says to be declined is, with the status and the code that are told, and leaves
//! its record as it was: "`card_declined` is always declined: the answer is `402`".

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::told::Told;
use super::untouched::Untouched;
use crate::answered::{succeeded, told};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// So many values are tried at most.
const MOST: usize = 4;

/// So often a declined value is sent again.
const ATTEMPTS: usize = 8;

/// A value that a sentence says to be declined.
struct Declined<'d> {
    name: &'d str,
    value: &'d str,
    sentence: &'d str,
}

/// Sends each value that a text says to be declined.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) {
    for declined in said(scene, call).into_iter().take(MOST) {
        of(scene, call, &declined, draft).await;
    }
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    declined: &Declined<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("valued-{}", declined.value);
    let ready = scene.ready(call, &tag).await.ok()?;
    let before = Untouched::of(scene, call, &ready).await;
    let mut sent = scene.compose(&ready, &tag).ok()?;
    let mut json = sent.json.clone()?;
    let at = Pointer::root().join(declined.name);
    value::put(&mut json, &at, value::string(declined.value)).ok()?;
    scene.put_valid(call, (&mut sent, &ready.call), json)?;
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        let expected = format!("a refusal of \"{}\", as is said", declined.value);
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(&exchange),
        )
        .at(at);
        scene.differ(draft, call, claim, &exchange);
        return Some(());
    }
    Told::read(scene.model, declined.sentence).judge(scene, call, &exchange, draft);
    if let Some(before) = before {
        before.look(scene, call, &exchange, draft).await;
    }
    too_often(scene, call, exchange, draft).await
}

/// What is declined again and again is answered with 429 in the end, where a text says so of attempts.
async fn too_often<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    declined: Exchange,
    draft: &mut Draft,
) -> Option<()> {
    call.response(429)?;
    let mut said = call.spoken().into_iter();
    said.any(|own| prose::has(&own, &["attempt", "attempts"]) && prose::has(&own, &["429"]))
        .then_some(())?;
    for _ in 0..ATTEMPTS {
        let exchange = scene.send(declined.sent.clone()).await;
        let seen = scene.judge_seen(draft, call, &exchange, |own| *own == 429);
        if seen.is_some() {
            return Some(());
        }
    }
    None
}

/// The values of closed lists in the body that a sentence says to be declined.
fn said<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<Declined<'d>> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let texts = call.texts().chain(call.overall);
    let sentences: Vec<&'d str> = texts.flat_map(prose::sentences).collect();
    let mut found = Vec::new();
    let names = shape.property_names().into_iter();
    for name in names.filter(|own| !names_cause(own)) {
        let own = shape.property(document, name);
        let text = own.keyword("description").and_then(Node::as_str);
        let own_sentences = text.into_iter().flat_map(prose::sentences);
        let all: Vec<&'d str> = own_sentences.chain(sentences.iter().copied()).collect();
        for value in own.known_values() {
            let sentence = all.iter().find(|own| says_declined(own, value));
            found.extend(sentence.map(|sentence| Declined {
                name,
                value,
                sentence,
            }));
        }
    }
    found
}

/// Whether a property tells of a cause, which may be that somebody else has refused: the `reason_code` of a return.
pub(super) fn names_cause(name: &str) -> bool {
    prose::has(&names::words(name), &["reason", "cause"])
}

/// Whether a sentence marks a value, and says that it is declined whatever else there is.
fn says_declined(sentence: &str, value: &str) -> bool {
    const DECLINED: [&str; 5] = ["declined", "declines", "refused", "rejected", "fails"];
    const SOMETIMES: [&str; 9] = [
        "if", "when", "unless", "may", "after", "once", "not", "other", "only",
    ];
    const ARTICLES: [&str; 8] = ["a", "an", "the", "any", "each", "every", "all", "no"];
    let marked = format!("`{value}`");
    let words = names::words(&sentence.to_lowercase());
    let mut clauses = sentence.split([':', ',']);
    clauses.any(|clause| {
        let before = clause.split_once(&marked);
        let before = before.map(|(own, _)| names::words(&own.to_lowercase()));
        // A `frozen` account is one that is so, not what is asked for.
        let is_of_record =
            |own: &Vec<String>| own.last().is_some_and(|own| ARTICLES.contains(&&**own));
        before.is_some_and(|own| !is_of_record(&own))
            && prose::has(&names::words(&clause.to_lowercase()), &DECLINED)
    }) && !prose::has(&words, &SOMETIMES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_said_to_be_declined() {
        for (sentence, expected) in [
            (
                "In the sandbox `pm_bad` is always declined: the answer is `402`",
                true,
            ),
            ("`pm_bad` is declined if there is no money", false),
            ("`pm_good` is declined", false),
            (
                "A `pm_bad` account takes nothing: orders are refused",
                false,
            ),
            ("`pm_bad` is final: any change is refused", false),
            ("`pm_bad` is a card", false),
            ("A payment with `pm_bad` may be declined", false),
        ] {
            assert_eq!(says_declined(sentence, "pm_bad"), expected, "{sentence}");
        }
    }
}
