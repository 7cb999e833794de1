//! A till (`till.yaml`): one balance without a key, charges that have two keys and expire, and
//! payouts that are paid in the background. It has at most one fault.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

/// The key that the till accepts.
pub(crate) const KEY: &str = "Bearer till-key-58";

/// The time that a payout needs.
const IN_TRANSIT: SignedDuration = SignedDuration::from_millis(700);

/// The state of the till.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    charges: Vec<Value>,
    payouts: Vec<Value>,
    guests: Vec<Value>,
    /// The number of guests so far.
    created: usize,
    /// The captured and the paid amount, by currency.
    books: [(i64, i64); 2],
}

const CURRENCIES: [&str; 2] = ["EUR", "SEK"];

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
        let given = ask.header("authorization");
        let is_begun = self.is("key-begun") && given.len() > 10 && KEY.starts_with(given);
        (given != KEY && !is_begun).then(|| no(401, "unauthorized", None))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(400, "invalid", None)
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        self.pass();
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("POST", ["charges"]) => self.charge(&ask.body),
            ("GET", ["charges", "by-reference", reference]) => self.found(reference),
            ("GET", ["charges", id]) => {
                find(&self.charges, id).map(|at| (200, self.charges[at].clone()))
            }
            ("POST", ["charges", id, "capture"]) => self.capture(id, &ask.body),
            ("POST", ["guests"]) => self.add_guest(&ask.body),
            ("GET", ["guests", id]) => find(&self.guests, id).map(|at| (200, self.guest_shown(at))),
            ("DELETE", ["guests", id]) => self.forget(id),
            ("POST", ["payouts"]) => self.pay_out(&ask.body),
            ("GET", ["payouts", id]) => {
                find(&self.payouts, id).map(|at| (200, shown(&self.payouts[at])))
            }
            ("GET", ["balance"]) => Ok((200, self.balance())),
            _ => Err(no(404, "not_found", None)),
        };
        Reply::of(done)
    }
}

fn no(status: u16, code: &str, field: Option<&str>) -> Reply {
    Reply::new(status, json!({"code": code, "field": field}))
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|item| item["id"] == id);
    at.ok_or_else(|| no(404, "not_found", None))
}

fn timestamp(time: Timestamp) -> Value {
    time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string().into()
}

fn whole(body: &Value, name: &str, most: i64) -> Result<i64, Reply> {
    let fields = body[name]
        .as_i64()
        .filter(|number| (1..=most).contains(number));
    fields.ok_or_else(|| no(400, "invalid", Some(name)))
}

fn currency(body: &Value) -> Result<usize, Reply> {
    let at = CURRENCIES
        .iter()
        .position(|currency| body["currency"] == *currency);
    at.ok_or_else(|| no(400, "invalid", Some("currency")))
}

/// A payout as clients see it.
fn shown(payout: &Value) -> Value {
    let mut payout = payout.clone();
    payout.as_object_mut().unwrap().remove("due");
    payout
}

impl Store {
    /// Applies the changes over time.
    fn pass(&mut self) {
        let now = timestamp(Timestamp::now());
        let is_over = |value: &Value| value.as_str() <= now.as_str();
        for charge in &mut self.charges {
            let is_open = charge["status"] == "authorised" && self.fault != "never-expires";
            if is_open && is_over(&charge["expires_at"]) {
                charge["status"] = "expired".into();
            }
        }
        for payout in &mut self.payouts {
            let is_open = payout["status"] == "pending" && self.fault != "never-paid";
            if is_open && is_over(&payout["due"]) {
                payout["status"] = "paid".into();
                if self.fault != "paid-untimed" {
                    payout["paid_at"] = payout["due"].clone();
                }
            }
        }
    }

