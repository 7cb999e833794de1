//! What is not caught yet, and the law that is to catch it.

use super::Row;
use crate::shop::{Fault, Rule};

pub(super) const ROWS: &[Row] = &[
    // That what is captured cannot be cancelled is a habit of the trade; the document does not say it.
    (
        "a cancellation after the capture",
        Fault::Breaks(Rule::CancelAfterCapture),
        "states",
        "cancel_charge",
    ),
];
