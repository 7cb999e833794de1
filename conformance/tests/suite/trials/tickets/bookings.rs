//! Bookings: held, confirmed, returned.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply};

use super::rules::BOOKING;
use super::{Store, error, shown};

impl Store {
    pub(super) fn create_booking(&mut self, ask: &Ask, event: &str) -> Reply {
        let key = ask.header("idempotency-key").to_owned();
        if key.chars().count() > 80 {
            return error(400, "the key is too long");
        }
        let of = if self.is("keys-of-all-events") {
            ""
        } else {
            event
        };
        let name = format!("{}/{of}/{key}", ask.tenant);
        let known = self
            .keys
            .iter()
            .find(|(item, ..)| *item == name && !key.is_empty());
        if let Some((_, body, reply)) = known {
            let same = *body == json!([event, ask.body]);
            if same && !self.is("repeat-books-again") {
                return reply.clone();
            }
            if !same && !self.is("key-reused") {
                return error(409, "the key was used");
            }
        }
        let reply = self.book(ask, event, &ask.body);
        if reply.status == 201 {
            self.keys
                .push((name, json!([event, ask.body]), reply.clone()));
        }
        reply
    }

    fn book(&mut self, ask: &Ask, event: &str, body: &Value) -> Reply {
        let Some(at) = self.event(ask, event) else {
            return error(404, "no such event");
        };
        if let Err(refusal) = self.check(body, BOOKING) {
            return refusal;
        }
        if self.events[at]["state"] != "on_sale" && !self.is("book-drafts") {
            return error(409, "it is not on sale");
        }
        let quantity = body["quantity"].as_u64().unwrap_or(1);
        let number = |name: &str| self.events[at][name].as_u64().unwrap_or_default();
        let sold = number("seats_sold") + quantity;
        let counted = if self.is("sold-each") { quantity } else { sold };
        if counted > number("seats_total") && !self.is("oversold") {
            return error(409, "sold out");
        }
        if !self.is("sold-not-counted") {
            self.events[at]["seats_sold"] = sold.into();
        }
        let booking = self.new_booking(ask, at, body);
        self.bookings.push(booking.clone());
        let mut reply = Reply::new(201, shown(&booking));
        let place = format!("/v2/bookings/{}", booking["id"].as_str().unwrap());
        reply.headers.push(("location", place));
        reply
    }

    fn new_booking(&mut self, ask: &Ask, at: usize, body: &Value) -> Value {
        let id = if self.is("same-id") {
            "bok_1".to_owned()
        } else {
            self.id("bok")
        };
        let price = self.events[at]["price"].clone();
        let quantity = body["quantity"].as_u64().unwrap_or(1);
        let digits = price["amount"].as_str().unwrap_or("0.00").replace('.', "");
        let cents = digits.parse::<u64>().unwrap_or_default() * quantity;
        let amount = format!("{}.{:02}", cents / 100, cents % 100);
        let amount = if self.is("total-of-one") {
            price["amount"].clone()
        } else {
            amount.into()
        };
        let currency = if self.is("total-in-euro") {
            json!("SEK")
        } else {
            price["currency"].clone()
        };
        json!({
            "id": id, "event_id": self.events[at]["id"], "tenant": ask.tenant,
            "quantity": if self.is("quantity-one") { json!(1) } else { body["quantity"].clone() },
            "email": body["email"], "total": {"amount": amount, "currency": currency},
            "status": if self.is("born-confirmed") { "confirmed" } else { "held" },
            "created_at": self.now(),
        })
    }

    pub(super) fn list_bookings(&mut self, ask: &Ask, event: &str) -> Reply {
        if self.event(ask, event).is_none() {
            return error(404, "no such event");
        }
        let selected = self.bookings.iter().filter(|booking| {
            booking["event_id"] == event
                || (self.is("bookings-of-all") && booking["tenant"] == ask.tenant)
        });
        let list: Vec<Value> = selected.map(shown).collect();
        match self.page(ask, &list) {
            Ok((items, next)) => {
                let total = if self.is("total-off") {
                    list.len() + 1
                } else {
                    list.len()
                };
                Reply::new(
                    200,
                    json!({"items": items, "next_cursor": next, "total": total}),
                )
            }
            Err(refusal) => refusal,
        }
    }

