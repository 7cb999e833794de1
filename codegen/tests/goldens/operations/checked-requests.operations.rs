use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Operation, Parameter, Repeat};

/// `PUT /things/{id}/tags`
pub static TAG: Operation = Operation {
    id: "tag",
    method: "PUT",
    path: "/things/{id}/tags",
    parameters: &[Parameter::path("id")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `tag`.
#[derive(Clone, Debug, PartialEq)]
pub struct TagParameters {
    /// `id`
    pub id: i64,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    TagParameters: Ignored {
        0 "id" => id required,
    }
}

impl Validate for TagParameters {
    fn validate(&self, found: &mut Violations<'_>) {
        constraint::maximum(&mut found.member("id"), &self.id, &99);
    }
}
