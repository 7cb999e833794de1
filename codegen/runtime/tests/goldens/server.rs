//! The servers of the goldens.

goldens! {
    binary_bodies "../../../tests/goldens/operations/binary-bodies.server.rs",
    server_sent_events "../../../tests/goldens/operations/server-sent-events.server.rs",
}
