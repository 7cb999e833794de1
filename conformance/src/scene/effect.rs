//! Effect: checks that the answered record of a success fits its request, without further requests.
//!
//! The record must be the requested one, in the state that a step leads to, and new records must have the current
//! time.

use std::cmp::Ordering;

use jiff::Timestamp;
use openapi_document::node::Entry;
use openapi_document::view::Method;
use openapi_document::{Node, Pointer, Value};

use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::{self, Call, Role, SentKey};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::Scene;
use super::basis::Basis;
use super::draft::{Claim, Draft};
use crate::amount::{Amount, names_amount};
use crate::answered::{record_of, status};
use crate::names::is_time_of_making;

/// Time zones differ by quarters of an hour, and by at most fourteen hours.
const QUARTER: i64 = 900;
const FURTHEST: i64 = 14 * 3600;

/// Two correct clocks may differ by this many seconds.
const APART: i64 = 90;

/// Claims a difference in a property: the check, the property, the expected text and the actual value.
type Differ<'t> = dyn FnMut(&'static Check, &str, String, Option<&Node>) + 't;

/// Runs all checks of this module on the record of a success.
pub(crate) fn check<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let Some(record) = record_of(call, exchange) else {
        return;
    };
    let root = Pointer::root();
    let at = call
        .record()
        .map_or_else(|| root.clone(), |kind| kind.at.clone());
    let mut differ = |check, name: &str, expected, actual: Option<&Node>| {
        let claim = Claim::new(
            check,
            Basis::Names,
            expected,
            scene.shown(call, &root.join(name), actual),
        )
        .at(at.join(name));
        scene.differ(draft, call, claim, exchange);
    };
    has_requested_key(scene, call, (record, exchange), &mut differ);
    is_done(scene, call, (record, exchange), &mut differ);
    has_current_time(scene, call, (record, exchange), &mut differ);
    is_of_kind(scene, call, (record, exchange), &mut differ);
    is_kept_secret(scene, call, (record, exchange), &mut differ);
    is_kept_by_readers(scene, call, record, &mut differ);
    are_last(call, (record, exchange), &mut differ);
    is_as_requested(scene, call, exchange, draft);
}

/// Write-only properties of the request must not be in the answer.
fn is_kept_secret<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (record, exchange): (&Node, &Exchange),
    differ: &mut Differ<'_>,
) {
    let document = scene.model.document;
    let requested = Shape::of(document, call.body.as_ref());
    let observed = Shape::of(document, call.record().map(|record| &record.schema));
    let sent = exchange.sent.json.as_ref();
    for entry in sent.into_iter().flat_map(Node::entries) {
        let is_secret = |shape: &Shape<'d>| shape.property(document, &entry.key).flag("writeOnly");
        let value = record
            .get(&entry.key)
            .filter(|node| node.same_value(&entry.value));
        if let (Some(_), true) = (value, is_secret(&requested) || is_secret(&observed)) {
            let expected = "no value: the property is write-only".to_owned();
            differ(
                &checks::WRITTEN_TOLD,
                entry.key.as_str(),
                expected,
                Some(&value::string("the sent value")),
            );
        }
    }
}

/// Write-only properties of the creating request must not be in a reading.
fn is_kept_by_readers<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    record: &Node,
    differ: &mut Differ<'_>,
) {
    let kind = call.record().filter(|_| call.role == Role::Read);
    let creator = kind.and_then(|kind| scene.model.creator_of(&kind.name));
    let requested = Shape::of(
        scene.model.document,
        creator.and_then(|call| call.body.as_ref()),
    );
    for entry in record.entries().filter(|entry| !entry.value.is_null()) {
        if requested
            .property(scene.model.document, &entry.key)
            .flag("writeOnly")
        {
            let expected = "no value: the property is write-only".to_owned();
            let observed = value::string("the sent value");
            differ(
                &checks::WRITTEN_TOLD,
                entry.key.as_str(),
                expected,
                Some(&observed),
            );
        }
    }
}

/// A record created at `/withdrawals` must not have the type `deposit`.
fn is_of_kind<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (record, exchange): (&Node, &Exchange),
    differ: &mut Differ<'_>,
) {
    let kind = call.about.clone();
    if call.role != Role::Create {
        return;
    }
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|record| &record.schema));
    let sent = exchange.sent.json.as_ref();
    let is_kind_name = |name: &str| {
        let words = names::words(name);
        let last = words.last().map(String::as_str);
        matches!(last, Some("type" | "kind" | "category")) && words.len() <= 2
    };
    for entry in record.entries().filter(|entry| is_kind_name(&entry.key)) {
        let known = shape.property(document, &entry.key).known_values();
        let is_kind = |word: &&str| names::words(&word.to_lowercase()).join(" ") == kind;
        let is_sent = sent.is_some_and(|node| node.get(&entry.key).is_some());
        let Some(due) = known.into_iter().find(is_kind).filter(|_| !is_sent) else {
            continue;
        };
        if entry.value.as_str().is_some_and(|item| item != due) {
            let expected = format!("\"{due}\", the kind of record that the operation creates");
            differ(
                &checks::CHILD_DIFFERS,
                entry.key.as_str(),
                expected,
                Some(&entry.value),
            );
        }
    }
}

