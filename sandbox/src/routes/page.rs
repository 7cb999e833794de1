//! Pages of lists: the parameters that all lists have, and what the answer says of them.

use merchant_payments::models::{Direction, PageMeta, SortBy};

use crate::domain::Rejection;
use crate::domain::page::{Page, Wanted};

/// The fields that lists of records are sorted by.
const FIELDS: [&str; 1] = ["createdAt"];

/// The page that the parameters of a list ask for.
pub(super) fn read(
    items_per_page: Option<i64>,
    page: Option<i64>,
    direction: Option<&Direction>,
    sort_by: Option<&SortBy>,
) -> Result<Page, Rejection> {
    let wanted = Wanted {
        items_per_page,
        page,
        direction: direction.map(Direction::as_str),
        sort_by: sort_by.map(SortBy::as_str),
    };
    Page::read(&wanted, &FIELDS)
}

/// The same for a list that can be sorted by more than that. Every list has its own type of
/// parameters, with the same fields.
macro_rules! page_of {
    ($parameters:expr, $sorted:expr) => {
        $crate::domain::page::Page::read(
            &$crate::domain::page::Wanted {
                items_per_page: $parameters.items_per_page,
                page: $parameters.page,
                direction: $parameters.direction.as_ref().map(|word| word.as_str()),
                sort_by: $parameters.sort_by.as_ref().map(|word| word.as_str()),
            },
            &$crate::store::sortable($sorted),
        )
    };
}

pub(super) use page_of;

/// What the answer says of the page.
pub(super) fn meta(page: &Page) -> PageMeta {
    PageMeta {
        items_per_page: Some(page.items.to_string()),
        page: Some(page.number.to_string()),
        direction: Some(page.direction().to_owned()),
        sort_by: Some(page.sort_by.to_owned()),
    }
}
