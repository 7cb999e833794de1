//! Concurrent requests over HTTP.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use crate::process::{Process, id, purchase, refund, reply};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_parallel_refunds_leave_one_active() {
    let sandbox = Process::start();
    for round in 0..4 {
        let made = sandbox.purchase(&format!("order-{round}"), "accept").await;
        let refunds = (0..16).map(|number| {
            let body = refund(&format!("refund-{round}-{number}"), id(&made), "1.00");
            let request = sandbox.request(Method::POST, "/v1/transactions/refund");
            reply(request.header("sandbox-outcome", "pending").json(&body))
        });
        let replies = join_all(refunds).await;
        assert_eq!(
            replies.iter().filter(|reply| reply.status == 201).count(),
            1
        );
        for refused in replies.iter().filter(|reply| reply.status != 201) {
            assert_eq!(
                (refused.status, &refused.body["code"]),
                (409, &json!("E1410"))
            );
        }
        let found = sandbox
            .get(&format!("/v1/transactions/{}", id(&made)))
            .await
            .body;
        assert_eq!(found["refunds"].as_array().unwrap().len(), 1);
    }
    sandbox.audit();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_refunds_equal_the_captured_amount() {
    let sandbox = Process::start();
    let outcomes = ["accept", "reject", "accept", "pending;after=PT0.01S"];
    for round in 0..4 {
        let made = sandbox.purchase(&format!("order-{round}"), "accept").await;
        let refunds = (0..16).map(|number| {
            let body = refund(&format!("refund-{round}-{number}"), id(&made), "3.00");
            let request = sandbox.request(Method::POST, "/v1/transactions/refund");
            let outcome = outcomes[(number + round) % outcomes.len()];
            reply(request.header("sandbox-outcome", outcome).json(&body))
        });
        for reply in join_all(refunds).await {
            let code = reply.body["code"].as_str().unwrap_or_default();
            let known = reply.status == 201 || ["E1410", "E1004"].contains(&code);
            assert!(known, "{reply:?}");
        }
        let found = sandbox
            .get(&format!("/v1/transactions/{}", id(&made)))
            .await
            .body;
        let refunds = found["refunds"].as_array().unwrap();
        let counted = refunds
            .iter()
            .filter(|refund| refund["status"] != "REJECTED")
            .count();
        assert!(counted <= 3, "{found}");
    }
    sandbox.audit();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_equal_purchases_are_one() {
    let sandbox = Process::start();
    let body = purchase("order-1", "accept");
    let replies = join_all((0..16).map(|_| sandbox.post("/v1/transactions", &body))).await;
    let first = &replies[0].body;
    assert!(
        replies
            .iter()
            .all(|reply| reply.status == 201 && reply.body == *first)
    );
    let fresh = |reply: &&crate::process::Reply| reply.headers.get("idempotent-replayed").is_none();
    assert_eq!(replies.iter().filter(fresh).count(), 1);
    sandbox.audit();
}
