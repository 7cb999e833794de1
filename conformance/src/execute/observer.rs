//! Observer: collects secrets, exchanges and coverage of a run, and emits them as events.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use openapi_document::view::{Document, Located, Operation};
use openapi_document::{Node, Value};

use crate::case::Step;
use crate::collect::Selection;
use crate::compose::{SECRET, conceal};
use crate::contract::Contract;
use crate::coverage::Tracker;
use crate::event::{Event, Wants};
use crate::exchange::{Answer, Exchange, Sent};
use crate::reply::Reply;
use crate::secrets::{Secrets, without_word};
use crate::shape::Shape;
use crate::traffic::{self, Comparison, Traffic};
use crate::value;

/// Observes exchanges. Without a consumer it only collects secrets.
pub(crate) struct Observer<'d> {
    contract: &'d Contract<'d>,
    wants: Wants,
    operations: BTreeMap<String, Operation<'d>>,
    secrets: Secrets,
    tracker: Option<Tracker<'d>>,
    /// The events to emit with the next case.
    events: Vec<Event>,
    comparisons: BTreeMap<String, Compared>,
}

struct Compared {
    differs: bool,
    comparison: Comparison,
}

impl<'d> Observer<'d> {
    pub(crate) fn new(
        contract: &'d Contract<'d>,
        selection: &Selection,
        secrets: &Secrets,
        wants: Wants,
    ) -> Self {
        let operations = contract.document.operations().into_iter();
        Self {
            contract,
            wants,
            operations: operations
                .map(|operation| (operation.label(), operation))
                .collect(),
            secrets: secrets.clone(),
            tracker: wants.coverage.then(|| Tracker::new(contract, selection)),
            events: Vec::new(),
            comparisons: BTreeMap::new(),
        }
    }

    /// All secrets that are known so far.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Records a finished exchange.
    pub(crate) fn exchange(&mut self, exchange: &Exchange, started: SystemTime, took: Duration) {
        for secret in &exchange.sent.shown.secrets {
            self.secrets.add(secret, SECRET);
        }
        if !self.wants.exchanges && self.contract.sensitive_names().is_empty() {
            return;
        }
        let answer = exchange.outcome.as_ref().ok();
        let json = answer.and_then(|answer| self.concealed(&exchange.sent, answer));
        if !self.wants.exchanges {
            return;
        }
        let json = json.map(|json| json.to_json());
        let response = answer.map(|answer| {
            let headers = self.secret_headers(&exchange.sent.operation, answer);
            let is_text = json.is_none();
            let mut response = traffic::response(answer, json, &headers, &self.secrets);
            let text = response.body.as_mut().and_then(|body| body.text.as_mut());
            if let Some(text) = text.filter(|_| is_text) {
                *text = hide(text, &exchange.sent.shown.secrets);
            }
            response
        });
        let started = started.duration_since(UNIX_EPOCH).unwrap_or_default();
        let failure = traffic::failure(&exchange.outcome);
        self.events.push(Event::Exchange(Traffic {
            case: exchange.sent.case.clone(),
            operation_id: exchange.sent.operation.clone(),
            started_ms: u64::try_from(started.as_millis()).unwrap_or(u64::MAX),
            duration_us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            request: traffic::request(&exchange.sent, &self.secrets),
            response,
            failure: failure.map(|text| self.secrets.redact(&text)),
        }));
    }

    /// Records a judged exchange.
    pub(crate) fn judged(&mut self, step: &Step<'d>, exchange: &Exchange, differs: bool) {
        let Ok(answer) = &exchange.outcome else {
            return;
        };
        if let (Some(tracker), Some(response)) =
            (&mut self.tracker, step.operation.response(answer.status))
        {
            tracker.saw(&step.operation, &response, answer.json());
        }
        if self.wants.exchanges {
            self.compare(step, (&exchange.sent, answer), differs);
        }
    }

    /// Keeps the first answer to a step that differs, else the last one.
    fn compare(&mut self, step: &Step<'d>, (sent, answer): (&Sent, &Answer), differs: bool) {
        let known = self.comparisons.get(&step.name.id);
        if known.is_some_and(|known| known.differs) {
            return;
        }
        let Some(received) = self.concealed(sent, answer) else {
            return;
        };
        let Some(example) = step.expected.example else {
            return;
        };
        let media = step.expected.media.as_ref();
        let schema = media.and_then(openapi_document::view::MediaType::schema);
        let mut documented = example.clone();
        let shape = Shape::of(self.contract.document, schema.as_ref());
        let document = self.contract.document;
        conceal(document, &mut documented, &shape, &mut Vec::new());
        let comparison = Comparison {
            case: step.name.id.clone(),
            documented: self.secrets.redact(&documented.to_json()),
            received: self.secrets.redact(&received.to_json()),
        };
        let compared = Compared {
            differs,
            comparison,
        };
        self.comparisons.insert(step.name.id.clone(), compared);
    }

