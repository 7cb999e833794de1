//! Rules for requests, and their refusals.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Reply};

pub(super) fn no(status: u16, code: &str) -> Reply {
    let mut reply = Reply::new(
        status,
        json!({"type": "about:blank", "title": "No", "status": status, "code": code}),
    );
    let kind = "application/problem+json".to_owned();
    reply.headers.push(("content-type", kind));
    reply
}

pub(super) fn invalid() -> Reply {
    no(400, "invalid_request")
}

pub(super) fn ensure(is_so: bool) -> Result<(), Reply> {
    if is_so { Ok(()) } else { Err(invalid()) }
}

pub(super) fn timestamp(time: Timestamp) -> Value {
    time.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string().into()
}

pub(super) fn now() -> Value {
    timestamp(Timestamp::now())
}

pub(super) fn is_text(value: &Value, (least, most): (usize, usize)) -> bool {
    value
        .as_str()
        .is_some_and(|item| (least..=most).contains(&item.chars().count()))
}

pub(super) fn is_whole(value: &Value, (least, most): (i64, i64)) -> bool {
    value
        .as_i64()
        .is_some_and(|number| (least..=most).contains(&number))
}

pub(super) fn is_one_of(value: &Value, all: &[&str]) -> bool {
    value.as_str().is_some_and(|item| all.contains(&item))
}

pub(super) fn is_code(text: &str, (least, most): (usize, usize), other: &str) -> bool {
    let is_of = |letter: char| {
        letter.is_ascii_uppercase() || letter.is_ascii_digit() || other.contains(letter)
    };
    (least..=most).contains(&text.chars().count()) && text.chars().all(is_of)
}

pub(super) fn is_sku(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|item| is_code(item, (3, 20), "-"))
}

pub(super) fn is_email(text: &str) -> bool {
    let parts = text.split_once('@');
    let parts = parts.filter(|(name, host)| !name.is_empty() && host.contains('.'));
    parts.is_some() && text.len() <= 100
}

pub(super) fn is_metadata(item: &Value, may_be_null: bool) -> bool {
    let all = item.as_object();
    all.is_some_and(|all| {
        let is_value = |value: &Value| (may_be_null && value.is_null()) || is_text(value, (0, 200));
        all.len() <= 20 && all.values().all(is_value)
    })
}

pub(super) fn count(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// A whole number in the query.
pub(super) fn query_number(
    ask: &Ask,
    name: &str,
    (least, most): (i64, i64),
) -> Result<Option<i64>, Reply> {
    let item = ask.query(name).map(|name| name.parse::<i64>().ok());
    match item {
        None => Ok(None),
        Some(Some(item)) if (least..=most).contains(&item) => Ok(Some(item)),
        Some(_) => Err(invalid()),
    }
}

pub(super) fn time(ask: &Ask, name: &str) -> Result<Option<Timestamp>, Reply> {
    let item = ask.query(name).map(str::parse::<Timestamp>);
    item.transpose().map_err(|_| invalid())
}

pub(super) fn is_created(value: &Value, fits: impl Fn(Timestamp) -> bool) -> bool {
    value["createdAt"].as_str().unwrap().parse().is_ok_and(fits)
}
