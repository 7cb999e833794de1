//! What client and server of the goldens share.

goldens! {
    binary_bodies "../../../tests/goldens/operations/binary-bodies.operations.rs",
    form_bodies "../../../tests/goldens/operations/form-bodies.operations.rs",
    header_and_cookie_parameters
        "../../../tests/goldens/operations/header-and-cookie-parameters.operations.rs",
    last_item_pages "../../../tests/goldens/operations/last-item-pages.operations.rs",
    link_pages "../../../tests/goldens/operations/link-pages.operations.rs",
    marker_pages "../../../tests/goldens/operations/marker-pages.operations.rs",
    multipart "../../../tests/goldens/operations/multipart.operations.rs",
    numbered_pages "../../../tests/goldens/operations/numbered-pages.operations.rs",
    path_styles "../../../tests/goldens/operations/path-styles.operations.rs",
    query_styles "../../../tests/goldens/operations/query-styles.operations.rs",
    server_sent_events "../../../tests/goldens/operations/server-sent-events.operations.rs",
    several_media_types "../../../tests/goldens/operations/several-media-types.operations.rs",
}
