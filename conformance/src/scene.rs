//! Scene: the actions that all trials and laws share: prepare an operation, send, read again, compare, claim.

pub(crate) mod addressing;
pub(crate) mod another_body;
mod attempts;
mod choice;
pub(crate) mod compare;
pub(crate) mod deeds;
pub(crate) mod draft;
pub(crate) mod echo;
pub(crate) mod effect;
pub(crate) mod facts;
pub(crate) mod found;
pub(crate) mod ground;
pub(crate) mod judging;
pub(crate) mod kept;
pub(crate) mod key;
pub(crate) mod lag;
pub(crate) mod lengths;
mod made;
pub(crate) mod moment;
mod moves;
pub(crate) mod place;
pub(crate) mod reading;
pub(crate) mod refused;
mod rewritten;
pub(crate) mod step;
mod tidy;
mod turns;
pub(crate) mod unlike;
pub(crate) mod untouched;
pub(crate) mod variants;
pub(crate) mod version;
pub(crate) mod watch;

pub(crate) use moves::{Ready, Scene};
