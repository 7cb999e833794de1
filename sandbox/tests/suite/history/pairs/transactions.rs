//! Purchases, refunds and payouts.

use reqwest::Method;
use sandbox::domain::outcome::{Final, RejectCode};
use sandbox::domain::state::Status;
use sandbox::domain::transaction::{Due, Transaction};
use sandbox::service::timer_kind;
use sandbox::store;
use serde_json::{Value, json};
use uuid::Uuid;

use super::table::{Kind, of_kind};
use super::{CONFLICT, Driver, Refusal, Subject, UNKNOWN};
use crate::history::model::Sort;
use crate::history::world::{World, made, making, paying_out, root};
use crate::process::{Reply, reply};

/// When the planned result of the provider arrives.
const SOON: jiff::SignedDuration = jiff::SignedDuration::from_hours(1);
/// Until after that, and until an authorization has expired.
const LATER: &str = "PT2H";
const LONG: &str = "P8D";

/// The transactions of one kind.
pub(super) struct Transactions(pub(super) Kind);

impl Driver for Transactions {
    const TABLE: &'static str = "transactions";

    async fn bring(&self, world: &World, state: &str, event: &str) -> Subject {
        let legal = of_kind(self.0).next(state, event).is_some();
        let outcome = outcome(state, event, legal);
        let two_steps = state == "AUTHORIZED" || (legal && event == "Authorize");
        let shown = self.make(world, outcome, two_steps).await;
        let id = made(&shown);
        let mut more = shown.body;
        more["offer"] = no_offer();
        if self.0 == Kind::Payout && matches!(state, "PENDING" | "ACCEPTED") {
            more["offer"] = self.offers(world, &id, state).await;
        }
        if state == "CANCELLED" {
            let path = format!("{}/cancel", root(self.sort()));
            let reply = world.post(&path, "accept", &naming(&id)).await;
            assert_eq!(reply.status, 200, "{reply:?}");
        }
        if !legal && self.command(state, event).is_none() {
            plant(world, &id, event).await;
        }
        Subject { id, more }
    }

    async fn state(&self, world: &World, subject: &Subject) -> String {
        let shown = world.read(self.sort(), &subject.id).await;
        shown["status"].as_str().unwrap().to_owned()
    }

    async fn attempt(&self, world: &World, subject: &Subject, event: &str) -> Option<Reply> {
        let state = self.state(world, subject).await;
        if event == "Challenge" && self.is_silent(&state, event) {
            let page = subject.more["redirectUrl"].as_str().unwrap();
            let asked = world.client.get(page).send().await.unwrap();
            assert_eq!(asked.status(), 200, "{page}");
            return None;
        }
        let Some((path, outcome)) = self.command(&state, event) else {
            let lapses = (state.as_str(), event) == ("AUTHORIZED", "Expire");
            world.pass(if lapses { LONG } else { LATER }).await;
            return None;
        };
        let mut body = naming(&subject.id);
        if event == "Refund" {
            body = making("refund-of-it", "10.00");
            body["transactionId"] = json!(subject.id);
        }
        if event == "SelectOffer" {
            let offer = &subject.more["offer"];
            body["pspId"] = offer["pspId"].clone();
            body["attemptId"] = offer["lastAttempt"]["attemptId"].clone();
            body["termsUuid"] = offer["termsUuid"].clone();
        }
        Some(world.post(path, outcome, &body).await)
    }

    fn refusal(&self, state: &str, event: &str) -> Refusal {
        match (self.0, event) {
            // Payouts are a separate collection: other transactions are not found there, nor
            // payouts elsewhere.
            (Kind::Purchase | Kind::Refund, "RenewOffers" | "SelectOffer")
            | (Kind::Payout, "Refund" | "Authorize") => UNKNOWN,
            // A legal renewal, but without a customer to ask.
            (Kind::Payout, "Challenge") if matches!(state, "REJECTED" | "EXPIRED") => {
                Refusal::Problem(422, "E1001")
            }
            _ if self.command(state, event).is_some() => CONFLICT,
            _ => Refusal::Ignored,
        }
    }

    /// The answer that creates the purchase already shows the challenge.
    fn is_silent(&self, state: &str, event: &str) -> bool {
        self.0 == Kind::Purchase && (state, event) == ("PENDING", "Challenge")
    }
}

impl Transactions {
    const fn sort(&self) -> Sort {
        match self.0 {
            Kind::Purchase => Sort::Purchase,
            Kind::Refund => Sort::Refund,
            Kind::Payout => Sort::Payout,
        }
    }

