//! Triggers in the control interface.

use serde_json::{Value, json};

use super::{refuses, refuses_other_formats_than_json};
use crate::process::Process;

on_both_programs! {
    every_trigger_causes_its_event,
    the_calls_of_a_trigger_are_among_the_requests,
    invalid_triggers_are_refused,
}

async fn every_trigger_causes_its_event(sandbox: &Process) {
    let listed = sandbox.read_control("/triggers").await;
    let all = listed.body["data"].as_array().unwrap().clone();
    assert!(all.len() > 5, "{all:?}");
    for trigger in all {
        let event = trigger["event"].as_str().unwrap();
        let order = json!({"event": event, "notify": "http://127.0.0.1:9/"});
        let run = sandbox.post_control("/triggers", &order).await;
        assert_eq!(
            (run.status, &run.body["event"]),
            (201, &trigger["event"]),
            "{run:?}"
        );
        let id = run.body["answer"]["id"].as_str().unwrap();
        let told = sandbox.read_control("/webhooks?limit=200").await;
        let told = told.body["data"].as_array().unwrap();
        // For an event of a subscription, the purchase that begins it is notified.
        let expected = event.replace("subscription.charged", "purchase.accepted");
        let is_told =
            |told: &Value| told["transactionId"] == id && told["type"] == expected.as_str();
        assert!(told.iter().any(is_told), "{event}: {told:?}");
    }
    sandbox.audit();
}

async fn the_calls_of_a_trigger_are_among_the_requests(sandbox: &Process) {
    let run = sandbox
        .post_control("/triggers", &json!({"event": "refund.accepted"}))
        .await;
    assert_eq!(run.status, 201, "{run:?}");
    let seen = sandbox.read_control("/requests").await;
    let operations: Vec<_> = { seen.body["data"].as_array().unwrap().iter() }
        .map(|one| one["operation"].as_str().unwrap())
        .collect();
    assert_eq!(operations, ["createRefund", "createPurchase"]);
    assert_eq!(
        sandbox.read_control("/webhooks").await.body["data"],
        json!([])
    );
}

async fn invalid_triggers_are_refused(sandbox: &Process) {
    let rows = sandbox.rows();
    let table: [(_, _, _, &[&str]); 3] = [
        (json!({"event": "nothing"}), 422, "E1001", &["/event"]),
        (
            json!({"event": "purchase.accepted", "notify": "javascript:alert(1)"}),
            422,
            "E1001",
            &["/event"],
        ),
        (json!({"event": 1}), 422, "E1001", &["/event"]),
    ];
    refuses(sandbox, "/triggers", &table).await;
    refuses_other_formats_than_json(sandbox, "/triggers").await;
    assert_eq!(sandbox.rows(), rows);
}
