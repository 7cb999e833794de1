//! Triggers: sequences of calls that cause an event.
//!
//! `triggers.json` lists the calls of each trigger. In a body, `"$key"` at the start of a text is a
//! new id, `"$notify"` the address for notifications, and `"$1.id"` the id in the answer to the
//! first step.

mod body;

use std::sync::LazyLock;

use http::Method;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::http::Calls;
use crate::store::Merchant;
use body::Filling;

/// A sequence of calls that causes an event.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// The name of the event.
    pub event: String,
    /// A description of the event.
    pub summary: String,
    steps: Vec<Step>,
}

/// One POST call.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    path: String,
    body: Value,
}

/// The refusal of a call, which ended the trigger.
#[derive(Clone, Debug, thiserror::Error)]
#[error("POST {path} was answered with {status}: {detail}")]
pub struct Refused {
    /// The path of the call.
    pub path: String,
    /// The status of the answer.
    pub status: u16,
    /// The detail of the answer.
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

    /// The trigger for this event.
    pub fn named(event: &str) -> Option<&'static Self> {
        Self::all().iter().find(|trigger| trigger.event == event)
    }

    /// Makes the calls for a merchant and returns the answer to the last one. Notifications go to
    /// `notify`.
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
