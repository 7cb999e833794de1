//! The server stubs of the goldens.

goldens! {
    binary_bodies
        "../../../tests/goldens/operations/binary-bodies.server.rs"
        "../../../tests/goldens/operations/binary-bodies.server.2.rs",
    callbacks
        "../../../tests/goldens/operations/callbacks.server.rs"
        "../../../tests/goldens/operations/callbacks.server.2.rs"
        "../../../tests/goldens/operations/callbacks.server.3.rs",
    checked_requests
        "../../../tests/goldens/operations/checked-requests.server.rs"
        "../../../tests/goldens/operations/checked-requests.server.2.rs",
    marker_pages
        "../../../tests/goldens/operations/marker-pages.server.rs"
        "../../../tests/goldens/operations/marker-pages.server.2.rs",
    numbered_pages
        "../../../tests/goldens/operations/numbered-pages.server.rs"
        "../../../tests/goldens/operations/numbered-pages.server.2.rs",
    responses
        "../../../tests/goldens/operations/responses.server.rs"
        "../../../tests/goldens/operations/responses.server.2.rs",
    served_pages
        "../../../tests/goldens/operations/served-pages.server.rs"
        "../../../tests/goldens/operations/served-pages.server.2.rs"
        "../../../tests/goldens/operations/served-pages.server.3.rs"
        "../../../tests/goldens/operations/served-pages.server.4.rs"
        "../../../tests/goldens/operations/served-pages.server.5.rs",
    server_sent_events
        "../../../tests/goldens/operations/server-sent-events.server.rs"
        "../../../tests/goldens/operations/server-sent-events.server.2.rs",
    server_stubs
        "../../../tests/goldens/operations/server-stubs.server.rs"
        "../../../tests/goldens/operations/server-stubs.server.2.rs",
    webhooks
        "../../../tests/goldens/operations/webhooks.server.rs"
        "../../../tests/goldens/operations/webhooks.server.2.rs",
}
