//! Obstacle: the reasons of skips. Each names the operation that failed, its last answer, and how
//! to help.

use openapi_facts::rule::{Barred, States};
use openapi_facts::{Facts, Rule};

use super::account::Account;
use crate::exchange::Exchange;
use crate::judge::Difference;

/// The operation that a case needs did not succeed.
pub(super) fn never_succeeded(operation: &str, answer: &str) -> String {
    format!("{operation} did not succeed (last answer: {answer})")
}

/// The operation did not succeed. Names the state in which `facts` permit it.
pub(crate) fn no_success(
    facts: &Facts,
    operation: &str,
    account: &Account<'_>,
    exchange: &Exchange,
) -> String {
    let status = exchange.outcome.as_ref().ok().map(|answer| answer.status);
    let wanted = status.and_then(|status| permitted_in(facts, operation, status));
    let wanted = wanted.unwrap_or_else(|| "its success".to_owned());
    let answer = account.last_answer(exchange);
    format!(
        "{}; give a scenario or a fact that leads to {wanted}",
        never_succeeded(operation, &answer)
    )
}

/// Records that an operation needs could not be created or brought to a state. The advice of `why`, which follows a
/// semicolon, stays at the end.
pub(crate) fn no_preparation(operation: &str, why: &str) -> String {
    let (why, advice) = why
        .split_once("; give ")
        .unwrap_or((why, "a scenario or a fact that leads to it"));
    format!("{why}, and {operation} needs it; give {advice}")
}

/// The answer behind the first difference, in a few words.
pub(super) fn answer_of(differences: &[Difference]) -> String {
    let first = differences.first();
    let brief = first.map(|difference| match &difference.answer {
        Some(reply) => reply.brief(),
        None => difference.actual.trim_start_matches("status ").to_owned(),
    });
    brief.unwrap_or_else(|| "none".to_owned())
}

/// The states in which facts permit an operation, when a refusal with this status may depend on a
/// state.
pub(super) fn permitted_in(facts: &Facts, operation: &str, status: u16) -> Option<String> {
    let barred = facts.list.iter().filter_map(|fact| match &fact.rule {
        Rule::Barred(rule) if rule.operation == operation => Some(rule),
        _ => None,
    });
    permitted(barred, status)
}

fn permitted<'f>(barred: impl Iterator<Item = &'f Barred>, status: u16) -> Option<String> {
    let is_of_state = |rule: &&Barred| {
        let may_be = matches!(status, 409 | 412 | 422 | 423);
        rule.status.map_or(may_be, |known| known == status)
    };
    let (mut permitted, mut refused): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for rule in barred.filter(is_of_state) {
        let (list, states) = match &rule.states {
            States::NotIn(states) => (&mut permitted, states),
            States::In(states) => (&mut refused, states),
        };
        for state in states {
            if !list.contains(&state.as_str()) {
                list.push(state);
            }
        }
    }
    permitted.retain(|state| !refused.contains(state));
    match (permitted.is_empty(), refused.is_empty()) {
        (false, _) => Some(permitted.join(" or ")),
        (true, false) => Some(format!("another state than {}", refused.join(" or "))),
        (true, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_permitted_states_are_named() {
        let states = |all: &[&str]| {
            all.iter()
                .map(|state| (*state).to_owned())
                .collect::<Vec<_>>()
        };
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
            assert_eq!(permitted(rules.iter(), status).as_deref(), expected);
        }
    }
}
