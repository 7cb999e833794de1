//! Version 3: the ledger of a tenant without a merchant can be removed.

use crate::store::connection::Connection;
use crate::store::error::StoreError;
use crate::store::schema::append_only;

pub(super) const NUMBER: i64 = 3;

/// Replaces the triggers that forbid every removal by triggers that allow it for such ledgers.
pub(super) fn step(connection: &Connection) -> Result<(), StoreError> {
    connection.batch(if connection.is_postgres() {
        "DROP TRIGGER entries_are_not_changed ON entries; DROP FUNCTION refuse_change()"
    } else {
        "DROP TRIGGER entries_are_not_changed; DROP TRIGGER entries_are_not_removed"
    })?;
    connection.batch(append_only(connection))
}
