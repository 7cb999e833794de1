use crate::runtime::constraint::Validate;
use crate::runtime::{Number, Sensitive, object};

/// The schema `Golden`.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `cardNumber`
    pub card_number: Sensitive<u64>,
    /// `price`
    pub price: Option<Number>,
}

crate::object! {
    Golden: Ignored {
        0 "cardNumber" => card_number required,
        1 "price" => price optional,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(card_number: Sensitive<u64>) -> Self {
        Self {
            card_number,
            price: None,
        }
    }
}

impl Validate for Golden {}