/// The last four digits in the answer must be those of the sent number.
fn are_last(call: &Call<'_>, (record, exchange): (&Node, &Exchange), differ: &mut Differ<'_>) {
    let is_last = |name: &str| {
        let joined = names::words(name).concat();
        ["last4", "lastfour", "last4digits", "lastfourdigits"]
            .iter()
            .any(|item| joined.ends_with(item))
    };
    let numbers = |node: &Node| -> Vec<String> {
        let named = node.entries().filter(|entry| {
            let words = names::words(&entry.key);
            let last = words.last().map(String::as_str);
            let of_card = |word: &String| matches!(word.as_str(), "card" | "account");
            let is_alone = words.len() == 1 || words.iter().any(of_card);
            matches!(last, Some("number" | "pan")) && is_alone
        });
        let texts = named.filter_map(|entry| Some(entry.value.as_str()?.to_owned()));
        texts
            .filter(|text| text.len() > 4 && text.is_ascii())
            .collect()
    };
    let Some(sent) = exchange
        .sent
        .json
        .as_ref()
        .filter(|_| call.role == Role::Create)
    else {
        return;
    };
    let parts = sent.entries().flat_map(|entry| numbers(&entry.value));
    let all: Vec<String> = numbers(sent).into_iter().chain(parts).collect();
    let [number] = &all[..] else { return };
    for entry in record.entries().filter(|entry| is_last(&entry.key)) {
        let Some(observed) = entry.value.as_str() else {
            continue;
        };
        let digits: String = number.chars().filter(char::is_ascii_alphanumeric).collect();
        if observed.len() == 4 && !digits.ends_with(observed) {
            let expected = "the last four digits of the sent number".to_owned();
            differ(
                &checks::ECHO,
                entry.key.as_str(),
                expected,
                Some(&entry.value),
            );
        }
    }
}

/// A requested amount in the answer must be the sent one: `requested_amount` equals `amount`.
pub(crate) fn is_as_requested<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let sent = exchange.sent.json.as_ref();
    let sent = sent.filter(|_| call.role == Role::Create);
    let (Some(record), Some(sent), Some(kind)) = (record_of(call, exchange), sent, call.record())
    else {
        return;
    };
    for entry in record.entries() {
        let mut words = names::words(&entry.key);
        let all = words.len();
        words.retain(|word| word != "requested");
        let is_it = |entry: &&Entry| names_amount(&entry.key) && names::words(&entry.key) == words;
        let Some(item) = sent.entries().find(is_it).filter(|_| words.len() < all) else {
            continue;
        };
        let amounts = Amount::read(&item.value).zip(Amount::read(&entry.value));
        let differs = |(one, other): (Amount, Amount)| {
            one.is_of_unit(other) && one.compared(other) != Some(Ordering::Equal)
        };
        if amounts.is_some_and(differs) {
            let pointer = Pointer::root().join(entry.key.as_str());
            let show = |item| scene.shown(call, &pointer, Some(item));
            let due = format!("{}, sent as `{}`", show(&item.value), item.key);
            let claim = Claim::new(&checks::ECHO, Basis::Names, due, show(&entry.value))
                .at(kind.at.join(entry.key.as_str()));
            scene.differ(draft, call, claim, exchange);
        }
    }
}

/// Whether an answer is about another record, such as a copy or a retry that starts another run.
fn creates_another(exchange: &Exchange) -> bool {
    let answer = exchange.outcome.as_ref().ok();
    answer.is_some_and(|answer| match answer.status {
        201 => true,
        202 => answer.header("location").is_some(),
        _ => false,
    })
}

