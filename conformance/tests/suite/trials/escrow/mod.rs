//! An escrow with a document of its own (`escrow.yaml`): parties are named by what they do, and milestones come with their
//! agreement. Right in everything, or wrong in one thing that it is told.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer escrow-until-noon";

/// The most milestones of an agreement.
const MOST: usize = 3;

/// Everything that the escrow knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    parties: Vec<Value>,
    accounts: Vec<Value>,
    agreements: Vec<Value>,
    deposits: Vec<Value>,
    /// The keys of deposits with what was asked for, and where the deposit stands.
    keys: Vec<(String, Value, usize)>,
    disputes: Vec<Value>,
    entries: Vec<Value>,
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
        (ask.header("authorization") != KEY).then(|| no(401))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(422)
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let body = &ask.body;
        Reply::of(match (ask.method(), &path[..]) {
            ("POST", ["parties"]) => self.register(body),
            ("GET", ["parties", id]) => found(&self.parties, id),
            ("POST", ["parties", id, "accounts"]) => self.add_account(id, body),
            ("GET", ["accounts", id]) => found(&self.accounts, id),
            ("POST", ["accounts", id, "prefer"]) => self.prefer(id),
            ("POST", ["agreements"]) => self.draw_up(body),
            ("GET", ["agreements", id]) => found(&self.agreements, id),
            ("POST", ["agreements", id, "deposits"]) => self.pay_in(id, ask),
            ("POST", ["milestones", id, "release"]) => self.release(id),
            ("POST", ["milestones", id, "disputes"]) => self.dispute(id, body),
            ("GET", ["disputes", id]) => found(&self.disputes, id),
            ("POST", ["disputes", id, "resolve"]) => self.resolve(id),
            ("GET", ["entries"]) => self.list(ask),
            _ => Err(no(404)),
        })
    }
}

fn no(status: u16) -> Reply {
    Reply::new(status, json!({"title": "Refused"}))
}

fn ensure(holds: bool, status: u16) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status)) }
}

fn place(all: &[Value], id: &Value) -> Option<usize> {
    all.iter().position(|own| own["id"] == *id)
}

fn found(all: &[Value], id: &str) -> Done {
    let at = place(all, &json!(id)).ok_or_else(|| no(404))?;
    Ok((200, all[at].clone()))
}

fn is_text(own: &Value, most: usize) -> bool {
    let length = own.as_str().map_or(0, |own| own.chars().count());
    (1..=most).contains(&length)
}

fn is_key(own: &Value) -> bool {
    let digits = own.as_str().and_then(|own| own.strip_prefix("pty_"));
    digits.is_some_and(|own| own.len() == 6 && own.bytes().all(|own| own.is_ascii_digit()))
}

fn is_amount(own: &Value, most: u64) -> bool {
    own.as_u64().is_some_and(|own| (1..=most).contains(&own))
}

impl Store {
    fn register(&mut self, body: &Value) -> Done {
        ensure(has_only(body, &["name"]) && is_text(&body["name"], 40), 422)?;
        let id = format!("pty_{:06}", self.parties.len() + 1);
        let party = json!({"id": id, "name": body["name"]});
        self.parties.push(party.clone());
        Ok((201, party))
    }

    fn add_account(&mut self, party: &str, body: &Value) -> Done {
        found(&self.parties, party)?;
        let is_default = body.get("is_default").unwrap_or(&Value::Bool(false));
        let is_formed = has_only(body, &["holder", "is_default"]) && is_default.is_boolean();
        ensure(is_formed && is_text(&body["holder"], 40), 422)?;
        if *is_default == true && !self.is("two-defaults") {
            self.prefer_none(&json!(party));
        }
        let account = json!({
            "id": format!("acc_{}", self.accounts.len() + 1),
            "party_id": party,
            "holder": body["holder"],
            "is_default": is_default,
        });
        self.accounts.push(account.clone());
        Ok((201, account))
    }

