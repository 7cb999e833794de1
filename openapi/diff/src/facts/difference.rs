//! Difference: what one side says about the service, and the other does not, or says otherwise.

use openapi_facts::{Evidence, Fact, Rule};

/// A fact that came, went or changed.
#[derive(Debug)]
pub(super) struct Difference<'f> {
    /// The rule of the registry.
    pub(super) id: &'static str,
    /// What the base says.
    pub(super) base: Option<&'f Fact>,
    /// What the revision says.
    pub(super) revision: Option<&'f Fact>,
    /// Which of both is another one: what it says there.
    pub(super) told: Told,
}

/// What is to be told of a difference.
#[derive(Debug)]
pub(super) enum Told {
    /// The revision says this, and the base does not.
    Added(Rule),
    /// The base says this, and the revision does not.
    Removed(Rule),
    /// The base says the first, the revision the second.
    Changed(Box<Rule>, Box<Rule>),
}

impl Difference<'_> {
    /// The rule that it is about, as the revision names its owner.
    pub(super) fn rule(&self) -> &Rule {
        match &self.told {
            Told::Added(rule) | Told::Removed(rule) => rule,
            Told::Changed(_, rule) => rule,
        }
    }

    /// How well the sides support what they say: as well as the weaker one of what differs.
    pub(super) fn evidence(&self) -> Evidence {
        let base = self.base.map(Fact::evidence);
        let revision = self.revision.map(Fact::evidence);
        let found = match self.told {
            Told::Added(_) => revision,
            Told::Removed(_) => base,
            Told::Changed(..) => base.min(revision),
        };
        found.unwrap_or(Evidence::Read)
    }

    /// What happened, in a sentence without a full stop.
    pub(super) fn title(&self) -> String {
        match &self.told {
            Told::Added(rule) => format!("{rule}; the base does not say so"),
            Told::Removed(rule) => format!("{rule}; the revision does not say so"),
            Told::Changed(old, new) => format!("{new}; in the base {old}"),
        }
    }

    /// The values that changed.
    pub(super) fn detail(&self) -> String {
        match &self.told {
            Told::Added(rule) | Told::Removed(rule) => value(rule),
            Told::Changed(old, new) => format!("{} → {}", value(old), value(new)),
        }
    }
}

/// What a rule says of its subject.
fn value(rule: &Rule) -> String {
    match rule {
        Rule::Default(rule) => rule.value.clone(),
        Rule::Paging(rule) => rule.role.as_str().to_owned(),
        Rule::Filter(rule) => rule.property.clone().unwrap_or_default(),
        Rule::Unique(rule) => rule.scope.clone().unwrap_or_default(),
        // The key has the need's condition, or the states.
        rule => {
            let key = rule.key();
            let own = key.strip_prefix(rule.owner()).unwrap_or(&key);
            let own = own.trim_start_matches('/').to_owned();
            match rule {
                Rule::Requires(rule) => format!("{own} {:?}", rule.need),
                Rule::Order(rule) => match rule.direction {
                    Some(direction) => format!("{own} {direction:?}"),
                    None => own,
                },
                Rule::Barred(_) | Rule::Effect(_) | Rule::Idempotency(_) => own,
                rule => rule.to_string(),
            }
        }
    }
}
