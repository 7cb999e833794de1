//! A card gateway with a document of its own (`gateway.yaml`), terse, with test cards in a table, payments that are
//! declined and kept, one default among the cards of a customer, and deletions that take some and leave some. Right in
//! everything, or wrong in one thing that it is told.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer gateway-of-1958";

/// The test cards, each with the code that it is declined with.
const CARDS: [(&str, Option<&str>); 4] = [
    ("4111111111111111", None),
    ("5555555555554444", None),
    ("4000000000000002", Some("card_declined")),
    ("4000000000009995", Some("insufficient_funds")),
];

/// A request and its first result.
type Kept = (Value, Reply);

/// Everything that the gateway knows; money in cents.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    customers: Vec<Value>,
    cards: Vec<Card>,
    payments: Vec<Value>,
    links: Vec<Value>,
    kept: BTreeMap<String, Kept>,
    ticks: u64,
}

#[derive(Clone)]
struct Card {
    number: String,
    shown: Value,
}

/// What a payment is made with.
struct Source {
    kind: &'static str,
    number: String,
    /// What is told of the card.
    details: Value,
    card: Value,
    customer: Value,
    link: Value,
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
        let done = match (ask.method(), &path[..]) {
            ("POST", ["customers"]) => self.welcome(&ask.body),
            ("GET", ["customers", id]) => {
                find(&self.customers, id).map(|at| (200, self.customers[at].clone()))
            }
            ("DELETE", ["customers", id]) => self.dismiss(id),
            ("GET", ["customers", id, "cards"]) => self.list(id),
            ("POST", ["cards"]) => self.store(&ask.body),
            ("DELETE", ["cards", id]) => self.discard(id),
            ("POST", ["authorisations"]) => return self.authorise_once(ask),
            ("POST", ["authorisations", id, "capture"]) => self.capture(id, &ask.body),
            ("POST", ["authorisations", id, "cancel"]) => self.cancel(id),
            ("GET", ["payments", id]) => find(&self.payments, id).map(|at| (200, self.told(at))),
            ("POST", ["payment-links"]) => self.link(&ask.body),
            ("GET", ["payment-links", id]) => {
                find(&self.links, id).map(|at| (200, self.links[at].clone()))
            }
            ("POST", ["payment-links", id, "pay"]) => self.pay(id, &ask.body),
            _ => Err(no(404, "not_found")),
        };
        Reply::of(done)
    }
}

fn no(status: u16, code: &str) -> Reply {
    let message = format!("Refused: {}.", code.replace('_', " "));
    Reply::new(status, json!({"error": {"code": code, "message": message}}))
}

fn ensure(holds: bool, status: u16, code: &str) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status, code)) }
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|own| own["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

/// A whole number between two, however it is written.
fn whole(own: &Value, least: i64, most: i64) -> Option<i64> {
    let number = own.as_i64().or_else(|| {
        let text = own.as_f64()?.to_string();
        text.parse().ok()
    });
    number.filter(|own| (least..=most).contains(own))
}

fn amount_of(own: &Value) -> Option<i64> {
    whole(own, 50, 9_999_999)
}

fn is_currency(own: &Value) -> bool {
    matches!(own.as_str(), Some("EUR" | "USD"))
}

fn is_flag(body: &Value, name: &str) -> bool {
    body.get(name).is_none_or(Value::is_boolean)
}

/// The number of a card that is written as it has to be, and what is told of it.
fn card_of(own: &Value) -> Option<(String, Value)> {
    let number = own["number"].as_str()?;
    let is_number =
        (13..=19).contains(&number.len()) && number.bytes().all(|own| own.is_ascii_digit());
    let is_well = has_only(own, &["number", "exp_month", "exp_year"]) && is_number;
    let month = whole(&own["exp_month"], 1, 12)?;
    let year = whole(&own["exp_year"], 2020, 2099)?;
    let last = is_well.then(|| &number[number.len() - 4..])?;
    let details = json!({"last4": last, "exp_month": month, "exp_year": year});
    Some((number.to_owned(), details))
}

/// The code that a test card is declined with.
fn result_of(number: &str) -> Result<Option<&'static str>, Reply> {
    let own = CARDS.iter().find(|own| own.0 == number);
    own.map(|own| own.1).ok_or_else(|| no(422, "unknown_card"))
}

impl Store {
    /// A later time each time it is asked for.
    fn now(&mut self) -> String {
        self.ticks += 1;
        let (seconds, rest) = (self.ticks / 1000, self.ticks % 1000);
        let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
        format!(
            "2026-03-01T{hours:02}:{minutes:02}:{:02}.{rest:03}Z",
            seconds % 60
        )
    }

    fn key(&mut self, kind: &str) -> String {
        self.ticks += 1;
        format!("{kind}_{:012x}", self.ticks * 7919)
    }

