//! Keys of requests: what was sent with each, and what was answered.

use serde_json::Value;

use super::{Store, ensure, find};
use crate::trials::desk::{Ask, Desk, Done};

/// A key that was used.
#[derive(Clone)]
pub(super) struct Used {
    key: String,
    body: Value,
    /// The status and the body of the answer.
    answer: (u16, Value),
}

impl Store {
    /// Makes a mandate, once for each key.
    pub(super) fn with_key(&mut self, ask: &Ask) -> Done {
        let key = ask.header("idempotency-key");
        if !ask.headers.contains_key("idempotency-key") {
            return self.mandate(&ask.body);
        }
        ensure((1..=64).contains(&key.len()), 422, "invalid")?;
        if let Some(used) = self.keys.iter().find(|own| self.is_it(&own.key, key)) {
            ensure(self.is_same(&used.body, &ask.body), 409, "key_reused")?;
            return Ok(self.repeated(used));
        }
        let done = self.mandate(&ask.body);
        let answer = match &done {
            Ok(answer) => Some(answer.clone()),
            Err(refusal) if self.is("key-spent") => {
                refusal.body.clone().map(|own| (refusal.status, own))
            }
            Err(_) => None,
        };
        self.keys.extend(answer.map(|answer| Used {
            key: key.to_owned(),
            body: ask.body.clone(),
            answer,
        }));
        done
    }

    fn is_it(&self, one: &str, other: &str) -> bool {
        one == other || (self.is("keys-in-any-case") && one.eq_ignore_ascii_case(other))
    }

    fn is_same(&self, one: &Value, other: &Value) -> bool {
        let [told, again] = [one, other].map(Value::to_string);
        one == other && (!self.is("bytes-compared") || told == again)
    }

    fn repeated(&self, used: &Used) -> (u16, Value) {
        let (status, body) = &used.answer;
        let now = find(&self.mandates, body["id"].as_str().unwrap_or_default());
        match now {
            Ok(at) if self.is("replay-of-now") => (*status, self.mandates[at].clone()),
            _ => (*status, body.clone()),
        }
    }
}
