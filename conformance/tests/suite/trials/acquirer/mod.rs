//! An acquirer (`acquirer.yaml`): amounts are objects with a currency, captures and refunds default
//! to the rest, and a balance has one amount for each currency. It has at most one fault.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

/// The key that the acquirer accepts.
pub(crate) const KEY: &str = "Bearer acquirer-key-73";

/// The state of the acquirer.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    payments: Vec<Value>,
    refunds: Vec<Value>,
    payouts: Vec<Value>,
    events: Vec<Value>,
    /// The key, operation, body and answer of each request with a key.
    answered: Vec<(String, String, Value, Reply)>,
    /// The amount that can be paid out, by currency.
    available: [i64; 2],
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
        (ask.header("authorization") != KEY).then(|| no(401, "unauthorised"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(422, "invalid")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let key = ask.header("idempotency-key").to_owned();
        if key.is_empty() || ask.method() != "POST" {
            return self.act(ask);
        }
        if key.chars().count() > 64 {
            return no(422, "invalid");
        }
        let of = ask.path.join("/");
        let is_known = |item: &&(String, String, Value, Reply)| item.0 == key;
        let is_deaf = self.fault.strip_prefix("key-ignored-by-");
        let is_deaf = is_deaf.is_some() && is_deaf == ask.path.last().map(String::as_str);
        if let Some(known) = self.answered.iter().find(is_known).filter(|_| !is_deaf) {
            if (&known.1, &known.2) == (&of, &ask.body) || self.is("key-of-anything") {
                return known.3.clone();
            }
            return no(422, "key_used");
        }
        let reply = self.act(ask);
        let is_kept = reply.status < 300;
        if is_kept {
            self.answered
                .push((key, of, ask.body.clone(), reply.clone()));
        }
        reply
    }
}

