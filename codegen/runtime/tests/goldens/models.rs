//! The models of the goldens.

goldens! {
    form_bodies "../../../tests/goldens/operations/form-bodies.models.rs",
    last_item_pages "../../../tests/goldens/operations/last-item-pages.models.rs",
    link_pages "../../../tests/goldens/operations/link-pages.models.rs",
    marker_pages "../../../tests/goldens/operations/marker-pages.models.rs",
    multipart "../../../tests/goldens/operations/multipart.models.rs",
    numbered_pages "../../../tests/goldens/operations/numbered-pages.models.rs",
    several_media_types "../../../tests/goldens/operations/several-media-types.models.rs",
}
pub use form_bodies::*;
pub use last_item_pages::*;
pub use link_pages::*;
pub use marker_pages::*;
pub use multipart::*;
pub use numbered_pages::*;
pub use several_media_types::*;
