//! Lists that are divided into pages.

/// How the answers of an operation that lists are divided. Places are JSON pointers into an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paging {
    /// Where the items of a page are.
    pub items: String,
    /// What leads from a page to the next.
    pub next: Next,
    /// What tells that a page is the last one.
    pub ends: Vec<End>,
}

/// What leads from a page to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The query parameter with the number of the page, and the number of the first.
    Page(String, u64),
    /// The query parameter with the number of items before the page, and the place of the number of
    /// items that the server took for a page.
    Offset(String, Option<String>),
    /// The query parameter for what stands at a place.
    Cursor(String, String),
    /// The query parameter for a property of the last item.
    LastItem(String, String),
    /// The place of the address of the next page.
    Link(String),
    /// The place of a list of `rel` and `href`.
    Relation(String),
    /// The header `Link`.
    LinkHeader,
}

/// What tells that a page is the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// `false` at a place.
    More(String),
    /// The number of all items at a place.
    Total(String),
    /// The number of all pages at a place.
    Pages(String),
}
