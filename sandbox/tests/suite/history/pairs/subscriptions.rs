//! Subscriptions.

use reqwest::Method;
use sandbox::domain::subscription::Status;
use sandbox::service::timer_kind::Kind;
use sandbox::store::subscriptions;
use serde_json::{Value, json};
use uuid::Uuid;

use super::plans::{PLANS, plan};
use super::table::tables;
use super::transactions::{get, plant};
use super::{Driver, Refusal, Subject, UNKNOWN};
use crate::history::world::{World, made, making};
use crate::process::{Reply, reply};

const SUBSCRIPTIONS: &str = "/v1/subscriptions";
/// Longer than a charge waits for its answer, and shorter than two intervals.
const INTERVAL: &str = "P2D";

/// Subscriptions of 2.50 every two days.
pub(super) struct Subscriptions;

impl Driver for Subscriptions {
    const TABLE: &'static str = "subscriptions";

    async fn bring(&self, world: &World, state: &str, event: &str) -> Subject {
        let trial = state == "trial" || (state, event) == ("ordered", "BeginTrial");
        let retries = event == "Decline";
        let plan = plan(world, &terms(trial, retries)).await;
        let first = first(world, &plan, trial, state, event).await;
        let parent: Uuid = first.parse().unwrap();
        let id = Uuid::new_v5(&parent, b"subscription").to_string();
        let subject = Subject {
            id,
            more: json!({"plan": plan, "first": first}),
        };
        self.lead(world, &subject, state, event).await;
        if tables::subscription().next(state, event).is_none() {
            self.prepare(world, &subject, state, event).await;
        }
        subject
    }

    async fn state(&self, world: &World, subject: &Subject) -> String {
        let id: Uuid = subject.id.parse().unwrap();
        let found = world.service.read(world.merchant, move |work| {
            Ok(subscriptions::find(work.connection, work.tenant, id)?)
        });
        let found = found.await.unwrap();
        let status = found.map(|record| record.subscription.status);
        let shown = get(world, &format!("{SUBSCRIPTIONS}/{}", subject.id)).await;
        match status.and_then(Status::wire) {
            Some(wire) => assert_eq!(shown.body["status"], wire, "{shown:?}"),
            None => assert_eq!(shown.status, 404, "{shown:?}"),
        }
        status.map_or("removed", Status::name).to_owned()
    }

    async fn attempt(&self, world: &World, subject: &Subject, event: &str) -> Option<Reply> {
        let path = format!("{SUBSCRIPTIONS}/{}", subject.id);
        let plan = subject.more["plan"].as_str().unwrap();
        let request = match event {
            "Cancel" => world.request(Method::POST, &format!("{path}/cancel")),
            "Remove" => world.request(Method::DELETE, &path),
            "DeactivatePlan" => world.request(Method::POST, &format!("{PLANS}/{plan}/deactivate")),
            "Begin" | "BeginTrial" => {
                world.pass("PT2H").await;
                return None;
            }
            "Pay" | "Decline" | "Fail" => {
                world.pass("P1D").await;
                return None;
            }
            _ => {
                world.pass(INTERVAL).await;
                return None;
            }
        };
        Some(reply(request).await)
    }

    fn refusal(&self, _state: &str, event: &str) -> Refusal {
        match event {
            "Cancel" | "Remove" => UNKNOWN,
            _ => Refusal::Ignored,
        }
    }

    fn is_silent(&self, state: &str, event: &str) -> bool {
        (state, event) == ("expired", "Cancel")
    }
}

impl Subscriptions {
    /// Brings an ordered subscription to a state.
    async fn lead(&self, world: &World, subject: &Subject, state: &str, event: &str) {
        // A pending charge, which may be answered after the subscription was removed.
        if matches!(state, "active" | "removed") && is_answer(event) {
            world.pass(INTERVAL).await;
        }
        // Only a cancelled subscription runs out.
        if state == "expired" || (matches!(state, "trial" | "active") && event == "End") {
            self.attempt(world, subject, "Cancel").await;
        }
        if state == "expired" {
            world.pass(INTERVAL).await;
        }
        if state == "removed" {
            self.attempt(world, subject, "Remove").await;
        }
    }

    /// Prepares an event that the subscription does not expect.
    async fn prepare(&self, world: &World, subject: &Subject, state: &str, event: &str) {
        let first = subject.more["first"].as_str().unwrap();
        match event {
            "Charge" | "End" => world.plant(Kind::Subscription, &subject.id).await,
            "Begin" | "BeginTrial" => plant(world, first, "Accept").await,
            // Only the first purchase exists, and it is already answered.
            "Pay" if matches!(state, "trial" | "expired") => plant(world, first, "Accept").await,
            "Decline" | "Fail" if matches!(state, "trial" | "expired") => {
                plant(world, first, "Reject").await;
            }
            // A payment that is not for the subscription.
            "Pay" if state == "ordered" => {
                let body = making("another", "2.50");
                let another = "pending;after=PT1H";
                made(&world.post("/v1/transactions", another, &body).await);
            }
            _ => {}
        }
    }
}

fn is_answer(event: &str) -> bool {
    matches!(event, "Pay" | "Decline" | "Fail")
}

fn terms(trial: bool, retries: bool) -> Value {
    let (days, fee) = if trial { (2, "3.00") } else { (0, "0") };
    json!({"trialPeriodDays": days, "setupFee": fee, "chargeRetry": retries})
}

/// Creates the purchase that begins a subscription.
async fn first(world: &World, plan: &str, trial: bool, state: &str, event: &str) -> String {
    let outcome = match (state, event) {
        ("ordered", "Begin" | "BeginTrial") => "pending;after=PT1H",
        // A refused purchase is not an event of a subscription.
        ("ordered", "Decline" | "Fail") => "pending;after=PT1H;then=reject",
        ("ordered", _) => "pending",
        _ => "accept",
    };
    let charges = match event {
        "Pay" => "pending;after=PT24H",
        "Decline" | "Fail" => "pending;after=PT24H;then=reject;code=E1006",
        _ => "accept",
    };
    let mut body = making("order", if trial { "3.00" } else { "2.50" });
    body["customer"] = json!({"email": "customer@merchant.example"});
    body["paymentSpecificData"] = json!({"subscription": {"planId": plan}});
    body["fraudFields"] = json!({"sandbox.outcome.charge": charges});
    made(&world.post("/v1/transactions", outcome, &body).await)
}
