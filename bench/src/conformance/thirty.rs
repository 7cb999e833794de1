//! Sends the same thirty requests as a scenario of the runner and as a script of Hurl.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::ensure;
use serde_json::{Value, json};

use super::rows::{Rows, Wanted};
use super::{Bench, QUICK, TOKEN, is_there, medians};
use programs::process::Server;

/// The number of customers, with three requests each.
const CUSTOMERS: usize = 10;

/// Measures both.
pub(super) fn measure(bench: &Bench<'_>, rows: &mut Rows) -> anyhow::Result<()> {
    if !is_there(&bench.arguments.hurl) {
        rows.left_out("Hurl is not installed: `cargo install hurl`, or name it by --hurl");
        return Ok(());
    }
    let folder = bench.folder.path().join("scenarios");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("thirty.arazzo.yaml"), scenario()?)?;
    let cases: Vec<String> = steps()
        .iter()
        .map(|step| format!("thirty/{step}"))
        .collect();
    let item = || {
        let server = bench.open(None)?;
        let mut command = bench.ours(&server.url);
        command
            .arg("--scenarios")
            .arg(&folder)
            .arg("--without-laws");
        command.args(["--case", &cases.join(",")]);
        Ok((command, Some(server)))
    };
    let status = || by_hurl(bench, Asserts::Status);
    let form = || by_hurl(bench, Asserts::Form);
    let runs = bench.arguments.runs * QUICK;
    let [item, status, form] = medians(runs, [&item, &status, &form])?;
    let complaint = item.complaint.as_deref();
    ensure!(complaint.is_none(), "the scenario differs: {complaint:?}");
    let report = fs::read(bench.folder.path().join("out/report.json"))?;
    let report: Value = serde_json::from_slice(&report)?;
    let sent = report["requests"].as_u64().unwrap_or_default();
    ensure!(sent == 3 * CUSTOMERS as u64, "{sent} requests were sent");
    rows.cost("thirty requests, this runner", &item);
    for (other, what) in [
        (status, "the status and one name"),
        (form, "what this runner judges"),
    ] {
        let fails = other.complaint.is_some();
        ensure!(!fails, "the script fails: {}", other.output);
        rows.cost(&format!("thirty requests, Hurl asserting {what}"), &other);
        rows.times("Hurl : this runner", &other, &item, Wanted::Cpu(3.0));
    }
    Ok(())
}

/// The assertions of a script.
#[derive(Clone, Copy, PartialEq)]
enum Asserts {
    /// The status, and the name of the record that is read.
    Status,
    /// Everything that the runner judges: also the media type, the headers, and each property of
    /// each record.
    Form,
}

fn by_hurl(bench: &Bench<'_>, asserts: Asserts) -> anyhow::Result<(Command, Option<Server>)> {
    let script = bench.folder.path().join("thirty.hurl");
    fs::write(&script, hurl(asserts))?;
    let server = bench.open(None)?;
    let mut command = Command::new(&bench.arguments.hurl);
    command.arg("--test");
    command.arg("--variable").arg(format!("url={}", server.url));
    command
        .arg("--variable")
        .arg(format!("token={TOKEN}"))
        .arg(&script);
    Ok((command, Some(server)))
}

fn steps() -> Vec<String> {
    let kinds = ["add", "read", "list"];
    (0..CUSTOMERS)
        .flat_map(|number| kinds.map(|kind| format!("{kind}-{number}")))
        .collect()
}

/// The scenario for the runner.
fn scenario() -> serde_yaml::Result<String> {
    let steps: Vec<Value> = (0..CUSTOMERS).flat_map(of_customer).collect();
    serde_yaml::to_string(&json!({
        "arazzo": "1.0.1",
        "info": {"title": "Thirty requests", "version": "1"},
        "sourceDescriptions": [{"name": "shop", "url": "../shop.yaml", "type": "openapi"}],
        "workflows": [{"workflowId": "thirty", "steps": steps}],
    }))
}

fn of_customer(number: usize) -> [Value; 3] {
    let name = format!("Customer {number}");
    let id = format!("$steps.add-{number}.outputs.id");
    let is_named = format!("$response.body#/name == '{name}'");
    [
        json!({
            "stepId": format!("add-{number}"),
            "operationId": "create_customer",
            "requestBody": {
                "contentType": "application/json",
                "payload": {"email": format!("c{number}@shop.example"), "name": name},
            },
            "successCriteria": [{"condition": "$statusCode == 201"}],
            "outputs": {"id": "$response.body#/id"},
        }),
        json!({
            "stepId": format!("read-{number}"),
            "operationId": "get_customer",
            "parameters": [{"name": "customer_id", "in": "path", "value": id}],
            "successCriteria": [{"condition": "$statusCode == 200"}, {"condition": is_named}],
        }),
        json!({
            "stepId": format!("list-{number}"),
            "operationId": "list_customers",
            "parameters": [{"name": "limit", "in": "query", "value": 5}],
            "successCriteria": [{"condition": "$statusCode == 200"}],
        }),
    ]
}

/// The script for Hurl.
fn hurl(asserts: Asserts) -> String {
    let mut text = String::new();
    for number in 0..CUSTOMERS {
        let form = |records: &[String]| match asserts {
            Asserts::Status => String::new(),
            Asserts::Form => of_form(records),
        };
        let (one, first) = (form(&["$".to_owned()]), form(&listed(number)));
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "POST {{{{url}}}}/customers
Authorization: Bearer {{{{token}}}}
Content-Type: application/json
{{\"email\": \"c{number}@shop.example\", \"name\": \"Customer {number}\"}}
HTTP 201
[Captures]
id: jsonpath \"$.id\"
[Asserts]
{one}
GET {{{{url}}}}/customers/{{{{id}}}}
Authorization: Bearer {{{{token}}}}
HTTP 200
[Asserts]
{one}jsonpath \"$.name\" == \"Customer {number}\"

GET {{{{url}}}}/customers?limit=5
Authorization: Bearer {{{{token}}}}
HTTP 200
[Asserts]
{first}
"
        );
    }
    text
}

/// The records in the list after `number` customers were created.
fn listed(number: usize) -> Vec<String> {
    let all = 0..(number + 1).min(5);
    all.map(|index| format!("$.data[{index}]")).collect()
}

/// Assertions of media type, headers, and the properties of records.
fn of_form(records: &[String]) -> String {
    let mut text = String::from(
        "header \"Content-Type\" startsWith \"application/json\"\nheader \"X-Request-Id\" exists\n",
    );
    for record in records {
        for (property, kind) in [
            ("id", "isString"),
            ("email", "isString"),
            ("name", "isString"),
            ("created_at", "isIsoDate"),
            ("updated_at", "isIsoDate"),
        ] {
            let _ = writeln!(text, "jsonpath \"{record}.{property}\" {kind}");
        }
    }
    text
}
