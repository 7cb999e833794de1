//! Cards, payments and a balance (`purse.yaml`) with rules in sentences. It has at most one fault.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer purse-of-1958";

/// The card number that is always declined.
const EMPTY: &str = "4000000000009995";

/// The state of the purse.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    created: u64,
    /// The number of answered requests.
    answered: Arc<AtomicU64>,
    customers: Vec<Value>,
    cards: Vec<Card>,
    /// Deleted cards, which a fault still accepts for payments.
    ghosts: Vec<Card>,
    payments: Vec<Value>,
    /// The entries, the oldest first.
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
        let mut item = Self {
            fault,
            ..Self::default()
        };
        let payment = json!({"id": "pa_1004", "currency": "EUR"});
        // Some entries exist from the start.
        item.book("capture", &payment, 5000);
        item.book("refund", &payment, -1200);
        item
    }

    fn fault(&self) -> &'static str {
        self.fault
    }

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        (ask.header("authorization") != KEY).then(|| self.numbered(no(401, "unauthorized")))
    }

    fn unread(&self, status: u16) -> Reply {
        let code = match status {
            400 if !self.is("malformed-as-invalid") => "malformed_json",
            _ => "invalid_request",
        };
        self.numbered(no(status, code))
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
        self.numbered(Reply::of(done))
    }
}

fn no(status: u16, code: &str) -> Reply {
    let message = format!("Refused: {}.", code.replace('_', " "));
    Reply::new(status, json!({"code": code, "message": message}))
}

/// A refusal that names the invalid property.
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
    let at = all.iter().position(|item| item["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_default()
}

fn is_one_of(value: &Value, names: &[&str]) -> bool {
    names.iter().any(|name| value == name)
}

/// Refuses a body with unknown properties, and one that is not an object.
fn known(body: &Value, names: &[&str]) -> Result<(), Reply> {
    ensure(body.is_object(), || no(400, "invalid_request"))?;
    ensure(has_only(body, names), || no(400, "invalid_request"))
}

/// A whole number of a body, within bounds.
fn whole(body: &Value, name: &str, least: i64, most: i64) -> Result<i64, Reply> {
    let fields = body[name]
        .as_i64()
        .filter(|number| (least..=most).contains(number));
    fields.ok_or_else(|| wrong(400, "invalid_request", name))
}

/// The amount of a body, if there is one.
fn amount(body: &Value) -> Result<Option<i64>, Reply> {
    let is_said = body.get("amount").is_some();
    let item = is_said.then(|| whole(body, "amount", 1, 10_000_000));
    item.transpose()
}

/// Whether the check digit is correct (Luhn).
fn is_checked(digits: &str) -> bool {
    let found = digits.bytes().rev().map(|byte| u32::from(byte - b'0'));
    let item = found.enumerate().map(|(at, item)| match item * 2 {
        _ if at % 2 == 0 => item,
        twice @ 10.. => twice - 9,
        twice => twice,
    });
    item.sum::<u32>() % 10 == 0
}

fn brand(digits: &str) -> Option<&'static str> {
    let of = digits.get(..2)?;
    match of {
        _ if of.starts_with('4') => Some("visa"),
        "51" | "52" | "53" | "54" | "55" => Some("mastercard"),
        _ => None,
    }
}

