//! Reads answers that break the contract as far as possible.
//!
//! When a body has an unreadable value, the module repairs that place in its text and reads the
//! body again. It converts the value to a close readable one (`2026-01-02T03:04:05` to a date-time
//! in UTC), else omits it, else replaces it. Each such place is a [`Deviation`] with the received
//! value.

use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;
use http::StatusCode;
use serde_json::value::RawValue;

use super::super::answer::Answer;
use super::super::json::{self, Unreadable};
use super::deviation::Deviation;
use super::endpoint::Outcome;

/// The limit of the bytes read to repair one answer, except for small answers.
const BYTES: usize = 64 << 20;

/// The replacements to try for a required value that cannot be read.
const INSTEAD: [&str; 9] = [
    "\"\"",
    "0",
    "false",
    "[]",
    "{}",
    "\"1970-01-01T00:00:00Z\"",
    "\"1970-01-01\"",
    "\"00000000-0000-0000-0000-000000000000\"",
    "\"0\"",
];

/// Statuses under which an undocumented success is read.
const SUCCESSES: [u16; 7] = [200, 201, 202, 203, 206, 204, 205];

/// How answers of an operation are read.
type Decode<S, E> = fn(&Answer) -> Result<Outcome<S, E>, Unreadable>;

/// Reads an answer, and lists where it breaks the contract. Fails when it cannot be repaired.
pub(super) fn decode<S, E>(
    answer: &Answer,
    decode: Decode<S, E>,
) -> (Result<Outcome<S, E>, Unreadable>, Vec<Deviation>) {
    let (outcome, deviations) = mended(answer, decode);
    let undocumented = matches!(outcome, Ok(Outcome::Undocumented));
    if !undocumented || !answer.status.is_success() {
        return (outcome, deviations);
    }
    let is_possible = |status: &u16| !matches!(status, 204 | 205) || answer.body.is_empty();
    let statuses = SUCCESSES.into_iter().filter(is_possible);
    for status in statuses.flat_map(StatusCode::from_u16) {
        let other = Answer {
            status,
            ..answer.clone()
        };
        if let Ok(Outcome::Success(body)) = decode(&other) {
            let message = format!("{} is not documented; read as {status}", answer.status);
            let deviation = Deviation {
                pointer: String::new(),
                message,
                found: None,
                instead: None,
            };
            return (Ok(Outcome::Success(body)), vec![deviation]);
        }
    }
    (outcome, deviations)
}

fn mended<S, E>(
    answer: &Answer,
    decode: Decode<S, E>,
) -> (Result<Outcome<S, E>, Unreadable>, Vec<Deviation>) {
    let mut outcome = decode(answer);
    let Err(first) = &outcome else {
        return (outcome, Vec::new());
    };
    let (first, mut answer) = (first.clone(), answer.clone());
    let mut attempts = (BYTES / answer.body.len().max(1)).clamp(64, 4096);
    let mut deviations: Vec<Deviation> = Vec::new();
    while let Err(reason) = &outcome {
        let Some((body, next, deviation)) = step(&answer, reason, decode, &mut attempts) else {
            return (Err(first), Vec::new());
        };
        (answer.body, outcome) = (body, next);
        note(&mut deviations, deviation);
    }
    (outcome, deviations)
}

/// Records a deviation. If the missing value was omitted before and turns out to be required, only
/// sets the replacement in the earlier deviation.
fn note(deviations: &mut Vec<Deviation>, new: Deviation) {
    let mut known = deviations.iter_mut();
    let same = known.find(|own| own.pointer == new.pointer && own.instead.is_none());
    match same.filter(|_| new.found.is_none()) {
        Some(known) => known.instead = new.instead,
        None => deviations.push(new),
    }
}

/// The repair of one place: the whole body with it, and how that reads.
type Step<S, E> = (Bytes, Result<Outcome<S, E>, Unreadable>, Deviation);

