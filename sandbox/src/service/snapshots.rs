//! Snapshots of a merchant's records: take, list, restore and remove.

use super::{Failure, Service};
use crate::domain::text::bounded;
use crate::domain::{Code, Rejection};
use crate::store::snapshots::{self, Snapshot};
use crate::store::{Connection, Merchant, StoreError, tenants};

/// The most snapshots of a merchant: each is a copy of all its records.
pub const MOST: i64 = 20;
/// The longest name of a snapshot, in characters.
pub const LONGEST_NAME: usize = 64;

impl Service {
    /// Copies a merchant's records to a snapshot with the next number.
    ///
    /// # Errors
    /// The merchant has [`MOST`] snapshots, or the name is empty or longer than [`LONGEST_NAME`].
    pub async fn take_snapshot(
        &self,
        merchant: Merchant,
        name: Option<String>,
    ) -> Result<Snapshot, Failure> {
        let now = self.machine_time();
        if let Some(name) = &name {
            bounded(name, 1..=LONGEST_NAME, "/name")?;
        }
        let room = move |connection: &Connection| room(connection, merchant);
        self.store.read(room).await?;
        let copying = self.copies.read().await;
        let present = move |connection: &Connection| {
            Ok::<_, Failure>(Some(tenants::present(connection, merchant)?.tenant))
        };
        let copy = self.store.copy(now, present).await?;
        let copy = copy.ok_or(StoreError::Corrupt("merchant"))?;
        let called = name.clone();
        let kept = self.whole(merchant, move |connection| {
            room(connection)?;
            let name = called.as_deref();
            Ok(snapshots::keep(connection, merchant, copy, name)?)
        });
        let kept = kept.await;
        drop(copying);
        if kept.is_err() {
            self.sweep_or_tell().await;
        }
        Ok(Snapshot {
            number: kept?,
            name,
            taken_at: now,
        })
    }

    /// A merchant's snapshots, oldest first.
    pub async fn snapshots(&self, merchant: Merchant) -> Result<Vec<Snapshot>, Failure> {
        self.store
            .read(move |connection| Ok(snapshots::of(connection, merchant)?))
            .await
    }

    /// Replaces a merchant's records by those of a snapshot.
    pub async fn restore(&self, merchant: Merchant, number: i64) -> Result<(), Failure> {
        let now = self.machine_time();
        let copying = self.copies.read().await;
        let kept = move |connection: &Connection| {
            Ok::<_, Failure>(snapshots::find(connection, merchant, number)?)
        };
        let copy = self.store.copy(now, kept).await?;
        let copy = copy.ok_or_else(|| Rejection::unknown("snapshot"))?;
        self.whole(merchant, move |connection| {
            Ok(tenants::move_to(connection, merchant, copy)?)
        })
        .await?;
        drop(copying);
        self.sweep_or_tell().await;
        self.alarm.notify_one();
        self.announced.notify_one();
        Ok(())
    }

    /// Removes a snapshot.
    pub async fn remove_snapshot(&self, merchant: Merchant, number: i64) -> Result<(), Failure> {
        self.whole(merchant, move |connection| {
            known(snapshots::remove(connection, merchant, number)?)
        })
        .await?;
        self.sweep_or_tell().await;
        Ok(())
    }

    /// Removes every snapshot of a merchant.
    pub async fn remove_snapshots(&self, merchant: Merchant) -> Result<(), Failure> {
        self.whole(merchant, move |connection| {
            Ok(snapshots::remove_all(connection, merchant)?)
        })
        .await?;
        self.sweep_or_tell().await;
        Ok(())
    }
}

/// Refuses when the merchant already has [`MOST`] snapshots.
fn room(connection: &Connection, merchant: Merchant) -> Result<(), Failure> {
    if snapshots::count(connection, merchant)? < MOST {
        return Ok(());
    }
    let detail = format!("the tenant has {MOST} snapshots: remove one first");
    Err(Rejection::new(Code::IllegalState, detail).into())
}

fn known(found: bool) -> Result<(), Failure> {
    if found {
        Ok(())
    } else {
        Err(Rejection::unknown("snapshot").into())
    }
}
