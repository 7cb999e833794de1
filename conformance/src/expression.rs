//! Arazzo's runtime expressions: `$statusCode`, `$response.body#/id`, `$steps.create.outputs.id`, …

use std::collections::BTreeMap;
use std::fmt;

use openapi_document::{Node, Pointer, Value};

use crate::exchange::{Answer, Sent};
use crate::value;

/// One runtime expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// `$url`
    Url,
    /// `$method`
    Method,
    /// `$statusCode`
    StatusCode,
    /// `$response.header.NAME`
    ResponseHeader(String),
    /// `$response.body#/POINTER`; `$response.body` is the whole.
    ResponseBody(Pointer),
    /// The last segment of the address in the header `Location`. Scenarios cannot write it.
    LocationKey,
    /// `$request.header.NAME`
    RequestHeader(String),
    /// `$request.path.NAME`
    RequestPath(String),
    /// `$request.query.NAME`
    RequestQuery(String),
    /// `$request.body#/POINTER`
    RequestBody(Pointer),
    /// `$inputs.NAME`
    Input(String),
    /// `$steps.ID.outputs.NAME`
    StepOutput {
        /// The id of the step.
        step: String,
        /// The name of the output.
        name: String,
    },
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url => f.write_str("$url"),
            Self::Method => f.write_str("$method"),
            Self::StatusCode => f.write_str("$statusCode"),
            Self::ResponseHeader(name) => write!(f, "$response.header.{name}"),
            Self::ResponseBody(pointer) => write!(f, "$response.body#{pointer}"),
            Self::LocationKey => f.write_str("the end of $response.header.location"),
            Self::RequestHeader(name) => write!(f, "$request.header.{name}"),
            Self::RequestPath(name) => write!(f, "$request.path.{name}"),
            Self::RequestQuery(name) => write!(f, "$request.query.{name}"),
            Self::RequestBody(pointer) => write!(f, "$request.body#{pointer}"),
            Self::Input(name) => write!(f, "$inputs.{name}"),
            Self::StepOutput { step, name } => write!(f, "$steps.{step}.outputs.{name}"),
        }
    }
}

/// Why a text is not a runtime expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a runtime expression that the runner knows")]
pub struct ExpressionError(pub String);

/// The outputs of earlier steps: step → name → value.
pub type Outputs = BTreeMap<String, BTreeMap<String, Node>>;

/// The values that expressions can use.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'s> {
    /// The workflow's inputs.
    pub inputs: &'s BTreeMap<String, Node>,
    /// The outputs of earlier steps.
    pub outputs: &'s Outputs,
    /// The request of this step. `None` before it is composed.
    pub sent: Option<&'s Sent>,
    /// The answer to this step. `None` before it arrives.
    pub answer: Option<&'s Answer>,
}

