//! Pairing: which fact of the base is which of the revision.

use std::collections::{BTreeMap, HashMap};

use openapi_facts::rule::Need;
use openapi_facts::{Fact, Rule, Source};

use super::difference::{Difference, Told};
use super::reading::Reading;

/// The facts about one thing that only one of both sides has.
#[derive(Debug, Default)]
struct Leftovers<'f> {
    base: Vec<&'f Fact>,
    revision: Vec<&'f Fact>,
}

/// The facts that only one side has, by what they say without their owner.
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

    /// Whether a fact of the other side is there under another owner.
    fn has(&self, fact: &Fact) -> bool {
        let rule = fact.rule.about("");
        let found = self.0.get(&topic(&rule)).into_iter().flatten();
        let mut moved = found.filter(|there| there.rule.owner() != fact.rule.owner());
        moved.any(|there| is_same(&there.rule.about(""), &rule))
    }
}

/// The facts that came, went or changed, but for those that say where an operation is refused.
pub(super) fn compare<'f>(base: &'f Reading<'_>, revision: &'f Reading<'_>) -> Vec<Difference<'f>> {
    let mut topics: BTreeMap<String, Leftovers<'f>> = BTreeMap::new();
    for fact in base.facts.iter().filter(|fact| says_something(&fact.rule)) {
        topics.entry(topic(&fact.rule)).or_default().base.push(fact);
    }
    for fact in { revision.facts.iter() }.filter(|fact| says_something(&fact.rule)) {
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
    let gone = Elsewhere::of(topics.values().flat_map(|left| left.base.clone()));
    let come = Elsewhere::of(topics.values().flat_map(|left| left.revision.clone()));
    let mut found = Vec::new();
    for left in topics.values() {
        if let ([old], [new]) = (left.base.as_slice(), left.revision.as_slice()) {
            found.extend(changed(old, new));
            continue;
        }
        let gone_from_here = left.base.iter();
        let gone_from_here = gone_from_here.filter(|fact| counts(fact, (base, revision), &come));
        found.extend(gone_from_here.map(|fact| removed(fact)));
        let come_here = left.revision.iter();
        let come_here = come_here.filter(|fact| counts(fact, (revision, base), &gone));
        found.extend(come_here.map(|fact| added(fact)));
    }
    found
}

/// Whether a rule limits or promises something; one that says that nothing is so counts as none.
fn says_something(rule: &Rule) -> bool {
    match rule {
        Rule::Barred(_) => false,
        // It describes what is answered.
        Rule::Requires(rule) => rule.need != Need::Null,
        rule => rule.holds(),
    }
}

/// What a rule is about: rules about the same thing can be each other's change.
fn topic(rule: &Rule) -> String {
    let key = match rule {
        Rule::Order(order) => order.subject.to_string(),
        rule => rule.key(),
    };
    format!("{}/{key}", rule.kind())
}

/// Whether two rules about the same thing say the same; a part that only one of them has does not count.
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

/// Whether a fact that only one side has is more than what other rules report: the other side has what it is about, no keyword
/// states it, more than a name suggests it, and it has not only moved to another place of the document.
fn counts(
    fact: &Fact,
    (own, other): (&Reading<'_>, &Reading<'_>),
    only_there: &Elsewhere<'_>,
) -> bool {
    let is_new_to_old_thing = match &fact.rule {
        // A property that is new may be required from those who do not know it.
        Rule::Requires(rule) if matches!(rule.need, Need::Present | Need::OneOf) => {
            let mut condition = rule.subject.clone();
            condition.name = Some(rule.condition.name.clone());
            other.has(&condition)
        }
        rule => rule.subject().is_none_or(|subject| {
            other.has(subject) && other.locations(subject) == own.locations(subject)
        }),
    };
    other.has_owner(fact.rule.owner())
        && is_new_to_old_thing
        && !is_of_a_keyword(fact)
        && !fact
            .because
            .iter()
            .all(|one| matches!(one, Source::Name(_)))
        && !only_there.has(fact)
}

/// Whether a keyword of a schema states a fact, which rules on schemas compare.
fn is_of_a_keyword(fact: &Fact) -> bool {
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
        told: Told::Added(fact.rule.clone()),
    }
}

fn removed(fact: &Fact) -> Difference<'_> {
    Difference {
        id: ids(&fact.rule).1,
        base: Some(fact),
        revision: None,
        told: Told::Removed(fact.rule.clone()),
    }
}

fn changed<'f>(old: &'f Fact, new: &'f Fact) -> Option<Difference<'f>> {
    if is_of_a_keyword(old) || is_of_a_keyword(new) {
        return None;
    }
    Some(Difference {
        id: ids(&new.rule).2,
        base: Some(old),
        revision: Some(new),
        told: Told::Changed(Box::new(old.rule.clone()), Box::new(new.rule.clone())),
    })
}

/// The rules of the registry for a kind: it came, it went, it changed.
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