    fn welcome(&mut self, body: &Value) -> Done {
        let name = body["name"].as_str().filter(|_| has_only(body, &["name"]));
        let name = name.filter(|own| (1..=60).contains(&own.chars().count()));
        let name = name.ok_or_else(|| no(422, "invalid"))?;
        let customer = json!({"id": self.key("cus"), "name": name, "created_at": self.now()});
        self.customers.push(customer.clone());
        Ok((201, customer))
    }

    fn dismiss(&mut self, id: &str) -> Done {
        let at = find(&self.customers, id)?;
        self.customers.remove(at);
        if !self.is("cards-stay") {
            self.cards.retain(|own| own.shown["customer_id"] != id);
        }
        Ok((204, Value::Null))
    }

    fn list(&self, id: &str) -> Done {
        find(&self.customers, id)?;
        let own = self.cards.iter().map(|own| &own.shown);
        let own: Vec<&Value> = own.filter(|own| own["customer_id"] == id).collect();
        Ok((200, json!({"data": own})))
    }

    fn store(&mut self, body: &Value) -> Done {
        let is_well = has_only(body, &["customer_id", "card", "make_default"]);
        let of = body["customer_id"].as_str();
        let of = of.filter(|_| is_well && is_flag(body, "make_default"));
        let (Some(of), Some((number, details))) = (of, card_of(&body["card"])) else {
            return Err(no(422, "invalid"));
        };
        find(&self.customers, of)?;
        result_of(&number)?;
        let mut shown = details;
        shown["id"] = self.key("card").into();
        shown["customer_id"] = of.into();
        shown["created_at"] = self.now().into();
        let is_two = self.is("two-defaults");
        let others = self.cards.iter_mut();
        let mut others: Vec<&mut Card> = others
            .filter(|own| own.shown["customer_id"] == of)
            .collect();
        let is_default = body["make_default"] == true || others.is_empty();
        for own in others.iter_mut().filter(|_| is_default && !is_two) {
            own.shown["is_default"] = false.into();
        }
        shown["is_default"] = is_default.into();
        let told = shown.clone();
        self.cards.push(Card { number, shown });
        Ok((201, told))
    }

    fn discard(&mut self, id: &str) -> Done {
        let at = self.cards.iter().position(|own| own.shown["id"] == id);
        let at = at.ok_or_else(|| no(404, "not_found"))?;
        let gone = self.cards.remove(at).shown;
        let is_oldest = self.is("oldest-default");
        let others = self.cards.iter_mut();
        let mut others = others.filter(|own| own.shown["customer_id"] == gone["customer_id"]);
        let next = if is_oldest {
            others.next()
        } else {
            others.next_back()
        };
        if let Some(next) = next.filter(|_| gone["is_default"] == true) {
            next.shown["is_default"] = true.into();
        }
        Ok((204, Value::Null))
    }

    /// A key is answered with its first result, approved or declined.
    fn authorise_once(&mut self, ask: &Ask) -> Reply {
        if !ask.headers.contains_key("idempotency-key") {
            return Reply::of(self.authorise(&ask.body));
        }
        let key = ask.header("idempotency-key").to_owned();
        if !(1..=64).contains(&key.len()) {
            return no(422, "invalid");
        }
        if let Some((body, first)) = self.kept.get(&key) {
            if *body != ask.body {
                return no(409, "key_used");
            }
            let mut again = first.clone();
            again
                .headers
                .push(("idempotent-replayed", "true".to_owned()));
            return again;
        }
        let reply = Reply::of(self.authorise(&ask.body));
        let is_declined = reply.status == 402 && !self.is("declined-again");
        if reply.status == 201 || is_declined {
            self.kept.insert(key, (ask.body.clone(), reply.clone()));
        }
        reply
    }

    fn authorise(&mut self, body: &Value) -> Done {
        let is_one = body.get("card").is_some() != body.get("card_id").is_some();
        let is_well = has_only(body, &["amount", "currency", "card", "card_id"]) && is_one;
        let amount = amount_of(&body["amount"]).filter(|_| is_well);
        let amount = amount.filter(|_| is_currency(&body["currency"]));
        let amount = amount.ok_or_else(|| no(422, "invalid"))?;
        let mut source = Source {
            kind: "authorisation",
            number: String::new(),
            details: Value::Null,
            card: Value::Null,
            customer: Value::Null,
            link: Value::Null,
        };
        if let Some(id) = body.get("card_id") {
            ensure(id.is_string(), 422, "invalid")?;
            let card = self.cards.iter().find(|own| own.shown["id"] == *id);
            let Card { number, shown } = card.ok_or_else(|| no(404, "not_found"))?;
            source.number.clone_from(number);
            source.details = json!({
                "last4": shown["last4"],
                "exp_month": shown["exp_month"],
                "exp_year": shown["exp_year"],
            });
            source.card = id.clone();
            source.customer = shown["customer_id"].clone();
        } else {
            let card = card_of(&body["card"]).ok_or_else(|| no(422, "invalid"))?;
            (source.number, source.details) = card;
        }
        self.make(amount, &body["currency"], &source)
    }

