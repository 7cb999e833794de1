//! What is run: scripts of steps. A documented pair of examples is a script of one step.

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

/// Everything that the contract and its scenarios ask for.
#[derive(Debug, Default)]
pub struct Collection<'d> {
    /// What is to be run.
    pub scripts: Vec<Script<'d>>,
    /// Cases that are decided without any traffic: skips, and mistakes in the contract.
    pub settled: Vec<Settled>,
    /// Documented examples that a scenario's steps reach.
    pub via: Vec<Via>,
}

/// Which documented thing a case stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseName {
    /// `<operationId>/<status>/<example>` or `<scenario>/<step>`.
    pub id: String,
    /// The operation.
    pub operation: String,
    /// The area it belongs to: the operation's first tag.
    pub area: String,
}

/// A documented answer that laws may still reach.
#[derive(Debug, Clone)]
pub struct Open {
    /// Its status.
    pub status: u16,
    /// The constants of its example, where it is a refusal.
    pub constants: Constants,
    /// Whether other operations may refer to it, too, so that its example is of one of them.
    pub is_shared: bool,
}

impl Open {
    /// What is to be seen of an answer with an example.
    pub fn new(status: u16, example: Option<&Node>, response: &Response<'_>) -> Self {
        let refusal = example.filter(|_| status >= 400);
        Self {
            status,
            constants: refusal.map(Constants::of).unwrap_or_default(),
            is_shared: response.raw.node.reference().is_some(),
        }
    }
}

/// A case that is decided without any traffic.
#[derive(Debug, Clone)]
pub struct Settled {
    /// The case.
    pub name: CaseName,
    /// The documented answer, where something else may still reach it.
    pub open: Option<Open>,
    /// Skip or error.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
}

/// A documented example whose verdict is that of scenario steps.
#[derive(Debug, Clone)]
pub struct Via {
    /// The case.
    pub name: CaseName,
    /// The ids of the steps' cases.
    pub steps: Vec<String>,
}

/// Steps that share their values and run one after another, apart from all other scripts.
#[derive(Debug, Clone)]
pub struct Script<'d> {
    /// The id of its one case, or the scenario's name.
    pub name: String,
    /// The area it is shown under.
    pub area: String,
    /// The scenario's inputs.
    pub inputs: BTreeMap<String, Node>,
    /// Its steps.
    pub steps: Vec<Step<'d>>,
}

/// One request and what is expected of its answer.
#[derive(Debug, Clone)]
pub struct Step<'d> {
    /// Its name within the script.
    pub id: String,
    /// The case it decides.
    pub name: CaseName,
    /// Whether the case is in scope; the others only prepare.
    pub reported: bool,
    /// Why it must not be sent, where it must not.
    pub blocked: Option<String>,
    /// The operation it calls.
    pub operation: Operation<'d>,
    /// The request.
    pub request: Request<'d>,
    /// What the documented answer is.
    pub expected: Expected<'d>,
    /// What the scenario says beyond that.
    pub flow: Flow,
}

/// A request before its values are filled in.
#[derive(Debug, Clone)]
pub struct Request<'d> {
    /// Path, query and header arguments.
    pub arguments: Vec<Argument<'d>>,
    /// The body.
    pub body: Option<Body<'d>>,
    /// What a scenario puts into the body.
    pub replacements: Vec<(Pointer, Template)>,
    /// What is made wrong on purpose.
    pub spoil: Option<Spoil>,
    /// What the contract's example shows of it.
    pub documented: Documented,
}

impl Step<'_> {
    /// Whether the contract shows no example of a request that changes something, so that the run made it up.
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

/// What an example of the contract shows of a request: the run tells which of these values it replaced.
#[derive(Debug, Clone, Default)]
pub struct Documented {
    /// Values of parameters.
    pub arguments: Vec<DocumentedArgument>,
    /// The body.
    pub body: Option<Node>,
}

