//! A ledger (`ledger.yaml`): two accounts in one request, negative balances, idempotency keys that
//! two operations share, and refusals with request examples. It has at most one fault.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

/// The key that the ledger accepts.
pub(crate) const KEY: &str = "Bearer ledger-key-31";

/// The state of the ledger.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    accounts: Vec<Value>,
    transfers: Vec<Value>,
    refunds: Vec<Value>,
    rejected: Vec<String>,
    /// The keys of all operations together.
    once: Vec<(String, Value, Reply)>,
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
        let known = ask.header("authorization") == KEY;
        let scheme = if self.is("challenge-other") {
            "Basic"
        } else {
            "Bearer"
        };
        let mut refusal = self.no(401, "UNKNOWN_CALLER");
        refusal
            .headers
            .push(("www-authenticate", format!("{scheme} realm=\"ledger\"")));
        (!known).then_some(refusal)
    }

    fn unread(&self, _status: u16) -> Reply {
        self.no(400, "INVALID")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("GET", ["accounts"]) => self.accounts(ask),
            ("POST", ["accounts"]) => self.open_account(&ask.body),
            ("GET", ["accounts", id]) => self
                .find(&self.accounts, id)
                .map(|at| (200, self.accounts[at].clone())),
            ("POST", ["accounts", id, "freeze"]) => self.leave_open(id, "frozen"),
            ("POST", ["accounts", id, "close"]) => self.leave_open(id, "closed"),
            ("GET", ["transfers"]) => self.transfers(ask),
            ("POST", ["transfers"]) => return self.once(ask, Self::transfer),
            ("GET", ["transfers", id]) => self
                .find(&self.transfers, id)
                .map(|at| (200, self.transfers[at].clone())),
            ("POST", ["transfers", id, "settle"]) => self.settle(id),
            ("POST", ["transfers", id, step @ ("cancel" | "reject")]) => self.call_off(id, step),
            ("POST", ["transfers", _, "refunds"]) => return self.once(ask, Self::refund),
            ("GET", ["transfers", id, "refunds"]) => self.refunds(id),
            _ => Err(self.no(404, "NOT_FOUND")),
        };
        Reply::of(done)
    }
}

const STATES: [&str; 3] = ["open", "frozen", "closed"];

/// An amount in cents.
fn cents(text: &Value) -> Option<i64> {
    let text = text.as_str()?;
    let (whole, places) = text.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits =
        (1..=6).contains(&whole.len()) && places.len() == 2 && digits(whole) && digits(places);
    format!("{whole}{places}").parse().ok().filter(|_| fits)
}

fn money(cents: i64) -> Value {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100).into()
}

/// An amount in cents, which may be negative.
fn signed(text: &Value) -> i64 {
    text.as_str()
        .unwrap_or_default()
        .replace('.', "")
        .parse()
        .unwrap()
}

fn now() -> String {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%6fZ");
    now.to_string()
}

impl Store {
    fn no(&self, status: u16, code: &str) -> Reply {
        let code = match self.fault.split_once("code-") {
            Some(("", of)) if of == code => "OTHER",
            _ => code,
        };
        Reply::new(
            status,
            json!({"code": code, "message": "It cannot be done"}),
        )
    }

    fn find(&self, all: &[Value], id: &str) -> Result<usize, Reply> {
        let at = all.iter().position(|item| item["id"] == id);
        at.ok_or_else(|| self.no(404, "NOT_FOUND"))
    }

    fn open_account(&mut self, body: &Value) -> Done {
        let code = body["code"].as_str().unwrap_or_default();
        let fits = (2..=24).contains(&code.len())
            && code
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
        let limit = body
            .get("overdraft_limit")
            .cloned()
            .unwrap_or("0.00".into());
        let names = ["code", "overdraft_limit", "labels"];
        let labels = body.get("labels").cloned().unwrap_or(json!({}));
        let labels = labels.as_object().is_some_and(|label| {
            let few = label.len() <= 2 || self.is("labels-unlimited");
            few && label.values().all(Value::is_string)
        });
        if !fits || !labels || cents(&limit).is_none() || !has_only(body, &names) {
            return Err(self.no(400, "INVALID"));
        }
        let known = self
            .accounts
            .iter()
            .position(|account| account["code"] == code);
        if let Some(at) = known.filter(|_| !self.is("code-again")) {
            if self.is("limit-overwritten") {
                self.accounts[at]["overdraft_limit"] = limit;
            }
            return Err(self.no(409, "CODE_TAKEN"));
        }
        let id = format!("acc-{}", self.accounts.len() + 100);
        let closed = self.is("closed-at-once").then(now);
        let account = json!({"id": id, "code": code, "balance": "0.00", "overdraft_limit": limit,
            "status": "open", "closed_at": closed});
        self.accounts.push(account.clone());
        Ok((201, account))
    }

