//! Obstacle: why a case says nothing of the server. Each skip names the operation that stood in the way, its last answer,
//! and what would lead on.

use openapi_facts::rule::{Barred, States};
use openapi_facts::{Facts, Rule};

use super::account::Account;
use crate::exchange::Exchange;
use crate::judge::Difference;

/// An operation that a case needs never succeeded.
pub(super) fn never_succeeded(operation: &str, answer: &str) -> String {
    format!("{operation} never succeeded (last answer: {answer})")
}

/// No way to a success of an operation was found; `facts` may tell in which state it would be granted.
pub(crate) fn no_success(
    facts: &Facts,
    operation: &str,
    account: &Account<'_>,
    exchange: &Exchange,
) -> String {
    let status = exchange.outcome.as_ref().ok().map(|answer| answer.status);
    let wanted = status.and_then(|status| granted_in(facts, operation, status));
    let wanted = wanted.unwrap_or_else(|| "its success".to_owned());
    let answer = account.last_answer(exchange);
    format!(
        "{}; give a scenario or a fact that leads to {wanted}",
        never_succeeded(operation, &answer)
    )
}

/// What an operation needs first could not be made, or brought as far as it has to be.
pub(crate) fn no_preparation(operation: &str, why: &str) -> String {
    format!("{why}, and {operation} needs it; give a scenario or a fact that leads to it")
}

/// The answer behind the first of some differences.
pub(super) fn answer_of(differences: &[Difference]) -> String {
    let first = differences.first();
    let told = first.map(|own| match &own.answer {
        Some(reply) => reply.brief(),
        None => own.actual.trim_start_matches("status ").to_owned(),
    });
    told.unwrap_or_else(|| "none".to_owned())
}

/// The states in which an operation is granted, as the facts say, where a refusal with this status may be one of the state.
pub(super) fn granted_in(facts: &Facts, operation: &str, status: u16) -> Option<String> {
    let barred = facts.list.iter().filter_map(|fact| match &fact.rule {
        Rule::Barred(rule) if rule.operation == operation => Some(rule),
        _ => None,
    });
    granted(barred, status)
}

fn granted<'f>(barred: impl Iterator<Item = &'f Barred>, status: u16) -> Option<String> {
    let is_of_state = |rule: &&Barred| {
        let may_be = matches!(status, 409 | 412 | 422 | 423);
        rule.status.map_or(may_be, |own| own == status)
    };
    let (mut granted, mut refused): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for rule in barred.filter(is_of_state) {
        let (list, states) = match &rule.states {
            States::NotIn(states) => (&mut granted, states),
            States::In(states) => (&mut refused, states),
        };
        for state in states {
            if !list.contains(&state.as_str()) {
                list.push(state);
            }
        }
    }
    granted.retain(|state| !refused.contains(state));
    match (granted.is_empty(), refused.is_empty()) {
        (false, _) => Some(granted.join(" or ")),
        (true, false) => Some(format!("another state than {}", refused.join(" or "))),
        (true, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_states_that_would_lead_on_are_named() {
        let states = |all: &[&str]| all.iter().map(|own| (*own).to_owned()).collect::<Vec<_>>();
        let barred = |states, status| Barred {
            operation: "send".to_owned(),
            record: None,
            states,
            status,
        };
        let not_in = |all, status| barred(States::NotIn(states(all)), status);
        let one_of = |all| barred(States::In(states(all)), None);
        for (rules, status, expected) in [
            (
                vec![not_in(&["READY", "LATE"], None)],
                409,
                Some("READY or LATE"),
            ),
            (vec![not_in(&["READY"], Some(409))], 404, None),
            (
                vec![one_of(&["DRAFT"])],
                409,
                Some("another state than DRAFT"),
            ),
            (
                vec![not_in(&["READY", "LATE"], None), one_of(&["LATE"])],
                422,
                Some("READY"),
            ),
            (Vec::new(), 409, None),
        ] {
            assert_eq!(granted(rules.iter(), status).as_deref(), expected);
        }
    }
}
