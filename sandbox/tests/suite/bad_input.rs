//! Invalid requests: each gets a precise problem and writes nothing.

use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{Process, id, purchase, refund, reply};

/// Method, path, body, and the status, code and pointer of the problem.
type Row = (
    Method,
    &'static str,
    String,
    u16,
    &'static str,
    Option<&'static str>,
);

fn post(path: &'static str, body: &impl ToString, status: u16, code: &'static str) -> Row {
    (Method::POST, path, body.to_string(), status, code, None)
}

fn at(path: &'static str, body: &impl ToString, code: &'static str, pointer: &'static str) -> Row {
    (
        Method::POST,
        path,
        body.to_string(),
        422,
        code,
        Some(pointer),
    )
}

fn bare(method: Method, path: &'static str, status: u16, code: &'static str) -> Row {
    (method, path, String::new(), status, code, None)
}

/// A purchase with one changed member.
fn with(member: &str, value: &Value) -> Value {
    let mut body = purchase("bad", "accept");
    body[member] = value.clone();
    body
}

/// A purchase with one changed member, which is refused at that member.
fn wrong(member: &str, value: &Value, code: &'static str, pointer: &'static str) -> Row {
    at(PURCHASE, &with(member, value), code, pointer)
}

const PURCHASE: &str = "/v1/transactions";
const CAPTURE: &str = "/v1/transactions/capture";
const RENEW: &str = "/v1/transactions/renewAuthorization";
const REFUND: &str = "/v1/transactions/refund";
const PAYOUT: &str = "/v1/payouts";
const NOBODY: &str = "9453344b-c15b-432a-8da2-289047b2b2fb";

fn unreadable() -> Vec<Row> {
    vec![
        post(PURCHASE, &"", 400, "E1000"),
        post(PURCHASE, &"{", 400, "E1000"),
        post(
            PURCHASE,
            &r#"{"amount": "1.00", "currency": "EUR"} x"#,
            400,
            "E1000",
        ),
        post(PURCHASE, &"\u{0}", 400, "E1000"),
        bare(Method::GET, "/v1/transactions/not-a-uuid", 400, "E1000"),
        bare(
            Method::GET,
            "/v1/transactions/9453344bc15b432a8da2289047b2b2fb",
            400,
            "E1000",
        ),
        bare(
            Method::GET,
            "/v1/transactions/merchant/%FF%FE",
            400,
            "E1000",
        ),
        bare(Method::GET, "/v1/payouts/not-a-uuid", 400, "E1000"),
        bare(Method::GET, "/nowhere", 404, "E1404"),
        bare(Method::GET, "/v1/transactions", 405, "E1405"),
        bare(Method::DELETE, "/v1/payouts/capture", 405, "E1405"),
    ]
}

fn contract_violations() -> Vec<Row> {
    vec![
        post(PURCHASE, &"[]", 422, "E1001"),
        post(PURCHASE, &"null", 422, "E1001"),
        at(PURCHASE, &json!({"currency": "EUR"}), "E1001", "/amount"),
        wrong("amount", &json!(10), "E1001", "/amount"),
        wrong("amount", &json!("ten"), "E1001", "/amount"),
        wrong("amount", &json!("1e3"), "E1001", "/amount"),
        wrong("amount", &Value::Null, "E1001", "/amount"),
        wrong("currency", &json!("EURO"), "E1001", "/currency"),
        wrong("customer", &json!({"id": "x"}), "E1001", "/customer/id"),
        wrong(
            "items",
            &json!([{"quantity": "two"}]),
            "E1001",
            "/items/0/quantity",
        ),
        wrong(
            "source",
            &json!({"channel": "x"}),
            "E1001",
            "/source/channel",
        ),
        wrong(
            "authorization",
            &json!({"type": "LATER"}),
            "E1001",
            "/authorization/type",
        ),
        wrong(
            "fraudFields",
            &json!({"sandbox.outcome": "perhaps"}),
            "E1001",
            "/fraudFields/sandbox.outcome",
        ),
        wrong(
            "merchantTransactionId",
            &json!(""),
            "E1001",
            "/merchantTransactionId",
        ),
        wrong(
            "merchantTransactionId",
            &json!("x".repeat(256)),
            "E1001",
            "/merchantTransactionId",
        ),
        at(CAPTURE, &"{}", "E1001", "/transactionId"),
        at(RENEW, &"{}", "E1001", "/transactionId"),
        at(
            REFUND,
            &json!({"amount": "1.00", "currency": "EUR"}),
            "E1001",
            "/transactionId",
        ),
        post(PAYOUT, &json!({"amount": "1.00"}), 422, "E1001"),
    ]
}

fn money_rule_violations() -> Vec<Row> {
    vec![
        wrong("amount", &json!("-1.00"), "E1004", "/amount"),
        wrong("amount", &json!("0.00"), "E1004", "/amount"),
        wrong("amount", &json!("1.001"), "E1004", "/amount"),
        wrong("amount", &json!("92233720368547758.08"), "E1004", "/amount"),
        wrong("currency", &json!("XXX"), "E1004", "/currency"),
        wrong(
            "authorization",
            &json!({"amount": "1.001"}),
            "E1004",
            "/authorization/amount",
        ),
        wrong(
            "authorization",
            &json!({"amount": "1.00", "currency": "ZZZ"}),
            "E1004",
            "/authorization/currency",
        ),
        wrong("currency", &json!("eur"), "E1001", "/currency"),
    ]
}

