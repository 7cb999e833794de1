//! Measures the time from a purchase to its notification.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::connection::Connection;
use super::numbers::milliseconds;
use programs::build;
use programs::sandbox::{KEY, Sandbox};

/// The time from a purchase, created at a steady rate, to the arrival of its notification.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of purchases.
    #[arg(long, default_value_t = 3_000)]
    count: usize,
    /// Purchases per second, over all connections.
    #[arg(long, default_value_t = 200)]
    rate: u32,
    /// The number of connections.
    #[arg(long, default_value_t = 16)]
    connections: usize,
}

/// How long the last notification may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// The times of a purchase's request and answer.
#[derive(Clone, Copy)]
struct Purchase {
    requested: Instant,
    answered: Instant,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    build::build_release(&["sandbox"])?;
    let sandbox = Sandbox::start(&build::release("sandbox"))?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let receiver = listener.local_addr()?;
    let (news, notified) = mpsc::channel();
    thread::spawn(move || receive(&listener, &news));
    let created = create_all(arguments, &sandbox.server.url, receiver)?;
    let notified = first_notifications(&created, &notified)?;
    let lag = |since: fn(&Purchase) -> Instant| {
        let lags = created.iter().filter_map(|(key, created)| {
            Some(notified.get(key)?.saturating_duration_since(since(created)))
        });
        let mut lags: Vec<Duration> = lags.collect();
        lags.sort_unstable();
        lags
    };
    println!(
        "{} purchases at {} a second over {} connections, each with a notification after its commit",
        created.len(),
        arguments.rate,
        arguments.connections
    );
    println!(
        "| until the notification arrived | median | p90 | p99 | slowest |\n|---|---|---|---|---|"
    );
    print_row(
        "since the purchase was answered",
        &lag(|created| created.answered),
    );
    print_row(
        "since the purchase was requested",
        &lag(|created| created.requested),
    );
    Ok(ExitCode::SUCCESS)
}

fn print_row(name: &str, sorted: &[Duration]) {
    let at = |percent: usize| {
        let place = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        milliseconds(sorted.get(place).copied().unwrap_or_default())
    };
    println!(
        "| {name} | {} | {} | {} | {} |",
        at(50),
        at(90),
        at(99),
        at(100)
    );
}

/// Creates the purchases. Returns their times by key.
fn create_all(
    arguments: &Arguments,
    url: &str,
    receiver: SocketAddr,
) -> anyhow::Result<BTreeMap<String, Purchase>> {
    let (connections, begun) = (arguments.connections.max(1), Instant::now());
    let apart = Duration::from_secs(1) / arguments.rate.max(1);
    let creators = (0..connections).map(|first| {
        let numbers = (first..arguments.count).step_by(connections);
        let connection = Connection::open(url, KEY);
        thread::spawn(move || {
            let (mut connection, mut created) = (connection?, Vec::new());
            for number in numbers {
                let turn = begun + apart * u32::try_from(number)?;
                thread::sleep(turn.saturating_duration_since(Instant::now()));
                let key = format!("order-{number}");
                created.push((key.clone(), create(&mut connection, &key, receiver)?));
            }
            Ok::<_, anyhow::Error>(created)
        })
    });
    let creators: Vec<_> = creators.collect();
    let mut all = BTreeMap::new();
    for creator in creators {
        let created = creator.join().ok().context("a connection panicked")?;
        all.extend(created?);
    }
    Ok(all)
}

fn create(
    connection: &mut Connection,
    key: &str,
    receiver: SocketAddr,
) -> anyhow::Result<Purchase> {
    let body = json!({
        "merchantTransactionId": key,
        "amount": "10.00",
        "currency": "EUR",
        "customIpnUrl": format!("http://{receiver}/")
    });
    let requested = Instant::now();
    let reply = connection.post("/v1/transactions", "accept", &body)?;
    let answered = Instant::now();
    ensure!(reply.status == 201, "{key}: {}", reply.body);
    Ok(Purchase {
        requested,
        answered,
    })
}

/// Answers every connection, and sends the key and time of each notification.
fn receive(listener: &TcpListener, news: &Sender<(String, Instant)>) {
    for stream in listener.incoming().flatten() {
        let news = news.clone();
        thread::spawn(move || {
            let body = read_body(&mut BufReader::new(&stream))?;
            let arrived = Instant::now();
            (&stream).write_all(b"HTTP/1.1 204 No Content\r\n\r\n")?;
            let body: Value = serde_json::from_slice(&body)?;
            let key = body["data"]["merchantTransactionId"].as_str();
            let key = key.context("the notification names no purchase")?;
            news.send((key.to_owned(), arrived))?;
            Ok::<_, anyhow::Error>(())
        });
    }
}

/// The time of the first notification of each purchase.
fn first_notifications(
    created: &BTreeMap<String, Purchase>,
    news: &Receiver<(String, Instant)>,
) -> anyhow::Result<BTreeMap<String, Instant>> {
    let mut notified = BTreeMap::new();
    while notified.len() < created.len() {
        let next = news.recv_timeout(DEADLINE);
        let (key, arrived) = next.with_context(|| {
            format!(
                "{} of {} purchases had a notification",
                notified.len(),
                created.len()
            )
        })?;
        notified.entry(key).or_insert(arrived);
    }
    Ok(notified)
}

/// Reads a request. Returns its body.
fn read_body(reader: &mut impl BufRead) -> anyhow::Result<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}
