//! Case: a script of steps that the runner executes. A documented pair of examples is a script with
//! one step.

use std::collections::BTreeMap;
use std::sync::Arc;

use openapi_document::view::{Located, Location, MediaType, Operation, Response};
use openapi_document::{Node, Pointer};

use crate::conflicts::Conflicts;
use crate::constants::Constants;
use crate::encoding::Encoding;
use crate::expression::{Expression, Template};
use crate::level::Verdict;
use crate::scenario::{Criterion, Parallel, Until};
use crate::spot::Spot;
use crate::style::Style;

/// All scripts and decided cases of a contract with its scenarios.
#[derive(Debug, Default)]
pub struct Collection<'d> {
    /// The scripts to execute.
    pub scripts: Vec<Script<'d>>,
    /// Cases that are decided without a request: skips, and mistakes in the contract.
    pub settled: Vec<Settled>,
    /// Documented examples that a step of a scenario covers.
    pub via: Vec<Via>,
}

/// The name of a case and the operation that it tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseName {
    /// `<operationId>/<status>/<example>` or `<scenario>/<step>`.
    pub id: String,
    /// The `operationId`, or `METHOD /path`.
    pub operation: String,
    /// The area of the case: the operation's first tag.
    pub area: String,
}

/// A documented answer that a law may still receive.
#[derive(Debug, Clone)]
pub struct Open {
    /// The status.
    pub status: u16,
    /// The constants of the example of a refusal; empty for other answers.
    pub constants: Constants,
    /// Whether the response is a `$ref`, so that its example may belong to another operation.
    pub is_shared: bool,
}

impl Open {
    /// Creates one from a documented status with its example.
    pub fn new(status: u16, example: Option<&Node>, response: &Response<'_>) -> Self {
        let refusal = example.filter(|_| status >= 400);
        Self {
            status,
            constants: refusal.map(Constants::of).unwrap_or_default(),
            is_shared: response.raw.node.reference().is_some(),
        }
    }
}

/// A case that is decided without a request.
#[derive(Debug, Clone)]
pub struct Settled {
    /// The name of the case.
    pub name: CaseName,
    /// The documented answer. `None` when no law can receive it.
    pub open: Option<Open>,
    /// Skip or error.
    pub verdict: Verdict,
    /// The reason for the verdict.
    pub reason: String,
}

/// A documented example that gets the verdict of scenario steps.
#[derive(Debug, Clone)]
pub struct Via {
    /// The name of the case.
    pub name: CaseName,
    /// The ids of the cases of these steps.
    pub steps: Vec<String>,
}

/// Steps that run in order and share their values. Scripts do not share values with each other.
#[derive(Debug, Clone)]
pub struct Script<'d> {
    /// The id of the only case, or the name of the scenario.
    pub name: String,
    /// The area under which reports list the script.
    pub area: String,
    /// The inputs of the scenario.
    pub inputs: BTreeMap<String, Node>,
    /// The steps in order.
    pub steps: Vec<Step<'d>>,
}

/// One request with its expected answer.
#[derive(Debug, Clone)]
pub struct Step<'d> {
    /// The id of the step within the script.
    pub id: String,
    /// The name of the case that the step decides.
    pub name: CaseName,
    /// Whether reports contain the case; other steps only prepare.
    pub reported: bool,
    /// Why the runner must not send the request. `None` when it may.
    pub blocked: Option<String>,
    /// The operation that the step calls.
    pub operation: Operation<'d>,
    /// The request, before its values are filled in.
    pub request: Request<'d>,
    /// The documented answer.
    pub expected: Expected<'d>,
    /// Criteria, outputs and repetition that the scenario adds.
    pub flow: Flow,
}

/// A request before its values are filled in.
#[derive(Debug, Clone)]
pub struct Request<'d> {
    /// Path, query and header arguments.
    pub arguments: Vec<Argument<'d>>,
    /// The body.
    pub body: Option<Body<'d>>,
    /// The values that a scenario writes into the body.
    pub replacements: Vec<(Pointer, Template)>,
    /// The deliberate defect of the request.
    pub spoil: Option<Spoil>,
    /// The values that the contract's example shows.
    pub documented: Documented,
}

impl Step<'_> {
    /// Whether the runner invented the request: an unsafe operation without a request example.
    pub fn is_invented(&self) -> bool {
        let request = &self.request;
        let is_scripted = self.flow.spot.is_some() || request.spoil.is_some();
        if is_scripted || self.operation.method.is_safe() {
            return false;
        }
        match &request.body {
            Some(body) => !matches!(body.value, BodyValue::Example(_)),
            None => request.documented.arguments.is_empty(),
        }
    }
}

