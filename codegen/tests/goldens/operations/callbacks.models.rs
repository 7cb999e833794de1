use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::object;

/// The schema `Shipment`.
#[derive(Clone, Debug, PartialEq)]
pub struct Shipment {
    /// `parcel`
    pub parcel: String,
}

crate::object! {
    Shipment: Ignored {
        0 "parcel" => parcel required,
    }
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
