//! Injected faults.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::{refusal, refuses, refuses_other_formats_than_json};
use crate::process::{Process, purchase};

#[tokio::test]
async fn an_injected_error_is_answered_and_nothing_is_done() {
    let sandbox = Process::start();
    let fault = json!({"match": {"operation": "createPurchase"}, "status": 503, "times": 1});
    let armed = sandbox.post_control("/faults", &fault).await;
    assert_eq!((armed.status, &armed.body["number"]), (201, &json!(1)));
    let rows = sandbox.rows();
    let order = purchase("order-1", "accept");
    let failed = sandbox.post("/v1/transactions", &order).await;
    assert_eq!(
        (failed.status, failed.body["code"].as_str()),
        (503, Some("E1503"))
    );
    assert_eq!(failed.body["detail"], "fault 1 was injected");
    assert_eq!(failed.headers["content-type"], "application/problem+json");
    assert_eq!(sandbox.rows(), rows);
    // The fault was for one request of this operation.
    let made = sandbox.post("/v1/transactions", &order).await;
    assert_eq!(made.status, 201);
    assert!(!made.headers.contains_key("idempotent-replayed"));
    let shown = sandbox.read_control("/faults").await.body;
    assert_eq!(
        (&shown["data"][0]["matched"], &shown["data"][0]["hit"]),
        (&json!(1), &json!(1))
    );
}

#[tokio::test]
async fn a_dropped_request_does_nothing_and_a_dropped_answer_hides_the_result() {
    let sandbox = Process::start();
    for (drop, key) in [("request", "order-1"), ("answer", "order-2")] {
        let fault = json!({"match": {"method": "post", "path": "/v1/*"}, "drop": drop, "times": 1});
        assert_eq!(sandbox.post_control("/faults", &fault).await.status, 201);
        let sent = sandbox.request(Method::POST, "/v1/transactions");
        let sent = sent.json(&purchase(key, "accept")).send().await;
        assert!(sent.is_err(), "{drop}: {sent:?}");
    }
    let find = |key| format!("/v1/transactions/merchant/{key}");
    assert_eq!(sandbox.get(&find("order-1")).await.status, 404);
    assert_eq!(sandbox.get(&find("order-2")).await.status, 200);
    let again = sandbox
        .post("/v1/transactions", &purchase("order-2", "accept"))
        .await;
    assert_eq!(again.headers["idempotent-replayed"], "true");
    let dropped = sandbox.read_control("/requests?status=dropped").await.body;
    assert_eq!(dropped["data"].as_array().unwrap().len(), 2, "{dropped}");
    assert_eq!(dropped["data"][0]["fault"], 2);
}

#[tokio::test]
async fn a_fault_delays_a_request() {
    let sandbox = Process::start();
    sandbox
        .post_control("/faults", &json!({"latencyMs": 300}))
        .await;
    let begun = Instant::now();
    assert_eq!(
        sandbox.get("/v1/transactions/merchant/nobody").await.status,
        404
    );
    assert!(begun.elapsed() >= Duration::from_millis(300));
    let logged = sandbox.read_control("/requests").await.body;
    assert!(
        logged["data"][0]["tookMicros"].as_u64().unwrap() >= 300_000,
        "{logged}"
    );
}

#[tokio::test]
async fn the_same_seed_hits_the_same_requests() {
    let sandbox = Process::start();
    let mut runs = Vec::new();
    for _ in 0..2 {
        let fault = json!({"status": 500, "p": 0.5, "seed": 7});
        sandbox.post_control("/faults", &fault).await;
        let mut statuses = Vec::new();
        for _ in 0..20 {
            statuses.push(sandbox.get("/v1/transactions/merchant/nobody").await.status);
        }
        assert!(
            statuses.contains(&500) && statuses.contains(&404),
            "{statuses:?}"
        );
        runs.push(statuses);
        assert_eq!(sandbox.remove("/faults").await.status, 204);
    }
    assert_eq!(runs[0], runs[1]);
}

#[tokio::test]
async fn a_fault_affects_one_tenant_until_it_is_removed() {
    let sandbox = Process::start();
    sandbox
        .post_control("/tenants", &json!({"name": "other"}))
        .await;
    sandbox
        .post_control("/faults?tenant=other", &json!({"status": 500}))
        .await;
    assert_eq!(
        sandbox.get("/v1/transactions/merchant/nobody").await.status,
        404
    );
    assert_eq!(refusal(&sandbox.remove("/faults/1").await).0, 404);
    assert_eq!(refusal(&sandbox.remove("/faults/one").await).0, 400);
    assert_eq!(sandbox.remove("/faults/1?tenant=other").await.status, 204);
    assert_eq!(
        sandbox.read_control("/faults?tenant=other").await.body,
        json!({"data": []})
    );
}

#[tokio::test]
async fn an_invalid_fault_is_refused() {
    let sandbox = Process::start();
    refuses_other_formats_than_json(&sandbox, "/faults").await;
    let table: [(Value, u16, &str, &[&str]); 7] = [
        (
            json!({"status": 503, "drop": "answer"}),
            422,
            "E1001",
            &["/drop"],
        ),
        (
            json!({"status": 200, "p": 2, "times": 0}),
            422,
            "E1001",
            &["/status", "/p", "/times"],
        ),
        (json!({"latencyMs": 60001}), 422, "E1001", &["/latencyMs"]),
        (json!({"latencyMs": -1}), 422, "E1001", &["/latencyMs"]),
        (json!({"drop": "both"}), 422, "E1001", &["/drop"]),
        (
            json!({"match": {"operation": "pay"}}),
            422,
            "E1001",
            &["/match/operation"],
        ),
        (
            json!({"match": {"verb": "GET"}}),
            422,
            "E1001",
            &["/match/verb"],
        ),
    ];
    refuses(&sandbox, "/faults", &table).await;
    assert_eq!(
        sandbox.read_control("/faults").await.body,
        json!({"data": []})
    );
}

#[tokio::test]
async fn a_tenant_has_at_most_a_hundred_faults() {
    let sandbox = Process::start();
    for _ in 0..sandbox::faults::MOST {
        let armed = sandbox
            .post_control("/faults", &json!({"status": 500, "p": 0}))
            .await;
        assert_eq!(armed.status, 201);
    }
    let refused = sandbox
        .post_control("/faults", &json!({"status": 500}))
        .await;
    assert_eq!(refusal(&refused).0, 409);
}
