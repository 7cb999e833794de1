/// Where it can begin.
pub const INITIAL: [(Kind, Status); 2] =
    [(Kind::Gate, Status::SelfValue), (Kind::Exit, Status::InUse)];

/// Every legal transition: before, what happens, after. What is not here is illegal.
pub const TRANSITIONS: [(Kind, Status, Event, Status); 2] = [
    (Kind::Gate, Status::SelfValue, Event::Push, Status::InUse),
    (Kind::Exit, Status::InUse, Event::Push, Status::SelfValue),
];

/// Where it stands after an event; `None` where the event is illegal.
pub fn next(kind: Kind, status: Status, event: Event) -> Option<Status> {
    let mut rows = TRANSITIONS.into_iter();
    rows.find_map(|(of, from, on, to)| ((of, from, on) == (kind, status, event)).then_some(to))
}
