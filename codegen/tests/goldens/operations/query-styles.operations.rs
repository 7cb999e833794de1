use std::collections::BTreeMap;

use crate::runtime::constraint::Validate;
use crate::runtime::parameter::Style;
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /things`
pub static LIST_THINGS: Operation = Operation {
    id: "listThings",
    method: "GET",
    path: "/things",
    parameters: &[
        Parameter::query("colours").style(Style::Form, false).list(),
        Parameter::query("near")
            .style(Style::DeepObject, false)
            .map(),
        Parameter::query("raw").reserved(),
        Parameter::query("sizes")
            .style(Style::SpaceDelimited, false)
            .list(),
        Parameter::query("tags").list(),
        Parameter::query("units")
            .style(Style::PipeDelimited, false)
            .list(),
    ],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};
