//! Random histories: after each one the audit finds nothing, and each change was allowed.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use reqwest::Method;
use serde_json::{Value, json};

use super::model::{self, Sort, Stage};
use super::world::{World, made, making, paying_out, root};
use crate::process::reply;

/// The number of plans: one with a trial, one without.
const PLANS: usize = 2;
/// The number of histories, and the length limit of each.
const HISTORIES: u32 = 32;
const LONGEST: usize = 40;

/// A random command; numbers select existing records.
#[derive(Clone, Debug)]
enum Step {
    Purchase {
        cents: u32,
        two_steps: bool,
        outcome: &'static str,
    },
    Payout {
        cents: u32,
        channel: &'static str,
        outcome: &'static str,
    },
    Refund {
        of: usize,
        cents: u32,
        outcome: &'static str,
    },
    Command {
        on: usize,
        event: &'static str,
        outcome: &'static str,
    },
    /// A command on plans and subscriptions.
    Subscribe {
        plan: usize,
        outcome: &'static str,
    },
    Plan {
        plan: usize,
        verb: &'static str,
    },
    Subscription {
        on: usize,
        event: &'static str,
    },
    Wait {
        hours: i64,
    },
}

fn outcome() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "accept",
        "accept",
        "reject",
        "pending",
        "pending;after=PT3H",
        "pending;after=PT30H;then=reject;code=E1006",
    ])
}

fn step() -> impl Strategy<Value = Step> {
    let cents = 1..5_000_u32;
    let channel = prop::sample::select(vec!["PCL_CARD", "PCL_CRYPTO"]);
    let event = prop::sample::select(vec![
        "Capture",
        "Capture",
        "Renew",
        "Cancel",
        "RenewOffers",
        "SelectOffer",
    ]);
    prop_oneof![
        3 => (cents.clone(), any::<bool>(), outcome())
            .prop_map(|(cents, two_steps, outcome)| Step::Purchase { cents, two_steps, outcome }),
        2 => (cents.clone(), channel, outcome())
            .prop_map(|(cents, channel, outcome)| Step::Payout { cents, channel, outcome }),
        4 => (any::<usize>(), cents, outcome())
            .prop_map(|(of, cents, outcome)| Step::Refund { of, cents, outcome }),
        8 => (any::<usize>(), event, outcome())
            .prop_map(|(on, event, outcome)| Step::Command { on, event, outcome }),
        2 => (0..PLANS, outcome()).prop_map(|(plan, outcome)| Step::Subscribe { plan, outcome }),
        1 => (0..PLANS, prop::sample::select(vec!["activate", "activate", "deactivate"]))
            .prop_map(|(plan, verb)| Step::Plan { plan, verb }),
        1 => (any::<usize>(), prop::sample::select(vec!["Cancel", "Remove"]))
            .prop_map(|(on, event)| Step::Subscription { on, event }),
        2 => (1..200_i64).prop_map(|hours| Step::Wait { hours }),
    ]
}

#[test]
fn the_audit_finds_nothing_after_random_histories() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let config = Config {
        cases: HISTORIES,
        failure_persistence: None,
        ..Config::default()
    };
    // Deterministic, so that each run tests the same histories.
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, random);
    let histories = prop::collection::vec(step(), 1..LONGEST);
    let result = runner.run(&histories, |steps| {
        runtime.block_on(execute(&steps));
        Ok(())
    });
    result.unwrap();
}

/// Executes one history.
async fn execute(steps: &[Step]) {
    let world = World::new().await;
    // Small amounts, including one for a payout on offers, collide more often.
    let relaxed = world.service.bind_catalogue(world.merchant, false);
    relaxed.await.unwrap();
    let mut life = History {
        opening: world.balance().await,
        plans: plans(&world).await,
        subscriptions: BTreeSet::new(),
        world,
        made: Vec::new(),
        offers: Value::Null,
    };
    for (number, step) in steps.iter().enumerate() {
        life.take(number, step).await;
    }
    life.world.audit().await;
    life.add_up().await;
}

struct History {
    world: World,
    opening: i64,
    /// The created transactions with their ids.
    made: Vec<(Sort, String)>,
    plans: Vec<String>,
    /// All subscriptions so far.
    subscriptions: BTreeSet<String>,
    /// The latest offers.
    offers: Value,
}

