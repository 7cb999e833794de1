//! Parses conditions.

use super::{Condition, Operand, Operator};
use crate::expression::Expression;
use crate::value;

/// Why a text is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a condition: {reason}")]
pub struct ConditionError {
    text: String,
    reason: String,
}

impl Condition {
    /// Parses a condition.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        let error = |reason: String| ConditionError {
            text: text.to_owned(),
            reason,
        };
        let tokens = tokens(text).map_err(error)?;
        let mut reader = Reader {
            tokens: &tokens,
            at: 0,
        };
        let condition = reader.any().map_err(error)?;
        match reader.peek() {
            None => Ok(condition),
            Some(token) => Err(error(format!("`{token}` is not expected there"))),
        }
    }
}

impl Operator {
    fn parse(token: &str) -> Option<Self> {
        let all = [
            Self::Equal,
            Self::NotEqual,
            Self::LessOrEqual,
            Self::GreaterOrEqual,
            Self::Less,
            Self::Greater,
        ];
        all.into_iter().find(|operator| operator.as_str() == token)
    }
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let symbols = ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "(", ")"];
        let symbol = symbols.iter().find(|symbol| rest.starts_with(**symbol));
        let length = match (symbol, first) {
            (Some(symbol), _) => symbol.len(),
            (None, '\'') => quoted(rest).ok_or("a quoted text does not end")?,
            (None, _) => word(rest),
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// The length of an expression or unquoted literal, in bytes.
fn word(text: &str) -> usize {
    let operators = ["&&", "||", "==", "!=", "<", ">"];
    let ends = |(at, char): (usize, char)| {
        char.is_whitespace() || char == ')' || operators.iter().any(|op| text[at..].starts_with(op))
    };
    let end = text.char_indices().find(|&at| ends(at));
    end.map_or(text.len(), |(at, _)| at)
}

/// The length of a quoted text with its quotes, in bytes. `''` within is an escaped quote.
fn quoted(text: &str) -> Option<usize> {
    let mut from = 1;
    loop {
        let end = from + text[from..].find('\'')?;
        if !text[end + 1..].starts_with('\'') {
            return Some(end + 1);
        }
        from = end + 2;
    }
}

struct Reader<'t> {
    tokens: &'t [String],
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let there = self.peek() == Some(token);
        self.at += usize::from(there);
        there
    }

    fn any(&mut self) -> Result<Condition, String> {
        let mut list = vec![self.all()?];
        while self.take("||") {
            list.push(self.all()?);
        }
        Ok(one_or(list, Condition::Any))
    }

    fn all(&mut self) -> Result<Condition, String> {
        let mut list = vec![self.one()?];
        while self.take("&&") {
            list.push(self.one()?);
        }
        Ok(one_or(list, Condition::All))
    }

    fn one(&mut self) -> Result<Condition, String> {
        if self.take("!") {
            return Ok(Condition::Not(Box::new(self.one()?)));
        }
        if self.take("(") {
            let inner = self.any()?;
            return if self.take(")") {
                Ok(inner)
            } else {
                Err("a parenthesis is not closed".to_owned())
            };
        }
        let left = self.operand()?;
        let Some(operator) = self.peek().and_then(Operator::parse) else {
            return Ok(Condition::Truth(left));
        };
        self.at += 1;
        Ok(Condition::Compare(left, operator, self.operand()?))
    }

    fn operand(&mut self) -> Result<Operand, String> {
        let token = self.peek().ok_or("a value is missing at its end")?;
        self.at += 1;
        if token.starts_with('$') {
            let expression = Expression::parse(token).map_err(|error| error.to_string())?;
            return Ok(Operand::Expression(expression));
        }
        if let Some(text) = token.strip_prefix('\'') {
            let text = text.strip_suffix('\'').unwrap_or(text).replace("''", "'");
            return Ok(Operand::Literal(value::string(&text)));
        }
        match openapi_document::json::read_text(token) {
            Ok(literal) if literal.as_str().is_none() => Ok(Operand::Literal(literal)),
            _ => Err(format!("`{token}` is neither an expression nor a literal")),
        }
    }
}

fn one_or(mut list: Vec<Condition>, wrap: fn(Vec<Condition>) -> Condition) -> Condition {
    match list.pop() {
        Some(only) if list.is_empty() => only,
        Some(last) => {
            list.push(last);
            wrap(list)
        }
        None => wrap(list),
    }
}
