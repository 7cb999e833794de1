//! The clock of a tenant.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::refuses_other_formats_than_json;
use crate::process::{Process, id};

on_both_programs! {
    timers_fire_before_the_clock_move_is_answered,
    a_clock_goes_forward_only,
}

on_two_programs! { parallel_advances_move_a_clock_by_their_sum }

async fn timers_fire_before_the_clock_move_is_answered(sandbox: &Process) {
    let soon = sandbox.purchase("soon", "pending;after=PT1H").await;
    let late = sandbox
        .purchase("late", "pending;after=PT2H;then=reject")
        .await;
    let far = sandbox.purchase("far", "pending;after=PT99H").await;
    let advanced = sandbox
        .post_control("/clock/advance", &json!({"by": "PT3H"}))
        .await;
    assert_eq!(advanced.status, 200, "{advanced:?}");
    let fired = advanced.body["fired"].as_array().unwrap();
    let subjects: Vec<_> = fired.iter().map(|fired| fired["subject"].clone()).collect();
    assert_eq!(subjects, [soon["id"].clone(), late["id"].clone()]);
    let mut states = Vec::new();
    for one in [&soon, &late, &far] {
        let path = format!("/v1/transactions/{}", id(one));
        states.push(sandbox.get(&path).await.body["status"].clone());
    }
    assert_eq!(states, ["ACCEPTED", "REJECTED", "PENDING"]);
    let told = sandbox.read_control("/clock").await.body;
    assert!(told["aheadMs"].as_i64().unwrap() >= 3 * 3_600_000, "{told}");
    let now: jiff::Timestamp = told["now"].as_str().unwrap().parse().unwrap();
    let reached: jiff::Timestamp = advanced.body["now"].as_str().unwrap().parse().unwrap();
    assert!(now >= reached);
    let metrics = sandbox.client.get(format!("{}/metrics", sandbox.url));
    let text = metrics.send().await.unwrap().text().await.unwrap();
    assert!(
        text.contains(r#"sandbox_timers_fired_total{kind="transaction"} 2"#),
        "{text}"
    );
}

#[tokio::test]
async fn tenants_have_separate_clocks() {
    let sandbox = Process::start();
    sandbox
        .post_control("/tenants", &json!({"name": "other"}))
        .await;
    sandbox
        .post_control("/clock/advance?tenant=other", &json!({"by": "P1M"}))
        .await;
    assert_eq!(sandbox.read_control("/clock").await.body["aheadMs"], 0);
}

async fn a_clock_goes_forward_only(sandbox: &Process) {
    refuses_other_formats_than_json(sandbox, "/clock/advance").await;
    let table: [(Value, &str, &str); 8] = [
        (json!({"to": "2020-01-01T00:00:00Z"}), "/to", "forward only"),
        (json!({"to": "tomorrow"}), "/to", "expected a time"),
        (json!({"by": "-P1D"}), "/by", "forward only"),
        (json!({"by": "a day"}), "/by", "it begins with P"),
        (
            json!({"by": "P9000Y"}),
            "/by",
            "no further than the year 9998",
        ),
        (
            json!({"by": "P99999999Y"}),
            "/by",
            "not in the required range",
        ),
        (json!({}), "/by", "either `by` or `to`"),
        (
            json!({"by": "P1D", "to": "2090-01-01T00:00:00Z"}),
            "/to",
            "exclude each other",
        ),
    ];
    for (body, pointer, reason) in table {
        let refused = sandbox.post_control("/clock/advance", &body).await;
        assert_eq!(refused.status, 422, "{body} {refused:?}");
        assert_eq!(refused.body["code"], "E1001", "{body}");
        let [place] = refused.body["errors"].as_array().unwrap().as_slice() else {
            panic!("{refused:?}");
        };
        assert_eq!(place["pointer"], pointer, "{body}");
        let detail = place["detail"].as_str().unwrap();
        assert!(detail.contains(reason), "{body}: {detail}");
    }
    assert_eq!(sandbox.read_control("/clock").await.body["aheadMs"], 0);
}

async fn parallel_advances_move_a_clock_by_their_sum(one: &Process, other: &Process) {
    let programs = [one, other];
    for number in 0..150 {
        let outcome = format!("pending;after=PT{}H", number % 10);
        one.purchase(&format!("order-{number}"), &outcome).await;
    }
    let body = json!({"by": "PT90M"});
    let advances = (0..24).map(|number| programs[number % 2].post_control("/clock/advance", &body));
    for advanced in join_all(advances).await {
        assert_eq!(advanced.status, 200, "{advanced:?}");
    }
    for program in programs {
        assert_eq!(
            program.read_control("/clock").await.body["aheadMs"],
            24 * 90 * 60_000
        );
    }
    one.audit();
}
