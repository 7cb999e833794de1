//! Reads names and shapes: how an operation below a record changes the record's amounts.

use openapi_document::view::{Located, MediaType, Method, Operation, Response, Status};

use crate::collection::Collection;
use crate::fact::Fact;
use crate::lexicon::Lexicon;
use crate::name::{normalized, singular, words};
use crate::part::component;
use crate::rule::{Counter, Rule, Step, SumLimit};
use crate::source::Source;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;

/// A record, and an operation below its path.
struct Whole<'v, 'd> {
    operation: &'v Operation<'d>,
    /// The component of the record.
    owner: String,
    /// Its properties, and those of nested objects.
    names: Vec<String>,
    /// The words in the operation's last path segment.
    verb: Vec<String>,
    /// The only amount in the operation's body.
    amount: Option<&'d str>,
    /// Whether the body contains a list of the records to create.
    sends_list: bool,
}

/// Adds what an operation's name suggests about the amounts of the record above it.
pub(super) fn read<'d>(
    vocabulary: &Vocabulary<'d>,
    operation: &Operation<'d>,
    facts: &mut Collection,
) {
    let Some(whole) = whole(vocabulary, operation) else {
        return;
    };
    let rules = [whole.counted(), whole.numbered(vocabulary), whole.limited()];
    for rule in rules.into_iter().flatten() {
        let named = operation.at.node.get("operationId");
        let span = named.unwrap_or(operation.at.node).span;
        facts.add(Fact::new(rule, Source::Name(span)));
    }
}

fn whole<'v, 'd>(
    vocabulary: &Vocabulary<'d>,
    operation: &'v Operation<'d>,
) -> Option<Whole<'v, 'd>> {
    let (above, last) = operation.stem().rsplit_once('/')?;
    let is_named = !last.starts_with('{') && operation.method == Method::Post;
    let mut readers = vocabulary.operations().filter(|_| is_named);
    let reader = readers.find(|item| item.method == Method::Get && item.stem() == above)?;
    let record = answered(vocabulary, reader)?;
    let owner = component(&record)?;
    let mut names = Vec::new();
    for property in vocabulary.properties(&record) {
        let schema = vocabulary.resolved(&property.schema);
        let says = |key: &str| {
            schema
                .as_ref()
                .and_then(|schema| schema.node.get(key)?.as_str())
        };
        if says("type") == Some("boolean")
            || says("format").is_some_and(|format| format.contains("date"))
        {
            continue;
        }
        names.push(property.name.to_owned());
        let is_list = schema.is_some_and(|schema| schema.get("items").is_some());
        let inner = vocabulary.properties(&property.schema);
        // An amount next to its currency counts as one property.
        let is_money = inner
            .iter()
            .any(|property| normalized(property.name).contains("currency"));
        let inner = { inner.into_iter() }.filter(|_| !is_list && !is_money);
        names.extend(inner.map(|inner| format!("{}.{}", property.name, inner.name)));
    }
    let body = operation.request_body();
    let content = body.map(|body| body.content()).unwrap_or_default();
    let schema = content.iter().find_map(MediaType::schema);
    let sent = schema
        .map(|schema| vocabulary.properties(&schema))
        .unwrap_or_default();
    let mut amounts = { sent.iter() }
        .map(|property| property.name)
        .filter(|name| has("sent-amount", name));
    let amount = amounts.next().filter(|_| amounts.next().is_none());
    Some(Whole {
        operation,
        owner,
        names,
        verb: words(last).iter().map(|word| singular(word)).collect(),
        amount,
        sends_list: sent
            .iter()
            .any(|property| normalized(property.name) == normalized(last)),
    })
}

/// The component that a read operation returns, also as the only property of an envelope.
fn answered<'d>(vocabulary: &Vocabulary<'d>, reader: &Operation<'d>) -> Option<Located<'d>> {
    let responses = reader.responses();
    let is_success = |item: &&Response<'d>| matches!(item.status, Status::Code(200..=299));
    let mut contents = responses
        .iter()
        .filter(is_success)
        .flat_map(Response::content);
    let schema = contents.find_map(|media| media.schema())?;
    let resolved = vocabulary.resolved(&schema)?;
    if resolved.get("items").is_some() {
        return None;
    }
    if let [only] = &vocabulary.properties(&resolved)[..] {
        let inner = vocabulary.resolved(&only.schema)?;
        return (component(&inner).is_some() && inner.get("items").is_none()).then_some(inner);
    }
    Some(resolved)
}

/// Whether a word of a name has a role.
fn has(role: &str, name: &str) -> bool {
    let roles = &Lexicon::english().roles;
    words(name).iter().any(|word| roles.has(role, word))
}

impl Whole<'_, '_> {
    fn subject(&self, name: &str) -> Subject {
        Subject {
            owner: self.owner.clone(),
            name: Some(name.to_owned()),
        }
    }

