use std::collections::BTreeMap;

use crate::runtime::constraint::Validate;
use crate::runtime::json_text::JsonText;
use crate::runtime::parameter::Style;
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /things`
pub static COUNT_THINGS: Operation = Operation {
    id: "countThings",
    method: "GET",
    path: "/things",
    parameters: &[
        Parameter::header("X-Filter"),
        Parameter::header("X-Place")
            .style(Style::Simple, true)
            .map(),
        Parameter::header("X-Tags").list(),
        Parameter::cookie("session"),
    ],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `countThings`.
#[derive(Clone, Debug, PartialEq)]
pub struct CountThingsParameters {
    /// `X-Filter`
    pub x_filter: JsonText<BTreeMap<String, i64>>,
    /// `X-Place`
    pub x_place: BTreeMap<String, i64>,
    /// `X-Tags`
    pub x_tags: Vec<String>,
    /// `session`
    pub session: String,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;
