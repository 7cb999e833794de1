use crate::runtime::constraint::Validate;
use crate::runtime::{Date, Decimal, Timestamp, object};

/// The schema `Golden`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Golden {
    /// `amount`
    pub amount: Option<Decimal>,
    /// `born`
    pub born: Option<Date>,
    /// `createdAt`
    pub created_at: Option<Timestamp>,
}

crate::object! {
    Golden: Ignored {
        0 "amount" => amount optional,
        1 "born" => born optional,
        2 "createdAt" => created_at optional,
    }
}

impl Validate for Golden {}
