use std::collections::BTreeMap;

use crate::runtime::constraint::Validate;
use crate::runtime::{Number, object};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `total`
    pub total: i64,
    /// Further properties.
    pub additional_properties: BTreeMap<String, Number>,
}

crate::object! {
    Golden: Kept additional_properties {
        0 "total" => total required,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(total: i64) -> Self {
        Self {
            total,
            additional_properties: BTreeMap::new(),
        }
    }
}

impl Validate for Golden {}
