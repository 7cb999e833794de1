//! The generated tables as text, in the same form for every machine.

pub(super) use merchant_payments::behaviour::transaction::Kind;

/// The table of one machine; a transition that it lacks is illegal.
pub(super) struct Table {
    pub(super) module: &'static str,
    pub(super) name: String,
    pub(super) states: Vec<&'static str>,
    pub(super) events: Vec<String>,
    initial: Vec<&'static str>,
    pub(super) rows: Vec<(&'static str, String, &'static str)>,
}

impl Table {
    /// The state after an event; `None` when it is illegal.
    pub(super) fn next(&self, state: &str, event: &str) -> Option<&'static str> {
        let mut rows = self.rows.iter();
        let row = rows.find(|(from, on, _)| *from == state && on == event);
        row.map(|(_, _, to)| *to)
    }

    /// The states that a record can reach.
    pub(super) fn reached(&self) -> Vec<&'static str> {
        let mut reached = self.initial.clone();
        loop {
            let mut rows = self.rows.iter();
            let new = rows.find(|(from, _, to)| reached.contains(from) && !reached.contains(to));
            let Some((_, _, to)) = new else {
                return reached;
            };
            reached.push(to);
        }
    }

    /// The states that no record can reach.
    pub(super) fn unreached(&self) -> Vec<&'static str> {
        let reached = self.reached();
        let mut states = self.states.clone();
        states.retain(|state| !reached.contains(state));
        states
    }
}

/// The table of one kind of transaction.
pub(super) fn of_kind(kind: Kind) -> Table {
    use merchant_payments::behaviour::transaction::{Event, INITIAL, Status, TRANSITIONS};
    let own = TRANSITIONS.into_iter().filter(|row| row.0 == kind);
    let initial = INITIAL.into_iter().filter(|row| row.0 == kind);
    Table {
        module: "transaction",
        name: kind.wire().to_owned(),
        states: Status::ALL.map(Status::wire).to_vec(),
        events: Event::ALL.map(|event| format!("{event:?}")).to_vec(),
        initial: initial.map(|(_, status)| status.wire()).collect(),
        rows: own
            .map(|(_, from, event, to)| (from.wire(), format!("{event:?}"), to.wire()))
            .collect(),
    }
}

/// The tables of the other records; `$name` is the method that names a state.
macro_rules! tables {
    ($($module:ident by $name:ident),* $(,)?) => {
        pub(super) mod tables {
            use super::Table;

            $(pub(in super::super) fn $module() -> Table {
                use merchant_payments::behaviour::$module::{Event, INITIAL, Status, TRANSITIONS};
                Table {
                    module: stringify!($module),
                    name: stringify!($module).to_owned(),
                    states: Status::ALL.map(Status::$name).to_vec(),
                    events: Event::ALL.map(|event| format!("{event:?}")).to_vec(),
                    initial: INITIAL.map(Status::$name).to_vec(),
                    rows: TRANSITIONS
                        .map(|(from, event, to)| (from.$name(), format!("{event:?}"), to.$name()))
                        .to_vec(),
                }
            })*
        }
    };
}

tables! {
    notification by wire,
    offer by name,
    payment_link by wire,
    plan by name,
    product by name,
    report by wire,
    subscription by name,
}
