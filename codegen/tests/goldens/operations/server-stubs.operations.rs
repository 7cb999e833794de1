use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Operation, Parameter, Repeat};

/// `PUT /things/{id}`
pub static KEEP: Operation = Operation {
    id: "keep",
    method: "PUT",
    path: "/things/{id}",
    parameters: &[Parameter::path("id")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `keep`.
#[derive(Clone, Debug, PartialEq)]
pub struct KeepParameters {
    /// `id`
    pub id: i64,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    KeepParameters: Ignored {
        0 "id" => id required,
    }
}

impl Validate for KeepParameters {
    fn validate(&self, found: &mut Violations<'_>) {
        constraint::maximum(&mut found.member("id"), &self.id, &99);
    }
}
