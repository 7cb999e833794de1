//! The script of outcomes.

use serde_json::{Value, json};

use super::{refuses, refuses_other_formats_than_json};
use crate::bench::Bench;
use crate::process::Process;
use sandbox::domain::outcome::Outcome;
use sandbox::service::{Failure, scenarios};
use sandbox::store::scenarios::Line;

#[tokio::test]
async fn the_script_is_shown_and_cleared() {
    let sandbox = Process::start();
    let line = json!({"operation": "createPurchase", "paymentChannel": "PCL_CARD",
        "outcome": "reject;code=E1006", "times": 2});
    let added = sandbox.post_control("/scenarios", &line).await;
    assert_eq!((added.status, &added.body["number"]), (201, &json!(1)));
    sandbox
        .post_control("/scenarios", &json!({"outcome": "pending;after=PT5S"}))
        .await;
    let shown = sandbox.read_control("/scenarios").await.body;
    assert_eq!(shown["data"][0], added.body);
    assert_eq!(shown["data"][1]["times"], 1);
    assert_eq!(shown["data"].as_array().unwrap().len(), 2);
    assert_eq!(sandbox.remove("/scenarios").await.status, 204);
    assert_eq!(
        sandbox.read_control("/scenarios").await.body,
        json!({"data": []})
    );
}

#[tokio::test]
async fn an_invalid_line_is_refused() {
    let sandbox = Process::start();
    refuses_other_formats_than_json(&sandbox, "/scenarios").await;
    let table: [(Value, u16, &str, &[&str]); 4] = [
        (
            json!({"outcome": "perhaps", "times": 0}),
            422,
            "E1001",
            &["/outcome", "/times"],
        ),
        (
            json!({"outcome": "accept", "times": 1001}),
            422,
            "E1001",
            &["/times"],
        ),
        (
            json!({"outcome": "accept", "operation": "pay"}),
            422,
            "E1001",
            &["/operation"],
        ),
        (json!({"times": 1}), 422, "E1001", &[""]),
    ];
    refuses(&sandbox, "/scenarios", &table).await;
    assert_eq!(
        sandbox.read_control("/scenarios").await.body,
        json!({"data": []})
    );
}

impl Bench {
    async fn script(&self, operation: Option<&str>, outcome: &str, times: u32) {
        let line = Line {
            operation: operation.map(str::to_owned),
            payment_channel: None,
            outcome: outcome.parse().unwrap(),
            times,
        };
        self.service
            .add_scenario(self.merchant, line)
            .await
            .unwrap();
    }

    /// The scripted outcome of a call.
    async fn next(&self, operation: &'static str) -> Option<Outcome> {
        self.service
            .command(self.merchant, move |work| {
                scenarios::next(work, operation, Some("PCL_CARD"))
            })
            .await
            .unwrap()
    }
}

async fn a_call_uses_the_first_matching_line(bench: Bench) {
    bench.script(Some("createRefund"), "expire", 1).await;
    bench
        .script(Some("createPurchase"), "reject;code=E1006", 2)
        .await;
    bench.script(None, "pending", 1).await;
    let mut taken = Vec::new();
    for _ in 0..4 {
        let outcome = bench.next("createPurchase").await;
        taken.push(outcome.map(|outcome| outcome.to_string()));
    }
    let some = |text: &str| Some(text.to_owned());
    let reject = some("reject;code=E1006");
    assert_eq!(taken, [reject.clone(), reject, some("pending"), None]);
    assert_eq!(
        bench.service.scenarios(bench.merchant).await.unwrap().len(),
        1
    );
}

async fn a_refused_call_uses_no_line(bench: Bench) {
    bench.script(None, "reject", 1).await;
    let refused: Result<(), Failure> = bench
        .service
        .command(bench.merchant, |work| {
            scenarios::next(work, "createPurchase", None)?;
            Err(sandbox::domain::Rejection::unknown("card").into())
        })
        .await;
    assert!(refused.is_err());
    assert!(bench.next("createPurchase").await.is_some());
    assert!(bench.next("createPurchase").await.is_none());
}

async fn many_calls_at_once_use_each_line_once(bench: Bench) {
    bench.script(None, "reject", 3).await;
    bench.script(None, "expire", 5).await;
    let calls = std::iter::repeat_with(|| bench.next("createPurchase")).take(12);
    let taken = futures_util::future::join_all(calls).await;
    let count = |wanted: Option<&str>| {
        let wanted: Option<Outcome> = wanted.map(|text| text.parse().unwrap());
        taken.iter().filter(|outcome| **outcome == wanted).count()
    };
    assert_eq!(
        (count(Some("reject")), count(Some("expire")), count(None)),
        (3, 5, 4)
    );
}

on_both! {
    a_call_uses_the_first_matching_line,
    a_refused_call_uses_no_line,
    many_calls_at_once_use_each_line_once,
}
