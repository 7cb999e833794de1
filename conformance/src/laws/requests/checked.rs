//! Checked: a number of which a text says that its check digit has to be right is refused with another last digit, with the
//! status and the code that are told: "the card number must pass the Luhn check, else `400` and the code `number_invalid`".

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::told::{Told, is_otherwise};
use crate::answered::{succeeded, told};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// A number with a check digit has as many digits at least.
const LEAST: usize = 6;

/// So deep in a body is looked for one.
const DEPTH: usize = 3;

/// Words that leave open whether the digit is looked at.
const OPEN: [&str; 9] = [
    "may", "should", "not", "never", "no", "unless", "optional", "without", "cannot",
];

/// Sends each such number with another last digit.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    body: &Node,
    draft: &mut Draft,
) -> Option<()> {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let mut numbers = Vec::new();
    gather(scene, (body, &shape), &Pointer::root(), &mut numbers);
    for (at, sentence) in said(call, &numbers) {
        let ready = scene.ready(call, "checked").await.ok()?;
        let mut sent = scene.compose(&ready, "checked").ok()?;
        let mut json = sent.json.clone()?;
        let Some(other) = json
            .at(&at)
            .and_then(Node::as_str)
            .and_then(|own| otherwise(own, &sentence))
        else {
            continue;
        };
        value::put(&mut json, &at, value::string(&other)).ok()?;
        if scene
            .put_valid(call, (&mut sent, &ready.call), json)
            .is_none()
        {
            continue;
        }
        let exchange = scene.send(sent).await;
        if succeeded(&exchange) {
            let expected = format!("a refusal of \"{other}\", whose check digit is wrong");
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Text,
                expected,
                told(&exchange),
            )
            .at(at);
            scene.differ(draft, call, claim, &exchange);
        } else {
            Told::read(scene.model, &sentence).judge(scene, call, &exchange, draft);
        }
    }
    Some(())
}

/// A number in a body: where it is, its name, and what its schema says of it.
struct Number<'d> {
    at: Pointer,
    name: String,
    text: &'d str,
}

/// The numbers in a value that are long enough, written as texts.
fn gather<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (node, shape): (&Node, &Shape<'d>),
    at: &Pointer,
    found: &mut Vec<Number<'d>>,
) {
    if at.depth() >= DEPTH {
        return;
    }
    for entry in node.entries() {
        let own = shape.property(scene.model.document, &entry.key);
        let at = at.join(entry.key.as_str());
        match &entry.value.value {
            Value::String(text) if digits(text).count() >= LEAST && own.format().is_none() => {
                let text = own.keyword("description").and_then(Node::as_str);
                found.push(Number {
                    at,
                    name: entry.key.clone(),
                    text: text.unwrap_or_default(),
                });
            }
            Value::Mapping(_) => gather(scene, (&entry.value, &own), &at, found),
            _ => {}
        }
    }
}

/// The numbers whose check digit has to be right, and the sentence that says so: their own text, or one that names no other.
fn said<'d>(call: &Call<'d>, numbers: &[Number<'d>]) -> Vec<(Pointer, String)> {
    let own = numbers.iter().filter_map(|own| {
        let sentence = asking(own.text).into_iter().next()?;
        Some((own.at.clone(), sentence))
    });
    let mut found: Vec<(Pointer, String)> = own.collect();
    for sentence in call.texts().chain(call.overall).flat_map(asking) {
        let words = names::words(&sentence);
        let named = numbers
            .iter()
            .filter(|own| prose::speaks_of(&words, &own.name));
        let named: Vec<&Number<'d>> = named.collect();
        if let [only] = named[..]
            && !found.iter().any(|(at, _)| *at == only.at)
        {
            found.push((only.at.clone(), sentence));
        }
    }
    found
}

/// Whether a text asks for a right check digit.
pub(super) fn is_said(text: &str) -> bool {
    !asking(text).is_empty()
}

/// The sentences of a text that ask for a right check digit, each with what it says to happen otherwise.
fn asking(text: &str) -> Vec<String> {
    let all = prose::sentences(text);
    let asks = all
        .iter()
        .enumerate()
        .filter(|(_, own)| asks(&names::words(own)));
    let whole = asks.map(|(index, own)| {
        let next = all.get(index + 1).filter(|own| is_otherwise(own));
        format!("{own} {}", next.copied().unwrap_or_default())
    });
    whole.collect()
}

/// Whether a sentence says that a check digit has to be right.
fn asks(words: &[String]) -> bool {
    let pair = |first: &str, last: &[&str]| {
        let mut pairs = words.windows(2);
        pairs.any(|own| own[0] == first && last.contains(&own[1].as_str()))
    };
    let speaks = prose::has(words, &["luhn", "checksum"]) || pair("check", &["digit", "digits"]);
    let is_refused = prose::has(words, &["refused", "rejected", "else", "400", "422"]);
    let has_to = prose::has(words, &["must", "verified", "validated"]) || pair("has", &["to"]);
    let fails = pair("not", &["pass", "match"]) && is_refused;
    speaks && (fails || ((has_to || is_refused) && !prose::has(words, &OPEN)))
}

fn digits(text: &str) -> impl DoubleEndedIterator<Item = u32> {
    text.chars().filter_map(|own| own.to_digit(10))
}

/// A number with another last digit; `None` where it does not pass the check itself.
fn otherwise(old: &str, sentence: &str) -> Option<String> {
    let at = old.rfind(|own: char| own.is_ascii_digit())?;
    let last = old[at..].chars().next()?.to_digit(10)?;
    let is_luhn = sentence.to_lowercase().contains("luhn");
    let new = format!("{}{}{}", &old[..at], (last + 1) % 10, &old[at + 1..]);
    (!is_luhn || luhn(old)).then_some(new)
}

/// Whether a number passes the Luhn check.
fn luhn(text: &str) -> bool {
    let all = digits(text).rev().enumerate();
    let sum: u32 = all
        .map(|(place, own)| match (place % 2, own * 2) {
            (0, _) => own,
            (_, twice) if twice > 9 => twice - 9,
            (_, twice) => twice,
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_check_digits() {
        for (text, expected) in [
            (
                "The card number must pass the Luhn check, else 400 `card_invalid`",
                true,
            ),
            (
                "A number that does not pass the Luhn check is refused",
                true,
            ),
            ("The check digits are verified", true),
            ("A wrong checksum is refused", true),
            ("The check digits are not verified in the sandbox", false),
            ("Its last figure is a check digit", false),
            ("The card must pass a check of its owner", false),
        ] {
            assert_eq!(asks(&names::words(text)), expected, "{text}");
        }
    }

    #[test]
    fn numbers_with_another_last_digit() {
        for (old, sentence, expected) in [
            ("79927398713", "the Luhn check", Some("79927398714")),
            ("79927398719", "the Luhn check", None),
            (
                "DE89370400440532013009",
                "check digits",
                Some("DE89370400440532013000"),
            ),
            ("none", "check digits", None),
        ] {
            assert_eq!(otherwise(old, sentence).as_deref(), expected, "{old}");
        }
    }
}