    fn charge(&mut self, body: &Value) -> Done {
        let reference = body["reference"].as_str().unwrap_or_default().to_owned();
        let amount = whole(body, "amount", 100_000_000)?;
        let currency = currency(body)?;
        let lasts = match body.get("expires_in") {
            None => 86400,
            Some(_) => whole(body, "expires_in", 86400)?,
        };
        let names = [
            "reference",
            "amount",
            "currency",
            "expires_in",
            "note",
            "guest",
        ];
        let note = body.get("note").filter(|body| !body.is_null());
        if note.is_some_and(|note| note.as_str().is_none_or(|item| item.chars().count() > 60)) {
            return Err(no(400, "invalid", Some("note")));
        }
        if !(1..=40).contains(&reference.chars().count()) || !has_only(body, &names) {
            return Err(no(400, "invalid", Some("reference")));
        }
        let guest = self.guest(&body["guest"])?;
        let known = self
            .charges
            .iter()
            .position(|charge| charge["reference"] == reference);
        if let Some(at) = known.filter(|_| !self.is("reference-again")) {
            if self.is("reference-overwrites") {
                self.charges[at]["amount"] = amount.into();
            }
            return Err(no(409, "reference_taken", Some("reference")));
        }
        let now = Timestamp::now();
        let lasts = if self.is("lasts-a-day") { 86400 } else { lasts };
        let amount = if self.is("single-precision") {
            single(amount)
        } else {
            amount
        };
        let mut charge = json!({
            "id": format!("ch-{}", self.charges.len() + 100),
            "reference": reference,
            "amount": amount,
            "currency": CURRENCIES[currency],
            "status": "authorised",
            "captured_amount": 0,
            "remaining_amount": amount,
            "note": body["note"],
            "guest": body["guest"],
            "expires_at": timestamp(now + SignedDuration::from_secs(lasts)),
            "created_at": timestamp(now),
        });
        if self.is("note-untold") && note.is_none() {
            charge.as_object_mut().unwrap().remove("note");
        }
        if let Some(guest) = guest.filter(|_| !self.is("guest-uncounted")) {
            let charges = self.guests[guest]["charges"].as_u64().unwrap_or_default();
            self.guests[guest]["charges"] = (charges + 1).into();
        }
        if self.is("guest-unkept") {
            charge["guest"] = Value::Null;
        }
        self.charges.push(charge.clone());
        Ok((201, charge))
    }

    /// The charged guest, if the request names one.
    fn guest(&self, named: &Value) -> Result<Option<usize>, Reply> {
        if named.is_null() {
            return Ok(None);
        }
        let found = self.guests.iter().position(|guest| guest["id"] == *named);
        let is_taken = self.is("guest-of-nowhere") && named.is_string();
        if found.is_none() && !is_taken {
            return Err(no(400, "unknown", Some("guest")));
        }
        Ok(found)
    }

    fn add_guest(&mut self, body: &Value) -> Done {
        let name = body["name"].as_str().unwrap_or_default();
        if !(1..=40).contains(&name.chars().count()) || !has_only(body, &["name", "nick"]) {
            return Err(no(400, "invalid", Some("name")));
        }
        let nick = body["nick"].as_str().unwrap_or_default();
        let may_be = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-');
        if !(1..=40).contains(&nick.len()) || !nick.bytes().all(may_be) {
            return Err(no(400, "invalid", Some("nick")));
        }
        let kept = if self.is("nick-as-sent") {
            nick.to_owned()
        } else {
            nick.to_ascii_lowercase()
        };
        let is_known = |value: &Value| {
            let value = value["nick"].as_str().unwrap_or_default();
            value.eq_ignore_ascii_case(nick) && !(self.is("nick-in-capitals") && value != nick)
        };
        if self.guests.iter().any(is_known) {
            return Err(no(409, "nick_taken", Some("nick")));
        }
        let id = format!("gu-{}", self.created + 100);
        self.created += 1;
        let guest = json!({"id": id, "name": name, "nick": kept, "charges": 0, "open_charges": 0});
        self.guests.push(guest.clone());
        Ok((201, guest))
    }

    fn guest_shown(&self, at: usize) -> Value {
        let mut guest = self.guests[at].clone();
        let is_open = |value: &&Value| {
            let is_open = value["status"] == "authorised" || self.is("captured-counted-open");
            value["guest"] == guest["id"] && is_open
        };
        let open = self.charges.iter().filter(is_open).count();
        guest["open_charges"] = open.into();
        guest
    }

