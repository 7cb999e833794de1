//! Refusals of invalid requests.

use reqwest::Method;
use serde_json::{Value, json};

use super::{NOBODY, PLANS, PRODUCTS, SUBSCRIPTIONS, monthly, purchase, refusal};
use crate::process::{Process, id, reply};

#[tokio::test]
async fn invalid_requests_are_refused_and_nothing_is_written() {
    let sandbox = Process::start();
    let product = sandbox.product().await;
    let plan = sandbox.plan(&json!({"setupFee": "5.00"})).await;
    let (_, subscription) = sandbox
        .subscribe(&purchase(&plan, "order-1", "14.90"))
        .await;
    let before = sandbox.rows();
    let cancel = format!("{SUBSCRIPTIONS}/{}/cancel", id(&subscription));
    refuse_products(&sandbox, &format!("{PRODUCTS}/{product}")).await;
    refuse_plans(&sandbox, &product).await;
    refuse_purchases(&sandbox, &plan).await;
    refuse_queries(&sandbox).await;
    for reason in [String::new(), "x".repeat(256)] {
        let body = json!({"cancelReason": reason});
        let expected = (422, "E1001", Some("/cancelReason"));
        assert_refused(&sandbox, Method::POST, &cancel, &body, expected).await;
    }
    for path in [SUBSCRIPTIONS, PLANS, PRODUCTS] {
        let found = sandbox.get(&format!("{path}/{NOBODY}")).await;
        assert_eq!(refusal(&found), (404, "E1404", None), "{path}");
    }
    assert_eq!(sandbox.rows(), before);
    for (list, length) in [(PRODUCTS, 2), (PLANS, 1)] {
        let found = sandbox.get(list).await.body;
        assert_eq!(found["data"].as_array().unwrap().len(), length, "{list}");
    }
    assert_eq!(sandbox.subscription(&subscription).await, subscription);
}

async fn assert_refused(
    sandbox: &Process,
    method: Method,
    path: &str,
    body: &Value,
    expected: (u16, &str, Option<&str>),
) {
    let refused = reply(sandbox.request(method, path).json(body)).await;
    assert_eq!(refusal(&refused), expected, "{path} {body}");
}

async fn refuse_products(sandbox: &Process, product: &str) {
    for (method, path, body, pointer) in [
        (Method::POST, PRODUCTS, json!({}), "/name"),
        (Method::POST, PRODUCTS, json!({"name": " "}), "/name"),
        (Method::POST, PRODUCTS, json!({"name": "a\u{0}"}), "/name"),
        (
            Method::POST,
            PRODUCTS,
            json!({"name": "a", "url": "tea"}),
            "/url",
        ),
        (Method::PATCH, product, json!({"url": "tea"}), "/url"),
    ] {
        let expected = (422, "E1001", Some(pointer));
        assert_refused(sandbox, method, path, &body, expected).await;
    }
}

async fn refuse_plans(sandbox: &Process, product: &str) {
    for (status, code, field, value) in [
        (404, "E1404", "productId", json!(NOBODY)),
        (422, "E1001", "productId", json!("tea")),
        (422, "E1001", "intervalUnit", json!("fortnight")),
        (422, "E1001", "intervalCount", json!(0)),
        (422, "E1001", "intervalCount", json!(1001)),
        (422, "E1001", "chargeDay", json!(0)),
        (422, "E1001", "chargeDay", json!(32)),
        (422, "E1001", "trialPeriodDays", json!(-1)),
        (422, "E1001", "totalCount", json!(0)),
        (422, "E1004", "amount", json!("0.00")),
        (422, "E1004", "amount", json!("9.901")),
        (422, "E1004", "currency", json!("XXX")),
        (422, "E1004", "setupFee", json!("0.001")),
    ] {
        let body = monthly(product, &json!({ field: value }));
        let pointer = format!("/{field}");
        let expected = (status, code, Some(pointer.as_str()));
        assert_refused(sandbox, Method::POST, PLANS, &body, expected).await;
    }
}

async fn refuse_purchases(sandbox: &Process, plan: &str) {
    let planned = "/paymentSpecificData/subscription/planId";
    let of_plan = || purchase(plan, "order-2", "14.90");
    let mut dollars = of_plan();
    dollars["currency"] = json!("USD");
    let mut nobody = of_plan();
    nobody.as_object_mut().unwrap().remove("customer");
    let mut charges = of_plan();
    charges["fraudFields"]["sandbox.outcome.charge"] = json!("perhaps");
    for (status, code, pointer, body) in [
        (404, "E1404", planned, purchase(NOBODY, "order-2", "14.90")),
        (422, "E1004", "/amount", purchase(plan, "order-2", "9.90")),
        (422, "E1004", "/currency", dollars),
        (422, "E1001", "/customer", nobody),
        (422, "E1001", "/fraudFields/sandbox.outcome.charge", charges),
    ] {
        let expected = (status, code, Some(pointer));
        assert_refused(sandbox, Method::POST, "/v1/transactions", &body, expected).await;
    }
}

async fn refuse_queries(sandbox: &Process) {
    let lists = [
        SUBSCRIPTIONS,
        PLANS,
        PRODUCTS,
        "/v1/subscriptions/customers",
    ];
    let queries = [
        "itemsPerPage=101",
        "itemsPerPage=many",
        "page=0",
        "direction=up",
        "sortBy=name",
    ];
    let each = lists
        .iter()
        .flat_map(|list| queries.iter().map(move |query| (*list, *query)));
    for (list, query) in each.chain([(SUBSCRIPTIONS, "planId=tea")]) {
        let refused = sandbox.get(&format!("{list}?{query}")).await;
        let pointer = format!("/query/{}", query.split('=').next().unwrap());
        let expected = (422, "E1001", Some(pointer.as_str()));
        assert_eq!(refusal(&refused), expected, "{list}?{query}");
    }
}
