//! Parses which page of a list a caller requests.

use super::rejection::{Code, Rejection};

/// The default number of items of a page.
const USUAL: i64 = 10;
/// The largest number of items of a page.
const MOST: i64 = 100;
/// The default sort field.
const USUAL_SORT: &str = "createdAt";

/// The parameters of a list, as the caller sent them.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageParameters<'a> {
    /// How many items.
    pub items_per_page: Option<i64>,
    /// Which page, from 1.
    pub page: Option<i64>,
    /// `asc` or `desc`.
    pub direction: Option<&'a str>,
    /// The field to sort by.
    pub sort_by: Option<&'a str>,
}

/// One page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many items.
    pub items: i64,
    /// Which page, from 1.
    pub number: i64,
    /// Whether the order is descending.
    pub descending: bool,
    /// The field to sort by.
    pub sort_by: &'static str,
}

impl Page {
    /// Parses the parameters of a list that can be sorted by `fields`; the rejection lists every
    /// mistake.
    pub fn read(
        parameters: &PageParameters<'_>,
        fields: &[&'static str],
    ) -> Result<Self, Rejection> {
        let mut wrong = Vec::new();
        let mut refuse = |name, detail: String| {
            let pointer = format!("/query/{name}");
            wrong.push(Rejection::at(Code::ContractViolation, &pointer, detail));
        };
        let items = parameters.items_per_page.unwrap_or(USUAL);
        if !(1..=MOST).contains(&items) {
            refuse("itemsPerPage", format!("a page has 1 to {MOST} items"));
        }
        let number = parameters.page.unwrap_or(1);
        if number < 1 {
            refuse("page", "pages are counted from 1".to_owned());
        }
        let direction = parameters.direction.unwrap_or("asc");
        if !["asc", "desc"].contains(&direction) {
            refuse("direction", "a direction is asc or desc".to_owned());
        }
        let sort_by = parameters.sort_by.unwrap_or(USUAL_SORT);
        let known = fields.iter().find(|field| **field == sort_by);
        if known.is_none() {
            refuse(
                "sortBy",
                format!("the list is sorted by {}", fields.join(", ")),
            );
        }
        Rejection::collected(wrong)?;
        Ok(Self {
            items,
            number,
            descending: direction == "desc",
            sort_by: known.copied().unwrap_or(USUAL_SORT),
        })
    }

    /// The number of items before the page.
    pub fn skipped(&self) -> i64 {
        (self.number - 1).saturating_mul(self.items)
    }

    /// The direction, as the parameter spells it.
    pub fn direction(&self) -> &'static str {
        if self.descending { "desc" } else { "asc" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 2] = ["createdAt", "last4"];

    #[test]
    fn without_parameters_the_first_page_is_returned() {
        let page = Page::read(&PageParameters::default(), &FIELDS).unwrap();
        let expected = Page {
            items: 10,
            number: 1,
            descending: false,
            sort_by: "createdAt",
        };
        assert_eq!((page, page.skipped()), (expected, 0));
    }

    #[test]
    fn parameters_are_applied() {
        let parameters = PageParameters {
            items_per_page: Some(100),
            page: Some(3),
            direction: Some("desc"),
            sort_by: Some("last4"),
        };
        let page = Page::read(&parameters, &FIELDS).unwrap();
        assert_eq!(
            (page.skipped(), page.direction(), page.sort_by),
            (200, "desc", "last4")
        );
        let far = PageParameters {
            page: Some(i64::MAX),
            ..parameters
        };
        assert_eq!(Page::read(&far, &FIELDS).unwrap().skipped(), i64::MAX);
    }

    #[test]
    fn every_mistake_is_reported() {
        let parameters = PageParameters {
            items_per_page: Some(101),
            page: Some(0),
            direction: Some("ASC"),
            sort_by: Some("id; DROP TABLE cards"),
        };
        let refused = Page::read(&parameters, &FIELDS).unwrap_err();
        let all = std::iter::once(&refused).chain(&refused.also);
        let places: Vec<_> = all.filter_map(|one| one.pointer.as_deref()).collect();
        let expected = [
            "/query/itemsPerPage",
            "/query/page",
            "/query/direction",
            "/query/sortBy",
        ];
        assert_eq!(places, expected);
        for items in [0, -1, i64::MIN] {
            let parameters = PageParameters {
                items_per_page: Some(items),
                ..PageParameters::default()
            };
            assert!(Page::read(&parameters, &FIELDS).is_err(), "{items}");
        }
    }
}
