//! Worded bounds: what the text of a property says to be the least or the most is refused beyond it, where its schema
//! has no keyword for it, as of decimals in a text.

use openapi_document::{Node, Pointer, Value};

use crate::case::Step;
use crate::checks;
use crate::collect::request;
use crate::exchange::Sent;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::amounts::amount::{self, Amount};
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

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
        let mut all = bounds(text.unwrap_or_default());
        all.extend(call.texts().flat_map(|text| bounds_of(text, name)));
        let shown = request::body(world.contract(), &call.operation, None);
        let shown = shown.ok().flatten();
        let shown = shown.as_ref().and_then(|own| own.value.plain());
        all.extend(call.texts().flat_map(|text| edges_of(text, name, shown)));
        let texts = call.texts().chain(text);
        all.extend(texts.filter_map(|text| refuses_zero(text, name)));
        all.dedup();
        for (side, bound) in all {
            let tag = format!("worded-{name}-{bound}");
            let ready = world.ready(call, &tag).await?;
            let mut steps = vec![ready.call.clone()];
            steps.extend(world.kinds_otherwise(call, (&ready, &ready.call)));
            for step in &steps {
                let Some(sent) = out_of(world, (&ready, step, &tag), (name, side, &bound))? else {
                    continue;
                };
                look_at(world, call, (name, side, &bound), sent, draft).await;
            }
        }
    }
    Ok(())
}

/// The request of a step with a value just beyond a bound; `None` where its schema does not let it be sent.
fn out_of<'d>(
    world: &World<'_, '_, '_, 'd>,
    (ready, step, tag): (&Ready<'_, 'd>, &Step<'d>, &str),
    (name, side, bound): (&str, Side, &str),
) -> Result<Option<Sent>, String> {
    let mut sent = world.compose_step(ready, step, tag)?;
    let Some(mut body) = sent.json.clone() else {
        return Ok(None);
    };
    let at = Pointer::root().join(name);
    let form = body.get(name).cloned();
    let bare = form.as_ref().map(|own| match amount::place(own) {
        Some(place) => (own.get(place).unwrap_or(own), at.join(place)),
        None => (own, at.clone()),
    });
    let Some((beyond, at)) = bare.and_then(|(own, at)| Some((beyond(own, side, bound)?, at)))
    else {
        return Ok(None);
    };
    value::put(&mut body, &at, beyond)?;
    let schema = step
        .request
        .body
        .as_ref()
        .and_then(|own| own.schema.as_ref());
    let Some(schema) = schema else {
        return Ok(None);
    };
    if !world.contract().validate_request(schema, &body)?.is_empty() {
        return Ok(None);
    }
    world.put_json(&mut sent, step, body);
    Ok(Some(sent))
}

/// Sends a value beyond a bound, and tells where it is granted.
async fn look_at<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, side, bound): (&str, Side, &str),
    sent: Sent,
    draft: &mut Draft,
) {
    let exchange = world.send(sent).await;
    if !succeeded(&exchange) {
        return;
    }
    let sent = exchange.sent.json.as_ref().and_then(|own| own.get(name));
    let beyond = sent.map_or_else(String::new, Node::to_json);
    let expected = format!("a refusal of {beyond}: {}", side.said(bound));
    let claim = Claim::new(
        &checks::CONSTRAINT_IGNORED,
        Ground::Text,
        expected,
        told(&exchange),
    )
    .at(Pointer::root().join(name));
    world.differ(draft, call, claim, &exchange);
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
    let mut found: Vec<(Side, String)> = all.flat_map(bounds_in).collect();
    found.dedup();
    found
}

/// The bounds that the text of an operation tells of a property of its body: `the amount must be greater than zero`.
fn bounds_of(text: &str, name: &str) -> Vec<(Side, String)> {
    let own = names::words(name);
    let speaks = |sentence: &&str| {
        let words = names::words(&sentence.to_lowercase());
        let is_of = |words: &[String]| {
            let rest = words.strip_prefix(&own[..]);
            rest.and_then(<[String]>::first)
                .is_some_and(|next| next == "must" || next == "has" || next == "is")
        };
        is_of(&words) || words.first().is_some_and(|own| own == "the") && is_of(&words[1..])
    };
    let all = prose::sentences(text).into_iter().filter(speaks);
    all.flat_map(bounds).collect()
}