    /// Makes a payment; one that is declined is kept, too.
    fn make(&mut self, amount: i64, currency: &Value, source: &Source) -> Done {
        let declined = result_of(&source.number)?;
        let is_one = self.is("one-code");
        let declined = declined.map(|own| if is_one { "card_declined" } else { own });
        let is_purchase = source.kind == "purchase";
        let (status, captured, left) = match declined {
            Some(_) => ("declined", 0, 0),
            None if is_purchase => ("captured", amount, 0),
            None => ("authorised", 0, amount),
        };
        let id = self.key("pay");
        let payment = json!({
            "id": id,
            "type": source.kind,
            "status": status,
            "refund_status": "none",
            "amount": amount,
            "currency": currency,
            "amount_captured": captured,
            "amount_capturable": left,
            "card": source.details,
            "card_id": source.card,
            "customer_id": source.customer,
            "link_id": source.link,
            "decline_code": declined,
            "created_at": self.now(),
        });
        self.payments.push(payment.clone());
        let Some(code) = declined else {
            return Ok((201, payment));
        };
        let mut refusal = no(402, code);
        if let Some(body) = &mut refusal.body {
            body["error"]["payment_id"] = id.as_str().into();
        }
        Err(refusal)
    }

    fn told(&self, at: usize) -> Value {
        let mut own = self.payments[at].clone();
        let is_gone = |id: &Value| !self.cards.iter().any(|own| own.shown["id"] == *id);
        if self.is("details-lost") && own["card_id"].is_string() && is_gone(&own["card_id"]) {
            own["card"] = json!({"last4": "", "exp_month": 0, "exp_year": 0});
        }
        own
    }

    fn authorisation(&self, id: &str) -> Result<usize, Reply> {
        let at = find(&self.payments, id)?;
        let is_one = self.payments[at]["type"] == "authorisation";
        ensure(is_one, 404, "not_found").map(|()| at)
    }

    fn capture(&mut self, id: &str, body: &Value) -> Done {
        let at = self.authorisation(id)?;
        let is_well = body.is_null() || has_only(body, &["amount"]);
        let asked = body.get("amount");
        let amount = asked.map(|own| whole(own, 1, i64::MAX));
        ensure(is_well && amount != Some(None), 422, "invalid")?;
        let own = &mut self.payments[at];
        let is_open = own["status"] == "authorised" || own["status"] == "partially_captured";
        ensure(is_open, 409, "not_capturable")?;
        let number = |own: &Value| own.as_i64().unwrap_or_default();
        let left = number(&own["amount_capturable"]);
        let amount = amount.flatten().unwrap_or(left);
        ensure(amount <= left, 409, "too_much")?;
        own["amount_captured"] = (number(&own["amount_captured"]) + amount).into();
        own["amount_capturable"] = (left - amount).into();
        let is_whole = amount == left;
        own["status"] = if is_whole {
            "captured".into()
        } else {
            "partially_captured".into()
        };
        Ok((200, self.told(at)))
    }

    fn cancel(&mut self, id: &str) -> Done {
        let at = self.authorisation(id)?;
        let is_late = self.is("part-cancelled");
        let own = &mut self.payments[at];
        let is_late = is_late && own["status"] == "partially_captured";
        let is_open = own["status"] == "authorised";
        ensure(is_open || is_late, 409, "not_cancellable")?;
        own["status"] = "cancelled".into();
        own["amount_capturable"] = 0.into();
        Ok((200, self.told(at)))
    }

    fn link(&mut self, body: &Value) -> Done {
        let is_well = has_only(body, &["amount", "currency", "single_use"]);
        let is_well = is_well && is_currency(&body["currency"]) && is_flag(body, "single_use");
        let amount = amount_of(&body["amount"]).filter(|_| is_well);
        let amount = amount.ok_or_else(|| no(422, "invalid"))?;
        let link = json!({
            "id": self.key("lnk"),
            "status": "active",
            "amount": amount,
            "currency": body["currency"],
            "single_use": body["single_use"] != false,
            "payments_count": 0,
            "created_at": self.now(),
        });
        self.links.push(link.clone());
        Ok((201, link))
    }

    fn pay(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.links, id)?;
        let card = card_of(&body["card"]).filter(|_| has_only(body, &["card"]));
        let (number, details) = card.ok_or_else(|| no(422, "invalid"))?;
        let link = self.links[at].clone();
        ensure(link["status"] == "active", 409, "link_paid")?;
        let source = Source {
            kind: "purchase",
            number,
            details,
            card: Value::Null,
            customer: Value::Null,
            link: id.into(),
        };
        let amount = link["amount"].as_i64().unwrap_or_default();
        let made = self.make(amount, &link["currency"], &source);
        let is_declined = made.as_ref().is_err_and(|own| own.status == 402);
        let is_counted = made.is_ok() || (is_declined && self.is("declined-counted"));
        let own = &mut self.links[at];
        if is_counted {
            let count = own["payments_count"].as_i64().unwrap_or_default();
            own["payments_count"] = (count + 1).into();
        }
        if made.is_ok() && own["single_use"] == true {
            own["status"] = "paid".into();
        }
        made
    }
}
