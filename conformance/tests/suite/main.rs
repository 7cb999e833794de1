//! Tests the runner as a library, as a program, and against servers with planted faults.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod broken_servers;
mod built_in;
mod catalogue;
mod changes;
mod cleanup;
mod clocks;
mod concurrency;
mod connections;
mod corpus;
mod correct_servers;
mod corrections;

mod credentials;
mod deviations;
mod facts;
mod faults;
mod foreign;
mod forms;
mod guide;
mod habits;
mod issued;
mod laws;
mod library;
mod limits;
mod logins;
mod long_lists;
mod loss;
mod multipart;
mod notifications;
mod options;
mod page;
mod reach;
mod reports;
mod requirements;
mod scenarios;
mod skips;
mod stated;
mod stated_amounts;
mod stated_counters;
mod stated_effects;
mod stated_requests;
mod styles;
mod support;
mod totals;
mod transport;
mod trials;
mod untouched;
mod withheld;
mod words;
