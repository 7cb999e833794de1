//! A canteen (`canteen.yaml`): the steps of its cards share an address, and amounts have a
//! currency. It has at most one fault.

use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer canteen-at-noon";

/// The highest balance of a card, in minor units.
const MOST: u64 = 20_000;

/// The number of redemptions in all canteens. It gives racing requests different numbers.
static REDEEMED: AtomicUsize = AtomicUsize::new(0);

/// A card.
#[derive(Clone)]
struct Card {
    holder: String,
    currency: String,
    status: &'static str,
    balance: u64,
    /// The balance before the last load.
    before: u64,
    issued_at: String,
    activated_at: Option<String>,
    references: Vec<String>,
    guests: u64,
    most_guests: u64,
    /// The sums of all loads and payments.
    loaded: u64,
    redeemed: u64,
}

/// The state of the canteen.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    cards: Vec<Card>,
    redemptions: Vec<Value>,
    transfers: Vec<Value>,
    guests: Vec<Value>,
    loads: usize,
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
        let found = ask.header("authorization");
        let secret = |text: &str| text.split_once(' ').map(|item| item.1.to_owned());
        let is_any =
            self.is("any-scheme") && !found.starts_with("Basic ") && secret(found) == secret(KEY);
        (found != KEY && !is_any).then(|| no(401))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(422)
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let body = &ask.body;
        Reply::of(match (ask.method(), &path[..]) {
            ("POST", ["cards"]) => self.issue(body),
            ("GET", ["cards"]) => self.list(ask),
            ("GET", ["cards", id]) => self.find(id).map(|at| (200, self.shown(at))),
            ("POST", ["cards", id, "steps", step]) => self.turn(id, step),
            ("POST", ["cards", id, "loads"]) => self.load(id, body),
            ("POST", ["cards", id, "guests"]) => self.invite(id, body),
            ("GET", ["guests", id]) => self.guest(id).map(|at| (200, self.guests[at].clone())),
            ("DELETE", ["guests", id]) => self.disinvite(id),
            ("GET", ["cards", id, "transfers"]) => self.moved(id),
            ("GET", ["takings"]) => self.takings(ask),
            ("POST", ["transfers"]) => self.move_money(body),
            ("POST", ["redemptions"]) => self.redeem(body),
            ("GET", ["redemptions"]) => self.redeemed(ask),
            _ => Err(no(404)),
        })
    }
}

fn no(status: u16) -> Reply {
    Reply::new(status, json!({"title": "Refused", "status": status}))
}

fn ensure(holds: bool, status: u16) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status)) }
}

fn is_text(value: &Value, most: usize) -> bool {
    let length = value.as_str().map_or(0, |item| item.chars().count());
    (1..=most).contains(&length)
}

fn money(units: u64, currency: &str) -> Value {
    let amount = format!("{}.{:02}", units / 100, units % 100);
    json!({"amount": amount, "currency": currency})
}

/// The minor units and the currency of an amount.
fn read(value: &Value) -> Result<(u64, &str), Reply> {
    let amount = value["amount"]
        .as_str()
        .and_then(|item| item.split_once('.'));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let formed = amount.filter(|(whole, part)| {
        let is_long = (1..=6).contains(&whole.len()) && part.len() == 2;
        is_long && is_number(whole) && is_number(part)
    });
    let units = formed.and_then(|(whole, part)| format!("{whole}{part}").parse().ok());
    let currency = value["currency"].as_str();
    let currency = currency.filter(|currency| is_currency(currency));
    let is_money = has_only(value, &["amount", "currency"]);
    let both = units.zip(currency).filter(|_| is_money);
    both.ok_or_else(|| no(422))
}

fn is_currency(text: &str) -> bool {
    matches!(text, "EUR" | "SEK")
}

fn page(ask: &Ask, all: &[Value]) -> Done {
    let number = |name: &str, otherwise: usize| match ask.query(name) {
        None => Ok(otherwise),
        Some(text) => text.parse().map_err(|_| no(422)),
    };
    let (limit, offset) = (number("limit", 20)?, number("offset", 0)?);
    ensure((1..=50).contains(&limit), 422)?;
    let items: Vec<&Value> = all.iter().skip(offset).take(limit).collect();
    Ok((200, json!({"items": items, "total": all.len()})))
}

impl Store {
    fn find(&self, id: &str) -> Result<usize, Reply> {
        let number = id.strip_prefix("crd_").and_then(|id| id.parse().ok());
        let at = number.and_then(|number: usize| number.checked_sub(1));
        let at = at.filter(|at| *at < self.cards.len() && id == format!("crd_{}", at + 1));
        at.ok_or_else(|| no(404))
    }

