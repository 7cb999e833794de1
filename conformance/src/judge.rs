//! Judge: compares an answer with its expectation and returns differences. Pure.

use std::collections::BTreeSet;

use openapi_document::view::{Located, Operation, Response, Status};
use openapi_document::{Pointer, Provenance};
use serde::Serialize;

use crate::because::{self, Because};
use crate::case::Step;
use crate::checks::{self, Check};
use crate::contract::Contract;
use crate::exchange::{Answer, Exchange};
use crate::expression::Scope;
use crate::level::{Examples, Level, Weights};
use crate::reply::Reply;
use crate::spot::Spot;

mod answer;
mod body;
mod constant;
mod criteria;
mod echo;
mod items;
mod schema;
mod style;

pub use criteria::{parallel, until};
pub use echo::History;

/// One difference between an answer and the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Difference {
    /// The id of the check.
    #[serde(serialize_with = "check_id")]
    pub check: &'static Check,
    /// The level.
    pub level: Level,
    /// The place in the body; empty for the answer as a whole.
    pub pointer: String,
    /// The pointer with `*` for each index, and for each key of a map whose schema is known.
    #[serde(skip)]
    pub place: String,
    /// The expected value.
    pub expected: String,
    /// The observed value.
    pub actual: String,
    /// The status and code of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Reply>,
    /// The place in the contract.
    pub spec: Spot,
    /// The sources of the expectation.
    pub because: Vec<Because>,
    /// A `curl` command that repeats the request.
    pub curl: String,
    /// The requirement that the answer breaks: `<case>#<check>`.
    pub requirement: String,
    /// The reason of a known deviation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
fn check_id<S: serde::Serializer>(check: &&'static Check, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(check.id)
}

impl Difference {
    /// A difference with its sources. The first one gives the place in the contract.
    fn new(
        check: &'static Check,
        level: Level,
        pointer: &Pointer,
        (expected, actual): (String, String),
        because: Vec<Because>,
    ) -> Self {
        let first = because.first().map(|source| source.spot.clone());
        Self {
            check,
            level,
            pointer: pointer.to_string(),
            place: starred(pointer),
            expected,
            actual,
            answer: None,
            spec: first.unwrap_or_default(),
            because,
            curl: String::new(),
            requirement: String::new(),
            known: None,
        }
    }
}

/// A pointer with `*` for each index.
fn starred(pointer: &Pointer) -> String {
    let is_index =
        |segment: &str| !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let mut starred = String::new();
    for segment in pointer.segments() {
        starred.push('/');
        starred.push_str(if is_index(&segment) { "*" } else { &segment });
    }
    starred
}

/// Judges answers under one profile.
#[derive(Debug)]
pub struct Judge<'j, 'd> {
    /// The contract.
    pub contract: &'j Contract<'d>,
    /// The weights that decide levels.
    pub weights: Weights,
}

/// Collects the differences of one answer.
struct Findings<'j, 'd> {
    contract: &'j Contract<'d>,
    weights: Weights,
    /// The level of the operation, which limits the level of its differences.
    operation_level: openapi_document::Level,
    list: Vec<Difference>,
    /// The pointers of values that another value with the same mistake stands for.
    alike: BTreeSet<String>,
}

impl Findings<'_, '_> {
    fn add(
        &mut self,
        check: &'static Check,
        level: openapi_document::Level,
        pointer: &Pointer,
        texts: (String, String),
        because: Because,
    ) {
        let level = Level::from(level.min(self.operation_level)).min(check.level);
        let because = vec![because];
        let level = self.weights.weigh(level, because::strongest(&because));
        self.list
            .push(Difference::new(check, level, pointer, texts, because));
    }

    /// Adds a property that its schema neither lists nor forbids. It counts only when the document
    /// says that its examples bind.
    fn add_undeclared(
        &mut self,
        level: openapi_document::Level,
        pointer: &Pointer,
        texts: (String, String),
        because: Because,
    ) {
        self.add(&checks::UNDECLARED_PROPERTY, level, pointer, texts, because);
        let binds = self.weights.examples == Examples::Normative;
        if let Some(last) = self.list.last_mut().filter(|_| !binds) {
            last.level = Level::May;
        }
    }

    /// Adds a source to the differences at a place.
    fn strengthen(&mut self, level: openapi_document::Level, pointer: &Pointer, because: &Because) {
        let pointer = pointer.to_string();
        let level = Level::from(level.min(self.operation_level));
        for found in &mut self.list {
            if found.pointer == pointer {
                let level = level.min(found.check.level);
                let level = self.weights.weigh(level, because.evidence);
                found.level = found.level.max(level);
                found.because.push(because.clone());
            }
        }
    }

