use std::collections::BTreeMap;

use serde_json::Value;

use crate::runtime::constraint::Validate;
use crate::runtime::{Nullable, object};

/// The schema `Golden`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Golden {
    /// `anything`
    pub anything: Nullable<Value>,
    /// `labels`
    pub labels: Option<BTreeMap<String, String>>,
}

crate::object! {
    Golden: Ignored {
        0 "anything" => anything nullable,
        1 "labels" => labels optional,
    }
}

impl Validate for Golden {}
