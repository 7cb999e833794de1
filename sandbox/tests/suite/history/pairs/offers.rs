//! Offers of payouts, whose state follows from the payout and the time.

use serde_json::{Value, json};

use super::{CONFLICT, Driver, Refusal, Subject, UNKNOWN};
use crate::history::model::Sort;
use crate::history::world::{World, made, paying_out};
use crate::process::Reply;

const OFFERS: &str = "/v1/payouts/offersRenew";
const SELECT: &str = "/v1/payouts/offersSelect";
const CAPTURE: &str = "/v1/payouts/capture";
/// Longer than an offer is valid, shorter than its payout waits.
const LONG: &str = "PT16M";

/// The first offer of a payout.
pub(super) struct Offers;

impl Driver for Offers {
    const TABLE: &'static str = "offers";

    async fn bring(&self, world: &World, state: &str, _event: &str) -> Subject {
        let body = paying_out("payout", "10.00", "PCL_CRYPTO");
        let payout = made(&world.post("/v1/payouts", "accept", &body).await);
        let this = json!({"transactionId": payout});
        let mut offers = world.post(OFFERS, "accept", &this).await.body;
        let offer = choice(&payout, &offers[0]);
        match state {
            "SELECTED" => done(&world.post(SELECT, "accept", &offer).await),
            "ACCEPTED" => done(&world.post(CAPTURE, "accept", &this).await),
            "EXPIRED" => world.pass(LONG).await,
            "replaced" => offers = world.post(OFFERS, "accept", &this).await.body,
            _ => {}
        }
        let id = offer["attemptId"].as_str().unwrap().to_owned();
        let other = choice(&payout, &offers[1]);
        let more = json!({"payout": payout, "offer": offer, "other": other});
        Subject { id, more }
    }

    async fn state(&self, world: &World, subject: &Subject) -> String {
        let payout = subject.more["payout"].as_str().unwrap();
        let view = world.view(Sort::Payout, payout).await;
        let mut offers = view.offers.iter();
        let offer = offers.find(|offer| offer.attempt_id.to_string() == subject.id);
        let shown = world.read(Sort::Payout, payout).await;
        let selected = &shown["meta"]["selectedOffer"]["pspId"];
        let state = match offer {
            None => "replaced",
            Some(offer) if offer.selected && shown["status"] == "ACCEPTED" => "ACCEPTED",
            Some(offer) if !offer.is_valid(view.now) => "EXPIRED",
            Some(offer) if offer.selected => "SELECTED",
            Some(_) => "PENDING",
        };
        let is_shown = *selected == subject.more["offer"]["pspId"];
        let taken = matches!(state, "SELECTED" | "ACCEPTED");
        // A selected offer is shown even after its expiry, and a new offer may have the same
        // provider.
        let open = matches!(state, "EXPIRED" | "replaced");
        assert!(open || is_shown == taken, "{shown}");
        state.to_owned()
    }

    async fn attempt(&self, world: &World, subject: &Subject, event: &str) -> Option<Reply> {
        let this = json!({"transactionId": subject.more["payout"]});
        let (path, body) = match event {
            "Select" => (SELECT, &subject.more["offer"]),
            "Unselect" => (SELECT, &subject.more["other"]),
            "Capture" => (CAPTURE, &this),
            "Renew" => (OFFERS, &this),
            _ => {
                world.pass(LONG).await;
                return None;
            }
        };
        Some(world.post(path, "accept", body).await)
    }

    fn refusal(&self, state: &str, event: &str) -> Refusal {
        match (state, event) {
            (_, "Expire") => Refusal::Ignored,
            ("ACCEPTED", _) => CONFLICT,
            ("EXPIRED", _) => Refusal::Problem(409, "E1411"),
            ("replaced", "Select") => UNKNOWN,
            // The request is allowed, but it concerns the offers that replaced this one.
            _ => Refusal::Ignored,
        }
    }
}

fn choice(payout: &str, offer: &Value) -> Value {
    json!({
        "transactionId": payout,
        "pspId": offer["pspId"],
        "attemptId": offer["lastAttempt"]["attemptId"],
        "termsUuid": offer["termsUuid"],
    })
}

fn done(reply: &Reply) {
    assert_eq!(reply.status, 200, "{reply:?}");
}
