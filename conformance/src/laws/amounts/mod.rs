//! Laws of amounts: what is taken from a record, what goes into a balance, and what adds up.

pub(crate) mod amount;
pub(crate) mod arithmetic;
mod back;
pub(crate) mod balance;
pub(crate) mod currency;
mod expression;
pub(crate) mod flow;
pub(crate) mod formula;
pub(crate) mod half;
mod items;
mod kinds;
mod left;
pub(crate) mod level;
mod lifted;
pub(crate) mod means;
pub(crate) mod moves;
pub(crate) mod omission;
pub(crate) mod parts;
pub(crate) mod party;
pub(crate) mod scarcity;
pub(crate) mod share;
mod spent;
pub(crate) mod sums;
pub(crate) mod supply;
pub(crate) mod taken;
pub(crate) mod taking;
mod wording;