/// Whether a month, plus some more months, is over.
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
        self.created += 1;
        json!(format!("{kind}_{:04}", self.created + 3000))
    }

    /// Adds a new request id to an answer.
    fn numbered(&self, mut reply: Reply) -> Reply {
        let current = self.answered.fetch_add(1, Ordering::Relaxed) + 100;
        let found = match self.fault {
            "request-id-twice" => current / 50,
            "request-id-of-errors-twice" if reply.status >= 400 => 99,
            _ => current,
        };
        let item = format!("rq_{found:08}");
        if let Some(body) = reply.body.as_mut().filter(|_| reply.status >= 400) {
            let differs = self.is("request-id-of-its-own");
            body["request_id"] = json!(if differs { "rq_00000000" } else { &item });
        }
        reply.headers.push(("request-id", item));
        reply
    }

    fn add(&mut self, body: &Value) -> Done {
        known(body, &["name"])?;
        let name = body["name"].as_str();
        let name = name.filter(|name| (1..=60).contains(&name.chars().count()));
        let name = name.ok_or_else(|| wrong(400, "invalid_request", "name"))?;
        let customer = json!({"id": self.id("cu"), "name": name});
        self.customers.push(customer.clone());
        Ok((201, self.shown(customer)))
    }

    /// A customer with the cards.
    fn shown(&self, mut customer: Value) -> Value {
        let remaining = self.cards.iter().map(|card| &card.shown);
        let selected = remaining.filter(|item| item["customer_id"] == customer["id"]);
        let item: Vec<&Value> = selected.collect();
        customer["cards"] = json!(item);
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
        let mut found = self
            .payments
            .iter()
            .filter(|payment| payment["customer_id"] == id);
        let is_open = found.any(|item| is_one_of(&item["status"], open));
        ensure(!is_open, || no(409, "customer_in_use"))?;
        self.customers.remove(at);
        if self.is("payments-go") {
            self.payments.retain(|payment| payment["customer_id"] != id);
        }
        if self.is("ghosts-pay") {
            let remaining = self.cards.iter();
            let selected = remaining.filter(|item| item.shown["customer_id"] == id);
            self.ghosts.extend(selected.cloned());
        }
        if !self.is("cards-stay") {
            self.cards.retain(|card| card.shown["customer_id"] != id);
        }
        Ok((204, Value::Null))
    }

    fn save(&mut self, id: &str, body: &Value) -> Done {
        find(&self.customers, id)?;
        known(body, &["number", "exp_month", "exp_year"])?;
        let is_digits = |text: &&str| {
            (12..=19).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
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
        let remaining = self.cards.iter();
        let selected = remaining.filter(|item| item.shown["customer_id"] == id);
        let found: Vec<&Card> = selected.collect();
        let is_there = match self.fault {
            "number-twice" => false,
            "number-of-anybody" => self.cards.iter().any(|card| card.number == digits),
            _ => found.iter().any(|item| item.number == digits),
        };
        let most = if self.is("fourth-card") { 4 } else { 3 };
        let is_full = found.len() >= most;
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
        self.cards.iter().find(|card| card.shown["id"] == id)
    }

    fn card(&self, id: &str) -> Done {
        let item = self.find_card(id).ok_or_else(|| no(404, "not_found"))?;
        Ok((200, item.shown.clone()))
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
        let is_note = note.map_or(body["note"].is_null(), |item| item.chars().count() <= 60);
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
        let ghost = self.ghosts.iter().find(|ghost| ghost.shown["id"] == card);
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
        let before = before
            .find(|item| item["currency"] == payment["currency"] || self.is("balance-of-both"));
        let before = before.map_or(0, |item| number(&item["balance_after"]));
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

    /// A page of entries. A cursor contains its filters and the last entry.
    fn page(&self, ask: &Ask) -> Done {
        let limit = ask
            .query("limit")
            .map_or(Some(20), |text| text.parse().ok());
        let limit = limit.filter(|limit| (1..=50).contains(limit));
        let limit: usize = limit.ok_or_else(|| wrong(400, "invalid_request", "limit"))?;
        let (kind, payment) = (ask.query("type"), ask.query("payment_id"));
        let is_kind = kind.is_none_or(|kind| ["capture", "refund"].contains(&kind));
        ensure(is_kind, || wrong(400, "invalid_request", "type"))?;
        let fits = |value: &&Value| {
            kind.is_none_or(|kind| value["type"] == kind)
                && payment.is_none_or(|payment| value["payment_id"] == payment)
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
            let at = rest.iter().position(|item| item["id"] == last);
            rest.drain(..=at.ok_or_else(invalid)?);
        }
        let rest: Vec<&Value> = rest.into_iter().filter(fits).collect();
        let page = &rest[..limit.min(rest.len())];
        let last = page.last().and_then(|entry| entry["id"].as_str());
        let last = last.filter(|_| rest.len() > limit);
        let next = last.map(|limit| format!("{limit}.{filters}"));
        Ok((200, json!({"data": page, "next_cursor": next})))
    }
}
