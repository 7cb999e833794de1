//! Stored cards (`vault.yaml`): each operation succeeds only after another one. It has at most one
//! fault.

use axum::http::Method;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer vault-of-1961";

/// The key of a client that may only read.
pub(crate) const READER: &str = "Bearer reader-of-1961";

/// The state of the vault.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    shops: Vec<Value>,
    cards: Vec<Value>,
    entries: Vec<Value>,
    listeners: Vec<Value>,
    created: u64,
    /// The key, body and answer of each request with a key.
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
        let credential = ask.header("authorization");
        let reads = ask.method() == "GET" || self.is("reader-wakes");
        match credential {
            KEY => None,
            READER if reads || self.is("reader-is-refused-late") => None,
            READER => Some(no(403)),
            _ => Some(no(401)),
        }
    }

    fn unread(&self, _status: u16) -> Reply {
        no(422)
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let is_collected = path.last() == Some(&"collect");
        let mut reply = match self.repeated(ask) {
            Some(reply) => reply,
            None => Reply::of(self.act(ask, &path)),
        };
        let is_reader = ask.header("authorization") == READER && ask.method() != "GET";
        if is_reader && self.is("reader-is-refused-late") {
            return no(403);
        }
        if reply.status == 201 && is_collected {
            let id = reply.body.as_ref().map(|body| text(&body["entryId"]));
            let id = id.unwrap_or_default();
            let at = format!("/{}/{id}", ask.path[..5].join("/"));
            reply.headers.push(("location", at));
        }
        reply
    }
}

/// The key of a request with its path.
fn key_of(ask: &Ask) -> String {
    format!("{} {}", ask.path.join("/"), ask.header("idempotency-key"))
}

fn no(status: u16) -> Reply {
    Reply::new(status, json!({"reason": "refused"}))
}

fn ensure(holds: bool, status: u16) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status)) }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn is_text(value: &Value, most: usize) -> bool {
    value
        .as_str()
        .is_some_and(|item| (1..=most).contains(&item.chars().count()))
}

/// An amount in hundredths, if it is well-formed.
fn hundredths(value: &Value) -> Option<u64> {
    let (whole, rest) = value.as_str()?.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = (1..=4).contains(&whole.len()) && (whole == "0" || !whole.starts_with('0'));
    let is_formed = is_plain && rest.len() == 2 && digits(whole) && digits(rest);
    format!("{whole}{rest}").parse().ok().filter(|_| is_formed)
}

fn written(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn find(all: &[Value], key: &str, id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|item| item[key] == id);
    at.ok_or_else(|| no(404))
}

impl Store {
    /// The stored answer for a repeated request.
    fn repeated(&mut self, ask: &Ask) -> Option<Reply> {
        let key = key_of(ask);
        let (_, body, answer) = self.keys.iter().find(|item| item.0 == key)?;
        if *body != ask.body || answer.is_null() {
            return Some(no(422));
        }
        let mut reply = Reply::new(201, answer.clone());
        if !self.is("unmarked") {
            reply.headers.push(("x-repeat", "true".to_owned()));
        }
        Some(reply)
    }

    fn act(&mut self, ask: &Ask, path: &[&str]) -> Done {
        match (ask.method(), path) {
            ("POST", ["shops"]) => self.open(&ask.body),
            ("GET", ["shops", id]) => {
                find(&self.shops, "shopId", id).map(|at| (200, self.shops[at].clone()))
            }
            ("POST", ["shops", shop, "stored-cards"]) => self.issue(shop, &ask.body),
            ("POST", ["shops", shop, "moves"]) => self.shift(shop, &ask.body),
            (_, ["shops", shop, "stored-cards", id, rest @ ..]) => {
                self.of_card(ask, (shop, id), rest)
            }
            ("POST", ["payouts"]) => self.pay_out(&ask.body),
            ("POST", ["listeners"]) => self.listen(&ask.body),
            (_, ["listeners", id]) => self.listener(&ask.method, id),
            _ => Err(no(404)),
        }
    }

