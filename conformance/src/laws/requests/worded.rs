//! Worded bounds: what the text of a property says to be the least or the most is refused beyond it, where its schema
//! has no keyword for it, as of decimals in a text.

use spec::{Node, Pointer, Value};

use crate::checks;
use crate::model::{Call, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::amounts::amount::Amount;
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// What comes before a bound, and on which side of it a value is refused.
const TURNS: [(&[&str], Side); 22] = [
    (&["at", "least"], Side::Below),
    (&["no", "less", "than"], Side::Below),
    (&["not", "less", "than"], Side::Below),
    (&["not", "be", "less", "than"], Side::Below),
    (&["minimum"], Side::Below),
    (&["minimum", "is"], Side::Below),
    (&["minimum", "of"], Side::Below),
    (&["not", "below"], Side::Below),
    (&["more", "than"], Side::UpTo),
    (&["greater", "than"], Side::UpTo),
    (&["larger", "than"], Side::UpTo),
    (&["above"], Side::UpTo),
    (&["at", "most"], Side::Above),
    (&["no", "more", "than"], Side::Above),
    (&["not", "more", "than"], Side::Above),
    (&["maximum"], Side::Above),
    (&["maximum", "is"], Side::Above),
    (&["maximum", "of"], Side::Above),
    (&["up", "to"], Side::Above),
    (&["not", "exceed"], Side::Above),
    (&["never", "exceeds"], Side::Above),
    (&["not", "above"], Side::Above),
];

/// Words of sentences whose bound is one of some cases only.
const CASES: [&str; 16] = [
    "if",
    "when",
    "where",
    "unless",
    "for",
    "per",
    "default",
    "defaults",
    "usually",
    "typically",
    "except",
    "depends",
    "recommended",
    "should",
    "refused",
    "rejected",
];

/// Words of what is done with values beyond a bound in the place of a refusal.
const TAKEN: [&str; 6] = [
    "capped", "clamped", "reduced", "raised", "rounded", "treated",
];

/// Which values beside a bound are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// What is less.
    Below,
    /// What is less, and the bound.
    UpTo,
    /// What is more.
    Above,
}

/// Sends values just beyond the bounds that the texts of a body's properties tell.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let (document, Some(schema)) = (world.model.document, &call.body) else {
        return Ok(());
    };
    let shape = Shape::of(document, Some(schema));
    for name in shape.property_names() {
        let own = shape.property(document, name);
        let text = own.keyword("description").and_then(Node::as_str);
        for (side, bound) in bounds(text.unwrap_or_default()) {
            let tag = format!("worded-{name}-{bound}");
            let ready = world.ready(call, &tag).await?;
            let mut sent = world.compose(&ready, &tag)?;
            let Some(mut body) = sent.json.clone() else {
                return Ok(());
            };
            let Some(beyond) = body.get(name).and_then(|own| beyond(own, side, &bound)) else {
                continue;
            };
            let at = Pointer::root().join(name);
            value::put(&mut body, &at, beyond.clone())?;
            if !world.contract().validate_request(schema, &body)?.is_empty() {
                continue;
            }
            world.put_json(&mut sent, &ready.call, body);
            let exchange = world.send(sent).await;
            if succeeded(&exchange) {
                let expected = format!("a refusal of {}: {}", beyond.to_json(), side.said(&bound));
                let claim =
                    Claim::new(&checks::CONSTRAINT_IGNORED, expected, told(&exchange)).at(at);
                world.differ(draft, call, claim, &exchange);
            }
        }
    }
    Ok(())
}

impl Side {
    /// What a text says of a bound, in few words.
    fn said(self, bound: &str) -> String {
        match self {
            Self::Below => format!("it is said to be at least {bound}"),
            Self::UpTo => format!("it is said to be more than {bound}"),
            Self::Above => format!("it is said to be at most {bound}"),
        }
    }
}