    /// Like [`Self::add`], for differences that count even when the contract documents little.
    fn add_certain(&mut self, check: &'static Check, texts: (String, String), because: Because) {
        self.add(
            check,
            openapi_document::Level::Documented,
            &Pointer::root(),
            texts,
            because,
        );
        if let Some(last) = self.list.last_mut() {
            last.level = check.level;
        }
    }

    fn has(&self, pointer: &Pointer) -> bool {
        let pointer = pointer.to_string();
        let mut list = self.list.iter();
        list.any(|difference| difference.pointer == pointer) || self.alike.contains(&pointer)
    }
}

impl<'d> Judge<'_, 'd> {
    /// All differences of one exchange.
    pub fn judge(
        &self,
        step: &Step<'d>,
        exchange: &Exchange,
        scope: &Scope<'_>,
        history: &History,
    ) -> Vec<Difference> {
        let mut findings = self.findings(&step.operation);
        let Some(answer) = answer::arrived(&mut findings, step, exchange) else {
            return findings.list;
        };
        let Some(response) = answer::status(&mut findings, step, answer) else {
            return findings.list;
        };
        against(&mut findings, step, exchange, answer, &response);
        echo::read_back(&mut findings, step, answer, history);
        criteria::criteria(&mut findings, step, scope);
        findings.list
    }

    /// A difference outside of a documented answer. The operation's provenance limits its level.
    pub fn difference(
        &self,
        operation: &Operation<'d>,
        check: &'static Check,
        pointer: &Pointer,
        texts: (String, String),
        because: Vec<Because>,
    ) -> Difference {
        let level = Level::from(operation.level()).min(check.level);
        let level = self.weights.weigh(level, because::strongest(&because));
        Difference::new(check, level, pointer, texts, because)
    }

    /// The violations of the schema for the answer's status. `None` when there is no schema, or the
    /// answer is not JSON.
    pub(crate) fn form(
        &self,
        operation: &Operation<'d>,
        answer: &Answer,
    ) -> Option<Vec<Difference>> {
        let response = documented(operation, answer)?;
        let media = answer::media_of(answer, &response)?;
        let (json, schema) = (answer.json()?, media.schema()?);
        let level = Provenance::of(media.at.node)
            .map_or_else(|| response.level(operation.level()), |item| item.level);
        let mut findings = self.findings(operation);
        schema::validate(&mut findings, json, Some(&schema), level);
        answer::problem(&mut findings, answer, (&media, level), json);
        Some(findings.list)
    }

    /// The differences of the answer's headers from the documented ones.
    pub(crate) fn headers(&self, operation: &Operation<'d>, answer: &Answer) -> Vec<Difference> {
        let mut findings = self.findings(operation);
        if let Some(response) = documented(operation, answer) {
            answer::headers(&mut findings, operation, answer, &response);
        }
        findings.list
    }

    fn findings(&self, operation: &Operation<'d>) -> Findings<'_, 'd> {
        Findings {
            contract: self.contract,
            weights: self.weights,
            operation_level: operation.level(),
            list: Vec::new(),
            alike: BTreeSet::new(),
        }
    }
}

/// The response that documents an answer. `4XX` and `default` document only refusals; a success
/// under `default` is undocumented.
fn documented<'d>(operation: &Operation<'d>, answer: &Answer) -> Option<Response<'d>> {
    let response = operation.response(answer.status)?;
    let is_exact = matches!(response.status, Status::Code(_));
    (is_exact || answer.status >= 400).then_some(response)
}

fn against<'d>(
    findings: &mut Findings<'_, 'd>,
    step: &Step<'d>,
    exchange: &Exchange,
    answer: &Answer,
    response: &Response<'d>,
) {
    answer::headers(findings, &step.operation, answer, response);
    let Some(media) = answer::media(findings, step, answer, response) else {
        return;
    };
    let level = Provenance::of(media.at.node)
        .map_or_else(|| response.level(step.operation.level()), |item| item.level);
    let Some(json) = answer::json(findings, answer, &media, level) else {
        return;
    };
    answer::problem(findings, answer, (&media, level), json);
    let schema: Option<Located<'d>> = media.schema();
    body::compare(findings, step, json, schema.as_ref(), level);
    schema::validate(findings, json, schema.as_ref(), level);
    constant::compare(findings, step, json, response, level);
    echo::echo(findings, step, exchange, json, schema.as_ref(), level);
}
