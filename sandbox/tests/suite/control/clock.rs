//! The clock of a tenant.

use serde_json::{Value, json};

use super::{refuses, refuses_what_is_no_json};
use crate::process::{Process, id};

#[tokio::test]
async fn what_becomes_due_on_the_way_happens_before_the_answer() {
    let sandbox = Process::start();
    let soon = sandbox.purchase("soon", "pending;after=PT1H").await;
    let late = sandbox
        .purchase("late", "pending;after=PT2H;then=reject")
        .await;
    let far = sandbox.purchase("far", "pending;after=PT99H").await;
    let advanced = sandbox
        .order("/clock/advance", &json!({"by": "PT3H"}))
        .await;
    assert_eq!(advanced.status, 200, "{advanced:?}");
    let fired = advanced.body["fired"].as_array().unwrap();
    let subjects: Vec<_> = fired.iter().map(|fired| fired["subject"].clone()).collect();
    assert_eq!(subjects, [soon["id"].clone(), late["id"].clone()]);
    let mut states = Vec::new();
    for one in [&soon, &late, &far] {
        let path = format!("/v1/transactions/{}", id(one));
        states.push(sandbox.get(&path).await.body["status"].clone());
    }
    assert_eq!(states, ["ACCEPTED", "REJECTED", "PENDING"]);
    let told = sandbox.look("/clock").await.body;
    assert!(told["aheadMs"].as_i64().unwrap() >= 3 * 3_600_000, "{told}");
    let now: jiff::Timestamp = told["now"].as_str().unwrap().parse().unwrap();
    let reached: jiff::Timestamp = advanced.body["now"].as_str().unwrap().parse().unwrap();
    assert!(now >= reached);
    let metrics = sandbox.client.get(format!("{}/metrics", sandbox.url));
    let text = metrics.send().await.unwrap().text().await.unwrap();
    assert!(
        text.contains(r#"sandbox_timers_fired_total{kind="transaction"} 2"#),
        "{text}"
    );
}

#[tokio::test]
async fn the_clock_of_one_tenant_is_not_that_of_another() {
    let sandbox = Process::start();
    sandbox.order("/tenants", &json!({"name": "other"})).await;
    sandbox
        .order("/clock/advance?tenant=other", &json!({"by": "P1M"}))
        .await;
    assert_eq!(sandbox.look("/clock").await.body["aheadMs"], 0);
}

#[tokio::test]
async fn a_clock_goes_forward_only() {
    let sandbox = Process::start();
    refuses_what_is_no_json(&sandbox, "/clock/advance").await;
    let table: [(Value, u16, &str, &[&str]); 6] = [
        (
            json!({"to": "2020-01-01T00:00:00Z"}),
            422,
            "E1001",
            &["/to"],
        ),
        (json!({"to": "tomorrow"}), 422, "E1001", &["/to"]),
        (json!({"by": "-P1D"}), 422, "E1001", &["/by"]),
        (json!({"by": "a day"}), 422, "E1001", &["/by"]),
        (json!({}), 422, "E1001", &["/by"]),
        (
            json!({"by": "P1D", "to": "2090-01-01T00:00:00Z"}),
            422,
            "E1001",
            &["/to"],
        ),
    ];
    refuses(&sandbox, "/clock/advance", &table).await;
    assert_eq!(sandbox.look("/clock").await.body["aheadMs"], 0);
}
