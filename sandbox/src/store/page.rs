//! Reads a page of a list. Only this module adds an `ORDER BY` to a query.

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::value::Value;
use crate::domain::page::Page;

/// The sort fields of a list and their columns. No column may be null, because the databases sort
/// nulls differently.
pub type Sorted = [(&'static str, &'static str)];

/// The names of the sort fields.
pub fn fields(sorted: &Sorted) -> Vec<&'static str> {
    sorted.iter().map(|(field, _)| *field).collect()
}

/// Reads one page of a query's rows. Rows with equal values are sorted by `key`, which is unique.
///
/// The query ends with its conditions; `values` are the values of its placeholders.
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

/// The sort field of lists that can only be sorted by creation time.
pub(super) const BY_CREATION: &Sorted = &[("createdAt", "created_at")];
