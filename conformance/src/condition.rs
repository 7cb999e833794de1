//! Evaluates Arazzo's simple conditions: `$statusCode == 201 && $response.body#/status ==
//! 'ACCEPTED'`.
//!
//! The operators `==` and `!=` compare values as the wire has them: strings with their letter case,
//! numbers digit by digit. `<` and the other order operators compare numerically.

mod parser;

use std::cmp::Ordering;

use openapi_document::{Node, Value};

use crate::expression::{Expression, Scope};
use crate::value;

pub use parser::ConditionError;

/// A condition on an exchange.
#[derive(Debug, Clone)]
pub enum Condition {
    /// All conditions hold.
    All(Vec<Condition>),
    /// At least one condition holds.
    Any(Vec<Condition>),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// The comparison of two values holds.
    Compare(Operand, Operator, Operand),
    /// The value is `true`.
    Truth(Operand),
}

/// One side of a comparison.
#[derive(Debug, Clone)]
pub enum Operand {
    /// A runtime expression.
    Expression(Expression),
    /// A literal.
    Literal(Node),
}

/// An operator of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Why a comparison failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The expression that was evaluated. `None` when both sides are literals.
    pub expression: Option<Expression>,
    /// The expected value.
    pub expected: String,
    /// The observed value.
    pub actual: String,
}

impl Condition {
    /// Whether the condition holds.
    pub fn holds(&self, scope: &Scope<'_>) -> bool {
        self.failure(scope).is_none()
    }

    /// Why the condition does not hold. `None` when it holds.
    pub fn failure(&self, scope: &Scope<'_>) -> Option<Failure> {
        match self {
            Self::All(all) => all.iter().find_map(|condition| condition.failure(scope)),
            Self::Any(any) => {
                let mut failures = Vec::new();
                for condition in any {
                    failures.push(condition.failure(scope)?);
                }
                let last = failures.pop()?;
                let expected = failures.iter().map(|failure| failure.expected.as_str());
                let expected: Vec<&str> = expected.chain([last.expected.as_str()]).collect();
                Some(Failure {
                    expected: expected.join(" or "),
                    ..last
                })
            }
            Self::Not(condition) => condition.holds(scope).then(|| Failure {
                expression: None,
                expected: "the condition does not hold".to_owned(),
                actual: "it holds".to_owned(),
            }),
            Self::Truth(operand) => {
                let node = operand.evaluate(scope);
                let holds = node.as_ref().and_then(Node::as_bool) == Some(true);
                (!holds).then(|| Failure {
                    expression: operand.expression(),
                    expected: "true".to_owned(),
                    actual: show(node.as_ref()),
                })
            }
            Self::Compare(left, operator, right) => compare(left, *operator, right, scope),
        }
    }

    /// Whether the condition holds only for this status.
    pub fn asks_for_status(&self, code: u16) -> bool {
        match self {
            Self::All(all) => all.iter().any(|condition| condition.asks_for_status(code)),
            Self::Compare(
                Operand::Expression(Expression::StatusCode),
                Operator::Equal,
                Operand::Literal(literal),
            ) => literal.as_number() == Some(&code.to_string()),
            _ => false,
        }
    }

    /// The ids of the earlier steps whose outputs the condition uses.
    pub fn steps(&self) -> Vec<&str> {
        match self {
            Self::All(list) | Self::Any(list) => list.iter().flat_map(Self::steps).collect(),
            Self::Not(condition) => condition.steps(),
            Self::Truth(operand) => operand.step().into_iter().collect(),
            Self::Compare(left, _, right) => left.step().into_iter().chain(right.step()).collect(),
        }
    }
}

impl Operand {
    fn evaluate(&self, scope: &Scope<'_>) -> Option<Node> {
        match self {
            Self::Expression(expression) => expression.evaluate(scope),
            Self::Literal(node) => Some(node.clone()),
        }
    }

    fn expression(&self) -> Option<Expression> {
        match self {
            Self::Expression(expression) => Some(expression.clone()),
            Self::Literal(_) => None,
        }
    }

    fn step(&self) -> Option<&str> {
        match self {
            Self::Expression(expression) => expression.step(),
            Self::Literal(_) => None,
        }
    }
}

