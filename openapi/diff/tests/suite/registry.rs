//! The registry holds the rules of the reference, none of them lighter, and is symmetric.

use std::collections::{BTreeMap, BTreeSet};

use openapi_diff::{Action, Kind, Level, rule, rules};

use super::cases;

/// The rules of oasdiff, with the levels they have there: all that a document of 3.0 can show, and those
/// of 3.1 but for `const` and lists of types, which are compared as listed values and as types.
fn reference() -> Vec<(&'static str, Level)> {
    let row = |row: &'static str| {
        let (id, level) = row.split_once('\t').unwrap();
        (id, Level::parse(level).unwrap())
    };
    include_str!("reference.tsv").lines().map(row).collect()
}

#[test]
fn every_rule_of_the_reference_is_there_and_none_is_lighter() {
    let reference = reference();
    assert_eq!(reference.len(), 485);
    for (id, level) in &reference {
        let rule = rule(id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!(rule.reference, Some(*level), "{id}");
        assert!(
            rule.level >= *level,
            "{id} weighs {} here and {level} there",
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

/// What a change back does: the action that undoes an action.
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

/// What became one of several alternatives, or overlaps with one, is undone by a removal.
const IRREGULAR: [&str; 4] = [
    "request-body-wrapped-in-one-of",
    "response-body-wrapped-in-one-of",
    "request-one-of-may-overlap",
    "request-one-of-overlaps",
];

/// The rules that are found when what a rule finds is undone, from all cases; those whose undoing is
/// nothing have a reason there.
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
fn what_one_rule_finds_another_finds_undone() {
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
                "{} has no mirror",
                rule.id
            );
            continue;
        };
        // A life may be ended in many ways, and is begun in one.
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
            "{} ({}) is undone by {others:?}",
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
