//! A row of a query result, from either database.

use std::cell::Cell;
use std::str::FromStr;

use rusqlite::types::ValueRef;
use tokio_postgres::types::Type;

use crate::store::error::StoreError;
use crate::store::value::{Column, Raw, Value};

/// A row of a result.
#[derive(Debug)]
pub struct Row<'a> {
    source: Source<'a>,
    /// The index to search first for the next column: most columns are read in order.
    next: Cell<usize>,
}

/// The row of the driver.
#[derive(Debug)]
enum Source<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl Row<'_> {
    /// The column with that name.
    pub fn get<T: Column>(&self, name: &'static str) -> Result<T, StoreError> {
        let place = self.place(name).ok_or(StoreError::Corrupt(name))?;
        self.next.set(place + 1);
        self.raw(place)?
            .and_then(T::read)
            .ok_or(StoreError::Corrupt(name))
    }

    /// The column at that index.
    pub fn at<T: Column>(&self, place: usize) -> Result<T, StoreError> {
        let raw = self.raw(place)?;
        raw.and_then(T::read).ok_or(StoreError::Corrupt("column"))
    }

    /// The column with that name, parsed from its text.
    pub fn parsed<T: FromStr>(&self, name: &'static str) -> Result<T, StoreError> {
        let text: String = self.get(name)?;
        text.parse().map_err(|_| StoreError::Corrupt(name))
    }

    /// Like [`Self::parsed`], but `None` when the column is null.
    pub fn optional<T: FromStr>(&self, name: &'static str) -> Result<Option<T>, StoreError> {
        let text: Option<String> = self.get(name)?;
        text.map(|text| text.parse().map_err(|_| StoreError::Corrupt(name)))
            .transpose()
    }

    /// All values of the row, to insert them elsewhere.
    pub(in crate::store) fn values(&self) -> Result<Vec<Value<'static>>, StoreError> {
        let value = |place| {
            Ok(
                match self.raw(place)?.ok_or(StoreError::Corrupt("column"))? {
                    Raw::Null => Value::Null,
                    Raw::Integer(number) => Value::Integer(number),
                    Raw::Text(text) => Value::Text(text.to_owned().into()),
                    Raw::Blob(bytes) => Value::Blob(bytes.to_owned().into()),
                },
            )
        };
        (0..self.source.columns()).map(value).collect()
    }

    fn place(&self, name: &str) -> Option<usize> {
        let (count, next) = (self.source.columns(), self.next.get());
        (next..count)
            .chain(0..next.min(count))
            .find(|place| self.source.is_named(*place, name))
    }

    fn raw(&self, place: usize) -> Result<Option<Raw<'_>>, StoreError> {
        Ok(match &self.source {
            Source::Sqlite(row) => of_sqlite(row.get_ref(place)?),
            Source::Postgres(row) => of_postgres(row, place),
        })
    }
}

impl Source<'_> {
    fn columns(&self) -> usize {
        match self {
            Self::Sqlite(row) => row.as_ref().column_count(),
            Self::Postgres(row) => row.len(),
        }
    }

    fn is_named(&self, place: usize, name: &str) -> bool {
        match self {
            Self::Sqlite(row) => row.as_ref().column_name(place) == Ok(name),
            Self::Postgres(row) => row.columns()[place].name() == name,
        }
    }
}

fn of_sqlite(value: ValueRef<'_>) -> Option<Raw<'_>> {
    match value {
        ValueRef::Null => Some(Raw::Null),
        ValueRef::Integer(number) => Some(Raw::Integer(number)),
        ValueRef::Text(text) => std::str::from_utf8(text).ok().map(Raw::Text),
        ValueRef::Blob(bytes) => Some(Raw::Blob(bytes)),
        ValueRef::Real(_) => None,
    }
}

/// The value of the column at that index.
fn of_postgres(row: &tokio_postgres::Row, place: usize) -> Option<Raw<'_>> {
    let kind = row.columns().get(place)?.type_();
    let raw = match *kind {
        Type::INT8 => row.try_get::<_, Option<i64>>(place).ok()?.map(Raw::Integer),
        Type::INT4 => {
            let number = row.try_get::<_, Option<i32>>(place).ok()?;
            number.map(|number| Raw::Integer(i64::from(number)))
        }
        Type::BOOL => {
            let flag = row.try_get::<_, Option<bool>>(place).ok()?;
            flag.map(|flag| Raw::Integer(i64::from(flag)))
        }
        Type::TEXT | Type::VARCHAR | Type::NAME => {
            row.try_get::<_, Option<&str>>(place).ok()?.map(Raw::Text)
        }
        Type::BYTEA => row.try_get::<_, Option<&[u8]>>(place).ok()?.map(Raw::Blob),
        _ => return None,
    };
    Some(raw.unwrap_or(Raw::Null))
}

/// A callback that receives each row.
pub(in crate::store) type Reader<'a> = dyn FnMut(&Row<'_>) -> Result<(), StoreError> + 'a;

impl<'a> From<&'a rusqlite::Row<'a>> for Row<'a> {
    fn from(row: &'a rusqlite::Row<'a>) -> Self {
        Self {
            source: Source::Sqlite(row),
            next: Cell::new(0),
        }
    }
}

impl<'a> From<&'a tokio_postgres::Row> for Row<'a> {
    fn from(row: &'a tokio_postgres::Row) -> Self {
        Self {
            source: Source::Postgres(row),
            next: Cell::new(0),
        }
    }
}
