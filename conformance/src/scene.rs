//! Scene: the actions that all trials and laws share: prepare an operation, send, read again, compare, claim.

pub(crate) mod actions;
pub(crate) mod addressing;
pub(crate) mod another_body;
mod attempts;
pub(crate) mod basis;
mod choice;
pub(crate) mod compare;
mod correcting;
mod created;
pub(crate) mod draft;
pub(crate) mod echo;
pub(crate) mod effect;
pub(crate) mod facts;
pub(crate) mod found;
pub(crate) mod judging;
pub(crate) mod key;
pub(crate) mod known_record;
pub(crate) mod lag;
pub(crate) mod lengths;
pub(crate) mod moment;
mod moves;
pub(crate) mod place;
pub(crate) mod reading;
pub(crate) mod refused;
mod rewritten;
pub(crate) mod step;
mod tidy;
mod turns;
pub(crate) mod unchanged;
pub(crate) mod unused_key;
pub(crate) mod variants;
mod variation;
pub(crate) mod version;
pub(crate) mod watch;
pub(crate) mod whole;

pub(crate) use moves::{Ready, Scene};
