//! Runs the commands of the guide for a first visit. `pages/start.rs` follows its clicks.

use std::process::Command;

use serde_json::Value;

use crate::process::{KEY, Process};

on_both_programs! { its_commands_lead_to_a_cancelled_subscription }

const GUIDE: &str = include_str!("../../../docs/guides/first-visit.md");

/// The code under a heading.
fn commands(heading: &str) -> String {
    let (_, rest) = GUIDE.split_once(&format!("## {heading}\n")).unwrap();
    let section = rest.split("\n## ").next().unwrap();
    let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
    lines.collect::<Vec<_>>().join("\n")
}

async fn its_commands_lead_to_a_cancelled_subscription(sandbox: &Process) {
    let script = commands("The same without a browser")
        .replace("http://127.0.0.1:8080", &sandbox.url)
        .replace("development-key", KEY);
    let run = Command::new("bash").args(["-ec", &script]).output();
    let run = run.unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{run:?}");
    let answers = serde_json::Deserializer::from_str(&said).into_iter::<Value>();
    let answers: Vec<Value> = answers.map(Result::unwrap).collect();
    assert_eq!(answers[0]["event"], "subscription.charged", "{said}");
    let last = &answers[answers.len() - 1];
    assert_eq!(
        (&last["status"], answers.len()),
        (&"expired".into(), 5),
        "{said}"
    );
    let listed = sandbox.get("/v1/subscriptions").await.body;
    assert_eq!(listed["data"][0]["status"], "expired", "{listed}");
}

#[test]
fn the_page_has_what_the_guide_names() {
    let page = include_str!("../../templates/start.html");
    let triggers = include_str!("../../src/triggers/triggers.json");
    for part in GUIDE.split("**").skip(1).step_by(2) {
        let is_step = part.starts_with("+ 1 ");
        assert!(is_step || page.contains(part), "{part}");
    }
    let summary = "A monthly subscription whose third charge is declined";
    assert!(GUIDE.contains(summary) && triggers.contains(summary));
    assert_eq!(commands("Start"), "sandbox");
}
