//! `kill -9` under load: no acknowledged purchase is lost.

use std::sync::{Arc, Mutex};

use reqwest::Method;
use serde_json::Value;
use tokio::sync::Notify;

use crate::databases;
use crate::process::{DEADLINE, Process, purchase};

/// The number of acknowledged purchases before each kill.
const LOAD: usize = 150;
const ROUNDS: usize = 3;
const CONNECTIONS: usize = 16;

#[derive(Default)]
struct Acknowledged {
    purchases: Mutex<Vec<Value>>,
    enough: Notify,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_purchase_is_lost() {
    lose_none(Process::start()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_purchase_is_lost_on_postgres() {
    if let Some(fresh) = databases::postgres() {
        lose_none(Process::start_on(&fresh.url())).await;
    }
}

/// Kills the program and checks the purchases, repeatedly.
async fn lose_none(mut sandbox: Process) {
    let mut kept = Vec::new();
    for round in 0..ROUNDS {
        let acknowledged = Arc::new(Acknowledged::default());
        let load: Vec<_> = (0..CONNECTIONS)
            .map(|connection| {
                let request = sandbox.request(Method::POST, "/v1/transactions");
                let key = format!("order-{round}-{connection}");
                tokio::spawn(submit(request, key, Arc::clone(&acknowledged)))
            })
            .collect();
        let enough = tokio::time::timeout(DEADLINE, acknowledged.enough.notified()).await;
        enough.expect("too few purchases were acknowledged");
        sandbox = sandbox.kill_and_restart();
        for task in load {
            task.await.unwrap();
        }
        let acknowledged = std::mem::take(&mut *acknowledged.purchases.lock().unwrap());
        assert!(acknowledged.len() >= LOAD);
        kept.extend(acknowledged);
        sandbox.audit();
    }
    for purchase in &kept {
        let key = purchase["merchantTransactionId"].as_str().unwrap();
        let by_id = sandbox
            .get(&format!(
                "/v1/transactions/{}",
                purchase["id"].as_str().unwrap()
            ))
            .await;
        assert_eq!((by_id.status, &by_id.body), (200, purchase));
        let by_key = sandbox
            .get(&format!("/v1/transactions/merchant/{key}"))
            .await;
        assert_eq!(by_key.body, *purchase);
    }
}

/// Creates purchases one after the other until the server is gone.
async fn submit(request: reqwest::RequestBuilder, key: String, acknowledged: Arc<Acknowledged>) {
    for number in 0.. {
        let body = purchase(&format!("{key}-{number}"), "accept");
        let Some(request) = request.try_clone() else {
            return;
        };
        let Ok(response) = request.json(&body).send().await else {
            return;
        };
        assert_eq!(response.status().as_u16(), 201);
        // A purchase counts as acknowledged once the whole answer has arrived.
        let Ok(made) = response.json().await else {
            return;
        };
        let mut purchases = acknowledged.purchases.lock().unwrap();
        purchases.push(made);
        if purchases.len() == LOAD {
            acknowledged.enough.notify_one();
        }
    }
}
