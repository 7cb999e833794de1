//! Commands that are repeated with an `idempotency-key`.

use futures_util::future::join_all;
use merchant_payments::client::{Client, Settings};
use merchant_payments::models::{CaptureRequest, RefundRequest};
use merchant_payments::runtime::{Decimal, Uuid};
use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{KEY, Process, Reply, id, payout, purchase, reply};

on_two_programs! {
    each_repeated_command_gets_the_first_answer,
    of_parallel_commands_with_one_key_one_takes_effect,
    a_purchase_that_was_rejected_twice_is_renewed_twice,
    a_refused_command_leaves_its_key_free,
    a_refund_is_recognised_by_either_of_its_keys,
    a_snapshot_keeps_the_answers,
}

/// A command on a record that allows it: its path and body.
struct Command {
    path: &'static str,
    body: Value,
    /// The status of its success.
    status: u16,
}

impl Command {
    fn on(record: &Value, path: &'static str) -> Self {
        let body = json!({"transactionId": record["id"]});
        Self {
            path,
            body,
            status: 200,
        }
    }

    /// A refund without a `merchantTransactionId`, so that only its key identifies it.
    fn refund(purchase: &Value) -> Self {
        let mut refund = Self::on(purchase, "/v1/transactions/refund");
        refund.body["amount"] = json!("4.00");
        refund.body["currency"] = json!("EUR");
        refund.status = 201;
        refund
    }

    async fn send(&self, sandbox: &Process, key: &str) -> Reply {
        self.send_as(sandbox, key, &self.body).await
    }

    async fn send_as(&self, sandbox: &Process, key: &str, body: &Value) -> Reply {
        let request = sandbox.request(Method::POST, self.path);
        reply(request.header("idempotency-key", key).json(body)).await
    }

    /// The body with one more member.
    fn other_body(&self) -> Value {
        let mut body = self.body.clone();
        body["merchantTransactionId"] = json!("another-one");
        body
    }
}

async fn held(sandbox: &Process, key: &str) -> Value {
    let mut body = purchase(key, "accept");
    body["authorization"] = json!({"type": "TWO_STEP"});
    sandbox.post("/v1/transactions", &body).await.body
}

async fn paid_out(sandbox: &Process, key: &str, outcome: &str) -> Value {
    let body = payout(key, "PCL_CRYPTO", outcome);
    sandbox.post("/v1/payouts", &body).await.body
}

/// Each command that accepts a key, on separate records.
async fn commands(sandbox: &Process) -> Vec<Command> {
    let held = [held(sandbox, "held-1").await, held(sandbox, "held-2").await];
    let rejected = sandbox.purchase("rejected", "reject").await;
    let accepted = sandbox.purchase("accepted", "accept").await;
    let mut payouts = Vec::new();
    for number in 0..4 {
        payouts.push(paid_out(sandbox, &format!("payout-{number}"), "accept").await);
    }
    let failed = paid_out(sandbox, "payout-failed", "reject").await;
    let mut offers = Vec::new();
    for payout in &payouts[..2] {
        let target = json!({"transactionId": payout["id"]});
        offers.push(sandbox.post("/v1/payouts/offersRenew", &target).await.body);
    }
    let mut select = Command::on(&payouts[0], "/v1/payouts/offersSelect");
    let offer = &offers[0][0];
    select.body["pspId"] = offer["pspId"].clone();
    select.body["attemptId"] = offer["lastAttempt"]["attemptId"].clone();
    select.body["termsUuid"] = offer["termsUuid"].clone();
    vec![
        Command::on(&held[0], "/v1/transactions/capture"),
        Command::on(&held[1], "/v1/transactions/cancel"),
        Command::refund(&accepted),
        Command::on(&rejected, "/v1/transactions/renewAuthorization"),
        select,
        Command::on(&payouts[1], "/v1/payouts/capture"),
        Command::on(&payouts[2], "/v1/payouts/offersRenew"),
        Command::on(&payouts[3], "/v1/payouts/cancel"),
        Command::on(&failed, "/v1/payouts/renew"),
    ]
}

fn is_replayed(reply: &Reply) -> bool {
    reply
        .headers
        .get("idempotent-replayed")
        .is_some_and(|told| told == "true")
}

