//! The outbox: which notifications it holds, and when they can be sent.

use std::time::Duration;

use jiff::SignedDuration;
use sandbox::domain::Code;
use sandbox::domain::notification::{ATTEMPTS, Faults, Reply, Status};
use sandbox::domain::signature::Secret;
use sandbox::service::{LeasedDelivery, NotificationHistory, purchases};
use serde_json::Value;
use uuid::Uuid;

use crate::bench::{Bench, code, id, notified_at, purchase};

const RECEIVER: &str = "http://127.0.0.1:1/notifications";

on_both! {
    every_change_is_notified_with_the_content_of_a_read,
    refunds_are_notified_to_the_receiver_of_their_purchase,
    a_refused_command_creates_no_notification,
    a_notification_is_leased_once,
    an_expired_lease_is_taken_again,
    notifications_of_a_transaction_are_sent_in_order,
    a_notification_is_sent_on_its_schedule_until_it_ends,
    a_replayed_notification_restarts_its_schedule,
    a_receiver_that_answers_gone_gets_no_more_notifications,
    requested_faults_strike,
    replaced_records_take_their_notifications_with_them,
    a_new_secret_signs_beside_the_old_one_for_a_day,
}

/// Creates a purchase with a receiver of notifications.
async fn told(bench: &Bench, key: &str, outcome: &str) -> Uuid {
    let command = purchases::Create {
        details: notified_at(RECEIVER),
        ..purchase(outcome)
    };
    let submission = bench.submission(key, outcome);
    id(&bench
        .service
        .create_purchase(submission, command)
        .await
        .unwrap())
}

/// The notifications of a transaction, in order.
async fn written(bench: &Bench, transaction: Uuid) -> Vec<NotificationHistory> {
    let told = bench
        .service
        .notifications(bench.merchant, Some(transaction), 100);
    let mut told = told.await.unwrap();
    told.sort_by_key(|one| one.notification.sequence);
    told
}

async fn take(bench: &Bench) -> Vec<LeasedDelivery> {
    bench
        .service
        .lease_deliveries(Default::default(), 100)
        .await
        .unwrap()
}

async fn take_one(bench: &Bench) -> LeasedDelivery {
    let mut taken = take(bench).await;
    assert_eq!(taken.len(), 1, "{taken:?}");
    taken.remove(0)
}

async fn reply(bench: &Bench, parcel: LeasedDelivery, status: u16) {
    let reply = Reply::Answered {
        status,
        retry_after: None,
    };
    let took = Duration::from_millis(3);
    bench
        .service
        .record_reply(parcel, reply, took)
        .await
        .unwrap();
}

/// Moves the clock and fires the due timers.
async fn forward(bench: &Bench, by: SignedDuration) {
    bench.clock.forward(by);
    bench.service.fire_all().await.unwrap();
}

async fn every_change_is_notified_with_the_content_of_a_read(bench: Bench) {
    let transaction = told(&bench, "order-1", "pending;after=PT10S").await;
    forward(&bench, SignedDuration::from_secs(10)).await;
    let written = written(&bench, transaction).await;
    let events: Vec<_> = written
        .iter()
        .map(|one| (one.notification.sequence, one.notification.event.as_str()))
        .collect();
    assert_eq!(events, [(1, "purchase.pending"), (2, "purchase.accepted")]);
    let bodies: Vec<Value> = written
        .iter()
        .map(|one| serde_json::from_str(&one.notification.body).unwrap())
        .collect();
    for (body, status) in bodies.iter().zip(["PENDING", "ACCEPTED"]) {
        assert_eq!(body["data"]["id"], transaction.to_string());
        assert_eq!(body["data"]["status"], status);
        assert_eq!(body["timestamp"], body["data"]["modifiedAt"]);
    }
    assert_eq!(bodies[0]["data"]["actions"]["refund"], false);
    assert_eq!(bodies[1]["data"]["actions"]["refund"], true);
    assert_eq!(bodies[1]["sequence"], 2);
    let quiet = bench.purchase("order-2", "accept").await;
    assert!(crate::outbox::written(&bench, quiet).await.is_empty());
}

async fn refunds_are_notified_to_the_receiver_of_their_purchase(bench: Bench) {
    let parent = told(&bench, "order-1", "accept").await;
    let made = bench.refund("refund-1", parent, "4.00", "accept").await;
    let written = written(&bench, id(&made.unwrap())).await;
    assert_eq!(written.len(), 1);
    let one = &written[0].notification;
    assert_eq!(
        (one.event.as_str(), one.url.as_str()),
        ("refund.accepted", RECEIVER)
    );
    assert!(one.body.contains(&parent.to_string()));
}

