//! The rules: what may happen to a purchase, a refund or a payout, and what it moves.
//!
//! Every function here is pure. It takes the state, the command and the time, and answers with
//! the new state and its postings or with a [`Rejection`]. There is no HTTP, no SQL, no clock and
//! no source of randomness in this module: times and ids are arguments.

pub mod actions;
pub mod amount;
pub mod card_token;
pub mod channel;
pub mod currency;
pub mod ledger;
pub mod money;
pub mod offer;
pub mod outcome;
pub mod payout;
pub mod purchase;
pub mod refund;
pub mod rejection;
pub mod state;
pub mod transaction;

pub use rejection::{Code, Rejection};