    fn shown(&self, at: usize) -> Value {
        let item = &self.cards[at];
        json!({
            "id": format!("crd_{}", at + 1),
            "holder": item.holder,
            "status": item.status,
            "balance": money(item.balance, &item.currency),
            "maxBalance": money(MOST, &item.currency),
            "issuedAt": item.issued_at,
            "activatedAt": item.activated_at,
            "guestCount": item.guests,
            "maxGuests": item.most_guests,
        })
    }

    fn issue(&mut self, body: &Value) -> Done {
        let currency = body["currency"].as_str().unwrap_or_default();
        let is_known = is_currency(currency) || (self.is("currency-of-tests") && currency == "XTS");
        let is_known = is_known && has_only(body, &["holder", "currency", "maxGuests"]);
        let most = body.get("maxGuests").map_or(Some(8), Value::as_u64);
        let most = most
            .filter(|most| (1..=20).contains(most))
            .ok_or_else(|| no(422))?;
        ensure(is_known && is_text(&body["holder"], 40), 422)?;
        self.cards.push(Card {
            holder: body["holder"].as_str().unwrap_or_default().to_owned(),
            currency: currency.to_owned(),
            status: "issued",
            balance: 0,
            before: 0,
            issued_at: format!("{:.9}", Timestamp::now()),
            activated_at: None,
            references: Vec::new(),
            guests: 0,
            most_guests: most,
            loaded: 0,
            redeemed: 0,
        });
        Ok((201, self.shown(self.cards.len() - 1)))
    }

    fn list(&self, ask: &Ask) -> Done {
        let stale = |at: usize| {
            let mut item = self.shown(at);
            if self.is("stale-in-list") {
                item["balance"] = money(self.cards[at].before, &self.cards[at].currency);
            }
            item
        };
        let mut all: Vec<Value> = (0..self.cards.len()).map(stale).collect();
        if !self.is("oldest-first") {
            all.reverse();
        }
        page(ask, &all)
    }

    fn turn(&mut self, id: &str, step: &str) -> Done {
        let at = self.find(id)?;
        let (from, to) = match step {
            "activate" => ("issued", "active"),
            "lock" => ("active", "locked"),
            "unlock" => ("locked", "active"),
            _ => return Err(no(404)),
        };
        let (is_anew, fault) = (self.is("activated-anew"), self.fault);
        let item = &mut self.cards[at];
        let is_granted = match fault {
            "activate-locked" => step == "activate" && item.status == "locked",
            "unlock-issued" => step == "unlock" && item.status == "issued",
            _ => false,
        };
        ensure(item.status == from || is_granted, 409)?;
        item.status = to;
        if step == "activate" && item.activated_at.is_none() || (is_anew && step == "unlock") {
            item.activated_at = Some(format!("{:.9}", Timestamp::now()));
        }
        Ok((200, self.shown(at)))
    }

    fn load(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        let (units, currency) = read(&body["amount"])?;
        let reference = body.get("reference");
        let is_known = has_only(body, &["amount", "reference"]);
        ensure(
            is_known && reference.is_none_or(|reference| is_text(reference, 30)),
            422,
        )?;
        let found = &self.cards[at];
        let is_same = found.currency == currency || self.is("any-currency");
        ensure(is_same && units > 0, 422)?;
        ensure(found.status == "active", 409)?;
        let is_within = found.balance + units <= MOST || self.is("load-beyond");
        ensure(is_within, 409)?;
        let reference = reference.and_then(Value::as_str);
        let has = |card: &Card| {
            card.references
                .iter()
                .any(|item| Some(item.as_str()) == reference)
        };
        let is_used = has(found) && !self.is("reference-again");
        let is_elsewhere = self.is("reference-of-all") && self.cards.iter().any(has);
        ensure(!is_used && !is_elsewhere, 409)?;
        self.loads += 1;
        let is_before = self.is("balance-before");
        let item = &mut self.cards[at];
        item.before = item.balance;
        item.balance += units;
        item.loaded += units;
        item.references.extend(reference.map(str::to_owned));
        let booked = if is_before { item.before } else { item.balance };
        let answer = json!({
            "id": format!("lod_{}", self.loads),
            "cardId": id,
            "amount": body["amount"],
            "reference": reference,
            "balanceAfter": money(booked, &item.currency),
        });
        Ok((201, answer))
    }

    fn invite(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        ensure(has_only(body, &["name"]) && is_text(&body["name"], 40), 422)?;
        let item = &self.cards[at];
        let is_free = item.guests < item.most_guests || self.is("one-guest-more");
        ensure(is_free && item.guests <= item.most_guests, 409)?;
        let id = format!("gst_{}", Timestamp::now().as_nanosecond());
        let guest = json!({"id": id, "cardId": format!("crd_{}", at + 1), "name": body["name"]});
        self.guests.push(guest.clone());
        self.cards[at].guests += 1;
        Ok((201, guest))
    }

    fn guest(&self, id: &str) -> Result<usize, Reply> {
        let at = self.guests.iter().position(|guest| guest["id"] == id);
        at.ok_or_else(|| no(404))
    }