async fn a_refused_command_creates_no_notification(bench: Bench) {
    let transaction = told(&bench, "order-1", "accept").await;
    let refused = bench
        .refund("refund-1", transaction, "10.01", "accept")
        .await;
    assert_eq!(code(refused), Code::AmountRule);
    let all = bench
        .service
        .notifications(bench.merchant, None, 100)
        .await
        .unwrap();
    assert_eq!(all.len(), 1);
}

async fn a_notification_is_leased_once(bench: Bench) {
    for number in 0..20 {
        told(&bench, &format!("order-{number}"), "accept").await;
    }
    let senders = (0..4).map(|_| bench.service.lease_deliveries(Default::default(), 100));
    let taken = futures_util::future::join_all(senders).await;
    let taken: Vec<LeasedDelivery> = taken.into_iter().flat_map(Result::unwrap).collect();
    let mut ids: Vec<_> = taken
        .iter()
        .map(|one| one.delivery.notification.id)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((taken.len(), ids.len()), (20, 20));
    assert!(take(&bench).await.is_empty());
    let busy = std::array::from_fn(|_| "http://127.0.0.1:1".to_owned());
    forward(&bench, SignedDuration::from_mins(1)).await;
    let spared = bench.service.lease_deliveries(busy, 100).await.unwrap();
    assert!(spared.is_empty(), "their receiver is busy");
}

async fn an_expired_lease_is_taken_again(bench: Bench) {
    let transaction = told(&bench, "order-1", "accept").await;
    let lost = take_one(&bench).await;
    forward(&bench, SignedDuration::from_secs(19)).await;
    assert!(take(&bench).await.is_empty(), "it may still arrive");
    let replayed = bench
        .service
        .replay(bench.merchant, lost.delivery.notification.id);
    assert_eq!(code(replayed.await), Code::IllegalState);
    forward(&bench, SignedDuration::from_secs(1)).await;
    let again = take_one(&bench).await;
    assert_eq!(
        again.delivery.notification.id,
        lost.delivery.notification.id
    );
    // The first sender was only slow: its attempt is recorded, but the second sender decides what
    // follows.
    reply(&bench, lost, 410).await;
    reply(&bench, again, 200).await;
    let one = &written(&bench, transaction).await[0];
    assert_eq!(one.notification.status, Status::Delivered);
    let numbers: Vec<_> = one.attempts.iter().map(|attempt| attempt.number).collect();
    assert_eq!(numbers, [1, 2]);
}

async fn notifications_of_a_transaction_are_sent_in_order(bench: Bench) {
    told(&bench, "order-1", "pending;after=PT1S").await;
    forward(&bench, SignedDuration::from_secs(1)).await;
    let first = take_one(&bench).await;
    assert_eq!(first.delivery.notification.sequence, 1);
    assert!(
        take(&bench).await.is_empty(),
        "the second notification waits for the first"
    );
    reply(&bench, first, 500).await;
    let second = take_one(&bench).await;
    assert_eq!(
        second.delivery.notification.sequence, 2,
        "a retry delays no other notification"
    );
    forward(&bench, SignedDuration::from_secs(6)).await;
    assert!(take(&bench).await.is_empty(), "one at a time");
    reply(&bench, second, 200).await;
    bench.audit().await;
    let first = take_one(&bench).await;
    assert_eq!(first.delivery.notification.sequence, 1);
    assert_eq!(first.delivery.notification.attempts, 2);
}

async fn a_notification_is_sent_on_its_schedule_until_it_ends(bench: Bench) {
    let transaction = told(&bench, "order-1", "accept").await;
    let waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for wait in waits {
        let parcel = take_one(&bench).await;
        reply(&bench, parcel, 302).await;
        bench.audit().await;
        forward(&bench, SignedDuration::from_millis(wait * 900 - 1)).await;
        assert!(take(&bench).await.is_empty(), "too early for {wait}");
        forward(&bench, SignedDuration::from_millis(wait * 200 + 1)).await;
    }
    let last = take_one(&bench).await;
    reply(&bench, last, 500).await;
    forward(&bench, SignedDuration::from_hours(24 * 30)).await;
    assert!(take(&bench).await.is_empty());
    let one = &written(&bench, transaction).await[0];
    assert_eq!(one.notification.status, Status::Exhausted);
    assert_eq!(one.attempts.len(), ATTEMPTS as usize);
    assert_eq!(one.attempts[0].milliseconds, 3);
}

