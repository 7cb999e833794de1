//! The real program on a free port, and a client for it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

use crate::databases;

pub(crate) const KEY: &str = "key-of-the-tests";
/// The timeout of waiting for a condition.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// A running sandbox, with its database and its log in a temporary folder.
pub(crate) struct Process {
    child: Child,
    pub(crate) url: String,
    pub(crate) client: Client,
    pub(crate) directory: tempfile::TempDir,
    database: String,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
}

impl Process {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// With additional arguments.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        Self::start_on_file(":", arguments)
    }

    /// On another database than a temporary file.
    pub(crate) fn start_on(database: &str) -> Self {
        Self::start_on_with(database, &[])
    }

    /// On another database, with additional arguments.
    pub(crate) fn start_on_with(database: &str, arguments: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self::start_in(directory, database.to_owned(), ":", arguments)
    }

    /// With limits, which are shell commands.
    pub(crate) fn start_limited(limits: &str) -> Self {
        Self::start_on_file(limits, &[])
    }

    fn start_on_file(limits: &str, arguments: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let database = format!("sqlite://{}", database(directory.path()).display());
        Self::start_in(directory, database, limits, arguments)
    }

    fn start_in(
        directory: tempfile::TempDir,
        database: String,
        limits: &str,
        arguments: &[&str],
    ) -> Self {
        let log = File::options()
            .create(true)
            .append(true)
            .open(directory.path().join("log"));
        // Before the program starts, so that a failure here leaves no process behind.
        let client = plain_client();
        let mut child = Command::new("sh")
            .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_sandbox"))
            .args(["--listen", "127.0.0.1:0", "--api-key", KEY])
            .args(["--database", &database])
            .args(arguments)
            .env("SANDBOX_LOG", "trace")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let url = line.trim_end().to_owned();
        assert!(
            url.starts_with("http://127.0.0.1:") && line.ends_with('\n'),
            "{line:?}"
        );
        Self {
            child,
            url,
            client,
            directory,
            database,
        }
    }

    /// Kills the program and starts it again on the same database, without limits.
    pub(crate) fn kill_and_restart(self) -> Self {
        let database = self.database.clone();
        Self::start_in(self.kill(), database, ":", &[])
    }

    /// Removes the limit of file sizes.
    pub(crate) fn give_room(&self) {
        let mut prlimit = Command::new("prlimit");
        let id = self.child.id().to_string();
        let status = prlimit.args(["--pid", &id, "--fsize=unlimited"]).status();
        assert!(status.unwrap().success());
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// The resident memory in kilobytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = resident.unwrap().split_whitespace().next();
        number.unwrap().parse().unwrap()
    }

    /// Kills the program.
    pub(crate) fn kill(mut self) -> tempfile::TempDir {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::mem::replace(&mut self.directory, tempfile::tempdir().unwrap())
    }

    /// Asks the program to stop and waits for its exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        self.child.wait().unwrap().code()
    }

    /// A request with the API key.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.url))
            .header("authorization", KEY)
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        reply(self.request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Reply {
        reply(self.request(Method::PATCH, path).json(body)).await
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        reply(self.request(Method::GET, path)).await
    }

    /// Creates a purchase of 10.00 EUR.
    pub(crate) async fn purchase(&self, key: &str, outcome: &str) -> Value {
        let made = self.post("/v1/transactions", &purchase(key, outcome)).await;
        assert_eq!(made.status, 201, "{made:?}");
        made.body
    }

    /// Checks that `sandbox audit` finds nothing.
    pub(crate) fn audit(&self) {
        let audit = Command::new(env!("CARGO_BIN_EXE_sandbox"))
            .args(["audit", "--database", &self.database])
            .output()
            .unwrap();
        assert!(
            audit.status.success(),
            "{}",
            String::from_utf8_lossy(&audit.stdout)
        );
    }

    /// The number of rows in all tables that requests write.
    pub(crate) fn rows(&self) -> i64 {
        let sql = "SELECT CAST((SELECT count(*) FROM transactions) + (SELECT count(*) FROM answers)
            + (SELECT count(*) FROM entries) + (SELECT count(*) FROM customers)
            + (SELECT count(*) FROM offers) + (SELECT count(*) FROM attempts)
            + (SELECT coalesce(sum(modified_at), 0) FROM transactions) AS BIGINT)";
        if self.database.starts_with("postgres:") {
            return databases::query(&self.database, move |client| {
                client.batch_execute("SET search_path = sandbox").unwrap();
                client.query_one(sql, &[]).unwrap().get(0)
            });
        }
        let path = self.database.trim_start_matches("sqlite://");
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn database(directory: &Path) -> PathBuf {
    directory.join("sandbox.db")
}

pub(crate) fn purchase(key: &str, outcome: &str) -> Value {
    json!({
        "merchantTransactionId": key,
        "amount": "10.00",
        "currency": "EUR",
        "fraudFields": {"sandbox.outcome": outcome}
    })
}

pub(crate) fn payout(key: &str, channel: &str, outcome: &str) -> Value {
    json!({
        "merchantTransactionId": key,
        "paymentChannel": channel,
        "amount": "250.00",
        "currency": "EUR",
        "customer": {"firstName": "Sample"},
        "paymentSpecificData": {"destinationCurrency": "BTC"},
        "fraudFields": {"sandbox.outcome": outcome}
    })
}

pub(crate) fn refund(key: &str, purchase: &str, amount: &str) -> Value {
    json!({
        "merchantTransactionId": key,
        "transactionId": purchase,
        "amount": amount,
        "currency": "EUR"
    })
}

/// Sends a request and reads the whole response.
pub(crate) async fn reply(request: RequestBuilder) -> Reply {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.unwrap();
    let body = if text.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(&text).unwrap()
    };
    Reply {
        status,
        headers,
        body,
    }
}

/// Polls until the condition holds.
pub(crate) async fn until(
    process: &Process,
    path: &str,
    condition: impl Fn(&Value) -> bool,
) -> Value {
    let begun = Instant::now();
    loop {
        let found = process.get(path).await;
        if condition(&found.body) {
            return found.body;
        }
        assert!(
            begun.elapsed() < DEADLINE,
            "{path} did not fulfil the condition: {}",
            found.body
        );
    }
}

/// The id of a transaction.
pub(crate) fn id(transaction: &Value) -> &str {
    transaction["id"].as_str().unwrap()
}

/// A client without TLS. Cargo unifies the features of reqwest over the workspace, so it has TLS
/// and needs a provider even here.
pub(crate) fn plain_client() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().tls_certs_only([]).build().unwrap()
}