/// Whether a sentence refuses nothing at all of a property: `a price of 0.00 is refused`.
fn refuses_zero(text: &str, name: &str) -> Option<(Side, String)> {
    let own = names::words(name);
    prose::sentences(text).into_iter().find_map(|sentence| {
        let tokens: Vec<String> = sentence
            .split_whitespace()
            .map(|own| {
                own.trim_matches(|own: char| !own.is_alphanumeric())
                    .to_lowercase()
            })
            .collect();
        let at = tokens.windows(own.len()).position(|part| part == own)?;
        let [of, zero, is, refused, ..] = &tokens[at + own.len()..] else {
            return None;
        };
        let is_zero = zero == "zero" || zero.bytes().all(|own| matches!(own, b'0' | b'.'));
        let is_refused =
            of == "of" && is == "is" && matches!(refused.as_str(), "refused" | "rejected");
        let words = names::words(sentence);
        let is_plain = !prose::has(&words, &["if", "unless", "when", "for", "except"]);
        let bound = if zero == "zero" { "0" } else { zero };
        (is_zero && !zero.is_empty() && is_refused && is_plain)
            .then(|| (Side::UpTo, bound.to_owned()))
    })
}

/// The bounds that the text of an operation calls the smallest or largest value of a property: `the smallest amount is 50, but 30
/// for GBP`. Nothing where what is sent is an exception.
fn edges_of(text: &str, name: &str, sent: Option<&Node>) -> Vec<(Side, String)> {
    const LEAST: [&str; 4] = ["smallest", "lowest", "minimum", "least"];
    const MOST: [&str; 4] = ["largest", "highest", "maximum", "greatest"];
    let own = names::words(name);
    let mut found = Vec::new();
    for sentence in prose::sentences(text) {
        let (plain, except) = sentence.split_once(", but ").unwrap_or((sentence, ""));
        let words = names::words(&plain.to_lowercase());
        let words = words
            .strip_prefix(&["the".to_owned()][..])
            .unwrap_or(&words);
        let [first, rest @ ..] = words else { continue };
        let side = match first.as_str() {
            own if LEAST.contains(&own) => Side::Below,
            own if MOST.contains(&own) => Side::Above,
            _ => continue,
        };
        let Some([is, _, ..]) = rest.strip_prefix(&own[..]) else {
            continue;
        };
        let texts = sent.into_iter().flat_map(Node::entries);
        let mut texts = texts.filter_map(|own| own.value.as_str());
        let is_excepted = texts.any(|own| names::words(except).contains(&own.to_lowercase()));
        let number = plain.split_whitespace().last().unwrap_or_default();
        let number = number.trim_matches(|own: char| !own.is_ascii_digit());
        if is == "is" && !is_excepted && self::number(number).is_some() {
            found.push((side, number.to_owned()));
        }
    }
    found
}

