//! The models of the goldens.

goldens! {
    callbacks
        "../../../tests/goldens/operations/callbacks.models.rs",
    checked_requests
        "../../../tests/goldens/operations/checked-requests.models.rs"
        "../../../tests/goldens/operations/checked-requests.models.2.rs"
        "../../../tests/goldens/operations/checked-requests.models.3.rs",
    form_bodies
        "../../../tests/goldens/operations/form-bodies.models.rs"
        "../../../tests/goldens/operations/form-bodies.models.2.rs",
    last_item_pages
        "../../../tests/goldens/operations/last-item-pages.models.rs"
        "../../../tests/goldens/operations/last-item-pages.models.2.rs",
    link_pages
        "../../../tests/goldens/operations/link-pages.models.rs"
        "../../../tests/goldens/operations/link-pages.models.2.rs",
    marker_pages
        "../../../tests/goldens/operations/marker-pages.models.rs",
    named_events
        "../../../tests/goldens/operations/named-events.models.rs"
        "../../../tests/goldens/operations/named-events.models.2.rs",
    multipart
        "../../../tests/goldens/operations/multipart.models.rs"
        "../../../tests/goldens/operations/multipart.models.2.rs",
    numbered_pages
        "../../../tests/goldens/operations/numbered-pages.models.rs",
    served_pages
        "../../../tests/goldens/operations/served-pages.models.rs",
    server_stubs
        "../../../tests/goldens/operations/server-stubs.models.rs",
    several_media_types
        "../../../tests/goldens/operations/several-media-types.models.rs",
    webhooks
        "../../../tests/goldens/operations/webhooks.models.rs",
}
pub use callbacks::*;
pub use checked_requests::*;
pub use form_bodies::*;
pub use last_item_pages::*;
pub use link_pages::*;
pub use marker_pages::*;
pub use multipart::*;
pub use named_events::*;
pub use numbered_pages::*;
pub use served_pages::*;
pub use server_stubs::*;
pub use several_media_types::*;
pub use webhooks::*;
