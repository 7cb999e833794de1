//! Modes of the command line.

use reqwest::Method;
use sandbox::store::{self, Database, Flush, Settings, Store, StoreError, StoreSettings};
use serde_json::json;

use crate::databases::Fresh;
use crate::process::{Process, id, purchase, reply};

on_both_databases! {
    as_sampled_calls_without_credentials_act_for_the_development_tenant,
    every_operation_takes_credentials_unless_the_mode_is_asked_for,
    a_call_without_a_required_request_id_is_refused,
    the_program_serves_fast_too,
}

const RENEW: &str = "/v1/transactions/renewAuthorization";

async fn as_sampled_calls_without_credentials_act_for_the_development_tenant(fresh: &Fresh) {
    let sandbox = Process::start_on_with(&fresh.url(), &["--auth", "as-sampled"]);
    let made = sandbox.purchase("order-1", "reject").await;
    let body = json!({"merchantTransactionId": "order-1"});
    let anonymous = |method: Method, path: &str| {
        sandbox
            .client
            .request(method, format!("{}{path}", sandbox.url))
    };
    let renewed = reply(anonymous(Method::POST, RENEW).json(&body)).await;
    assert_eq!(
        (renewed.status, &renewed.body["status"]),
        (200, &json!("ACCEPTED")),
        "{renewed:?}"
    );
    // The sample of a purchase shows credentials.
    let refused = [
        anonymous(Method::POST, "/v1/transactions").json(&purchase("order-2", "accept")),
        anonymous(Method::GET, &format!("/v1/transactions/{}", id(&made))),
        anonymous(Method::GET, "/v1/nowhere"),
        // Given credentials have to be valid.
        anonymous(Method::POST, RENEW)
            .json(&body)
            .header("authorization", "wrong"),
    ];
    for request in refused {
        let refused = reply(request).await;
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (401, &json!("E1401")),
            "{refused:?}"
        );
    }
}

async fn every_operation_takes_credentials_unless_the_mode_is_asked_for(fresh: &Fresh) {
    let sandbox = Process::start_on(&fresh.url());
    sandbox.purchase("order-1", "reject").await;
    let url = format!("{}{RENEW}", sandbox.url);
    let body = json!({"merchantTransactionId": "order-1"});
    assert_eq!(
        reply(sandbox.client.post(url).json(&body)).await.status,
        401
    );
}

async fn a_call_without_a_required_request_id_is_refused(fresh: &Fresh) {
    let sandbox = Process::start_on_with(&fresh.url(), &["--missing-request-id", "refuse"]);
    let path = "/v1/transactions/merchant/nobody";
    let refused = sandbox.get(path).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (400, &json!("E1000")),
        "{refused:?}"
    );
    assert_eq!(refused.body["errors"][0]["pointer"], "/header/request-id");
    let with = |value: String| {
        reply(
            sandbox
                .request(Method::GET, path)
                .header("request-id", value),
        )
    };
    assert_eq!(with("one".to_owned()).await.status, 404);
    for value in [String::new(), "x".repeat(201)] {
        assert_eq!(with(value).await.status, 400);
    }
    // Authentication comes first, and the control interface accepts no merchant's key.
    let url = format!("{}{path}", sandbox.url);
    assert_eq!(reply(sandbox.client.get(url)).await.status, 401);
    assert_eq!(sandbox.read_control("/clock").await.status, 200);
}

#[tokio::test]
async fn fast_mode_answers_before_a_commit_is_on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let database = Database::File(directory.path().join("sandbox.db"));
    let settings = StoreSettings {
        flush: Flush::Later,
        ..StoreSettings::default()
    };
    let store = Store::open(&database, settings).unwrap();
    let found: Result<Settings, StoreError> = store.write(store::settings).await;
    // The value of `NORMAL` in SQLite.
    assert_eq!(found.unwrap().synchronous, 1);
    let Some(fresh) = crate::databases::postgres() else {
        return;
    };
    let store = Store::open(&fresh.database(), settings).unwrap();
    let setting = |connection: &store::Connection| {
        connection.value::<String>("SELECT current_setting('synchronous_commit')", &[])
    };
    let found: Result<String, StoreError> = store.write(setting).await;
    assert_eq!(found.unwrap(), "off");
}

async fn the_program_serves_fast_too(fresh: &Fresh) {
    let sandbox = Process::start_on_with(&fresh.url(), &["--fast"]);
    sandbox.purchase("order-1", "accept").await;
    sandbox.audit();
}
