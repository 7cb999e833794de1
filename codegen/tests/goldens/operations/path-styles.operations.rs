use std::collections::BTreeMap;

use crate::runtime::constraint::Validate;
use crate::runtime::parameter::Style;
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /things{kind}/{ids}{at}`
pub static FIND_THINGS: Operation = Operation {
    id: "findThings",
    method: "GET",
    path: "/things{kind}/{ids}{at}",
    parameters: &[
        Parameter::path("at").style(Style::Matrix, true).map(),
        Parameter::path("ids").list(),
        Parameter::path("kind").style(Style::Label, false).list(),
    ],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `findThings`.
#[derive(Clone, Debug, PartialEq)]
pub struct FindThingsParameters {
    /// `at`
    pub at: BTreeMap<String, i64>,
    /// `ids`
    pub ids: Vec<String>,
    /// `kind`
    pub kind: Vec<String>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;
