//! Rules: the typed statements that facts can make, one kind per file.

mod kind;

mod access;
mod r#async;
mod barred;
mod counter;
mod default;
mod effect;
mod equation;
mod filter;
mod idempotency;
mod immutable;
mod list_omits;
mod magic_value;
mod no_effect;
mod on_delete;
mod order;
mod paging;
mod range;
mod reference;
mod refusal;
mod relation;
mod requires;
mod rounding;
mod side_effect;
mod sum_limit;
mod timing;
mod unique;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::flow::flow;
use crate::mention::Mention;
use crate::subject::Subject;

pub use access::{Access, Callers};
pub use r#async::Async;
pub use barred::{Barred, States};
pub use counter::{Counter, Step};
pub use default::Default;
pub use effect::Effect;
pub use equation::Equation;
pub use filter::Filter;
pub use idempotency::{Idempotency, Within};
pub use immutable::Immutable;
pub(crate) use kind::Kind;
pub use list_omits::ListOmits;
pub use magic_value::MagicValue;
pub use no_effect::NoEffect;
pub use on_delete::{Fate, OnDelete};
pub use order::{Direction, Order};
pub use paging::{Paging, PagingRole};
pub use range::{Measure, Range};
pub use reference::Reference;
pub use refusal::Refusal;
pub use relation::{Comparison, Relation};
pub use requires::{Condition, Need, Requires};
pub use rounding::Rounding;
pub use side_effect::{Outcome, SideEffect};
pub use sum_limit::SumLimit;
pub use timing::Timing;
pub use unique::Unique;

/// Declares the enum of all kinds. The name of a kind is the key of its entries and the first part
/// of its ids.
macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)+) => {
        /// The statement of a fact.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Rule {
            $($(#[$doc])* #[serde(rename = $name)] $variant($variant),)+
        }

        impl Rule {
            /// The kinds of rules, in the order in which they are listed.
            pub const KINDS: [&'static str; [$($name),+].len()] = [$($name),+];

            /// The kind of the rule, as in the id of a fact.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)+ }
            }

            fn inner(&self) -> &dyn Kind {
                match self { $(Self::$variant(rule) => rule,)+ }
            }

            fn inner_mut(&mut self) -> &mut dyn Kind {
                match self { $(Self::$variant(rule) => rule,)+ }
            }
        }
    };
}

kinds! {
    /// An operation is refused in some states.
    Barred "barred",
    /// An operation gives a property a value.
    Effect "effect",
    /// No two records have the same value of a property.
    Unique "unique",
    /// A repeated request takes effect once.
    Idempotency "idempotency",
    /// A list is divided into pages.
    Paging "paging",
    /// A list has an order.
    Order "order",
    /// A missing value has a default.
    Default "default",
    /// A value is required, or must be left out, under a condition.
    Requires "requires",
    /// A parameter chooses the items of a list.
    Filter "filter",
    /// The amounts of several records never exceed a total.
    SumLimit "sum-limit",
    /// A property is computed from others.
    Equation "equation",
    /// Operations raise and lower a number.
    Counter "counter",
    /// A property does not change.
    Immutable "immutable",
    /// The fate of the children of a deleted record.
    OnDelete "on-delete",
    /// A list leaves out some records.
    ListOmits "list-omits",
    /// Two properties of one record are compared.
    Relation "relation",
    /// A value has bounds.
    Range "range",
    /// A value must name an existing record.
    Reference "reference",
    /// Only some callers may use an operation.
    Access "access",
    /// A time lies a fixed duration after another one.
    Timing "timing",
    /// A record changes its state by itself.
    Async "async",
    /// A documented test value has a documented outcome.
    MagicValue "magic-value",
    /// A refusal carries a code.
    Refusal "refusal",
    /// An operation changes nothing of a record.
    NoEffect "no-effect",
    /// An operation changes or creates another record.
    SideEffect "side-effect",
}

impl Rule {
    /// The parameter, property or list that the rule concerns; `None` for rules about a whole
    /// operation.
    pub fn subject(&self) -> Option<&Subject> {
        self.inner().subject()
    }

    /// The operation, schema or component that the rule concerns.
    pub fn owner(&self) -> &str {
        self.inner().owner()
    }

    /// Whether the rule is a positive statement. A negative one says that values may repeat, that a
    /// list has no pages, or that a header is not a key.
    pub fn holds(&self) -> bool {
        self.inner().holds()
    }

    /// Whether it limits what clients may send or do. Other rules promise what the service does.
    pub fn is_limit(&self) -> bool {
        self.inner().is_limit()
    }

    /// Whether two rules are equal, ignoring a refusal status that one of them lacks.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.clone().takes_in(other)
    }

    /// The part of the id that distinguishes rules of one kind: subject and condition.
    pub fn key(&self) -> String {
        self.inner().key()
    }

    /// The entry of a behaviour file that states the rule, on one line: `barred: {operation:
    /// cancelOrder, unless: [OPEN]}`.
    pub fn entry(&self) -> String {
        // A rule serializes as an object with one key, its kind.
        let value = serde_json::to_value(self).unwrap_or_default();
        let entries = value.as_object().into_iter().flatten();
        let lines: Vec<String> = { entries }
            .map(|(kind, says)| format!("{kind}: {}", flow(says)))
            .collect();
        lines.join(", ")
    }

    /// The same rule with another owner.
    #[must_use]
    pub fn about(&self, owner: &str) -> Self {
        let mut rule = self.clone();
        owner.clone_into(rule.inner_mut().owner_mut());
        rule
    }

    /// The parts of the document that the rule names.
    pub(crate) fn mentions(&self) -> Vec<Mention<'_>> {
        self.inner().mentions()
    }

    /// An error text if the parts of the rule contradict each other.
    pub(crate) fn flaw(&self) -> Option<&'static str> {
        self.inner().flaw()
    }

    /// Like [`agrees_with`](Self::agrees_with), but also copies the other rule's status if this one
    /// lacks it.
    pub(crate) fn takes_in(&mut self, other: &Self) -> bool {
        let take = |rule: &mut Self| rule.inner_mut().status_mut().and_then(Option::take);
        let (mut one, mut two) = (self.clone(), other.clone());
        let (status, more) = (take(&mut one), take(&mut two));
        let differ = status.is_some() && more.is_some() && status != more;
        if one != two || differ {
            return false;
        }
        if let Some(place) = self.inner_mut().status_mut() {
            *place = status.or(more);
        }
        true
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner().fmt(f)
    }
}
