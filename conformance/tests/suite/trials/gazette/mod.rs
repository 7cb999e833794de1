//! Subscriptions of a newspaper with a document of their own (`gazette.yaml`): an invoice comes with each, and nothing can be
//! done with one before that is paid. Right in everything, or wrong in one thing that it is told.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer gazette-of-1703";

/// Everything that the gazette knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    plans: Vec<Value>,
    coupons: Vec<Value>,
    subscriptions: Vec<Value>,
    /// The oldest comes first.
    invoices: Vec<Value>,
    /// What was asked with which key, and what was answered.
    keys: Vec<(String, Value, Value)>,
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
        no(422, "invalid_request")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let body = &ask.body;
        Reply::of(match (ask.method(), &path[..]) {
            ("POST", ["plans"]) => self.offer(body),
            ("GET", ["plans", id]) => known(&self.plans, "id", id),
            ("POST", ["coupons"]) => self.print(body),
            ("GET", ["coupons", code]) => known(&self.coupons, "code", code),
            ("POST", ["subscriptions"]) => self.subscribe_once(ask),
            ("GET", ["subscriptions", id]) => known(&self.subscriptions, "id", id),
            ("PATCH", ["subscriptions", id]) => self.change(id, body),
            ("POST", ["subscriptions", id, "pause"]) => {
                self.turn(id, "active", "paused", "pause-pending")
            }
            ("POST", ["subscriptions", id, "resume"]) => {
                self.turn(id, "paused", "active", "resume-pending")
            }
            ("POST", ["subscriptions", id, "cancel"]) => self.cancel(id),
            ("GET", ["invoices"]) => self.list(ask),
            ("GET", ["invoices", id]) => known(&self.invoices, "id", id),
            ("POST", ["invoices", id, "pay"]) => self.pay(id, body),
            _ => Err(no(404, "not_found")),
        })
    }
}

fn no(status: u16, code: &str) -> Reply {
    Reply::new(status, json!({"code": code, "message": "Refused."}))
}

fn ensure(holds: bool, status: u16, code: &str) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status, code)) }
}

fn is_within(own: &Value, most: u64) -> bool {
    own.as_u64().is_some_and(|own| (1..=most).contains(&own))
}

fn find(all: &[Value], key: &str, id: &str) -> Option<usize> {
    all.iter().position(|own| own[key] == id)
}

fn known(all: &[Value], key: &str, id: &str) -> Done {
    let at = find(all, key, id).ok_or_else(|| no(404, "not_found"))?;
    Ok((200, all[at].clone()))
}

fn now() -> String {
    Timestamp::now().to_string()
}

impl Store {
    fn offer(&mut self, body: &Value) -> Done {
        let (name, available) = (&body["name"], &body["available"]);
        let length = name.as_str().map_or(0, |own| own.chars().count());
        let is_flag = available.is_boolean() || body.get("available").is_none();
        let is_known = has_only(body, &["name", "price", "available"]) && is_flag;
        let is_known = is_known && (1..=60).contains(&length) && is_within(&body["price"], 100_000);
        ensure(is_known, 422, "invalid_request")?;
        let own = json!({
            "id": format!("pln_{}", self.plans.len() + 1),
            "name": name,
            "price": body["price"],
            "available": available.as_bool().unwrap_or(true),
            "created_at": now(),
        });
        self.plans.push(own.clone());
        Ok((201, own))
    }

    fn print(&mut self, body: &Value) -> Done {
        let code = body["code"].as_str().unwrap_or_default();
        let is_letter = |own: u8| own.is_ascii_uppercase() || own.is_ascii_digit();
        let is_formed = (4..=20).contains(&code.len()) && code.bytes().all(is_letter);
        let is_known = has_only(body, &["code", "percent_off"]) && is_formed;
        let is_known = is_known && is_within(&body["percent_off"], 99);
        ensure(is_known, 422, "invalid_request")?;
        let is_new = find(&self.coupons, "code", code).is_none();
        ensure(is_new, 409, "coupon_exists")?;
        self.coupons.push(body.clone());
        Ok((201, body.clone()))
    }

    fn subscribe_once(&mut self, ask: &Ask) -> Done {
        let key = ask.header("idempotency-key");
        let is_word = |own: u8| own.is_ascii_alphanumeric() || matches!(own, b'_' | b'-');
        let is_formed = (1..=64).contains(&key.len()) && key.bytes().all(is_word);
        ensure(is_formed, 422, "invalid_request")?;
        let known = self.keys.iter().find(|own| own.0 == key);
        if let Some((_, body, answer)) = known.filter(|_| !self.is("key-forgotten")) {
            ensure(
                *body == ask.body || self.is("key-of-any-body"),
                409,
                "key_reused",
            )?;
            return Ok((201, answer.clone()));
        }
        let (status, own) = self.subscribe(&ask.body)?;
        self.keys
            .push((key.to_owned(), ask.body.clone(), own.clone()));
        Ok((status, own))
    }

