//! Converts each documented answer of an operation to a script, a case that scenarios cover, or a
//! skip with its reason.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::Node;
use openapi_document::schema::Violation;
use openapi_document::view::{Example, MediaType, Operation, Response, Status};

use super::{Selection, area, request};
use crate::case::{
    Argument, Body, BodyValue, CaseName, Collection, Expected, Flow, Open, Request, Script, Spoil,
    Step, Via,
};
use crate::compose;
use crate::contract::Contract;
use crate::level::Verdict;
use crate::names;
use crate::prose;
use crate::shape::Shape;

/// The steps that cover each documented example: (operation, status, key) → ids of their cases.
pub type Reached = BTreeMap<(String, String, String), Vec<String>>;

/// Collects the documented answers of one operation.
#[derive(Debug)]
pub struct Documented<'c, 'd> {
    contract: &'c Contract<'d>,
    operation: &'c Operation<'d>,
    selection: &'c Selection,
    reached: &'c Reached,
    request_keys: Vec<&'d str>,
}

/// One documented answer: a response with one of its examples.
#[derive(Debug, Clone)]
pub struct Answer<'d> {
    /// The response.
    pub response: Response<'d>,
    /// The media type.
    pub media: Option<MediaType<'d>>,
    /// The example. `None` when the response has none.
    pub example: Option<Example<'d>>,
}

/// Every documented answer of an operation. When several media types have the same key, the first
/// JSON one counts.
pub fn answers<'d>(operation: &Operation<'d>) -> Vec<Answer<'d>> {
    let mut answers = Vec::new();
    for response in operation.responses() {
        let mut content = response.content();
        content.sort_by_key(|media| !media.is_json());
        let mut keys = BTreeSet::new();
        for media in &content {
            for example in media.examples() {
                if keys.insert(example.key) {
                    answers.push(Answer {
                        response: response.clone(),
                        media: Some(media.clone()),
                        example: Some(example),
                    });
                }
            }
        }
        if keys.is_empty() {
            answers.push(Answer {
                media: content.first().cloned(),
                response,
                example: None,
            });
        }
    }
    answers
}

impl<'d> Answer<'d> {
    /// The example's key, or `default`.
    pub fn key(&self) -> &'d str {
        self.example
            .as_ref()
            .map_or("default", |example| example.key)
    }

    /// The answer as one that laws may still receive.
    pub fn open(&self, status: u16) -> Open {
        let example = self.example.as_ref().map(|example| example.value.node);
        Open::new(status, example, &self.response)
    }

    /// The expectation for an answer to `request`.
    pub fn expected(self, request: &Request<'d>) -> Expected<'d> {
        let request_example = request.body.as_ref().and_then(|body| match body.value {
            BodyValue::Example(node) => Some(node),
            BodyValue::Sample(_) | BodyValue::Scenario(_) => None,
        });
        Expected {
            response: Some(self.response),
            media: self.media,
            example: self.example.map(|example| example.value.node),
            request_example,
            path_examples: Vec::new(),
        }
    }
}

impl<'c, 'd> Documented<'c, 'd> {
    /// Prepares the collection of one operation.
    pub fn new(
        contract: &'c Contract<'d>,
        operation: &'c Operation<'d>,
        selection: &'c Selection,
        reached: &'c Reached,
    ) -> Self {
        Self {
            contract,
            operation,
            selection,
            reached,
            request_keys: request::keys(operation),
        }
    }

    /// Adds one case for each documented answer that is needed.
    pub fn collect(&self, is_needed: &dyn Fn(&str) -> bool, collection: &mut Collection<'d>) {
        let answers = answers(self.operation);
        for answer in &answers {
            let name = self.name(answer);
            if !is_needed(&name.id) {
                continue;
            }
            let reached_by = (
                name.operation.clone(),
                answer.response.status.to_string(),
                answer.key().to_owned(),
            );
            if let Some(mistake) = self.mistake(answer) {
                collection.settle(name, Verdict::Error, mistake);
            } else if let Some(steps) = self.reached.get(&reached_by) {
                let steps = steps.clone();
                collection.via.push(Via { name, steps });
            } else {
                match self.request_for(answer, &answers) {
                    Ok(request) => collection.scripts.push(self.script(name, answer, request)),
                    Err(Unreached::Skip(reason)) => {
                        collection.settle(name, Verdict::Skip, reason);
                        if let (Status::Code(code), Some(last)) =
                            (answer.response.status, collection.settled.last_mut())
                        {
                            last.open = Some(answer.open(code));
                        }
                    }
                    Err(Unreached::Mistake(reason)) => {
                        collection.settle(name, Verdict::Error, reason);
                    }
                }
            }
        }
    }

