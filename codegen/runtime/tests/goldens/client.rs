//! The clients of the goldens.

goldens! {
    binary_bodies
        "../../../tests/goldens/operations/binary-bodies.client.rs"
        "../../../tests/goldens/operations/binary-bodies.client.2.rs",
    callbacks
        "../../../tests/goldens/operations/callbacks.client.rs"
        "../../../tests/goldens/operations/callbacks.client.2.rs"
        "../../../tests/goldens/operations/callbacks.client.3.rs",
    checked_requests
        "../../../tests/goldens/operations/checked-requests.client.rs"
        "../../../tests/goldens/operations/checked-requests.client.2.rs",
    form_bodies
        "../../../tests/goldens/operations/form-bodies.client.rs"
        "../../../tests/goldens/operations/form-bodies.client.2.rs",
    header_and_cookie_parameters
        "../../../tests/goldens/operations/header-and-cookie-parameters.client.rs"
        "../../../tests/goldens/operations/header-and-cookie-parameters.client.2.rs"
        "../../../tests/goldens/operations/header-and-cookie-parameters.client.3.rs",
    last_item_pages
        "../../../tests/goldens/operations/last-item-pages.client.rs"
        "../../../tests/goldens/operations/last-item-pages.client.2.rs",
    link_pages
        "../../../tests/goldens/operations/link-pages.client.rs"
        "../../../tests/goldens/operations/link-pages.client.2.rs",
    links
        "../../../tests/goldens/operations/links.client.rs"
        "../../../tests/goldens/operations/links.client.2.rs",
    marker_pages
        "../../../tests/goldens/operations/marker-pages.client.rs"
        "../../../tests/goldens/operations/marker-pages.client.2.rs",
    named_events
        "../../../tests/goldens/operations/named-events.client.rs"
        "../../../tests/goldens/operations/named-events.client.2.rs",
    multipart
        "../../../tests/goldens/operations/multipart.client.rs"
        "../../../tests/goldens/operations/multipart.client.2.rs",
    numbered_pages
        "../../../tests/goldens/operations/numbered-pages.client.rs"
        "../../../tests/goldens/operations/numbered-pages.client.2.rs",
    optional_parameters
        "../../../tests/goldens/operations/optional-parameters.client.rs"
        "../../../tests/goldens/operations/optional-parameters.client.2.rs",
    path_styles
        "../../../tests/goldens/operations/path-styles.client.rs"
        "../../../tests/goldens/operations/path-styles.client.2.rs",
    query_styles
        "../../../tests/goldens/operations/query-styles.client.rs"
        "../../../tests/goldens/operations/query-styles.client.2.rs"
        "../../../tests/goldens/operations/query-styles.client.3.rs",
    responses
        "../../../tests/goldens/operations/responses.client.rs"
        "../../../tests/goldens/operations/responses.client.2.rs",
    retries
        "../../../tests/goldens/operations/retries.client.rs"
        "../../../tests/goldens/operations/retries.client.2.rs"
        "../../../tests/goldens/operations/retries.client.3.rs"
        "../../../tests/goldens/operations/retries.client.4.rs",
    security
        "../../../tests/goldens/operations/security.client.rs"
        "../../../tests/goldens/operations/security.client.2.rs",
    served_pages
        "../../../tests/goldens/operations/served-pages.client.rs"
        "../../../tests/goldens/operations/served-pages.client.2.rs"
        "../../../tests/goldens/operations/served-pages.client.3.rs"
        "../../../tests/goldens/operations/served-pages.client.4.rs"
        "../../../tests/goldens/operations/served-pages.client.5.rs",
    server_sent_events
        "../../../tests/goldens/operations/server-sent-events.client.rs"
        "../../../tests/goldens/operations/server-sent-events.client.2.rs",
    several_media_types
        "../../../tests/goldens/operations/several-media-types.client.rs"
        "../../../tests/goldens/operations/several-media-types.client.2.rs",
    webhooks
        "../../../tests/goldens/operations/webhooks.client.rs"
        "../../../tests/goldens/operations/webhooks.client.2.rs",
}

/// The root of a client, with what stands beside it.
pub mod security_root {
    use super::security;

    include!("../../../tests/goldens/operations/security.client-mod.rs");
    include!("../../../tests/goldens/operations/security.client-mod.2.rs");
    include!("../../../tests/goldens/operations/security.client-mod.3.rs");
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
    checked_requests CheckedRequests,
    form_bodies FormBodies,
    header_and_cookie_parameters HeaderAndCookieParameters,
    last_item_pages LastItemPages,
    link_pages LinkPages,
    marker_pages MarkerPages,
    links Links,
    multipart Multipart,
    named_events NamedEvents,
    numbered_pages NumberedPages,
    optional_parameters OptionalParameters,
    path_styles PathStyles,
    query_styles QueryStyles,
    server_sent_events ServerSentEvents,
    responses Responses,
    retries Retries,
    security Security,
    served_pages ServedPages,
    several_media_types SeveralMediaTypes,
}