    /// The operation as a step that moves a number by `by`, or by one.
    fn step(&self, by: Option<&str>) -> Vec<Step> {
        let operation = self.operation.label();
        let by = by.map(str::to_owned);
        vec![Step {
            operation,
            by,
            of: None,
        }]
    }

    /// The only property that passes a test; `None` if several do.
    fn only(&self, is_it: impl Fn(&str) -> bool) -> Option<&str> {
        let mut found = self.names.iter().filter(|name| is_it(name));
        let only = found.next().filter(|_| found.next().is_none())?;
        Some(only.as_str())
    }

    /// The amount that is named after the operation: `amount_returned` for `returns`.
    fn done(&self) -> Option<&str> {
        let [verb] = &self.verb[..] else { return None };
        self.only(|name| {
            let parts = words(name.rsplit('.').next().unwrap_or(name));
            let (done, rest): (Vec<&String>, Vec<&String>) =
                parts.iter().partition(|word| is_done(word, verb));
            let roles = &Lexicon::english().roles;
            done.len() == 1 && rest.iter().all(|word| roles.has("beside-amount", word))
        })
    }

    /// The record counts what the operation did in the property named after it.
    fn counted(&self) -> Option<Rule> {
        let subject = self.subject(self.done()?);
        Some(Rule::Counter(Counter {
            subject,
            raised_by: self.step(Some(self.amount?)),
            lowered_by: Vec::new(),
            least: None,
            most: None,
            status: None,
        }))
    }

    /// The number of children rises with each created child and falls with each deleted one.
    fn numbered(&self, vocabulary: &Vocabulary<'_>) -> Option<Rule> {
        let last = self.operation.stem().rsplit('/').next()?;
        let (one, all) = (normalized(&singular(last)), normalized(last));
        let is_number = |name: &str| {
            let name = normalized(name);
            let forms =
                [&one, &all].map(|noun| [format!("{noun}count"), format!("numberof{noun}")]);
            forms.as_flattened().contains(&name)
        };
        let responses = self.operation.responses();
        let creates = responses
            .iter()
            .any(|item| item.status == Status::Code(201));
        let name = self
            .only(is_number)
            .filter(|_| creates && !self.sends_list)?;
        let short = format!("/{last}");
        let ends = |item: &&Operation<'_>| {
            let path = item
                .path
                .strip_suffix('}')
                .and_then(|path| path.rsplit_once("/{"));
            let is_one = path.is_some_and(|(all, key)| {
                !key.contains('/') && (all == self.operation.path || all == short)
            });
            item.method == Method::Delete && is_one
        };
        let lowered = vocabulary.operations().find(ends);
        Some(Rule::Counter(Counter {
            subject: self.subject(name),
            raised_by: self.step(None),
            lowered_by: { lowered.into_iter() }
                .map(|item| Step {
                    operation: item.label(),
                    by: None,
                    of: None,
                })
                .collect(),
            least: None,
            most: None,
            status: None,
        }))
    }

    fn may_refuse(&self) -> bool {
        [402, 409, 422]
            .into_iter()
            .any(|code| self.operation.documents(code))
    }

    /// What the operation takes from a record never exceeds what the record has.
    fn limited(&self) -> Option<Rule> {
        let amount = self.amount.filter(|_| self.may_refuse())?;
        let done = self.done();
        let is_taking = self.verb.iter().any(|word| has("taking-name", word));
        if done.is_none() && !is_taking {
            return None;
        }
        let beside = done.and_then(|done| done.rsplit_once('.'));
        let is_near =
            |name: &str| name.rsplit_once('.').map(|split| split.0) == beside.map(|split| split.0);
        let is_whole = |role: &'static str| {
            move |name: &str| {
                let last = normalized(name.rsplit('.').next().unwrap_or(name));
                Lexicon::english().roles.has(role, &last)
            }
        };
        let is_back = self.verb.iter().any(|word| has("returning-name", word));
        let given = self.only(|name| is_near(name) && is_back && is_whole("given-total")(name));
        let same = self.only(|name| name == amount && Some(name) != done);
        let whole = || self.only(|name| is_near(name) && is_whole("taken-total")(name));
        let limit = given.or(same).or_else(whole)?;
        Some(Rule::SumLimit(SumLimit {
            subject: Subject {
                owner: self.operation.label(),
                name: Some(amount.to_owned()),
            },
            limit: self.subject(limit),
            link: None,
            states: Vec::new(),
            status: None,
        }))
    }
}

/// Whether a word is the participle of a verb or of its noun: `paid` of `payment`, `reserved` of
/// `reservation`.
fn is_done(word: &str, verb: &str) -> bool {
    let endings = ["ment", "ation", "al", "e", ""];
    let stem = endings.iter().find_map(|ending| verb.strip_suffix(ending));
    let stem = stem.filter(|stem| stem.len() > 2).unwrap_or(verb);
    let is_regular = word.strip_prefix(stem).is_some_and(|rest| rest == "ed");
    is_regular || stem == "pay" && word == "paid"
}
