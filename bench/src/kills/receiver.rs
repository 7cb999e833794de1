//! A merchant that receives notifications of purchases and counts them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use serde_json::Value;

/// The number of notifications for each purchase.
type Notified = Arc<Mutex<BTreeMap<String, u64>>>;

/// The receiver; its thread ends with the program.
#[derive(Debug)]
pub(super) struct Receiver {
    url: String,
    notified: Notified,
}

impl Receiver {
    pub(super) fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let url = format!("http://{}/notifications", listener.local_addr()?);
        let notified = Notified::default();
        let shared = Arc::clone(&notified);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A sender that was killed during the request sends it again.
                let _ = read_notification(&stream, &shared);
            }
        });
        Ok(Self { url, notified })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Whether the purchase with this merchant's id has a notification.
    pub(super) fn knows(&self, key: &str) -> bool {
        self.notified().contains_key(key)
    }

    /// The number of notifications.
    pub(super) fn count(&self) -> u64 {
        self.notified().values().sum()
    }

    fn notified(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, u64>> {
        self.notified.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads one notification and confirms it.
fn read_notification(mut stream: &TcpStream, notified: &Notified) -> anyhow::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            if line.trim().is_empty() {
                break;
            }
            continue;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body)?;
    let key = body["data"]["merchantTransactionId"].as_str();
    let key = key.context("a notification of nothing")?.to_owned();
    let mut notified = notified.lock().unwrap_or_else(PoisonError::into_inner);
    *notified.entry(key).or_default() += 1;
    stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")?;
    Ok(())
}
