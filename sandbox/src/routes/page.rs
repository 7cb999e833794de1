//! Pages of lists: their common parameters, and the page description in the answer.

use merchant_payments::models::{Direction, PageMeta, SortBy};

use crate::domain::Rejection;
use crate::domain::page::{Page, PageParameters};

/// The sort fields of most lists.
const FIELDS: [&str; 1] = ["createdAt"];

/// Parses the parameters of a list.
pub(super) fn read(
    items_per_page: Option<i64>,
    page: Option<i64>,
    direction: Option<&Direction>,
    sort_by: Option<&SortBy>,
) -> Result<Page, Rejection> {
    let parameters = PageParameters {
        items_per_page,
        page,
        direction: direction.map(Direction::as_str),
        sort_by: sort_by.map(SortBy::as_str),
    };
    Page::read(&parameters, &FIELDS)
}

/// Like [`read`], for a list with further sort fields. A macro, because every list has a separate
/// type of parameters with the same fields.
macro_rules! page_of {
    ($parameters:expr, $sorted:expr) => {
        $crate::domain::page::Page::read(
            &$crate::domain::page::PageParameters {
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

/// The page description in the answer.
pub(super) fn meta(page: &Page) -> PageMeta {
    PageMeta {
        items_per_page: Some(page.items.to_string()),
        page: Some(page.number.to_string()),
        direction: Some(page.direction().to_owned()),
        sort_by: Some(page.sort_by.to_owned()),
    }
}