    fn subscribe(&mut self, body: &Value) -> Done {
        let (plan, coupon) = (body["plan_id"].as_str(), &body["coupon_code"]);
        let is_known = has_only(body, &["plan_id", "quantity", "coupon_code"]);
        let is_named = coupon.is_string() || body.get("coupon_code").is_none();
        let is_known = is_known && is_named && is_within(&body["quantity"], 100);
        let plan = plan.filter(|_| is_known);
        let plan = plan.ok_or_else(|| no(422, "invalid_request"))?;
        let plan = find(&self.plans, "id", plan).ok_or_else(|| no(422, "plan_not_found"))?;
        let plan = self.plans[plan].clone();
        let is_available = plan["available"] == true || self.is("any-plan");
        ensure(is_available, 422, "plan_not_available")?;
        let percent = match coupon.as_str() {
            None => 0,
            Some(code) => match find(&self.coupons, "code", code) {
                Some(at) => self.coupons[at]["percent_off"].as_u64().unwrap_or_default(),
                None if self.is("any-coupon") => 0,
                None => return Err(no(422, "coupon_not_found")),
            },
        };
        let number = self.invoices.len() + 1;
        let (id, invoice) = (format!("sub_{number}"), format!("inv_{number}"));
        let own = json!({
            "id": id,
            "plan_id": plan["id"],
            "quantity": body["quantity"],
            "coupon_code": coupon,
            "status": "pending",
            "latest_invoice_id": invoice,
            "created_at": now(),
            "cancelled_at": null,
        });
        let price = plan["price"].as_u64().unwrap_or_default();
        let subtotal = price * body["quantity"].as_u64().unwrap_or_default();
        let discount = self.discount(subtotal, percent);
        let total = subtotal - discount;
        self.invoices.push(json!({
            "id": invoice,
            "number": number,
            "subscription_id": id,
            "status": "open",
            "subtotal": subtotal,
            "discount": discount,
            "total": total,
            "amount_due": total,
            "created_at": now(),
        }));
        self.subscriptions.push(own.clone());
        Ok((201, own))
    }

    fn discount(&self, subtotal: u64, percent: u64) -> u64 {
        match self.fault {
            "no-discount" => 0,
            "discount-of-ten" if percent > 0 => subtotal / 10,
            "discount-cut" => subtotal * percent / 100,
            _ => (subtotal * percent + 50) / 100,
        }
    }

    fn change(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.subscriptions, "id", id).ok_or_else(|| no(404, "not_found"))?;
        let is_known = has_only(body, &["quantity"]) && is_within(&body["quantity"], 100);
        ensure(is_known, 422, "invalid_request")?;
        let own = &self.subscriptions[at];
        let is_early = own["status"] == "pending" && self.is("change-pending");
        let is_active = own["status"] == "active" || is_early;
        ensure(is_active, 409, "subscription_not_active")?;
        self.subscriptions[at]["quantity"] = body["quantity"].clone();
        Ok((200, self.subscriptions[at].clone()))
    }

    fn turn(&mut self, id: &str, from: &str, to: &str, fault: &str) -> Done {
        let at = find(&self.subscriptions, "id", id).ok_or_else(|| no(404, "not_found"))?;
        let status = &self.subscriptions[at]["status"];
        let is_early = status == "pending" && self.is(fault);
        ensure(status == from || is_early, 409, "subscription_not_active")?;
        self.subscriptions[at]["status"] = to.into();
        Ok((200, self.subscriptions[at].clone()))
    }

    fn cancel(&mut self, id: &str) -> Done {
        let at = find(&self.subscriptions, "id", id).ok_or_else(|| no(404, "not_found"))?;
        let is_over = self.subscriptions[at]["status"] == "cancelled";
        ensure(!is_over, 409, "subscription_cancelled")?;
        self.subscriptions[at]["status"] = "cancelled".into();
        self.subscriptions[at]["cancelled_at"] = now().into();
        let leaves_open = self.is("cancel-leaves-open");
        let mut all = self.invoices.iter_mut();
        let open = all.find(|own| own["subscription_id"] == id && own["status"] == "open");
        if let Some(own) = open.filter(|_| !leaves_open) {
            own["status"] = "void".into();
            own["amount_due"] = 0.into();
        }
        Ok((200, self.subscriptions[at].clone()))
    }

    fn list(&self, ask: &Ask) -> Done {
        let number = |name: &str, otherwise: usize| match ask.query(name) {
            None => Ok(otherwise),
            Some(own) => own.parse().map_err(|_| no(422, "invalid_request")),
        };
        let (limit, offset) = (number("limit", 20)?, number("offset", 0)?);
        ensure((1..=50).contains(&limit), 422, "invalid_request")?;
        let of = ask.query("subscription_id");
        let is_of = |own: &&Value| of.is_none_or(|of| own["subscription_id"] == of);
        let mut all: Vec<&Value> = self.invoices.iter().filter(is_of).collect();
        if !self.is("oldest-first") {
            all.reverse();
        }
        let page: Vec<&Value> = all.iter().skip(offset).take(limit).copied().collect();
        Ok((200, json!({"invoices": page, "total": all.len()})))
    }

    fn pay(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.invoices, "id", id).ok_or_else(|| no(404, "not_found"))?;
        let is_known = has_only(body, &["amount"]) && is_within(&body["amount"], 10_000_000);
        ensure(is_known, 422, "invalid_request")?;
        let own = &self.invoices[at];
        let is_void = own["status"] == "void" && self.is("pay-void");
        ensure(own["status"] == "open" || is_void, 409, "invoice_not_open")?;
        let is_due = own["amount_due"] == body["amount"] || is_void || self.is("pay-anything");
        ensure(is_due, 422, "amount_mismatch")?;
        let subscription = own["subscription_id"].clone();
        self.invoices[at]["status"] = "paid".into();
        self.invoices[at]["amount_due"] = 0.into();
        let mut all = self.subscriptions.iter_mut();
        let own = all.find(|own| own["id"] == subscription && own["status"] == "pending");
        if let Some(own) = own {
            own["status"] = "active".into();
        }
        Ok((200, self.invoices[at].clone()))
    }
}
