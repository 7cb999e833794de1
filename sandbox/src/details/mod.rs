//! Descriptive fields of records. Answers echo them; no decision about money reads them.
//!
//! The database stores these types as JSON. They are separate from the models of the contract, so a change of the
//! contract changes no row. [`crate::render`] converts them to and from the models.

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
