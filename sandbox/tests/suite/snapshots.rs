//! Snapshots of a merchant with many records: complete, without blocking other merchants.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{join, join_all};
use sandbox::store::{Merchant, StoreError};

use crate::bench::{Bench, purchase};
use crate::databases::{self, Fresh};

/// The number of the merchant's purchases.
const MANY: usize = 3_000;
/// The fewest purchases of another merchant while these are copied or removed. With a single commit
/// on a file, only one or two succeeded.
const ON_A_FILE: usize = 8;
/// The same on PostgreSQL, where a commit takes longer.
const ON_POSTGRES: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn other_merchants_are_served_meanwhile() {
    serves_others(databases::file(), ON_A_FILE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_merchants_are_served_meanwhile_on_postgres() {
    if let Some(fresh) = databases::postgres() {
        serves_others(fresh, ON_POSTGRES).await;
    }
}

async fn serves_others(fresh: Fresh, few: usize) {
    let bench = Bench::on(fresh).await;
    let other = bench.other_merchant().await;
    let keys: Vec<_> = (0..MANY).map(|number| format!("order-{number}")).collect();
    for some in keys.chunks(250) {
        join_all(some.iter().map(|key| bench.purchase(key, "accept"))).await;
    }
    let before = rows(&bench).await;
    let (number, made) = while_others_buy(&bench, other, "taken", bench.snapshot()).await;
    assert!(made >= few, "{made} while the snapshot was taken");
    bench.purchase("later", "accept").await;
    let restored = bench.service.restore(bench.merchant, number);
    let (restored, made) = while_others_buy(&bench, other, "restored", restored).await;
    restored.unwrap();
    assert!(made >= few, "{made} while the snapshot was restored");
    bench.audit().await;
    let removed = bench.service.remove_snapshot(bench.merchant, number);
    let (removed, made) = while_others_buy(&bench, other, "removed", removed).await;
    removed.unwrap();
    assert!(made >= few, "{made} while the snapshot was removed");
    assert_eq!(
        rows(&bench).await,
        before,
        "the restored records are those of the snapshot"
    );
    bench.audit().await;
}

/// Runs `work` while another merchant creates purchases; returns their number.
async fn while_others_buy<T>(
    bench: &Bench,
    other: Merchant,
    name: &str,
    work: impl Future<Output = T>,
) -> (T, usize) {
    let ended = AtomicBool::new(false);
    let work = async {
        let result = work.await;
        ended.store(true, Ordering::SeqCst);
        result
    };
    let buying = async {
        let mut made = 0;
        while !ended.load(Ordering::SeqCst) {
            let mut submission = bench.submission(&format!("{name}-{made}"), "");
            submission.merchant = other;
            let answer = bench
                .service
                .create_purchase(submission, purchase("accept"));
            answer.await.unwrap();
            made += 1;
        }
        made
    };
    join(work, buying).await
}

/// The numbers of transactions, entries and answers of the bench's merchant.
async fn rows(bench: &Bench) -> Vec<i64> {
    let merchant = bench.merchant;
    let count = move |connection: &sandbox::store::Connection| {
        let counted = ["transactions", "entries", "answers", "balances", "tenants"].map(|table| {
            let sql = format!(
                "SELECT count(*) FROM {table} WHERE {} = (SELECT tenant_id FROM merchants WHERE id = {})",
                if table == "tenants" { "id" } else { "tenant_id" },
                merchant.0
            );
            connection.value(&sql, &[])
        });
        counted
            .into_iter()
            .collect::<Result<Vec<i64>, StoreError>>()
    };
    bench.service.store().read(count).await.unwrap()
}
