//! Commands at the same time, on the same things.

use futures_util::future::join_all;
use jiff::SignedDuration;
use sandbox::domain::Code;
use sandbox::domain::amount::Wanted;
use sandbox::service::{Answer, Target, purchases};
use sandbox::store::{self, Collection, StoreError};
use uuid::Uuid;

use crate::bench::{Bench, code, id, purchase};

#[tokio::test]
async fn one_of_sixteen_parallel_refunds_that_stay_pending_is_active() {
    let bench = Bench::new().await;
    let purchase = bench.purchase("order-1", "accept").await;
    let keys: Vec<_> = (0..16).map(|number| format!("refund-{number}")).collect();
    let refunds = keys
        .iter()
        .map(|key| bench.refund(key, purchase, "1.00", "pending"));
    let answers = join_all(refunds).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for refused in answers.into_iter().filter(Result::is_err) {
        assert_eq!(code(refused), Code::RefundActive);
    }
    assert_eq!(
        bench.view(Collection::Transactions, purchase).refunds.len(),
        1
    );
    bench.audit();
}

#[tokio::test]
async fn parallel_refunds_never_give_back_more_than_was_taken() {
    let bench = Bench::new().await;
    let outcomes = [
        "accept",
        "reject",
        "pending;after=PT1S",
        "pending;after=PT1S;then=reject",
    ];
    for round in 0..8 {
        let purchase = bench.purchase(&format!("order-{round}"), "accept").await;
        let keys: Vec<_> = (0..16)
            .map(|number| format!("refund-{round}-{number}"))
            .collect();
        let refunds = keys.iter().enumerate().map(|(number, key)| {
            bench.refund(
                key,
                purchase,
                "3.00",
                outcomes[(number + round) % outcomes.len()],
            )
        });
        join_all(refunds).await;
        bench.audit();
        bench.clock.forward(SignedDuration::from_secs(2));
        bench.service.settle_due().await.unwrap();
        let view = bench.view(Collection::Transactions, purchase);
        assert!(view.record.transaction.refunded <= 1000);
        assert_eq!(view.record.transaction.refunding, 0);
        bench.audit();
    }
}

#[tokio::test]
async fn the_database_itself_refuses_a_second_active_refund_and_too_much_money_back() {
    let bench = Bench::new().await;
    let id = bench.purchase("order-1", "accept").await;
    bench
        .refund("refund-1", id, "4.00", "pending")
        .await
        .unwrap();
    let view = bench.view(Collection::Transactions, id);
    let mut twin = view.refunds[0].clone();
    twin.transaction.id = Uuid::new_v4();
    twin.transaction.merchant_transaction_id = "refund-2".to_owned();
    let inserted: Result<(), StoreError> = bench
        .service
        .store()
        .write(move |connection| store::insert(connection, &twin))
        .await;
    assert!(matches!(inserted, Err(StoreError::Sqlite(text)) if text.contains("UNIQUE")));

    let before = view.record.transaction;
    let mut greedy = before.clone();
    greedy.refunded = 601;
    let stale = greedy.clone();
    let updated: Result<(), StoreError> = bench
        .service
        .store()
        .write(move |connection| store::update(connection, &before, &greedy, "{}"))
        .await;
    assert!(matches!(updated, Err(StoreError::Sqlite(text)) if text.contains("CHECK")));
    let updated: Result<(), StoreError> = bench
        .service
        .store()
        .write(move |connection| store::update(connection, &stale, &stale, "{}"))
        .await;
    assert!(matches!(updated, Err(StoreError::Stale)), "{updated:?}");
    bench.audit();
}

#[tokio::test]
async fn sixteen_parallel_purchases_with_one_key_are_one_purchase() {
    let bench = Bench::new().await;
    let purchases = (0..16).map(|_| {
        bench
            .service
            .create_purchase(bench.submission("order-1", "body"), purchase("accept"))
    });
    let answers: Vec<_> = join_all(purchases)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert!(answers.iter().all(|answer| id(answer) == id(&answers[0])));
    let made = |answer: &&Answer| matches!(answer, Answer::Made(_));
    assert_eq!(answers.iter().filter(made).count(), 1);
    let other = bench.submission("order-1", "another body");
    let refused = bench
        .service
        .create_purchase(other, purchase("accept"))
        .await;
    assert_eq!(code(refused), Code::KeyReused);
    bench.audit();
}

#[tokio::test]
async fn one_of_sixteen_parallel_captures_takes_the_money() {
    let bench = Bench::new().await;
    let wish = purchases::Create {
        two_step: true,
        ..purchase("accept")
    };
    let made = bench
        .service
        .create_purchase(bench.submission("order-1", ""), wish)
        .await;
    let target = Target::Id(id(&made.unwrap()));
    let captures = (0..16).map(|_| {
        bench
            .service
            .capture_purchase(bench.tenant, target.clone(), Wanted::default(), None)
    });
    let answers = join_all(captures).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for refused in answers.into_iter().filter(Result::is_err) {
        assert_eq!(code(refused), Code::IllegalState);
    }
    bench.audit();
}

#[tokio::test]
async fn parallel_payouts_take_no_more_than_there_is() {
    let bench = Bench::new().await;
    let keys: Vec<_> = (0..16).map(|number| format!("payout-{number}")).collect();
    let payouts = keys
        .iter()
        .map(|key| bench.payout(key, "PCL_CARD", "300000000.00", "pending"));
    let made = join_all(payouts).await;
    let status = |id: &Uuid| {
        bench
            .view(Collection::Payouts, *id)
            .record
            .transaction
            .status
            .wire()
    };
    assert_eq!(made.iter().filter(|id| status(id) == "PENDING").count(), 3);
    assert_eq!(
        made.iter().filter(|id| status(id) == "REJECTED").count(),
        13
    );
    bench.audit();
}