    /// The path and the outcome that cause an event; `None` when no request causes it.
    fn command(&self, state: &str, event: &str) -> Option<(&'static str, &'static str)> {
        let payout = self.0 == Kind::Payout;
        let own = |payouts, others| Some(if payout { payouts } else { others });
        let (path, outcome) = match event {
            "Capture" => (
                own("/v1/payouts/capture", "/v1/transactions/capture")?,
                "pending",
            ),
            "Renew" => (
                own("/v1/payouts/renew", "/v1/transactions/renewAuthorization")?,
                "pending",
            ),
            "Cancel" => (
                own("/v1/payouts/cancel", "/v1/transactions/cancel")?,
                "accept",
            ),
            "Refund" => ("/v1/transactions/refund", "pending"),
            "RenewOffers" => ("/v1/payouts/offersRenew", "accept"),
            "SelectOffer" => ("/v1/payouts/offersSelect", "accept"),
            // Only purchases hold money; for other kinds the request is refused.
            "Authorize" if self.0 != Kind::Purchase => {
                ("/v1/transactions/renewAuthorization", "accept")
            }
            // A request with a challenge, although the transaction cannot have one.
            "Challenge" if payout => ("/v1/payouts/renew", "3ds"),
            "Challenge" if self.0 == Kind::Purchase && matches!(state, "REJECTED" | "EXPIRED") => {
                ("/v1/transactions/capture", "3ds")
            }
            "Challenge" => ("/v1/transactions/renewAuthorization", "3ds"),
            _ => return None,
        };
        Some((path, outcome))
    }

    async fn make(&self, world: &World, outcome: &str, two_steps: bool) -> Reply {
        let mut body = making("it", "10.00");
        match self.0 {
            Kind::Purchase => {
                let steps = if two_steps { "TWO_STEP" } else { "DIRECT" };
                body["authorization"] = json!({"type": steps});
                world.post("/v1/transactions", outcome, &body).await
            }
            Kind::Refund => {
                let parent = making("its-parent", "10.00");
                let parent = world.post("/v1/transactions", "accept", &parent).await;
                body["transactionId"] = json!(made(&parent));
                world.post("/v1/transactions/refund", outcome, &body).await
            }
            Kind::Payout => {
                let body = paying_out("it", "10.00", "PCL_CRYPTO");
                world.post("/v1/payouts", outcome, &body).await
            }
        }
    }

    /// Requests offers for a payout, and captures one if it should be accepted.
    async fn offers(&self, world: &World, id: &str, state: &str) -> Value {
        let offers = "/v1/payouts/offersRenew";
        let offers = world.post(offers, "accept", &naming(id)).await;
        assert_eq!(offers.status, 200, "{offers:?}");
        if state == "ACCEPTED" {
            let capture = "/v1/payouts/capture";
            let captured = world.post(capture, "accept", &naming(id)).await;
            assert_eq!(captured.status, 200, "{captured:?}");
        }
        offers.body[0].clone()
    }
}

/// The outcome to request at creation.
fn outcome(state: &str, event: &str, legal: bool) -> &'static str {
    match (state, event) {
        ("PENDING", "Accept" | "Authorize") if legal => "pending;after=PT1H",
        ("PENDING", "Reject") if legal => "pending;after=PT1H;then=reject",
        ("PENDING", "Expire") if legal => "pending;after=PT1H;then=expire",
        ("PENDING", "Challenge") if legal => "3ds",
        ("PENDING" | "CANCELLED", _) => "pending",
        ("REJECTED", _) => "reject",
        ("EXPIRED", _) => "expire",
        _ => "accept",
    }
}

/// A body that selects an offer that does not exist.
fn no_offer() -> Value {
    let id = Uuid::nil();
    json!({"pspId": "psp-one", "termsUuid": id, "lastAttempt": {"attemptId": id}})
}

fn naming(id: &str) -> Value {
    json!({"transactionId": id})
}

/// Plans a result of the provider for a transaction that does not wait for one.
pub(super) async fn plant(world: &World, id: &str, event: &str) {
    let (id, event): (Uuid, String) = (id.parse().unwrap(), event.to_owned());
    let planted = world.service.command(world.merchant, move |work| {
        let before = store::find_in_any(work.connection, work.tenant, id)?.unwrap();
        let at = work.now + SOON;
        let after = said(before.transaction.clone(), &event, at);
        store::update(work.connection, &before, &after, &before.details)?;
        work.schedule(timer_kind::Kind::Transaction, &id.to_string(), Some(at))
    });
    planted.await.unwrap();
}

/// The transaction as if it waited for this result.
fn said(mut transaction: Transaction, event: &str, at: jiff::Timestamp) -> Transaction {
    let then = match event {
        "Reject" => Final::Reject(RejectCode::default()),
        "Expire" => Final::Expire,
        _ => Final::Accept,
    };
    transaction.due = Some(Due { at, then });
    match event {
        "Authorize" => transaction.two_step = true,
        // For a capture; otherwise it would be the result of the authorization.
        "Accept" if transaction.status == Status::Authorized => {
            transaction.capturing = Some(transaction.money.minor());
        }
        _ => {}
    }
    transaction
}

/// Reads a path as the merchant.
pub(super) async fn get(world: &World, path: &str) -> Reply {
    reply(world.request(Method::GET, path)).await
}
