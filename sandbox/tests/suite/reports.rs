//! Reports and their files, over HTTP and on every kind of database.

use jiff::SignedDuration;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use sandbox::domain::Code;
use sandbox::domain::report::{COLUMNS, Period, Status};
use sandbox::service::reports::Create;
use sandbox::store::Collection;
use serde_json::{Value, json};

use crate::bench::{Bench, code};
use crate::process::{Process, id, reply, until};

const REPORTS: &str = "/v1/reports";

/// The file of a report as lines of cells; no cell in these tests needs quotes.
fn lines(file: &str) -> Vec<Vec<String>> {
    let lines = file.split_terminator("\r\n");
    let cells = |line: &str| line.split(',').map(str::to_owned).collect();
    lines.map(cells).collect()
}

fn column(line: &[String], name: &str) -> String {
    let place = COLUMNS.iter().position(|column| *column == name).unwrap();
    line[place].clone()
}

#[tokio::test]
async fn a_report_is_requested_created_and_downloaded() {
    let sandbox = Process::start();
    let past = json!({"dateFrom": "2020-01-01", "dateTo": "2020-01-31", "currency": "EUR"});
    let asked = sandbox.post(REPORTS, &past).await;
    assert_eq!(
        (asked.status, &asked.body["status"]),
        (201, &json!("generating")),
        "{asked:?}"
    );
    let path = format!("{REPORTS}/{}", id(&asked.body));
    let ready = until(&sandbox, &path, |report| report["status"] == "ready").await;
    assert_eq!(ready["transactionCount"], 0);
    let file = sandbox.request(reqwest::Method::GET, &format!("{path}/file"));
    let file = file.send().await.unwrap();
    let header = |name: &str| file.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(
        header("content-type"),
        "text/csv; charset=utf-8; header=present"
    );
    let expected = "attachment; filename=\"transactions-2020-01-01-2020-01-31.csv\"";
    assert_eq!(header("content-disposition"), expected);
    assert_eq!(
        file.text().await.unwrap(),
        format!("{}\r\n", COLUMNS.join(","))
    );

    let future = json!({"dateFrom": "2020-01-01", "dateTo": "2999-01-31"});
    let asked = sandbox.post(REPORTS, &future).await.body;
    let early = sandbox.get(&format!("{REPORTS}/{}/file", id(&asked))).await;
    assert_eq!((early.status, &early.body["code"]), (409, &json!("E1409")));
    let page = sandbox.get(&format!("{REPORTS}?direction=desc")).await.body;
    let ids: Vec<_> = page["data"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(ids, [id(&asked), id(&ready)]);
}

#[tokio::test]
async fn an_invalid_report_is_refused() {
    let sandbox = Process::start();
    let table: [(Value, u16, &str); 4] = [
        (
            json!({"dateFrom": "2026-10-31", "dateTo": "2026-10-01"}),
            422,
            "/dateTo",
        ),
        (json!({"dateFrom": "2026-10-01"}), 422, "/dateTo"),
        (
            json!({"dateFrom": "yesterday", "dateTo": "2026-10-01"}),
            422,
            "/dateFrom",
        ),
        (
            json!({"dateFrom": "2026-10-01", "dateTo": "2026-10-01", "currency": "ZZZ"}),
            422,
            "/currency",
        ),
    ];
    for (body, status, pointer) in table {
        let refused = sandbox.post(REPORTS, &body).await;
        let place = &refused.body["errors"][0]["pointer"];
        assert_eq!((refused.status, place), (status, &json!(pointer)), "{body}");
    }
    for path in ["", "/file"] {
        let path = format!("{REPORTS}/8e1f6d53-0b9c-4a27-b3d4-6f5a2c1e9d70{path}");
        assert_eq!(sandbox.get(&path).await.status, 404);
        let without = sandbox.client.get(format!("{}{path}", sandbox.url));
        assert_eq!(reply(without).await.status, 401);
    }
    for query in ["itemsPerPage=101", "sortBy=else", "direction=up", "page=0"] {
        assert_eq!(
            sandbox.get(&format!("{REPORTS}?{query}")).await.status,
            422,
            "{query}"
        );
    }
}

/// The present day on the clock of the bench.
fn today(bench: &Bench) -> Date {
    let now = bench.service.machine_time();
    now.to_zoned(TimeZone::UTC).date()
}

/// The lines of a report of a day.
async fn file(bench: &Bench, day: Date, command: Create) -> Vec<Vec<String>> {
    let report = bench
        .service
        .create_report(bench.merchant, command)
        .await
        .unwrap();
    let early = bench.service.report_file(bench.merchant, report.id).await;
    assert_eq!(code(early), Code::IllegalState, "{day}");
    let wait = report.due_at().duration_since(bench.service.machine_time());
    bench.clock.forward(wait);
    bench.service.fire_all().await.unwrap();
    let made = bench.service.report_file(bench.merchant, report.id).await;
    let (report, file) = made.unwrap();
    let lines = lines(&file);
    let count = i64::try_from(lines.len()).unwrap() - 1;
    assert_eq!(report.status, Status::Ready);
    assert_eq!(report.ready.map(|(_, count)| count), Some(count));
    lines
}

async fn sums_equal_those_of_the_ledger(bench: Bench) {
    let day = today(&bench);
    let purchase = bench.purchase("order-1", "accept").await;
    bench.purchase("order-2", "reject").await;
    bench
        .refund("refund-1", purchase, "4.00", "accept")
        .await
        .unwrap();
    bench.payout("payout-1", "PCL_CARD", "3.00", "accept").await;
    bench.payout("payout-2", "PCL_CARD", "2.00", "reject").await;
    bench.clock.forward(SignedDuration::from_hours(48));
    bench.purchase("order-3", "accept").await;
    let command = Create {
        period: Period::new(day, day).unwrap(),
        transaction_type: None,
        currency: None,
    };
    let lines = file(&bench, day, command).await;
    assert_eq!(lines[0], COLUMNS);
    let told: Vec<_> = lines[1..]
        .iter()
        .map(|line| {
            ["merchantTransactionId", "status", "balanceChange"].map(|name| column(line, name))
        })
        .collect();
    let expected = [
        ["order-1", "ACCEPTED", "10.00"],
        ["order-2", "REJECTED", "0.00"],
        ["refund-1", "ACCEPTED", "-4.00"],
        ["payout-1", "ACCEPTED", "-3.00"],
        ["payout-2", "REJECTED", "0.00"],
    ];
    assert_eq!(told, expected);
    let moved: i64 = lines[1..]
        .iter()
        .map(|line| cents(&column(line, "balanceChange")))
        .sum();
    // The change of the balance since the opening, without the purchase of another day.
    assert_eq!(moved + 1_000, available(&bench).await - 100_000_000_000);
    bench.audit().await;
}

async fn a_file_has_the_requested_transactions(bench: Bench) {
    let day = today(&bench);
    let purchase = bench.purchase("order-1", "accept").await;
    bench
        .refund("refund-1", purchase, "4.00", "accept")
        .await
        .unwrap();
    let command = Create {
        period: Period::new(day, day).unwrap(),
        transaction_type: Some("TRT_REFUND".to_owned()),
        currency: sandbox::domain::currency::Currency::parse("EUR").ok(),
    };
    let lines = file(&bench, day, command).await;
    assert_eq!(
        (lines.len(), column(&lines[1], "parentTransactionId")),
        (2, purchase.to_string())
    );
    // The file does not change any more.
    let view = bench.view(Collection::Transactions, purchase).await;
    assert_eq!(view.record.transaction.refunded, 400);
}

/// The available balance, in cents of a euro.
async fn available(bench: &Bench) -> i64 {
    let eur = sandbox::domain::currency::Currency::parse("EUR").unwrap();
    let found = bench.service.command(bench.merchant, move |work| {
        Ok(sandbox::store::available(
            work.connection,
            work.tenant,
            eur,
        )?)
    });
    found.await.unwrap()
}

fn cents(text: &str) -> i64 {
    text.replace('.', "").parse().unwrap()
}

on_both! {
    sums_equal_those_of_the_ledger,
    a_file_has_the_requested_transactions,
}
