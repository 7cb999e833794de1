//! Converts statement values to PostgreSQL types.

use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::store::value::Value;

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
