//! Tests of the sandbox from the outside, and of its database under load.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests report failures by panicking"
)]

#[macro_use]
mod databases;

mod audit;
mod bench;
mod charges;
mod clocks;
mod commands;
mod contention;
mod customers_at_once;
mod durable_settings;
mod earlier_versions;
mod egress;
mod group_commit;
mod history;
mod outbox;
mod resets;
mod snapshots;

mod cluster;
mod process;
mod receiver;

mod acceptance;
mod authentication;
mod authorization;
mod away;
mod bad_input;
mod cancellations;
mod cards;
mod control;
mod customers;
mod edges;
mod filled;
mod guide;
mod idle;
mod killed;
mod lifecycle;
mod magic;
mod modes;
mod notifications;
mod pages;
mod payment_links;
mod payment_methods;
mod payout_changes;
mod planted_card;
mod previews;
mod programs;
mod races;
mod receive;
mod redirects;
mod remote;
mod repeats;
mod reports;
mod saved_cards;
mod secrets;
mod spawned;
mod subscriptions;
mod timers;
mod typed_client;
mod weather;
