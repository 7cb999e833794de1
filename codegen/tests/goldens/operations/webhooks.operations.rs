use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Operation, Parameter, Repeat};

/// `POST `
pub static NEW_PET: Operation = Operation {
    id: "newPet",
    method: "POST",
    path: "",
    parameters: &[Parameter::query("attempt")],
    security: &[],
    request_id: None,
    repeat: Repeat::Never,
};

/// Parameters of `newPet`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewPetParameters {
    /// `attempt`
    pub attempt: Option<i64>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    NewPetParameters: Ignored {
        0 "attempt" => attempt optional,
    }
}

impl Validate for NewPetParameters {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(attempt) = &self.attempt {
            constraint::minimum(&mut found.member("attempt"), attempt, &1);
        }
    }
}
