//! Cards, payments and a balance with a document of their own (`purse.yaml`), whose rules stand in sentences. Right in
//! everything, or wrong in one thing that it is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer purse-of-1958";

/// With this number nothing is paid.
const EMPTY: &str = "4000000000009995";

/// Everything that the purse knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    made: u64,
    /// So many requests have been answered.
    asked: Arc<AtomicU64>,
    customers: Vec<Value>,
    cards: Vec<Card>,
    /// Cards that are gone, and paid with all the same where a fault lets them.
    ghosts: Vec<Card>,
    payments: Vec<Value>,
    /// The oldest comes first.
    entries: Vec<Value>,
}

/// A card with its number, which is never shown.
#[derive(Clone)]
struct Card {
    number: String,
    shown: Value,
}

impl Desk for Store {
    fn new(fault: &'static str) -> Self {
        let mut own = Self {
            fault,
            ..Self::default()
        };
        let payment = json!({"id": "pa_1004", "currency": "EUR"});
        // Something was there before.
        own.book("capture", &payment, 5000);
        own.book("refund", &payment, -1200);
        own
    }

    fn fault(&self) -> &'static str {
        self.fault
    }

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        (ask.header("authorization") != KEY).then(|| self.told(no(401, "unauthorized")))
    }

    fn unread(&self, status: u16) -> Reply {
        let code = match status {
            400 if !self.is("malformed-as-invalid") => "malformed_json",
            _ => "invalid_request",
        };
        self.told(no(status, code))
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let body = &ask.body;
        let done = match (ask.method(), &path[..]) {
            ("POST", ["customers"]) => self.add(body),
            ("GET", ["customers", id]) => self.customer(id),
            ("DELETE", ["customers", id]) => self.remove(id),
            ("POST", ["customers", id, "cards"]) => self.save(id, body),
            ("GET", ["cards", id]) => self.card(id),
            ("POST", ["payments"]) => self.pay(body),
            ("GET", ["payments", id]) => {
                find(&self.payments, id).map(|at| (200, self.payments[at].clone()))
            }
            ("POST", ["payments", id, "capture"]) => self.capture(id, body),
            ("POST", ["payments", id, "void"]) => self.void(id),
            ("POST", ["payments", id, "refunds"]) => self.refund(id, body),
            ("GET", ["balance-entries"]) => self.page(ask),
            _ => Err(no(404, "not_found")),
        };
        self.told(Reply::of(done))
    }
}

fn no(status: u16, code: &str) -> Reply {
    let message = format!("Refused: {}.", code.replace('_', " "));
    Reply::new(status, json!({"code": code, "message": message}))
}

/// A refusal that names what is wrong.
fn wrong(status: u16, code: &str, field: &str) -> Reply {
    let mut reply = no(status, code);
    if let Some(body) = &mut reply.body {
        body["field"] = json!(field);
    }
    reply
}

fn ensure(holds: bool, refusal: impl FnOnce() -> Reply) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(refusal()) }
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|own| own["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

fn number(own: &Value) -> i64 {
    own.as_i64().unwrap_or_default()
}

fn is_one_of(own: &Value, names: &[&str]) -> bool {
    names.iter().any(|name| own == name)
}

/// Refuses a body with what is not known, and one that is none.
fn known(body: &Value, names: &[&str]) -> Result<(), Reply> {
    ensure(body.is_object(), || no(400, "invalid_request"))?;
    ensure(has_only(body, names), || no(400, "invalid_request"))
}

/// The whole number that a body has, if it is one of these.
fn whole(body: &Value, name: &str, least: i64, most: i64) -> Result<i64, Reply> {
    let own = body[name]
        .as_i64()
        .filter(|own| (least..=most).contains(own));
    own.ok_or_else(|| wrong(400, "invalid_request", name))
}

/// The amount of a body, if it has one.
fn amount(body: &Value) -> Result<Option<i64>, Reply> {
    let is_said = body.get("amount").is_some();
    let own = is_said.then(|| whole(body, "amount", 1, 10_000_000));
    own.transpose()
}

/// Whether the last digit checks the others.
fn is_checked(digits: &str) -> bool {
    let own = digits.bytes().rev().map(|own| u32::from(own - b'0'));
    let own = own.enumerate().map(|(at, own)| match own * 2 {
        _ if at % 2 == 0 => own,
        twice @ 10.. => twice - 9,
        twice => twice,
    });
    own.sum::<u32>() % 10 == 0
}

fn brand(digits: &str) -> Option<&'static str> {
    let of = digits.get(..2)?;
    match of {
        _ if of.starts_with('4') => Some("visa"),
        "51" | "52" | "53" | "54" | "55" => Some("mastercard"),
        _ => None,
    }
}

