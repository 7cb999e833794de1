//! Operations of the area `payment-links`.

use serde::{Deserialize, Serialize};

use super::{API_KEY, BASIC};
use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /v1/payment-links`
pub static LIST_PAYMENT_LINKS: Operation = Operation {
    id: "listPaymentLinks",
    method: "GET",
    path: "/v1/payment-links",
    parameters: &[
        Parameter::query("status").list(),
        Parameter::query("showHidden"),
        Parameter::query("itemsPerPage"),
        Parameter::header("customer-id"),
    ],
    security: &[&[API_KEY], &[BASIC]],
    request_id: Some("request-id"),
    repeat: Repeat::Idempotent,
};

/// Parameters of `listPaymentLinks`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ListPaymentLinksParameters {
    /// Only links in one of these states.
    #[serde(default, rename = "status", skip_serializing_if = "Option::is_none")]
    pub status: Option<Vec<String>>,
    /// Hidden links, too.
    #[serde(
        default,
        rename = "showHidden",
        skip_serializing_if = "Option::is_none"
    )]
    pub show_hidden: Option<bool>,
    /// How many links a page has.
    #[serde(
        default,
        rename = "itemsPerPage",
        skip_serializing_if = "Option::is_none"
    )]
    pub items_per_page: Option<i64>,
    /// The customer.
    #[serde(
        default,
        rename = "customer-id",
        skip_serializing_if = "Option::is_none"
    )]
    pub customer_id: Option<String>,
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
