//! Equation: a property is computed from others.

use std::fmt;

use openapi_document::Node;
use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::requires::{Condition, only_where, with_condition};
use super::rounding::Rounding;
use crate::decimal::Decimal;
use crate::expression::{Expression, at};
use crate::mention::Mention;
use crate::subject::Subject;

/// A property always equals an expression over other properties of its record.
///
/// ```yaml
/// - equation: {subject: {of: Invoice, name: total}, equals: 'net + tax - discount', decimals: 2}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Equation {
    /// The property.
    pub subject: Subject,
    /// The expression.
    pub equals: Expression,
    /// The number of decimals to which it is rounded, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u32>,
    /// The rounding mode; `None` allows both directions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounded: Option<Rounding>,
    /// The schema of another record that the operation names, or `previous` for the item of the same
    /// list that was created before; properties of that record begin with this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// With `from: previous`, the property whose value the previous item shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per: Option<String>,
    /// The condition under which it holds; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
}

impl Equation {
    /// The name of the item that was created before.
    pub const PREVIOUS: &str = "previous";

    /// Whether it compares an item of a list with the one that was created before.
    pub fn is_of_list(&self) -> bool {
        self.from.as_deref() == Some(Self::PREVIOUS)
    }

    /// The expected and the observed value, if they differ. With `decimals`, a value rounded as
    /// `rounded` says is correct. `None` also if the record lacks a property of the equation.
    pub fn mistake(&self, record: &Node) -> Option<(Decimal, Decimal)> {
        let (expected, observed) = self.sides(record)?;
        let difference = expected.plus(&observed.negated())?;
        let is_same = match (self.decimals, self.rounded) {
            (Some(places), Some(rounded)) => rounded.allows(&difference, places),
            (Some(places), None) => difference.is_below(places),
            (None, _) => difference.is_zero(),
        };
        (!is_same).then_some((expected, observed))
    }

    /// The amount that the other properties of a record yield, and the one that it has. `None` where one of them is missing.
    pub fn sides(&self, record: &Node) -> Option<(Decimal, Decimal)> {
        let observed = Decimal::of_node(at(record, self.subject.name.as_deref()?)?)?;
        Some((self.equals.value(record)?, observed))
    }
}

impl Kind for Equation {
    fn key(&self) -> String {
        with_condition(self.subject.key(), self.condition.as_ref())
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
        let from = self.from.as_deref();
        let of_other = |path| {
            let rest = from.and_then(|owner| str::strip_prefix(path, owner)?.strip_prefix('.'));
            let owner = from.map(|owner| {
                if owner == Self::PREVIOUS {
                    self.subject.owner.as_str()
                } else {
                    owner
                }
            });
            owner.zip(rest)
        };
        let paths = self.equals.properties();
        let paths = paths.chain(self.condition.iter().map(|one| one.name.as_str()));
        let parts = paths.map(|path| {
            let (owner, path) = of_other(path).unwrap_or((owner, path));
            Mention::Property { owner, path }
        });
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
        if let Some(rounded) = self.rounded {
            write!(f, ", {}", rounded.as_str())?;
        }
        only_where(f, self.condition.as_ref())
    }
}