    fn forget(&mut self, id: &str) -> Done {
        let at = find(&self.guests, id)?;
        let is_named = self.charges.iter().any(|charge| charge["guest"] == id);
        if is_named && !self.is("guest-forgotten") {
            return Err(no(409, "has_charges", None));
        }
        self.guests.remove(at);
        Ok((204, Value::Null))
    }

    fn found(&self, reference: &str) -> Done {
        let is_it = |value: &&Value| {
            let text = value["reference"].as_str().unwrap_or_default();
            text == reference || (self.is("beginning-found") && text.starts_with(reference))
        };
        let Some(charge) = self.charges.iter().find(is_it) else {
            return Err(no(404, "not_found", None));
        };
        let mut item = charge.clone();
        if self.is("found-as-made") {
            item["status"] = "authorised".into();
            item["captured_amount"] = 0.into();
            item["remaining_amount"] = item["amount"].clone();
        }
        Ok((200, item))
    }

    fn capture(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.charges, id)?;
        let all = self.charges[at]["amount"].as_i64().unwrap();
        let amount = match body.get("amount") {
            None => all,
            Some(_) => whole(body, "amount", i64::MAX)?,
        };
        if !body.is_null() && !has_only(body, &["amount"]) {
            return Err(no(400, "invalid", None));
        }
        let is_open = self.charges[at]["status"] == "authorised"
            || (self.is("captures-expired") && self.charges[at]["status"] == "expired");
        if !is_open {
            return Err(no(409, "not_authorised", None));
        }
        if amount > all {
            return Err(no(422, "too_much", Some("amount")));
        }
        let item = &mut self.charges[at];
        item["status"] = "captured".into();
        item["captured_amount"] = amount.into();
        item["remaining_amount"] = (all - amount).into();
        if self.fault == "nothing-released" {
            item["remaining_amount"] = 0.into();
        }
        let of = CURRENCIES.iter().position(|name| item["currency"] == *name);
        let booked = match self.fault {
            "captured-unbooked" => 0,
            "captured-whole" => all,
            _ => amount,
        };
        self.books[of.filter(|_| !self.is("one-currency")).unwrap_or(0)].0 += booked;
        Ok((200, self.charges[at].clone()))
    }

    fn available(&self, at: usize) -> i64 {
        self.books[at].0 - self.books[at].1
    }

    fn pay_out(&mut self, body: &Value) -> Done {
        let amount = whole(body, "amount", 100_000_000)?;
        let at = currency(body)?;
        if !has_only(body, &["amount", "currency"]) {
            return Err(no(400, "invalid", None));
        }
        if amount > self.available(at) && !self.is("overdrawn") {
            if self.is("refused-taken") {
                self.books[at].1 += amount;
            }
            return Err(no(422, "too_low", Some("amount")));
        }
        if !self.is("paid-out-untaken") {
            self.books[at].1 += amount;
        }
        let payout = json!({
            "id": format!("po-{}", self.payouts.len() + 100),
            "amount": amount,
            "currency": CURRENCIES[at],
            "status": "pending",
            "paid_at": null,
            "due": timestamp(Timestamp::now() + IN_TRANSIT),
        });
        self.payouts.push(payout.clone());
        Ok((202, shown(&payout)))
    }

    fn balance(&self) -> Value {
        let balances = CURRENCIES.iter().enumerate().map(|(at, name)| {
            let (captured, paid) = self.books[at];
            let available = if self.is("paid-out-available") {
                captured
            } else {
                captured - paid
            };
            json!({"currency": name, "available": available, "captured_total": captured, "paid_out_total": paid})
        });
        json!({ "balances": balances.collect::<Vec<_>>() })
    }
}

/// An amount in single precision.
#[allow(clippy::cast_possible_truncation, reason = "this is the fault")]
#[allow(clippy::cast_precision_loss, reason = "this is the fault")]
fn single(amount: i64) -> i64 {
    amount as f32 as i64
}
