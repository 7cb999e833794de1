//! Wallets with a document of their own (`pocket.yaml`), terse, with entries that nothing makes by itself, batches that take up what others
//! have left, and cards under names that callers make up. Right in everything, or wrong in one thing that it is told.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer pocket-of-1901";

/// A shopper has as many cards.
const CARDS: usize = 3;

/// Everything that the pocket knows; money in cents.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    wallets: Vec<Wallet>,
    payouts: Vec<Payout>,
    batches: Vec<Value>,
    /// Top-ups that are in no batch yet.
    open: usize,
    cards: BTreeMap<String, Vec<(String, Value)>>,
    ticks: u64,
}

#[derive(Clone)]
struct Wallet {
    id: String,
    currency: Value,
    label: Value,
    balance: i64,
    held: i64,
    entries: Vec<Value>,
    made: String,
    changed: String,
}

#[derive(Clone)]
struct Payout {
    id: String,
    wallet: usize,
    amount: i64,
    fee: i64,
    status: &'static str,
    decided: Option<String>,
    made: String,
    changed: String,
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
            ("POST", ["wallets"]) => self.open(&ask.body),
            ("GET", ["wallets", id]) => self.find(id).map(|at| (200, self.wallets[at].shown())),
            ("POST", ["wallets", id, "topUps"]) => self.top_up(id, &ask.body),
            ("GET", ["wallets", id, "entries"]) => self.entries(id).and_then(|own| page(ask, own)),
            ("GET", ["wallets", id, "entries", entry]) => self.entry(id, entry),
            ("POST", ["payouts"]) => self.ask_for(&ask.body),
            ("GET", ["payouts", id]) => self.payout(id).map(|at| (200, self.told(at))),
            ("POST", ["payouts", id, "approve"]) => self.decide(id, "approved"),
            ("POST", ["payouts", id, "cancel"]) => self.decide(id, "cancelled"),
            ("POST", ["batches"]) => self.close(),
            ("GET", ["batches"]) => page(ask, self.closed()),
            ("POST", ["shoppers", of, "cards"]) => self.keep(of, &ask.body),
            ("GET", ["shoppers", of, "cards"]) => {
                let is_known = is_reference(of);
                let kept = || (200, json!({"data": self.kept(of)}));
                ensure(is_known, 422, "invalid").map(|()| kept())
            }
            _ => Err(no(404, "not_found")),
        };
        Reply::of(done)
    }
}

fn no(status: u16, code: &str) -> Reply {
    let message = format!("Refused: {}.", code.replace('_', " "));
    Reply::new(status, json!({"code": code, "message": message}))
}

fn ensure(holds: bool, status: u16, code: &str) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status, code)) }
}