impl History {
    async fn take(&mut self, number: usize, step: &Step) {
        let key = format!("step-{number}");
        match step {
            Step::Purchase {
                cents,
                two_steps,
                outcome,
            } => {
                let mut body = making(&key, &euros(*cents));
                let kind = if *two_steps { "TWO_STEP" } else { "DIRECT" };
                body["authorization"] = json!({"type": kind});
                let reply = self.world.post("/v1/transactions", outcome, &body).await;
                self.made.push((Sort::Purchase, made(&reply)));
            }
            Step::Payout {
                cents,
                channel,
                outcome,
            } => {
                let body = paying_out(&key, &euros(*cents), channel);
                let reply = self.world.post("/v1/payouts", outcome, &body).await;
                self.made.push((Sort::Payout, made(&reply)));
            }
            Step::Refund { of, cents, outcome } => self.refund(&key, *of, *cents, outcome).await,
            Step::Command { on, event, outcome } => self.command(*on, event, outcome).await,
            Step::Subscribe { plan, outcome } => self.subscribe(&key, *plan, outcome).await,
            Step::Plan { plan, verb } => {
                let path = format!("/v1/subscriptions/plans/{}/{verb}", self.plans[*plan]);
                let reply = reply(self.world.request(Method::POST, &path)).await;
                let active = reply.body["status"].as_bool();
                assert_eq!(active, Some(*verb == "activate"), "{reply:?}");
            }
            Step::Subscription { on, event } => self.subscription(*on, event).await,
            Step::Wait { hours } => {
                let service = &self.world.service;
                let now = service.clock(self.world.merchant).await.unwrap();
                let then = now + SignedDuration::from_hours(*hours);
                service.advance(self.world.merchant, then).await.unwrap();
            }
        }
    }

    async fn refund(&mut self, key: &str, of: usize, cents: u32, outcome: &str) {
        let Some((Sort::Purchase | Sort::Refund, parent)) = self.pick(of) else {
            return;
        };
        let before = self.world.read(Sort::Purchase, &parent).await;
        let mut body = making(key, &euros(cents));
        body["transactionId"] = json!(parent);
        let reply = self
            .world
            .post("/v1/transactions/refund", outcome, &body)
            .await;
        let possible = before["actions"]["refund"] == true;
        match reply.status {
            201 => {
                assert!(possible, "{before}");
                self.made.push((Sort::Refund, made(&reply)));
            }
            409 => assert!(!possible, "{before}"),
            status => assert_eq!((status, &reply.body["code"]), (422, &json!("E1004"))),
        }
    }

    async fn command(&mut self, on: usize, event: &str, outcome: &str) {
        let Some((sort, id)) = self.pick(on) else {
            return;
        };
        let path = match (sort, event) {
            (_, "Capture") => "capture",
            (_, "Cancel") => "cancel",
            (Sort::Payout, "Renew") => "renew",
            (_, "Renew") => "renewAuthorization",
            (Sort::Payout, "RenewOffers") => "offersRenew",
            (Sort::Payout, _) => "offersSelect",
            _ => return,
        };
        let mut body = json!({"transactionId": id});
        if event == "SelectOffer" {
            let offer = &self.offers[0];
            if offer.is_null() {
                return;
            }
            body["pspId"] = offer["pspId"].clone();
            body["attemptId"] = offer["lastAttempt"]["attemptId"].clone();
            body["termsUuid"] = offer["termsUuid"].clone();
        }
        let before = self.world.read(sort, &id).await;
        let reply = self
            .world
            .post(&format!("{}/{path}", root(sort)), outcome, &body)
            .await;
        let after = self.world.read(sort, &id).await;
        let legal = model::transaction(sort, stage(&before), event);
        if reply.status < 300 {
            let now = legal.unwrap_or_else(|| panic!("{event} on {before}"));
            // The provider may have answered within the same commit.
            let answers = ["Accept", "Reject", "Authorize"];
            let answers = answers.map(|answer| model::transaction(sort, now, answer));
            let there = stage(&after);
            assert!(
                there == now || answers.contains(&Some(there)),
                "{event}: {before} {after}"
            );
        } else {
            // A purchase in a suitable state is never refused; a payout may lack a valid offer.
            let refused = [404, 409].contains(&reply.status);
            assert!(
                refused && (legal.is_none() || sort == Sort::Payout),
                "{event}: {reply:?} {before}"
            );
            assert_eq!(before, after);
        }
        if event == "RenewOffers" && reply.status < 300 {
            self.offers = reply.body;
        }
    }

    async fn subscribe(&mut self, key: &str, plan: usize, outcome: &str) {
        let mut body = making(key, ["3.00", "2.50"][plan]);
        body["customer"] = json!({"email": "customer@merchant.example"});
        body["paymentSpecificData"] = json!({"subscription": {"planId": self.plans[plan]}});
        body["fraudFields"] = json!({"sandbox.outcome.charge": "accept,reject;code=E1006,accept"});
        let reply = self.world.post("/v1/transactions", outcome, &body).await;
        match reply.status {
            201 => self.made.push((Sort::Purchase, made(&reply))),
            // The plan was deactivated.
            status => assert_eq!((status, &reply.body["code"]), (409, &json!("E1409"))),
        }
        self.record_subscriptions().await;
    }