/// Repairs the place, or the innermost place around it that can be repaired.
fn step<S, E>(
    answer: &Answer,
    reason: &Unreadable,
    decode: Decode<S, E>,
    attempts: &mut usize,
) -> Option<Step<S, E>> {
    let mut place = reason.pointer.as_str();
    while !reason.malformed && !place.is_empty() {
        let found = json::at(&answer.body, place).map(|raw| raw.get().to_owned());
        let mut tried = VecDeque::new();
        tried.extend(found.iter().flat_map(|text| near(text)).map(Some));
        tried.extend(found.iter().map(|_| None));
        tried.extend(INSTEAD.map(|text| Some(text.to_owned())));
        let mut values = known(&reason.message);
        tried.extend(values.iter().cloned().map(Some));
        while let Some(instead) = tried.pop_front() {
            let Some(text) = edited(&answer.body, place, instead.as_deref()) else {
                continue;
            };
            *attempts = attempts.checked_sub(1)?;
            let body = Bytes::from(text);
            let outcome = decode(&Answer {
                body: body.clone(),
                ..answer.clone()
            });
            match &outcome {
                Err(other) if touches(&other.pointer, place) => {
                    if values.is_empty() && other.pointer == place {
                        values = known(&other.message);
                        tried.extend(values.iter().cloned().map(Some));
                    }
                }
                _ => {
                    let deviation = Deviation {
                        pointer: place.to_owned(),
                        message: reason.message.clone(),
                        found,
                        instead,
                    };
                    return Some((body, outcome, deviation));
                }
            }
        }
        place = place.rsplit_once('/')?.0;
    }
    None
}

/// Whether what is wrong at a place is still at another, around it or inside it.
fn touches(place: &str, other: &str) -> bool {
    let is_in = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_in(place, other) || is_in(other, place)
}

/// Close values to try: a text with the zone `Z`, the scalar inside a text, a scalar as text.
fn near(found: &str) -> Vec<String> {
    match serde_json::from_str::<String>(found) {
        Ok(text) => {
            let zoned = serde_json::Value::from(format!("{text}Z")).to_string();
            let is_scalar = text.starts_with(|first: char| first.is_ascii_digit() || first == '-')
                || matches!(&*text, "true" | "false");
            let plain = serde_json::from_str::<&RawValue>(&text).ok();
            let plain = plain.filter(|_| is_scalar).map(|raw| raw.get().to_owned());
            std::iter::once(zoned).chain(plain).collect()
        }
        Err(_) if found.starts_with(['{', '[', 'n']) => Vec::new(),
        Err(_) => vec![format!("\"{found}\"")],
    }
}

/// The values of an enumeration, which the error for any other lists.
fn known(message: &str) -> Vec<String> {
    let all = message.split_once("unknown variant ").map(|(_, all)| all);
    let all = all.and_then(|all| all.rsplit_once(", expected "));
    let values = all.map(|(_, values)| values.split('`').skip(1).step_by(2));
    let quoted = |value: &str| serde_json::Value::from(value).to_string();
    values.into_iter().flatten().map(quoted).collect()
}

/// The JSON text with another value at a place; with `None`, without the value.
fn edited(text: &[u8], place: &str, value: Option<&str>) -> Option<String> {
    let names = place.split('/').skip(1);
    let names: Vec<String> = names
        .map(|name| name.replace("~1", "/").replace("~0", "~"))
        .collect();
    let whole: &RawValue = serde_json::from_slice(text).ok()?;
    within(whole, &names, value)
}

fn within(json: &RawValue, names: &[String], value: Option<&str>) -> Option<String> {
    let (name, inner) = names.split_first()?;
    let new = |old: Option<&RawValue>| match (inner, value) {
        ([], value) => Some(value.map(str::to_owned)),
        _ => within(old?, inner, value).map(Some),
    };
    let raw = |text| RawValue::from_string(text).ok();
    if json.get().starts_with('{') {
        let mut members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(json.get()).ok()?;
        match new(members.get(name).map(|old| &**old))? {
            Some(text) => drop(members.insert(name.clone(), raw(text)?)),
            None => drop(members.remove(name)?),
        }
        return serde_json::to_string(&members).ok();
    }
    let mut items: Vec<Box<RawValue>> = serde_json::from_str(json.get()).ok()?;
    let index: usize = name.parse().ok()?;
    let item = items.get_mut(index)?;
    match new(Some(&**item))? {
        Some(text) => *item = raw(text)?,
        None => drop(items.remove(index)),
    }
    serde_json::to_string(&items).ok()
}
