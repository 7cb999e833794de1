//! What client and server of the goldens share.

goldens! {
    binary_bodies
        "../../../tests/goldens/operations/binary-bodies.operations.rs",
    callbacks
        "../../../tests/goldens/operations/callbacks.operations.rs",
    form_bodies
        "../../../tests/goldens/operations/form-bodies.operations.rs",
    header_and_cookie_parameters
        "../../../tests/goldens/operations/header-and-cookie-parameters.operations.rs"
        "../../../tests/goldens/operations/header-and-cookie-parameters.operations.2.rs",
    multipart
        "../../../tests/goldens/operations/multipart.operations.rs",
    optional_parameters
        "../../../tests/goldens/operations/optional-parameters.operations.rs"
        "../../../tests/goldens/operations/optional-parameters.operations.2.rs",
    path_styles
        "../../../tests/goldens/operations/path-styles.operations.rs"
        "../../../tests/goldens/operations/path-styles.operations.2.rs",
    query_styles
        "../../../tests/goldens/operations/query-styles.operations.rs"
        "../../../tests/goldens/operations/query-styles.operations.2.rs",
    responses
        "../../../tests/goldens/operations/responses.operations.rs",
    server_sent_events
        "../../../tests/goldens/operations/server-sent-events.operations.rs",
    server_stubs
        "../../../tests/goldens/operations/server-stubs.operations.rs",
    several_media_types
        "../../../tests/goldens/operations/several-media-types.operations.rs",
    webhooks
        "../../../tests/goldens/operations/webhooks.operations.rs",
}
