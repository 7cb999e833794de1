//! Range: a value has bounds.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::{Kind, refused};
use super::requires::{Condition, only_where, with_condition};
use crate::bound::Bound;
use crate::mention::Mention;
use crate::subject::Subject;

/// A value, the length of a text, or the number of items of a list has bounds. A duration bounds a
/// time relative to the request.
///
/// ```yaml
/// - range: {subject: {of: NewOrder, name: quantity}, least: '1', most: '100', status: 422}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Range {
    /// The parameter or property.
    pub subject: Subject,
    /// The measured quantity.
    #[serde(default, skip_serializing_if = "Measure::is_value")]
    pub measure: Measure,
    /// The inclusive lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<Bound>,
    /// The exclusive lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above: Option<Bound>,
    /// The inclusive upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<Bound>,
    /// The exclusive upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<Bound>,
    /// The status with which other values are refused, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The condition under which it holds; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
}

/// The quantity that a range bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, std::default::Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The number or the time itself.
    #[default]
    Value,
    /// The number of characters of a text.
    Length,
    /// The number of items of a list.
    Items,
}

impl Measure {
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    fn is_value(&self) -> bool {
        *self == Self::Value
    }
}

impl Range {
    fn flaw_of_bounds(&self, lower: &Bound, upper: &Bound) -> Option<&'static str> {
        if lower.is_duration() != upper.is_duration() {
            return Some("one bound is a number, and the other one a duration");
        }
        let is_exclusive = self.above.is_some() || self.below.is_some();
        match lower.cmp_value(upper) {
            Some(Ordering::Greater) => Some("the lower bound is above the upper one"),
            Some(Ordering::Equal) if is_exclusive => Some("no value lies between the bounds"),
            _ => None,
        }
    }
}

impl Kind for Range {
    fn key(&self) -> String {
        let key = with_condition(self.subject.key(), self.condition.as_ref());
        match self.measure {
            Measure::Value => key,
            Measure::Length => format!("{key}/length"),
            Measure::Items => format!("{key}/items"),
        }
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

    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        Some(&mut self.status)
    }

    fn is_limit(&self) -> bool {
        true
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let owner = self.subject.owner.as_str();
        let condition = self.condition.iter().map(|one| one.name.as_str());
        let condition = condition.map(|path| Mention::Property { owner, path });
        self.subject
            .mentions()
            .into_iter()
            .chain(condition)
            .collect()
    }

    fn flaw(&self) -> Option<&'static str> {
        let lower = [&self.least, &self.above].into_iter().flatten();
        let upper = [&self.most, &self.below].into_iter().flatten();
        let mut all = lower.clone().chain(upper.clone());
        if self.subject.name.is_none() {
            return Some("`subject` needs a `name`");
        }
        if lower.clone().count() > 1 || upper.clone().count() > 1 {
            return Some("`least` and `above`, and `most` and `below`, exclude each other");
        }
        if self.measure != Measure::Value && all.any(|bound| !bound.is_size()) {
            return Some("a length, or a number of items, is bounded by whole numbers");
        }
        match (lower.last(), upper.last()) {
            (None, None) => Some("`least`, `above`, `most` or `below` is needed"),
            (Some(lower), Some(upper)) => self.flaw_of_bounds(lower, upper),
            _ => None,
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.measure {
            Measure::Value => write!(f, "{} is ", self.subject)?,
            Measure::Length => write!(f, "the length of {} is ", self.subject)?,
            Measure::Items => write!(f, "the number of items of {} is ", self.subject)?,
        }
        let bounds = [
            ("at least", "not before", &self.least),
            ("above", "after", &self.above),
            ("at most", "not after", &self.most),
            ("below", "before", &self.below),
        ];
        let bounds = bounds.iter().filter_map(|(words, of_time, bound)| {
            Some(match bound.as_ref()? {
                Bound::Duration(time) if time.is_zero() => format!("{of_time} the request"),
                bound @ Bound::Duration(_) => format!("{words} {bound} from the request on"),
                bound @ Bound::Number(_) => format!("{words} {bound}"),
            })
        });
        f.write_str(&bounds.collect::<Vec<_>>().join(" and "))?;
        only_where(f, self.condition.as_ref())?;
        refused(f, "another value", self.status)
    }
}
