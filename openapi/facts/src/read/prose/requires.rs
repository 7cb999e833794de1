//! Reads conditional requirements: `Required if kind is parcel`.

use super::clause::Clause;
use crate::form::Form;
use crate::matcher::Match;
use crate::pattern::Capture;
use crate::rule::{Condition, Need, Requires, Rule};
use crate::subject::Subject;

/// The key with which a form says which name is required.
const NAMED: &str = "named";

/// The key with which a form refers to the paging parameters of a list.
const PAGING: &str = "paging";

/// Roles of paging parameter names. A page size is not among them, because it may limit an unpaged
/// list.
const PAGING_NAMES: [&str; 3] = ["page-name", "offset-name", "cursor-name"];

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Vec<Rule> {
    let found = clause.find("requires");
    let rules = found.and_then(|(form, found)| of(clause, form, &found));
    rules.unwrap_or_default()
}

fn of(clause: &Clause<'_, '_, '_>, form: &Form, found: &Match) -> Option<Vec<Rule>> {
    if clause.goes_on(found) {
        return None;
    }
    let need = Need::parse(form.says.get("need")?)?;
    let names = found.all(&[Capture::Ref, Capture::Refs, Capture::Name]);
    let is_negated = form.says.contains_key("negated");
    if let Some(mut condition) = found.condition() {
        condition.negated ^= is_negated;
        if form.says.get("subject").is_some_and(|word| word == PAGING) {
            return Some(of_paging(clause, need, &condition));
        }
        let subject = subject(clause, form, found, names.first())?;
        return Some(vec![rule(subject, need, condition)]);
    }
    match form.says.get("subject").map(String::as_str) {
        // At a property, "You must provide `x`" requires `x` if the property is present.
        Some("other") => {
            let condition = given(clause.place.name?, is_negated);
            let rules = names.iter().map(|name| {
                let subject = clause.place.named_subject(name);
                rule(subject, need, condition.clone())
            });
            Some(rules.collect())
        }
        Some(NAMED) => {
            let [first, second] = &names[..] else {
                return None;
            };
            let subject = clause.place.named_subject(first);
            Some(vec![rule(subject, need, given(second, is_negated))])
        }
        _ => {
            // If one of several names is enough, no single one is a condition.
            if names.len() > 1 && need != Need::Absent {
                return None;
            }
            let subject = subject(clause, form, found, None)?;
            let rules = names
                .iter()
                .map(|name| rule(subject.clone(), need, given(name, is_negated)));
            Some(rules.collect())
        }
    }
}

/// The same rule for each paging parameter of the list.
fn of_paging(clause: &Clause<'_, '_, '_>, need: Need, condition: &Condition) -> Vec<Rule> {
    let inputs = clause.inputs_called(&PAGING_NAMES).into_iter();
    let inputs = inputs.filter(|name| *name != condition.name);
    let subjects = inputs.map(|name| clause.place.named_subject(name));
    let rules = subjects.map(|subject| rule(subject, need, condition.clone()));
    rules.collect()
}

/// The required subject: the name in the form, else the place, unless another name comes first.
fn subject(
    clause: &Clause<'_, '_, '_>,
    form: &Form,
    found: &Match,
    named: Option<&String>,
) -> Option<Subject> {
    if form.says.get("subject").is_some_and(|word| word == NAMED) {
        return Some(clause.place.named_subject(named?));
    }
    let place = clause.place.subject()?;
    (!clause.is_about_another(found)).then_some(place)
}

fn given(name: &str, negated: bool) -> Condition {
    Condition {
        name: name.to_owned(),
        values: Vec::new(),
        negated,
    }
}

fn rule(subject: Subject, need: Need, condition: Condition) -> Rule {
    Rule::Requires(Requires {
        subject,
        need,
        condition,
    })
}