    /// The events to emit before a case.
    pub(crate) fn take(&mut self) -> Vec<Event> {
        let comparisons = std::mem::take(&mut self.comparisons).into_values();
        let compared = comparisons.map(|compared| Event::Compared(compared.comparison));
        let mut events = std::mem::take(&mut self.events);
        events.extend(compared);
        events
    }

    /// The events at the end of the run.
    pub(crate) fn finish(mut self) -> Vec<Event> {
        let mut events = self.take();
        let tracker = self.tracker.take();
        events.extend(tracker.map(|tracker| Event::Coverage(tracker.finish())));
        events
    }

    /// The status and code of a refusal, without secrets. `None` for other answers.
    pub(crate) fn reply(&mut self, exchange: &Exchange) -> Option<Reply> {
        let answer = exchange.outcome.as_ref().ok()?;
        if answer.status < 400 {
            return None;
        }
        let json = self.concealed(&exchange.sent, answer);
        let json = json.map(|json| json.to_json());
        let body = traffic::answer_body(answer, json, &self.secrets);
        let text = body.and_then(|body| body.text);
        let text = text.map(|text| hide(&text, &exchange.sent.shown.secrets));
        Some(Reply::new(answer.status, text.as_deref()))
    }

    /// The JSON body of an answer without the values that the contract marks as secret. Remembers
    /// those values.
    fn concealed(&mut self, sent: &Sent, answer: &Answer) -> Option<Node> {
        let mut shown = answer.json()?.clone();
        let names = self.contract.sensitive_names();
        let mut secrets = Vec::new();
        if !names.is_empty() {
            let document = self.contract.document;
            let schema = self.schema(&sent.operation, answer);
            let shape = Shape::of(document, schema.as_ref());
            conceal(document, &mut shown, &shape, &mut secrets);
            conceal_unlisted(document, (&mut shown, &shape), names, &mut secrets);
        }
        conceal_echoes(&mut shown, &sent.shown.secrets);
        for secret in secrets {
            self.secrets.add(&secret, SECRET);
        }
        Some(shown)
    }

    fn schema(&self, operation: &str, answer: &Answer) -> Option<Located<'d>> {
        let response = self.operations.get(operation)?.response(answer.status)?;
        let is_json = |media: &openapi_document::view::MediaType<'_>| media.is_json();
        response.content().into_iter().find(is_json)?.schema()
    }

    fn secret_headers(&self, operation: &str, answer: &Answer) -> Vec<String> {
        let operation = self.operations.get(operation);
        let response = operation.and_then(|operation| operation.response(answer.status));
        let headers = response.map_or_else(Vec::new, |response| response.headers());
        let is_secret = |header: &Located<'d>| {
            let schema = header.get("schema");
            Shape::of(self.contract.document, schema.as_ref()).flag("x-sensitive")
                || header.node.get("x-sensitive").and_then(Node::as_bool) == Some(true)
        };
        let secret = headers.into_iter().filter(|(_, header)| is_secret(header));
        secret.map(|(name, _)| name.to_owned()).collect()
    }
}

/// Conceals values of properties that no schema lists, when the contract marks their name as secret
/// elsewhere.
fn conceal_unlisted<'d>(
    document: &'d Document,
    (node, shape): (&mut Node, &Shape<'d>),
    names: &BTreeSet<String>,
    secrets: &mut Vec<String>,
) {
    match &mut node.value {
        Value::Sequence(items) => {
            let shape = shape.items(document);
            for item in items {
                conceal_unlisted(document, (item, &shape), names, secrets);
            }
        }
        Value::Mapping(mapping) => {
            let listed = shape.property_names();
            for entry in &mut mapping.entries {
                let is_listed = listed.contains(&entry.key.as_str());
                if !is_listed && names.contains(&entry.key) && !entry.value.is_null() {
                    if entry.value.as_str() != Some(SECRET) {
                        secrets.push(value::plain(&entry.value));
                    }
                    entry.value = value::string(SECRET);
                } else {
                    let shape = shape.property(document, &entry.key);
                    conceal_unlisted(document, (&mut entry.value, &shape), names, secrets);
                }
            }
        }
        _ => {}
    }
}

/// Conceals secrets of the request wherever the answer repeats them.
fn conceal_echoes(node: &mut Node, sent: &[String]) {
    match &mut node.value {
        Value::Sequence(items) => items.iter_mut().for_each(|item| conceal_echoes(item, sent)),
        Value::Mapping(mapping) => {
            let entries = mapping.entries.iter_mut();
            entries.for_each(|entry| conceal_echoes(&mut entry.value, sent));
        }
        Value::String(text) => *text = hide(text, sent),
        _ => {}
    }
}

/// A text without the secrets of its request.
fn hide(text: &str, sent: &[String]) -> String {
    let hide = |text: String, secret: &String| without_word(&text, secret, SECRET);
    sent.iter().fold(text.to_owned(), hide)
}
