//! Pairing: pairs the facts of the base with those of the revision.

use std::collections::{BTreeMap, HashMap};

use openapi_facts::rule::Need;
use openapi_facts::{Fact, Rule, Source};

use super::difference::{Delta, Difference};
use super::reading::Reading;

/// The facts about one topic that only one side has.
#[derive(Debug, Default)]
struct Leftovers<'f> {
    base: Vec<&'f Fact>,
    revision: Vec<&'f Fact>,
}

/// The facts that only one side has, by topic without owner.
#[derive(Debug)]
struct Elsewhere<'f>(HashMap<String, Vec<&'f Fact>>);

impl<'f> Elsewhere<'f> {
    fn of(facts: impl Iterator<Item = &'f Fact>) -> Self {
        let mut all: HashMap<String, Vec<&'f Fact>> = HashMap::new();
        for fact in facts {
            all.entry(topic(&fact.rule.about("")))
                .or_default()
                .push(fact);
        }
        Self(all)
    }

    /// Whether the other side has the same fact under another owner.
    fn has(&self, fact: &Fact) -> bool {
        let rule = fact.rule.about("");
        let found = self.0.get(&topic(&rule)).into_iter().flatten();
        let mut moved = found.filter(|there| there.rule.owner() != fact.rule.owner());
        moved.any(|there| is_same(&there.rule.about(""), &rule))
    }
}

/// The added, removed and changed facts, except `barred` facts.
pub(super) fn compare<'f>(base: &'f Reading<'_>, revision: &'f Reading<'_>) -> Vec<Difference<'f>> {
    let mut topics: BTreeMap<String, Leftovers<'f>> = BTreeMap::new();
    for fact in base.facts.iter().filter(|fact| is_positive(&fact.rule)) {
        topics.entry(topic(&fact.rule)).or_default().base.push(fact);
    }
    for fact in { revision.facts.iter() }.filter(|fact| is_positive(&fact.rule)) {
        topics
            .entry(topic(&fact.rule))
            .or_default()
            .revision
            .push(fact);
    }
    for left in topics.values_mut() {
        let same = |one: &&Fact, others: &[&Fact]| {
            others.iter().any(|other| is_same(&one.rule, &other.rule))
        };
        let (old, new) = (left.base.clone(), left.revision.clone());
        left.base.retain(|fact| !same(fact, &new));
        left.revision.retain(|fact| !same(fact, &old));
    }
    let only_base = Elsewhere::of(topics.values().flat_map(|left| left.base.clone()));
    let only_revision = Elsewhere::of(topics.values().flat_map(|left| left.revision.clone()));
    let mut found = Vec::new();
    for left in topics.values() {
        if let ([old], [new]) = (left.base.as_slice(), left.revision.as_slice()) {
            found.extend(changed(old, new));
            continue;
        }
        let removed_here = left.base.iter();
        let removed_here =
            removed_here.filter(|fact| counts(fact, (base, revision), &only_revision));
        found.extend(removed_here.map(|fact| removed(fact)));
        let added_here = left.revision.iter();
        let added_here = added_here.filter(|fact| counts(fact, (revision, base), &only_base));
        found.extend(added_here.map(|fact| added(fact)));
    }
    found
}

/// Whether a rule states a limit or promise. A negative rule does not.
fn is_positive(rule: &Rule) -> bool {
    match rule {
        Rule::Barred(_) => false,
        // It describes responses.
        Rule::Requires(rule) => rule.need != Need::Null,
        rule => rule.holds(),
    }
}

/// The topic of a rule. Two rules on one topic can be a change of each other.
fn topic(rule: &Rule) -> String {
    let key = match rule {
        Rule::Order(order) => order.subject.to_string(),
        rule => rule.key(),
    };
    format!("{}/{key}", rule.kind())
}