    fn prefer(&mut self, id: &str) -> Done {
        let at = place(&self.accounts, &json!(id)).ok_or_else(|| no(404))?;
        let party = self.accounts[at]["party_id"].clone();
        if !self.is("default-kept") {
            self.prefer_none(&party);
        }
        self.accounts[at]["is_default"] = json!(true);
        Ok((200, self.accounts[at].clone()))
    }

    fn prefer_none(&mut self, party: &Value) {
        let own = self
            .accounts
            .iter_mut()
            .filter(|own| own["party_id"] == *party);
        own.for_each(|own| own["is_default"] = json!(false));
    }

    fn draw_up(&mut self, body: &Value) -> Done {
        let milestones = body["milestones"].as_array().map_or(&[][..], Vec::as_slice);
        let is_known = |own: &Value| {
            let is_one = has_only(own, &["title", "amount"]) && is_text(&own["title"], 60);
            is_one && is_amount(&own["amount"], 1_000_000)
        };
        let most = MOST + usize::from(self.is("one-milestone-more"));
        let is_formed = (1..=most).contains(&milestones.len()) && milestones.iter().all(is_known);
        let is_formed = is_formed && has_only(body, &["buyer_id", "seller_id", "milestones"]);
        let mut titles: Vec<&str> = milestones
            .iter()
            .filter_map(|own| own["title"].as_str())
            .collect();
        titles.sort_unstable();
        titles.dedup();
        ensure(is_formed && titles.len() == milestones.len(), 422)?;
        let is_there = |own: &Value| place(&self.parties, own).is_some();
        let is_buyer =
            is_there(&body["buyer_id"]) || self.is("any-buyer") && is_key(&body["buyer_id"]);
        let differ = body["buyer_id"] != body["seller_id"];
        ensure(is_buyer && is_there(&body["seller_id"]) && differ, 422)?;
        let number = self.agreements.len() + 1;
        let milestones = milestones.iter().enumerate().map(|(at, own)| {
            let id = format!("mst_{}", number * 10 + at);
            json!({"id": id, "title": own["title"], "amount": own["amount"], "status": "pending"})
        });
        let milestones: Vec<Value> = milestones.collect();
        let amount: u64 = milestones
            .iter()
            .filter_map(|own| own["amount"].as_u64())
            .sum();
        let agreement = json!({
            "id": format!("agr_{number}"),
            "buyer_id": body["buyer_id"],
            "seller_id": body["seller_id"],
            "amount": amount,
            "status": "open",
            "milestones": milestones,
        });
        self.agreements.push(agreement.clone());
        Ok((201, agreement))
    }

    fn pay_in(&mut self, id: &str, ask: &Ask) -> Done {
        let at = place(&self.agreements, &json!(id)).ok_or_else(|| no(404))?;
        let (body, key) = (&ask.body, ask.header("idempotency-key"));
        let is_formed = has_only(body, &["amount"]) && is_amount(&body["amount"], 3_000_000);
        ensure(is_formed && (8..=64).contains(&key.len()), 422)?;
        let key = format!("{id} {key}");
        let known = self.keys.iter().find(|own| own.0 == key);
        if let Some((_, asked, first)) = known.filter(|_| !self.is("paid-in-again")) {
            ensure(asked == body, 409)?;
            return Ok((200, self.deposits[*first].clone()));
        }
        let amount = |own: &Value| own["amount"].as_u64().unwrap_or_default();
        let paid = self.deposits.iter().filter(|own| own["agreement_id"] == id);
        let paid = paid.map(amount).sum::<u64>() + amount(body);
        let whole = amount(&self.agreements[at]);
        ensure(paid <= whole, 409)?;
        let number = self.deposits.len() + 1;
        let deposit =
            json!({"id": format!("dep_{number}"), "agreement_id": id, "amount": body["amount"]});
        self.keys.push((key, body.clone(), self.deposits.len()));
        self.deposits.push(deposit.clone());
        self.entries.push(json!({
            "id": format!("ent_{number}"),
            "party_id": self.agreements[at]["buyer_id"],
            "agreement_id": id,
            "amount": body["amount"],
        }));
        if paid == whole {
            let agreement = &mut self.agreements[at];
            agreement["status"] = json!("funded");
            for own in agreement["milestones"].as_array_mut().into_iter().flatten() {
                own["status"] = json!("funded");
            }
        }
        Ok((201, deposit))
    }

