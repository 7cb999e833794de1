//! Tests that the registry has all rules of oasdiff, none with a lower level, and that rules have
//! reverse rules.

use std::collections::{BTreeMap, BTreeSet};

use openapi_diff::{Action, Kind, Level, rule, rules};

use super::cases;

/// The rules of oasdiff with their levels there: all for 3.0 documents, and those for 3.1 except
/// for `const` and lists of types, which are compared as listed values and types.
fn reference() -> Vec<(&'static str, Level)> {
    let row = |row: &'static str| {
        let (id, level) = row.split_once('\t').unwrap();
        (id, Level::parse(level).unwrap())
    };
    include_str!("reference.tsv").lines().map(row).collect()
}

#[test]
fn every_rule_of_oasdiff_exists_and_none_has_a_lower_level() {
    let reference = reference();
    assert_eq!(reference.len(), 485);
    for (id, level) in &reference {
        let rule = rule(id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!(rule.reference, Some(*level), "{id}");
        assert!(
            rule.level >= *level,
            "{id} has the level {} here and {level} in oasdiff",
            rule.level
        );
    }
    let named: BTreeSet<_> = reference.iter().map(|(id, _)| *id).collect();
    for rule in rules() {
        assert_eq!(
            rule.reference.is_some(),
            named.contains(rule.id),
            "{}",
            rule.id
        );
    }
}

/// The actions that may reverse an action.
fn undoes(action: Action) -> &'static [Action] {
    match action {
        Action::Add => &[Action::Remove, Action::Add],
        Action::Remove => &[Action::Add, Action::Remove, Action::Set],
        Action::Set => &[Action::Remove],
        Action::Increase => &[Action::Decrease],
        Action::Decrease => &[Action::Increase],
        Action::Change => &[Action::Change, Action::Generalize, Action::Specialize],
        Action::Generalize => &[Action::Specialize, Action::Change],
        Action::Specialize => &[Action::Generalize, Action::Change],
    }
}

/// A removal reverses these, because a schema became one of several alternatives, or overlaps with
/// one.
const IRREGULAR: [&str; 4] = [
    "request-body-wrapped-in-one-of",
    "response-body-wrapped-in-one-of",
    "request-one-of-may-overlap",
    "request-one-of-overlaps",
];

/// The rules that find the reverse of each rule's change, from all cases; a case without a reverse
/// gives a reason.
fn mirrors() -> BTreeMap<String, BTreeSet<String>> {
    let mut mirrors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, case) in cases::all() {
        for id in &case.rule {
            mirrors
                .entry(id.clone())
                .or_default()
                .extend(case.reverse.iter().cloned());
        }
        for id in &case.reverse {
            mirrors
                .entry(id.clone())
                .or_default()
                .extend(case.rule.iter().cloned());
        }
    }
    mirrors
}

#[test]
fn each_rule_has_a_rule_for_the_reverse_change() {
    let reasons: BTreeSet<String> = cases::all()
        .into_iter()
        .filter(|(_, case)| case.why.is_some())
        .flat_map(|(_, case)| case.rule)
        .collect();
    let mirrors = mirrors();
    for rule in rules() {
        let Some(others) = mirrors.get(rule.id).filter(|others| !others.is_empty()) else {
            let elsewhere = rule.id == "comparison-incomplete";
            assert!(
                elsewhere || reasons.contains(rule.id),
                "{} has no reverse",
                rule.id
            );
            continue;
        };
        // A lifecycle has many ends but one beginning, so its rules are not symmetric.
        if rule.kind == Kind::Lifecycle {
            continue;
        }
        if IRREGULAR.contains(&rule.id) {
            continue;
        }
        let fits = others.iter().any(|other| {
            let other = openapi_diff::rule(other).unwrap();
            undoes(rule.action).contains(&other.action) && other.direction == rule.direction
        });
        assert!(
            fits,
            "{} ({}) is reversed by {others:?}",
            rule.id, rule.action
        );
    }
}

#[test]
fn every_rule_has_a_page() {
    for rule in rules() {
        let page = rule.explanation();
        for part in [rule.id, rule.summary, rule.consequence(), rule.advice()] {
            assert!(!part.is_empty() && page.contains(part), "{}", rule.id);
        }
    }
}
