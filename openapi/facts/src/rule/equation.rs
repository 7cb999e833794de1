//! Equation: a property is computed from others.

use std::fmt;

use openapi_document::Node;
use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::rounding::Rounding;
use crate::decimal::Decimal;
use crate::expression::{Expression, at};
use crate::mention::Mention;
use crate::subject::Subject;

/// A property always equals what is computed from other properties of its record.
///
/// ```yaml
/// - equation: {subject: {of: Invoice, name: total}, equals: 'net + tax - discount', decimals: 2}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Equation {
    /// The property.
    pub subject: Subject,
    /// What it equals.
    pub equals: Expression,
    /// The number of decimals that it is rounded to, where the document has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u32>,
    /// Which way; where the document does not say it, either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounded: Option<Rounding>,
}

impl Equation {
    /// What a record should have, and what it has, where the two differ. Where `decimals` are said it may be
    /// rounded: as `rounded` says, else either way.
    pub fn mistake(&self, record: &Node) -> Option<(Decimal, Decimal)> {
        let (due, told) = self.sides(record)?;
        let apart = due.plus(&told.negated())?;
        let is_same = match (self.decimals, self.rounded) {
            (Some(places), Some(rounded)) => rounded.allows(&apart, places),
            (Some(places), None) => apart.is_below(places),
            (None, _) => apart.is_zero(),
        };
        (!is_same).then_some((due, told))
    }

    /// The amount that the other properties of a record yield, and the one that it has. `None` where one of them is missing.
    pub fn sides(&self, record: &Node) -> Option<(Decimal, Decimal)> {
        let observed = Decimal::of_node(at(record, self.subject.name.as_deref()?)?)?;
        Some((self.equals.value(record)?, observed))
    }
}

impl Kind for Equation {
    fn key(&self) -> String {
        self.subject.key()
    }

    fn owner(&self) -> &str {
        &self.subject.owner
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.subject.owner
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let owner = self.subject.owner.as_str();
        let paths = self.equals.properties();
        let parts = paths.map(|path| Mention::Property { owner, path });
        self.subject.mentions().into_iter().chain(parts).collect()
    }

    fn flaw(&self) -> Option<&'static str> {
        if self.subject.name.is_none() {
            return Some("`subject` needs a `name`");
        }
        let is_vague = self.rounded.is_some() && self.decimals.is_none();
        is_vague.then_some("`rounded` needs `decimals`")
    }
}

impl fmt::Display for Equation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} equals {}", self.subject, self.equals)?;
        if let Some(decimals) = self.decimals {
            write!(f, ", rounded to {decimals} decimals")?;
        }
        match self.rounded {
            Some(rounded) => write!(f, ", {}", rounded.as_str()),
            None => Ok(()),
        }
    }
}
