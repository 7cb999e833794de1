/// Where it can begin.
pub const INITIAL: [Status; 2] = [Status::Dark, Status::Bright];

/// Every legal transition: before, what happens, after. What is not here is illegal.
pub const TRANSITIONS: [(Status, Event, Status); 2] = [
    (Status::Dark, Event::Press, Status::Bright),
    (Status::Bright, Event::Late, Status::Dark),
];

/// Where it stands after an event; `None` where the event is illegal.
pub fn next(status: Status, event: Event) -> Option<Status> {
    let mut rows = TRANSITIONS.into_iter();
    rows.find_map(|(from, on, to)| ((from, on) == (status, event)).then_some(to))
}
