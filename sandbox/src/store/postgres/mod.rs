//! PostgreSQL: several connections, each of which writes for itself.

mod pool;
mod session;

pub(super) use pool::Pool;
pub(super) use session::Session;

use tokio_postgres::Row;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use super::value::{Raw, Value};

/// The value of the column at that place.
pub(super) fn raw(row: &Row, place: usize) -> Option<Raw<'_>> {
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

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut tokio_postgres::types::private::BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(number) if *kind == Type::INT4 => {
                i32::try_from(*number)?.to_sql(kind, out)
            }
            Self::Integer(number) => number.to_sql(kind, out),
            Self::Text(text) => text.as_ref().to_sql(kind, out),
            Self::Blob(bytes) => bytes.as_ref().to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [
            Type::INT8,
            Type::INT4,
            Type::TEXT,
            Type::VARCHAR,
            Type::NAME,
            Type::BYTEA,
        ]
        .contains(kind)
    }

    to_sql_checked!();
}
