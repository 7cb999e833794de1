//! Laws about lists: content, paging, order and filters.

pub(crate) mod addressed_list;
pub(crate) mod bound;
pub(crate) mod differing;
pub(crate) mod entries;
pub(crate) mod filling;
pub(crate) mod filter;
mod filter_parameters;
pub(crate) mod filters;
pub(crate) mod items;
pub(crate) mod listing;
pub(crate) mod order;
pub(crate) mod ordered;
pub(crate) mod pages;
pub(crate) mod paging;
mod sorted;
pub(crate) mod standing;
mod states;
pub(crate) mod totals;
pub(crate) mod within;
