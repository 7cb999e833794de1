use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /shelves/{shelf}`
pub static SHELF: Operation = Operation {
    id: "shelf",
    method: "GET",
    path: "/shelves/{shelf}",
    parameters: &[Parameter::path("shelf")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `shelf`.
#[derive(Clone, Debug, PartialEq)]
pub struct ShelfParameters {
    /// `shelf`
    pub shelf: String,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    ShelfParameters: Ignored {
        0 "shelf" => shelf required,
    }
}

impl Validate for ShelfParameters {}