fn no(status: u16, code: &str) -> Reply {
    Reply::new(status, json!({"code": code, "message": "Not so"}))
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|item| item["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

fn money(value: i64, currency: &str) -> Value {
    json!({"value": value, "currency": currency})
}

fn value(node: &Value) -> i64 {
    node["value"].as_i64().unwrap()
}

fn now() -> Value {
    let now = Timestamp::now();
    now.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string().into()
}

fn says_only(body: &Value, names: &[&str]) -> bool {
    body.is_null() || has_only(body, names)
}

/// The amount of a body, with its currency.
fn amount(body: &Value) -> Result<(i64, String), Reply> {
    let fields = &body["amount"];
    let value = fields["value"]
        .as_i64()
        .filter(|number| (1..=100_000_000).contains(number));
    let currency = fields["currency"]
        .as_str()
        .filter(|item| CURRENCIES.contains(item));
    let both = value
        .zip(currency)
        .filter(|_| says_only(fields, &["value", "currency"]));
    both.map(|(value, currency)| (value, currency.to_owned()))
        .ok_or_else(|| no(422, "invalid"))
}

/// An optional text of a body.
fn text(body: &Value, name: &str, most: usize) -> Result<Value, Reply> {
    let is_one = |text: &str| (1..=most).contains(&text.chars().count());
    match body.get(name) {
        None => Ok(Value::Null),
        Some(Value::String(text)) if is_one(text) => Ok(text.clone().into()),
        Some(_) => Err(no(422, "invalid")),
    }
}

impl Store {
    fn act(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("POST", ["payments"]) => self.create(&ask.body),
            ("GET", ["payments"]) => self.list(ask),
            ("GET", ["payments", id]) => self.read(id),
            ("PATCH", ["payments", id]) => self.change(id, &ask.body),
            ("GET", ["payments", id, "events"]) => self.events_of(id),
            ("POST", ["payments", id, "capture"]) => self.capture(id, &ask.body),
            ("POST", ["payments", id, "cancel"]) => self.cancel(id),
            ("POST", ["payments", id, "refunds"]) => self.refund(id, &ask.body),
            ("GET", ["payments", id, "refunds"]) => self.refunds_of(id),
            ("GET", ["refunds", id]) => {
                find(&self.refunds, id).map(|at| (200, self.refunds[at].clone()))
            }
            ("POST", ["payouts"]) => self.pay_out(&ask.body),
            ("GET", ["payouts", id]) => {
                find(&self.payouts, id).map(|at| (200, self.payouts[at].clone()))
            }
            ("GET", ["balance"]) => Ok((200, self.balance())),
            _ => Err(no(404, "not_found")),
        };
        Reply::of(done)
    }

    /// Records an event of a payment.
    fn happened(&mut self, id: &str, what: &str) {
        let times = match self.fault {
            "capture-untold" if what == "captured" => 0,
            "refund-told-twice" if what == "refunded" => 2,
            _ => 1,
        };
        let what = if self.is("cancel-told-as-capture") && what == "cancelled" {
            "captured"
        } else {
            what
        };
        for _ in 0..times {
            let event = json!({
                "id": format!("evt_{}", self.events.len() + 100),
                "paymentId": id,
                "type": what,
                "at": now(),
            });
            self.events.push(event);
        }
    }

    fn events_of(&self, id: &str) -> Done {
        find(&self.payments, id)?;
        let remaining = self.events.iter();
        let selected = remaining.filter(|item| item["paymentId"] == id || self.is("events-of-all"));
        let mut item: Vec<&Value> = selected.collect();
        if self.is("events-newest-first") {
            item.reverse();
        }
        Ok((200, json!({ "items": item })))
    }

    fn list(&self, ask: &Ask) -> Done {
        let status = ask.query("status");
        let currency = ask.query("currency");
        let limit = ask
            .query("limit")
            .map_or(Some(20), |item| item.parse::<usize>().ok());
        let limit = limit
            .filter(|limit| (1..=50).contains(limit))
            .ok_or_else(|| no(422, "invalid"))?;
        let states = [
            "authorised",
            "captured",
            "partially_refunded",
            "refunded",
            "cancelled",
        ];
        if status.is_some_and(|statu| !states.contains(&statu))
            || currency.is_some_and(|currency| !CURRENCIES.contains(&currency))
            || ask.query("after").is_some_and(|ask| ask.len() > 40)
        {
            return Err(no(422, "invalid"));
        }
        let fits = |value: &&Value| {
            let is_of_status = status.is_none_or(|status| value["status"] == status);
            let is_of_currency =
                currency.is_none_or(|currency| value["amount"]["currency"] == currency);
            match self.fault {
                "list-currency-ignored" => is_of_status,
                "list-status-ignored" => is_of_currency,
                "list-either" if status.is_some() && currency.is_some() => {
                    is_of_status || is_of_currency
                }
                "list-of-made" => {
                    status.is_none_or(|status| status == "authorised") && is_of_currency
                }
                _ => is_of_status && is_of_currency,
            }
        };
        let mut all: Vec<&Value> = self.payments.iter().rev().collect();
        if self.is("list-oldest-first") {
            all.reverse();
        }
        let is_late = self.is("list-filtered-late");
        let mut all: Vec<&Value> = all
            .into_iter()
            .filter(|item| is_late || fits(item))
            .collect();
        if let Some(after) = ask.query("after") {
            let Some(at) = all.iter().position(|item| item["id"] == after) else {
                return Err(no(422, "invalid"));
            };
            let skip = if self.is("list-repeats") { at } else { at + 1 };
            all.drain(..skip);
        }
        let has_more = all.len() > limit || (self.is("list-promises") && !all.is_empty());
        let ends = self.is("list-ends-early");
        all.truncate(limit);
        let next = all.last().map(|limit| limit["id"].clone());
        let page: Vec<&Value> = all.into_iter().filter(fits).collect();
        let has_more = has_more && (!is_late || !page.is_empty());
        let next = next.filter(|_| has_more && !ends);
        Ok((200, json!({"items": page, "nextCursor": next})))
    }

    fn change(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.payments, id)?;
        let is_label = |value: &Value| {
            value
                .as_str()
                .is_some_and(|item| item.chars().count() <= 40)
        };
        let labels = body.get("labels");
        let labelled = labels.is_none_or(|label| {
            label
                .as_object()
                .is_some_and(|item| item.values().all(is_label))
        });
        let selected = body.as_object().filter(|body| !body.is_empty() && labelled);
        if selected.is_none() || !says_only(body, &["description", "labels"]) {
            return Err(no(422, "invalid"));
        }
        let described = match body.get("description") {
            None => None,
            Some(Value::Null) => Some(Value::Null),
            Some(_) => Some(text(body, "description", 60)?),
        };
        let fault = self.fault;
        let item = &mut self.payments[at];
        match described {
            Some(text) if fault != "change-keeps-null" || !text.is_null() => {
                item["description"] = text;
            }
            None if fault == "change-clears-description" => item["description"] = Value::Null,
            _ => {}
        }
        if let Some(labels) = labels {
            if fault == "change-merges-labels" {
                for (name, label) in labels.as_object().unwrap() {
                    item["labels"][name] = label.clone();
                }
            } else {
                item["labels"] = labels.clone();
            }
        } else if fault == "change-clears-labels" {
            item["labels"] = json!({});
        }
        if fault == "change-resets-status" {
            item["status"] = "authorised".into();
        }
        let shown = item.clone();
        if fault == "change-forgotten" {
            item["description"] = "two chairs".into();
        }
        Ok((200, shown))
    }

    fn create(&mut self, body: &Value) -> Done {
        let (value, currency) = amount(body)?;
        let reference = text(body, "reference", 40)?;
        let description = text(body, "description", 60)?;
        let labels = body.get("labels").cloned().unwrap_or_else(|| json!({}));
        let is_label = |value: &Value| {
            value
                .as_str()
                .is_some_and(|item| item.chars().count() <= 40)
        };
        let labelled = labels
            .as_object()
            .is_some_and(|label| label.values().all(is_label));
        let names = ["reference", "amount", "description", "labels"];
        if reference.is_null() || !labelled || !says_only(body, &names) {
            return Err(no(422, "invalid"));
        }
        let shown = if self.is("amount-in-major") {
            value / 100
        } else {
            value
        };
        let currency = if self.is("currency-swapped") {
            "SEK".to_owned()
        } else {
            currency
        };
        let payment = json!({
            "id": format!("pay_{}", self.payments.len() + 100),
            "reference": reference,
            "status": "authorised",
            "amount": money(shown, &currency),
            "amountCaptured": money(0, &currency),
            "amountRefunded": money(0, &currency),
            "description": description,
            "labels": labels,
            "cancelledAt": null,
            "createdAt": now(),
        });
        self.payments.push(payment.clone());
        self.happened(payment["id"].as_str().unwrap(), "authorised");
        Ok((201, payment))
    }

    fn read(&self, id: &str) -> Done {
        let mut item = self.payments[find(&self.payments, id)?].clone();
        if self.is("read-uncaptured") {
            item["amountCaptured"]["value"] = 0.into();
        }
        Ok((200, item))
    }

    /// The requested amount, else everything that is left.
    fn requested_amount(&self, body: &Value, left: i64, of: &Value) -> Result<i64, Reply> {
        if body.get("amount").is_none() {
            return Ok(left);
        }
        let (value, currency) = amount(body)?;
        let is_of_payment = of["amount"]["currency"] == currency.as_str();
        if !is_of_payment && !self.is("any-currency") {
            return Err(no(422, "invalid"));
        }
        Ok(value)
    }

    fn capture(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.payments, id)?;
        if !says_only(body, &["amount"]) {
            return Err(no(422, "invalid"));
        }
        let all = value(&self.payments[at]["amount"]);
        let mut taken = self.requested_amount(body, all, &self.payments[at])?;
        let status = self.payments[at]["status"].as_str().unwrap();
        let is_open = status == "authorised"
            || (self.is("capture-after-cancel") && status == "cancelled")
            || (self.is("capture-again") && status == "captured");
        if !is_open {
            return Err(no(409, "wrong_state"));
        }
        if taken > all && !self.is("capture-too-much") {
            return Err(no(422, "too_much"));
        }
        if body.get("amount").is_none() && self.is("capture-all-takes-half") {
            taken /= 2;
        }
        let counted = match self.fault {
            "capture-uncounted" => 0,
            "capture-counts-all" => all,
            "capture-counts-one-more" => taken + 1,
            _ => taken,
        };
        let lowers = self.is("capture-lowers-amount");
        let forgets = self.is("capture-forgets-labels");
        let found = &mut self.payments[at];
        found["status"] = "captured".into();
        found["amountCaptured"]["value"] = counted.into();
        if lowers {
            found["amount"]["value"] = taken.into();
        }
        if forgets {
            found["labels"] = json!({});
        }
        let item = found.clone();
        let booked = match self.fault {
            "capture-unbooked" => 0,
            "capture-books-all" => all,
            _ => taken,
        };
        let of = if self.is("capture-books-euros") {
            "EUR"
        } else {
            item["amount"]["currency"].as_str().unwrap()
        };
        let of = CURRENCIES
            .iter()
            .position(|currency| *currency == of)
            .unwrap();
        self.available[of] += booked;
        self.happened(id, "captured");
        Ok((200, item))
    }

    fn cancel(&mut self, id: &str) -> Done {
        let at = find(&self.payments, id)?;
        let status = self.payments[at]["status"].as_str().unwrap();
        let is_open = status == "authorised"
            || (self.is("cancel-after-capture") && status == "captured")
            || (self.is("cancel-twice") && status == "cancelled");
        if !is_open {
            return Err(no(409, "wrong_state"));
        }
        let fault = self.fault;
        let found = &mut self.payments[at];
        found["status"] = "cancelled".into();
        found["cancelledAt"] = now();
        match fault {
            "cancel-zeroes-amount" => found["amount"]["value"] = 0.into(),
            "cancel-drops-labels" => found["labels"] = json!({}),
            "cancel-forgets-description" => found["description"] = Value::Null,
            "cancel-untimed" => found["cancelledAt"] = Value::Null,
            _ => {}
        }
        let item = found.clone();
        self.happened(id, "cancelled");
        Ok((200, item))
    }

    fn refund(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.payments, id)?;
        let reason = text(body, "reason", 60)?;
        if !says_only(body, &["amount", "reason"]) {
            return Err(no(422, "invalid"));
        }
        let item = self.payments[at].clone();
        let (captured, before) = (
            value(&item["amountCaptured"]),
            value(&item["amountRefunded"]),
        );
        let all = if self.is("refund-of-authorised") {
            value(&item["amount"])
        } else {
            captured
        };
        let mut taken = self.requested_amount(body, captured - before, &item)?;
        let status = item["status"].as_str().unwrap();
        let early = self.is("refund-before-capture") && status == "authorised";
        if !matches!(status, "captured" | "partially_refunded") && !early {
            return Err(no(409, "wrong_state"));
        }
        let too_much = match self.fault {
            "refund-too-much" => false,
            "refund-each-up-to-all" => taken > all,
            _ => taken + before > all && !early,
        };
        if too_much || taken == 0 {
            return Err(no(422, "too_much"));
        }
        if body.get("amount").is_none() && self.is("refund-all-takes-one") {
            taken = 1;
        }
        let counted = match self.fault {
            "refund-uncounted" => before,
            "refund-counts-last" => taken,
            _ => before + taken,
        };
        let is_all = before + taken == captured;
        let payment = &mut self.payments[at];
        payment["amountRefunded"]["value"] = counted.into();
        payment["status"] = if is_all {
            "refunded"
        } else {
            "partially_refunded"
        }
        .into();
        match self.fault {
            "refund-lowers-captured" => {
                payment["amountCaptured"]["value"] = (captured - taken).into();
            }
            "refund-part-is-all" => payment["status"] = "refunded".into(),
            "refund-rest-is-part" if before > 0 => {
                payment["status"] = "partially_refunded".into();
            }
            _ => {}
        }
        let shown = if self.is("refund-tells-all") {
            captured
        } else {
            taken
        };
        let currency = if self.is("refund-in-other-currency") {
            "SEK"
        } else {
            item["amount"]["currency"].as_str().unwrap()
        };
        let refund = json!({
            "id": format!("ref_{}", self.refunds.len() + 100),
            "paymentId": id,
            "amount": money(shown, currency),
            "reason": reason,
            "createdAt": now(),
        });
        self.refunds.push(refund.clone());
        self.happened(id, "refunded");
        Ok((201, refund))
    }

    fn refunds_of(&self, id: &str) -> Done {
        find(&self.payments, id)?;
        let selected = self
            .refunds
            .iter()
            .filter(|refund| refund["paymentId"] == id);
        Ok((200, json!({ "items": selected.collect::<Vec<_>>() })))
    }

    fn pay_out(&mut self, body: &Value) -> Done {
        let (taken, currency) = amount(body)?;
        let of = CURRENCIES
            .iter()
            .position(|item| *item == currency)
            .unwrap();
        if !says_only(body, &["amount"]) {
            return Err(no(422, "invalid"));
        }
        if taken > self.available[of] && !self.is("payout-overdraws") {
            return Err(no(422, "too_low"));
        }
        if !self.is("payout-untaken") {
            self.available[of] -= taken;
        }
        let payout = json!({
            "id": format!("out_{}", self.payouts.len() + 100),
            "amount": money(taken, &currency),
            "createdAt": now(),
        });
        self.payouts.push(payout.clone());
        Ok((201, payout))
    }

    fn balance(&self) -> Value {
        let amounts = CURRENCIES.iter().zip(self.available);
        let item = amounts.map(|(currency, value)| money(value, currency));
        json!({ "available": item.collect::<Vec<_>>() })
    }
}
