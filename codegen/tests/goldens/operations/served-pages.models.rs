use crate::runtime::object;

/// The schema `RelatedPage`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelatedPage {
    /// `items`
    pub items: Option<Vec<i64>>,
    /// `links`
    pub links: Option<Vec<RelatedPageLink>>,
}

crate::object! {
    RelatedPage: Ignored {
        0 "items" => items optional,
        1 "links" => links optional,
    }
}

/// The value at `RelatedPage.link`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelatedPageLink {
    /// `href`
    pub href: Option<String>,
    /// `rel`
    pub rel: Option<String>,
}

crate::object! {
    RelatedPageLink: Ignored {
        0 "href" => href optional,
        1 "rel" => rel optional,
    }
}
