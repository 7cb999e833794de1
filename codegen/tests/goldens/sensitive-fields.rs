use serde::{Deserialize, Serialize};

use crate::runtime::Sensitive;
use crate::runtime::constraint::{self, Validate, Violations};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// `cvv`
    pub cvv: Sensitive<String>,
    /// `holder`
    pub holder: String,
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
