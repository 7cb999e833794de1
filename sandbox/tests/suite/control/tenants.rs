//! Tenants, resets and snapshots.

use reqwest::Method;
use serde_json::{Value, json};

use super::{ADMIN_KEY, refusal, refuses, refuses_other_formats_than_json};
use crate::process::{KEY, Process, id, purchase, reply};

#[tokio::test]
async fn a_new_tenant_has_a_key_and_records_of_its_own() {
    let sandbox = Process::start();
    let made = sandbox
        .post_control("/tenants", &json!({"name": "shop-two"}))
        .await;
    assert_eq!(made.status, 201, "{made:?}");
    let key = made.body["apiKey"].as_str().unwrap().to_owned();
    let listed = sandbox.read_control("/tenants").await.body;
    assert_eq!(
        listed,
        json!({"data": [{"name": "development"}, {"name": "shop-two"}]})
    );

    let first = sandbox.purchase("order-1", "accept").await;
    let path = format!("{}/v1/transactions/{}", sandbox.url, id(&first));
    let get = |key: &str| {
        sandbox
            .client
            .get(&path)
            .header("authorization", key.to_owned())
    };
    assert_eq!(reply(get(&key)).await.status, 404);
    assert_eq!(reply(get(KEY)).await.status, 200);
    let basic = sandbox.client.get(&path).basic_auth("shop-two", Some(&key));
    assert_eq!(reply(basic).await.status, 404);
}

#[tokio::test]
async fn an_invalid_tenant_is_refused() {
    let sandbox = Process::start();
    refuses_other_formats_than_json(&sandbox, "/tenants").await;
    let table: [(Value, u16, &str, &[&str]); 6] = [
        (json!({"name": "development"}), 409, "E1409", &["/name"]),
        (
            json!({"name": "a", "apiKey": KEY}),
            409,
            "E1409",
            &["/apiKey"],
        ),
        (
            json!({"name": "development", "apiKey": KEY}),
            409,
            "E1409",
            &["/name", "/apiKey"],
        ),
        (
            json!({"name": "two words", "apiKey": ""}),
            422,
            "E1001",
            &["/name", "/apiKey"],
        ),
        (
            json!({"name": "a", "apiKey": ADMIN_KEY}),
            422,
            "E1001",
            &["/apiKey"],
        ),
        (json!({"name": 7}), 422, "E1001", &["/name"]),
    ];
    refuses(&sandbox, "/tenants", &table).await;
    assert_eq!(
        sandbox.read_control("/tenants").await.body["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_reset_restores_the_initial_records() {
    let sandbox = Process::start();
    sandbox.purchase("order-1", "accept").await;
    sandbox
        .post_control("/faults", &json!({"latencyMs": 1}))
        .await;
    sandbox
        .post_control("/scenarios", &json!({"outcome": "reject"}))
        .await;
    sandbox
        .post_control("/clock/advance", &json!({"by": "P1D"}))
        .await;
    assert_eq!(sandbox.post_control_empty("/reset").await.status, 204);
    for list in ["/faults", "/scenarios", "/requests"] {
        assert_eq!(
            sandbox.read_control(list).await.body,
            json!({"data": []}),
            "{list}"
        );
    }
    assert_eq!(sandbox.read_control("/clock").await.body["aheadMs"], 0);
    // The key stays valid, and the id of the purchase is free again.
    let again = sandbox
        .post("/v1/transactions", &purchase("order-1", "reject"))
        .await;
    assert_eq!(
        (again.status, &again.body["status"]),
        (201, &json!("REJECTED"))
    );
}

#[tokio::test]
async fn a_snapshot_can_be_restored_repeatedly() {
    let sandbox = Process::start();
    sandbox.purchase("order-1", "accept").await;
    sandbox
        .post_control("/clock/advance", &json!({"by": "P1D"}))
        .await;
    let ahead = sandbox.read_control("/clock").await.body["aheadMs"].clone();
    let taken = sandbox.post_control_empty("/snapshots").await;
    assert_eq!((taken.status, &taken.body["number"]), (201, &json!(1)));
    assert_eq!(
        sandbox.read_control("/snapshots").await.body["data"],
        json!([taken.body])
    );
    for _ in 0..2 {
        sandbox.purchase("order-2", "accept").await;
        sandbox
            .post_control("/clock/advance", &json!({"by": "P1D"}))
            .await;
        let restored = sandbox.post_control_empty("/snapshots/1/restore").await;
        assert_eq!(restored.status, 204, "{restored:?}");
        let find = |key| format!("/v1/transactions/merchant/{key}");
        assert_eq!(sandbox.get(&find("order-1")).await.status, 200);
        assert_eq!(sandbox.get(&find("order-2")).await.status, 404);
        assert_eq!(sandbox.read_control("/clock").await.body["aheadMs"], ahead);
    }
    sandbox.audit();
}

#[tokio::test]
async fn an_unknown_snapshot_is_refused() {
    let sandbox = Process::start();
    let unknown = sandbox.post_control_empty("/snapshots/1/restore").await;
    assert_eq!(refusal(&unknown).0, 404);
    let unreadable = sandbox.post_control_empty("/snapshots/first/restore").await;
    assert_eq!(refusal(&unreadable).0, 400);
    let nobody = reply(sandbox.admin(Method::POST, "/reset?tenant=nobody")).await;
    assert_eq!(refusal(&nobody).0, 404);
}
