//! Client of the area `payment-links`.

use std::sync::Arc;

use crate::models::{PaymentLinkList, Problem};
use crate::operations::payment_links::{LIST_PAYMENT_LINKS, ListPaymentLinksParameters};
use crate::runtime;
use crate::runtime::client::{Connection, Endpoint, Explain, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// Payment links.
#[derive(Clone, Debug)]
pub struct PaymentLinks {
    connection: Arc<Connection>,
}

impl PaymentLinks {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// Lists payment links.
    ///
    /// `GET /v1/payment-links`
    pub fn list_payment_links(&self) -> Request<ListPaymentLinks> {
        Request::new(&self.connection, ListPaymentLinksParameters::default())
    }
}

/// The operation `listPaymentLinks`.
#[derive(Clone, Copy, Debug)]
pub struct ListPaymentLinks;

impl Request<ListPaymentLinks> {
    /// Only links in one of these states.
    pub fn status(mut self, status: Vec<String>) -> Self {
        self.parameters_mut().status = Some(status);
        self
    }

    /// Hidden links, too.
    pub fn show_hidden(mut self, show_hidden: bool) -> Self {
        self.parameters_mut().show_hidden = Some(show_hidden);
        self
    }

    /// How many links a page has.
    pub fn items_per_page(mut self, items_per_page: i64) -> Self {
        self.parameters_mut().items_per_page = Some(items_per_page);
        self
    }

    /// The customer.
    pub fn customer_id(mut self, customer_id: impl Into<String>) -> Self {
        self.parameters_mut().customer_id = Some(customer_id.into());
        self
    }
}

/// The documented refusals of `listPaymentLinks`.
#[derive(Clone, Debug, PartialEq)]
pub enum ListPaymentLinksError {
    /// 422: a parameter breaks the contract.
    UnprocessableContent(Problem),
}

impl Explain for ListPaymentLinksError {
    fn problem(&self) -> Option<runtime::client::Problem<'_>> {
        match self {
            Self::UnprocessableContent(body) => body.problem(),
        }
    }
}

impl Endpoint for ListPaymentLinks {
    type Parameters = ListPaymentLinksParameters;
    type Success = PaymentLinkList;
    type Error = ListPaymentLinksError;

    const OPERATION: &'static Operation = &LIST_PAYMENT_LINKS;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            422 => Outcome::Refused(ListPaymentLinksError::UnprocessableContent(
                answer.read_json()?,
            )),
            _ => Outcome::Undocumented,
        })
    }
}
