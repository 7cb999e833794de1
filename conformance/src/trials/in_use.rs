//! In use: a deletion is refused while the record has children.

use openapi_facts::rule::{Fate, OnDelete};

use crate::model::{Call, Model};

pub(super) use super::on_delete::run;

/// Every operation that may take a record away.
pub(super) fn applies(rule: &OnDelete, _: &Model<'_>, call: &Call<'_>) -> bool {
    rule.then == Fate::Refused && !call.operation.method.is_safe()
}