/// The values of a request in the contract's example. The report names those that the run replaced.
#[derive(Debug, Clone, Default)]
pub struct Documented {
    /// Values of parameters.
    pub arguments: Vec<DocumentedArgument>,
    /// The body.
    pub body: Option<Node>,
}

/// The value of a parameter in an example.
#[derive(Debug, Clone)]
pub struct DocumentedArgument {
    /// The parameter's name.
    pub name: String,
    /// Path, query, header or cookie.
    pub location: Location,
    /// The value.
    pub value: Node,
    /// Whether the value is secret.
    pub sensitive: bool,
}

impl Documented {
    /// Whether the example shows no value.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.body.is_none()
    }
}

/// A value for a parameter.
#[derive(Debug, Clone)]
pub struct Argument<'d> {
    /// The parameter's name.
    pub name: String,
    /// Path, query, header or cookie.
    pub location: Location,
    /// The parameter's schema.
    pub schema: Option<Located<'d>>,
    /// Whether the parameter is a natural key: the runner replaces the example's value by a fresh
    /// one.
    pub natural_key: bool,
    /// Whether each request needs a new value, as an idempotency key does.
    pub each_its_own: bool,
    /// Whether the value is secret.
    pub sensitive: bool,
    /// How the value is serialized.
    pub style: Style,
    /// The value, or the way to create it.
    pub value: ArgumentValue,
}

/// The source of an argument's value.
#[derive(Debug, Clone)]
pub enum ArgumentValue {
    /// An example of the contract.
    Example(Node),
    /// A template of a scenario.
    Scenario(Template),
    /// A new UUID for each request.
    FreshUuid,
    /// A value that is wrong on purpose.
    Malformed(Node),
}

/// A body before its values are filled in.
#[derive(Debug, Clone)]
pub struct Body<'d> {
    /// The `content-type` of the request.
    pub media_type: String,
    /// How the body is serialized.
    pub encoding: Encoding,
    /// The schema of the body.
    pub schema: Option<Located<'d>>,
    /// The source of the value.
    pub value: BodyValue<'d>,
    /// The documented conflicts of the operation.
    pub conflicts: Arc<Conflicts>,
}

/// The source of a body.
#[derive(Debug, Clone)]
pub enum BodyValue<'d> {
    /// An example of the contract.
    Example(&'d Node),
    /// A value composed of the examples of single properties.
    Sample(Node),
    /// The payload of a scenario, as a template.
    Scenario(Template),
}

impl BodyValue<'_> {
    /// The value, unless it is a template with expressions.
    pub fn plain(&self) -> Option<&Node> {
        match self {
            Self::Example(node) => Some(node),
            Self::Sample(node) => Some(node),
            Self::Scenario(_) => None,
        }
    }
}

/// A deliberate defect of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoil {
    /// No credentials.
    NoCredentials,
    /// A body that is cut in the middle.
    TruncatedBody,
    /// A body with the media type `text/plain`.
    PlainText,
    /// A path whose first UUID is malformed.
    MalformedPath,
}

/// The documented answer.
#[derive(Debug, Clone, Default)]
pub struct Expected<'d> {
    /// The response. When `None`, the status of the answer selects the documented response.
    pub response: Option<Response<'d>>,
    /// The media type.
    pub media: Option<MediaType<'d>>,
    /// The example that the answer is compared with.
    pub example: Option<&'d Node>,
    /// The body of the request example of the pair.
    pub request_example: Option<&'d Node>,
    /// The path arguments of the request example of the pair.
    pub path_examples: Vec<(String, Node)>,
}

/// Criteria, outputs and repetition of a scenario step.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    /// The place of the step in the scenario file.
    pub spot: Option<Spot>,
    /// The level of its criteria. When `None`, the level of the operation.
    pub level: Option<openapi_document::Level>,
    /// Success criteria: conditions on the answer.
    pub criteria: Vec<Criterion>,
    /// Values that later steps can use, by name.
    pub outputs: Vec<(String, Expression)>,
    /// Whether enumerations and flags are compared with the example.
    pub is_final: bool,
    /// Whether the server must refuse the request.
    pub rejection: bool,
    /// The condition until which the step is repeated.
    pub until: Option<Until>,
    /// Copies of the request that are sent at the same time.
    pub parallel: Option<Parallel>,
    /// Ids of earlier steps whose values this step uses.
    pub needs: Vec<String>,
    /// Whether the step creates a second record of a kind, and so needs natural keys that differ
    /// from the first one's.
    pub key_names: bool,
}