impl Expression {
    /// Parses an expression, which begins with `$`.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let unknown = || ExpressionError(text.to_owned());
        let rest = text.strip_prefix('$').ok_or_else(unknown)?;
        let (path, fragment) = match rest.split_once('#') {
            Some((path, fragment)) => (path, Pointer::parse(fragment).ok_or_else(unknown)?),
            None => (rest, Pointer::root()),
        };
        let is_body = matches!(path, "request.body" | "response.body");
        if rest.contains('#') && !is_body {
            return Err(unknown());
        }
        let words: Vec<&str> = path.splitn(3, '.').collect();
        Ok(match words[..] {
            ["url"] => Self::Url,
            ["method"] => Self::Method,
            ["statusCode"] => Self::StatusCode,
            ["response", "body"] => Self::ResponseBody(fragment),
            ["request", "body"] => Self::RequestBody(fragment),
            ["response", "header", name] => Self::ResponseHeader(name.to_owned()),
            ["request", "header", name] => Self::RequestHeader(name.to_owned()),
            ["request", "path", name] => Self::RequestPath(name.to_owned()),
            ["request", "query", name] => Self::RequestQuery(name.to_owned()),
            ["inputs", ..] => Self::Input(path["inputs.".len()..].to_owned()),
            ["steps", step, rest] => Self::StepOutput {
                step: step.to_owned(),
                name: rest
                    .strip_prefix("outputs.")
                    .ok_or_else(unknown)?
                    .to_owned(),
            },
            _ => return Err(unknown()),
        })
    }

    /// The value. `None` when the scope lacks it.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Option<Node> {
        match self {
            Self::Url => Some(value::string(&scope.sent?.url)),
            Self::Method => Some(value::string(scope.sent?.method.as_str())),
            Self::StatusCode => Some(value::number(scope.answer?.status)),
            Self::ResponseHeader(name) => Some(value::string(&scope.answer?.header(name)?)),
            Self::ResponseBody(pointer) => scope.answer?.json()?.at(pointer).cloned(),
            Self::LocationKey => {
                let address = scope.answer?.header("location")?;
                Some(value::string(&last_segment(&address)?))
            }
            Self::RequestHeader(name) => {
                let same = |(item, _): &&(String, String)| item.eq_ignore_ascii_case(name);
                let (_, value) = scope.sent?.headers.iter().find(same)?;
                Some(value::string(value))
            }
            Self::RequestPath(name) => argument(&scope.sent?.path_arguments, name),
            Self::RequestQuery(name) => argument(&scope.sent?.query, name),
            Self::RequestBody(pointer) => scope.sent?.json.as_ref()?.at(pointer).cloned(),
            Self::Input(name) => scope.inputs.get(name).cloned(),
            Self::StepOutput { step, name } => scope.outputs.get(step)?.get(name).cloned(),
        }
    }

    /// The id of the step whose output the expression uses.
    pub fn step(&self) -> Option<&str> {
        match self {
            Self::StepOutput { step, .. } => Some(step),
            _ => None,
        }
    }
}

/// The last segment of the path of an address, decoded.
pub(crate) fn last_segment(address: &str) -> Option<String> {
    let path = address.split(['?', '#']).next()?;
    let segment = path.trim_end_matches('/').rsplit('/').next()?;
    let segment = percent_encoding::percent_decode_str(segment);
    Some(segment.decode_utf8().ok()?.into_owned())
}

fn argument(arguments: &[(String, String)], name: &str) -> Option<Node> {
    let (_, value) = arguments.iter().find(|(argument, _)| argument == name)?;
    Some(value::string(value))
}

/// A value with expressions: `$inputs.x` alone, or `prefix-{$inputs.x}` within a text.
#[derive(Debug, Clone)]
pub enum Template {
    /// A value without expressions.
    Literal(Node),
    /// One expression, whose value keeps its type.
    Whole(Expression),
    /// A text with expressions in braces.
    Text(Vec<Part>),
    /// An array of templates.
    Sequence(Vec<Template>),
    /// An object of templates.
    Mapping(Vec<(String, Template)>),
}

/// A part of a text with expressions.
#[derive(Debug, Clone)]
pub enum Part {
    /// Literal text.
    Text(String),
    /// The value of an expression, as text.
    Expression(Expression),
}

impl Template {
    /// Parses a value of a scenario document.
    pub fn parse(node: &Node) -> Result<Self, ExpressionError> {
        Ok(match &node.value {
            Value::String(text) if text.starts_with('$') => Self::Whole(Expression::parse(text)?),
            Value::String(text) if text.contains("{$") => Self::Text(parts(text)?),
            Value::Sequence(items) => {
                Self::Sequence(items.iter().map(Self::parse).collect::<Result<_, _>>()?)
            }
            Value::Mapping(mapping) => {
                let entry = |(key, value): (&str, &Node)| Ok((key.to_owned(), Self::parse(value)?));
                Self::Mapping(mapping.iter().map(entry).collect::<Result<_, _>>()?)
            }
            _ => Self::Literal(node.clone()),
        })
    }

    /// The id of the step when the template is exactly one of its outputs.
    pub(crate) fn step(&self) -> Option<&str> {
        match self {
            Self::Whole(Expression::StepOutput { step, .. }) => Some(step),
            _ => None,
        }
    }