    fn disinvite(&mut self, id: &str) -> Done {
        let guest = self.guests.remove(self.guest(id)?);
        let at = self.find(guest["cardId"].as_str().unwrap_or_default())?;
        if !self.is("guests-stay") {
            self.cards[at].guests -= 1;
        }
        Ok((204, Value::Null))
    }

    fn takings(&self, ask: &Ask) -> Done {
        let currency = ask.query("currency").filter(|ask| is_currency(ask));
        let currency = currency.ok_or_else(|| no(422))?;
        let selected = self.cards.iter().filter(|card| card.currency == *currency);
        let (loaded, redeemed) = selected.fold((0, 0), |sum, item| {
            (sum.0 + item.loaded, sum.1 + item.redeemed)
        });
        let is_whole = self.is("takings-forget");
        let left = if is_whole { loaded } else { loaded - redeemed };
        let text = |units: u64| money(units, currency)["amount"].clone();
        let all = json!({"currency": currency, "loaded": text(loaded), "redeemed": text(redeemed), "left": text(left)});
        Ok((200, all))
    }

    fn move_money(&mut self, body: &Value) -> Done {
        let (units, currency) = read(&body["amount"])?;
        let is_known = has_only(body, &["fromCardId", "toCardId", "amount"]);
        ensure(is_known && units > 0, 422)?;
        let [from, to] = [&body["fromCardId"], &body["toCardId"]];
        ensure(from != to, 422)?;
        let find = |id: &Value| self.find(id.as_str().unwrap_or_default());
        let [from, to] = [
            find(from).map_err(|_| no(422))?,
            find(to).map_err(|_| no(422))?,
        ];
        let is_same = |at: usize| self.cards[at].currency == currency;
        ensure(is_same(from) && is_same(to), 422)?;
        ensure(self.cards[from].status == "active", 409)?;
        ensure(self.cards[from].balance >= units, 409)?;
        let is_open = self.cards[to].status == "active";
        if is_open || self.is("half-moved") {
            self.take(from, units);
        }
        let transfer = json!({
            "id": format!("trf_{}", self.transfers.len() + 1),
            "fromCardId": body["fromCardId"],
            "toCardId": body["toCardId"],
            "amount": body["amount"],
        });
        if is_open || self.is("refused-listed") {
            self.transfers.push(transfer.clone());
        }
        ensure(is_open, 409)?;
        self.cards[to].before = self.cards[to].balance;
        self.cards[to].balance += units;
        Ok((201, transfer))
    }

    fn moved(&self, id: &str) -> Done {
        self.find(id)?;
        let is_of = |value: &&Value| value["fromCardId"] == id || value["toCardId"] == id;
        let items: Vec<&Value> = self.transfers.iter().filter(is_of).collect();
        Ok((200, json!({"items": items, "total": items.len()})))
    }

    fn take(&mut self, at: usize, units: u64) {
        self.cards[at].balance -= units;
        self.cards[at].before = self.cards[at].balance;
    }

    fn redeem(&mut self, body: &Value) -> Done {
        let (units, currency) = read(&body["amount"])?;
        let dishes = body["dishes"].as_array().map_or(&[][..], Vec::as_slice);
        let is_dish = |value: &Value| has_only(value, &["dishId"]) && is_text(&value["dishId"], 20);
        let is_known = has_only(body, &["cardId", "amount", "dishes"]);
        let is_known = is_known && (1..=5).contains(&dishes.len()) && dishes.iter().all(is_dish);
        ensure(is_known && units > 0, 422)?;
        let id = body["cardId"].as_str().unwrap_or_default();
        let at = self.find(id).map_err(|_| no(422))?;
        let item = &self.cards[at];
        ensure(item.currency == currency, 422)?;
        ensure(item.status == "active", 409)?;
        ensure(item.balance >= units, 409)?;
        self.take(at, units);
        self.cards[at].redeemed += units;
        let booked = match self.fault {
            "cents-lost" => units - units % 10,
            _ => units,
        };
        let answer = json!({
            "id": format!("rdm_{}", REDEEMED.fetch_add(1, Ordering::Relaxed)),
            "cardId": id,
            "requestedAmount": money(booked, currency),
            "dishes": dishes,
        });
        self.redemptions.push(answer.clone());
        Ok((201, answer))
    }

    fn redeemed(&self, ask: &Ask) -> Done {
        let dish = ask.query("dishId").filter(|_| !self.is("any-dish"));
        let has = |value: &&Value| {
            let mut dishes = value["dishes"].as_array().into_iter().flatten();
            dish.is_none_or(|dish| dishes.any(|dishe| dishe["dishId"] == dish))
        };
        let all: Vec<Value> = self.redemptions.iter().filter(has).cloned().collect();
        page(ask, &all)
    }
}
