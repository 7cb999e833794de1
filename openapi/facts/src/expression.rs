//! Expression: a sum of products of properties and numbers, optionally over a list.

use std::fmt;

use openapi_document::Node;
use serde::{Deserialize, Serialize};

use crate::decimal::Decimal;

/// A sum of terms, such as `net + tax - discount` or `sum(lines.price * lines.quantity)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Expression {
    /// The terms; at least one.
    pub terms: Vec<Term>,
}

/// A product that is added or subtracted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Whether it is subtracted.
    pub is_negative: bool,
    /// Whether it is summed over the items of a list. The list is the first one on the path of each
    /// property; all paths start with its name.
    pub is_sum: bool,
    /// The factors; at least one.
    pub factors: Vec<Factor>,
}

/// A part of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Factor {
    /// A property path with dots, such as `tax.amount`.
    Property(String),
    /// A number.
    Number(Decimal),
}

impl Expression {
    /// The property paths that it uses.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().flat_map(Term::properties)
    }

    /// Computes the value for a record; `None` if the record lacks one of the properties.
    pub fn value(&self, record: &Node) -> Option<Decimal> {
        let mut terms = self.terms.iter().map(|term| {
            let value = term.value(record)?;
            Some(if term.is_negative {
                value.negated()
            } else {
                value
            })
        });
        let first = terms.next()??;
        terms.try_fold(first, |sum, term| sum.plus(&term?))
    }
}

/// The node at a property path with dots.
pub(crate) fn at<'n>(record: &'n Node, path: &str) -> Option<&'n Node> {
    path.split('.')
        .try_fold(record, |node, name| node.get(name))
}

impl Term {
    /// The property paths that it uses.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.factors.iter().filter_map(|factor| match factor {
            Factor::Property(path) => Some(path.as_str()),
            Factor::Number(_) => None,
        })
    }

    fn value(&self, record: &Node) -> Option<Decimal> {
        if !self.is_sum {
            return self.product(record, 0);
        }
        let path = self.properties().next()?;
        let mut node = record;
        for (depth, name) in path.split('.').enumerate() {
            node = node.get(name)?;
            if let Some(items) = node.as_sequence() {
                let mut products = items.iter().map(|item| self.product(item, depth + 1));
                return products.try_fold(Decimal::parse("0")?, |sum, product| sum.plus(&product?));
            }
        }
        None
    }

    /// The product for `record`, to which the first `skipped` names of each path lead.
    fn product(&self, record: &Node, skipped: usize) -> Option<Decimal> {
        let mut factors = self.factors.iter().map(|factor| match factor {
            Factor::Number(number) => Some(number.clone()),
            Factor::Property(path) => {
                let mut names = path.split('.').skip(skipped);
                Decimal::of_node(names.try_fold(record, |node, name| node.get(name))?)
            }
        });
        let first = factors.next()??;
        factors.try_fold(first, |product, factor| product.times(&factor?))
    }
}

