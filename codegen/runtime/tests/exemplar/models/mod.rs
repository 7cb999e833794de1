//! The schemas of the document.

mod payment_links;
mod shared;
mod transactions;

pub use payment_links::{PaymentLink, PaymentLinkAmount, PaymentLinkList};
pub use shared::{BillingAddress, Customer, Fault, Problem};
pub use transactions::{
    CaptureRequest, CardDetails, PurchaseRequest, Transaction, TransactionActions,
    TransactionStatus,
};
