//! Snapshots in the control interface.

use reqwest::Method;
use sandbox::service::snapshots::MOST;
use serde_json::json;

use super::{refusal, refuses};
use crate::process::{Process, reply};

on_both_programs! {
    snapshots_have_names_and_numbers_that_are_used_once,
    invalid_names_are_refused,
    the_number_of_snapshots_is_limited,
    a_reset_removes_snapshots_on_request,
}

async fn snapshots_have_names_and_numbers_that_are_used_once(sandbox: &Process) {
    let named = sandbox
        .post_control("/snapshots", &json!({"name": "before"}))
        .await;
    assert_eq!((named.status, &named.body["number"]), (201, &json!(1)));
    assert_eq!(named.body["name"], "before");
    let plain = sandbox.post_control_empty("/snapshots").await;
    assert_eq!((plain.status, &plain.body["number"]), (201, &json!(2)));
    assert!(plain.body.get("name").is_none(), "{plain:?}");
    let empty = sandbox.post_control("/snapshots", &json!({})).await;
    assert_eq!(empty.status, 201, "{empty:?}");
    for number in [3, 2] {
        let path = format!("/snapshots/{number}");
        assert_eq!(sandbox.remove(&path).await.status, 204);
        let again = sandbox.remove(&path).await;
        assert_eq!(refusal(&again).1, "E1404");
    }
    let next = sandbox.post_control_empty("/snapshots").await;
    assert_eq!(next.body["number"], 4);
    let listed = sandbox.read_control("/snapshots").await;
    let numbers: Vec<_> = { listed.body["data"].as_array().unwrap().iter() }
        .map(|one| one["number"].as_i64().unwrap())
        .collect();
    assert_eq!(numbers, [1, 4]);
    let gone = sandbox.post_control_empty("/snapshots/2/restore").await;
    assert_eq!(gone.status, 404);
    sandbox.audit();
}

async fn invalid_names_are_refused(sandbox: &Process) {
    let long = "n".repeat(65);
    let table: [(_, _, _, &[&str]); 3] = [
        (json!({"name": ""}), 422, "E1001", &["/name"]),
        (json!({"name": long}), 422, "E1001", &["/name"]),
        (json!({"name": 7}), 422, "E1001", &["/name"]),
    ];
    refuses(sandbox, "/snapshots", &table).await;
    let broken = sandbox.admin(Method::POST, "/snapshots").body("{\"");
    let broken = reply(broken.header("content-type", "application/json")).await;
    assert_eq!(refusal(&broken).1, "E1000");
    let plain = reply(sandbox.admin(Method::POST, "/snapshots").body("text")).await;
    assert_eq!(plain.status, 415);
    assert_eq!(
        sandbox.read_control("/snapshots").await.body["data"],
        json!([])
    );
}

async fn the_number_of_snapshots_is_limited(sandbox: &Process) {
    for _ in 0..MOST {
        assert_eq!(sandbox.post_control_empty("/snapshots").await.status, 201);
    }
    let more = sandbox.post_control_empty("/snapshots").await;
    assert_eq!(refusal(&more).1, "E1409");
    let made = sandbox
        .post_control("/tenants", &json!({"name": "shop-two"}))
        .await;
    assert_eq!(made.status, 201);
    let other = sandbox
        .post_control_empty("/snapshots?tenant=shop-two")
        .await;
    assert_eq!(other.status, 201, "{other:?}");
    sandbox.remove("/snapshots/1").await;
    let next = sandbox.post_control_empty("/snapshots").await;
    assert_eq!(next.body["number"], MOST + 1);
}

async fn a_reset_removes_snapshots_on_request(sandbox: &Process) {
    sandbox.post_control_empty("/snapshots").await;
    assert_eq!(sandbox.post_control_empty("/reset").await.status, 204);
    let kept = sandbox.read_control("/snapshots").await;
    assert_eq!(kept.body["data"].as_array().unwrap().len(), 1);
    let wrong = sandbox.post_control_empty("/reset?snapshots=perhaps").await;
    assert_eq!(refusal(&wrong).2, ["/query/snapshots"]);
    let all = sandbox.post_control_empty("/reset?snapshots=remove").await;
    assert_eq!(all.status, 204, "{all:?}");
    assert_eq!(
        sandbox.read_control("/snapshots").await.body["data"],
        json!([])
    );
    sandbox.audit();
}