/// Whether a month, and some more after it, is over.
fn is_over(month: i64, year: i64, more: i64) -> bool {
    let today = Timestamp::now().to_zoned(TimeZone::UTC);
    let running = i64::from(today.year()) * 12 + i64::from(today.month());
    year * 12 + month + more < running
}

fn now() -> String {
    let now = Timestamp::now();
    now.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

impl Store {
    fn id(&mut self, kind: &str) -> Value {
        self.made += 1;
        json!(format!("{kind}_{:04}", self.made + 3000))
    }

    /// What is answered, under a number of its own.
    fn told(&self, mut reply: Reply) -> Reply {
        let own = self.asked.fetch_add(1, Ordering::Relaxed) + 100;
        let own = match self.fault {
            "request-id-twice" => own / 50,
            "request-id-of-errors-twice" if reply.status >= 400 => 99,
            _ => own,
        };
        let own = format!("rq_{own:08}");
        if let Some(body) = reply.body.as_mut().filter(|_| reply.status >= 400) {
            let differs = self.is("request-id-of-its-own");
            body["request_id"] = json!(if differs { "rq_00000000" } else { &own });
        }
        reply.headers.push(("request-id", own));
        reply
    }

    fn add(&mut self, body: &Value) -> Done {
        known(body, &["name"])?;
        let name = body["name"].as_str();
        let name = name.filter(|own| (1..=60).contains(&own.chars().count()));
        let name = name.ok_or_else(|| wrong(400, "invalid_request", "name"))?;
        let customer = json!({"id": self.id("cu"), "name": name});
        self.customers.push(customer.clone());
        Ok((201, self.shown(customer)))
    }

    /// A customer with the cards.
    fn shown(&self, mut customer: Value) -> Value {
        let own = self.cards.iter().map(|own| &own.shown);
        let own = own.filter(|own| own["customer_id"] == customer["id"]);
        let own: Vec<&Value> = own.collect();
        customer["cards"] = json!(own);
        customer
    }

    fn customer(&self, id: &str) -> Done {
        let at = find(&self.customers, id)?;
        Ok((200, self.shown(self.customers[at].clone())))
    }

    fn remove(&mut self, id: &str) -> Done {
        let at = find(&self.customers, id)?;
        let open: &[&str] = match self.fault {
            "removes-authorised" => &["partially_captured"],
            "removes-partially-captured" => &["authorised"],
            _ => &["authorised", "partially_captured"],
        };
        let mut own = self.payments.iter().filter(|own| own["customer_id"] == id);
        let is_open = own.any(|own| is_one_of(&own["status"], open));
        ensure(!is_open, || no(409, "customer_in_use"))?;
        self.customers.remove(at);
        if self.is("payments-go") {
            self.payments.retain(|own| own["customer_id"] != id);
        }
        if self.is("ghosts-pay") {
            let own = self.cards.iter();
            let own = own.filter(|own| own.shown["customer_id"] == id);
            self.ghosts.extend(own.cloned());
        }
        if !self.is("cards-stay") {
            self.cards.retain(|own| own.shown["customer_id"] != id);
        }
        Ok((204, Value::Null))
    }

    fn save(&mut self, id: &str, body: &Value) -> Done {
        find(&self.customers, id)?;
        known(body, &["number", "exp_month", "exp_year"])?;
        let is_digits = |own: &&str| {
            (12..=19).contains(&own.len()) && own.bytes().all(|byte| byte.is_ascii_digit())
        };
        let digits = body["number"].as_str().filter(is_digits);
        let digits = digits.ok_or_else(|| wrong(400, "invalid_request", "number"))?;
        let month = whole(body, "exp_month", 1, 12)?;
        let year = whole(body, "exp_year", 2000, 2099)?;
        let of_any = self.is("any-brand").then_some("visa");
        let is_checked = is_checked(digits) || self.is("unchecked");
        let brand = brand(digits).or(of_any).filter(|_| is_checked);
        let brand = brand.ok_or_else(|| wrong(400, "invalid_card_number", "number"))?;
        let is_over = match self.fault {
            "expired-saved" => false,
            "lately-expired-saved" => is_over(month, year, 3),
            _ => is_over(month, year, 0),
        };
        ensure(!is_over, || wrong(400, "card_expired", "exp_year"))?;
        let own = self.cards.iter();
        let own = own.filter(|own| own.shown["customer_id"] == id);
        let own: Vec<&Card> = own.collect();
        let is_there = match self.fault {
            "number-twice" => false,
            "number-of-anybody" => self.cards.iter().any(|own| own.number == digits),
            _ => own.iter().any(|own| own.number == digits),
        };
        let most = if self.is("fourth-card") { 4 } else { 3 };
        let is_full = own.len() >= most;
        let is_early = is_full && self.is("limit-checked-first");
        ensure(!is_there || is_early, || {
            wrong(409, "card_already_saved", "number")
        })?;
        let code = if self.is("limit-of-another-code") {
            "card_already_saved"
        } else {
            "card_limit_reached"
        };
        ensure(!is_full, || no(409, code))?;
        let shown = json!({
            "id": self.id("ca"),
            "customer_id": id,
            "brand": brand,
            "last4": if self.is("first4") { &digits[..4] } else { &digits[digits.len() - 4..] },
            "exp_month": month,
            "exp_year": year,
            "created_at": now(),
        });
        self.cards.push(Card {
            number: digits.to_owned(),
            shown: shown.clone(),
        });
        Ok((201, shown))
    }

    fn find_card(&self, id: &str) -> Option<&Card> {
        self.cards.iter().find(|own| own.shown["id"] == id)
    }

    fn card(&self, id: &str) -> Done {
        let own = self.find_card(id).ok_or_else(|| no(404, "not_found"))?;
        Ok((200, own.shown.clone()))
    }

    fn pay(&mut self, body: &Value) -> Done {
        known(body, &["amount", "currency", "card_id", "at_once", "note"])?;
        let amount = whole(body, "amount", 1, 10_000_000)?;
        let currency = &body["currency"];
        ensure(is_one_of(currency, &["EUR", "SEK"]), || {
            wrong(400, "invalid_request", "currency")
        })?;
        let card = body["card_id"].as_str();
        let card = card.ok_or_else(|| wrong(400, "invalid_request", "card_id"))?;
        let note = body["note"].as_str();
        let is_note = note.map_or(body["note"].is_null(), |own| own.chars().count() <= 60);
        ensure(is_note, || wrong(400, "invalid_request", "note"))?;
        let at_once = body.get("at_once").unwrap_or(&Value::Bool(false));
        let at_once = at_once.as_bool();
        let at_once = at_once.ok_or_else(|| wrong(400, "invalid_request", "at_once"))?;
        let is_enough = amount >= 50 || self.is("small-paid");
        let small = if self.is("small-as-invalid") {
            400
        } else {
            422
        };
        ensure(is_enough, || wrong(small, "amount_too_small", "amount"))?;
        let ghost = self.ghosts.iter().find(|own| own.shown["id"] == card);
        let card = self.find_card(card).or(ghost).cloned();
        let card = card.ok_or_else(|| wrong(422, "card_not_found", "card_id"))?;
        if card.number == EMPTY && !self.is("empty-pays") {
            let mut refusal = no(402, "card_declined");
            if let Some(body) = &mut refusal.body {
                body["decline_reason"] = json!("insufficient_funds");
            }
            if self.is("declined-reason-untold") {
                refusal = no(402, "card_declined");
            }
            return Err(refusal);
        }
        let brand = if self.is("always-visa") {
            json!("visa")
        } else {
            card.shown["brand"].clone()
        };
        let payment = json!({
            "id": self.id("pa"),
            "status": if at_once { "captured" } else { "authorised" },
            "amount": amount,
            "currency": currency,
            "at_once": at_once,
            "capturable": if at_once { 0 } else { amount },
            "captured": if at_once { amount } else { 0 },
            "released": 0,
            "refunded": 0,
            "customer_id": card.shown["customer_id"],
            "card_id": card.shown["id"],
            "card_brand": brand,
            "note": note,
        });
        self.payments.push(payment.clone());
        if at_once && !self.is("at-once-unlisted") {
            self.book("capture", &payment, amount);
        }
        Ok((201, payment))
    }

    fn capture(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.payments, id)?;
        known(body, &["amount"])?;
        let amount = amount(body)?;
        let fault = self.fault;
        let payment = &mut self.payments[at];
        if fault == "voided-captured" && payment["status"] == "voided" {
            payment["status"] = json!("authorised");
            payment["capturable"] = payment["released"].take();
            payment["released"] = json!(0);
        }
        let is_again = payment["status"] == "partially_captured" && fault != "captured-once";
        let is_open = payment["status"] == "authorised" || is_again;
        ensure(is_open, || no(409, "not_capturable"))?;
        let left = number(&payment["capturable"]);
        let amount = amount.unwrap_or(left);
        ensure(amount <= left, || wrong(422, "too_much", "amount"))?;
        payment["capturable"] = json!(left - amount);
        payment["captured"] = json!(number(&payment["captured"]) + amount);
        let is_all = left == amount;
        payment["status"] = json!(if is_all {
            "captured"
        } else {
            "partially_captured"
        });
        let payment = payment.clone();
        let is_unlisted = match self.fault {
            "capture-unlisted" => true,
            "second-capture-unlisted" => number(&payment["captured"]) > amount,
            _ => false,
        };
        if !is_unlisted {
            self.book("capture", &payment, amount);
        }
        Ok((200, payment))
    }

    fn void(&mut self, id: &str) -> Done {
        let at = find(&self.payments, id)?;
        let fault = self.fault;
        let payment = &mut self.payments[at];
        let becomes = match payment["status"].as_str() {
            Some("partially_captured") if fault == "part-voided" => "voided",
            Some("partially_captured") => "captured",
            Some("authorised") => "voided",
            Some("captured") if fault == "captured-voided" => "captured",
            _ => return Err(no(409, "not_voidable")),
        };
        payment["status"] = json!(becomes);
        let left = number(&payment["capturable"]);
        payment["capturable"] = json!(0);
        let is_kept = match fault {
            "void-unreleased" => true,
            "void-of-part-unreleased" => becomes == "captured",
            _ => false,
        };
        if !is_kept {
            payment["released"] = json!(number(&payment["released"]) + left);
        }
        let payment = payment.clone();
        if fault == "void-listed" {
            self.book("capture", &payment, left);
        }
        Ok((200, payment))
    }

    fn refund(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.payments, id)?;
        known(body, &["amount"])?;
        let amount = amount(body)?;
        let fault = self.fault;
        let payment = &mut self.payments[at];
        let is_open = payment["status"] == "captured"
            || (fault == "part-refunded" && payment["status"] == "partially_captured");
        ensure(is_open, || no(409, "not_refundable"))?;
        let before = number(&payment["refunded"]);
        let left = number(&payment["captured"]) - before;
        let amount = amount.unwrap_or(left);
        ensure(amount <= left, || wrong(422, "too_much", "amount"))?;
        payment["refunded"] = json!(before + amount);
        if left == amount && fault != "stays-captured" {
            payment["status"] = json!("refunded");
        }
        let payment = payment.clone();
        let booked = if self.is("refund-of-other-sign") {
            amount
        } else {
            -amount
        };
        if !self.is("refund-unlisted") {
            self.book("refund", &payment, booked);
        }
        let refund = json!({"id": self.id("re"), "payment_id": id, "amount": amount});
        Ok((201, refund))
    }

    /// Writes an entry.
    fn book(&mut self, kind: &str, payment: &Value, amount: i64) {
        let rounded = if self.is("fee-rounded-up") { 99 } else { 0 };
        let is_capture = kind == "capture";
        let fee = if is_capture {
            (amount * 2 + rounded) / 100
        } else {
            0
        };
        let net = amount - fee;
        let mut before = self.entries.iter().rev();
        let before =
            before.find(|own| own["currency"] == payment["currency"] || self.is("balance-of-both"));
        let before = before.map_or(0, |own| number(&own["balance_after"]));
        let moved = if self.is("balance-without-fee") {
            amount
        } else {
            net
        };
        let entry = json!({
            "id": self.id("be"),
            "type": kind,
            "payment_id": payment["id"],
            "currency": payment["currency"],
            "amount": amount,
            "fee": fee,
            "net": net,
            "balance_after": before + moved,
        });
        self.entries.push(entry);
    }

    /// A page of entries. A cursor tells the filters that it was given with, and the last entry before.
    fn page(&self, ask: &Ask) -> Done {
        let limit = ask.query("limit").map_or(Some(20), |own| own.parse().ok());
        let limit = limit.filter(|own| (1..=50).contains(own));
        let limit: usize = limit.ok_or_else(|| wrong(400, "invalid_request", "limit"))?;
        let (kind, payment) = (ask.query("type"), ask.query("payment_id"));
        let is_kind = kind.is_none_or(|own| ["capture", "refund"].contains(&own));
        ensure(is_kind, || wrong(400, "invalid_request", "type"))?;
        let fits = |own: &&Value| {
            kind.is_none_or(|kind| own["type"] == kind)
                && payment.is_none_or(|payment| own["payment_id"] == payment)
        };
        let filters = format!(
            "{}.{}",
            kind.unwrap_or_default(),
            payment.unwrap_or_default()
        );
        let mut rest: Vec<&Value> = self.entries.iter().rev().collect();
        if let Some(cursor) = ask.query("cursor") {
            let invalid = || wrong(400, "invalid_cursor", "cursor");
            let (last, given) = cursor.split_once('.').ok_or_else(invalid)?;
            let is_same = given == filters || self.is("cursor-of-anything");
            ensure(is_same, invalid)?;
            let at = rest.iter().position(|own| own["id"] == last);
            rest.drain(..=at.ok_or_else(invalid)?);
        }
        let rest: Vec<&Value> = rest.into_iter().filter(fits).collect();
        let page = &rest[..limit.min(rest.len())];
        let last = page.last().and_then(|own| own["id"].as_str());
        let last = last.filter(|_| rest.len() > limit);
        let next = last.map(|own| format!("{own}.{filters}"));
        Ok((200, json!({"data": page, "next_cursor": next})))
    }
}
