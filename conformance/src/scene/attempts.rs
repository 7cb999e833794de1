//! Attempts: counts refusals of the same requests while recipes are tried, so that they are not sent again and again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::answered::{is_passing, status};
use crate::case::{ArgumentValue, Step};
use crate::exchange::Exchange;

/// The same sequence of requests is sent at most this often while it is refused.
const MOST: usize = 2;

/// Refusals by a hash of all requests up to the refused one, without fresh keys.
#[derive(Debug, Default)]
pub(crate) struct Attempts(RefCell<BTreeMap<u64, Refusals>>);

/// How often a request was refused, and the first reason.
#[derive(Debug)]
struct Refusals {
    times: usize,
    why: String,
}

impl Attempts {
    /// Records that the last of some steps was refused.
    pub(super) fn note(&self, steps: &[Step<'_>], why: &str) {
        if let Some(last) = prints(steps).last() {
            let mut known = self.0.borrow_mut();
            let first = || Refusals {
                times: 0,
                why: why.to_owned(),
            };
            known.entry(last).or_insert_with(first).times += 1;
        }
    }

    /// The reason for the refusal if any of the steps was refused too often after the same steps before it.
    pub(super) fn spent(&self, steps: &[Step<'_>]) -> Option<String> {
        let known = self.0.borrow();
        let mut refused = prints(steps).filter_map(|print| known.get(&print));
        let spent = refused.find(|item| item.times >= MOST);
        spent.map(|item| item.why.clone())
    }
}

/// Whether the request itself caused the refusal, not too many requests or a server that is temporarily unavailable.
pub(super) fn is_for_its_request(exchange: &Exchange) -> bool {
    status(exchange).is_some_and(|code| code >= 400 && !is_passing(code))
}

/// One hash per step that covers it and all steps before it.
fn prints(steps: &[Step<'_>]) -> impl Iterator<Item = u64> {
    let mut before = DefaultHasher::new();
    steps.iter().map(move |step| {
        print(step, &mut before);
        before.finish()
    })
}

fn print(step: &Step<'_>, hasher: &mut DefaultHasher) {
    step.name.operation.hash(hasher);
    for argument in &step.request.arguments {
        argument.name.hash(hasher);
        match &argument.value {
            ArgumentValue::Example(value) | ArgumentValue::Malformed(value) => {
                value.to_json().hash(hasher);
            }
            ArgumentValue::Scenario(template) => format!("{template:?}").hash(hasher),
            ArgumentValue::FreshUuid => {}
        }
    }
    let body = step.request.body.as_ref();
    let body = body.map(|entry| entry.value.plain().map(openapi_document::Node::to_json));
    body.hash(hasher);
    for (pointer, template) in &step.request.replacements {
        pointer.to_string().hash(hasher);
        format!("{template:?}").hash(hasher);
    }
}