fn unknown_records() -> Vec<Row> {
    let unknown = json!({"transactionId": NOBODY});
    let card = with("paymentSpecificData", &json!({"cardToken": NOBODY}));
    let plan = with(
        "paymentSpecificData",
        &json!({"subscription": {"planId": NOBODY}}),
    );
    vec![
        post(
            PURCHASE,
            &with("customer", &json!({"id": NOBODY})),
            404,
            "E1404",
        ),
        post(PURCHASE, &card, 404, "E1404"),
        post(PURCHASE, &plan, 404, "E1404"),
        post(CAPTURE, &unknown, 404, "E1404"),
        post(
            CAPTURE,
            &json!({"merchantTransactionId": "nobody"}),
            404,
            "E1404",
        ),
        post(RENEW, &unknown, 404, "E1404"),
        post(REFUND, &refund("bad", NOBODY, "1.00"), 404, "E1404"),
        post("/v1/payouts/capture", &unknown, 404, "E1404"),
        post("/v1/payouts/offersRenew", &unknown, 404, "E1404"),
        bare(
            Method::GET,
            "/v1/transactions/9453344b-c15b-432a-8da2-289047b2b2fb",
            404,
            "E1404",
        ),
        bare(
            Method::GET,
            "/v1/transactions/merchant/nobody",
            404,
            "E1404",
        ),
        bare(
            Method::GET,
            "/v1/payouts/9453344b-c15b-432a-8da2-289047b2b2fb",
            404,
            "E1404",
        ),
    ]
}

#[tokio::test]
async fn each_invalid_request_gets_a_precise_problem_and_writes_nothing() {
    let sandbox = Process::start();
    sandbox.purchase("order-1", "accept").await;
    let before = sandbox.rows();
    let mut table = unreadable();
    table.extend(contract_violations());
    table.extend(money_rule_violations());
    table.extend(unknown_records());
    for (method, path, body, status, code, pointer) in table {
        let request = sandbox
            .request(method.clone(), path)
            .header("request-id", "r-1");
        let request = request.header("content-type", "application/json");
        let refused = reply(request.body(body.clone())).await;
        let what = format!("{method} {path} {body}: {refused:?}");
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (status, &json!(code)),
            "{what}"
        );
        assert_eq!(
            refused.headers["content-type"], "application/problem+json",
            "{what}"
        );
        assert_eq!(refused.headers["request-id"], "r-1", "{what}");
        assert_eq!(refused.body["requestId"], "r-1", "{what}");
        assert_eq!(refused.body["status"], status, "{what}");
        if let Some(pointer) = pointer {
            let places = refused.body["errors"].as_array();
            let found = places
                .unwrap()
                .iter()
                .any(|place| place["pointer"] == pointer);
            assert!(found, "{what}");
        }
        assert_eq!(sandbox.rows(), before, "{what}");
    }
}

#[tokio::test]
async fn too_large_bodies_and_other_formats_are_refused() {
    let sandbox = Process::start();
    let before = sandbox.rows();
    let large = format!("{{\"comment\": \"{}\"}}", "x".repeat(1 << 20));
    let request = sandbox
        .request(Method::POST, PURCHASE)
        .header("content-type", "application/json");
    let refused = reply(request.body(large)).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (413, &json!("E1413"))
    );

    let body = purchase("order-1", "accept").to_string();
    for media_type in [
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "nonsense",
    ] {
        let request = sandbox
            .request(Method::POST, PURCHASE)
            .header("content-type", media_type);
        let refused = reply(request.body(body.clone())).await;
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (415, &json!("E1415")),
            "{media_type}"
        );
    }
    let refused = reply(sandbox.request(Method::POST, PURCHASE).body(body.clone())).await;
    assert_eq!(refused.status, 415, "no media type at all");

    let request = sandbox
        .request(Method::POST, PURCHASE)
        .header("sandbox-outcome", "perhaps");
    let refused = reply(request.json(&purchase("order-1", "accept"))).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (400, &json!("E1000"))
    );

    let allowed = reply(sandbox.request(Method::PUT, "/v1/payouts/capture")).await;
    assert_eq!(
        (allowed.status, &allowed.headers["allow"]),
        (405, &"POST".parse().unwrap())
    );
    assert_eq!(sandbox.rows(), before);
}

#[tokio::test]
async fn commands_that_the_state_or_the_sums_forbid_are_refused() {
    let sandbox = Process::start();
    let made = sandbox.purchase("order-1", "accept").await;
    let other = sandbox.purchase("order-2", "pending").await;
    let before = sandbox.rows();
    let target = json!({"transactionId": id(&made)});
    let both = json!({"transactionId": id(&made), "merchantTransactionId": "order-2"});
    let mut yen = refund("bad", id(&made), "1");
    yen["currency"] = json!("JPY");
    let table = [
        (CAPTURE, target.clone(), 409, "E1409"),
        (RENEW, target, 409, "E1409"),
        (CAPTURE, both, 422, "E1001"),
        (REFUND, refund("bad", id(&other), "1.00"), 409, "E1409"),
        (REFUND, refund("bad", id(&made), "10.01"), 422, "E1004"),
        (REFUND, yen, 422, "E1004"),
        (REFUND, refund("order-2", id(&made), "1.00"), 422, "E1002"),
        (
            PURCHASE,
            with("merchantTransactionId", &json!("order-1")),
            422,
            "E1002",
        ),
    ];
    let mut table = table.to_vec();
    table[7].1["amount"] = json!("10.01");
    for (path, body, status, code) in table {
        let refused = sandbox.post(path, &body).await;
        let what = format!("{path} {body}");
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (status, &json!(code)),
            "{what}"
        );
        assert_eq!(sandbox.rows(), before, "{what}");
    }
}
