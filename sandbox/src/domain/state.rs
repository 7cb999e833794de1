//! The state machines of transactions from `spec/behaviour.yaml`; a transition that the table lacks
//! is refused.
//!
//! Commands that need the provider lead to `PENDING`. A second event settles them, possibly in the
//! same commit.

pub use merchant_payments::behaviour::transaction::{Event, Kind, Status, TRANSITIONS, next};