/// A value that an example shows of a parameter.
#[derive(Debug, Clone)]
pub struct DocumentedArgument {
    /// The parameter's name.
    pub name: String,
    /// Where it travels.
    pub location: Location,
    /// The value.
    pub value: Node,
    /// Whether it is secret.
    pub sensitive: bool,
}

impl Documented {
    /// Whether the example shows nothing.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.body.is_none()
    }
}

/// A value for a parameter.
#[derive(Debug, Clone)]
pub struct Argument<'d> {
    /// The parameter's name.
    pub name: String,
    /// Where it travels.
    pub location: Location,
    /// Its schema.
    pub schema: Option<Located<'d>>,
    /// Whether it is a natural key, and so replaced by a fresh value where it is an example's.
    pub natural_key: bool,
    /// Whether each request has one of its own, such as the key that marks it as the same request.
    pub each_its_own: bool,
    /// Whether it is secret.
    pub sensitive: bool,
    /// How it is written.
    pub style: Style,
    /// Its value.
    pub value: ArgumentValue,
}

/// Where the value of an argument comes from.
#[derive(Debug, Clone)]
pub enum ArgumentValue {
    /// An example of the contract.
    Example(Node),
    /// A scenario.
    Scenario(Template),
    /// A new UUID for each request.
    FreshUuid,
    /// A value that is wrong on purpose.
    Malformed(Node),
}

/// The body of a request before its values are filled in.
#[derive(Debug, Clone)]
pub struct Body<'d> {
    /// The content type it is sent with.
    pub media_type: String,
    /// How it is written.
    pub encoding: Encoding,
    /// Its schema.
    pub schema: Option<Located<'d>>,
    /// Its value.
    pub value: BodyValue<'d>,
    /// What is said of its conflicts.
    pub conflicts: Arc<Conflicts>,
}

/// Where the body of a request comes from.
#[derive(Debug, Clone)]
pub enum BodyValue<'d> {
    /// An example of the contract.
    Example(&'d Node),
    /// A value made from the examples of single properties.
    Sample(Node),
    /// The payload that a scenario writes out.
    Scenario(Template),
}

impl BodyValue<'_> {
    /// The value where it has no expressions.
    pub fn plain(&self) -> Option<&Node> {
        match self {
            Self::Example(node) => Some(node),
            Self::Sample(node) => Some(node),
            Self::Scenario(_) => None,
        }
    }
}

/// What is made wrong on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoil {
    /// The credentials are left out.
    NoCredentials,
    /// The body ends in the middle.
    TruncatedBody,
    /// The body is sent as `text/plain`.
    PlainText,
    /// The first UUID in the path is none.
    MalformedPath,
}

/// The documented answer.
#[derive(Debug, Clone, Default)]
pub struct Expected<'d> {
    /// The response; where it is absent, whichever documented one the answer's status selects.
    pub response: Option<Response<'d>>,
    /// Its media type.
    pub media: Option<MediaType<'d>>,
    /// The example to compare with.
    pub example: Option<&'d Node>,
    /// The request half of the pair: its body.
    pub request_example: Option<&'d Node>,
    /// The request half of the pair: its path arguments.
    pub path_examples: Vec<(String, Node)>,
}

/// What a scenario says of a step.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    /// Where the step stands.
    pub spot: Option<Spot>,
    /// How hard its criteria are judged; where absent, as the operation.
    pub level: Option<openapi_document::Level>,
    /// What has to hold of the answer.
    pub criteria: Vec<Criterion>,
    /// What later steps may use.
    pub outputs: Vec<(String, Expression)>,
    /// Enumerations and flags are compared.
    pub is_final: bool,
    /// The request must be refused.
    pub rejection: bool,
    /// The step is repeated until this holds.
    pub until: Option<Until>,
    /// Twins are sent at once.
    pub parallel: Option<Parallel>,
    /// The earlier steps it needs values of.
    pub needs: Vec<String>,
    /// It makes another record of a kind that the script has one of: its natural keys are its own.
    pub own_keys: bool,
}
