//! Schemas of the area `payment-links`.

use crate::runtime::{Number, Uuid, object};

/// A page of payment links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaymentLinkList {
    /// The links.
    pub data: Option<Vec<PaymentLink>>,
}

crate::object! {
    PaymentLinkList: Ignored {
        0 "data" => data optional,
    }
}

/// A payment link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaymentLink {
    /// Its id.
    pub id: Option<Uuid>,
    /// What is to be paid.
    pub amount: Option<PaymentLinkAmount>,
}

crate::object! {
    PaymentLink: Ignored {
        0 "id" => id optional,
        1 "amount" => amount optional,
    }
}

/// What is to be paid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaymentLinkAmount {
    /// Three-letter currency code.
    pub currency: Option<String>,
    /// The amount, a JSON number.
    pub value: Option<Number>,
}

crate::object! {
    PaymentLinkAmount: Ignored {
        0 "currency" => currency optional,
        1 "value" => value optional,
    }
}
