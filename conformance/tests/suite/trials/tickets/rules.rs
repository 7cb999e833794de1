//! Rules for bodies.

use serde_json::Value;

use crate::trials::desk::{Desk, Reply};

use super::{Store, error};

type Field = (&'static str, bool, fn(&Value) -> bool);

fn text(value: &Value, most: usize) -> bool {
    let length = value
        .as_str()
        .map_or(usize::MAX, |item| item.chars().count());
    (1..=most).contains(&length)
}

fn whole(value: &Value, most: u64) -> bool {
    value
        .as_u64()
        .is_some_and(|number| (1..=most).contains(&number))
}

fn money(value: &Value) -> bool {
    let Some(object) = value.as_object() else {
        return false;
    };
    let amount = object
        .get("amount")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let Some((units, cents)) = amount.split_once('.') else {
        return false;
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let currency = object.get("currency").and_then(Value::as_str);
    object.len() == 2
        && (1..=7).contains(&units.len())
        && cents.len() == 2
        && digits(units)
        && digits(cents)
        && ["EUR", "USD", "SEK"].contains(&currency.unwrap_or_default())
}

fn email(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let parts = text.split_once('@');
    text.len() <= 100
        && !text.contains(' ')
        && parts.is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
}

fn time(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.parse::<jiff::Timestamp>().is_ok()
}

fn note(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|value| value.chars().count() <= 200)
}

pub(super) const VENUE: &[Field] = &[
    ("name", true, |item| text(item, 50)),
    ("city", true, |item| text(item, 50)),
    ("capacity", false, |item| whole(item, 100_000)),
];

pub(super) const EVENT: &[Field] = &[
    ("title", true, |item| text(item, 80)),
    ("starts_at", true, time),
    ("ends_at", false, time),
    ("price", true, money),
    ("seats_total", true, |item| whole(item, 5000)),
    ("note", false, note),
];

pub(super) const CHANGE: &[Field] = &[
    ("title", false, |item| text(item, 80)),
    ("note", false, note),
];

pub(super) const BOOKING: &[Field] = &[
    ("quantity", true, |item| whole(item, 10)),
    ("email", true, email),
];

impl Store {
    /// Refuses an invalid body.
    pub(super) fn check(&self, body: &Value, fields: &[Field]) -> Result<(), Reply> {
        let Some(object) = body.as_object() else {
            return Err(error(400, "the body is no object"));
        };
        let listed = |name: &String| fields.iter().any(|(field, ..)| field == name);
        if !object.keys().all(listed) && !self.is("any-property") {
            return Err(error(400, "an unknown property"));
        }
        for (name, required, fits) in fields {
            let lax = self.fault.strip_prefix("any-") == Some(*name);
            match object.get(*name) {
                None if *required && !lax => return Err(error(400, name)),
                Some(value) if !fits(value) && !lax => return Err(error(400, name)),
                _ => {}
            }
        }
        if object.is_empty() && !fields.iter().any(|(_, required, _)| *required) {
            return Err(error(400, "nothing is asked for"));
        }
        Ok(())
    }
}
