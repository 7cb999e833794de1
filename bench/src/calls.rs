//! Counts the instructions of calls through the generated client and server, and through
//! handwritten code, with callgrind.
//!
//! Only one side runs under callgrind; the other sends fixed bytes over loopback. The difference
//! between a run and one with twice as many calls excludes the costs of starting.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context, ensure};

use super::machine;
use programs::build;

/// Instructions of a call through the generated client and server, and through handwritten code
/// (needs valgrind).
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The difference of calls between two runs.
    #[arg(long, value_name = "N", default_value_t = 500)]
    calls: u32,
    /// Only operations whose names contain this text.
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    /// The folder for the counts of callgrind, for `callgrind_annotate`.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// An operation with its request and answer.
struct Exchange {
    operation: &'static str,
    request: &'static str,
    /// The name of the request's example in the document; `answer` is that of the answer.
    body: Option<&'static str>,
    status: &'static str,
    answer: &'static str,
}

const EXCHANGES: &[Exchange] = &[
    Exchange {
        operation: "create-purchase",
        request: "POST /v1/transactions",
        body: Some("createPurchase.accepted.request"),
        status: "201 Created",
        answer: "createPurchase.accepted.response",
    },
    Exchange {
        operation: "get-transaction",
        request: "GET /v1/transactions/18603c2b-521a-430d-9bac-4e24ff77422b",
        body: None,
        status: "200 OK",
        answer: "transaction.accepted",
    },
    Exchange {
        operation: "list-payment-links",
        request: "GET /v1/payment-links?currency=EUR&customerEmail=customer%40merchant.example&itemsPerPage=10&page=1&status=active",
        body: None,
        status: "200 OK",
        answer: "listPaymentLinks.first-page.response",
    },
];