/// The status, code and first pointer of a refusal.
fn refusal(reply: &Reply) -> (u16, &str, &str) {
    let text = |value: &'_ Value| value.as_str().unwrap_or_default().to_owned().leak() as &str;
    let place = &reply.body["errors"][0]["pointer"];
    (reply.status, text(&reply.body["code"]), text(place))
}

async fn each_repeated_command_gets_the_first_answer(one: &Process, other: &Process) {
    for command in commands(one).await {
        let path = command.path;
        let first = command.send(one, "key-1").await;
        assert_eq!(
            (first.status, is_replayed(&first)),
            (command.status, false),
            "{path} {first:?}"
        );
        for sandbox in [one, other] {
            let again = command.send(sandbox, "key-1").await;
            assert_eq!(
                (again.status, is_replayed(&again)),
                (command.status, true),
                "{path} {again:?}"
            );
            assert_eq!(again.body, first.body, "{path}");
        }
        let refused = command.send_as(one, "key-1", &command.other_body()).await;
        let expected = (422, "E1002", "/header/idempotency-key");
        assert_eq!(refusal(&refused), expected, "{path} {refused:?}");
    }
    one.audit();
}

async fn of_parallel_commands_with_one_key_one_takes_effect(one: &Process, other: &Process) {
    for command in commands(one).await {
        let path = command.path;
        let sends = (0..16).map(|number| {
            let sandbox = if number % 2 == 0 { one } else { other };
            command.send(sandbox, "key-1")
        });
        let replies = join_all(sends).await;
        for reply in &replies {
            assert_eq!(
                (reply.status, &reply.body),
                (command.status, &replies[0].body),
                "{path}"
            );
        }
        let fresh = replies.iter().filter(|reply| !is_replayed(reply)).count();
        assert_eq!(fresh, 1, "{path}");
    }
    one.audit();
}

/// An equal body is not a key.
async fn a_purchase_that_was_rejected_twice_is_renewed_twice(one: &Process, other: &Process) {
    let made = one.purchase("order-1", "reject").await;
    let renew = |key: Option<&'static str>| {
        let request = other.request(Method::POST, "/v1/transactions/renewAuthorization");
        let request = request.header("sandbox-outcome", "reject;code=E1006");
        let request = key.into_iter().fold(request, |request, key| {
            request.header("idempotency-key", key)
        });
        reply(request.json(&json!({"transactionId": made["id"]})))
    };
    let mut times = vec![made["modifiedAt"].clone()];
    for key in [Some("key-1"), Some("key-2"), None, None] {
        let renewed = renew(key).await;
        assert_eq!(
            (renewed.status, is_replayed(&renewed)),
            (200, false),
            "{renewed:?}"
        );
        assert_eq!(renewed.body["rejectCode"], "E1006");
        times.push(renewed.body["modifiedAt"].clone());
    }
    let again = renew(Some("key-1")).await;
    assert_eq!(
        (&again.body["modifiedAt"], is_replayed(&again)),
        (&times[1], true)
    );
    let found = one.get(&format!("/v1/transactions/{}", id(&made))).await;
    assert_eq!(found.body["modifiedAt"], times[4]);
}

async fn a_refused_command_leaves_its_key_free(one: &Process, other: &Process) {
    let made = held(one, "order-1").await;
    let mut command = Command::on(&made, "/v1/transactions/capture");
    command.body["amount"] = json!("10.01");
    let refused = command.send(one, "key-1").await;
    assert_eq!(refusal(&refused), (422, "E1004", "/amount"));
    command.body["amount"] = json!("9.99");
    let captured = command.send(other, "key-1").await;
    assert_eq!(
        (captured.status, is_replayed(&captured)),
        (200, false),
        "{captured:?}"
    );
    // Each operation has a separate set of keys.
    let cancelled = Command::on(&held(one, "order-2").await, "/v1/transactions/cancel");
    assert!(!is_replayed(&cancelled.send(one, "key-1").await));
    for key in ["", &"k".repeat(256)] {
        let refused = command.send(one, key).await;
        let expected = (422, "E1001", "/header/idempotency-key");
        assert_eq!(refusal(&refused), expected, "{refused:?}");
    }
    assert!(is_replayed(&command.send(one, "key-1").await));
}

