use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /entries`
pub static LIST_ENTRIES: Operation = Operation {
    id: "listEntries",
    method: "GET",
    path: "/entries",
    parameters: &[Parameter::query("page")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `listEntries`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListEntriesParameters {
    /// `page`
    pub page: Option<i64>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    ListEntriesParameters: Ignored {
        0 "page" => page optional,
    }
}

impl Validate for ListEntriesParameters {}
