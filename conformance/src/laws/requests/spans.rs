//! Spans: what ends does so after it begins, where a text says so.

use openapi_document::view::Status;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Words that tell the two ends of a span apart, in names of properties.
const ENDS: [(&str, &str); 14] = [
    ("start", "end"),
    ("starts", "ends"),
    ("begin", "end"),
    ("begins", "ends"),
    ("from", "to"),
    ("from", "until"),
    ("from", "through"),
    ("since", "until"),
    ("in", "out"),
    ("arrival", "departure"),
    ("arrives", "departs"),
    ("opens", "closes"),
    ("earliest", "latest"),
    ("min", "max"),
];

/// Words of what comes after something else.
const AFTER: [&str; 8] = [
    "after", "later", "before", "earlier", "precede", "precedes", "follow", "follows",
];

/// Words that let both ends be the same.
const OR_EQUAL: [&str; 7] = ["on", "not", "same", "equal", "equals", "least", "or"];

/// A span of a body: its ends, and whether they may be the same.
#[derive(Debug, PartialEq)]
struct Span<'d> {
    from: &'d str,
    to: &'d str,
    may_be_empty: bool,
}

/// Sends a body whose end comes before its start, or with it where that is not allowed.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    of_time(world, call, draft).await?;
    for span in spans(world, call) {
        let tag = format!("spans-{}", span.to);
        let ready = world.ready(call, &tag).await?;
        let valid = world.compose(&ready, &tag)?;
        let ends = valid
            .json
            .as_ref()
            .and_then(|own| Some((own.get(span.from)?.clone(), own.get(span.to)?.clone())));
        let Some((from, to)) = ends.filter(|(from, to)| !from.is_null() && !to.is_null()) else {
            continue;
        };
        let turned = (!from.same_value(&to)).then(|| (to, from.clone()));
        let empty = (!span.may_be_empty).then(|| (from.clone(), from));
        for (from, to) in turned.into_iter().chain(empty) {
            let mut sent = world.compose(&ready, &tag)?;
            let mut body = sent.json.clone().ok_or("the call has no JSON body")?;
            let root = Pointer::root();
            value::put(&mut body, &root.join(span.from), from)?;
            value::put(&mut body, &root.join(span.to), to)?;
            world.put_json(&mut sent, &ready.call, body);
            let exchange = world.send(sent).await;
            if succeeded(&exchange) {
                let expected = format!("a refusal: `{}` is not after `{}`", span.to, span.from);
                let claim = Claim::new(
                    &checks::CONSTRAINT_IGNORED,
                    Ground::Text,
                    expected,
                    told(&exchange),
                )
                .at(root.join(span.to));
                world.differ(draft, call, claim, &exchange);
            }
        }
    }
    Ok(())
}

/// A time that is said to be one of the past, or of the future, is not granted when it is one of the other.
async fn of_time<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    for name in shape.property_names() {
        let own = shape.property(document, name);
        let form = match own.format() {
            Some("date") => "-01-02",
            Some("date-time") => "-01-02T00:00:00Z",
            _ => continue,
        };
        let text = own.keyword("description").and_then(Node::as_str);
        let own = text.into_iter().flat_map(prose::spoken);
        let mut said = own.chain(told_alone(world, call, name));
        let Some((side, year)) = said.find_map(|words| side(&words)) else {
            continue;
        };
        let tag = format!("spans-{side}-{name}");
        let ready = world.ready(call, &tag).await?;
        let mut sent = world.compose(&ready, &tag)?;
        let mut body = sent.json.clone().ok_or("the call has no JSON body")?;
        let at = Pointer::root().join(name);
        value::put(&mut body, &at, value::string(&format!("{year}{form}")))?;
        world.put_json(&mut sent, &ready.call, body);
        let exchange = world.send(sent).await;
        if succeeded(&exchange) {
            let expected = format!("a refusal: `{name}` is not in the {side}");
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Text,
                expected,
                told(&exchange),
            )
            .at(at);
            world.differ(draft, call, claim, &exchange);
        }
    }
    Ok(())
}

/// The sentences about an operation that name a property of its body, and no other time.
fn told_alone<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &'d str,
) -> Vec<Vec<String>> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let is_other_time = |own: &&str| {
        let format = shape.property(document, own).format();
        *own != name && matches!(format, Some("date" | "date-time"))
    };
    let others: Vec<&str> = shape
        .property_names()
        .into_iter()
        .filter(is_other_time)
        .collect();
    let is_named = |words: &[String], name: &str| {
        let own = names::words(name);
        words.windows(own.len().max(1)).any(|part| part == own)
    };
    let mut all = call.spoken();
    all.retain(|own| is_named(own, name) && !others.iter().any(|other| is_named(own, other)));
    all
}

/// On which side of now a sentence says that a time has to be, and a year of the other one.
fn side(words: &[String]) -> Option<(&'static str, &'static str)> {
    let asks = prose::has(words, &["must", "has", "needs", "should", "only"]);
    let is_open = prose::has(words, &["if", "unless", "when", "may", "until"]);
    let is_refused = prose::has(words, &["refused", "rejected"]) && !asks && !is_open;
    let is_denied = prose::has(words, &["not", "never", "cannot"]);
    let (future, past) = (prose::has(words, &["future"]), prose::has(words, &["past"]));
    match (future, past) {
        (true, false) if is_refused && !is_denied => Some(PAST),
        (false, true) if is_refused && !is_denied => Some(FUTURE),
        (true, false) if asks => Some(if is_denied { PAST } else { FUTURE }),
        (false, true) if asks => Some(if is_denied { FUTURE } else { PAST }),
        _ => None,
    }
}

