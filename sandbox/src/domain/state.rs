//! The state machines of transactions, as `spec/behaviour.yaml` has them: what is not in the table is
//! refused.
//!
//! Commands that need the provider lead to `PENDING` and are settled by a second event, which may
//! follow in the same commit.

pub use merchant_payments::behaviour::transaction::{Event, Kind, Status, TRANSITIONS, next};
