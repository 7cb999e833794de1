//! What describes a record: echoed in answers, and of no weight in any decision about money.
//!
//! These are the types that rows hold, as JSON. They are not the models of the contract: a change of the
//! contract changes no row. Here are no conversions; [`crate::render`] makes models of them.

mod address;
mod card;
mod customer;
mod instant_recipient;
mod optional;
mod payment_link;
mod transaction;

pub use address::{Address, BillingAddress};
pub use card::{CardDetails, CardEntryDetails, CardHolder};
pub use customer::CustomerDetails;
pub use instant_recipient::InstantRecipientDetails;
pub use payment_link::{LinkCustomer, LinkItem, PaymentLinkDetails};
pub use transaction::{
    Authorization, CardInfo, Cashback, CashbackClient, CashbackValue, Checks, Customer, Fee, Item,
    Meta, Software, SubsidiaryData, ThreeDsError, ThreeDsResult, TransactionDetails, TravelRule,
};
