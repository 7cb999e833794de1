//! The commands that control a running sandbox.

use std::io::{BufRead, BufReader, Lines};
use std::net::TcpListener;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;
use standardwebhooks::Webhook;

use crate::control::ADMIN_KEY;
use crate::process::Process;
use crate::receiver::Receiver;

on_both_programs! {
    notifications_are_forwarded_as_they_arrive_and_verify,
    errors_are_reported_with_a_remedy,
}

impl Process {
    /// Runs a command of the program against this sandbox.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandbox"));
        command
            .args(arguments)
            .args(["--url", &self.url])
            .stdin(Stdio::null());
        command
    }
}

/// A running command that ends with the test.
struct Listening {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Listening {
    fn to(sandbox: &Process, address: &str) -> Self {
        let mut command = sandbox.command(&["listen", "--forward-to", address]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut listening = Self { child, lines };
        assert!(
            listening
                .line()
                .starts_with("forwarding the notifications of development to ")
        );
        listening
    }

    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn outcome(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), text(&output.stderr))
}

async fn notifications_are_forwarded_as_they_arrive_and_verify(sandbox: &Process) {
    let receiver = Receiver::answering(&[204, 500]).await;
    // Earlier notifications are not forwarded. Nothing answers at their receiver.
    let nowhere = "http://127.0.0.1:9/";
    let trigger = |event| {
        sandbox
            .command(&["trigger", event, "--notify", nowhere])
            .output()
            .unwrap()
    };
    assert!(trigger("purchase.accepted").status.success());
    let mut listening = Listening::to(sandbox, &receiver.url);
    let run = trigger("purchase.rejected");
    assert!(run.status.success(), "{run:?}");
    let answer: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(answer["status"], "REJECTED");
    assert!(listening.line().starts_with("purchase.rejected 204 "));
    assert!(trigger("payout.accepted").status.success());
    assert!(listening.line().starts_with("payout.accepted 500 "));
    let received = receiver.until(|come| come.len() == 2).await;
    let secret = sandbox.read_control("/webhooks/secrets").await.body["data"][0].clone();
    let webhook = Webhook::new(secret.as_str().unwrap()).unwrap();
    for (one, event) in received
        .iter()
        .zip(["purchase.rejected", "payout.accepted"])
    {
        webhook.verify(one.body.as_bytes(), &one.headers).unwrap();
        assert_eq!(one.json()["type"], event);
    }
    assert_eq!(received[0].json()["data"]["id"], answer["id"]);
}

async fn errors_are_reported_with_a_remedy(sandbox: &Process) {
    let unknown = sandbox.command(&["trigger", "nothing"]).output().unwrap();
    let (code, said) = outcome(&unknown);
    assert_eq!(code, Some(1));
    assert!(said.contains("/_sandbox/triggers"), "{said}");
    let key = "wrong-key-of-nobody";
    for command in [
        &["trigger", "purchase.accepted", "--admin-key", key][..],
        &[
            "listen",
            "--forward-to",
            "http://127.0.0.1:9/",
            "--admin-key",
            key,
        ],
    ] {
        let (code, said) = outcome(&sandbox.command(command).output().unwrap());
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("401") && said.contains("admin key"), "{said}");
        assert!(!said.contains(key) && !said.contains(ADMIN_KEY), "{said}");
    }
    let told = sandbox.read_control("/webhooks").await.body;
    assert_eq!(told["data"], Value::Array(Vec::new()));
    // The port is free again.
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    let url = format!("http://{}", unused.unwrap());
    let mut alone = Command::new(env!("CARGO_BIN_EXE_sandbox"));
    let gone = alone
        .args(["trigger", "purchase.accepted", "--url", &url])
        .output();
    let (code, said) = outcome(&gone.unwrap());
    assert_eq!(code, Some(1));
    assert!(said.contains("--url"), "{said}");
}
