//! Documents, each with a server of its own, that are tried without a script: nothing is found in a server as it is,
//! and each of its faults by the check that names it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on stops"
)]

#[path = "../support/mod.rs"]
mod support;
#[macro_use]
mod trial;

mod acquirer;
mod billing;
mod canteen;
mod club;
mod debits;
mod depot;
mod desk;
mod escrow;
mod garden;
mod gateway;
mod gazette;
mod giro;
mod kiosk;
mod laundry;
mod ledger;
mod lending;
mod mandates;
mod market;
mod orders;
mod parcels;
mod pocket;
mod purse;
mod relay;
mod seats;
mod studio;
mod tickets;
mod till;
mod vault;
