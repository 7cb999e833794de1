//! Snapshots of a merchant's records: take, list, restore, remove.

use super::{Failure, Service};
use crate::domain::text::bounded;
use crate::domain::{Code, Rejection};
use crate::store::Merchant;
use crate::store::snapshots::{self, Snapshot};

/// How many snapshots a merchant may have: each is a copy of all its records.
pub const MOST: i64 = 20;
/// The longest name, in characters.
pub const LONGEST_NAME: usize = 64;

impl Service {
    /// Keeps a merchant's records as they are, under the next number.
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
        self.whole(merchant, move |connection| {
            if snapshots::count(connection, merchant)? >= MOST {
                let detail = format!("the tenant has {MOST} snapshots: remove one first");
                return Err(Rejection::new(Code::IllegalState, detail).into());
            }
            Ok(snapshots::take(connection, merchant, name.as_deref(), now)?)
        })
        .await
    }

    /// A merchant's snapshots, the oldest first.
    pub async fn snapshots(&self, merchant: Merchant) -> Result<Vec<Snapshot>, Failure> {
        self.store
            .read(move |connection| Ok(snapshots::of(connection, merchant)?))
            .await
    }

    /// Gives a merchant the records of a snapshot.
    pub async fn restore(&self, merchant: Merchant, number: i64) -> Result<(), Failure> {
        let now = self.machine_time();
        self.whole(merchant, move |connection| {
            known(snapshots::restore(connection, merchant, number, now)?)
        })
        .await?;
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

fn known(found: bool) -> Result<(), Failure> {
    if found {
        Ok(())
    } else {
        Err(Rejection::unknown("snapshot").into())
    }
}
