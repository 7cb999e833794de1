//! Cancellations, and transactions that cannot be cancelled.

use serde_json::{Value, json};

use crate::process::{Process, Reply, id, purchase, refund};

const CANCEL: &str = "/v1/transactions/cancel";

/// The status, code and first pointer of a refusal.
fn refusal(reply: &Reply) -> (u16, &str, Option<&str>) {
    let pointer = reply.body["errors"][0]["pointer"].as_str();
    (reply.status, reply.body["code"].as_str().unwrap(), pointer)
}

#[tokio::test]
async fn pending_and_held_transactions_are_cancelled() {
    let sandbox = Process::start();
    let waiting = sandbox.purchase("order-1", "pending;after=PT1H").await;
    let mut held = purchase("order-2", "accept");
    held["authorization"] = json!({"type": "TWO_STEP"});
    let held = sandbox.post("/v1/transactions", &held).await.body;
    let asked = sandbox.purchase("order-3", "3ds").await;
    for made in [waiting, held, asked] {
        assert_eq!(made["actions"]["cancel"], true, "{made}");
        let target = json!({"transactionId": id(&made), "comment": "out of stock"});
        let cancelled = sandbox.post(CANCEL, &target).await;
        assert_eq!(
            (cancelled.status, &cancelled.body["status"]),
            (200, &json!("CANCELLED"))
        );
        let path = format!("/v1/transactions/{}", id(&made));
        assert_eq!(sandbox.get(&path).await.body, cancelled.body);
        let possible: Vec<_> = cancelled.body["actions"]
            .as_object()
            .unwrap()
            .values()
            .collect();
        assert!(possible.iter().all(|action| **action == json!(false)));
        assert_eq!(cancelled.body.get("redirectUrl"), None);

        let rows = sandbox.rows();
        let again = sandbox.post(CANCEL, &target).await;
        assert_eq!(refusal(&again), (409, "E1409", None));
        assert_eq!(sandbox.rows(), rows);
    }
    sandbox.audit();
}

#[tokio::test]
async fn a_pending_refund_is_cancelled_and_created_again() {
    let sandbox = Process::start();
    let mut body = purchase("order-1", "accept");
    body["fraudFields"]["sandbox.outcome.refund"] = json!("pending");
    let made = sandbox.post("/v1/transactions", &body).await.body;
    let first = refund("refund-1", id(&made), "10.00");
    let active = sandbox.post("/v1/transactions/refund", &first).await;
    assert_eq!(active.body["actions"]["cancel"], true);
    let target = json!({"merchantTransactionId": "refund-1"});
    let cancelled = sandbox.post(CANCEL, &target).await;
    assert_eq!(cancelled.body["status"], "CANCELLED", "{cancelled:?}");
    let purchase = sandbox.get("/v1/transactions/merchant/order-1").await.body;
    assert_eq!(purchase["actions"]["refund"], true);
    assert_eq!(purchase["refunds"][0]["status"], "CANCELLED");
    let second = refund("refund-2", id(&made), "10.00");
    let active = sandbox.post("/v1/transactions/refund", &second).await;
    assert_eq!(
        (active.status, &active.body["status"]),
        (201, &json!("PENDING"))
    );
    sandbox.audit();
}

#[tokio::test]
async fn a_refused_cancellation_changes_nothing() {
    let sandbox = Process::start();
    let accepted = sandbox.purchase("order-1", "accept").await;
    sandbox.purchase("order-2", "pending").await;
    let payout = sandbox.payout("payout-1", "PCL_CARD", "pending").await;
    let rows = sandbox.rows();
    let unknown = "70d9f34d-3c16-40da-ac58-decc9e59cb34";
    let both = json!({"transactionId": id(&accepted), "merchantTransactionId": "order-2"});
    let table: [(Value, u16, &str, Option<&str>); 6] = [
        (json!({"transactionId": id(&accepted)}), 409, "E1409", None),
        (json!({"transactionId": unknown}), 404, "E1404", None),
        // A payout is not in the collection of transactions.
        (json!({"transactionId": id(&payout)}), 404, "E1404", None),
        (
            json!({"comment": "which?"}),
            422,
            "E1001",
            Some("/transactionId"),
        ),
        (both, 422, "E1001", Some("/merchantTransactionId")),
        (
            json!({"transactionId": 7}),
            422,
            "E1001",
            Some("/transactionId"),
        ),
    ];
    for (body, status, code, pointer) in table {
        let refused = sandbox.post(CANCEL, &body).await;
        assert_eq!(refusal(&refused), (status, code, pointer), "{body}");
    }
    assert_eq!(sandbox.rows(), rows);
}