/// Parses an expression from left to right. A `-` between two letters belongs to a name.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn expression(&mut self) -> Result<Expression, String> {
        let mut is_negative = self.takes("-");
        let mut terms = Vec::new();
        loop {
            terms.push(self.term(is_negative)?);
            if self.rest().is_empty() {
                return Ok(Expression { terms });
            }
            is_negative = self.takes("-");
            if !is_negative && !self.takes("+") {
                return Err(self.expected("`+`, `-`, `*` or the end"));
            }
        }
    }

    fn term(&mut self, is_negative: bool) -> Result<Term, String> {
        let start = self.at;
        let is_sum = self.takes("sum(");
        let mut factors = vec![self.factor()?];
        while self.takes("*") {
            factors.push(self.factor()?);
        }
        if is_sum && !self.takes(")") {
            return Err(self.expected("`*` or `)`"));
        }
        let term = Term {
            is_negative,
            is_sum,
            factors,
        };
        let mut lists: Vec<Option<&str>> = { term.properties() }
            .map(|path| path.split('.').next())
            .collect();
        lists.dedup();
        if is_sum && lists.len() != 1 {
            self.at = start;
            return Err(self.expected("a sum over the items of one list"));
        }
        Ok(term)
    }

    fn factor(&mut self) -> Result<Factor, String> {
        let word = self.word();
        if word.is_empty() || word.starts_with('.') || word.ends_with('.') || word.contains("..") {
            return Err(self.expected("a property or a number"));
        }
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let factor = if is_number {
            Decimal::parse(word).map(Factor::Number)
        } else {
            Some(Factor::Property(word.to_owned()))
        };
        let factor = factor.ok_or_else(|| self.expected("a property or a number"))?;
        self.at += word.len();
        Ok(factor)
    }

    /// Consumes the next name or number.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let is_inner = |c: char| c.is_alphanumeric() || "_.$@".contains(c);
        let mut before = ' ';
        let end = rest.char_indices().find(|(at, c)| {
            let next = rest.get(at + 1..).and_then(|rest| rest.chars().next());
            let is_hyphen = *c == '-' && is_inner(before) && next.is_some_and(is_inner);
            before = *c;
            !is_inner(*c) && !is_hyphen
        });
        let end = end.map_or(rest.len(), |(at, _)| at);
        rest.get(..end).unwrap_or_default()
    }

    /// The remaining text, after leading spaces.
    fn rest(&mut self) -> &'t str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    /// Consumes `sign` if it comes next, and returns whether it did.
    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    fn expected(&mut self, what: &str) -> String {
        self.rest();
        let before = self.text.get(..self.at).unwrap_or_default();
        let place = before.chars().count() + 1;
        format!("expected {what} at character {place} of `{}`", self.text)
    }
}

impl TryFrom<String> for Expression {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Reader { text: &text, at: 0 }.expression()
    }
}

impl From<Expression> for String {
    fn from(expression: Expression) -> Self {
        expression.to_string()
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, term) in self.terms.iter().enumerate() {
            f.write_str(match (at, term.is_negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            term.fmt(f)?;
        }
        Ok(())
    }
}

/// Writes the term without its sign.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors: Vec<String> = self.factors.iter().map(Factor::to_string).collect();
        let product = factors.join(" * ");
        if self.is_sum {
            write!(f, "sum({product})")
        } else {
            f.write_str(&product)
        }
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Property(path) => f.write_str(path),
            Self::Number(number) => number.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_written_as_it_was_parsed() {
        for (text, expected) in [
            ("net + tax - discount", "net + tax - discount"),
            ("-a+b", "-a + b"),
            (
                "sum(lines.price*lines.quantity)",
                "sum(lines.price * lines.quantity)",
            ),
            ("net * 0.19", "net * 0.19"),
            ("100 - used", "100 - used"),
            ("net-amount - tax.total", "net-amount - tax.total"),
            ("summary + größe", "summary + größe"),
        ] {
            let found = Expression::try_from(text.to_owned());
            let found = found.map(|expression| expression.to_string());
            assert_eq!(found.as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn expressions_have_a_value() {
        let record = r#"{"net":10,"tax":{"amount":"1.90","currency":"EUR"},"lines":[{"price":"2.50","count":3},
            {"price":"1.00","count":1}],"none":[]}"#;
        let record = openapi_document::json::read_text(record).unwrap();
        for (text, expected) in [
            ("net + tax - 0.9", Some("11.00")),
            ("sum(lines.price * lines.count) * 2", None),
            ("sum(lines.price * lines.count) + net", Some("18.50")),
            ("sum(none.price)", Some("0")),
            ("net - discount", None),
            ("sum(lines.weight)", None),
        ] {
            let expression = Expression::try_from(text.to_owned());
            let found = expression.ok().and_then(|it| it.value(&record));
            let found = found.map(|it| it.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn errors_name_the_character() {
        for (text, expected) in [
            ("", "a property or a number at character 1"),
            ("net + ", "a property or a number at character 7"),
            ("größe / 2", "`+`, `-`, `*` or the end at character 7"),
            ("1e3", "a property or a number at character 1"),
            ("a..b", "a property or a number at character 1"),
            ("sum(lines.price", "`*` or `)` at character 16"),
            (
                "x + sum(a.b * c.d)",
                "a sum over the items of one list at character 5",
            ),
            ("sum(2)", "a sum over the items of one list at character 1"),
        ] {
            let found = Expression::try_from(text.to_owned());
            let expected = format!("expected {expected} of `{text}`");
            assert_eq!(found.map(|it| it.to_string()), Err(expected), "{text}");
        }
    }
}
