//! Rules: what a fact says, in the field's words; one file a kind.

mod barred;
mod default;
mod effect;
mod filter;
mod idempotency;
mod order;
mod paging;
mod requires;
mod unique;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::flow::flow;
use crate::subject::Subject;

pub use barred::{Barred, States};
pub use default::Default;
pub use effect::Effect;
pub use filter::Filter;
pub use idempotency::Idempotency;
pub use order::{Direction, Order};
pub use paging::{Paging, PagingRole};
pub use requires::{Condition, Need, Requires};
pub use unique::Unique;

/// What a fact says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Rule {
    /// An operation is refused in some states.
    Barred(Barred),
    /// An operation gives a property a value.
    Effect(Effect),
    /// No two records have the same value of a property.
    Unique(Unique),
    /// A repeated request takes effect once.
    Idempotency(Idempotency),
    /// A list is divided into pages.
    Paging(Paging),
    /// A list has an order.
    Order(Order),
    /// A value that is left out has a default.
    Default(Default),
    /// A value is required, or must be left out, under a condition.
    Requires(Requires),
    /// A parameter chooses the items of a list.
    Filter(Filter),
}

impl Rule {
    /// The kinds of rules, in the order in which they are listed.
    pub const KINDS: [&'static str; 9] = [
        "barred",
        "effect",
        "unique",
        "idempotency",
        "paging",
        "order",
        "default",
        "requires",
        "filter",
    ];

    /// The kind of the rule, as in the id of a fact.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Barred(_) => "barred",
            Self::Effect(_) => "effect",
            Self::Unique(_) => "unique",
            Self::Idempotency(_) => "idempotency",
            Self::Paging(_) => "paging",
            Self::Order(_) => "order",
            Self::Default(_) => "default",
            Self::Requires(_) => "requires",
            Self::Filter(_) => "filter",
        }
    }

    /// The parameter, property or list that it is about; `None` for rules about the state of a record.
    pub fn subject(&self) -> Option<&Subject> {
        match self {
            Self::Barred(_) | Self::Effect(_) => None,
            Self::Unique(rule) => Some(&rule.subject),
            Self::Idempotency(rule) => Some(&rule.key),
            Self::Paging(rule) => Some(&rule.subject),
            Self::Order(rule) => Some(&rule.subject),
            Self::Default(rule) => Some(&rule.subject),
            Self::Requires(rule) => Some(&rule.subject),
            Self::Filter(rule) => Some(&rule.subject),
        }
    }

    /// The operation, schema or component that it is about.
    pub fn owner(&self) -> &str {
        match self {
            Self::Barred(rule) => &rule.operation,
            Self::Effect(rule) => &rule.operation,
            _ => self.subject().map_or("", |subject| subject.owner.as_str()),
        }
    }

    /// Whether it says that something is so; a rule may also say that values repeat, that a list has no pages, that a header is no key.
    pub fn holds(&self) -> bool {
        match self {
            Self::Unique(rule) => rule.holds,
            Self::Idempotency(rule) => rule.holds,
            Self::Paging(rule) => rule.role != PagingRole::None,
            _ => true,
        }
    }

    /// The entry of a behaviour file that states it, on one line: `barred: {operation: cancelOrder, unless: [OPEN]}`.
    pub fn entry(&self) -> String {
        // A rule is an object of one key: its kind.
        let value = serde_json::to_value(self).unwrap_or_default();
        let entries = value.as_object().into_iter().flatten();
        let lines: Vec<String> = { entries }
            .map(|(kind, says)| format!("{kind}: {}", flow(says)))
            .collect();
        lines.join(", ")
    }

    /// Whether another rule says the same, but for the status of a refusal that one of them leaves out. Takes that status.
    pub(crate) fn takes_in(&mut self, other: &Self) -> bool {
        let place = |rule: &mut Self| match rule {
            Self::Barred(rule) => rule.status.take(),
            Self::Unique(rule) => rule.status.take(),
            _ => None,
        };
        let (mut one, mut two) = (self.clone(), other.clone());
        let (status, more) = (place(&mut one), place(&mut two));
        let differ = status.is_some() && more.is_some() && status != more;
        if one != two || differ {
            return false;
        }
        match self {
            Self::Barred(rule) => rule.status = status.or(more),
            Self::Unique(rule) => rule.status = status.or(more),
            _ => {}
        }
        true
    }

    /// The same rule about another operation, schema or component.
    #[must_use]
    pub fn about(&self, owner: &str) -> Self {
        let mut rule = self.clone();
        let place = match &mut rule {
            Self::Barred(rule) => &mut rule.operation,
            Self::Effect(rule) => &mut rule.operation,
            Self::Unique(rule) => &mut rule.subject.owner,
            Self::Idempotency(rule) => &mut rule.key.owner,
            Self::Paging(rule) => &mut rule.subject.owner,
            Self::Order(rule) => &mut rule.subject.owner,
            Self::Default(rule) => &mut rule.subject.owner,
            Self::Requires(rule) => &mut rule.subject.owner,
            Self::Filter(rule) => &mut rule.subject.owner,
        };
        owner.clone_into(place);
        rule
    }

    /// What tells the rule from others of its kind: its subject and its condition.
    pub fn key(&self) -> String {
        match self {
            Self::Barred(rule) => rule.key(),
            Self::Effect(rule) => rule.key(),
            Self::Unique(rule) => rule.key(),
            Self::Idempotency(rule) => rule.key(),
            Self::Paging(rule) => rule.key(),
            Self::Order(rule) => rule.key(),
            Self::Default(rule) => rule.key(),
            Self::Requires(rule) => rule.key(),
            Self::Filter(rule) => rule.key(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Barred(rule) => rule.fmt(f),
            Self::Effect(rule) => rule.fmt(f),
            Self::Unique(rule) => rule.fmt(f),
            Self::Idempotency(rule) => rule.fmt(f),
            Self::Paging(rule) => rule.fmt(f),
            Self::Order(rule) => rule.fmt(f),
            Self::Default(rule) => rule.fmt(f),
            Self::Requires(rule) => rule.fmt(f),
            Self::Filter(rule) => rule.fmt(f),
        }
    }
}