const CODES: [&str; 2] = ["by-hand", "generated"];
/// The highest allowed ratio of generated to handwritten code.
const LIMIT: f64 = 1.05;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    build::build_release(&["calls"])?;
    let folder = tempfile::tempdir()?;
    let bench = Bench {
        program: build::release("calls"),
        folder: arguments.keep.as_deref().unwrap_or(folder.path()),
        calls: arguments.calls,
    };
    println!("{}\n", machine::facts()?);
    println!("| side | operation | by hand | generated | generated : by hand | wanted | met |");
    println!("|---|---|---|---|---|---|---|");
    let mut met = true;
    for exchange in EXCHANGES {
        if !exchange.operation.contains(&arguments.only) {
            continue;
        }
        let (request, answer) = (request(exchange)?, answer(exchange)?);
        let client = |code, calls| bench.client(code, exchange.operation, calls, &answer);
        met &= row("client call", exchange, &bench, client)?;
        let server = |code, calls| bench.server(code, exchange.operation, calls, &request);
        met &= row("server route", exchange, &bench, server)?;
    }
    Ok(if met {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Measures both, and prints a row. Returns whether the ratio is within the limit.
#[expect(clippy::cast_precision_loss, reason = "a ratio of three digits")]
fn row(
    side: &str,
    exchange: &Exchange,
    bench: &Bench<'_>,
    count: impl Fn(&'static str, u32) -> anyhow::Result<u64>,
) -> anyhow::Result<bool> {
    let mut costs = Vec::new();
    for code in CODES {
        let less = count(code, bench.calls)?;
        let more = count(code, bench.calls * 2)?;
        costs.push(more.saturating_sub(less) / u64::from(bench.calls));
    }
    let ratio = costs[1] as f64 / costs[0] as f64;
    let met = ratio <= LIMIT;
    println!(
        "| {side} | {} | {} | {} | {:.1} % | ≤ {:.0} % | {} |",
        exchange.operation,
        costs[0],
        costs[1],
        ratio * 100.0,
        LIMIT * 100.0,
        if met { "yes" } else { "**no**" },
    );
    Ok(met)
}

struct Bench<'a> {
    program: PathBuf,
    folder: &'a Path,
    calls: u32,
}

impl Bench<'_> {
    /// The instructions of a client for a number of calls.
    fn client(
        &self,
        code: &str,
        operation: &str,
        calls: u32,
        answer: &[u8],
    ) -> anyhow::Result<u64> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let url = format!("http://{}", listener.local_addr()?);
        let (mut command, counts) = self.callgrind(&format!("client-{operation}-{code}-{calls}"));
        command.args(["call", code, operation, &calls.to_string(), &url]);
        std::thread::scope(|scope| {
            let peer = scope.spawn(|| answer_requests(&listener, calls, answer));
            let status = command.status().context("valgrind cannot be started");
            // Connects, so that a peer whose client never came does not wait forever.
            drop(TcpStream::connect(listener.local_addr()?));
            let status = status?;
            ensure!(status.success(), "the client ended with {status}");
            peer.join()
                .map_err(|_| anyhow::anyhow!("the peer broke off"))?
        })?;
        collected(&counts)
    }

    /// The instructions of a server for a number of calls.
    fn server(
        &self,
        code: &str,
        operation: &str,
        calls: u32,
        request: &[u8],
    ) -> anyhow::Result<u64> {
        let (mut command, counts) = self.callgrind(&format!("server-{operation}-{code}-{calls}"));
        command.args(["serve", code]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().context("valgrind cannot be started")?;
        let requests = send_requests(&mut server, calls, request);
        // The server ends when its standard input is closed.
        drop(server.stdin.take());
        let status = server.wait()?;
        requests?;
        ensure!(status.success(), "the server ended with {status}");
        collected(&counts)
    }

    fn callgrind(&self, name: &str) -> (Command, PathBuf) {
        let counts = self.folder.join(name);
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--quiet"]);
        command.arg(format!("--callgrind-out-file={}", counts.display()));
        command.arg(&self.program);
        (command, counts)
    }
}

/// Reads a number of requests from one connection, and sends the same answer to each.
fn answer_requests(listener: &TcpListener, calls: u32, answer: &[u8]) -> anyhow::Result<()> {
    let (stream, _) = listener.accept()?;
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    for _ in 0..calls {
        message(&mut stream)?;
        stream.get_mut().write_all(answer)?;
    }
    Ok(())
}

/// Sends a number of requests to a server on one connection.
fn send_requests(server: &mut Child, calls: u32, request: &[u8]) -> anyhow::Result<()> {
    let mut url = String::new();
    let output = server.stdout.take().context("no output")?;
    BufReader::new(output).read_line(&mut url)?;
    let address = url.trim().strip_prefix("http://");
    let stream = TcpStream::connect(address.context("the server has no address")?)?;
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    for _ in 0..calls {
        stream.get_mut().write_all(request)?;
        let first = message(&mut stream)?;
        ensure!(
            first.starts_with("HTTP/1.1 20"),
            "the server answered {first}"
        );
    }
    Ok(())
}

/// Reads a request or an answer completely. Returns its first line.
fn message(stream: &mut BufReader<TcpStream>) -> anyhow::Result<String> {
    let (mut first, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        ensure!(
            stream.read_line(&mut line)? > 0,
            "the connection was closed"
        );
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if first.is_empty() {
            first = line;
        }
    }
    stream.read_exact(&mut vec![0; length])?;
    Ok(first)
}

/// The total of callgrind.
fn collected(counts: &Path) -> anyhow::Result<u64> {
    let text = std::fs::read_to_string(counts)?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    Ok(total
        .context("callgrind has counted nothing")?
        .trim()
        .parse()?)
}

fn request(exchange: &Exchange) -> anyhow::Result<Vec<u8>> {
    let head = format!(
        "{} HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\nauthorization: bench-key\r\n\
         request-id: 6d0d4f5e-9a35-4f39-9a4d-0b5c1c9d5a10\r\n",
        exchange.request
    );
    let Some(body) = exchange.body else {
        return Ok(format!("{head}\r\n").into_bytes());
    };
    Ok(whole(&head, &example(body)?))
}

fn answer(exchange: &Exchange) -> anyhow::Result<Vec<u8>> {
    let head = format!(
        "HTTP/1.1 {}\r\nrequest-id: 6d0d4f5e-9a35-4f39-9a4d-0b5c1c9d5a10\r\n\
         date: Wed, 04 Nov 2026 10:12:30 GMT\r\n",
        exchange.status
    );
    Ok(whole(&head, &example(exchange.answer)?))
}

fn whole(head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let text =
        format!("{head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}");
    text.into_bytes()
}

/// The text of an example in the document.
fn example(name: &str) -> anyhow::Result<String> {
    let path = programs::workspace::root().join("generated/openapi.json");
    let document: serde_json::Value = serde_json::from_slice(&std::fs::read(path)?)?;
    let value = document.pointer(&format!("/components/examples/{name}/value"));
    Ok(value
        .with_context(|| format!("no example `{name}`"))?
        .to_string())
}
