use crate::runtime::object;

/// The schema `EntryPage`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryPage {
    /// `entries`
    pub entries: Option<Vec<i64>>,
    /// `total`
    pub total: Option<i64>,
}

crate::object! {
    EntryPage: Ignored {
        0 "entries" => entries optional,
        1 "total" => total optional,
    }
}
