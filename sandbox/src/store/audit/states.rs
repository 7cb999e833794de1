//! Audits that each transaction is in a state that its state machine can reach.

use std::collections::BTreeSet;

use crate::domain::state::{Kind, TRANSITIONS};

/// The rule's name.
pub(super) const RULE: &str = "a-status-is-one-of-its-machine";

/// The query for transactions in an unreachable state.
pub(super) fn query() -> String {
    let machines = Kind::ALL.map(|kind| {
        let rows = TRANSITIONS.iter().filter(|(of, ..)| *of == kind);
        let states: BTreeSet<&str> = rows
            .flat_map(|(_, from, _, to)| [from.wire(), to.wire()])
            .collect();
        let states: Vec<&str> = states.into_iter().collect();
        format!(
            "type = '{}' AND status IN ('{}')",
            kind.wire(),
            states.join("', '")
        )
    });
    let known = machines.join(" OR ");
    format!("SELECT id FROM transactions WHERE NOT ({known})")
}
