//! What a law is tried with: a world that it acts through, a draft of its case, and what was answered.

pub(crate) mod addressing;
pub(crate) mod answered;
pub(crate) mod compare;
pub(crate) mod deeds;
pub(crate) mod draft;
pub(crate) mod effect;
mod facts;
pub(crate) mod found;
pub(crate) mod ground;
pub(crate) mod judging;
pub(crate) mod lag;
pub(crate) mod lengths;
mod miscount;
pub(crate) mod reading;
mod rewritten;
pub(crate) mod shared;
pub(crate) mod step;
mod tidy;
pub(crate) mod variants;
pub(crate) mod world;
