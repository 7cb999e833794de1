//! Unknown name: an actor, machine, state or event that the file does not declare.

use super::Subject;
use crate::behaviour::{Record, Term, Word};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::spelling::nearest;

/// The rule id.
pub const RULE: &str = "behaviour-unknown-name";

pub(super) fn find_all(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let actors: Vec<&Word> = subject
        .behaviour
        .actors
        .iter()
        .map(|actor| &actor.name)
        .collect();
    for record in &subject.behaviour.records {
        let machines: Vec<_> = record
            .machines
            .iter()
            .map(|machine| &machine.name)
            .collect();
        for event in &record.events {
            find("actor", &event.by, &actors, diagnostics);
            for (machine, _) in &event.operations {
                find("machine", machine, &machines, diagnostics);
            }
        }
        check_rows(record, diagnostics);
    }
    for sum in &subject.behaviour.sums {
        check_term(subject, &sum.whole, diagnostics);
        check_term(subject, &sum.parts, diagnostics);
    }
}

fn check_rows(record: &Record, diagnostics: &mut Diagnostics) {
    let states: Vec<_> = record.states.iter().map(|state| &state.name).collect();
    let events: Vec<_> = record.events.iter().map(|event| &event.name).collect();
    for machine in &record.machines {
        for state in &machine.initial {
            find("state", state, &states, diagnostics);
        }
        for row in &machine.transitions {
            find("state", &row.from, &states, diagnostics);
            find("event", &row.event, &events, diagnostics);
            find("state", &row.to, &states, diagnostics);
        }
    }
}

fn check_term(subject: &Subject<'_>, term: &Term, diagnostics: &mut Diagnostics) {
    let machines: Vec<_> = subject
        .behaviour
        .machines()
        .map(|(_, machine)| &machine.name)
        .collect();
    find("machine", &term.machine, &machines, diagnostics);
    if let Some((record, _)) = subject.behaviour.machine(&term.machine.text) {
        let states: Vec<_> = record.states.iter().map(|state| &state.name).collect();
        for state in &term.states {
            find("state", state, &states, diagnostics);
        }
    }
}

fn find(kind: &str, word: &Word, declared: &[&Word], diagnostics: &mut Diagnostics) {
    let names = || declared.iter().map(|word| word.text.as_str());
    if names().any(|name| name == word.text) {
        return;
    }
    let help = nearest(&word.text, names()).map_or_else(
        || format!("declared are: {}", names().collect::<Vec<_>>().join(", ")),
        |name| format!("did you mean `{name}`?"),
    );
    let title = format!("there is no {kind} `{}`", word.text);
    diagnostics.push(Diagnostic::error(RULE, title).at(word.span, "").help(help));
}