    fn next(&mut self, prefix: &str) -> String {
        self.created += 1;
        format!("{prefix}-{:07}", self.created)
    }

    fn open(&mut self, body: &Value) -> Done {
        ensure(
            has_only(body, &["title"]) && is_text(&body["title"], 40),
            422,
        )?;
        let item = json!({"shopId": self.next("sh"), "title": body["title"]});
        self.shops.push(item.clone());
        Ok((201, item))
    }

    fn issue(&mut self, shop: &str, body: &Value) -> Done {
        find(&self.shops, "shopId", shop)?;
        let reference = &body["ourReference"];
        let is_known = has_only(body, &["ourReference", "balance"]) && is_text(reference, 40);
        ensure(is_known && hundredths(&body["balance"]).is_some(), 422)?;
        let is_everywhere = self.is("unique-everywhere");
        let mut all = self.cards.iter();
        let is_used = all.any(|item| {
            item["ourReference"] == *reference && (is_everywhere || item["shopId"] == shop)
        });
        ensure(!is_used || self.is("used-twice"), 409)?;
        let item = json!({
            "cardId": self.next("ca"),
            "shopId": shop,
            "ourReference": reference,
            "balance": body["balance"],
            "status": "asleep",
        });
        self.cards.push(item.clone());
        let mut credential = item;
        credential["pin"] = "4711".into();
        if self.is("issued-otherwise") {
            credential["balance"] = "0.00".into();
        }
        Ok((201, credential))
    }

    fn of_card(&mut self, ask: &Ask, (shop, id): (&str, &str), rest: &[&str]) -> Done {
        let at = find(&self.cards, "cardId", id)?;
        ensure(self.cards[at]["shopId"] == shop, 404)?;
        match (ask.method(), rest) {
            ("GET", []) => Ok((200, self.cards[at].clone())),
            ("POST", ["wake"]) => {
                let is_asleep = self.cards[at]["status"] == "asleep";
                ensure(is_asleep || self.is("woken-twice"), 409)?;
                self.cards[at]["status"] = "awake".into();
                Ok((200, self.cards[at].clone()))
            }
            ("POST", ["entries"]) => self.hold(at, ask),
            ("GET", ["entries", entry]) => {
                let at = find(&self.entries, "entryId", entry)?;
                ensure(self.entries[at]["cardId"] == id, 404)?;
                Ok((200, self.entries[at].clone()))
            }
            ("POST", ["entries", entry, "collect"]) => self.collect(id, entry),
            _ => Err(no(404)),
        }
    }

    /// Refuses unless a card is awake.
    fn awake(&self, at: usize) -> Result<(), Reply> {
        ensure(self.cards[at]["status"] == "awake", 409)
    }

    fn hold(&mut self, card: usize, ask: &Ask) -> Done {
        let body = &ask.body;
        let length = ask.header("idempotency-key").len();
        let key = key_of(ask);
        let is_known = has_only(body, &["amount"]) && hundredths(&body["amount"]).is_some();
        let is_used_up = self.is("key-used-up") && !is_known;
        let is_early = self.is("key-used-up-early") && self.awake(card).is_err();
        if length > 0 && (is_used_up || is_early) {
            self.keys.push((key.clone(), body.clone(), Value::Null));
        }
        ensure(is_known && length <= 64, 422)?;
        self.awake(card)?;
        let item = json!({
            "entryId": self.next("en"),
            "cardId": self.cards[card]["cardId"],
            "kind": "hold",
            "amount": body["amount"],
            "state": "held",
        });
        self.entries.push(item.clone());
        if length > 0 {
            self.keys.push((key, body.clone(), item.clone()));
        }
        Ok((201, item))
    }