    /// Records the present subscriptions.
    async fn record_subscriptions(&mut self) {
        let path = "/v1/subscriptions?itemsPerPage=100";
        let listed = reply(self.world.request(Method::GET, path)).await;
        let listed = listed.body["data"].as_array().cloned().unwrap();
        let ids = listed
            .iter()
            .map(|one| one["id"].as_str().unwrap().to_owned());
        self.subscriptions.extend(ids);
    }

    async fn subscription(&mut self, on: usize, event: &str) {
        self.record_subscriptions().await;
        let count = self.subscriptions.len();
        let Some(id) = self
            .subscriptions
            .iter()
            .nth(on.checked_rem(count).unwrap_or(0))
        else {
            return;
        };
        let path = format!("/v1/subscriptions/{id}");
        let before = reply(self.world.request(Method::GET, &path)).await;
        let stage = before.body["status"]
            .as_str()
            .unwrap_or("removed")
            .to_owned();
        let reached = match event {
            "Cancel" => reply(self.world.request(Method::POST, &format!("{path}/cancel"))).await,
            _ => reply(self.world.request(Method::DELETE, &path)).await,
        };
        let after = reply(self.world.request(Method::GET, &path)).await;
        let then = after.body["status"].as_str().unwrap_or("removed");
        match model::subscription(&stage, event) {
            // An unpaid subscription ends at once.
            Some(told) => {
                assert!(reached.status < 300, "{reached:?}");
                assert!(then == told || then == "expired", "{event}: {stage} {then}");
            }
            None => assert_eq!((reached.status, then), (404, "removed"), "{event} {stage}"),
        }
    }

    /// The sum of all charges of subscriptions, in cents.
    async fn charged(&mut self) -> i64 {
        self.record_subscriptions().await;
        let mut sum = 0;
        for id in &self.subscriptions {
            // Numbers start at 0 with a trial and at 1 without.
            for number in 0.. {
                let path = format!("/v1/transactions/merchant/{id}-{number}");
                let charge = reply(self.world.request(Method::GET, &path)).await;
                if charge.status == 200 && charge.body["status"] == "ACCEPTED" {
                    sum += cents(&charge.body["amount"]);
                }
                if charge.status == 404 && number > 0 {
                    break;
                }
            }
        }
        sum
    }

    fn pick(&self, number: usize) -> Option<(Sort, String)> {
        let count = self.made.len();
        (count > 0).then(|| self.made[number % count].clone())
    }

    /// Checks that the balance is the opening balance plus income minus expenses.
    async fn add_up(&mut self) {
        let mut balance = self.opening + self.charged().await;
        for (sort, id) in &self.made {
            let shown = self.world.read(*sort, id).await;
            let (amount, stage) = (cents(&shown["amount"]), stage(&shown));
            let gone = [Stage::Waiting, Stage::Moved].contains(&stage);
            balance += match sort {
                Sort::Purchase if stage == Stage::Moved => amount,
                Sort::Refund | Sort::Payout if gone => -amount,
                _ => 0,
            };
            if *sort == Sort::Purchase {
                fits(&shown);
            }
        }
        assert_eq!(self.world.balance().await, balance);
    }
}

/// A plan of 2.50 per day with a trial and a fee of 3.00, and one without either.
async fn plans(world: &World) -> Vec<String> {
    let product = json!({"name": "Tea club"});
    let product = world
        .post("/v1/subscriptions/products", "accept", &product)
        .await;
    let mut plans = Vec::new();
    for (trial, fee) in [(3, "3.00"), (0, "0")] {
        let mut body = json!({"productId": made(&product), "amount": "2.50", "currency": "EUR"});
        body["intervalUnit"] = json!("day");
        body["intervalCount"] = json!(2);
        body["trialPeriodDays"] = json!(trial);
        body["setupFee"] = json!(fee);
        body["chargeRetry"] = json!(true);
        plans.push(made(
            &world.post("/v1/subscriptions/plans", "accept", &body).await,
        ));
    }
    plans
}

/// Checks that refunds do not exceed the captured amount and that at most one is active.
fn fits(purchase: &Value) {
    let refunds = purchase["refunds"].as_array().cloned().unwrap_or_default();
    let of = |status: &'static str| {
        refunds
            .iter()
            .filter(move |refund| refund["status"] == status)
    };
    let used = of("PENDING").chain(of("ACCEPTED"));
    let used: i64 = used.map(|refund| cents(&refund["amount"])).sum();
    assert!(used <= cents(&purchase["amount"]), "{purchase}");
    assert!(of("PENDING").count() <= 1, "{purchase}");
}

fn stage(shown: &Value) -> Stage {
    let mut stages = Stage::ALL.into_iter();
    stages
        .find(|stage| shown["status"] == stage.shown())
        .unwrap()
}

fn euros(cents: u32) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn cents(amount: &Value) -> i64 {
    let digits: String = amount
        .as_str()
        .unwrap()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap()
}
