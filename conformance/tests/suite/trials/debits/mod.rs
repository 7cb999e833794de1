//! Direct debits with a document of their own (`debits.yaml`): creditors whose mandates are changed by a patch, collections that
//! are submitted together, and sums that are held. Right in everything, or wrong in one thing that it is told.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer debits-of-1974";

/// From which status to which a mandate is changed.
const CHANGES: [(&str, &str); 3] = [
    ("pending", "active"),
    ("pending", "cancelled"),
    ("active", "cancelled"),
];

/// Why a collection is returned.
const REASONS: [&str; 3] = ["AM04", "MS02", "AC01"];

/// Everything that the bank knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    creditors: Vec<Value>,
    mandates: Vec<Value>,
    collections: Vec<Value>,
    batches: Vec<Value>,
    holds: Vec<Value>,
    made: u64,
}

impl Desk for Store {
    fn new(fault: &'static str) -> Self {
        Self {
            fault,
            ..Self::default()
        }
    }

    fn fault(&self) -> &'static str {
        self.fault
    }

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        (ask.header("authorization") != KEY).then(|| no(401, "unauthorized"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(422, "invalid")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let body = &ask.body;
        Reply::of(match (ask.method(), &path[..]) {
            ("POST", ["creditors"]) => self.open(body),
            ("GET", ["creditors", id]) => read(&self.creditors, id),
            ("DELETE", ["creditors", id]) => self.close(id),
            ("POST", ["mandates"]) => self.sign(body),
            ("GET", ["mandates", id]) => read(&self.mandates, id),
            ("PATCH", ["mandates", id]) => self.change(id, body),
            ("POST", ["collections"]) => self.collect(body),
            ("GET", ["collections", id]) => read(&self.collections, id),
            ("POST", ["collections", id, "return"]) => self.give_back(id, body),
            ("POST", ["batches"]) => self.submit(body),
            ("GET", ["batches", id]) => read(&self.batches, id),
            ("POST", ["holds"]) => self.hold(body),
            ("GET", ["holds", id]) => read(&self.holds, id),
            ("POST", ["holds", id, "capture"]) => self.capture(id, body),
            _ => Err(no(404, "not_found")),
        })
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

fn read(all: &[Value], id: &str) -> Done {
    find(all, id).map(|at| (200, all[at].clone()))
}

/// A record that a body names.
fn named(all: &[Value], id: &Value) -> Result<usize, Reply> {
    find(all, id.as_str().unwrap_or_default()).map_err(|_| no(422, "unknown"))
}

fn is_name(own: &Value) -> bool {
    let own = own.as_str();
    own.is_some_and(|own| (1..=40).contains(&own.chars().count()))
}

/// Three capital letters, and five digits.
fn is_reference(own: &Value) -> bool {
    let own = own.as_str().and_then(|own| own.split_once('-'));
    own.is_some_and(|(letters, digits)| {
        let is_lettered = letters.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_numbered = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_lettered && is_numbered && letters.len() == 3 && digits.len() == 5
    })
}

/// In cents, and not less than this.
fn is_amount(own: &Value, least: i64) -> bool {
    let own = own.as_i64();
    own.is_some_and(|own| (least..=99_999).contains(&own))
}

/// Whether it is a list of one to ten texts, each of them once.
fn is_list(own: &Value) -> bool {
    let own = own.as_array();
    own.is_some_and(|own| {
        let texts = own.iter().filter_map(Value::as_str);
        let is_once = texts.collect::<BTreeSet<_>>().len() == own.len();
        is_once && (1..=10).contains(&own.len())
    })
}

fn number(own: &Value) -> i64 {
    own.as_i64().unwrap_or_default()
}

impl Store {
    fn id(&mut self, kind: &str) -> Value {
        self.made += 1;
        json!(format!("{kind}_{}", self.made + 5000))
    }

    fn open(&mut self, body: &Value) -> Done {
        let is_well = has_only(body, &["name"]) && is_name(&body["name"]);
        ensure(is_well, 422, "invalid")?;
        let creditor = json!({"id": self.id("cre"), "name": body["name"]});
        self.creditors.push(creditor.clone());
        Ok((201, creditor))
    }

    fn close(&mut self, id: &str) -> Done {
        let at = find(&self.creditors, id)?;
        let is_over = |own: &Value| own["status"] == "returned" || own["status"] == "failed";
        let mut all = self.collections.iter();
        let is_used = all.any(|own| own["creditor_id"] == id && !is_over(own));
        ensure(!is_used || self.is("deletes-collected"), 409, "in_use")?;
        self.creditors.remove(at);
        Ok((204, Value::Null))
    }

    fn sign(&mut self, body: &Value) -> Done {
        let (creditor, reference) = (&body["creditor_id"], &body["reference"]);
        let is_well = has_only(body, &["creditor_id", "reference"]) && is_reference(reference);
        ensure(is_well, 422, "invalid")?;
        named(&self.creditors, creditor)?;
        let is_same =
            |own: &Value| own["creditor_id"] == *creditor && own["reference"] == *reference;
        let is_taken = self.mandates.iter().any(is_same);
        ensure(!is_taken, 409, "duplicate_reference")?;
        let mandate = json!({
            "id": self.id("man"),
            "creditor_id": creditor,
            "reference": reference,
            "status": "pending",
        });
        self.mandates.push(mandate.clone());
        Ok((201, mandate))
    }

    fn change(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.mandates, id)?;
        let to = body["status"].as_str().unwrap_or_default();
        let is_known = CHANGES.iter().any(|own| own.1 == to);
        ensure(is_known && has_only(body, &["status"]), 422, "invalid")?;
        let from = self.mandates[at]["status"].as_str().unwrap_or_default();
        let is_allowed = CHANGES.contains(&(from, to))
            || (self.is("revives-cancelled") && (from, to) == ("cancelled", "active"));
        let is_stuck = self.is("stays-pending") && (from, to) == ("pending", "cancelled");
        ensure(is_allowed && !is_stuck, 409, "invalid_transition")?;
        self.mandates[at]["status"] = json!(to);
        Ok((200, self.mandates[at].clone()))
    }

    fn collect(&mut self, body: &Value) -> Done {
        let is_well = has_only(body, &["mandate_id", "amount"]) && is_amount(&body["amount"], 1);
        ensure(is_well, 422, "invalid")?;
        let mandate = &self.mandates[named(&self.mandates, &body["mandate_id"])?];
        let is_active = mandate["status"] == "active" || self.is("collects-on-pending");
        ensure(is_active, 409, "mandate_not_active")?;
        let creditor = mandate["creditor_id"].clone();
        let collection = json!({
            "id": self.id("col"),
            "creditor_id": creditor,
            "mandate_id": body["mandate_id"],
            "amount": body["amount"],
            "status": "pending",
        });
        self.collections.push(collection.clone());
        Ok((201, collection))
    }

    fn give_back(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.collections, id)?;
        let reason = body["reason_code"].as_str();
        let is_listed = |own: &str| REASONS.contains(&own) || self.is("returns-unlisted");
        let is_well = has_only(body, &["reason_code"]) && reason.is_some_and(is_listed);
        ensure(is_well, 422, "invalid")?;
        let status = &self.collections[at]["status"];
        let is_submitted =
            status == "submitted" || (self.is("returns-pending") && status == "pending");
        ensure(is_submitted, 409, "collection_not_submitted")?;
        self.collections[at]["status"] = json!("returned");
        Ok((200, self.collections[at].clone()))
    }

    fn submit(&mut self, body: &Value) -> Done {
        let (creditor, ids) = (&body["creditor_id"], &body["collection_ids"]);
        let is_well = has_only(body, &["creditor_id", "collection_ids"]) && is_list(ids);
        ensure(is_well, 422, "invalid")?;
        named(&self.creditors, creditor)?;
        let places = self.submittable(creditor, ids)?;
        for at in &places {
            self.collections[*at]["status"] = json!("submitted");
        }
        let batch = json!({
            "id": self.id("bat"),
            "creditor_id": creditor,
            "collection_ids": ids,
            "count": places.len(),
        });
        self.batches.push(batch.clone());
        Ok((201, batch))
    }

    /// Where the collections are that a batch names, if all of them may be submitted.
    fn submittable(&self, creditor: &Value, ids: &Value) -> Result<Vec<usize>, Reply> {
        let ids = ids.as_array().map(Vec::as_slice).unwrap_or_default();
        let places = ids.iter().map(|id| named(&self.collections, id));
        let places = places.collect::<Result<Vec<usize>, Reply>>()?;
        let all: Vec<&Value> = places.iter().map(|at| &self.collections[*at]).collect();
        let is_own = all.iter().all(|own| own["creditor_id"] == *creditor);
        ensure(
            is_own || self.is("batches-foreign"),
            422,
            "foreign_collection",
        )?;
        let is_again = |own: &Value| self.is("batches-again") && own["status"] == "submitted";
        let mut all = all.into_iter();
        let is_pending = all.all(|own| own["status"] == "pending" || is_again(own));
        ensure(is_pending, 409, "collection_not_pending")?;
        Ok(places)
    }

    fn hold(&mut self, body: &Value) -> Done {
        let amount = &body["amount"];
        let is_well = has_only(body, &["amount"]) && is_amount(amount, 2);
        ensure(is_well, 422, "invalid")?;
        let hold = json!({
            "id": self.id("hol"),
            "amount": amount,
            "amount_capturable": amount,
            "amount_captured": 0,
            "status": "open",
        });
        self.holds.push(hold.clone());
        Ok((201, hold))
    }

    fn capture(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.holds, id)?;
        let told = body.get("amount_to_capture");
        let is_well = body.is_null() || has_only(body, &["amount_to_capture"]);
        let is_told = told.is_none_or(|own| own.as_i64().is_some_and(|own| own >= 1));
        ensure(is_well && is_told, 422, "invalid")?;
        let most = if self.is("captures-more") {
            "amount"
        } else {
            "amount_capturable"
        };
        let hold = &mut self.holds[at];
        ensure(hold["status"] == "open", 409, "invalid_state")?;
        let left = number(&hold["amount_capturable"]);
        let taken = told.map_or(left, number);
        ensure(taken <= number(&hold[most]), 422, "amount_too_large")?;
        let left = (left - taken).max(0);
        hold["amount_capturable"] = json!(left);
        hold["amount_captured"] = json!(number(&hold["amount_captured"]) + taken);
        if left == 0 {
            hold["status"] = json!("captured");
        }
        Ok((200, hold.clone()))
    }
}
