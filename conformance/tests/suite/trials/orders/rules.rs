//! What a request has to be, and how it is refused.

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

pub(super) fn told(time: Timestamp) -> Value {
    time.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string().into()
}

pub(super) fn now() -> Value {
    told(Timestamp::now())
}

pub(super) fn is_text(own: &Value, (least, most): (usize, usize)) -> bool {
    own.as_str()
        .is_some_and(|own| (least..=most).contains(&own.chars().count()))
}

pub(super) fn is_whole(own: &Value, (least, most): (i64, i64)) -> bool {
    own.as_i64()
        .is_some_and(|own| (least..=most).contains(&own))
}

pub(super) fn is_one_of(own: &Value, all: &[&str]) -> bool {
    own.as_str().is_some_and(|own| all.contains(&own))
}

pub(super) fn is_code(own: &str, (least, most): (usize, usize), other: &str) -> bool {
    let is_of = |own: char| own.is_ascii_uppercase() || own.is_ascii_digit() || other.contains(own);
    (least..=most).contains(&own.chars().count()) && own.chars().all(is_of)
}

pub(super) fn is_sku(own: &Value) -> bool {
    own.as_str().is_some_and(|own| is_code(own, (3, 20), "-"))
}

pub(super) fn is_email(own: &str) -> bool {
    let parts = own.split_once('@');
    let parts = parts.filter(|(name, host)| !name.is_empty() && host.contains('.'));
    parts.is_some() && own.len() <= 100
}

pub(super) fn is_metadata(own: &Value, may_be_null: bool) -> bool {
    let all = own.as_object();
    all.is_some_and(|all| {
        let is_value = |own: &Value| (may_be_null && own.is_null()) || is_text(own, (0, 200));
        all.len() <= 20 && all.values().all(is_value)
    })
}

pub(super) fn count(own: &Value) -> i64 {
    own.as_i64().unwrap()
}

/// What a query asks for as a whole number.
pub(super) fn asked(
    ask: &Ask,
    name: &str,
    (least, most): (i64, i64),
) -> Result<Option<i64>, Reply> {
    let own = ask.query(name).map(|own| own.parse::<i64>().ok());
    match own {
        None => Ok(None),
        Some(Some(own)) if (least..=most).contains(&own) => Ok(Some(own)),
        Some(_) => Err(invalid()),
    }
}

pub(super) fn time(ask: &Ask, name: &str) -> Result<Option<Timestamp>, Reply> {
    let own = ask.query(name).map(str::parse::<Timestamp>);
    own.transpose().map_err(|_| invalid())
}

pub(super) fn is_made(own: &Value, fits: impl Fn(Timestamp) -> bool) -> bool {
    own["createdAt"].as_str().unwrap().parse().is_ok_and(fits)
}