/// The answered record must have the key of the path.
fn has_requested_key<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (record, exchange): (&Node, &Exchange),
    differ: &mut Differ<'_>,
) {
    let (Some(kind), Some(parameter)) = (call.record(), call.path_parameters().last().copied())
    else {
        return;
    };
    // The path begins with that of a reader of this kind; the rest is a step on the record.
    let names_it = |reader: &&Call<'d>| {
        let path = reader.operation.path;
        let rest = call.operation.path.strip_prefix(path);
        model::names_one(path) && rest.is_some_and(|rest| !rest.contains('{'))
    };
    if !matches!(call.role, Role::Read | Role::Change)
        || !scene.model.readers(kind).iter().any(names_it)
        || creates_another(exchange)
    {
        return;
    }
    let listed: Vec<&str> = record.entries().map(|entry| entry.key.as_str()).collect();
    let segment = model::segment_before(call.operation.path, parameter).unwrap_or_default();
    // A creation without a record in its answer is known by a sent key.
    let sent = match scene.model.namer_for(&call.operation, parameter) {
        Some((_, SentKey::Body(name))) => listed.iter().copied().find(|item| *item == name),
        _ => None,
    };
    let property = sent
        .or_else(|| names::key_property(parameter, &kind.name, &listed))
        .or_else(|| names::key_property(parameter, &names::singular(segment), &listed));
    let mut arguments = exchange.sent.path_arguments.iter();
    let requested = arguments.find(|(name, _)| name == parameter);
    let (Some(name), Some((_, requested))) = (property, requested) else {
        return;
    };
    // A change may rename its record.
    let sent = exchange.sent.json.as_ref();
    if sent.is_some_and(|body| body.get(name).is_some()) {
        return;
    }
    let Some(value) = record.get(name).filter(|node| !node.is_null()) else {
        return;
    };
    if !value::plain(value).eq_ignore_ascii_case(requested) {
        let expected = format!("{}, as in the path", value::string(requested).to_json());
        differ(&checks::ECHO, name, expected, Some(value));
    }
}

/// A step must leave its record in the state named like its verb, if there is one.
fn is_done<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (record, exchange): (&Node, &Exchange),
    differ: &mut Differ<'_>,
) {
    let path = call.operation.path;
    let verb = names::words(model::collection(path));
    let [verb] = &verb[..] else { return };
    let sent = exchange.sent.json.as_ref();
    let is_part = sent.is_some_and(|node| node.entries().any(|entry| names_amount(&entry.key)));
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    if !is_step
        || model::names_one(path)
        || status(exchange) == Some(202)
        || scene.model.is_moving(record)
    {
        return;
    }
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|record| &record.schema));
    let says_done = |text: &str| {
        let words = names::words(&text.to_lowercase());
        matches!(&words[..], [word] if names::is_done(word, verb))
    };
    let states: Vec<(&str, &str)> = record
        .entries()
        .filter(|entry| names::names_state(&entry.key))
        .filter_map(|entry| {
            let known = shape.property(document, &entry.key).known_values();
            let done = known.into_iter().find(|sentence| says_done(sentence))?;
            Some((entry.key.as_str(), done))
        })
        .collect();
    if let [(name, done)] = states[..] {
        let value = record.get(name);
        let is_done = value.and_then(Node::as_str) == Some(done);
        let now = value.and_then(Node::as_str).unwrap_or_default();
        if !is_done && (is_part || may_be_at_once(call, now)) {
            return;
        }
        if !is_done {
            let expected = format!("\"{done}\", the state that the step leads to");
            differ(&checks::STEP_UNDONE, name, expected, value);
            return;
        }
    }
    for entry in record.entries() {
        let is_undone = match &entry.value.value {
            Value::Bool(flag) if states.is_empty() && !is_part => {
                (!flag && says_done(&entry.key)) || (*flag && ends(verb, &entry.key))
            }
            // The time of an event that has not happened yet is null.
            Value::Null => states.len() == 1 && is_time_of(&entry.key, says_done),
            _ => false,
        };
        if is_undone {
            let expected = format!("the effect of `{}`", call.operation.label());
            differ(
                &checks::STEP_UNDONE,
                entry.key.as_str(),
                expected,
                Some(&entry.value),
            );
        }
    }
}

/// Whether a text says that a step can lead directly to a later state: `a transfer of up to 1000.00 is completed at
/// once`.
fn may_be_at_once(call: &Call<'_>, state: &str) -> bool {
    const AT_ONCE: [&str; 5] = ["once", "immediately", "directly", "instantly", "straight"];
    let name_words = names::words(state);
    let mut said = call.spoken().into_iter();
    said.any(|words| {
        let is_named = words
            .windows(name_words.len().max(1))
            .any(|part| part == name_words);
        is_named && prose::has(&words, &AT_ONCE)
    })
}

/// Whether a verb clears a flag: `suspend` clears `active`.
fn ends(verb: &str, flag: &str) -> bool {
    const ENDS: [&str; 6] = [
        "suspend",
        "deactivate",
        "disable",
        "block",
        "ban",
        "archive",
    ];
    let words = names::words(flag);
    let is_on = matches!(&words[..], [word] if matches!(word.as_str(), "active" | "enabled"));
    is_on && ENDS.contains(&verb)
}