fn money(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

/// The cents of an amount that is written as it has to be.
fn cents(own: &Value) -> Option<i64> {
    let (whole, places) = own.as_str()?.split_once('.')?;
    let is_number = |own: &str| own.bytes().all(|own| own.is_ascii_digit());
    let is_plain = whole == "0" || !whole.starts_with('0');
    let fits = (1..=7).contains(&whole.len()) && places.len() == 2;
    let is_well = is_plain && fits && is_number(whole) && is_number(places);
    let cents = format!("{whole}{places}").parse().ok()?;
    (is_well && cents > 0).then_some(cents)
}

/// Some of a list, and how many there are.
fn page(ask: &Ask, all: Vec<Value>) -> Done {
    let number = |name: &str, usual: usize| {
        let own = ask.query(name).map(str::parse::<usize>);
        own.map_or(Some(usual), Result::ok)
    };
    let offset = number("offset", 0).filter(|own| *own <= 100_000);
    let limit = number("limit", 20).filter(|own| (1..=100).contains(own));
    let (Some(offset), Some(limit)) = (offset, limit) else {
        return Err(no(422, "invalid"));
    };
    let total = all.len();
    let some: Vec<Value> = all.into_iter().skip(offset).take(limit).collect();
    Ok((200, json!({"data": some, "total": total})))
}

fn is_reference(own: &str) -> bool {
    let is_of_it = |own: u8| own.is_ascii_alphanumeric() || own == b'_' || own == b'-';
    (3..=40).contains(&own.len()) && own.bytes().all(is_of_it)
}

fn is_text(own: &Value, least: usize, most: usize) -> bool {
    let own = own.as_str();
    own.is_some_and(|own| (least..=most).contains(&own.chars().count()))
}

impl Wallet {
    fn shown(&self) -> Value {
        json!({
            "id": self.id,
            "currency": self.currency,
            "label": self.label,
            "balance": money(self.balance),
            "held": money(self.held),
            "available": money(self.balance - self.held),
            "create_time": self.made,
            "update_time": self.changed,
        })
    }
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

    fn find(&self, id: &str) -> Result<usize, Reply> {
        let at = self.wallets.iter().position(|own| own.id == id);
        at.ok_or_else(|| no(404, "not_found"))
    }

    fn payout(&self, id: &str) -> Result<usize, Reply> {
        let at = self.payouts.iter().position(|own| own.id == id);
        at.ok_or_else(|| no(404, "not_found"))
    }

    fn open(&mut self, body: &Value) -> Done {
        let label = &body["label"];
        let is_label = body.get("label").is_none() || is_text(label, 1, 40);
        let is_known = matches!(body["currency"].as_str(), Some("EUR" | "USD"));
        let is_well = has_only(body, &["currency", "label"]) && is_label && is_known;
        ensure(is_well, 422, "invalid")?;
        let made = self.now();
        let wallet = Wallet {
            id: self.key("wal"),
            currency: body["currency"].clone(),
            label: label.clone(),
            balance: 0,
            held: 0,
            entries: Vec::new(),
            changed: made.clone(),
            made,
        };
        let shown = wallet.shown();
        self.wallets.push(wallet);
        Ok((201, shown))
    }

    /// Moves the balance of a wallet, and leaves an entry.
    fn book(&mut self, at: usize, kind: &str, amount: i64) {
        let (id, time) = (self.key("ent"), self.now());
        let before = self.wallets[at].balance;
        let is_before = self.is("entry-before");
        let wallet = &mut self.wallets[at];
        wallet.balance += amount;
        wallet.changed.clone_from(&time);
        let after = if is_before && before > 0 {
            before
        } else {
            wallet.balance
        };
        wallet.entries.push(json!({
            "id": id,
            "walletId": wallet.id,
            "kind": kind,
            "amount": money(amount),
            "balanceAfter": money(after),
            "create_time": time,
        }));
    }

    fn top_up(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        let amount = cents(&body["amount"]).filter(|_| has_only(body, &["amount"]));
        let amount = amount.ok_or_else(|| no(422, "invalid"))?;
        // What a hundred times 1.15 comes to where numbers have a point.
        let is_lost = self.is("cent-lost") && amount % 100 == 15;
        self.book(at, "topUp", amount - i64::from(is_lost));
        self.open += 1;
        let (own, time) = (self.key("top"), self.now());
        Ok((
            201,
            json!({"id": own, "walletId": id, "amount": money(amount), "create_time": time}),
        ))
    }

    fn entries(&self, id: &str) -> Result<Vec<Value>, Reply> {
        let mut own = self.wallets[self.find(id)?].entries.clone();
        if !self.is("entries-oldest") {
            own.reverse();
        }
        Ok(own)
    }

    fn entry(&self, id: &str, entry: &str) -> Done {
        let at = self.find(id)?;
        let is_any = self.is("entry-anywhere");
        let wallets = self.wallets.iter().enumerate();
        let wallets = wallets.filter(|own| is_any || own.0 == at);
        let mut all = wallets.flat_map(|own| &own.1.entries);
        let found = all.find(|own| own["id"] == entry);
        let found = found.ok_or_else(|| no(404, "not_found"))?;
        Ok((200, found.clone()))
    }

    fn ask_for(&mut self, body: &Value) -> Done {
        let amount = cents(&body["amount"]).filter(|_| has_only(body, &["walletId", "amount"]));
        let at = self.find(body["walletId"].as_str().unwrap_or_default());
        let (Some(amount), Ok(at)) = (amount, at) else {
            return Err(no(422, "invalid"));
        };
        let least = if self.is("fee-too-little") { 0 } else { 25 };
        let fee = ((amount + 50) / 100).max(least);
        let wallet = &self.wallets[at];
        ensure(
            wallet.balance - wallet.held >= amount + fee,
            409,
            "not_enough",
        )?;
        let made = self.now();
        let payout = Payout {
            id: self.key("pay"),
            wallet: at,
            amount,
            fee,
            status: "pending",
            decided: self.is("decided-early").then(|| made.clone()),
            changed: made.clone(),
            made: made.clone(),
        };
        self.wallets[at].held += amount + fee;
        self.wallets[at].changed = made;
        self.payouts.push(payout);
        Ok((201, self.told(self.payouts.len() - 1)))
    }

    fn told(&self, at: usize) -> Value {
        let own = &self.payouts[at];
        let fee = if self.is("total-without-fee") {
            0
        } else {
            own.fee
        };
        json!({
            "id": own.id,
            "walletId": self.wallets[own.wallet].id,
            "amount": money(own.amount),
            "fee": money(own.fee),
            "total": money(own.amount + fee),
            "status": own.status,
            "decidedAt": own.decided,
            "create_time": own.made,
            "update_time": own.changed,
        })
    }

    fn decide(&mut self, id: &str, to: &'static str) -> Done {
        let at = self.payout(id)?;
        let own = self.payouts[at].clone();
        let is_late =
            self.is("approves-cancelled") && own.status == "cancelled" && to == "approved";
        let code = if self.is("another-code") {
            "not_found"
        } else {
            "payout_decided"
        };
        ensure(own.status == "pending" || is_late, 409, code)?;
        let total = own.amount + own.fee;
        let is_kept = self.is("hold-kept") && to == "cancelled";
        if own.status == "pending" && !is_kept {
            self.wallets[own.wallet].held -= total;
        }
        if to == "approved" {
            self.book(own.wallet, "payout", -total);
        }
        let now = self.now();
        let stands = self.is("time-stands");
        let payout = &mut self.payouts[at];
        (payout.status, payout.decided) = (to, Some(now.clone()));
        if !stands {
            payout.changed = now;
        }
        Ok((200, self.told(at)))
    }

    fn close(&mut self) -> Done {
        let count = std::mem::take(&mut self.open);
        ensure(count > 0, 409, "nothing_to_settle")?;
        let (id, time) = (self.key("bat"), self.now());
        let batch = json!({"id": id, "top_ups": count, "closedAt": time});
        let mut told = batch.clone();
        told["secret"] = format!("of-{id}").into();
        self.batches.push(batch);
        Ok((201, told))
    }

    fn closed(&self) -> Vec<Value> {
        let mut all = self.batches.clone();
        if !self.is("batches-oldest") {
            all.reverse();
        }
        for own in all.iter_mut().filter(|_| self.is("secrets-listed")) {
            own["secret"] = "none-of-yours".into();
        }
        all
    }

    fn keep(&mut self, of: &str, body: &Value) -> Done {
        let names = ["number", "expiryMonth", "expiryYear", "holderName"];
        let number = body["number"].as_str().unwrap_or_default();
        let is_number =
            (13..=19).contains(&number.len()) && number.bytes().all(|own| own.is_ascii_digit());
        let is_month = body["expiryMonth"]
            .as_i64()
            .is_some_and(|own| (1..=12).contains(&own));
        let is_year = body["expiryYear"]
            .as_i64()
            .is_some_and(|own| (2020..=2099).contains(&own));
        let is_known = is_reference(of) && has_only(body, &names);
        let is_well = is_known && is_number && is_month && is_year;
        ensure(
            is_well && is_text(&body["holderName"], 2, 40),
            422,
            "invalid",
        )?;
        let unique = format!("{number}-{}-{}", body["expiryMonth"], body["expiryYear"]);
        let most = CARDS + usize::from(self.is("one-card-more"));
        let own = self.cards.entry(of.to_owned()).or_default();
        if let Some((_, card)) = own.iter().find(|own| own.0 == unique) {
            return Ok((200, card.clone()));
        }
        ensure(own.len() < most, 409, "too_many")?;
        let card = json!({
            "id": self.key("crd"),
            "lastFour": number[number.len() - 4..],
            "expiryMonth": body["expiryMonth"],
            "expiryYear": body["expiryYear"],
            "holderName": body["holderName"],
        });
        let own = self.cards.entry(of.to_owned()).or_default();
        own.push((unique, card.clone()));
        Ok((201, card))
    }

    fn kept(&self, of: &str) -> Vec<Value> {
        let own = self.cards.get(of).into_iter().flatten();
        let mut all: Vec<Value> = own.map(|own| own.1.clone()).collect();
        for own in all.iter_mut().filter(|_| self.is("holder-forgotten")) {
            own["holderName"] = "J. Doe".into();
        }
        all
    }
}
