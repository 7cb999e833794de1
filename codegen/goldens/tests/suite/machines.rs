//! What state machines become, used.

use codegen_goldens::machines::{Actor, door, lamp};

#[test]
fn the_table_decides() {
    use door::{Event as Push, Kind, Status as Door};
    use lamp::{Event, Status};
    assert_eq!(lamp::next(Status::Dark, Event::Press), Some(Status::Bright));
    assert_eq!(lamp::next(Status::Dark, Event::Late), None);
    assert_eq!(Status::from_wire(true), Some(Status::Bright));
    assert_eq!(Door::SelfValue.wire(), None);
    assert_eq!(Door::from_name("Self"), Some(Door::SelfValue));
    assert_eq!(Event::Late.by(), Actor::Timer);
    assert_eq!(Event::Press.operation(), Some("pressButton"));
    assert_eq!(door::next(Kind::Gate, Door::InUse, Push::Push), None);
    assert_eq!(
        door::next(Kind::Exit, Door::InUse, Push::Push),
        Some(Door::SelfValue)
    );
    assert_eq!(Kind::from_wire("OUT"), Some(Kind::Exit));
    assert_eq!(Push::Push.operation(Kind::Exit), Some("pushHard"));
}
