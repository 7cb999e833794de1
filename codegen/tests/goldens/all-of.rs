use std::collections::BTreeMap;

use crate::runtime::constraint::Validate;
use crate::runtime::object;

/// Two objects in one, and free names beside theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `street`
    pub street: String,
    /// `taxId`
    pub tax_id: Option<String>,
    /// Further properties.
    pub additional_properties: BTreeMap<String, String>,
}

crate::object! {
    Golden: Kept additional_properties {
        0 "street" => street required,
        1 "taxId" => tax_id optional,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(street: impl Into<String>) -> Self {
        Self {
            street: street.into(),
            tax_id: None,
            additional_properties: BTreeMap::new(),
        }
    }
}

impl Validate for Golden {}