    fn collect(&mut self, card: &str, entry: &str) -> Done {
        let at = find(&self.entries, "entryId", entry)?;
        ensure(self.entries[at]["cardId"] == card, 404)?;
        let is_held = self.entries[at]["state"] == "held";
        ensure(is_held || self.is("collected-twice"), 409)?;
        self.entries[at]["state"] = "collected".into();
        let item = json!({
            "entryId": self.next("en"),
            "cardId": card,
            "kind": "collection",
            "amount": self.entries[at]["amount"],
            "state": "booked",
        });
        if !self.is("collection-lost") {
            self.entries.push(item.clone());
        }
        Ok((201, item))
    }

    fn shift(&mut self, shop: &str, body: &Value) -> Done {
        find(&self.shops, "shopId", shop)?;
        let amount = hundredths(&body["amount"]);
        let is_loose = self.is("move-anything");
        let is_known = is_loose || has_only(body, &["fromCardId", "toCardId", "amount"]);
        ensure(
            is_known && body["fromCardId"].is_string() && body["toCardId"].is_string(),
            422,
        )?;
        let amount = amount.ok_or_else(|| no(422))?;
        let from = find(&self.cards, "cardId", &text(&body["fromCardId"]))?;
        let to = find(&self.cards, "cardId", &text(&body["toCardId"]))?;
        self.awake(from)?;
        self.awake(to)?;
        self.take(from, amount)?;
        let more = hundredths(&self.cards[to]["balance"]).unwrap_or_default() + amount;
        ensure(more < 1_000_000, 422)?;
        self.cards[to]["balance"] = written(more).into();
        let item = json!({
            "moveId": self.next("mo"),
            "fromCardId": body["fromCardId"],
            "toCardId": body["toCardId"],
            "amount": body["amount"],
        });
        Ok((201, item))
    }

    fn take(&mut self, card: usize, amount: u64) -> Result<(), Reply> {
        let there = hundredths(&self.cards[card]["balance"]).unwrap_or_default();
        let left = there.checked_sub(amount).ok_or_else(|| no(422))?;
        self.cards[card]["balance"] = written(left).into();
        Ok(())
    }

    fn pay_out(&mut self, body: &Value) -> Done {
        let is_known = has_only(body, &["stored_card", "amount", "memo"]);
        let memo = &body["memo"];
        let is_short = memo.is_null() || (memo.is_string() && text(memo).chars().count() <= 40);
        ensure(
            is_known
                && is_short
                && !body
                    .as_object()
                    .is_some_and(|body| body.get("memo") == Some(&Value::Null)),
            422,
        )?;
        let amount = hundredths(&body["amount"]).ok_or_else(|| no(422))?;
        let card = find(&self.cards, "cardId", &text(&body["stored_card"])).map_err(|_| no(422))?;
        self.awake(card)?;
        self.take(card, amount)?;
        let mut item = body.clone();
        item["payoutId"] = self.next("po").into();
        if self.is("paid-otherwise") {
            item["amount"] = "0.01".into();
        }
        Ok((201, item))
    }

    fn listen(&mut self, body: &Value) -> Done {
        let address = text(&body["address"]);
        let is_known = has_only(body, &["address", "about"]) && address.chars().count() <= 200;
        ensure(is_known && address.starts_with("https://"), 422)?;
        ensure(body["about"] == "all" || body["about"] == "payouts", 422)?;
        let is_used = self
            .listeners
            .iter()
            .any(|listener| listener["address"] == address);
        ensure(!is_used || self.is("address-twice"), 409)?;
        let mut item = body.clone();
        item["listenerId"] = self.next("li").into();
        self.listeners.push(item.clone());
        Ok((201, item))
    }

    fn listener(&mut self, method: &Method, id: &str) -> Done {
        let at = find(&self.listeners, "listenerId", id)?;
        match *method {
            Method::DELETE => {}
            Method::GET | Method::HEAD => return Ok((200, self.listeners[at].clone())),
            _ => return Err(no(404)),
        }
        if !self.is("never-gone") {
            self.listeners.remove(at);
        }
        Ok((204, Value::Null))
    }
}