    fn name(&self, answer: &Answer<'d>) -> CaseName {
        let operation = self.operation.label();
        let status = answer.response.status;
        CaseName {
            id: format!("{operation}/{status}/{}", answer.key()),
            operation,
            area: area(self.operation),
        }
    }

    fn script(&self, name: CaseName, answer: &Answer<'d>, request: Request<'d>) -> Script<'d> {
        let mut expected = answer.clone().expected(&request);
        expected.path_examples = request::path_examples(self.operation, Some(answer.key()));
        let step = Step {
            id: "only".to_owned(),
            reported: true,
            blocked: None,
            operation: self.operation.clone(),
            expected,
            request,
            flow: Flow::default(),
            name: name.clone(),
        };
        Script {
            name: name.id,
            area: name.area,
            inputs: BTreeMap::new(),
            steps: vec![step],
        }
    }

    fn request_for(
        &self,
        answer: &Answer<'d>,
        all: &[Answer<'d>],
    ) -> Result<Request<'d>, Unreached> {
        let key = answer.key();
        if let Some(preferred) = self.preferred(answer, all) {
            return Err(Unreached::Skip(format!(
                "the request example `{key}` leads to status {}; none leads to this answer",
                preferred.response.status
            )));
        }
        if self.is_paired(answer, all) {
            let request =
                request::request(self.contract, self.operation, self.selection, Some(key))?;
            if answer.response.status.is_success() {
                self.check_body(&request)?;
            }
            return Ok(request);
        }
        if let Status::Code(code @ (400 | 401 | 415)) = answer.response.status {
            return self.spoiled(code, answer, all);
        }
        if self.is_the_only_success(answer, all) {
            let request = request::request(self.contract, self.operation, self.selection, None)?;
            self.check_body(&request)?;
            return Ok(request);
        }
        if !matches!(answer.response.status, Status::Code(_)) {
            let operation = self.operation.label();
            return Err(Unreached::Skip(format!(
                "it documents several statuses: `laws/answers/{operation}` tests the received answers"
            )));
        }
        Err(Unreached::Skip(format!(
            "no request of this run was answered so; a request example with the key `{key}` would show how to reach it"
        )))
    }

    /// The success that a request example with the key of two successes leads to. 201 comes first,
    /// because 200 answers a repetition; then the lowest status.
    fn preferred<'a>(&self, answer: &Answer<'d>, all: &'a [Answer<'d>]) -> Option<&'a Answer<'d>> {
        let rank = |answer: &Answer<'d>| match answer.response.status {
            Status::Code(201) => 0,
            Status::Code(code) => code,
            _ => u16::MAX,
        };
        let shares = |other: &&Answer<'d>| {
            other.response.status.is_success()
                && other.key() == answer.key()
                && rank(other) < rank(answer)
        };
        let is_shared = answer.response.status.is_success() && self.is_paired(answer, all);
        all.iter().filter(shares).find(|_| is_shared)
    }

    /// Whether the request example with an answer's key leads to that answer. It does not lead to a
    /// refusal when a success has the same key. Nor does it when the key only names a property of
    /// the body, such as `coupon_code`, and other request keys match no answer.
    fn is_paired(&self, answer: &Answer<'d>, all: &[Answer<'d>]) -> bool {
        let key = answer.key();
        let is_answered = |text: &&str| all.iter().any(|other| other.key() == *text);
        let is_granted = all
            .iter()
            .any(|entry| entry.key() == key && entry.response.status.is_success());
        let is_called_so = || !self.request_keys.iter().all(is_answered) && self.is_of_body(key);
        let is_by_chance =
            || !answer.response.status.is_success() && (is_granted || is_called_so());
        self.request_keys.contains(&key)
            && !is_by_chance()
            && !self.is_about_absent_property(answer)
    }

    /// Whether a refusal is about a property that the request with its key lacks although its
    /// schema has it. Then another request led to the refusal.
    fn is_about_absent_property(&self, answer: &Answer<'d>) -> bool {
        let Status::Code(400 | 422) = answer.response.status else {
            return false;
        };
        let key = Some(answer.key());
        let request = request::request(self.contract, self.operation, self.selection, key);
        let body = request.ok().and_then(|request| request.body);
        let Some(sent_body) = body.as_ref().and_then(|body| body.value.plain()) else {
            return false;
        };
        let body = self.operation.request_body();
        let content = body.map(|body| body.content()).unwrap_or_default();
        let names = content.iter().flat_map(|item| {
            let shape = Shape::of(self.contract.document, item.schema().as_ref());
            shape.property_names()
        });
        let absent: Vec<&str> = names.filter(|name| sent_body.get(name).is_none()).collect();
        let example = answer.example.as_ref().map(|example| example.value.node);
        example.is_some_and(|example| mentions(example, &absent))
    }

    /// Whether a key contains only the name of a property of the body.
    fn is_of_body(&self, key: &str) -> bool {
        let body = self.operation.request_body();
        let mut content = body
            .map(|body| body.content())
            .unwrap_or_default()
            .into_iter();
        let words = names::words(key);
        content.any(|text| {
            let shape = Shape::of(self.contract.document, text.schema().as_ref());
            let mut listed = shape.property_names().into_iter();
            listed.any(|name| {
                let text = names::words(name);
                words.iter().all(|word| text.contains(word))
            })
        })
    }

    /// Whether the only unnamed request leads to this answer, because it is the only unpaired
    /// success.
    fn is_the_only_success(&self, answer: &Answer<'d>, all: &[Answer<'d>]) -> bool {
        let unpaired = |other: &&Answer<'d>| !self.is_paired(other, all);
        let successes = all
            .iter()
            .filter(|other| other.response.status.is_success());
        let unpaired_keys = self.request_keys.iter().filter(|key| {
            let pairs = |other: &Answer<'d>| other.key() == **key && self.is_paired(other, all);
            !all.iter().any(pairs)
        });
        answer.response.status.is_success()
            && successes.filter(unpaired).count() == 1
            // The request of a paired success leads to that success.
            && (self.request_keys.is_empty() || unpaired_keys.count() == 1)
    }

    fn spoiled(
        &self,
        code: u16,
        answer: &Answer<'d>,
        all: &[Answer<'d>],
    ) -> Result<Request<'d>, Unreached> {
        let paired = |answer: &&Answer<'d>| {
            answer.response.status.is_success() && self.request_keys.contains(&answer.key())
        };
        let key = all.iter().find(paired).map(Answer::key);
        let mut request = request::request(self.contract, self.operation, self.selection, key)?;
        let spoil = self.spoil(code, &request);
        // A malformed query parameter fits better than a malformed path when a text mentions
        // parameters.
        let is_of_path = matches!(spoil, Ok(Spoil::MalformedPath));
        let is_other = || speaks_of_parameters(answer) || self.documents_malformed_as_unknown();
        let may_be = spoil.is_err() || (is_of_path && is_other());
        let malformed = self.malformed_query(answer);
        match malformed.filter(|_| code == 400 && may_be) {
            Some(argument) => {
                request
                    .arguments
                    .retain(|named| named.name != argument.name);
                request.arguments.push(argument);
            }
            None => request.spoil = Some(spoil?),
        }
        Ok(request)
    }

    /// Whether the document says that a key which is not a UUID is not found: `what is not a UUID
    /// is unknown, which is 404`.
    fn documents_malformed_as_unknown(&self) -> bool {
        let info = self.contract.document.root.get("info");
        let text = info.and_then(|info| info.get("description")?.as_str());
        let mut sentences = prose::sentences(text.unwrap_or_default()).into_iter();
        sentences.any(|item| {
            let words = names::words(&item.to_lowercase());
            prose::has(&words, &["uuid"]) && prose::has(&words, &["404"])
        })
    }

    /// A malformed argument for the parameter that a refusal names (`invalid_cursor`), if it names
    /// one.
    fn malformed_query(&self, answer: &Answer<'d>) -> Option<Argument<'d>> {
        let mut texts = Vec::new();
        prose::texts_in(answer.response.at.node, &mut texts);
        let example = answer.example.as_ref().map(|example| example.value.node);
        example.inspect(|example| prose::texts_in(example, &mut texts));
        let texts: Vec<Vec<String>> = texts.into_iter().map(names::words).collect();
        let is_meant = |name: &str| texts.iter().any(|item| prose::speaks_of(item, name));
        request::malformed_query(self.contract, self.operation, is_meant)
    }

    fn spoil(&self, code: u16, request: &Request<'d>) -> Result<Spoil, Unreached> {
        let skip = |reason: &str| {
            Err(Unreached::Skip(format!(
                "nothing reaches this status: {reason}"
            )))
        };
        let open = !self.operation.requires_credentials();
        match code {
            401 if open => skip("the operation needs no credentials"),
            401 if !self.selection.has_credentials => {
                skip("the run has no credentials to leave out (--header, --basic)")
            }
            401 => Ok(Spoil::NoCredentials),
            _ if request
                .body
                .as_ref()
                .is_some_and(|body| code == 400 && body.encoding.tells_its_end()) =>
            {
                Ok(Spoil::TruncatedBody)
            }
            _ if request.body.is_some() && code == 400 => skip("half of a form is a form, too"),
            _ if request.body.is_some() => Ok(Spoil::PlainText),
            400 if request.arguments.iter().any(compose::is_uuid_in_path) => {
                Ok(Spoil::MalformedPath)
            }
            _ => skip("the operation has no body that the runner could break"),
        }
    }

    /// The error when a response example breaks its own schema, which is a mistake in the contract.
    fn mistake(&self, answer: &Answer<'d>) -> Option<String> {
        let schema = answer.media.as_ref()?.schema()?;
        let example = answer.example.as_ref()?;
        if !answer.media.as_ref()?.is_json() {
            return None;
        }
        let place = self.contract.spot_of(example.value.node);
        match self.contract.validate_answer(&schema, example.value.node) {
            Ok(violations) => broken("response example", &place.to_string(), &violations),
            Err(error) => Some(format!("the response schema cannot be used: {error}")),
        }
    }

    fn check_body(&self, request: &Request<'d>) -> Result<(), Unreached> {
        match &request.body {
            Some(body) => check_body(self.contract, body).map_err(Unreached::Mistake),
            None => Ok(()),
        }
    }
}

