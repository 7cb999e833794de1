//! Schemas that several areas use.

use std::collections::BTreeMap;

use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Pattern, Uuid, object};

/// An address, with free properties beside the known ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BillingAddress {
    /// Two-letter country code.
    pub country: Option<String>,
    /// Tax number.
    pub tax_id: Option<String>,
    /// Further properties.
    pub additional_properties: BTreeMap<String, String>,
}

crate::object! {
    BillingAddress: Kept additional_properties {
        0 "country" => country optional,
        1 "taxId" => tax_id optional,
    }
}

static COUNTRY: Pattern = Pattern::new("^[A-Z]{2}$");

impl Validate for BillingAddress {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(country) = &self.country {
            constraint::pattern(&mut found.member("country"), country, &COUNTRY);
        }
    }
}

/// Who pays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Customer {
    /// The customer's id.
    pub id: Option<Uuid>,
    /// First name.
    pub first_name: Option<String>,
    /// Electronic mail address.
    pub email: Option<String>,
}

crate::object! {
    Customer: Ignored {
        0 "id" => id optional,
        1 "firstName" => first_name optional,
        2 "email" => email optional,
    }
}

impl Validate for Customer {}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// A URI that names the kind of problem.
    pub r#type: Option<String>,
    /// The kind of problem in words.
    pub title: String,
    /// The HTTP status.
    pub status: i64,
    /// A code for programs to act on.
    pub code: Option<String>,
    /// The id of the request.
    pub request_id: Option<String>,
    /// What exactly is wrong.
    pub errors: Option<Vec<Fault>>,
}

crate::object! {
    Problem: Ignored {
        0 "type" => r#type optional,
        1 "title" => title required,
        2 "status" => status required,
        3 "code" => code optional,
        4 "requestId" => request_id optional,
        5 "errors" => errors optional,
    }
}

impl crate::runtime::client::Explain for Problem {
    fn problem(&self) -> Option<crate::runtime::client::Problem<'_>> {
        use crate::runtime::client::{Problem, Text};
        let fields = self.errors.iter().flatten();
        Some(
            Problem::new(self.r#type.text(), self.title.text(), None, None)
                .fields(fields.map(|one| (one.pointer.text(), one.detail.text()))),
        )
    }
}

impl Problem {
    /// A value with its required properties.
    pub fn new(title: impl Into<String>, status: i64) -> Self {
        Self {
            r#type: None,
            title: title.into(),
            status,
            code: None,
            request_id: None,
            errors: None,
        }
    }
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fault {
    /// Where, as a JSON pointer.
    pub pointer: Option<String>,
    /// What kind of fault.
    pub code: Option<String>,
    /// The fault in words.
    pub detail: Option<String>,
}

crate::object! {
    Fault: Ignored {
        0 "pointer" => pointer optional,
        1 "code" => code optional,
        2 "detail" => detail optional,
    }
}
