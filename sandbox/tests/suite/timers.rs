//! Delayed results over HTTP, and after a restart.

use crate::process::{Process, id, until};

#[tokio::test]
async fn a_delayed_result_arrives_after_a_kill_and_restart() {
    let sandbox = Process::start();
    let accepted = sandbox.purchase("order-1", "pending;after=PT0.5S").await;
    let rejected = sandbox
        .purchase("order-2", "pending;after=PT0.5S;then=reject;code=E1006")
        .await;
    let waiting = sandbox.purchase("order-3", "pending").await;
    assert_eq!(accepted["status"], "PENDING");
    let sandbox = sandbox.kill_and_restart();
    let path = |made| format!("/v1/transactions/{}", id(made));
    let found = until(&sandbox, &path(&accepted), |found| {
        found["status"] != "PENDING"
    })
    .await;
    assert_eq!(found["status"], "ACCEPTED");
    let found = until(&sandbox, &path(&rejected), |found| {
        found["status"] != "PENDING"
    })
    .await;
    assert_eq!(found["rejectCode"], "E1006");
    assert_eq!(sandbox.get(&path(&waiting)).await.body["status"], "PENDING");
    sandbox.audit();
}
