//! Sends many commands at once for one transaction: refunds must not exceed the payment, and the
//! right number of commands must succeed.

use std::fmt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::connection::{Connection, Reply};
use programs::build;
use programs::sandbox::{KEY, Sandbox};

/// Race refunds, captures and cancellations of one transaction, and count the results.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of races.
    #[arg(long, default_value_t = 10_000)]
    rounds: usize,
    /// The number of racing commands, each on a separate connection.
    #[arg(long, default_value_t = 16)]
    twins: usize,
    /// The database, such as `postgres://…`; default: a new SQLite file.
    #[arg(long)]
    database: Option<String>,
    /// A sandbox to run; default: a release build.
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// The commands that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Race {
    /// Refunds that stay pending: only one may be active.
    Pending,
    /// Refunds of three tenths each, accepted at once: three fit.
    Accepted,
    /// Captures and cancellations of an authorized purchase: one of them succeeds.
    Ending,
    /// Cancellations of the active refund, and new refunds: one is cancelled, at most one is
    /// active.
    Replacing,
}

/// The counts over all rounds.
#[derive(Debug, Default)]
struct Tally {
    won: usize,
    refused: usize,
    over_refunded: usize,
    another_end: usize,
    not_one_winner: usize,
    unexpected: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let binary = binary(arguments)?;
    let sandbox = Sandbox::start_on(&binary, arguments.database.as_deref())?;
    let open = |_| Connection::open(&sandbox.server.url, KEY);
    let mut connections = (0..arguments.twins)
        .map(open)
        .collect::<anyhow::Result<Vec<_>>>()?;
    let (mut tally, begin) = (Tally::default(), Instant::now());
    // Several runs can use the same database.
    let run = std::process::id();
    for number in 0..arguments.rounds {
        let race = Race::ALL[number % Race::ALL.len()];
        let key = format!("race-{run}-{number}");
        hold(race, key, &mut connections, &mut tally)
            .with_context(|| format!("in round {number}, {race:?}"))?;
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{} rounds × {} in {seconds:.1} s",
        arguments.rounds, arguments.twins
    );
    println!("{tally}");
    let mut audit = Command::new(&binary);
    audit.args(["audit", "--database", &sandbox.database]);
    let clean = audit.status().context("failed to audit")?.success();
    println!("audit: {}", if clean { "clean" } else { "NOT clean" });
    let good = clean && tally.is_good();
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn binary(arguments: &Arguments) -> anyhow::Result<PathBuf> {
    if let Some(binary) = &arguments.binary {
        return Ok(binary.clone());
    }
    build::build_release(&["sandbox"])?;
    Ok(build::release("sandbox"))
}

impl Race {
    const ALL: [Self; 4] = [Self::Pending, Self::Accepted, Self::Ending, Self::Replacing];

    /// The least and the greatest number of commands that may succeed.
    const fn winners(self, twins: usize) -> (usize, usize) {
        match self {
            Self::Pending | Self::Ending => (1, 1),
            Self::Accepted => (if twins < 3 { twins } else { 3 }, 3),
            // The cancellation, and the refund that follows it, unless all refunds came too early.
            Self::Replacing => (1, 2),
        }
    }
}

fn hold(
    race: Race,
    key: String,
    connections: &mut [Connection],
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let round = Round::prepare(race, key, &mut connections[0])?;
    round.hold(connections, tally)?;
    round.inspect(&mut connections[0], tally)
}

/// One race with its transaction.
struct Round {
    race: Race,
    key: String,
    /// The id of the purchase.
    id: String,
    /// The id of the refund that is active from the start. `None` without one.
    active: Option<String>,
}

impl Round {
    /// Creates the transaction of a race.
    fn prepare(race: Race, key: String, connection: &mut Connection) -> anyhow::Result<Self> {
        let mut body = json!({"merchantTransactionId": key, "amount": "10.00", "currency": "EUR"});
        if race == Race::Ending {
            body["authorization"] = json!({"type": "TWO_STEP"});
        }
        let id = created_id(&connection.post("/v1/transactions", "accept", &body)?)?;
        let mut active = None;
        if race == Race::Replacing {
            let body = refund(&format!("{key}-active"), &id, "10.00");
            active = Some(created_id(&connection.post(REFUND, "pending", &body)?)?);
        }
        Ok(Self {
            race,
            key,
            id,
            active,
        })
    }

