//! Products and plans: removal and lists.

use reqwest::Method;
use serde_json::{Value, json};

use super::{NOBODY, PLANS, PRODUCTS, SUBSCRIPTIONS, monthly, purchase, refusal};
use crate::process::{Process, id, reply};

#[tokio::test]
async fn removed_records_are_not_found() {
    let sandbox = Process::start();
    let product = sandbox.product().await;
    let plan = sandbox.post(PLANS, &monthly(&product, &json!({}))).await;
    let plan = id(&plan.body).to_owned();
    let (_, subscription) = sandbox.subscribe(&purchase(&plan, "order-1", "9.90")).await;
    let paths = [
        format!("{SUBSCRIPTIONS}/{}", id(&subscription)),
        format!("{PLANS}/{plan}"),
        format!("{PRODUCTS}/{product}"),
    ];
    for path in &paths[1..] {
        let kept = reply(sandbox.request(Method::DELETE, path)).await;
        assert_eq!(refusal(&kept), (409, "E1409", None), "{path}");
    }
    for path in &paths {
        let removed = reply(sandbox.request(Method::DELETE, path)).await;
        assert_eq!(
            (removed.status, &removed.body),
            (204, &Value::Null),
            "{path}"
        );
        for method in [Method::GET, Method::DELETE] {
            let gone = reply(sandbox.request(method, path)).await;
            assert_eq!(refusal(&gone), (404, "E1404", None), "{path}");
        }
    }
    let update = json!({"url": "https://merchant.example/tea"});
    let gone = reply(sandbox.request(Method::PATCH, &paths[2]).json(&update)).await;
    assert_eq!(gone.status, 404);
    for list in [
        SUBSCRIPTIONS,
        PLANS,
        PRODUCTS,
        "/v1/subscriptions/customers",
    ] {
        assert_eq!(sandbox.get(list).await.body["data"], json!([]), "{list}");
    }
    sandbox
        .post_control("/clock/advance", &json!({"by": "P1Y"}))
        .await;
    assert_eq!(sandbox.charge(&subscription, 1).await.status, 404);
    let gone = sandbox
        .post("/v1/transactions", &purchase(&plan, "order-2", "9.90"))
        .await;
    assert_eq!(refusal(&gone).0, 404);
}

#[tokio::test]
async fn lists_have_pages_an_order_and_filters() {
    let sandbox = Process::start();
    let plan = sandbox.plan(&json!({})).await;
    let other = sandbox.plan(&json!({})).await;
    for number in 0..3 {
        let key = format!("order-{number}");
        sandbox.subscribe(&purchase(&plan, &key, "9.90")).await;
        // Records of the same millisecond are sorted by id.
        sandbox
            .post_control("/clock/advance", &json!({"by": "PT1S"}))
            .await;
    }
    sandbox
        .subscribe(&purchase(&other, "order-3", "9.90"))
        .await;
    let keys = async |query: &str| {
        let found = sandbox.get(&format!("{SUBSCRIPTIONS}?{query}")).await.body;
        let data = found["data"].as_array().unwrap().iter();
        let keys = data.map(|found| found["externalId"].as_str().unwrap().to_owned());
        keys.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(keys("").await, "order-0 order-1 order-2 order-3");
    assert_eq!(
        keys("direction=desc&itemsPerPage=3").await,
        "order-3 order-2 order-1"
    );
    assert_eq!(keys("itemsPerPage=3&page=2").await, "order-3");
    assert_eq!(keys("page=9223372036854775807").await, "");
    assert_eq!(
        keys(&format!("planId={plan}&status=active")).await,
        "order-0 order-1 order-2"
    );
    assert_eq!(keys("status=trial").await, "");
    assert_eq!(keys(&format!("customerId={NOBODY}")).await, "");

    let customers = format!("/v1/subscriptions/customers?planId={other}");
    let customers = sandbox.get(&customers).await.body;
    assert_eq!(customers["data"][0]["subscriptionCount"], 1);
    assert_eq!(customers["data"][0]["email"], "customer@merchant.example");
    let meta =
        json!({"itemsPerPage": "10", "page": "1", "direction": "asc", "sortBy": "createdAt"});
    assert_eq!(customers["meta"], meta);
    let all = sandbox
        .get("/v1/subscriptions/customers?itemsPerPage=2")
        .await
        .body;
    assert_eq!(all["data"].as_array().unwrap().len(), 2);
}
