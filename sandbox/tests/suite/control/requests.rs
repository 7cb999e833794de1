//! The log of exchanges: complete, without secrets.

use serde_json::{Value, json};

use super::refusal;
use crate::process::{KEY, Process, purchase, reply};

#[tokio::test]
async fn an_exchange_is_shown_without_its_secrets() {
    let sandbox = Process::start();
    let mut order = purchase("order-1", "accept");
    order["comment"] = json!("the card is 4242 4242 4242 4242");
    order["paymentSpecificData"] = json!({
        "cardToken": "00000000-0000-4000-8000-000000000000",
        "card": {"expiryDate": "1230", "cvv": 987}
    });
    let made = sandbox.post("/v1/transactions", &order).await;
    assert_eq!(made.status, 201, "{made:?}");
    let log = sandbox.read_control("/requests").await.body;
    let text = log.to_string();
    for secret in ["4242 4242", KEY, "00000000-0000-4000-8000"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let shown = &log["data"][0];
    assert_eq!(shown["operation"], "createPurchase");
    assert_eq!(
        (&shown["status"], &shown["method"]),
        (&json!(201), &json!("POST"))
    );
    assert_eq!(
        shown["requestId"],
        made.headers["request-id"].to_str().unwrap()
    );
    let body: Value = serde_json::from_str(shown["request"]["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["paymentSpecificData"]["card"]["cvv"], "[redacted]");
    assert_eq!(
        (&body["comment"], &body["amount"]),
        (&json!("the card is [card number]"), &json!("10.00"))
    );
    let answer: Value = serde_json::from_str(shown["answer"]["body"].as_str().unwrap()).unwrap();
    assert_eq!(answer["id"], made.body["id"]);
    let headers = shown["request"]["headers"].as_array().unwrap();
    assert!(headers.contains(&json!({"name": "authorization", "value": "[redacted]"})));
}

#[tokio::test]
async fn refusals_are_shown_as_they_were_answered() {
    let sandbox = Process::start();
    let broken = sandbox.request(reqwest::Method::POST, "/v1/transactions");
    let broken = broken
        .header("content-type", "application/json")
        .body("{\"cvv\": 987654321");
    assert_eq!(reply(broken).await.status, 400);
    let long = sandbox.request(reqwest::Method::POST, "/v1/transactions");
    assert_eq!(
        reply(long.body(vec![b'x'; (1 << 20) + 1])).await.status,
        413
    );
    let anybody = sandbox
        .client
        .get(format!("{}/v1/transactions", sandbox.url));
    assert_eq!(reply(anybody).await.status, 401);
    let log = sandbox.read_control("/requests").await.body;
    let log = log["data"].as_array().unwrap();
    let statuses: Vec<_> = log
        .iter()
        .map(|shown| shown["status"].as_u64().unwrap())
        .collect();
    // Requests without credentials are in no merchant's log.
    assert_eq!(statuses, [413, 400]);
    assert!(log[1]["request"]["body"].is_null());
    assert_eq!(
        log[1]["request"]["note"],
        "17 bytes of application/json that are not JSON and are not kept"
    );
    assert!(
        log[1]["answer"]["body"]
            .as_str()
            .unwrap()
            .contains("\"code\":\"E1000\"")
    );
}

#[tokio::test]
async fn the_log_is_filtered() {
    let sandbox = Process::start();
    sandbox.purchase("order-1", "accept").await;
    sandbox.get("/v1/transactions/merchant/order-1").await;
    sandbox.get("/v1/transactions/merchant/nobody").await;
    let table = [
        ("", 3),
        ("?limit=1", 1),
        ("?operation=createPurchase", 1),
        ("?method=GET", 2),
        ("?status=404", 1),
        ("?status=2xx", 2),
        ("?status=dropped", 0),
        ("?text=nobody", 1),
        ("?text=nobody&status=2xx", 0),
    ];
    for (query, count) in table {
        let found = sandbox
            .read_control(&format!("/requests{query}"))
            .await
            .body;
        assert_eq!(found["data"].as_array().unwrap().len(), count, "{query}");
    }
    for (query, status) in [("?limit=0", 422), ("?limit=201", 422), ("?limit=many", 400)] {
        let refused = sandbox.read_control(&format!("/requests{query}")).await;
        let (found, _, pointers) = refusal(&refused);
        assert_eq!((found, pointers), (status, vec!["/query/limit".to_owned()]));
    }
}

#[tokio::test]
async fn requests_are_counted() {
    let sandbox = Process::start();
    sandbox.purchase("order-1", "accept").await;
    sandbox.get("/v1/transactions/merchant/nobody").await;
    let url = format!("{}/metrics", sandbox.url);
    let answer = sandbox.client.get(url).send().await.unwrap();
    let kind = answer.headers()["content-type"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = answer.text().await.unwrap();
    for line in [
        r#"sandbox_requests_total{operation="createPurchase",status="201"} 1"#,
        r#"sandbox_requests_total{operation="getTransactionByMerchantId",status="404"} 1"#,
        r#"sandbox_latency_seconds_count{operation="createPurchase"} 1"#,
        "sandbox_queued 0",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("sandbox_commits_total 0"), "{text}");
    assert!(!text.contains("order-1") && !text.contains(KEY), "{text}");
}

#[tokio::test]
async fn the_log_is_json_when_asked_and_has_no_card_number() {
    let sandbox = Process::start_with(&["--log-format", "json"]);
    let path = "/v1/transactions/merchant/4242424242424242";
    assert_eq!(sandbox.get(path).await.status, 404);
    let log = std::fs::read_to_string(sandbox.directory.path().join("log")).unwrap();
    assert!(!log.contains("4242424242424242"), "{log}");
    let mut lines = log.lines().rev();
    let mut read = || serde_json::from_str::<Value>(lines.next().unwrap()).unwrap();
    let answered = std::iter::repeat_with(&mut read).find(|line| line["message"] == "answered");
    let answered = answered.unwrap();
    assert_eq!(answered["status"], 404);
    let span = &answered["span"];
    assert_eq!(
        (&span["method"], &span["path"]),
        (
            &json!("GET"),
            &json!("/v1/transactions/merchant/[card number]")
        )
    );
}
