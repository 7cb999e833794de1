//! Rules for bodies.

use serde_json::Value;

use crate::trials::desk::{Desk, Reply};

use super::Store;

type Field = (&'static str, bool, fn(&Value) -> bool);

fn text(value: &Value, least: usize, most: usize) -> bool {
    let length = value
        .as_str()
        .map_or(usize::MAX, |item| item.chars().count());
    (least..=most).contains(&length)
}

fn whole(value: &Value, most: u64) -> bool {
    value
        .as_u64()
        .is_some_and(|number| (1..=most).contains(&number))
}

fn date(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}

fn isbn(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.len() == 13 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn genre(value: &Value) -> bool {
    let all = ["FICTION", "SCIENCE", "HISTORY", "CHILDREN"];
    value.as_str().is_some_and(|value| all.contains(&value))
}

fn weight(value: &Value) -> bool {
    value
        .as_f64()
        .is_some_and(|number| (0.001..=50.0).contains(&number))
}

fn tags(value: &Value) -> bool {
    value.as_array().is_some_and(|all| {
        let is_new = |at: usize| !all[..at].contains(&all[at]);
        all.len() <= 5 && all.iter().all(|item| text(item, 1, 20)) && (0..all.len()).all(is_new)
    })
}

fn email(value: &Value) -> bool {
    let parts = value.as_str().unwrap_or_default().split_once('@');
    parts.is_some_and(|(user, host)| !user.is_empty() && host.contains('.') && !host.contains(' '))
}

fn address(value: &Value) -> bool {
    let code = value["postCode"].as_str().unwrap_or_default();
    let is_code =
        |letter: u8| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == b' ';
    value.as_object().is_some_and(|value| value.len() == 3)
        && text(&value["street"], 1, 80)
        && text(&value["city"], 1, 60)
        && (3..=10).contains(&code.len())
        && code.bytes().all(is_code)
}

pub(super) const BOOK: &[Field] = &[
    ("isbn", true, isbn),
    ("title", true, |item| text(item, 1, 200)),
    ("author", true, |item| text(item, 1, 100)),
    ("genre", true, genre),
    ("copies", true, |item| whole(item, 500)),
    ("publishedOn", false, date),
    ("weight", false, weight),
    ("tags", false, tags),
];

pub(super) const PATCH: &[Field] = &[
    ("title", false, |item| text(item, 1, 200)),
    ("author", false, |item| text(item, 1, 100)),
    ("genre", false, genre),
    ("publishedOn", false, |node| node.is_null() || date(node)),
    ("tags", false, tags),
];

pub(super) const MEMBER: &[Field] = &[
    ("fullName", true, |item| text(item, 2, 80)),
    ("birthDate", true, date),
    ("email", false, email),
    ("newsletter", false, Value::is_boolean),
    ("pin", false, |candidate| {
        text(candidate, 4, 4)
            && candidate
                .as_str()
                .is_some_and(|item| item.bytes().all(|byte| byte.is_ascii_digit()))
    }),
    ("address", false, address),
];

pub(super) const LOAN: &[Field] = &[
    ("bookId", true, |item| item.as_i64().is_some()),
    ("days", false, |item| whole(item, 60)),
];

impl Store {
    /// Refuses an invalid body.
    pub(super) fn check(&self, body: &Value, fields: &[Field]) -> Result<(), Reply> {
        let Some(object) = body.as_object() else {
            return self.refuse(400, "the body is no object");
        };
        let listed = |name: &String| fields.iter().any(|(field, ..)| field == name);
        if !object.keys().all(listed) && !self.is("any-property") {
            return self.refuse(400, "an unknown property");
        }
        for (name, required, fits) in fields {
            let lax = self.fault.strip_prefix("any-") == Some(*name);
            match object.get(*name) {
                None if *required => return self.refuse(400, name),
                Some(value) if !fits(value) && !lax => return self.refuse(400, name),
                _ => {}
            }
        }
        if object.is_empty() {
            return self.refuse(400, "nothing is asked for");
        }
        Ok(())
    }
}
