//! A persistent connection to a server, with the minimum to send JSON and read the answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection with credentials.
pub(super) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    key: String,
}

/// An answer.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: Value,
}

impl Reply {
    /// The code of the problem in the answer.
    pub(super) fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }
}

impl Connection {
    /// Connects to a base address such as `http://127.0.0.1:8080`.
    pub(super) fn open(url: &str, key: &str) -> anyhow::Result<Self> {
        let host = url.strip_prefix("http://").context("not an http address")?;
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            stream: BufReader::new(stream),
            host: host.to_owned(),
            key: key.to_owned(),
        })
    }

    /// Reads a record.
    pub(super) fn get(&mut self, path: &str) -> anyhow::Result<Reply> {
        self.exchange("GET", path, "", "")
    }

    /// Sends a command with the outcome of the simulated provider.
    pub(super) fn post(
        &mut self,
        path: &str,
        outcome: &str,
        body: &Value,
    ) -> anyhow::Result<Reply> {
        let outcome = format!("sandbox-outcome: {outcome}\r\ncontent-type: application/json\r\n");
        self.exchange("POST", path, &outcome, &body.to_string())
    }

    fn exchange(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> anyhow::Result<Reply> {
        let (host, key, length) = (&self.host, &self.key, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: {key}\r\n{headers}content-length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let status = self.line()?;
        let status = status.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.context("the answer has no status")?;
        let mut bytes = vec![0; self.length()?];
        self.stream.read_exact(&mut bytes)?;
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        Ok(Reply { status, body })
    }

    /// Reads the headers. Returns the length of the body.
    fn length(&mut self) -> anyhow::Result<usize> {
        let mut length = 0;
        loop {
            let line = self.line()?.to_ascii_lowercase();
            if line.is_empty() {
                return Ok(length);
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            if line.starts_with("transfer-encoding:") {
                bail!("the answer comes in chunks, which nothing here reads");
            }
        }
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let line = line.strip_suffix("\r\n");
        Ok(line.context("the connection was closed")?.to_owned())
    }
}
