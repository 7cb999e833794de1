//! Measures ten years in one call, with a thousand subscriptions that are charged each month.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::Arguments;
use crate::server::{Program, Watched, order, post};
use crate::table::{Row, Table};

const SUBSCRIPTIONS: u64 = 1_000;
const YEARS: u64 = 10;
const CHARGES: usize = 120_000;
const TARGET: Duration = Duration::from_mins(1);

pub(super) fn measure(
    arguments: &Arguments,
    program: &Program,
    table: &mut Table,
) -> anyhow::Result<()> {
    decades(&program.on_file(&[])?, "SQLite", table)?;
    if let Some(database) = &arguments.postgres {
        decades(&program.start(database, &[])?, "PostgreSQL", table)?;
    }
    Ok(())
}

fn decades(sandbox: &Watched, database: &str, table: &mut Table) -> anyhow::Result<()> {
    subscribe(sandbox)?;
    let number = body(&order(sandbox.address, "POST /_sandbox/snapshots", "")?)?;
    let restore = format!("POST /_sandbox/snapshots/{}/restore", number["number"]);
    let now = body(&order(sandbox.address, "GET /_sandbox/clock", "")?)?;
    let to = later(now["now"].as_str().context("the clock has no time")?)?;
    let (first, took) = advance(sandbox, &to)?;
    order(sandbox.address, &restore, "")?;
    let (second, again) = advance(sandbox, &to)?;
    let fired = first["fired"].as_array().map_or(0, Vec::len);
    let same = first == second;
    table.add(Row {
        target: "T12",
        what: format!(
            "one call, {SUBSCRIPTIONS} monthly subscriptions × {YEARS} years, twice, on {database}"
        ),
        measured: format!(
            "{:.1} s and {:.1} s for {fired} charges, {}",
            took.as_secs_f64(),
            again.as_secs_f64(),
            if same { "equal" } else { "**different**" }
        ),
        wanted: format!("≤ {} s, {CHARGES} charges, equal", TARGET.as_secs()),
        met: took.max(again) <= TARGET && same && fired == CHARGES,
    });
    Ok(())
}

/// Creates a plan, and the purchases that start subscriptions to it.
fn subscribe(sandbox: &Watched) -> anyhow::Result<()> {
    let product = json!({"name": "bench"});
    let product = post(
        sandbox.address,
        "/v1/subscriptions/products",
        &product.to_string(),
    )?;
    let plan = json!({"productId": body(&product)?["id"], "amount": "9.90", "currency": "EUR",
        "intervalUnit": "month", "chargeRetry": true});
    let plan = post(
        sandbox.address,
        "/v1/subscriptions/plans",
        &plan.to_string(),
    )?;
    let plan = body(&plan)?["id"].take();
    for number in 0..SUBSCRIPTIONS {
        let purchase = json!({"merchantTransactionId": format!("subscribe-{number}"), "amount": "9.90",
            "currency": "EUR", "customer": {"email": "customer@merchant.example"},
            "paymentSpecificData": {"subscription": {"planId": plan}}});
        let created = post(sandbox.address, "/v1/transactions", &purchase.to_string())?;
        ensure!(
            created.starts_with("HTTP/1.1 201 "),
            "not created: {created}"
        );
    }
    Ok(())
}

/// Moves the clock. Returns everything that happened, and the time including an audit.
fn advance(sandbox: &Watched, to: &str) -> anyhow::Result<(Value, Duration)> {
    let begun = Instant::now();
    let to = json!({ "to": to }).to_string();
    let mut happened = body(&order(
        sandbox.address,
        "POST /_sandbox/clock/advance",
        &to,
    )?)?;
    let took = begun.elapsed();
    happened["books"] = body(&order(sandbox.address, "GET /_sandbox/ledger", "")?)?;
    Ok((happened, took))
}

/// The same day and time, years later.
fn later(now: &str) -> anyhow::Result<String> {
    let (year, rest) = now.split_once('-').context("the clock has no date")?;
    let year: u64 = year.parse()?;
    Ok(format!("{}-{rest}", year + YEARS))
}

fn body(answer: &str) -> anyhow::Result<Value> {
    let (head, body) = answer.split_once("\r\n\r\n").context("not an answer")?;
    ensure!(head.starts_with("HTTP/1.1 2"), "refused: {answer}");
    Ok(serde_json::from_str(body).unwrap_or_default())
}
