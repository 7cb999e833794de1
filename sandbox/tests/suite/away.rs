//! PostgreSQL becomes unreachable and returns: requests fail at once, nothing is lost, no restart
//! is needed.

use std::time::Instant;

use futures_util::future::join_all;
use serde_json::json;

use crate::cluster::Cluster;
use crate::process::{DEADLINE, Process, id, purchase};

/// More requests than there are database connections.
const AT_ONCE: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_database_is_reported_at_once_and_used_again_after_its_return() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let sandbox = Process::start_on(&cluster.url());
    let before = sandbox.purchase("before", "accept").await;

    cluster.go_away();
    let keys: Vec<_> = (0..AT_ONCE)
        .map(|number| format!("away-{number}"))
        .collect();
    let bodies: Vec<_> = keys.iter().map(|key| purchase(key, "accept")).collect();
    let begun = Instant::now();
    let refused = bodies
        .iter()
        .map(|body| sandbox.post("/v1/transactions", body));
    for refused in join_all(refused).await {
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (503, &json!("E1503")),
            "{refused:?}"
        );
        assert_eq!(refused.headers["content-type"], "application/problem+json");
    }
    // One after the other, the failures would take too long.
    assert!(begun.elapsed() < DEADLINE / 3, "{:?}", begun.elapsed());
    let unready = sandbox.get("/readyz").await;
    assert_eq!(unready.status, 503);
    assert_eq!(unready.headers["retry-after"], "5");
    assert_eq!(sandbox.get("/healthz").await.status, 204);

    cluster.come_back();
    let begun = Instant::now();
    while sandbox.get("/readyz").await.status != 204 {
        assert!(
            begun.elapsed() < DEADLINE,
            "the sandbox does not use it again"
        );
    }
    let path = format!("/v1/transactions/{}", id(&before));
    assert_eq!(sandbox.get(&path).await.body, before);
    for key in &keys {
        let found = sandbox
            .get(&format!("/v1/transactions/merchant/{key}"))
            .await;
        assert_eq!(found.status, 404, "{key} was refused");
    }
    sandbox.purchase("away-0", "accept").await;
    sandbox.audit();
}
