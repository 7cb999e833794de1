//! One page of a list: the only place where an order is put into SQL.

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::value::Value;
use crate::domain::page::Page;

/// The fields that a list is sorted by, and the columns they are in. None of them may be null: the
/// databases do not agree where nulls go.
pub type Sorted = [(&'static str, &'static str)];

/// The fields alone.
pub fn fields(sorted: &Sorted) -> Vec<&'static str> {
    sorted.iter().map(|(field, _)| *field).collect()
}

/// Reads one page of what a query finds. Equal values are in the order of `key`, which is unique.
///
/// The query ends with its conditions; its placeholders are those of `values`.
pub fn read<T>(
    connection: &Connection,
    query: &str,
    values: &[Value<'_>],
    (page, sorted, key): (&Page, &Sorted, &str),
    row: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let column = sorted.iter().find(|(field, _)| *field == page.sort_by);
    let (_, column) = column.ok_or(StoreError::Corrupt("order"))?;
    let direction = if page.descending { "DESC" } else { "ASC" };
    let (limit, offset) = (values.len() + 1, values.len() + 2);
    let query = format!(
        "{query} ORDER BY {column} {direction}, {key} {direction} LIMIT ${limit} OFFSET ${offset}"
    );
    let mut values = values.to_vec();
    values.extend([Value::Integer(page.items), Value::Integer(page.skipped())]);
    connection.all(&query, &values, row)
}

/// The order of lists that are sorted by when their records were made, and by nothing else.
pub(super) const BY_CREATION: &Sorted = &[("createdAt", "created_at")];
