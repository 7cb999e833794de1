//! How soon a merchant is told: the time from a purchase to its notification.

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

/// The time from a purchase, made at a steady rate, to the arrival of its notification.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many purchases are made.
    #[arg(long, default_value_t = 3_000)]
    count: usize,
    /// How many of them a second, over all connections.
    #[arg(long, default_value_t = 200)]
    rate: u32,
    /// Over how many connections.
    #[arg(long, default_value_t = 16)]
    connections: usize,
}

/// How long the last notification may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// When a purchase was asked for and when it was answered.
#[derive(Clone, Copy)]
struct Made {
    asked: Instant,
    answered: Instant,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    build::build_release(&["sandbox"])?;
    let sandbox = Sandbox::start(&build::release("sandbox"))?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let receiver = listener.local_addr()?;
    let (news, told) = mpsc::channel();
    thread::spawn(move || receive(&listener, &news));
    let made = make_all(arguments, &sandbox.server.url, receiver)?;
    let told = told_of(&made, &told)?;
    let lag = |since: fn(&Made) -> Instant| {
        let lags = made
            .iter()
            .filter_map(|(key, made)| Some(told.get(key)?.saturating_duration_since(since(made))));
        let mut lags: Vec<Duration> = lags.collect();
        lags.sort_unstable();
        lags
    };
    println!(
        "{} purchases at {} a second over {} connections, each told of once it is on the disk",
        made.len(),
        arguments.rate,
        arguments.connections
    );
    println!(
        "| until the notification arrived | median | p90 | p99 | slowest |\n|---|---|---|---|---|"
    );
    print_row(
        "since the purchase was answered",
        &lag(|made| made.answered),
    );
    print_row("since the purchase was asked for", &lag(|made| made.asked));
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

/// Makes the purchases and gives their times by their keys.
fn make_all(
    arguments: &Arguments,
    url: &str,
    receiver: SocketAddr,
) -> anyhow::Result<BTreeMap<String, Made>> {
    let (connections, begun) = (arguments.connections.max(1), Instant::now());
    let apart = Duration::from_secs(1) / arguments.rate.max(1);
    let makers = (0..connections).map(|first| {
        let numbers = (first..arguments.count).step_by(connections);
        let connection = Connection::open(url, KEY);
        thread::spawn(move || {
            let (mut connection, mut made) = (connection?, Vec::new());
            for number in numbers {
                let turn = begun + apart * u32::try_from(number)?;
                thread::sleep(turn.saturating_duration_since(Instant::now()));
                let key = format!("order-{number}");
                made.push((key.clone(), make(&mut connection, &key, receiver)?));
            }
            Ok::<_, anyhow::Error>(made)
        })
    });
    let makers: Vec<_> = makers.collect();
    let mut all = BTreeMap::new();
    for maker in makers {
        let made = maker.join().ok().context("a connection panicked")?;
        all.extend(made?);
    }
    Ok(all)
}

fn make(connection: &mut Connection, key: &str, receiver: SocketAddr) -> anyhow::Result<Made> {
    let body = json!({
        "merchantTransactionId": key,
        "amount": "10.00",
        "currency": "EUR",
        "customIpnUrl": format!("http://{receiver}/")
    });
    let asked = Instant::now();
    let reply = connection.post("/v1/transactions", "accept", &body)?;
    let answered = Instant::now();
    ensure!(reply.status == 201, "{key}: {}", reply.body);
    Ok(Made { asked, answered })
}

/// Answers every connection and tells when which purchase was told of.
fn receive(listener: &TcpListener, news: &Sender<(String, Instant)>) {
    for stream in listener.incoming().flatten() {
        let news = news.clone();
        thread::spawn(move || {
            let body = read_body(&mut BufReader::new(&stream))?;
            let arrived = Instant::now();
            (&stream).write_all(b"HTTP/1.1 204 No Content\r\n\r\n")?;
            let body: Value = serde_json::from_slice(&body)?;
            let key = body["data"]["merchantTransactionId"].as_str();
            let key = key.context("no purchase is told of")?;
            news.send((key.to_owned(), arrived))?;
            Ok::<_, anyhow::Error>(())
        });
    }
}

/// When each purchase was told of for the first time.
fn told_of(
    made: &BTreeMap<String, Made>,
    news: &Receiver<(String, Instant)>,
) -> anyhow::Result<BTreeMap<String, Instant>> {
    let mut told = BTreeMap::new();
    while told.len() < made.len() {
        let next = news.recv_timeout(DEADLINE);
        let (key, arrived) = next
            .with_context(|| format!("{} of {} purchases were told of", told.len(), made.len()))?;
        told.entry(key).or_insert(arrived);
    }
    Ok(told)
}

/// Reads a request, of which only the body counts.
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
