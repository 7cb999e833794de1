//! What a body has to be.

use serde_json::Value;

use crate::trials::desk::{Desk, Reply};

use super::Store;

type Field = (&'static str, bool, fn(&Value) -> bool);

fn text(value: &Value, least: usize, most: usize) -> bool {
    let length = value.as_str().map_or(usize::MAX, |own| own.chars().count());
    (least..=most).contains(&length)
}

fn whole(value: &Value, most: u64) -> bool {
    value.as_u64().is_some_and(|own| (1..=most).contains(&own))
}

fn date(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}

fn isbn(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.len() == 13 && text.bytes().all(|own| own.is_ascii_digit())
}

fn genre(value: &Value) -> bool {
    let all = ["FICTION", "SCIENCE", "HISTORY", "CHILDREN"];
    value.as_str().is_some_and(|own| all.contains(&own))
}

fn weight(value: &Value) -> bool {
    value
        .as_f64()
        .is_some_and(|own| (0.001..=50.0).contains(&own))
}

fn tags(value: &Value) -> bool {
    value.as_array().is_some_and(|all| {
        let is_new = |at: usize| !all[..at].contains(&all[at]);
        all.len() <= 5 && all.iter().all(|own| text(own, 1, 20)) && (0..all.len()).all(is_new)
    })
}

fn email(value: &Value) -> bool {
    let parts = value.as_str().unwrap_or_default().split_once('@');
    parts.is_some_and(|(user, host)| !user.is_empty() && host.contains('.') && !host.contains(' '))
}

fn address(value: &Value) -> bool {
    let code = value["postCode"].as_str().unwrap_or_default();
    let is_code = |own: u8| own.is_ascii_uppercase() || own.is_ascii_digit() || own == b' ';
    value.as_object().is_some_and(|own| own.len() == 3)
        && text(&value["street"], 1, 80)
        && text(&value["city"], 1, 60)
        && (3..=10).contains(&code.len())
        && code.bytes().all(is_code)
}

pub(super) const BOOK: &[Field] = &[
    ("isbn", true, isbn),
    ("title", true, |own| text(own, 1, 200)),
    ("author", true, |own| text(own, 1, 100)),
    ("genre", true, genre),
    ("copies", true, |own| whole(own, 500)),
    ("publishedOn", false, date),
    ("weight", false, weight),
    ("tags", false, tags),
];

pub(super) const PATCH: &[Field] = &[
    ("title", false, |own| text(own, 1, 200)),
    ("author", false, |own| text(own, 1, 100)),
    ("genre", false, genre),
    ("publishedOn", false, |own| own.is_null() || date(own)),
    ("tags", false, tags),
];

pub(super) const MEMBER: &[Field] = &[
    ("fullName", true, |own| text(own, 2, 80)),
    ("birthDate", true, date),
    ("email", false, email),
    ("newsletter", false, Value::is_boolean),
    ("pin", false, |own| {
        text(own, 4, 4)
            && own
                .as_str()
                .is_some_and(|own| own.bytes().all(|byte| byte.is_ascii_digit()))
    }),
    ("address", false, address),
];

pub(super) const LOAN: &[Field] = &[
    ("bookId", true, |own| own.as_i64().is_some()),
    ("days", false, |own| whole(own, 60)),
];

impl Store {
    /// Refuses a body that is not as it has to be.
    pub(super) fn check(&self, body: &Value, fields: &[Field]) -> Result<(), Reply> {
        let Some(own) = body.as_object() else {
            return self.refuse(400, "the body is no object");
        };
        let listed = |name: &String| fields.iter().any(|(own, ..)| own == name);
        if !own.keys().all(listed) && !self.is("any-property") {
            return self.refuse(400, "an unknown property");
        }
        for (name, required, fits) in fields {
            let lax = self.fault.strip_prefix("any-") == Some(*name);
            match own.get(*name) {
                None if *required => return self.refuse(400, name),
                Some(value) if !fits(value) && !lax => return self.refuse(400, name),
                _ => {}
            }
        }
        if own.is_empty() {
            return self.refuse(400, "nothing is asked for");
        }
        Ok(())
    }
}