async fn a_replayed_notification_restarts_its_schedule(bench: Bench) {
    let transaction = told(&bench, "order-1", "accept").await;
    let parcel = take_one(&bench).await;
    let first = parcel.delivery.notification.clone();
    reply(&bench, parcel, 200).await;
    bench
        .service
        .replay(bench.merchant, first.id)
        .await
        .unwrap();
    let again = take_one(&bench).await;
    assert_eq!(again.delivery.notification.body, first.body);
    assert_eq!(again.delivery.notification.id, first.id);
    assert_eq!(again.delivery.notification.tries, 1);
    reply(&bench, again, 503).await;
    // A waiting notification can be sent early.
    bench
        .service
        .replay(bench.merchant, first.id)
        .await
        .unwrap();
    let again = take_one(&bench).await;
    reply(&bench, again, 200).await;
    assert_eq!(written(&bench, transaction).await[0].attempts.len(), 3);
    forward(&bench, SignedDuration::from_hours(1)).await;
    assert!(take(&bench).await.is_empty());
    let unknown = bench.service.replay(bench.merchant, Uuid::nil()).await;
    assert_eq!(code(unknown), Code::UnknownRecord);
}

async fn a_receiver_that_answers_gone_gets_no_more_notifications(bench: Bench) {
    let transaction = told(&bench, "order-1", "pending;after=PT10S").await;
    let parcel = take_one(&bench).await;
    reply(&bench, parcel, 410).await;
    forward(&bench, SignedDuration::from_secs(10)).await;
    assert_eq!(bench.status(transaction).await, "ACCEPTED");
    assert!(take(&bench).await.is_empty());
    let written = written(&bench, transaction).await;
    let statuses: Vec<_> = written.iter().map(|one| one.notification.status).collect();
    assert_eq!(statuses, [Status::Gone, Status::Gone]);
    bench.audit().await;
}

async fn requested_faults_strike(bench: Bench) {
    let ask = |duplicated, reordered, dropped| {
        let faults = Faults {
            duplicated,
            reordered,
            dropped,
        };
        bench.service.ask_for_faults(bench.merchant, faults)
    };
    assert_eq!(code(ask(0, 101, 0).await), Code::ContractViolation);
    ask(100, 0, 0).await.unwrap();
    told(&bench, "order-1", "accept").await;
    for attempt in 1..=2 {
        let parcel = take_one(&bench).await;
        assert_eq!(parcel.delivery.notification.attempts, attempt);
        reply(&bench, parcel, 200).await;
    }
    assert!(take(&bench).await.is_empty(), "twice is enough");
    ask(0, 100, 0).await.unwrap();
    told(&bench, "order-2", "pending;after=PT1S").await;
    assert!(take(&bench).await.is_empty(), "held back");
    forward(&bench, SignedDuration::from_secs(1)).await;
    let overtaking = take_one(&bench).await;
    assert_eq!(overtaking.delivery.notification.sequence, 2);
    reply(&bench, overtaking, 200).await;
    forward(&bench, SignedDuration::from_secs(1)).await;
    let late = take_one(&bench).await;
    assert_eq!(late.delivery.notification.sequence, 1);
    reply(&bench, late, 200).await;
    ask(0, 0, 100).await.unwrap();
    told(&bench, "order-3", "accept").await;
    let parcel = take_one(&bench).await;
    let id = parcel.delivery.notification.id;
    assert!(parcel.faults.drop(id, 1));
}

async fn replaced_records_take_their_notifications_with_them(bench: Bench) {
    let transaction = told(&bench, "order-1", "accept").await;
    let snapshot = bench.snapshot().await;
    let under_way = take_one(&bench).await;
    bench.service.reset(bench.merchant).await.unwrap();
    assert!(written(&bench, transaction).await.is_empty());
    // The records are gone, so the result of the attempt changes nothing.
    reply(&bench, under_way, 200).await;
    assert!(take(&bench).await.is_empty());
    let secrets = bench.service.signing_secrets(bench.merchant).await.unwrap();
    bench
        .service
        .restore(bench.merchant, snapshot)
        .await
        .unwrap();
    let restored = take_one(&bench).await;
    assert_eq!(restored.delivery.notification.transaction, transaction);
    assert_eq!(restored.secrets, secrets, "a reset leaves the secret alone");
    reply(&bench, restored, 200).await;
    bench.audit().await;
}

async fn a_new_secret_signs_beside_the_old_one_for_a_day(bench: Bench) {
    let secrets = async || bench.service.signing_secrets(bench.merchant).await.unwrap();
    let old = secrets().await;
    assert_eq!(old.len(), 1);
    let new = Secret::new(vec![7; 24]).unwrap();
    for _ in 0..2 {
        bench
            .service
            .sign_with(bench.merchant, new.clone())
            .await
            .unwrap();
        assert_eq!(secrets().await, [new.clone(), old[0].clone()]);
    }
    told(&bench, "order-1", "accept").await;
    assert_eq!(take_one(&bench).await.secrets.len(), 2);
    bench.clock.forward(SignedDuration::from_hours(24));
    assert_eq!(secrets().await, [new]);
}
