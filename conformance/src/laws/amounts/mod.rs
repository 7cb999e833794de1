//! Laws of amounts: what is taken from a record, what goes into a balance, and what adds up.

pub(crate) mod aggregates;
pub(crate) mod arithmetic;
pub(crate) mod balance;
mod balance_texts;
mod expression;
pub(crate) mod flow;
pub(crate) mod formula;
mod kinds;
pub(crate) mod level;
mod lifted;
pub(crate) mod means;
pub(crate) mod miscount;
pub(crate) mod moves;
pub(crate) mod parts;
pub(crate) mod party;
mod percent;
pub(crate) mod scarcity;
pub(crate) mod share;
pub(crate) mod statement;
pub(crate) mod sums;
pub(crate) mod supply;
pub(crate) mod taken;
pub(crate) mod taking;
mod tally;
pub(crate) mod totals;
