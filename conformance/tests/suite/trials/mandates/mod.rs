//! Direct debits with a document of their own (`mandates.yaml`): mandates that are made with keys, collections that move from
//! state to state, and payouts that gather them. Right in everything, or wrong in one thing that it is told.

use std::cell::Cell;

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

mod collections;
mod iban;
mod keys;
mod payouts;

pub(crate) const KEY: &str = "Bearer mandates-of-1968";

/// Everything that the creditor knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    /// How many answers there were.
    answers: Cell<u64>,
    made: u64,
    mandates: Vec<Value>,
    collections: Vec<Value>,
    payouts: Vec<Value>,
    keys: Vec<keys::Used>,
    /// What the request before said of itself.
    metadata: Value,
}

impl Desk for Store {
    fn new(fault: &'static str) -> Self {
        Self {
            fault,
            metadata: json!({}),
            ..Self::default()
        }
    }

    fn fault(&self) -> &'static str {
        self.fault
    }

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        (ask.header("authorization") != KEY).then(|| self.signed(no(401, "unauthorized")))
    }

    fn unread(&self, _status: u16) -> Reply {
        self.signed(no(422, "invalid"))
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let body = &ask.body;
        let done = match (ask.method(), &path[..]) {
            ("POST", ["mandates"]) => self.with_key(ask),
            ("GET", ["mandates", id]) => {
                find(&self.mandates, id).map(|at| (200, self.mandates[at].clone()))
            }
            ("POST", ["mandates", id, "activate"]) => self.activate(id),
            ("POST", ["collections"]) => self.collect(body),
            ("GET", ["collections"]) => self.page(ask),
            ("GET", ["collections", id]) => {
                find(&self.collections, id).map(|at| (200, self.collections[at].clone()))
            }
            ("POST", ["collections", id, "moves"]) => self.step(id, body),
            ("POST", ["payouts"]) => self.pay_out(body),
            ("GET", ["payouts", id]) => self.payout(id),
            _ => Err(no(404, "not_found")),
        };
        let mut reply = Reply::of(done);
        let tag = matches!((ask.method(), &path[..]), ("GET", ["collections", _]));
        if let Some(body) = reply.body.as_ref().filter(|_| tag && reply.status == 200) {
            let behind = u64::from(self.is("tag-behind"));
            let version = body["version"].as_u64().unwrap_or_default() - behind;
            reply.headers.push(("etag", format!("\"{version}\"")));
        }
        self.signed(reply)
    }
}

fn no(status: u16, code: &str) -> Reply {
    let message = format!("Refused: {}.", code.replace('_', " "));
    Reply::new(status, json!({"code": code, "message": message}))
}

fn ensure(holds: bool, status: u16, code: &str) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status, code)) }
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|own| own["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

/// A record that a body names.
fn named(all: &[Value], id: &Value) -> Result<usize, Reply> {
    find(all, id.as_str().unwrap_or_default()).map_err(|_| no(422, "unknown"))
}

/// Whether a text has one to so many characters.
fn is_text(own: &Value, most: usize) -> bool {
    let own = own.as_str();
    own.is_some_and(|own| (1..=most).contains(&own.chars().count()))
}

fn is_metadata(own: &Value) -> bool {
    let is_short = |own: &Value| own.as_str().is_some_and(|own| own.chars().count() <= 80);
    let own = own.as_object();
    own.is_some_and(|own| own.len() <= 10 && own.values().all(is_short))
}

/// A UUID with a number.
fn uuid(number: u64) -> String {
    format!("5d41f0c2-7a3e-4b19-8c60-{number:012x}")
}

impl Store {
    /// An answer with its own number, which a refusal repeats.
    fn signed(&self, mut reply: Reply) -> Reply {
        let number = self.answers.get() + 1;
        self.answers.set(number);
        let one = if self.is("one-request-id") { 0 } else { number };
        reply.headers.push(("request-id", uuid(one)));
        if let Some(body) = reply.body.as_mut().filter(|_| reply.status >= 400) {
            let other = u64::from(self.is("other-id-in-body")) << 40;
            body["request_id"] = json!(uuid(one + other));
        }
        reply
    }

    fn id(&mut self, kind: &str) -> Value {
        self.made += 1;
        json!(format!("{kind}_{}", self.made + 5000))
    }

    fn mandate(&mut self, body: &Value) -> Done {
        let names = ["customer", "iban", "metadata", "note"];
        ensure(has_only(body, &names), 422, "invalid")?;
        ensure(is_text(&body["customer"], 60), 422, "invalid")?;
        let note = body.get("note");
        let most = if self.is("note-any-length") {
            usize::MAX
        } else {
            100
        };
        let is_noted = note.is_none_or(|own| is_text(own, most));
        let is_told = body.get("metadata").is_none_or(is_metadata);
        ensure(is_noted && is_told, 422, "invalid")?;
        let iban = body["iban"].as_str().unwrap_or_default();
        ensure(iban::is_formed(iban), 422, "invalid")?;
        ensure(iban::is_right(iban), 422, "invalid_iban")?;
        let metadata = match body.get("metadata") {
            Some(own) => own.clone(),
            None if self.is("metadata-of-before") => self.metadata.clone(),
            None => json!({}),
        };
        self.metadata = metadata.clone();
        let mandate = json!({
            "id": self.id("man"),
            "customer": body["customer"],
            "iban": iban,
            "metadata": metadata,
            "note": body["note"],
            "state": "pending",
        });
        self.mandates.push(mandate.clone());
        Ok((201, mandate))
    }

    fn activate(&mut self, id: &str) -> Done {
        let at = find(&self.mandates, id)?;
        ensure(self.mandates[at]["state"] == "pending", 409, "not_pending")?;
        self.mandates[at]["state"] = json!("active");
        Ok((200, self.mandates[at].clone()))
    }
}