fn compare(
    left: &Operand,
    operator: Operator,
    right: &Operand,
    scope: &Scope<'_>,
) -> Option<Failure> {
    let (actual, expected) = (left.evaluate(scope), right.evaluate(scope));
    let same = match (&actual, &expected) {
        (Some(a), Some(b)) => a.same_value(b),
        _ => false,
    };
    let order = || order(actual.as_ref()?, expected.as_ref()?);
    let holds = match operator {
        Operator::Equal => same,
        Operator::NotEqual => !same,
        Operator::Less => order() == Some(Ordering::Less),
        Operator::LessOrEqual => matches!(order(), Some(Ordering::Less | Ordering::Equal)),
        Operator::Greater => order() == Some(Ordering::Greater),
        Operator::GreaterOrEqual => matches!(order(), Some(Ordering::Greater | Ordering::Equal)),
    };
    (!holds).then(|| Failure {
        expression: left.expression(),
        expected: match operator {
            Operator::Equal => show(expected.as_ref()),
            other => format!("{} {}", other.as_str(), show(expected.as_ref())),
        },
        actual: show(actual.as_ref()),
    })
}

impl Operator {
    fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

fn show(node: Option<&Node>) -> String {
    node.map_or_else(
        || "absent".to_owned(),
        |node| value::excerpt(&node.to_json()),
    )
}

/// Compares two plain decimals, numbers or strings, exactly at any length. `None` when one is not a
/// decimal.
fn order(left: &Node, right: &Node) -> Option<Ordering> {
    let digits = |node: &'_ Node| match &node.value {
        Value::Number(text) | Value::String(text) => Some(text.clone()),
        _ => None,
    };
    let (left, right) = (digits(left)?, digits(right)?);
    let (left, right) = (decimal(&left)?, decimal(&right)?);
    let width = left.whole.len().max(right.whole.len());
    let scale = left.fraction.len().max(right.fraction.len());
    let padded = |d: &Decimal<'_>| format!("{:0>width$}{:0<scale$}", d.whole, d.fraction);
    let order = padded(&left).cmp(&padded(&right));
    Some(match (left.negative, right.negative) {
        (false, false) => order,
        (true, true) => order.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

struct Decimal<'t> {
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
}

fn decimal(text: &str) -> Option<Decimal<'_>> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    (!whole.is_empty() && plain(whole) && plain(fraction)).then_some(Decimal {
        negative,
        whole,
        fraction,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::exchange::Answer;

    #[test]
    fn conditions_hold_or_not() {
        let body =
            br#"{"s":"A","n":10.00,"big":12345678901234567890,"t":true,"q":"it's","z":null}"#;
        let answer = Answer::new(201, Vec::new(), Ok(body.to_vec()));
        let scope = Scope {
            inputs: &BTreeMap::new(),
            outputs: &BTreeMap::new(),
            sent: None,
            answer: Some(&answer),
        };
        for (text, holds) in [
            ("$statusCode == 201", true),
            ("$statusCode==201", true),
            ("$statusCode == 200 || $statusCode == 201", true),
            (
                "$response.body#/s == 'A' && $response.body#/n == 10.00",
                true,
            ),
            ("$response.body#/n == 10.0", false),
            ("$response.body#/n <= 10.0", true),
            ("$response.body#/big == 12345678901234567891", false),
            ("$response.body#/big < 12345678901234567891", true),
            ("-2 < -1", true),
            ("9 < 10", true),
            ("$response.body#/t", true),
            ("!($response.body#/t && $statusCode == 201)", false),
            ("$response.body#/q == 'it''s'", true),
            ("$response.body#/z == null", true),
            ("$response.body#/none == null", false),
            ("$response.body#/none != 'A'", true),
        ] {
            let condition = Condition::parse(text).unwrap();
            assert_eq!(condition.holds(&scope), holds, "{text}");
        }
    }

    #[test]
    fn an_error_explains_why_a_text_is_no_condition() {
        for (text, reason) in [
            ("", "a value is missing"),
            ("$statusCode ==", "a value is missing"),
            ("$statusCode == 'a", "does not end"),
            ("($statusCode == 1", "not closed"),
            ("$statusCode == 1 2", "`2` is not expected"),
            ("$statusCode == word", "neither"),
            ("$unknown == 1", "not a runtime expression"),
        ] {
            let error = Condition::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
