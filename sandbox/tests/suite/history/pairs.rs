//! Everything that can happen, to transactions in every state: what is illegal is refused and leaves
//! no trace.

use jiff::Timestamp;
use sandbox::domain::outcome::{Final, RejectCode};
use sandbox::domain::state::Status;
use sandbox::domain::transaction::Transaction;
use sandbox::domain::{Code, Rejection, payout, purchase, refund};
use serde_json::{Value, json};
use uuid::Uuid;

use super::model::{self, Sort, Stage};
use super::world::{World, made, making, paying_out, root};

/// The commands on a transaction that is there, and where they are sent.
const COMMANDS: [(&str, &str); 6] = [
    ("Capture", "/capture"),
    ("Renew", "/renew"),
    ("Cancel", "/cancel"),
    ("Refund", "/refund"),
    ("RenewOffers", "/offersRenew"),
    ("SelectOffer", "/offersSelect"),
];

/// The states that transactions of a sort come to.
fn stages(sort: Sort) -> impl Iterator<Item = Stage> {
    let never = move |stage: &Stage| match sort {
        Sort::Purchase => false,
        Sort::Refund => matches!(stage, Stage::Held | Stage::Late),
        Sort::Payout => *stage == Stage::Held,
    };
    Stage::ALL.into_iter().filter(move |stage| !never(stage))
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_do_what_the_model_says_or_nothing() {
    let world = World::new().await;
    let mut legal = 0;
    for sort in [Sort::Purchase, Sort::Refund, Sort::Payout] {
        for stage in stages(sort) {
            for (command, path) in COMMANDS {
                if let Some(path) = path_of(sort, command, path) {
                    legal += u32::from(attempt(&world, sort, stage, command, &path).await);
                }
            }
        }
    }
    // A purchase: one capture, two renewals, two cancellations, one refund. A refund: cancelled. A payout: the
    // four commands on what waits, and two renewals.
    assert_eq!(legal, 6 + 1 + 6);
    world.audit().await;
}

/// Where a command is sent; `None` where a transaction of that sort cannot be named there.
fn path_of(sort: Sort, command: &str, path: &str) -> Option<String> {
    let path = match (sort, command) {
        (Sort::Payout, "Refund")
        | (Sort::Purchase | Sort::Refund, "RenewOffers" | "SelectOffer") => return None,
        (Sort::Purchase | Sort::Refund, "Renew") => "/renewAuthorization",
        _ => path,
    };
    Some(format!("{}{path}", root(sort)))
}

/// Sends one command to a fresh transaction in one state; whether it was legal.
async fn attempt(world: &World, sort: Sort, stage: Stage, command: &str, path: &str) -> bool {
    let name = format!("{sort:?}-{stage:?}-{command}");
    let (id, offer) = bring(world, sort, stage, &name).await;
    assert_eq!(
        world.read(sort, &id).await["status"],
        stage.shown(),
        "{name}"
    );
    let mut body = match command {
        "Refund" => making(&format!("{name}-refund"), "10.00"),
        _ => json!({}),
    };
    body["transactionId"] = json!(id);
    if command == "SelectOffer" {
        body["pspId"] = offer["pspId"].clone();
        body["attemptId"] = offer["lastAttempt"]["attemptId"].clone();
        body["termsUuid"] = offer["termsUuid"].clone();
    }
    let (seen, kept) = (world.read(sort, &id).await, world.rows().await);
    let reply = world.post(path, "pending", &body).await;
    let after = world.read(sort, &id).await;
    let told = model::transaction(sort, stage, command);
    if let Some(next) = told {
        assert!(reply.status < 300, "{name}: {reply:?}");
        assert_eq!(after["status"], next.shown(), "{name}");
        assert_ne!(world.rows().await, kept, "{name}");
    } else {
        let refusal = (reply.status, &reply.body["code"]);
        assert_eq!(refusal, (409, &json!("E1409")), "{name}: {reply:?}");
        assert_eq!(after, seen, "{name}");
        assert_eq!(world.rows().await, kept, "{name}");
    }
    told.is_some()
}

/// Makes a transaction and brings it into a state; for a payout with an offer, where it can have one.
async fn bring(world: &World, sort: Sort, stage: Stage, name: &str) -> (String, Value) {
    let outcome = match stage {
        Stage::Waiting | Stage::CalledOff => "pending",
        Stage::Held | Stage::Moved => "accept",
        Stage::Refused => "reject",
        Stage::Late => "expire",
    };
    let mut body = making(name, "10.00");
    let mut offer = no_offer();
    let id = match sort {
        Sort::Purchase => {
            let two_steps = if stage == Stage::Held {
                "TWO_STEP"
            } else {
                "DIRECT"
            };
            body["authorization"] = json!({"type": two_steps});
            made(&world.post("/v1/transactions", outcome, &body).await)
        }
        Sort::Refund => {
            let parent = making(&format!("{name}-parent"), "10.00");
            body["transactionId"] = json!(made(
                &world.post("/v1/transactions", "accept", &parent).await
            ));
            made(&world.post("/v1/transactions/refund", outcome, &body).await)
        }
        Sort::Payout => {
            let body = paying_out(name, "10.00", "PCL_CRYPTO");
            let id = made(&world.post("/v1/payouts", outcome, &body).await);
            let this = json!({"transactionId": id});
            if matches!(stage, Stage::Waiting | Stage::Moved) {
                let offers = world.post("/v1/payouts/offersRenew", "accept", &this).await;
                offer = offers.body[0].clone();
            }
            if stage == Stage::Moved {
                world.post("/v1/payouts/capture", "accept", &this).await;
            }
            id
        }
    };
    if stage == Stage::CalledOff {
        let path = format!("{}/cancel", root(sort));
        world
            .post(&path, "accept", &json!({"transactionId": id}))
            .await;
    }
    (id, offer)
}

/// What an offer would look like.
fn no_offer() -> Value {
    let id = Uuid::nil();
    json!({"pspId": "psp-one", "termsUuid": id, "lastAttempt": {"attemptId": id}})
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_of_the_provider_count_where_the_model_says() {
    let world = World::new().await;
    for sort in [Sort::Purchase, Sort::Refund, Sort::Payout] {
        for stage in stages(sort) {
            let name = format!("{sort:?}-{stage:?}");
            let (id, _) = bring(&world, sort, stage, &name).await;
            let transaction = world.view(sort, &id).await.record.transaction;
            let parent = match transaction.parent {
                Some(parent) => Some(
                    world
                        .view(sort, &parent.to_string())
                        .await
                        .record
                        .transaction,
                ),
                None => None,
            };
            for (answer, event) in [
                (Final::Accept, "Accept"),
                (Final::Reject(RejectCode::default()), "Reject"),
                (Final::Expire, "Expire"),
            ] {
                // What was begun in two steps is held first.
                let event = if transaction.two_step && event == "Accept" {
                    "Authorize"
                } else {
                    event
                };
                let told = model::transaction(sort, stage, event).map(Stage::shown);
                let settled = settle(transaction.clone(), parent.clone(), answer);
                match settled {
                    Ok(status) => assert_eq!(Some(status.wire()), told, "{name} {event}"),
                    Err(rejection) => {
                        assert_eq!(told, None, "{name} {event}: {rejection}");
                        assert_eq!(rejection.code, Code::IllegalState, "{name} {event}");
                    }
                }
            }
        }
    }
}

fn settle(
    transaction: Transaction,
    parent: Option<Transaction>,
    answer: Final,
) -> Result<Status, Rejection> {
    let now = Timestamp::UNIX_EPOCH;
    let settled = match (transaction.kind, parent) {
        (sandbox::domain::state::Kind::Payout, _) => payout::settle(transaction, answer, now)?,
        (_, None) => purchase::settle(transaction, answer, now)?,
        (_, Some(parent)) => refund::settle(transaction, parent, answer, now)?.refund,
    };
    Ok(settled.transaction.status)
}