    /// The value.
    ///
    /// # Errors
    /// Returns the expression that has no value.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Node, Expression> {
        Ok(match self {
            Self::Literal(node) => node.clone(),
            Self::Whole(expression) => evaluate(expression, scope)?,
            Self::Text(parts) => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        Part::Text(part) => text.push_str(part),
                        Part::Expression(expression) => {
                            text.push_str(&value::plain(&evaluate(expression, scope)?));
                        }
                    }
                }
                value::string(&text)
            }
            Self::Sequence(items) => {
                let items: Result<Vec<_>, _> =
                    items.iter().map(|item| item.evaluate(scope)).collect();
                value::node(Value::Sequence(items?))
            }
            Self::Mapping(entries) => {
                let evaluate =
                    |(key, value): &(String, Self)| Ok(value::entry(key, value.evaluate(scope)?));
                let entries: Result<Vec<_>, _> = entries.iter().map(evaluate).collect();
                value::node(Value::Mapping(openapi_document::Mapping {
                    entries: entries?,
                }))
            }
        })
    }

    /// Whether an expression uses an input of the scenario.
    pub fn has_input(&self) -> bool {
        let is_input = |expression: &Expression| matches!(expression, Expression::Input(_));
        match self {
            Self::Literal(_) => false,
            Self::Whole(expression) => is_input(expression),
            Self::Text(parts) => parts
                .iter()
                .any(|part| matches!(part, Part::Expression(expression) if is_input(expression))),
            Self::Sequence(items) => items.iter().any(Self::has_input),
            Self::Mapping(entries) => entries.iter().any(|(_, item)| item.has_input()),
        }
    }

    /// The ids of the steps whose outputs the template uses.
    pub fn steps(&self) -> Vec<&str> {
        match self {
            Self::Literal(_) => Vec::new(),
            Self::Whole(expression) => expression.step().into_iter().collect(),
            Self::Text(parts) => {
                fn step(part: &Part) -> Option<&str> {
                    match part {
                        Part::Expression(expression) => expression.step(),
                        Part::Text(_) => None,
                    }
                }
                parts.iter().filter_map(step).collect()
            }
            Self::Sequence(items) => items.iter().flat_map(Self::steps).collect(),
            Self::Mapping(entries) => entries.iter().flat_map(|(_, item)| item.steps()).collect(),
        }
    }
}

fn evaluate(expression: &Expression, scope: &Scope<'_>) -> Result<Node, Expression> {
    expression.evaluate(scope).ok_or_else(|| expression.clone())
}

fn parts(text: &str) -> Result<Vec<Part>, ExpressionError> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("{$") {
        let end = rest[start..].find('}').map(|end| start + end);
        let end = end.ok_or_else(|| ExpressionError(text.to_owned()))?;
        if start > 0 {
            parts.push(Part::Text(rest[..start].to_owned()));
        }
        parts.push(Part::Expression(Expression::parse(&rest[start + 1..end])?));
        rest = &rest[end + 1..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_all_expressions_of_arazzo() {
        for text in [
            "$url",
            "$method",
            "$statusCode",
            "$response.header.request-id",
            "$response.body",
            "$response.body#/refunds/0/id",
            "$request.path.id",
            "$request.query.page",
            "$request.header.request-id",
            "$request.body#/merchantTransactionId",
            "$inputs.card.token",
            "$steps.create-purchase.outputs.id",
        ] {
            assert!(Expression::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "statusCode",
            "$nothing",
            "$steps.a.id",
            "$response.body#x",
            "$url#/a",
        ] {
            assert!(Expression::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn braces_insert_values_into_texts() {
        let inputs = BTreeMap::from([("a".to_owned(), value::string("1"))]);
        let scope = Scope {
            inputs: &inputs,
            outputs: &Outputs::new(),
            sent: None,
            answer: None,
        };
        let template = |text| Template::parse(&value::string(text)).unwrap();
        let plain = |text| {
            template(text)
                .evaluate(&scope)
                .map(|node| value::plain(&node))
        };
        assert_eq!(plain("x{$inputs.a}y{$inputs.a}"), Ok("x1y1".to_owned()));
        assert_eq!(plain("$inputs.b"), Err(Expression::Input("b".to_owned())));
        assert!(Template::parse(&value::string("{$inputs.a")).is_err());
    }
}