    /// The agreement of a milestone, and its place in it.
    fn milestone(&self, id: &str) -> Result<(usize, usize), Reply> {
        let mut all = self.agreements.iter().enumerate();
        let found = all.find_map(|(at, own)| {
            let within = own["milestones"].as_array()?;
            Some((at, place(within, &json!(id))?))
        });
        found.ok_or_else(|| no(404))
    }

    fn release(&mut self, id: &str) -> Done {
        let (at, within) = self.milestone(id)?;
        let own = &mut self.agreements[at]["milestones"][within];
        ensure(own["status"] == "funded", 409)?;
        own["status"] = json!("released");
        let told = own.clone();
        Ok((200, told))
    }

    fn dispute(&mut self, id: &str, body: &Value) -> Done {
        let (at, _) = self.milestone(id)?;
        let is_formed = has_only(body, &["opened_by", "reason"]) && is_text(&body["reason"], 200);
        let own = &self.agreements[at];
        let is_of_it = [&own["buyer_id"], &own["seller_id"]].contains(&&body["opened_by"]);
        ensure(is_formed && is_of_it, 422)?;
        let opened_by = match self.fault {
            "dispute-of-nobody" => json!("pty_000000"),
            _ => body["opened_by"].clone(),
        };
        let dispute = json!({
            "id": format!("dsp_{}", self.disputes.len() + 1),
            "milestone_id": id,
            "opened_by": opened_by,
            "reason": body["reason"],
            "status": "open",
            "version": 1,
        });
        self.disputes.push(dispute.clone());
        Ok((201, dispute))
    }

    fn resolve(&mut self, id: &str) -> Done {
        let at = place(&self.disputes, &json!(id)).ok_or_else(|| no(404))?;
        let is_open = self.disputes[at]["status"] == "open" || self.is("resolved-twice");
        ensure(is_open, 409)?;
        let own = &mut self.disputes[at];
        own["status"] = json!("resolved");
        if self.fault != "version-stands" {
            own["version"] = json!(own["version"].as_u64().unwrap_or_default() + 1);
        }
        Ok((200, self.disputes[at].clone()))
    }

    fn list(&self, ask: &Ask) -> Done {
        let number = |name: &str, otherwise: usize| match ask.query(name) {
            None => Ok(otherwise),
            Some(own) => own.parse().map_err(|_| no(422)),
        };
        let (limit, offset) = (number("limit", 20)?, number("offset", 0)?);
        let asked = ["party_id", "agreement_id"].map(|name| (name, ask.query(name)));
        let is_asked = asked.iter().any(|own| own.1.is_some());
        ensure((1..=50).contains(&limit) && is_asked, 422)?;
        let fits = |own: &&Value| {
            let mut all = asked.iter();
            all.all(|(name, wanted)| wanted.is_none_or(|wanted| own[*name] == wanted))
        };
        let all: Vec<&Value> = self.entries.iter().filter(fits).collect();
        let again = usize::from(self.is("page-again") && offset > 0);
        let items = all.iter().skip(offset - again).take(limit);
        let shown = items.map(|own| {
            let mut own = (*own).clone();
            if self.is("amount-as-text") {
                own["amount"] = json!(own["amount"].to_string());
            }
            own
        });
        Ok((
            200,
            json!({"items": shown.collect::<Vec<_>>(), "total": all.len()}),
        ))
    }
}
