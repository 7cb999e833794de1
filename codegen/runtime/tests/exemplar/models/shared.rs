//! Schemas that several areas use.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Pattern, Uuid, nullable};

/// An address, with free properties beside the known ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BillingAddress {
    /// Two-letter country code.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub country: Option<String>,
    /// Tax number.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub tax_id: Option<String>,
    /// Further properties.
    #[serde(flatten)]
    pub additional_properties: BTreeMap<String, String>,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Customer {
    /// The customer's id.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub id: Option<Uuid>,
    /// First name.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub first_name: Option<String>,
    /// Electronic mail address.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub email: Option<String>,
}

impl Validate for Customer {}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// A URI that names the kind of problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// The kind of problem in words.
    pub title: String,
    /// The HTTP status.
    pub status: i64,
    /// A code for programs to act on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What exactly is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<Fault>>,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fault {
    /// Where, as a JSON pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What kind of fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The fault in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}
