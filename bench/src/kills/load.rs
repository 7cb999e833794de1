//! Purchases on many connections until the server is killed, and what became of them.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::server;

const CONNECTIONS: usize = 16;
/// How long the load may take to get through.
const PATIENCE: Duration = Duration::from_mins(1);

/// A purchase whose answer has arrived, all of it.
#[derive(Debug)]
pub(super) struct Acknowledged {
    pub(super) key: String,
    pub(super) body: Value,
}

/// What a load came to.
#[derive(Debug, Default)]
pub(super) struct Load {
    pub(super) acknowledged: Vec<Acknowledged>,
    /// The merchant's ids of those that were sent and not answered.
    pub(super) unknown: Vec<String>,
}

impl Load {
    /// Makes purchases, kills the server once enough were acknowledged, and goes on until it is gone.
    pub(super) fn until(
        enough: usize,
        address: SocketAddr,
        prefix: &str,
        url: &str,
        kill: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let count = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let clients: Vec<_> = (0..CONNECTIONS)
                .map(|client| {
                    let prefix = format!("{prefix}-{client}");
                    let count = &count;
                    scope.spawn(move || submit(address, &prefix, url, count))
                })
                .collect();
            let deadline = Instant::now() + PATIENCE;
            while count.load(Ordering::Relaxed) < enough && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
            kill()?;
            let mut all = Self::default();
            for client in clients {
                let one = client.join().ok().context("a client panicked")??;
                all.acknowledged.extend(one.acknowledged);
                all.unknown.extend(one.unknown);
            }
            ensure!(
                all.acknowledged.len() >= enough,
                "the load did not get through"
            );
            Ok(all)
        })
    }
}

/// Makes one purchase after the other until one is not answered.
fn submit(
    address: SocketAddr,
    prefix: &str,
    url: &str,
    count: &AtomicUsize,
) -> anyhow::Result<Load> {
    let mut load = Load::default();
    for number in 0.. {
        let key = format!("{prefix}-{number}");
        let answer = server::post(address, "/v1/transactions", &purchase(&key, url));
        // An answer counts once all of it is there.
        let Some((status, body)) = answer.ok().and_then(|text| server::parts(&text).ok()) else {
            load.unknown.push(key);
            break;
        };
        ensure!(status == 201, "{key}: {status} {body}");
        load.acknowledged.push(Acknowledged { key, body });
        count.fetch_add(1, Ordering::Relaxed);
    }
    Ok(load)
}

pub(super) fn purchase(key: &str, url: &str) -> String {
    format!(
        r#"{{"merchantTransactionId":"{key}","amount":"10.00","currency":"EUR","customIpnUrl":"{url}"}}"#
    )
}
