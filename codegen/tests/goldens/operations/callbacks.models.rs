use serde::{Deserialize, Serialize};

use crate::runtime::constraint::{self, Validate, Violations};

/// The schema `Shipment`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shipment {
    /// `parcel`
    pub parcel: String,
}

impl Shipment {
    /// A value with its required properties.
    pub fn new(parcel: impl Into<String>) -> Self {
        Self {
            parcel: parcel.into(),
        }
    }
}

impl Validate for Shipment {
    fn validate(&self, found: &mut Violations<'_>) {
        constraint::min_length(&mut found.member("parcel"), &self.parcel, 1);
    }
}
