//! What is not caught yet, and the law that is to catch it.

use super::Row;
use crate::shop::{Fault, Rule};

pub(super) const ROWS: &[Row] = &[
    (
        "there is always more",
        Fault::Breaks(Rule::MoreForEver),
        "pages",
        "list_customers",
    ),
    (
        "the order is ignored",
        Fault::Breaks(Rule::OrderIgnored),
        "order",
        "list_charges",
    ),
    (
        "a filter is ignored",
        Fault::Breaks(Rule::FilterIgnored),
        "filters",
        "list_charges",
    ),
    (
        "another filter is ignored",
        Fault::Breaks(Rule::StatusFilterIgnored),
        "filters",
        "list_charges",
    ),
    (
        "the total is that of the page",
        Fault::Breaks(Rule::TotalIsOfPage),
        "pages",
        "list_charges",
    ),
    (
        "a cancellation after the capture",
        Fault::Breaks(Rule::CancelAfterCapture),
        "states",
        "cancel_charge",
    ),
    (
        "a refund before the capture",
        Fault::Breaks(Rule::RefundBeforeCapture),
        "states",
        "create_refund",
    ),
    (
        "a refund in another currency",
        Fault::Breaks(Rule::RefundInOtherCurrency),
        "inheritance",
        "create_refund",
    ),
    (
        "a refund takes the place of others",
        Fault::Breaks(Rule::RefundOverwrites),
        "histories",
        "create_refund",
    ),
    (
        "a refused customer is kept",
        Fault::Breaks(Rule::RefusedIsKept),
        "refusals change nothing",
        "create_customer",
    ),
    (
        "an update clears what it does not name",
        Fault::Breaks(Rule::UpdateClearsRest),
        "merge",
        "update_customer",
    ),
    (
        "a repeated request makes another charge",
        Fault::Breaks(Rule::RepeatMakesAnother),
        "idempotent repeat",
        "create_charge",
    ),
    (
        "a key is used for another body",
        Fault::Breaks(Rule::KeyForOtherBody),
        "idempotent repeat",
        "create_charge",
    ),
    (
        "a reference is used twice",
        Fault::Breaks(Rule::ReferenceTwice),
        "conflict",
        "create_charge",
    ),
    (
        "the largest amount is refused",
        Fault::Breaks(Rule::MaximumRefused),
        "bounds",
        "create_charge",
    ),
    (
        "the flag of capture is ignored",
        Fault::Breaks(Rule::CaptureFlagIgnored),
        "examples",
        "create_charge",
    ),
];
