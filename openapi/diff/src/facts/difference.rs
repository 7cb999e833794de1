//! Difference: a fact that only one side has, or that changed.

use openapi_facts::{Evidence, Fact, Rule};

/// A fact that was added, removed or changed.
#[derive(Debug)]
pub(super) struct Difference<'f> {
    /// The id of the rule in the registry.
    pub(super) id: &'static str,
    /// The fact in the base.
    pub(super) base: Option<&'f Fact>,
    /// The fact in the revision.
    pub(super) revision: Option<&'f Fact>,
    /// What changed, with the facts' rules.
    pub(super) delta: Delta,
}

/// How a fact differs.
#[derive(Debug)]
pub(super) enum Delta {
    /// Only the revision states this.
    Added(Rule),
    /// Only the base states this.
    Removed(Rule),
    /// The base states the first, the revision the second.
    Changed(Box<Rule>, Box<Rule>),
}

impl Difference<'_> {
    /// The rule that differs, with its owner's name in the revision.
    pub(super) fn rule(&self) -> &Rule {
        match &self.delta {
            Delta::Added(rule) | Delta::Removed(rule) => rule,
            Delta::Changed(_, rule) => rule,
        }
    }

    /// The evidence of the difference. If both sides state it, the weaker one counts.
    pub(super) fn evidence(&self) -> Evidence {
        let base = self.base.map(Fact::evidence);
        let revision = self.revision.map(Fact::evidence);
        let found = match self.delta {
            Delta::Added(_) => revision,
            Delta::Removed(_) => base,
            Delta::Changed(..) => base.min(revision),
        };
        found.unwrap_or(Evidence::Read)
    }

    /// A sentence without a full stop.
    pub(super) fn title(&self) -> String {
        match &self.delta {
            Delta::Added(rule) => format!("{rule}; the base does not say so"),
            Delta::Removed(rule) => format!("{rule}; the revision does not say so"),
            Delta::Changed(old, new) => format!("{new}; in the base {old}"),
        }
    }

    /// The values that changed.
    pub(super) fn detail(&self) -> String {
        match &self.delta {
            Delta::Added(rule) | Delta::Removed(rule) => value(rule),
            Delta::Changed(old, new) => format!("{} → {}", value(old), value(new)),
        }
    }
}

/// The values in a rule.
fn value(rule: &Rule) -> String {
    match rule {
        Rule::Default(rule) => rule.value.clone(),
        Rule::Paging(rule) => rule.role.as_str().to_owned(),
        Rule::Filter(rule) => rule.property.clone().unwrap_or_default(),
        Rule::Unique(rule) => rule.scope.clone().unwrap_or_default(),
        // The key contains the condition or the states.
        rule => {
            let key = rule.key();
            let rest = key.strip_prefix(rule.owner()).unwrap_or(&key);
            let rest = rest.trim_start_matches('/').to_owned();
            match rule {
                Rule::Requires(rule) => format!("{rest} {:?}", rule.need),
                Rule::Order(rule) => match rule.direction {
                    Some(direction) => format!("{rest} {direction:?}"),
                    None => rest,
                },
                Rule::Barred(_) | Rule::Effect(_) | Rule::Idempotency(_) => rest,
                rule => rule.to_string(),
            }
        }
    }
}