    pub(super) fn bulk(&mut self, ask: &Ask) -> Reply {
        let Some(object) = ask.body.as_object() else {
            return error(400, "the body is no object");
        };
        let known = object
            .keys()
            .all(|key| ["event_id", "bookings"].contains(&key.as_str()));
        let list = object.get("bookings").and_then(Value::as_array);
        let (Some(event), Some(list), true) =
            (object.get("event_id").and_then(Value::as_str), list, known)
        else {
            return error(400, "event_id and bookings");
        };
        let most = if self.is("bulk-any-number") { 500 } else { 5 };
        if !(1..=most).contains(&list.len()) {
            return error(400, "bookings");
        }
        for body in list {
            if let Err(refusal) = self.check(body, BOOKING) {
                return refusal;
            }
        }
        if self.event(ask, event).is_none() {
            return error(404, "no such event");
        }
        let results: Vec<Value> = list
            .iter()
            .map(|body| {
                let reply = self.book(ask, event, body);
                match reply.body {
                    Some(booking) if reply.status == 201 => {
                        json!({"status": "created", "booking": booking})
                    }
                    _ => json!({"status": "refused"}),
                }
            })
            .collect();
        let results = match self.fault {
            "bulk-loses-last" => results[..results.len() - 1].to_vec(),
            _ => results,
        };
        Reply::new(200, json!({"results": results}))
    }

    fn booking(&self, ask: &Ask, id: &str) -> Option<usize> {
        self.find(ask, &self.bookings, id)
    }

    pub(super) fn get_booking(&mut self, ask: &Ask, id: &str) -> Reply {
        match self.booking(ask, id) {
            Some(at) => {
                let mut booking = shown(&self.bookings[at]);
                if self.is("masked-read") {
                    booking["email"] = "hidden@box-office.example".into();
                }
                Reply::new(200, booking)
            }
            None => error(404, "no such booking"),
        }
    }

    pub(super) fn confirm(&mut self, ask: &Ask, id: &str) -> Reply {
        self.turn(ask, id, "confirmed")
    }

    pub(super) fn cancel_booking(&mut self, ask: &Ask, id: &str) -> Reply {
        let reply = self.turn(ask, id, "cancelled");
        if let (200, Some(at), false) = (reply.status, self.booking(ask, id), self.is("seats-kept"))
        {
            let booking = self.bookings[at].clone();
            let event = self
                .events
                .iter()
                .position(|event| event["id"] == booking["event_id"]);
            if let Some(event) = event {
                let sold = self.events[event]["seats_sold"]
                    .as_u64()
                    .unwrap_or_default();
                let quantity = booking["quantity"].as_u64().unwrap_or_default();
                self.events[event]["seats_sold"] = sold.saturating_sub(quantity).into();
            }
        }
        reply
    }

    fn turn(&mut self, ask: &Ask, id: &str, state: &str) -> Reply {
        let Some(at) = self.booking(ask, id) else {
            return error(404, "no such booking");
        };
        let now = self.bookings[at]["status"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let may = match state {
            "confirmed" => now == "held" || (now == "cancelled" && self.is("confirm-cancelled")),
            _ => now != "cancelled",
        };
        if !may {
            return error(409, "not in this state");
        }
        let new_state = if self.is("confirm-says-held") && state == "confirmed" {
            "held"
        } else {
            state
        };
        self.bookings[at]["status"] = state.into();
        let mut booking = shown(&self.bookings[at]);
        booking["status"] = new_state.into();
        Reply::new(200, booking)
    }
}
