//! A merchant who hears of purchases, and remembers which.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use serde_json::Value;

/// How often each purchase was told of.
type Told = Arc<Mutex<BTreeMap<String, u64>>>;

/// The receiver; its thread ends with the program.
#[derive(Debug)]
pub(super) struct Receiver {
    url: String,
    told: Told,
}

impl Receiver {
    pub(super) fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let url = format!("http://{}/notifications", listener.local_addr()?);
        let told = Told::default();
        let shared = Arc::clone(&told);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A sender that was killed in the middle comes again.
                let _ = hear(&stream, &shared);
            }
        });
        Ok(Self { url, told })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Whether the purchase under this id of the merchant's was told of.
    pub(super) fn knows(&self, key: &str) -> bool {
        self.told().contains_key(key)
    }

    /// How many notifications there were.
    pub(super) fn count(&self) -> u64 {
        self.told().values().sum()
    }

    fn told(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, u64>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads one notification and confirms it.
fn hear(mut stream: &TcpStream, told: &Told) -> anyhow::Result<()> {
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
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
    *told.entry(key).or_default() += 1;
    stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")?;
    Ok(())
}
