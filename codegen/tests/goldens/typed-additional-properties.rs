use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::runtime::Number;
use crate::runtime::constraint::Validate;

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Golden {
    /// `total`
    pub total: i64,
    /// Further properties.
    #[serde(flatten)]
    pub additional_properties: BTreeMap<String, Number>,
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