/// Sides of now, and years of the other one.
const FUTURE: (&str, &str) = ("future", "2001");
const PAST: (&str, &str) = ("past", "2199");

/// The spans of a body of which a text says which end is the later one.
fn spans<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<Span<'d>> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let listed = shape.property_names();
    let is_time = |name: &&&str| {
        let format = shape.property(document, name).format();
        matches!(format, Some("date" | "date-time"))
    };
    let timed: Vec<&'d str> = listed.iter().filter(is_time).copied().collect();
    let described = |name: &str| {
        let own = shape.property(document, name);
        own.keyword("description").and_then(Node::as_str)
    };
    let of_refusals = call.operation.responses().into_iter().filter_map(|own| {
        let is_own = matches!(own.status, Status::Code(400 | 409 | 422));
        is_own.then(|| own.at.node.get("description")?.as_str())?
    });
    let texts: Vec<&str> = call.texts().chain(of_refusals).collect();
    let pairs = timed
        .iter()
        .flat_map(|from| timed.iter().map(move |to| (*from, *to)));
    let pairs = pairs.filter(|(from, to)| is_span(from, to));
    let told = pairs.filter_map(|(from, to)| {
        let own = [(from, described(from)), (to, described(to))];
        let own = own
            .into_iter()
            .filter_map(|(name, text)| Some((Some(name), text?)));
        let general = texts.iter().map(|text| (None, *text));
        let mut said = own.chain(general).filter_map(|(name, text)| {
            let mut sentences = prose::spoken(text).into_iter();
            sentences.find_map(|words| says(&words, (from, to), name))
        });
        let may_be_empty = said.next()?;
        Some(Span {
            from,
            to,
            may_be_empty,
        })
    });
    told.collect()
}

/// Whether two properties are the ends of one span: their names differ in nothing but the words of ends.
fn is_span(from: &str, to: &str) -> bool {
    let (one, other) = (names::words(from), names::words(to));
    let is_apart = |first: &str, last: &str| {
        let without = |all: &[String], word: &str| -> Option<Vec<String>> {
            let at = all.iter().position(|own| own == word)?;
            let mut rest = all.to_vec();
            rest.remove(at);
            Some(rest)
        };
        let rests = without(&one, first).zip(without(&other, last));
        rests.is_some_and(|(one, other)| one == other)
    };
    ENDS.iter().any(|(first, last)| is_apart(first, last))
}

/// Whether both ends may be the same, where a sentence says which of them is the later one; `about` is the end whose
/// description it is.
fn says(words: &[String], (from, to): (&str, &str), about: Option<&str>) -> Option<bool> {
    let names_it = |name: &str| {
        let own = names::words(name);
        words.windows(own.len()).any(|part| part == own)
    };
    let is_named = |name: &str| about == Some(name) || names_it(name);
    let is_said = prose::has(words, &AFTER) && is_named(from) && is_named(to);
    is_said.then(|| prose::has(words, &OR_EQUAL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_spans() {
        for (from, to, expected) in [
            ("starts_at", "ends_at", true),
            ("checkIn", "checkOut", true),
            ("validFrom", "validUntil", true),
            ("arrival", "departure", true),
            ("ends_at", "starts_at", false),
            ("starts_at", "sale_ends_at", false),
            ("created_at", "updated_at", false),
        ] {
            assert_eq!(is_span(from, to), expected, "{from} {to}");
        }
    }

    #[test]
    fn what_is_said_of_spans() {
        let ends = ("starts_at", "ends_at");
        for (text, about, expected) in [
            ("Must be after `starts_at`.", Some("ends_at"), Some(false)),
            ("On or after `starts_at`.", Some("ends_at"), Some(true)),
            ("Must not be before starts_at", Some("ends_at"), Some(true)),
            (
                "`ends_at` must be later than `starts_at`",
                None,
                Some(false),
            ),
            ("After the sale", Some("ends_at"), None),
            ("When it ends", Some("ends_at"), None),
        ] {
            let mut sentences = prose::spoken(text).into_iter();
            let found = sentences.find_map(|words| says(&words, ends, about));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn sides_of_now() {
        for (text, expected) in [
            ("Must lie in the future.", Some(FUTURE)),
            ("Must not be in the past.", Some(FUTURE)),
            ("Has to be a day in the past", Some(PAST)),
            ("When it will be, in the future", None),
            ("For future use", None),
            ("A `due_date` in the past is refused.", Some(FUTURE)),
            ("Days in the future are rejected.", Some(PAST)),
            ("A day in the past is refused unless it is today.", None),
            ("A day in the past is not refused.", None),
        ] {
            let found = prose::spoken(text).into_iter().find_map(|own| side(&own));
            assert_eq!(found, expected, "{text}");
        }
    }
}
