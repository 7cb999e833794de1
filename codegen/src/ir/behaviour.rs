//! The state machines of an interface.

/// The actors and stateful records of an interface.
#[derive(Debug, Clone, Default)]
pub struct Behaviour {
    /// The actors that cause events: the name and the documentation of each.
    pub actors: Vec<(String, String)>,
    /// The records with a state.
    pub records: Vec<Record>,
}

/// A record with a state, such as an order.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub docs: String,
    /// Its machines.
    pub machines: Vec<Machine>,
    /// The states of all machines.
    pub states: Vec<State>,
    /// The events of all machines.
    pub events: Vec<Event>,
    /// The transitions of all machines.
    pub rows: Vec<Row>,
}

/// A machine.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub docs: String,
    /// The value that distinguishes it from the other machines of the record.
    pub wire: Option<String>,
    /// The states it begins in: indices of [`Record::states`].
    pub initial: Vec<usize>,
}

/// A state.
#[derive(Debug, Clone)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub docs: String,
    /// How the interface shows it; `None` when it does not.
    pub wire: Option<Wire>,
}

/// How the interface shows a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// By a text.
    Text(String),
    /// By a flag.
    Flag(bool),
}

/// An event.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub docs: String,
    /// The participle of the event, such as `cancelled`.
    pub done: String,
    /// Who causes it: an index of [`Behaviour::actors`].
    pub by: usize,
    /// The machine, an index of [`Record::machines`], and the operation that causes it.
    pub operations: Vec<(usize, String)>,
}

/// A transition, as indices of the machine, the state, the event and the next state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The machine.
    pub machine: usize,
    /// The state before.
    pub from: usize,
    /// The event.
    pub event: usize,
    /// The state after.
    pub to: usize,
}
