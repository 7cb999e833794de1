//! Fills the placeholders in the body of a call.

use serde_json::{Map, Value};

/// The values of the placeholders.
#[derive(Debug)]
pub(super) struct Filling<'a> {
    /// A new id.
    pub(super) key: &'a str,
    /// The address for notifications; without one, members that refer to it are removed.
    pub(super) notify: Option<&'a str>,
    /// The answers to the earlier steps.
    pub(super) answers: &'a [Value],
}

impl Filling<'_> {
    /// Fills a body.
    pub(super) fn fill(&self, body: &Value) -> Value {
        self.filled(body).unwrap_or_default()
    }

    fn filled(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Object(members) => {
                let filled = members.iter().filter_map(|(name, value)| {
                    self.filled(value).map(|value| (name.clone(), value))
                });
                Some(Value::Object(filled.collect::<Map<_, _>>()))
            }
            Value::String(text) => self.text(text),
            other => Some(other.clone()),
        }
    }

    fn text(&self, text: &str) -> Option<Value> {
        if text == "$notify" {
            return self.notify.map(Into::into);
        }
        if let Some(rest) = text.strip_prefix("$key") {
            return Some(format!("{}{rest}", self.key).into());
        }
        match text
            .strip_prefix('$')
            .and_then(|rest| rest.strip_suffix(".id"))
        {
            Some(step) => {
                let index = step.parse::<usize>().ok()?.checked_sub(1)?;
                self.answers.get(index)?.get("id").cloned()
            }
            None => Some(text.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn placeholders_are_filled_and_members_without_a_value_are_removed() {
        let answers = [json!({"id": "a"}), json!({"id": "b"})];
        let filling = |notify| Filling {
            key: "k",
            notify,
            answers: &answers,
        };
        let body =
            json!({"x": "$key-refund", "y": {"z": "$2.id"}, "n": "$notify", "t": "plain", "i": 1});
        let expected = json!({"x": "k-refund", "y": {"z": "b"}, "t": "plain", "i": 1});
        assert_eq!(filling(None).fill(&body), expected);
        let told = filling(Some("http://a.example/")).fill(&body);
        assert_eq!(told["n"], "http://a.example/");
    }
}
