//! Runs a headless Chromium for each test, through `WebDriver`.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::error::CmdError;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// How long pages may replace each other before a click fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs a test in a browser that ends with it. Without a browser the test is skipped; in CI it
/// fails.
pub async fn in_browser<F>(test: impl FnOnce(Client) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    if !prerequisites::CHROMIUM.is_met() {
        return;
    }
    let profile = tempfile::tempdir().unwrap();
    let driver = Driver::start();
    let connector = HttpConnector::new();
    let mut builder = ClientBuilder::new(connector);
    builder.capabilities(capabilities(&profile.path().display().to_string()));
    let client = builder.connect(&driver.url).await.unwrap();
    // A failed test must not leave a browser running.
    let ended = tokio::spawn(test(client.clone())).await;
    client.close().await.unwrap();
    if let Err(failure) = ended {
        std::panic::resume_unwind(failure.into_panic());
    }
}

fn capabilities(profile: &str) -> serde_json::Map<String, Value> {
    let arguments = json!([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        format!("--user-data-dir={profile}"),
    ]);
    let capabilities = json!({
        "browserName": "chrome",
        "goog:chromeOptions": {"args": arguments},
        "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
    });
    capabilities.as_object().unwrap().clone()
}

/// The driver, on a free port.
struct Driver {
    child: Child,
    url: String,
}

/// How often a driver is started. It ends when another program takes its port between two steps of
/// its start.
const STARTS: usize = 5;

impl Driver {
    fn start() -> Self {
        let mut started = (0..STARTS).filter_map(|_| Self::try_start());
        started.next().expect("chromedriver does not start")
    }

    fn try_start() -> Option<Self> {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            let (_, port) = line.rsplit_once("successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        // Reads the remaining output, so that the pipe does not block the driver.
        std::thread::spawn(move || lines.for_each(drop));
        let url = format!("http://127.0.0.1:{}", port.unwrap_or_default());
        // Dropped without a port, which ends the process.
        let driver = Self { child, url };
        port.map(|_| driver)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the entries of a browser log.
#[derive(Debug)]
struct ReadLog(&'static str);

impl WebDriverCompatibleCommand for ReadLog {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (
            http::Method::POST,
            Some(json!({ "type": self.0 }).to_string()),
        )
    }
}

/// The addresses that pages have requested.
pub async fn requested_addresses(client: &Client) -> Vec<String> {
    let log = client.issue_cmd(ReadLog("performance")).await.unwrap();
    let mut addresses = Vec::new();
    for entry in log.as_array().unwrap() {
        let message: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
        let message = &message["message"];
        if message["method"] == "Network.requestWillBeSent" {
            let url = &message["params"]["request"]["url"];
            addresses.push(url.as_str().unwrap().to_owned());
        }
    }
    addresses
}

/// The errors that pages have logged.
pub async fn complaints(client: &Client) -> Vec<String> {
    let log = client.issue_cmd(ReadLog("browser")).await.unwrap();
    let entries = log.as_array().unwrap().iter();
    let severe = entries.filter(|entry| entry["level"] == "SEVERE");
    severe.map(|entry| entry["message"].to_string()).collect()
}

/// Clicks the element of a selector when it appears. Tries again on the next page when the page is
/// replaced meanwhile.
pub async fn press(client: &Client, selector: &str) {
    let begun = Instant::now();
    loop {
        let found = client.wait().for_element(Locator::Css(selector)).await;
        match found.unwrap().click().await {
            Err(error) if is_left_behind(&error) && begun.elapsed() < PATIENCE => {}
            pressed => return pressed.unwrap(),
        }
    }
}

/// Whether the element belongs to a page that was replaced. The driver reports that in two ways.
fn is_left_behind(error: &CmdError) -> bool {
    let text = "does not belong to the document";
    error.is_stale_element_reference() || error.to_string().contains(text)
}

/// The result of a script.
pub async fn script(client: &Client, script: &str) -> Value {
    client.execute(script, Vec::new()).await.unwrap()
}

/// Checks that the page fits the width of a computer.
pub async fn fits_a_computer(client: &Client) {
    fits(client, 1200, 800).await;
}

/// Checks that the page fits the width of a phone.
pub async fn fits_a_phone(client: &Client) {
    fits(client, 390, 844).await;
}

async fn fits(client: &Client, width: u32, height: u32) {
    client.set_window_size(width, height).await.unwrap();
    let wider = "return document.documentElement.scrollWidth - window.innerWidth";
    let wider = script(client, wider).await.as_i64().unwrap();
    assert!(wider <= 0, "{wider} pixels wider than {width}");
}
