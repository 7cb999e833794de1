//! Laws of lists: what is in them, how they are divided, ordered and filtered.

mod asked;
pub(crate) mod bound;
mod carried;
pub(crate) mod counted;
pub(crate) mod differing;
pub(crate) mod entries;
pub(crate) mod filling;
pub(crate) mod filter;
pub(crate) mod filters;
pub(crate) mod items;
mod left_out;
pub(crate) mod list_texts;
pub(crate) mod listing;
pub(crate) mod order;
pub(crate) mod ordered;
pub(crate) mod pages;
pub(crate) mod paging;
mod removed;
mod running;
mod sorted;
pub(crate) mod standing;
mod steady;
pub(crate) mod ties;
pub(crate) mod totals;
mod unmatched;
pub(crate) mod within;
mod without;
