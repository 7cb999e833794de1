//! The clients of the goldens.

goldens! {
    binary_bodies "../../../tests/goldens/operations/binary-bodies.client.rs",
    form_bodies "../../../tests/goldens/operations/form-bodies.client.rs",
    header_and_cookie_parameters
        "../../../tests/goldens/operations/header-and-cookie-parameters.client.rs",
    last_item_pages "../../../tests/goldens/operations/last-item-pages.client.rs",
    link_pages "../../../tests/goldens/operations/link-pages.client.rs",
    marker_pages "../../../tests/goldens/operations/marker-pages.client.rs",
    multipart "../../../tests/goldens/operations/multipart.client.rs",
    numbered_pages "../../../tests/goldens/operations/numbered-pages.client.rs",
    path_styles "../../../tests/goldens/operations/path-styles.client.rs",
    query_styles "../../../tests/goldens/operations/query-styles.client.rs",
    server_sent_events "../../../tests/goldens/operations/server-sent-events.client.rs",
    several_media_types "../../../tests/goldens/operations/several-media-types.client.rs",
}

use std::sync::Arc;

use crate::runtime::client::Connection;

/// A function for each area, as the client has a method.
macro_rules! handles {
    ($($module:ident $handle:ident),* $(,)?) => {
        $(#[doc = "A handle."] pub fn $module(connection: &Arc<Connection>) -> $module::$handle {
            $module::$handle::new(connection)
        })*
    };
}

handles! {
    binary_bodies BinaryBodies,
    form_bodies FormBodies,
    header_and_cookie_parameters HeaderAndCookieParameters,
    last_item_pages LastItemPages,
    link_pages LinkPages,
    marker_pages MarkerPages,
    multipart Multipart,
    numbered_pages NumberedPages,
    path_styles PathStyles,
    query_styles QueryStyles,
    server_sent_events ServerSentEvents,
    several_media_types SeveralMediaTypes,
}