/// Whether the description of a refusal mentions parameters.
fn speaks_of_parameters(answer: &Answer<'_>) -> bool {
    let text = answer.response.at.node.get("description");
    let words = names::words(
        &text
            .and_then(Node::as_str)
            .unwrap_or_default()
            .to_lowercase(),
    );
    prose::has(&words, &["parameter", "parameters", "query"])
}

/// Fails when a request example breaks its own schema, which is a mistake in the contract.
pub fn check_body(contract: &Contract<'_>, body: &Body<'_>) -> Result<(), String> {
    let (Some(schema), BodyValue::Example(example)) = (&body.schema, &body.value) else {
        return Ok(());
    };
    let place = contract.spot_of(example).to_string();
    match contract.validate_request(schema, example) {
        Ok(violations) => broken("request example", &place, &violations).map_or(Ok(()), Err),
        Err(error) => Err(format!("the request schema cannot be used: {error}")),
    }
}

fn broken(what: &str, place: &str, violations: &[Violation]) -> Option<String> {
    let first = violations.first()?;
    let more = match violations.len() {
        1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    Some(format!(
        "the {what} at {place} breaks its own schema: {} at `{}`{more}",
        first.message, first.instance
    ))
}

/// Whether a refusal mentions one of the properties, and not because it is missing.
fn mentions(node: &Node, properties: &[&str]) -> bool {
    const LACKING: [&str; 6] = [
        "required", "missing", "absent", "given", "needed", "present",
    ];
    let mut texts = node.entries().filter_map(|entry| entry.value.as_str());
    let is_about = texts.any(|text| properties.contains(&text.trim_start_matches('/')));
    let mut sentences = Vec::new();
    prose::texts_in(node, &mut sentences);
    let mut sentences = sentences.into_iter().map(names::words);
    let mut lacks = || sentences.any(|item| prose::has(&item, &LACKING));
    let within = || {
        let below = node.entries().map(|entry| &entry.value);
        let mut below = below.chain(node.items());
        below.any(|item| mentions(item, properties))
    };
    is_about && !lacks() || within()
}

enum Unreached {
    Skip(String),
    Mistake(String),
}

impl From<String> for Unreached {
    fn from(reason: String) -> Self {
        Self::Skip(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_about_missing_properties() {
        for (text, expected) in [
            (
                r#"{"errors":[{"field":"amount","message":"is more than is left"}]}"#,
                true,
            ),
            (
                r#"{"errors":[{"pointer":"/amount","message":"is too much"}]}"#,
                true,
            ),
            (
                r#"{"errors":[{"field":"amount","message":"is required"}]}"#,
                false,
            ),
            (
                r#"{"errors":[{"field":"reason","message":"is none"}]}"#,
                false,
            ),
            (r#"{"code":"refused"}"#, false),
        ] {
            let refusal = openapi_document::json::read_text(text).unwrap();
            assert_eq!(mentions(&refusal, &["amount"]), expected, "{text}");
        }
    }
}