async fn a_refund_is_recognised_by_either_of_its_keys(one: &Process, other: &Process) {
    let accepted = one.purchase("order-1", "accept").await;
    let mut refund = Command::refund(&accepted);
    refund.body["merchantTransactionId"] = json!("refund-1");
    let first = refund.send(one, "key-1").await;
    assert_eq!((first.status, is_replayed(&first)), (201, false));
    // A client that has lost its key still has the merchant's id, and the new key is kept.
    let without_key = other.post(refund.path, &refund.body).await;
    let other_key = refund.send(other, "key-2").await;
    for again in [without_key, other_key] {
        assert_eq!((again.status, is_replayed(&again)), (201, true));
        assert_eq!(again.body, first.body);
    }
    let mut other_amount = refund.body.clone();
    other_amount["amount"] = json!("4.01");
    for (key, pointer) in [
        ("key-1", "/header/idempotency-key"),
        ("key-2", "/header/idempotency-key"),
        ("key-3", ""),
    ] {
        let refused = refund.send_as(one, key, &other_amount).await;
        assert_eq!(refusal(&refused), (422, "E1002", pointer), "{key}");
    }
    one.audit();
}

async fn a_snapshot_keeps_the_answers(one: &Process, other: &Process) {
    let made = held(one, "order-1").await;
    let capture = Command::on(&made, "/v1/transactions/capture");
    let before = one.post_control_empty("/snapshots").await.body["number"].clone();
    let first = capture.send(one, "key-1").await;
    let after = one.post_control_empty("/snapshots").await.body["number"].clone();
    one.post_control_empty(&format!("/snapshots/{before}/restore"))
        .await;
    assert!(!is_replayed(&capture.send(other, "key-1").await));
    one.post_control_empty(&format!("/snapshots/{after}/restore"))
        .await;
    let again = capture.send(other, "key-1").await;
    assert_eq!((is_replayed(&again), again.body), (true, first.body));
    one.audit();
}

#[tokio::test]
async fn each_repeated_command_is_answered_after_a_crash() {
    answered_after_a_crash(Process::start()).await;
}

#[tokio::test]
async fn each_repeated_command_is_answered_after_a_crash_on_postgres() {
    if let Some(fresh) = crate::databases::postgres() {
        answered_after_a_crash(Process::start_on(&fresh.url())).await;
    }
}

async fn answered_after_a_crash(sandbox: Process) {
    let commands = commands(&sandbox).await;
    let sends = commands.iter().map(|one| one.send(&sandbox, "key-1"));
    let first = join_all(sends).await;
    let sandbox = sandbox.kill_and_restart();
    for (command, first) in commands.iter().zip(first) {
        assert_eq!(first.status, command.status, "{} {first:?}", command.path);
        let again = command.send(&sandbox, "key-1").await;
        assert_eq!(
            (again.status, is_replayed(&again), again.body),
            (command.status, true, first.body),
            "{}",
            command.path
        );
    }
    sandbox.audit();
}

/// The command takes effect, but the answer to the first attempt is lost.
#[tokio::test]
async fn the_generated_client_repeats_a_command_whose_answer_was_lost() {
    let sandbox = Process::start();
    let made = held(&sandbox, "order-1").await;
    let lost = json!({"match": {"operation": "captureTransaction"}, "drop": "answer", "times": 1});
    assert_eq!(sandbox.post_control("/faults", &lost).await.status, 201);
    let client = Client::new(Settings::new(&sandbox.url).api_key(KEY)).unwrap();
    let capture = CaptureRequest {
        transaction_id: Some(id(&made).parse().unwrap()),
        ..CaptureRequest::default()
    };
    let captured = client
        .transactions()
        .capture_transaction(&capture)
        .await
        .unwrap();
    assert_eq!(captured.body.status.as_str(), "ACCEPTED");
    assert_eq!(captured.headers["idempotent-replayed"], "true");
    let lost = json!({"match": {"operation": "createRefund"}, "drop": "answer", "times": 1});
    assert_eq!(sandbox.post_control("/faults", &lost).await.status, 201);
    let refund = RefundRequest::builder()
        .amount(Decimal::new("4.00").unwrap())
        .currency("EUR")
        .transaction_id(id(&made).parse::<Uuid>().unwrap())
        .build();
    let refunded = client.transactions().create_refund(&refund).await.unwrap();
    assert_eq!(refunded.headers["idempotent-replayed"], "true");
    let found = client
        .transactions()
        .get_transaction(captured.body.id)
        .await
        .unwrap();
    assert_eq!(found.body.refunds.unwrap_or_default().len(), 1);
    sandbox.audit();
}