/// Whether a name is the time of an event that the function recognises: `returned_at`.
fn is_time_of(name: &str, says_done: impl Fn(&str) -> bool) -> bool {
    let words = names::words(name);
    matches!(&words[..], [word, last] if matches!(last.as_str(), "at" | "on") && says_done(word))
}

/// The creation time of a new record must be now, by the server's `Date` header or else the runner's clock.
fn has_current_time<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (record, exchange): (&Node, &Exchange),
    differ: &mut Differ<'_>,
) {
    if call.role != Role::Create || status(exchange) != Some(201) {
        return;
    }
    let answer = exchange.outcome.as_ref().ok();
    let date = answer.and_then(|answer| answer.header("date"));
    let observed = date.and_then(|item| jiff::fmt::rfc2822::parse(&item).ok());
    let now = observed
        .map_or_else(Timestamp::now, |item| item.timestamp())
        .as_second();
    let sent = exchange.sent.json.as_ref();
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|record| &record.schema));
    // A record that `close…` creates has a `closed_at` of now.
    let verb = call.operation.id().map(names::words);
    let verb = verb.and_then(|item| item.into_iter().next());
    let begins = |name: &str| {
        let words = names::words(name);
        let is_of_act = |word: &str| matches!(word, "opened" | "requested" | "placed" | "ordered");
        is_time_of_making(name)
            || is_time_of(name, |done| {
                verb.as_ref().is_some_and(|verb| names::is_done(done, verb))
            })
            || matches!(&words[..], [word, last] if is_of_act(word) && last == "at")
    };
    for entry in record.entries().filter(|entry| begins(&entry.key)) {
        let is_sent = sent.is_some_and(|node| node.get(&entry.key).is_some());
        let shape = shape.property(document, &entry.key);
        let text = shape.keyword("description").and_then(Node::as_str);
        let text = text.unwrap_or_default();
        if is_sent || !moment(&entry.value, text).is_some_and(|item| is_astray(item, now)) {
            continue;
        }
        let shown =
            Timestamp::from_second(now).map_or_else(|_| String::new(), |item| item.to_string());
        let expected = format!("about {shown}, the time of its creation");
        differ(
            &checks::TIME_ASTRAY,
            entry.key.as_str(),
            expected,
            Some(&entry.value),
        );
    }
}

/// Whether a moment is the current time in another time zone or another unit, or zero. A clock that is merely wrong
/// does not count.
fn is_astray(moment: i64, now: i64) -> bool {
    let off = moment - now;
    let from_quarter = off.rem_euclid(QUARTER);
    let is_zone = from_quarter.min(QUARTER - from_quarter) <= APART
        && (QUARTER - APART..=FURTHEST + APART).contains(&off.abs());
    let units = [now * 1000, now / 1000];
    moment == 0 || is_zone || units.iter().any(|item| item.abs_diff(moment) <= 3_600_000)
}

/// A value in seconds since 1970. `None` if it is no time, or its description gives no unit.
fn moment(node: &Node, description: &str) -> Option<i64> {
    match &node.value {
        Value::String(text) => {
            let moment: Timestamp = text.parse().ok()?;
            Some(moment.as_second())
        }
        Value::Number(text) => {
            let number: i64 = text.parse().ok()?;
            let words = names::words(description);
            let is_kind_name = |text: &str| words.iter().any(|word| word.starts_with(text));
            if is_kind_name("milli") {
                Some(number / 1000)
            } else {
                (is_kind_name("second") || number == 0).then_some(number)
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_from_numbers_and_texts() {
        let read = |text| openapi_document::json::read_text(text).unwrap();
        for (text, description, expected) in [
            (r#""1970-01-01T01:00:00+01:00""#, "", Some(0)),
            ("5000", "Seconds since 1970.", Some(5000)),
            ("5000", "Unix time in milliseconds", Some(5)),
            ("5000", "", None),
            (r#""yesterday""#, "", None),
            ("null", "", None),
        ] {
            assert_eq!(
                moment(&read(text), description),
                expected,
                "{text} {description}"
            );
        }
    }

    #[test]
    fn moments_of_other_zones_and_units() {
        const NOW: i64 = 1_790_000_000;
        for (moment, expected) in [
            (NOW + 5, false),
            (NOW - 300, false),
            (NOW + 7200, true),
            (NOW - 19_800, true),
            (NOW * 1000, true),
            (0, true),
            (NOW - 20_000_000, false),
        ] {
            assert_eq!(is_astray(moment, NOW), expected, "{moment}");
        }
    }
}
