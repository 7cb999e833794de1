//! Domain rules: which commands a record allows, and how they change it and the ledger.
//!
//! Every function here is pure. It takes the state, the command and the time. It returns the new
//! state with its ledger entries, or a [`Rejection`]. This module has no HTTP, no SQL, no clock and
//! no source of randomness: times and ids are arguments.

pub mod acceptance;
pub mod actions;
pub mod amount;
pub mod authentication;
mod bin_range;
pub mod calculation;
pub mod card;
pub mod card_token;
pub mod cashback;
pub mod catalogue;
pub mod channel;
pub mod charge_script;
pub mod clock_goal;
pub mod csv;
pub mod currency;
pub mod customer;
pub mod cvv;
pub mod dunning;
pub mod expiry;
pub mod expiry_change;
pub mod fault;
pub mod fee;
pub mod interval;
pub mod ledger;
pub mod link_items;
pub mod listing;
pub mod magic_name;
pub mod money;
pub mod notification;
pub mod number_text;
pub mod offer;
pub mod outcome;
pub mod page;
pub mod pan;
pub mod payment_link;
pub mod payout;
pub mod plan;
pub mod price;
pub mod product;
pub mod purchase;
pub mod quote;
pub mod rate;
pub mod rational;
pub mod refund;
pub mod rejection;
pub mod report;
pub mod scheme;
pub mod signature;
pub mod state;
pub mod subscription;
pub mod subscription_news;
pub mod text;
pub mod transaction;
pub mod wallet;

pub use rejection::{Code, Rejection};