    /// Sends the command of each connection at the same time.
    fn hold(&self, connections: &mut [Connection], tally: &mut Tally) -> anyhow::Result<()> {
        let replies = std::thread::scope(|scope| {
            let racing = connections.iter_mut().enumerate();
            let racing: Vec<_> = racing
                .map(|(twin, connection)| scope.spawn(move || self.command(twin, connection)))
                .collect();
            let joined = racing.into_iter().map(|racer| {
                let fallen = |_| anyhow::anyhow!("a racer fell");
                racer.join().map_err(fallen).flatten()
            });
            joined.collect::<anyhow::Result<Vec<Reply>>>()
        })?;
        for reply in &replies {
            match (reply.status, reply.code()) {
                (200 | 201, _) => tally.won += 1,
                (409, "E1409" | "E1410") | (422, "E1004") => tally.refused += 1,
                _ => tally.unexpected += 1,
            }
        }
        let won = replies.iter().filter(|reply| reply.status < 300).count();
        let (least, most) = self.race.winners(replies.len());
        tally.not_one_winner += usize::from(won < least || won > most);
        Ok(())
    }

    fn command(&self, twin: usize, connection: &mut Connection) -> anyhow::Result<Reply> {
        let key = format!("{}-{twin}", self.key);
        let refund = |amount| refund(&key, &self.id, amount);
        let this = json!({"transactionId": self.id});
        match (self.race, twin.is_multiple_of(2)) {
            (Race::Pending, _) => connection.post(REFUND, "pending", &refund("1.00")),
            (Race::Accepted, _) => connection.post(REFUND, "accept", &refund("3.00")),
            (Race::Ending, true) => connection.post("/v1/transactions/capture", "accept", &this),
            (Race::Ending, false) => connection.post(CANCEL, "accept", &this),
            (Race::Replacing, true) => {
                let active = json!({"transactionId": self.active});
                connection.post(CANCEL, "accept", &active)
            }
            (Race::Replacing, false) => connection.post(REFUND, "pending", &refund("10.00")),
        }
    }

    /// Counts the state of the transaction after the race.
    fn inspect(&self, connection: &mut Connection, tally: &mut Tally) -> anyhow::Result<()> {
        let found = connection
            .get(&format!("/v1/transactions/{}", self.id))?
            .body;
        let empty = Vec::new();
        let refunds = found["refunds"].as_array().unwrap_or(&empty);
        let of = |status: &'static str| refunds.iter().filter(move |it| it["status"] == status);
        let used = of("PENDING").chain(of("ACCEPTED"));
        let used: u64 = used.map(|refund| cents(&refund["amount"])).sum();
        tally.over_refunded += usize::from(used > cents(&found["amount"]));
        let active = of("PENDING").count();
        let expected = match self.race {
            Race::Pending => active == 1,
            Race::Accepted => active == 0,
            Race::Replacing => active <= 1,
            Race::Ending => found["status"] == "ACCEPTED" || found["status"] == "CANCELLED",
        };
        tally.another_end += usize::from(!expected);
        Ok(())
    }
}

const REFUND: &str = "/v1/transactions/refund";
const CANCEL: &str = "/v1/transactions/cancel";

/// The id of the created record.
fn created_id(reply: &Reply) -> anyhow::Result<String> {
    ensure!(reply.status == 201, "not created: {}", reply.body);
    Ok(text(&reply.body["id"]))
}

fn refund(key: &str, id: &str, amount: &str) -> Value {
    json!({"merchantTransactionId": key, "transactionId": id, "amount": amount, "currency": "EUR"})
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// `12.34` as 1234.
fn cents(amount: &Value) -> u64 {
    let digits: String = text(amount).chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

impl Tally {
    const fn is_good(&self) -> bool {
        self.over_refunded + self.another_end + self.not_one_winner + self.unexpected == 0
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| commands that won | {} |\n|---|---|", self.won)?;
        writeln!(f, "| commands refused | {} |", self.refused)?;
        writeln!(
            f,
            "| rounds with more given back than was taken | {} |",
            self.over_refunded
        )?;
        writeln!(
            f,
            "| rounds that ended another way | {} |",
            self.another_end
        )?;
        writeln!(
            f,
            "| rounds with another number of winners | {} |",
            self.not_one_winner
        )?;
        write!(f, "| commands with another answer | {} |", self.unexpected)
    }
}
