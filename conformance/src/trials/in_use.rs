//! In use: the server must refuse to delete a record that has children.

use openapi_facts::rule::{Fate, OnDelete};

use crate::model::{Call, Model};

pub(super) use super::on_delete::run;

/// All operations that may delete a record.
pub(super) fn applies(rule: &OnDelete, _: &Model<'_>, call: &Call<'_>) -> bool {
    rule.then == Fate::Refused && !call.operation.method.is_safe()
}
