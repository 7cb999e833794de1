//! Details as rows hold them: JSON, with the version of its form.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use crate::details::{
    CardDetails, CardEntryDetails, CustomerDetails, InstantRecipientDetails, PaymentLinkDetails,
    TransactionDetails,
};

/// The version of the form. A change of a type in [`crate::details`] that cannot read earlier rows raises it,
/// together with a migration.
pub(super) const VERSION: u32 = 1;

/// Details, with the version of their form before them.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    version: u32,
    fields: T,
}

/// What is wrong with a text that a row holds, if anything.
type Check = fn(&str) -> Result<(), String>;

/// The tables whose rows have details, what names a row, and how its details are read.
const TABLES: [(&str, &str, Check); 7] = [
    ("customers", "id", check::<CustomerDetails>),
    ("instant_recipients", "id", check::<InstantRecipientDetails>),
    ("cards", "id", check::<CardDetails>),
    ("card_entries", "customer_id", check::<CardEntryDetails>),
    ("payment_links", "id", check::<PaymentLinkDetails>),
    ("subscriptions", "id", check::<TransactionDetails>),
    ("transactions", "id", check::<TransactionDetails>),
];

/// The rows whose details cannot be read, each with its table and with what is wrong.
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

/// The text that a row holds.
pub(super) fn text<T: Serialize>(details: &T) -> Result<String, StoreError> {
    let versioned = Versioned {
        version: VERSION,
        fields: details,
    };
    serde_json::to_string(&versioned).map_err(|_| StoreError::Corrupt("details"))
}

/// The details that a row of a table holds.
pub(super) fn read<T: DeserializeOwned>(
    row: &Row<'_>,
    table: &'static str,
) -> Result<T, StoreError> {
    let text: String = row.get("details")?;
    parse(&text).map_err(|cause| {
        // Not every table names its rows so.
        let id: Option<String> = row.get("id").ok();
        StoreError::Details {
            table,
            id: id.unwrap_or_else(|| "of an unknown id".to_owned()),
            cause,
        }
    })
}

/// Reads the text of a row, or says why it cannot, without a word of what it holds.
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
                return Err(format!("not of the known form at {line}:{column}"));
            }
        }
    }
    Err(format!("of another version, this program reads {VERSION}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::details::CustomerDetails;

    #[test]
    fn details_are_read_as_they_were_written() {
        let details = CustomerDetails {
            email: Some("a@example.com".to_owned()),
            ..CustomerDetails::default()
        };
        let kept = text(&details).unwrap();
        assert_eq!(kept, r#"{"version":1,"fields":{"email":"a@example.com"}}"#);
        assert_eq!(parse(&kept), Ok(details));
    }

    #[test]
    fn what_cannot_be_read_is_told_without_what_it_holds() {
        let table = [
            ("", "not of the known form at 1:0"),
            (
                r#"{"version":1,"fields":{"email":7}}"#,
                "not of the known form at 1:32",
            ),
            (r#"{"email":"a"}"#, "not of the known form at 1:13"),
            (r#"{"version":1}"#, "not of the known form at 1:13"),
            (
                r#"{"version":2,"fields":{}}"#,
                "of another version, this program reads 1",
            ),
            (
                r#"{"version":2,"name":"a"}"#,
                "of another version, this program reads 1",
            ),
        ];
        for (kept, expected) in table {
            let refused = parse::<CustomerDetails>(kept).unwrap_err();
            assert_eq!(refused, expected, "{kept}");
        }
    }
}
