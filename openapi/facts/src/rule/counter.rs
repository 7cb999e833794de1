//! Counter: operations raise and lower a number.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::{Kind, refused};
use crate::decimal::Decimal;
use crate::mention::Mention;
use crate::subject::Subject;

/// Operations raise and lower a number of a record, such as a count, a balance or a stock level.
///
/// ```yaml
/// - counter: {subject: {of: Account, name: balance}, raisedBy: [{operation: deposit, by: amount}], least: '0'}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Counter {
    /// The record's schema, with the property that is a number, or a list whose items are counted.
    pub subject: Subject,
    /// The operations that raise it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raised_by: Vec<Step>,
    /// The operations that lower it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lowered_by: Vec<Step>,
    /// The minimum; an operation that would go below it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<Decimal>,
    /// The maximum; an operation that would exceed it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<Decimal>,
    /// The status of such a refusal, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

/// An operation that changes the number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Step {
    /// The operation.
    pub operation: String,
    /// The request property with the amount; `None` if it moves by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The request property that names the record, if the request names several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            Some(by) => write!(f, "{} (by `{by}`", self.operation)?,
            None => write!(f, "{} (by one", self.operation)?,
        }
        if let Some(of) = &self.of {
            write!(f, ", of `{of}`")?;
        }
        f.write_str(")")
    }
}

impl Counter {
    /// The steps of an operation, each with `true` if it raises the number.
    pub fn steps(&self, operation: &str) -> impl Iterator<Item = (&Step, bool)> {
        let raised = self.raised_by.iter().map(|step| (step, true));
        let lowered = self.lowered_by.iter().map(|step| (step, false));
        let steps = raised.chain(lowered);
        steps.filter(move |(step, _)| step.operation == operation)
    }
}

impl Kind for Counter {
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

    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        Some(&mut self.status)
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let mut found = self.subject.mentions();
        for step in self.raised_by.iter().chain(&self.lowered_by) {
            let owner = step.operation.as_str();
            found.push(Mention::Operation(owner));
            let by = step.by.as_deref().into_iter().chain(step.of.as_deref());
            found.extend(by.map(|path| Mention::Property { owner, path }));
        }
        found
    }

    fn flaw(&self) -> Option<&'static str> {
        if self.subject.name.is_none() {
            return Some("`subject` needs a `name`");
        }
        let is_empty = self.raised_by.is_empty() && self.lowered_by.is_empty();
        is_empty.then_some("`raisedBy` or `loweredBy` needs an operation")
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is ", self.subject)?;
        let steps = |steps: &[Step]| {
            let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
            steps.join(" and ")
        };
        if !self.raised_by.is_empty() {
            write!(f, "raised by {}", steps(&self.raised_by))?;
        }
        if !self.lowered_by.is_empty() {
            let and = if self.raised_by.is_empty() { "" } else { ", " };
            write!(f, "{and}lowered by {}", steps(&self.lowered_by))?;
        }
        if let Some(least) = &self.least {
            write!(f, ", and never less than {least}")?;
        }
        if let Some(most) = &self.most {
            write!(f, ", and never more than {most}")?;
        }
        refused(f, "what would go beyond", self.status)
    }
}
