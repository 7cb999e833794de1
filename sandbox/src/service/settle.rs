//! Endings that come by themselves, when they are due.

use std::time::Duration;

use futures_util::future::join_all;
use jiff::Timestamp;
use rusqlite::Connection;
use uuid::Uuid;

use super::apply::change;
use super::{Failure, Service, Target};
use crate::domain::state::Kind;
use crate::domain::transaction::Transaction;
use crate::domain::{payout, purchase, refund};
use crate::store::{self, Collection, Record, Tenant};

/// How many endings are settled in one go.
const BATCH: u32 = 128;
/// How long to wait after trouble with the database.
const PAUSE: Duration = Duration::from_secs(1);

impl Service {
    /// Settles whatever is due, now and as it becomes due; does not end by itself.
    pub async fn keep_settling(&self) {
        loop {
            let wait = match self.settle_due().await {
                Ok(()) => self.until_next(),
                Err(error) => Err(error),
            };
            let wait = wait.unwrap_or_else(|error| {
                tracing::error!(%error, "cannot settle what is due");
                Some(PAUSE)
            });
            let sleep = async {
                match wait {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = sleep => {}
                () = self.alarm.notified() => {}
            }
        }
    }

    /// Settles everything that is due by now, in the order it became due.
    pub async fn settle_due(&self) -> Result<(), Failure> {
        loop {
            let now = self.now();
            let due: Vec<Record> = self
                .store
                .read(|connection| store::due(connection, now, BATCH))?;
            if due.is_empty() {
                return Ok(());
            }
            // Queued in order and committed together.
            let settled = join_all(due.iter().map(|record| self.settle_one(record, now))).await;
            settled.into_iter().collect::<Result<(), _>>()?;
        }
    }

    async fn settle_one(&self, record: &Record, now: Timestamp) -> Result<(), Failure> {
        let (tenant, id) = (record.tenant, record.transaction.id);
        let collection = Collection::of(record.transaction.kind);
        let settled = self
            .store
            .write(move |connection| settle(connection, tenant, collection, id, now))
            .await;
        let Err(Failure::Rejected(rejection)) = settled else {
            return settled;
        };
        // What the rules refuse now they will refuse for ever: it stays as it is.
        tracing::error!(%id, %rejection, "an ending was due that is not possible");
        self.store
            .write(move |connection| {
                let before = Target::Id(id).load(connection, tenant, collection)?;
                let after = Transaction {
                    due: None,
                    ..before.transaction.clone()
                };
                Ok(store::update(
                    connection,
                    &before.transaction,
                    &after,
                    &before.details,
                )?)
            })
            .await
    }

    fn until_next(&self) -> Result<Option<Duration>, Failure> {
        let next: Option<Timestamp> = self.store.read(store::next_due)?;
        let until = |at: Timestamp| at.duration_since(self.now());
        // What lies in the past cannot be slept for: no time at all, then.
        Ok(next.map(|at| Duration::try_from(until(at)).unwrap_or(Duration::ZERO)))
    }
}

/// Applies the ending of one transaction, provided that it still is due.
fn settle(
    connection: &Connection,
    tenant: Tenant,
    collection: Collection,
    id: Uuid,
    now: Timestamp,
) -> Result<(), Failure> {
    let before = Target::Id(id).load(connection, tenant, collection)?;
    let transaction = before.transaction.clone();
    let Some(due) = transaction.due.clone().filter(|due| due.at <= now) else {
        return Ok(());
    };
    let after = match transaction.kind {
        Kind::Purchase => purchase::settle(transaction, due.then, now)?,
        Kind::Payout => payout::settle(transaction, due.then, now)?,
        Kind::Refund => {
            let parent = transaction.parent.map(Target::Id);
            let parent = parent.ok_or(store::StoreError::Corrupt("refund"))?;
            let parent = parent.load(connection, tenant, Collection::Transactions)?;
            let pair = refund::settle(transaction, parent.transaction.clone(), due.then, now)?;
            store::update(
                connection,
                &parent.transaction,
                &pair.purchase,
                &parent.details,
            )?;
            pair.refund
        }
    };
    change(connection, before, after, now)?;
    Ok(())
}