    fn accounts(&self, ask: &Ask) -> Done {
        let Some(requested) = ask.query("status") else {
            return Ok((200, json!({ "items": self.accounts })));
        };
        let mut states: Vec<&str> = requested.split(',').collect();
        if !states.iter().all(|state| STATES.contains(state)) {
            return Err(self.no(400, "INVALID"));
        }
        if self.is("first-status-only") {
            states.truncate(1);
        }
        let is_in = |value: &&Value| states.iter().any(|state| value["status"] == *state);
        let items: Vec<&Value> = self.accounts.iter().filter(is_in).collect();
        Ok((200, json!({ "items": items })))
    }

    /// Freezes or closes an open account.
    fn leave_open(&mut self, id: &str, state: &str) -> Done {
        let at = self.find(&self.accounts, id)?;
        let is_open = self.accounts[at]["status"] == "open";
        let from_frozen = self.accounts[at]["status"] == "frozen" && self.is("close-frozen");
        if !is_open && !from_frozen {
            return Err(self.no(409, "WRONG_STATE"));
        }
        self.accounts[at]["status"] = state.into();
        if state == "closed" && !self.is("close-untimed") {
            self.accounts[at]["closed_at"] = now().into();
        }
        if self.is("limit-forgotten") {
            self.accounts[at]["overdraft_limit"] = "0.00".into();
        }
        Ok((200, self.accounts[at].clone()))
    }

    /// Runs a request once for its key.
    fn once(&mut self, ask: &Ask, act: fn(&mut Self, &Ask) -> Done) -> Reply {
        let key = ask.header("idempotency-key").to_owned();
        let fits = match key.len() {
            0 => self.is("key-optional"),
            4..=64 => true,
            _ => self.is("key-of-any-length"),
        };
        if !fits {
            return self.no(400, "INVALID");
        }
        let requested = if self.is("key-elsewhere") {
            json!([[], ask.body])
        } else {
            json!([ask.path, ask.body])
        };
        if let Some((_, before, reply)) = self.once.iter().find(|item| item.0 == key) {
            return if *before == requested {
                reply.clone()
            } else {
                self.no(400, "INVALID")
            };
        }
        let done = Reply::of(act(self, ask));
        if done.status < 300 {
            self.once.push((key, requested, done.clone()));
        }
        done
    }

    fn transfer(&mut self, ask: &Ask) -> Done {
        let body = &ask.body;
        let party = |name: &str| {
            let id = body[name].as_str().unwrap_or_default();
            self.accounts.iter().position(|account| account["id"] == id)
        };
        let parties = (
            party("from_account_id"),
            party("to_account_id"),
            cents(&body["amount"]),
        );
        let names = ["from_account_id", "to_account_id", "amount"];
        let (Some(from), Some(to), Some(amount)) = parties else {
            return Err(self.no(400, "INVALID"));
        };
        if from == to || amount == 0 || !has_only(body, &names) {
            return Err(self.no(400, "INVALID"));
        }
        let left = signed(&self.accounts[from]["balance"]) - amount;
        let party = |at: usize| self.accounts[at]["status"].as_str().unwrap_or_default();
        let is_frozen = party(from) == "frozen" && !self.is("frozen-pays")
            || party(to) == "frozen" && !self.is("frozen-is-paid");
        if is_frozen {
            return Err(self.no(409, "WRONG_STATE"));
        }
        let limit = signed(&self.accounts[from]["overdraft_limit"]);
        let each_alone = self.is("limit-each") && amount <= limit;
        if !each_alone
            && left < -signed(&self.accounts[from]["overdraft_limit"])
            && !self.is("too-much")
        {
            if self.is("refused-credits") {
                let there = signed(&self.accounts[to]["balance"]) + amount;
                self.accounts[to]["balance"] = money(there);
            }
            return Err(self.no(422, "NOT_ENOUGH"));
        }
        self.accounts[from]["balance"] = money(left);
        let there = signed(&self.accounts[to]["balance"]) + amount;
        self.accounts[to]["balance"] = money(there);
        let mut transfer = body.clone();
        transfer["id"] = format!("trf-{}", self.transfers.len() + 100).into();
        transfer["amount_refunded"] = "0.00".into();
        transfer["status"] = "pending".into();
        transfer["settled_at"] = Value::Null;
        self.transfers.push(transfer.clone());
        Ok((201, transfer))
    }

