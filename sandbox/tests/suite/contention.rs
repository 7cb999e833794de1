//! Concurrent commands on the same records.

use futures_util::future::join_all;
use jiff::SignedDuration;
use sandbox::details::TransactionDetails;
use sandbox::domain::Code;
use sandbox::domain::amount::RequestedAmount;
use sandbox::service::{Answer, Target, purchases};
use sandbox::store::{self, Collection, StoreError};
use uuid::Uuid;

use crate::bench::{Bench, code, id, purchase};

on_both! {
    one_of_sixteen_parallel_refunds_that_stay_pending_is_active,
    parallel_refunds_never_exceed_the_captured_amount,
    the_database_refuses_a_second_active_refund_and_an_excessive_refund,
    sixteen_parallel_purchases_with_one_key_are_one_purchase,
    one_of_sixteen_parallel_captures_succeeds,
    one_of_parallel_captures_and_cancellations_comes_first,
    an_active_refund_is_cancelled_once_and_another_one_can_follow,
    parallel_payouts_do_not_exceed_the_balance
}

async fn one_of_sixteen_parallel_refunds_that_stay_pending_is_active(bench: Bench) {
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
        bench
            .view(Collection::Transactions, purchase)
            .await
            .refunds
            .len(),
        1
    );
    bench.audit().await;
}

async fn parallel_refunds_never_exceed_the_captured_amount(bench: Bench) {
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
        bench.audit().await;
        bench.clock.forward(SignedDuration::from_secs(2));
        bench.service.fire_all().await.unwrap();
        let view = bench.view(Collection::Transactions, purchase).await;
        assert!(view.record.transaction.refunded <= 1000);
        assert_eq!(view.record.transaction.refunding, 0);
        bench.audit().await;
    }
}

async fn the_database_refuses_a_second_active_refund_and_an_excessive_refund(bench: Bench) {
    let id = bench.purchase("order-1", "accept").await;
    bench
        .refund("refund-1", id, "4.00", "pending")
        .await
        .unwrap();
    let view = bench.view(Collection::Transactions, id).await;
    let mut twin = view.refunds[0].clone();
    twin.transaction.id = Uuid::new_v4();
    "refund-2".clone_into(&mut twin.transaction.merchant_transaction_id);
    let store = bench.service.store();
    let inserted: Result<(), StoreError> = store
        .write(move |connection| store::insert(connection, &twin))
        .await;
    // A conflict or a refusal, depending on what else may write.
    let refused = inserted.unwrap_err();
    let text = refused.to_string();
    assert!(
        matches!(refused, StoreError::Stale) || text.contains("UNIQUE"),
        "{text}"
    );

    let before = view.record;
    let mut greedy = before.transaction.clone();
    greedy.refunded = 601;
    let (record, more) = (before.clone(), greedy.clone());
    let updated: Result<(), StoreError> = store
        .write(move |connection| {
            store::update(connection, &record, &more, &TransactionDetails::default())
        })
        .await;
    let text = updated.unwrap_err().to_string().to_lowercase();
    assert!(text.contains("check"), "{text}");
    let stale = store::Record {
        version: before.version - 1,
        ..before
    };
    let updated: Result<(), StoreError> = store
        .write(move |connection| {
            store::update(
                connection,
                &stale,
                &stale.transaction,
                &TransactionDetails::default(),
            )
        })
        .await;
    assert!(matches!(updated, Err(StoreError::Stale)), "{updated:?}");
    bench.audit().await;
}

async fn sixteen_parallel_purchases_with_one_key_are_one_purchase(bench: Bench) {
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
    bench.audit().await;
}

async fn one_of_sixteen_parallel_captures_succeeds(bench: Bench) {
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
        bench.service.capture_purchase(
            bench.merchant,
            target.clone(),
            RequestedAmount::default(),
            None,
        )
    });
    let answers = join_all(captures).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for refused in answers.into_iter().filter(Result::is_err) {
        assert_eq!(code(refused), Code::IllegalState);
    }
    bench.audit().await;
}

async fn one_of_parallel_captures_and_cancellations_comes_first(bench: Bench) {
    let wish = purchases::Create {
        two_step: true,
        ..purchase("accept")
    };
    let submission = bench.submission("order-1", "");
    let made = bench.service.create_purchase(submission, wish).await;
    let made = id(&made.unwrap());
    let (service, merchant) = (&bench.service, bench.merchant);
    let twins = (0..16).map(async |number| {
        let target = Target::Id(made);
        if number % 2 == 0 {
            let all = RequestedAmount::default();
            service.capture_purchase(merchant, target, all, None).await
        } else {
            service.cancel_transaction(merchant, target).await
        }
    });
    let (won, refused): (Vec<_>, Vec<_>) =
        join_all(twins).await.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), refused.len()), (1, 15));
    for refused in refused {
        assert_eq!(code(refused), Code::IllegalState);
    }
    let status = bench.status(made).await;
    assert!(["ACCEPTED", "CANCELLED"].contains(&status), "{status}");
    bench.audit().await;
}

async fn an_active_refund_is_cancelled_once_and_another_one_can_follow(bench: Bench) {
    let purchase = bench.purchase("order-1", "accept").await;
    let active = bench.refund("refund-1", purchase, "10.00", "pending").await;
    let active = id(&active.unwrap());
    let (service, merchant, bench) = (&bench.service, bench.merchant, &bench);
    let twins = (0..16).map(async |number| {
        if number % 2 == 0 {
            let key = format!("twin-{number}");
            let refund = bench.refund(&key, purchase, "10.00", "pending").await;
            refund.map(|_| true)
        } else {
            let cancelled = service.cancel_transaction(merchant, Target::Id(active));
            cancelled.await.map(|_| false)
        }
    });
    let answers = join_all(twins).await;
    let count = |refund| {
        let won = answers.iter().filter_map(|answer| answer.as_ref().ok());
        won.filter(|won| **won == refund).count()
    };
    assert_eq!(count(false), 1);
    assert!(count(true) <= 1);
    let view = bench.view(Collection::Transactions, purchase).await;
    let refunds = view.refunds.iter();
    let pending = refunds.filter(|refund| refund.transaction.status.wire() == "PENDING");
    assert_eq!(pending.count(), count(true));
    bench.audit().await;
}

async fn parallel_payouts_do_not_exceed_the_balance(bench: Bench) {
    let keys: Vec<_> = (0..16).map(|number| format!("payout-{number}")).collect();
    let payouts = keys
        .iter()
        .map(|key| bench.payout(key, "PCL_CARD", "300000000.00", "pending"));
    let made = join_all(payouts).await;
    let mut statuses = Vec::new();
    for id in made {
        let view = bench.view(Collection::Payouts, id).await;
        statuses.push(view.record.transaction.status.wire());
    }
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count("PENDING"), count("REJECTED")), (3, 13));
    bench.audit().await;
}
