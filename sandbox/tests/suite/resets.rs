//! Resets remove all earlier records.

use std::sync::{Arc, Mutex};

use futures_util::future::join_all;
use sandbox::domain::Code;
use sandbox::seed;
use sandbox::service::Target;
use sandbox::service::timer_kind::Kind;
use sandbox::store::{Collection, Connection, StoreError, tenants};

use crate::bench::{Bench, code, purchase};

on_both! {
    a_reset_leaves_no_earlier_rows,
    the_ledger_of_a_snapshot_is_not_removed,
    writes_during_a_reset_are_answered,
    an_unfinished_reset_is_completed_at_the_start,
}

/// Tables that grow with every command.
const GROWING: [&str; 5] = ["tenants", "transactions", "answers", "entries", "balances"];

/// The number of rows in these tables.
async fn rows(bench: &Bench) -> Vec<i64> {
    let count = |connection: &Connection| {
        let tables = GROWING.iter();
        let counted =
            tables.map(|table| connection.value(&format!("SELECT count(*) FROM {table}"), &[]));
        counted.collect::<Result<Vec<i64>, StoreError>>()
    };
    bench.service.store().read(count).await.unwrap()
}

async fn a_reset_leaves_no_earlier_rows(bench: Bench) {
    let new = rows(&bench).await;
    for _ in 0..3 {
        let id = bench.purchase("order-1", "accept").await;
        bench
            .refund("refund-1", id, "4.00", "pending")
            .await
            .unwrap();
        bench
            .payout("payout-1", "PCL_CRYPTO", "5.00", "accept")
            .await;
        assert_ne!(rows(&bench).await, new);
        bench.service.reset(bench.merchant).await.unwrap();
        assert_eq!(rows(&bench).await, new);
        for target in [Target::Id(id), Target::Key("order-1".to_owned())] {
            let found = bench
                .service
                .find(bench.merchant, Collection::Transactions, target);
            assert_eq!(code(found.await), Code::UnknownRecord);
        }
    }
    bench.audit().await;
}

async fn the_ledger_of_a_snapshot_is_not_removed(bench: Bench) {
    bench.purchase("order-1", "accept").await;
    let number = bench.snapshot().await;
    bench.service.reset(bench.merchant).await.unwrap();
    let removed: Result<u64, StoreError> = bench
        .service
        .store()
        .write(|connection| {
            let kept = "tenant_id IN (SELECT tenant_id FROM snapshots)";
            connection.execute(&format!("DELETE FROM entries WHERE {kept}"), &[])
        })
        .await;
    assert!(removed.unwrap_err().to_string().contains("append-only"));
    let kept = rows(&bench).await;
    for _ in 0..2 {
        bench.service.restore(bench.merchant, number).await.unwrap();
        bench
            .view(Collection::Transactions, bench.purchase_of("order-1").await)
            .await;
    }
    // The restored tenant has the size of the snapshot, and there is only one.
    assert_eq!(rows(&bench).await[0], kept[0]);
    bench.audit().await;
}

async fn writes_during_a_reset_are_answered(bench: Bench) {
    let writers = (0..4).map(|writer| {
        let bench = &bench;
        async move {
            for order in 0..10 {
                let key = format!("order-{writer}-{order}");
                let made = bench.submission(&key, "");
                let made = bench.service.create_purchase(made, purchase("accept"));
                made.await.unwrap();
            }
        }
    });
    let resets = async {
        for _ in 0..5 {
            bench.service.reset(bench.merchant).await.unwrap();
        }
    };
    futures_util::future::join(join_all(writers), resets).await;
    bench.service.reset(bench.merchant).await.unwrap();
    assert_eq!(rows(&bench).await[..2], [1, 0]);
    bench.audit().await;
}

/// On PostgreSQL, where other connections write during a command.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_overtaken_by_a_reset_runs_again() {
    let Some(fresh) = crate::databases::postgres() else {
        return;
    };
    let bench = Bench::on(fresh).await;
    let (begun, mut runs) = tokio::sync::mpsc::unbounded_channel();
    let (go_on, going_on) = std::sync::mpsc::channel::<()>();
    let (service, going_on) = (Arc::clone(&bench.service), Mutex::new(going_on));
    let merchant = bench.merchant;
    let overtaken = tokio::spawn(async move {
        let write = service.command(merchant, move |work| {
            begun.send(work.tenant).unwrap();
            // Waits for the reset; the second run waits for nothing.
            let _ = going_on.lock().unwrap().recv();
            work.schedule(Kind::Report, "overtaken", Some(work.now))
        });
        write.await
    });
    let first = runs.recv().await.unwrap();
    bench.service.reset(bench.merchant).await.unwrap();
    drop(go_on);
    overtaken.await.unwrap().unwrap();
    assert_ne!(runs.recv().await.unwrap(), first);
    assert_eq!(rows(&bench).await[0], 1);
}

async fn an_unfinished_reset_is_completed_at_the_start(bench: Bench) {
    bench.purchase("order-1", "accept").await;
    let (merchant, now) = (bench.merchant, bench.service.machine_time());
    let half: Result<(), sandbox::service::Failure> = bench
        .service
        .store()
        .write(move |connection| {
            let tenant = tenants::empty(connection, merchant, now)?;
            Ok(seed::tenant(connection, tenant, now)?)
        })
        .await;
    half.unwrap();
    assert_eq!(rows(&bench).await[..2], [2, 1]);
    bench.service.sweep().await.unwrap();
    assert_eq!(rows(&bench).await[..2], [1, 0]);
    bench.audit().await;
}

impl Bench {
    /// The id of the purchase with this key.
    async fn purchase_of(&self, key: &str) -> uuid::Uuid {
        let target = Target::Key(key.to_owned());
        let found = self
            .service
            .find(self.merchant, Collection::Transactions, target);
        found.await.unwrap().record.transaction.id
    }
}