/// A value of the form of another one, just beyond a bound.
fn beyond(valid: &Node, side: Side, bound: &str) -> Option<Node> {
    let own = match &valid.value {
        Value::String(_) | Value::Number(_) => Amount::read_signed(valid)?,
        _ => return None,
    };
    let bound = Amount::read(&value::string(bound))?;
    let finer = own.places().checked_sub(bound.places())?;
    let bound = bound.units.checked_mul(10_i128.checked_pow(finer)?)?;
    let units = match side {
        Side::Below => bound - 1,
        Side::UpTo => bound,
        Side::Above => bound + 1,
    };
    // Whether what is less than nothing can be written is for the schema to say.
    (units >= 0).then(|| own.with(units).node())
}

/// The bounds that a text tells of a value.
fn bounds(text: &str) -> Vec<(Side, String)> {
    if prose::spoken(text)
        .iter()
        .any(|words| prose::has(words, &TAKEN))
    {
        return Vec::new();
    }
    let all = prose::sentences(text).into_iter();
    let mut found: Vec<(Side, String)> = all.filter_map(bound).collect();
    found.dedup();
    found
}

/// The bound that a sentence tells, of the whole value and in every case: no number of digits, letters or days.
fn bound(sentence: &str) -> Option<(Side, String)> {
    let bare = |own: &str| {
        let is_edge = |own: char| !own.is_alphanumeric();
        own.trim_matches(is_edge).to_lowercase()
    };
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let words: Vec<String> = tokens.iter().map(|own| bare(own)).collect();
    if prose::has(&words, &CASES) {
        return None;
    }
    words.iter().enumerate().find_map(|(at, word)| {
        let number = if word == "zero" { "0" } else { word.as_str() };
        let is_number = number
            .bytes()
            .all(|own| own.is_ascii_digit() || own == b'.');
        if !is_number || number.is_empty() || !ends_phrase(tokens[at], tokens.get(at + 1)) {
            return None;
        }
        let leads = |own: &&(&[&str], Side)| words[..at].ends_with(&owned(own.0));
        let turns = TURNS.iter().filter(leads);
        let (_, side) = turns.max_by_key(|(own, _)| own.len())?;
        Some((*side, number.to_owned()))
    })
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|own| (*own).to_owned()).collect()
}

/// Whether nothing counted follows a number: it ends there, or goes on with another thought or a currency.
fn ends_phrase(number: &str, next: Option<&&str>) -> bool {
    let goes_on = |next: &&str| {
        let is_currency = next.len() >= 3 && next[..3].bytes().all(|own| own.is_ascii_uppercase());
        is_currency || matches!(*next, "and" | "or" | "but" | "in")
    };
    number.ends_with([',', ';', ':', ')']) || next.is_none_or(goes_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_tell_bounds() {
        for (text, expected) in [
            (
                "The amount, at least `0.50`. Less is refused.",
                &[(Side::Below, "0.50")][..],
            ),
            ("Must be greater than zero.", &[(Side::UpTo, "0")]),
            ("Cannot be less than 5 EUR", &[]),
            ("It must not be less than 5 EUR", &[(Side::Below, "5")]),
            ("No more than 99, ever", &[(Side::Above, "99")]),
            ("More than 10 items are refused", &[]),
            ("At least 3 characters", &[]),
            ("More than 10 is refused", &[]),
            ("At most 50; more is capped", &[]),
            ("At least 1.00 for cards", &[]),
            ("Two decimals at most", &[]),
        ] {
            let found = bounds(text);
            let found: Vec<_> = found
                .iter()
                .map(|(side, own)| (*side, own.as_str()))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn values_just_beyond() {
        for (valid, side, bound, expected) in [
            (r#""12.00""#, Side::Below, "0.50", Some(r#""0.49""#)),
            (r#""12.00""#, Side::UpTo, "0", Some(r#""0.00""#)),
            ("7", Side::Above, "99", Some("100")),
            ("7", Side::Below, "0.5", None),
            ("7", Side::Below, "0", None),
            (r#""EUR""#, Side::Below, "1", None),
        ] {
            let valid = spec::json::read_text(valid).unwrap();
            let found = beyond(&valid, side, bound).map(|own| own.to_json());
            assert_eq!(found.as_deref(), expected);
        }
    }
}