    fn transfers(&self, ask: &Ask) -> Done {
        let number = |name: &str, default: usize| {
            let item = ask.query(name).map_or(Ok(default), str::parse::<usize>);
            item.map_err(|_| self.no(400, "INVALID"))
        };
        let (offset, limit) = (number("offset", 0)?, number("limit", 20)?);
        if !(1..=50).contains(&limit) {
            return Err(self.no(400, "INVALID"));
        }
        let sort = ask.query("sort");
        if sort.is_some_and(|sort| !["amount", "-amount"].contains(&sort)) {
            return Err(self.no(400, "INVALID"));
        }
        let mut all: Vec<&Value> = self.transfers.iter().collect();
        if let Some(sort) = sort.filter(|_| !self.is("sort-ignored")) {
            if self.is("ties-turned") && offset > 0 {
                all.reverse();
            }
            all.sort_by(|one, other| match self.fault {
                "sort-as-text" => one["amount"].as_str().cmp(&other["amount"].as_str()),
                _ => signed(&one["amount"]).cmp(&signed(&other["amount"])),
            });
            if sort == "-amount" && !self.is("sort-one-way") {
                all.reverse();
            }
        }
        let all = all.into_iter().skip(offset).take(limit);
        let mut items: Vec<Value> = all.cloned().collect();
        if self.is("short-pages") && items.len() == limit && limit > 1 {
            items.pop();
        }
        for item in items.iter_mut().filter(|_| self.is("list-old")) {
            item["status"] = "pending".into();
            item["settled_at"] = Value::Null;
        }
        let more = offset + limit < self.transfers.len() && !self.is("end-too-early");
        let offset = if self.is("offset-untold") { 0 } else { offset };
        Ok((
            200,
            json!({"items": items, "offset": offset, "has_more": more}),
        ))
    }

    /// Returns the money of a transfer that the payer cancels or the payee rejects.
    fn call_off(&mut self, id: &str, step: &str) -> Done {
        let at = self.find(&self.transfers, id)?;
        if self.transfers[at]["status"] != "pending" {
            return Err(self.no(409, "WRONG_STATE"));
        }
        for (party, sign) in [("from_account_id", 1), ("to_account_id", -1)] {
            let found = self.transfers[at][party].as_str().unwrap_or_default();
            let item = self.find(&self.accounts, found)?;
            let back = signed(&self.transfers[at]["amount"]) * sign;
            self.accounts[item]["balance"] = money(signed(&self.accounts[item]["balance"]) + back);
        }
        self.transfers[at]["status"] = "returned".into();
        self.rejected
            .extend((step == "reject").then(|| id.to_owned()));
        Ok((200, self.transfers[at].clone()))
    }

    fn settle(&mut self, id: &str) -> Done {
        let at = self.find(&self.transfers, id)?;
        let again = match self.fault {
            "settle-again" => true,
            "settle-twice" => self.transfers[at]["status"] == "settled",
            "settle-cancelled" => self.transfers[at]["status"] == "returned",
            "settle-rejected" => self.rejected.iter().any(|item| item == id),
            _ => false,
        };
        if self.transfers[at]["status"] != "pending" && !again {
            return Err(self.no(409, "WRONG_STATE"));
        }
        self.transfers[at]["status"] = "settled".into();
        if self.transfers[at]["settled_at"].is_null() || !self.is("settle-twice") {
            self.transfers[at]["settled_at"] = now().into();
        }
        Ok((200, self.transfers[at].clone()))
    }

    fn refund(&mut self, ask: &Ask) -> Done {
        let at = self.find(&self.transfers, &ask.path[1])?;
        let Some(amount) = cents(&ask.body["amount"]).filter(|body| *body > 0) else {
            return Err(self.no(400, "INVALID"));
        };
        if !has_only(&ask.body, &["amount"]) {
            return Err(self.no(400, "INVALID"));
        }
        let transfer = self.transfers[at].clone();
        if transfer["status"] != "settled" && !self.is("early-refund") {
            return Err(self.no(409, "WRONG_STATE"));
        }
        let taken = signed(&transfer["amount_refunded"]) + amount;
        if taken > signed(&transfer["amount"]) && !self.is("beyond") {
            return Err(self.no(422, "MORE_THAN_LEFT"));
        }
        self.transfers[at]["amount_refunded"] = money(taken);
        let id = format!("ref-{}", self.refunds.len() + 100);
        let refund = json!({"id": id, "transfer_id": transfer["id"], "amount": ask.body["amount"]});
        self.refunds.push(refund.clone());
        Ok((201, refund))
    }

    fn refunds(&self, id: &str) -> Done {
        self.find(&self.transfers, id)?;
        let selected = self
            .refunds
            .iter()
            .filter(|refund| refund["transfer_id"] == id);
        let mut items: Vec<Value> = selected.cloned().collect();
        let sum = items.iter().map(|item| signed(&item["amount"])).sum();
        if self.is("last-refund-only") && items.len() > 1 {
            items = items.split_off(1);
        }
        let sum = if self.is("total-of-one") { 1000 } else { sum };
        Ok((200, json!({"items": items, "total_amount": money(sum)})))
    }
}
