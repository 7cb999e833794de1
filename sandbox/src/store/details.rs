//! Stores descriptive fields as JSON with a format version.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use crate::details::{
    CardDetails, CardEntryDetails, CustomerDetails, InstantRecipientDetails, PaymentLinkDetails,
    TransactionDetails,
};

/// The format version. Raise it, and add a migration, when a type in [`crate::details`] can no longer read earlier
/// rows.
pub(super) const VERSION: u32 = 1;

/// Details with their format version.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    version: u32,
    fields: T,
}

/// Returns what is wrong with a stored text.
type Check = fn(&str) -> Result<(), String>;

/// The tables with details: name, column that identifies a row, parser.
const TABLES: [(&str, &str, Check); 7] = [
    ("customers", "id", check::<CustomerDetails>),
    ("instant_recipients", "id", check::<InstantRecipientDetails>),
    ("cards", "id", check::<CardDetails>),
    ("card_entries", "customer_id", check::<CardEntryDetails>),
    ("payment_links", "id", check::<PaymentLinkDetails>),
    ("subscriptions", "id", check::<TransactionDetails>),
    ("transactions", "id", check::<TransactionDetails>),
];

/// The rows whose details cannot be parsed: table, id and cause.
pub(super) fn unreadable(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    for (table, name, check) in TABLES {
        let sql = format!("SELECT {name}, details FROM {table}");
        connection.each(&sql, &[], |row| {
            let (id, details): (String, String) = (row.at(0)?, row.at(1)?);
            if let Err(cause) = check(&details) {
                found.push(format!("{table} {id}: {cause}"));
            }
            Ok(())
        })?;
    }
    Ok(found)
}

fn check<T: DeserializeOwned>(text: &str) -> Result<(), String> {
    parse::<T>(text).map(drop)
}

/// Serializes details for a row.
pub(super) fn text<T: Serialize>(details: &T) -> Result<String, StoreError> {
    let versioned = Versioned {
        version: VERSION,
        fields: details,
    };
    serde_json::to_string(&versioned).map_err(|_| StoreError::Corrupt("details"))
}

/// Parses the details of a row.
pub(super) fn read<T: DeserializeOwned>(
    row: &Row<'_>,
    table: &'static str,
) -> Result<T, StoreError> {
    let text: String = row.get("details")?;
    parse(&text).map_err(|cause| {
        // Some tables have no column `id`.
        let id: Option<String> = row.get("id").ok();
        StoreError::Details {
            table,
            id: id.unwrap_or_else(|| "with an unknown id".to_owned()),
            cause,
        }
    })
}

/// Parses a stored text. The error names a position and never quotes the text, which may hold personal data.
fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    match serde_json::from_str::<Versioned<T>>(text) {
        Ok(Versioned {
            version: VERSION,
            fields,
        }) => return Ok(fields),
        Ok(_) => {}
        Err(error) => {
            let found = serde_json::from_str(text).map(|Version { version }| version);
            if found.is_err() || found.is_ok_and(|version| version == VERSION) {
                let (line, column) = (error.line(), error.column());
                return Err(format!("in an unknown format at {line}:{column}"));
            }
        }
    }
    Err(format!(
        "in another format version, this program reads {VERSION}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::details::CustomerDetails;

    #[test]
    fn details_read_back_unchanged() {
        let details = CustomerDetails {
            email: Some("a@example.com".to_owned()),
            ..CustomerDetails::default()
        };
        let kept = text(&details).unwrap();
        assert_eq!(kept, r#"{"version":1,"fields":{"email":"a@example.com"}}"#);
        assert_eq!(parse(&kept), Ok(details));
    }

    #[test]
    fn an_error_names_a_position_and_quotes_nothing() {
        let table = [
            ("", "in an unknown format at 1:0"),
            (
                r#"{"version":1,"fields":{"email":7}}"#,
                "in an unknown format at 1:32",
            ),
            (r#"{"email":"a"}"#, "in an unknown format at 1:13"),
            (r#"{"version":1}"#, "in an unknown format at 1:13"),
            (
                r#"{"version":2,"fields":{}}"#,
                "in another format version, this program reads 1",
            ),
            (
                r#"{"version":2,"name":"a"}"#,
                "in another format version, this program reads 1",
            ),
        ];
        for (kept, expected) in table {
            let refused = parse::<CustomerDetails>(kept).unwrap_err();
            assert_eq!(refused, expected, "{kept}");
        }
    }
}
