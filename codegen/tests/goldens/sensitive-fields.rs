use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Sensitive, object};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `cvv`
    pub cvv: Sensitive<String>,
    /// `holder`
    pub holder: String,
}

crate::object! {
    Golden: Ignored {
        0 "cvv" => cvv required,
        1 "holder" => holder required,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(cvv: Sensitive<String>, holder: impl Into<String>) -> Self {
        Self {
            cvv,
            holder: holder.into(),
        }
    }
}

impl Validate for Golden {
    fn validate(&self, found: &mut Violations<'_>) {
        constraint::min_length(&mut found.member("cvv"), self.cvv.expose(), 3);
    }
}
