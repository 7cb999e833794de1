//! Runs statements on SQLite.

use std::borrow::Cow;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

use super::row::{Reader, Row};
use crate::store::error::StoreError;
use crate::store::value::Value;

pub(in crate::store) fn execute(
    connection: &rusqlite::Connection,
    sql: &str,
    values: &[Value<'_>],
) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached(&dialect(sql))?;
    let changed = statement.execute(rusqlite::params_from_iter(values))?;
    Ok(u64::try_from(changed).unwrap_or(u64::MAX))
}

pub(in crate::store) fn query(
    connection: &rusqlite::Connection,
    sql: &str,
    values: &[Value<'_>],
    read: &mut Reader<'_>,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(&dialect(sql))?;
    let mut rows = statement.query(rusqlite::params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        read(&Row::from(row))?;
    }
    Ok(())
}

/// Rewrites a statement for SQLite: its placeholders, and no lock clauses because there is one
/// writer.
fn dialect(sql: &str) -> Cow<'_, str> {
    let sql = sql.trim_end();
    let locks = ["FOR NO KEY UPDATE", "FOR UPDATE", "FOR SHARE"];
    let unlocked = locks.iter().find_map(|lock| sql.strip_suffix(lock));
    let sql = unlocked.unwrap_or(sql);
    if sql.contains('$') {
        Cow::Owned(sql.replace('$', "?"))
    } else {
        Cow::Borrowed(sql)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
