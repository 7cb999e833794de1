//! The schemas of the document.

mod files;
mod payment_links;
mod shared;
mod transactions;

pub use files::{FileNote, FileNoteAuthor, FileRecord, FileUpload, Purpose};
pub use payment_links::{PaymentLink, PaymentLinkAmount, PaymentLinkList};
pub use shared::{BillingAddress, Customer, Fault, Problem};
pub use transactions::{
    CaptureRequest, CardDetails, PurchaseRequest, Transaction, TransactionActions,
    TransactionStatus,
};
