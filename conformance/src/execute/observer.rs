//! What is learned of a run besides its verdicts: which secrets travel, what went over the wire, and
//! which parts of the documented answers were seen.

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

/// Looks on; asked for nothing it only learns what is secret.
pub(crate) struct Observer<'d> {
    contract: &'d Contract<'d>,
    wants: Wants,
    operations: BTreeMap<String, Operation<'d>>,
    secrets: Secrets,
    tracker: Option<Tracker<'d>>,
    /// What is to be told with the next case.
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
            operations: operations.map(|own| (own.label(), own)).collect(),
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

    /// Takes one exchange, as soon as it is over.
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

    /// Takes an exchange that was judged.
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

    /// Of several answers to one step the first that differs is shown, else the last.
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

    /// What there is to tell before a case is.
    pub(crate) fn take(&mut self) -> Vec<Event> {
        let comparisons = std::mem::take(&mut self.comparisons).into_values();
        let compared = comparisons.map(|own| Event::Compared(own.comparison));
        let mut events = std::mem::take(&mut self.events);
        events.extend(compared);
        events
    }

    /// What there is to tell when all is done.
    pub(crate) fn finish(mut self) -> Vec<Event> {
        let mut events = self.take();
        let tracker = self.tracker.take();
        events.extend(tracker.map(|tracker| Event::Coverage(tracker.finish())));
        events
    }

    /// What a request was answered, in short and without secrets, where that was a refusal.
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

    /// The body of an answer as JSON without what the contract marks as secret, which is remembered.
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
        let response = operation.and_then(|own| own.response(answer.status));
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

/// Of a property that no schema lists only its name tells that it may be secret.
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

/// A secret that was sent is one wherever it comes back, however short it is.
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

/// A text without the secrets that were sent just before it came.
fn hide(text: &str, sent: &[String]) -> String {
    let hide = |text: String, secret: &String| without_word(&text, secret, SECRET);
    sent.iter().fold(text.to_owned(), hide)
}
