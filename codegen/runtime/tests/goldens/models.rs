//! The models of the goldens.

goldens! {
    form_bodies "../../../tests/goldens/operations/form-bodies.models.rs",
    multipart "../../../tests/goldens/operations/multipart.models.rs",
    several_media_types "../../../tests/goldens/operations/several-media-types.models.rs",
}
pub use form_bodies::*;
pub use multipart::*;
pub use several_media_types::*;
