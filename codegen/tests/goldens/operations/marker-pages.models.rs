use crate::runtime::{Nullable, object};

/// The schema `WebhookPage`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WebhookPage {
    /// `entries`
    pub entries: Option<Vec<String>>,
    /// `limit`
    pub limit: Option<i64>,
    /// `next_marker`
    pub next_marker: Nullable<String>,
}

crate::object! {
    WebhookPage: Ignored {
        0 "entries" => entries optional,
        1 "limit" => limit optional,
        2 "next_marker" => next_marker nullable,
    }
}