/// The bounds that a sentence tells, of the whole value and in every case: no number of digits, letters or days. One alone,
/// or both of `between 1 and 20`, `from 1 to 20`.
fn bounds_in(sentence: &str) -> Vec<(Side, String)> {
    // Thousands are set apart: `1,000,000` is one number.
    let bare = |own: &str| {
        let own = own.trim_matches(|own: char| !own.is_alphanumeric());
        let is_long = own.contains([',', '_'])
            && own
                .chars()
                .all(|own| own.is_ascii_digit() || matches!(own, ',' | '_' | '.'));
        if is_long {
            own.replace([',', '_'], "")
        } else {
            own.to_lowercase()
        }
    };
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let words: Vec<String> = tokens.iter().map(|own| bare(own)).collect();
    if prose::has(&words, &CASES) {
        return Vec::new();
    }
    let numbers: Vec<Option<&str>> = words.iter().map(|own| number(own)).collect();
    let ends = |at: usize| ends_phrase(tokens[at], tokens.get(at + 1));
    for (at, own) in words.windows(4).enumerate() {
        let is_range = matches!(
            (own[0].as_str(), own[2].as_str()),
            ("between", "and") | ("from", "to")
        );
        if let (true, Some(least), Some(most)) = (is_range, numbers[at + 1], numbers[at + 3])
            && ends(at + 3)
        {
            return vec![
                (Side::Below, least.to_owned()),
                (Side::Above, most.to_owned()),
            ];
        }
    }
    let one = words.iter().enumerate().find_map(|(at, _)| {
        let number = numbers[at]?;
        let after: Vec<&str> = words[at + 1..].iter().map(String::as_str).collect();
        let side = match after[..] {
            ["or", "more" | "higher" | "above", ..] => Some(Side::Below),
            ["or", "less" | "fewer" | "lower" | "below", ..] => Some(Side::Above),
            _ => None,
        };
        if let Some(side) =
            side.filter(|_| after.len() == 2 || tokens[at + 2].ends_with([',', ':', ')']))
        {
            return Some((side, number.to_owned()));
        }
        ends(at).then_some(())?;
        let leads = |own: &&(&[&str], Side)| words[..at].ends_with(&owned(own.0));
        let turns = TURNS.iter().filter(leads);
        let (_, side) = turns.max_by_key(|(own, _)| own.len())?;
        Some((*side, number.to_owned()))
    });
    one.into_iter().collect()
}

/// The number that a word is.
fn number(word: &str) -> Option<&str> {
    let number = if word == "zero" { "0" } else { word };
    let is_number = number
        .bytes()
        .all(|own| own.is_ascii_digit() || own == b'.');
    (is_number && !number.is_empty()).then_some(number)
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
            (
                "In minor units, from 50 to 1,000,000.",
                &[(Side::Below, "50"), (Side::Above, "1000000")],
            ),
            (
                "Between `0.50` and `99.00`, both included",
                &[(Side::Below, "0.50"), (Side::Above, "99.00")],
            ),
            ("Between 3 and 20 characters", &[]),
            ("From 1 to 5 days", &[]),
            ("100 or more", &[(Side::Below, "100")]),
            ("99 or less, in percent", &[(Side::Above, "99")]),
            ("3 or more letters", &[]),
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
    fn texts_of_operations_tell_bounds_of_properties() {
        for (text, expected) in [
            ("Books it. The\namount must be greater than zero.", true),
            ("Amount must be greater than zero", true),
            ("The amount left must be greater than zero.", false),
            ("The count must be greater than zero.", false),
            ("The amount must be greater than zero for refunds.", false),
        ] {
            let found = bounds_of(text, "amount");
            assert_eq!(found == [(Side::UpTo, "0".to_owned())], expected, "{text}");
        }
    }

    #[test]
    fn texts_call_values_the_smallest() {
        let sent = openapi_document::json::read_text(r#"{"amount":70,"currency":"EUR"}"#).unwrap();
        for (text, expected) in [
            ("The smallest amount is 50, but 30 for GBP", true),
            ("The smallest amount is 50, but 30 for EUR", false),
            ("The smallest amount is `50`", true),
            ("The smallest amount left is 50", false),
            ("The smallest amount is 50 percent of it", false),
            ("The smallest count is 50", false),
        ] {
            let found = edges_of(text, "amount", Some(&sent));
            assert_eq!(
                found == [(Side::Below, "50".to_owned())],
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn texts_refuse_nothing_at_all() {
        for (text, expected) in [
            (
                "From 0.01 on. A price of 0.00 is refused with 400",
                Some("0.00"),
            ),
            ("A price of `0` is rejected", Some("0")),
            ("A price of zero is refused", Some("0")),
            ("A price of zero is refused unless it is a gift", None),
            ("A price of 1.00 is refused", None),
            ("A total of 0.00 is refused", None),
        ] {
            let found = refuses_zero(text, "price").map(|own| own.1);
            assert_eq!(found.as_deref(), expected, "{text}");
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
            let valid = openapi_document::json::read_text(valid).unwrap();
            let found = beyond(&valid, side, bound).map(|own| own.to_json());
            assert_eq!(found.as_deref(), expected);
        }
    }
}
