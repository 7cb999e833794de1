use std::collections::BTreeMap;

use crate::runtime::constraint::Validate;
use crate::runtime::{Decimal, object};

/// The schema `Order`.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// `address`
    pub address: Option<BTreeMap<String, String>>,
    /// `amount`
    pub amount: Decimal,
    /// `card`
    pub card: Option<BTreeMap<String, BTreeMap<String, String>>>,
    /// `notes`
    pub notes: Option<Vec<String>>,
    /// `sizes`
    pub sizes: Option<Vec<i64>>,
}

crate::object! {
    Order: Ignored {
        0 "address" => address optional,
        1 "amount" => amount required,
        2 "card" => card optional,
        3 "notes" => notes optional,
        4 "sizes" => sizes optional,
    }
}
