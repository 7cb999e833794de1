use crate::runtime::parameter::Style;
use crate::runtime::{Operation, Parameter, Repeat};

/// `POST /orders`
pub static ORDER: Operation = Operation {
    id: "order",
    method: "POST",
    path: "/orders",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Never,
};

/// Fields of the form of `order`.
pub static ORDER_FORM: &[Parameter] = &[
    Parameter::query("card")
        .style(Style::DeepObject, true)
        .map(),
    Parameter::query("sizes")
        .style(Style::PipeDelimited, false)
        .list(),
];
