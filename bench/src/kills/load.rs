//! Creates purchases on many connections until the server is killed, and records their answers.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::server;

const CONNECTIONS: usize = 16;
/// The time limit of a load.
const PATIENCE: Duration = Duration::from_mins(1);

/// A purchase with a complete answer.
#[derive(Debug)]
pub(super) struct Acknowledged {
    pub(super) key: String,
    pub(super) body: Value,
}

/// The result of a load.
#[derive(Debug, Default)]
pub(super) struct Load {
    pub(super) acknowledged: Vec<Acknowledged>,
    /// The merchant's ids of purchases that were sent and not answered.
    pub(super) unknown: Vec<String>,
}

impl Load {
    /// Creates purchases, kills the server after enough answers, and continues until the server is
    /// gone.
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

/// Creates purchases in sequence until one is not answered.
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
        // Only a complete answer counts.
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
