//! Triggers: calls of the interface that make an event happen.
//!
//! What each of them calls stands in `triggers.json`. In a body, `"$key"` at the beginning of a text is a new id, `"$notify"`
//! the address for notifications, and `"$1.id"` the id that the first step answered with.

mod body;

use std::sync::LazyLock;

use http::Method;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::http::Calls;
use crate::store::Merchant;
use body::Filling;

/// What makes an event happen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// The event, as notifications name it.
    pub event: String,
    /// What happens.
    pub summary: String,
    steps: Vec<Step>,
}

/// One call, a POST.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    path: String,
    body: Value,
}

/// Why a trigger did not reach its end: what the interface answered to one of its calls.
#[derive(Clone, Debug, thiserror::Error)]
#[error("POST {path} was answered with {status}: {detail}")]
pub struct Refused {
    /// Where the call went.
    pub path: String,
    /// The status of the answer.
    pub status: u16,
    /// What the answer says is wrong.
    pub detail: String,
}

impl Trigger {
    /// Every trigger.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Trigger>> = LazyLock::new(|| {
            serde_json::from_str(include_str!("triggers.json"))
                .expect("the triggers are read by a test")
        });
        &ALL
    }

    /// The trigger of this event.
    pub fn named(event: &str) -> Option<&'static Self> {
        Self::all().iter().find(|trigger| trigger.event == event)
    }

    /// Makes the calls for a merchant and gives the answer to the last of them. Notifications go to `notify`.
    pub async fn run(
        &self,
        calls: &Calls,
        merchant: Merchant,
        notify: Option<&str>,
    ) -> Result<Value, Refused> {
        let id = Uuid::new_v4().simple().to_string();
        let key = format!("trigger-{}", id.get(..12).unwrap_or(&id));
        let mut answers = Vec::new();
        for step in &self.steps {
            let filling = Filling {
                key: &key,
                notify,
                answers: &answers,
            };
            let body = filling.fill(&step.body);
            let answered = calls.call(merchant, Method::POST, &step.path, &body).await;
            if !answered.status.is_success() {
                let detail = answered.body["detail"].as_str().unwrap_or_default();
                return Err(Refused {
                    path: step.path.clone(),
                    status: answered.status.as_u16(),
                    detail: detail.to_owned(),
                });
            }
            answers.push(answered.body);
        }
        Ok(answers.pop().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trigger_is_read_and_found_by_its_event() {
        let all = Trigger::all();
        assert!(all.len() > 5);
        for trigger in all {
            let found = Trigger::named(&trigger.event).unwrap();
            assert!(std::ptr::eq(found, trigger), "{} twice", trigger.event);
            assert!(!trigger.steps.is_empty() && !trigger.summary.is_empty());
        }
    }
}
