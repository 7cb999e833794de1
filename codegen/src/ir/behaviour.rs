//! State machines.

/// How the records of an interface behave.
#[derive(Debug, Clone, Default)]
pub struct Behaviour {
    /// Who causes events: the word and what is said about it.
    pub actors: Vec<(String, String)>,
    /// What goes from state to state.
    pub records: Vec<Record>,
}

/// Something with a state.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its word.
    pub name: String,
    /// What is said about it.
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
    /// Its word.
    pub name: String,
    /// What is said about it.
    pub docs: String,
    /// The value that tells it apart.
    pub wire: Option<String>,
    /// The states it begins in: indices of [`Record::states`].
    pub initial: Vec<usize>,
}

/// A state.
#[derive(Debug, Clone)]
pub struct State {
    /// Its word.
    pub name: String,
    /// What is said about it.
    pub docs: String,
    /// How it is shown, where it is.
    pub wire: Option<Wire>,
}

/// How a state is shown.
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
    /// Its word.
    pub name: String,
    /// What is said about it.
    pub docs: String,
    /// The participle.
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