/// Whether two rules on one topic agree, ignoring parts that only one of them has.
fn is_same(old: &Rule, new: &Rule) -> bool {
    fn fits<T: PartialEq>(old: Option<&T>, new: Option<&T>) -> bool {
        old.zip(new).is_none_or(|(old, new)| old == new)
    }
    match (old, new) {
        (Rule::Unique(old), Rule::Unique(new)) => fits(old.scope.as_ref(), new.scope.as_ref()),
        (Rule::Order(old), Rule::Order(new)) => {
            old.by == new.by && fits(old.direction.as_ref(), new.direction.as_ref())
        }
        (Rule::Filter(old), Rule::Filter(new)) => {
            fits(old.property.as_ref(), new.property.as_ref())
        }
        (Rule::Effect(_), Rule::Effect(_)) => true,
        (old, new) => old.agrees_with(new),
    }
}

/// Whether a one-sided fact is a difference that no other rule reports: the other side has its
/// subject, no keyword states it, more than a name suggests it, and it did not only move within the
/// document.
fn counts(
    fact: &Fact,
    (this, other): (&Reading<'_>, &Reading<'_>),
    only_there: &Elsewhere<'_>,
) -> bool {
    let has_counterpart = match &fact.rule {
        // Clients of the old contract do not send a new property, so requiring it matters.
        Rule::Requires(rule) if matches!(rule.need, Need::Present | Need::OneOf) => {
            let mut condition = rule.subject.clone();
            condition.name = Some(rule.condition.name.clone());
            other.has(&condition)
        }
        rule => rule.subject().is_none_or(|subject| {
            other.has(subject) && other.locations(subject) == this.locations(subject)
        }),
    };
    other.has_owner(fact.rule.owner())
        && has_counterpart
        && !is_from_keyword(fact)
        && !fact
            .because
            .iter()
            .all(|one| matches!(one, Source::Name(_)))
        && !only_there.has(fact)
}

/// Whether a schema keyword states the fact; the rules on schemas compare those.
fn is_from_keyword(fact: &Fact) -> bool {
    let is_keyword = matches!(fact.rule, Rule::Default(_) | Rule::Requires(_));
    is_keyword
        && fact
            .because
            .iter()
            .any(|one| matches!(one, Source::Schema(_)))
}

fn added(fact: &Fact) -> Difference<'_> {
    Difference {
        id: ids(&fact.rule).0,
        base: None,
        revision: Some(fact),
        delta: Delta::Added(fact.rule.clone()),
    }
}

fn removed(fact: &Fact) -> Difference<'_> {
    Difference {
        id: ids(&fact.rule).1,
        base: Some(fact),
        revision: None,
        delta: Delta::Removed(fact.rule.clone()),
    }
}

fn changed<'f>(old: &'f Fact, new: &'f Fact) -> Option<Difference<'f>> {
    if is_from_keyword(old) || is_from_keyword(new) {
        return None;
    }
    Some(Difference {
        id: ids(&new.rule).2,
        base: Some(old),
        revision: Some(new),
        delta: Delta::Changed(Box::new(old.rule.clone()), Box::new(new.rule.clone())),
    })
}

/// The rule ids for a kind of fact: added, removed, changed.
fn ids(rule: &Rule) -> (&'static str, &'static str, &'static str) {
    match rule {
        Rule::Barred(_) => ("", "", ""),
        Rule::Effect(_) => ("operation-effect-added", "operation-effect-removed", ""),
        Rule::Unique(_) => (
            "value-became-unique",
            "value-no-longer-unique",
            "unique-scope-changed",
        ),
        Rule::Idempotency(_) => ("repetition-became-safe", "repetition-no-longer-safe", ""),
        Rule::Paging(_) => ("paging-added", "paging-removed", "paging-changed"),
        Rule::Order(_) => (
            "list-order-added",
            "list-order-removed",
            "list-order-changed",
        ),
        Rule::Default(_) => (
            "described-default-added",
            "described-default-removed",
            "described-default-changed",
        ),
        Rule::Requires(_) => (
            "conditional-requirement-added",
            "conditional-requirement-removed",
            "conditional-requirement-changed",
        ),
        Rule::Filter(_) => ("filter-added", "filter-removed", "filter-changed"),
        rule if rule.is_limit() => (
            "stated-limit-added",
            "stated-limit-removed",
            "stated-limit-changed",
        ),
        _ => (
            "stated-promise-added",
            "stated-promise-removed",
            "stated-promise-changed",
        ),
    }
}
