//! Operations of the area `payment-links`.

use super::{API_KEY, BASIC};
use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::parameter::Shape;
use crate::runtime::{Operation, Parameter, Repeat, object};

/// `GET /v1/payment-links`
pub static LIST_PAYMENT_LINKS: Operation = Operation {
    id: "listPaymentLinks",
    method: "GET",
    path: "/v1/payment-links",
    parameters: &[
        Parameter::query("status").shape(Shape::List),
        Parameter::query("showHidden"),
        Parameter::query("itemsPerPage"),
        Parameter::header("customer-id"),
    ],
    security: &[&[API_KEY], &[BASIC]],
    request_id: Some("request-id"),
    repeat: Repeat::Idempotent,
};

/// Parameters of `listPaymentLinks`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListPaymentLinksParameters {
    /// Only links in one of these states.
    pub status: Option<Vec<String>>,
    /// Hidden links, too.
    pub show_hidden: Option<bool>,
    /// How many links a page has.
    pub items_per_page: Option<i64>,
    /// The customer.
    pub customer_id: Option<String>,
}

crate::parameters! {
    ListPaymentLinksParameters: Ignored {
        0 "status" => status optional,
        1 "showHidden" => show_hidden optional,
        2 "itemsPerPage" => items_per_page optional,
        3 "customer-id" => customer_id optional,
    }
}

impl Validate for ListPaymentLinksParameters {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(items_per_page) = &self.items_per_page {
            let mut place = found.member("itemsPerPage");
            constraint::minimum(&mut place, items_per_page, &1);
            constraint::maximum(&mut place, items_per_page, &100);
        }
    }
}
