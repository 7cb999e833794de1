//! Accounts and transfers with a document of their own (`giro.yaml`), in which what stands in the way of a step is told in words
//! only. Right in everything, or wrong in one thing that it is told.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer giro-of-1951";

/// Everything that the bank knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    accounts: Vec<Value>,
    payees: Vec<Value>,
    orders: Vec<Value>,
    transfers: Vec<Value>,
    bills: Vec<Value>,
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
            ("POST", ["accounts"]) => self.open(body),
            ("GET", ["accounts", id]) => {
                find(&self.accounts, id).map(|at| (200, self.accounts[at].clone()))
            }
            ("POST", ["accounts", id, "close"]) => self.close(id),
            ("POST", ["payees"]) => self.add(body),
            ("GET", ["payees", id]) => {
                find(&self.payees, id).map(|at| (200, self.payees[at].clone()))
            }
            ("PATCH", ["payees", id]) => self.rename(id, body),
            ("DELETE", ["payees", id]) => self.remove(id),
            ("POST", ["bills"]) => self.bill(body),
            ("GET", ["bills"]) => {
                let newest: Vec<&Value> = self.bills.iter().rev().collect();
                Ok((200, json!({"data": newest})))
            }
            ("GET", ["bills", id]) => find(&self.bills, id).map(|at| (200, self.bills[at].clone())),
            ("POST", ["bills", id, "payments"]) => self.pay(id, body),
            ("POST", ["receipt-notes"]) => self.receipt(body),
            ("POST", ["orders"]) => self.save(body),
            ("GET", ["orders", id]) => {
                find(&self.orders, id).map(|at| (200, self.orders[at].clone()))
            }
            ("POST", ["orders", id, "activate"]) => self.activate(id),
            ("POST", ["transfers"]) => self.send(body),
            ("GET", ["transfers", id]) => {
                find(&self.transfers, id).map(|at| (200, self.transfers[at].clone()))
            }
            ("POST", ["transfers", id, "cancel"]) => self.cancel(id),
            _ => Err(no(404, "not_found")),
        })
    }
}

fn no(status: u16, code: &str) -> Reply {
    Reply::new(status, json!({"code": code}))
}

fn ensure(holds: bool, status: u16, code: &str) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status, code)) }
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|own| own["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

/// A record that a body names.
fn named(all: &[Value], id: &Value) -> Result<usize, Reply> {
    find(all, id.as_str().unwrap_or_default()).map_err(|_| no(422, "unknown"))
}

fn is_name(own: &Value) -> bool {
    let own = own.as_str();
    own.is_some_and(|own| (1..=40).contains(&own.chars().count()))
}

/// In hundredths; nothing is none.
fn sum(own: &Value) -> Option<i64> {
    let (whole, part) = own.as_str()?.split_once('.')?;
    let is_digits = |own: &str| own.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = whole == "0" || !whole.starts_with('0');
    let is_well = is_plain && (1..=7).contains(&whole.len()) && part.len() == 2;
    let is_well = is_well && is_digits(whole) && is_digits(part);
    let sum = format!("{whole}{part}").parse().ok().filter(|_| is_well)?;
    (sum > 0).then_some(sum)
}

fn text(sum: i64) -> Value {
    json!(format!("{}.{:02}", sum / 100, sum % 100))
}

impl Store {
    fn id(&mut self, kind: &str) -> Value {
        self.made += 1;
        json!(format!("{kind}_{}", self.made + 5000))
    }

    fn open(&mut self, body: &Value) -> Done {
        let paid_in = &body["paid_in"];
        let is_well = has_only(body, &["name", "paid_in"]) && is_name(&body["name"]);
        let is_paid = body.get("paid_in").is_none() || sum(paid_in).is_some();
        ensure(is_well && is_paid, 422, "invalid")?;
        let balance = text(sum(paid_in).unwrap_or_default());
        let account = json!({"id": self.id("acc"), "name": body["name"], "state": "open", "balance": balance});
        self.accounts.push(account.clone());
        Ok((201, account))
    }

    fn balance(&self, at: usize) -> i64 {
        sum(&self.accounts[at]["balance"]).unwrap_or_default()
    }

    fn close(&mut self, id: &str) -> Done {
        let at = find(&self.accounts, id)?;
        ensure(self.accounts[at]["state"] == "open", 409, "closed")?;
        let is_empty = self.balance(at) == 0 || self.is("closes-with-balance");
        ensure(is_empty, 409, "not_empty")?;
        self.accounts[at]["state"] = json!("closed");
        Ok((200, self.accounts[at].clone()))
    }

    fn add(&mut self, body: &Value) -> Done {
        let is_well = has_only(body, &["name"]) && is_name(&body["name"]);
        ensure(is_well, 422, "invalid")?;
        let payee = json!({"id": self.id("pay"), "name": body["name"], "version": 1});
        self.payees.push(payee.clone());
        Ok((201, payee))
    }

    fn rename(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.payees, id)?;
        let is_well = has_only(body, &["name"]) && is_name(&body["name"]);
        ensure(is_well, 422, "invalid")?;
        let payee = &mut self.payees[at];
        let is_other = payee["name"] != body["name"];
        payee["name"] = body["name"].clone();
        if is_other || self.fault == "counts-nothing" {
            payee["version"] = json!(payee["version"].as_u64().unwrap_or_default() + 1);
        }
        Ok((200, payee.clone()))
    }

    fn bill(&mut self, body: &Value) -> Done {
        let is_well = has_only(body, &["total"]) && sum(&body["total"]).is_some();
        ensure(is_well, 422, "invalid")?;
        let total = &body["total"];
        let bill =
            json!({"id": self.id("bil"), "total": total, "amount_due": total, "state": "open"});
        self.bills.push(bill.clone());
        Ok((201, bill))
    }

    fn pay(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.bills, id)?;
        let paid = sum(&body["amount"]).filter(|_| has_only(body, &["amount"]));
        let paid = paid.ok_or_else(|| no(422, "invalid"))?;
        let due = sum(&self.bills[at]["amount_due"]).unwrap_or_default();
        ensure(paid <= due, 409, "too_much")?;
        self.bills[at]["amount_due"] = text(due - paid);
        let is_all = paid == due && !self.is("stays-open");
        if is_all || self.is("paid-early") {
            self.bills[at]["state"] = json!("paid");
        }
        Ok((
            201,
            json!({"id": self.id("pmt"), "bill_id": id, "amount": body["amount"]}),
        ))
    }

    fn receipt(&mut self, body: &Value) -> Done {
        ensure(has_only(body, &["bill_id"]), 422, "invalid")?;
        let at = named(&self.bills, &body["bill_id"])?;
        let is_paid = self.bills[at]["state"] == "paid" || self.is("receipts-open");
        ensure(is_paid, 409, "too_early")?;
        Ok((
            201,
            json!({"id": self.id("rec"), "bill_id": body["bill_id"]}),
        ))
    }

    fn remove(&mut self, id: &str) -> Done {
        let at = find(&self.payees, id)?;
        let has = |all: &[Value], state: &str| {
            let mut all = all.iter();
            all.any(|own| own["payee_id"] == id && own["state"] == state)
        };
        let is_awaited = has(&self.transfers, "pending") && !self.is("removes-awaited");
        let is_ordered = has(&self.orders, "active") && !self.is("removes-ordered");
        ensure(!is_awaited && !is_ordered, 409, "payee_in_use")?;
        self.payees.remove(at);
        Ok((204, Value::Null))
    }

    fn save(&mut self, body: &Value) -> Done {
        let is_well = has_only(body, &["payee_id", "sum"]) && sum(&body["sum"]).is_some();
        ensure(is_well, 422, "invalid")?;
        named(&self.payees, &body["payee_id"])?;
        let order = json!({"id": self.id("ord"), "payee_id": body["payee_id"], "sum": body["sum"], "state": "draft"});
        self.orders.push(order.clone());
        Ok((201, order))
    }

    fn activate(&mut self, id: &str) -> Done {
        let at = find(&self.orders, id)?;
        ensure(self.orders[at]["state"] == "draft", 409, "active")?;
        self.orders[at]["state"] = json!("active");
        Ok((200, self.orders[at].clone()))
    }

    fn send(&mut self, body: &Value) -> Done {
        let names = ["account_id", "payee_id", "order_id", "sum"];
        let is_one = body.get("sum").is_some() != body.get("order_id").is_some();
        let of_order = body.get("order_id").is_some() || sum(&body["sum"]).is_some();
        ensure(has_only(body, &names) && is_one && of_order, 422, "invalid")?;
        let at = named(&self.accounts, &body["account_id"])?;
        named(&self.payees, &body["payee_id"])?;
        let told = match body.get("order_id") {
            Some(order) => self.orders[named(&self.orders, order)?]["sum"].clone(),
            None => body["sum"].clone(),
        };
        ensure(self.accounts[at]["state"] == "open", 409, "closed")?;
        let (sum, balance) = (sum(&told).unwrap_or_default(), self.balance(at));
        let is_there = sum <= balance || self.is("sends-more");
        ensure(is_there, 409, "too_little")?;
        if !self.is("sends-for-nothing") {
            self.accounts[at]["balance"] = text((balance - sum).max(0));
        }
        let transfer = json!({
            "id": self.id("tra"),
            "account_id": body["account_id"],
            "payee_id": body["payee_id"],
            "order_id": body["order_id"],
            "sum": told,
            "fee": "0.00",
            "state": "pending",
        });
        self.transfers.push(transfer.clone());
        Ok((201, transfer))
    }

    fn cancel(&mut self, id: &str) -> Done {
        let at = find(&self.transfers, id)?;
        ensure(self.transfers[at]["state"] == "pending", 409, "cancelled")?;
        self.transfers[at]["state"] = json!("cancelled");
        let sum = sum(&self.transfers[at]["sum"]).unwrap_or_default();
        let account = named(&self.accounts, &self.transfers[at]["account_id"])?;
        if !self.is("keeps-cancelled") {
            self.accounts[account]["balance"] = text(self.balance(account) + sum);
        }
        Ok((200, self.transfers[at].clone()))
    }
}
