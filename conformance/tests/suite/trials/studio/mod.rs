//! A studio with a document of its own (`studio.yaml`) that bills its clients: records stand in envelopes, and others tell what they
//! come to. Right in everything, or wrong in one thing that it is told.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer studio-on-the-third-floor";

/// The most lines of a bill.
const MOST: usize = 4;

/// So often a client is reminded of a bill.
const REMINDERS: u64 = 2;

/// Everything that the studio knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    clients: Vec<Value>,
    bills: Vec<Value>,
    drafted: usize,
    sent: usize,
    payments: usize,
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
            ("POST", ["clients"]) => self.add_client(body),
            ("GET", ["clients", id]) => self.client(id),
            ("DELETE", ["clients", id]) => self.delete_client(id),
            ("GET", ["clients", id, "statement"]) => self.statement(id),
            ("POST", ["bills"]) => self.draft(body),
            ("GET", ["bills"]) => self.list(ask),
            ("GET", ["bills", id]) => self.bill(id),
            ("POST", ["bills", id, "send"]) => self.send(id),
            ("POST", ["bills", id, "remind"]) => self.remind(id),
            ("POST", ["bills", id, "void"]) => self.void(id),
            ("POST", ["bills", id, "payments"]) => self.pay(id, body),
            _ => Err(no(404)),
        })
    }
}

fn no(status: u16) -> Reply {
    Reply::new(status, json!({"code": "refused"}))
}

fn ensure(holds: bool, status: u16) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status)) }
}

fn place(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|own| own["id"] == id);
    at.ok_or_else(|| no(404))
}

/// What stands in an envelope, with nothing but these.
fn inner<'b>(body: &'b Value, name: &str, names: &[&str]) -> Result<&'b Value, Reply> {
    let is_formed = has_only(body, &[name]) && has_only(&body[name], names);
    ensure(is_formed, 422)?;
    Ok(&body[name])
}

fn is_text(own: &Value, most: usize) -> bool {
    let length = own.as_str().map_or(0, |own| own.chars().count());
    (1..=most).contains(&length)
}

fn is_number(own: &Value, least: u64, most: u64) -> bool {
    own.as_u64()
        .is_some_and(|own| (least..=most).contains(&own))
}

fn number(own: &Value) -> u64 {
    own.as_u64().unwrap_or_default()
}

impl Store {
    fn add_client(&mut self, body: &Value) -> Done {
        let own = inner(body, "client", &["name", "term_days"])?;
        let term = own.get("term_days").cloned().unwrap_or_else(|| json!(30));
        let name = own["name"].as_str().unwrap_or_default();
        let is_named = is_text(&own["name"], 40) && !name.trim().is_empty();
        ensure(is_named && is_number(&term, 1, 90), 422)?;
        let name = match self.fault {
            "name-untrimmed" => name,
            _ => name.trim(),
        };
        let id = format!("clt_{}", self.clients.len() + 1);
        self.clients
            .push(json!({"id": id, "name": name, "term_days": term}));
        Ok((201, self.client(&id)?.1))
    }

    fn of(&self, client: &str) -> impl Iterator<Item = &Value> {
        let client = json!(client);
        self.bills
            .iter()
            .filter(move |own| own["client_id"] == client)
    }

    fn client(&self, id: &str) -> Done {
        let mut own = self.clients[place(&self.clients, id)?].clone();
        let is_sent = |own: &&Value| own["status"] == "sent";
        let mut balance: u64 = self
            .of(id)
            .filter(is_sent)
            .map(|own| number(&own["due"]))
            .sum();
        if self.is("balance-keeps-void") {
            let voided = self.of(id).filter(|own| own["status"] == "void");
            let voided = voided.filter(|own| own["number"].is_string());
            balance += voided.map(|own| number(&own["total"])).sum::<u64>();
        }
        let of_draft = self.is("draft-is-unpaid");
        let is_unpaid = |own: &&Value| is_sent(own) || of_draft && own["status"] == "draft";
        own["balance"] = json!(balance);
        own["unpaid_bills"] = json!(self.of(id).filter(is_unpaid).count());
        Ok((200, json!({"client": own})))
    }

    fn delete_client(&mut self, id: &str) -> Done {
        let at = place(&self.clients, id)?;
        let may_be_sent = self.is("deleted-with-sent");
        let is_free =
            |own: &Value| own["status"] == "draft" || may_be_sent && own["status"] == "sent";
        if !self.of(id).all(is_free) {
            return Err(Reply::new(409, json!({"code": "client_has_bills"})));
        }
        if !self.is("drafts-survive") {
            self.bills.retain(|own| own["client_id"] != id);
        }
        self.clients[at]["id"] = Value::Null;
        Ok((204, Value::Null))
    }

    fn statement(&self, id: &str) -> Done {
        place(&self.clients, id)?;
        let has_void = self.is("statement-has-void");
        let counts = |own: &&Value| match own["status"].as_str() {
            Some("sent" | "paid") => true,
            Some("void") => has_void && own["number"].is_string(),
            _ => false,
        };
        let billed: u64 = self
            .of(id)
            .filter(counts)
            .map(|own| number(&own["total"]))
            .sum();
        Ok((200, json!({"client_id": id, "billed": billed})))
    }

    fn draft(&mut self, body: &Value) -> Done {
        let own = inner(body, "bill", &["client_id", "note", "lines"])?;
        let none = json!([]);
        let lines = own.get("lines").unwrap_or(&none);
        let lines = lines.as_array().ok_or_else(|| no(422))?;
        let is_noted = own.get("note").is_none_or(|own| is_text(own, 80));
        ensure(is_noted && lines.len() <= MOST, 422)?;
        let otherwise = if self.is("tax-left-out") { 0 } else { 20 };
        let mut total = 0;
        let mut shown = Vec::new();
        for line in lines {
            let rate = line
                .get("tax_rate")
                .cloned()
                .unwrap_or_else(|| json!(otherwise));
            let is_formed = has_only(line, &["text", "quantity", "price", "tax_rate"])
                && is_text(&line["text"], 40)
                && is_number(&line["quantity"], 1, 100)
                && is_number(&line["price"], 0, 100_000)
                && is_number(&rate, 0, 25);
            ensure(is_formed, 422)?;
            let net = number(&line["quantity"]) * number(&line["price"]);
            total += net + net * number(&rate) / 100;
            let mut line = line.clone();
            line["tax_rate"] = rate;
            shown.push(line);
        }
        let client = own["client_id"].as_str().unwrap_or_default();
        ensure(place(&self.clients, client).is_ok(), 422)?;
        self.drafted += 1;
        let now = jiff::Timestamp::now();
        let mut bill = json!({
            "id": format!("bil_{}", self.drafted),
            "client_id": client,
            "number": null,
            "status": "draft",
            "lines": shown,
            "total": total,
            "paid": 0,
            "due": total,
            "reminders": 0,
            "created_at": format!("{now:.3}"),
        });
        if let Some(note) = own.get("note").filter(|_| !self.is("note-lost")) {
            bill["note"] = note.clone();
        }
        self.bills.push(bill.clone());
        Ok((201, json!({"bill": bill})))
    }

    fn list(&self, ask: &Ask) -> Done {
        let asked = |name: &str, otherwise: usize| match ask.query(name) {
            None => Ok(otherwise),
            Some(own) => own.parse().map_err(|_| no(422)),
        };
        let (page, limit) = (asked("page", 1)?, asked("limit", 20)?);
        let sort = ask.query("sort").unwrap_or("total");
        let is_sort = matches!(sort, "total" | "-total");
        ensure(page > 0 && (1..=100).contains(&limit) && is_sort, 422)?;
        let mut all: Vec<&Value> = self.bills.iter().collect();
        if self.is("ties-newest") {
            all.reverse();
        }
        all.sort_by_key(|own| {
            let total = i128::from(number(&own["total"]));
            if sort == "total" { total } else { -total }
        });
        let shown: Vec<&Value> = all
            .into_iter()
            .skip((page - 1) * limit)
            .take(limit)
            .collect();
        Ok((200, json!({"bills": shown})))
    }

    fn bill(&self, id: &str) -> Done {
        let at = place(&self.bills, id)?;
        Ok((200, json!({"bill": self.bills[at]})))
    }

    fn send(&mut self, id: &str) -> Done {
        let at = place(&self.bills, id)?;
        let may_be_none = self.is("sent-for-nothing");
        let own = &mut self.bills[at];
        let has_some = number(&own["total"]) > 0 || may_be_none;
        ensure(own["status"] == "draft" && has_some, 409)?;
        self.sent += 1;
        own["status"] = json!("sent");
        own["number"] = json!(format!("B-{:04}", self.sent));
        self.bill(id)
    }

    fn remind(&mut self, id: &str) -> Done {
        let at = place(&self.bills, id)?;
        let most = REMINDERS + u64::from(self.is("reminded-thrice"));
        let own = &mut self.bills[at];
        let reminders = number(&own["reminders"]);
        ensure(own["status"] == "sent" && reminders < most, 409)?;
        own["reminders"] = json!(reminders + 1);
        self.bill(id)
    }

    fn void(&mut self, id: &str) -> Done {
        let at = place(&self.bills, id)?;
        let is_lost = self.is("number-lost");
        let own = &mut self.bills[at];
        let is_open = own["status"] == "draft" || own["status"] == "sent";
        ensure(is_open && own["paid"] == 0, 409)?;
        own["status"] = json!("void");
        own["due"] = json!(0);
        if is_lost {
            own["number"] = Value::Null;
        }
        self.bill(id)
    }

    fn pay(&mut self, id: &str, body: &Value) -> Done {
        let at = place(&self.bills, id)?;
        let asked = inner(body, "payment", &["amount"])?;
        ensure(is_number(&asked["amount"], 1, 99_999_999), 422)?;
        let may_be_more = self.is("overpaid");
        let own = &mut self.bills[at];
        ensure(own["status"] == "sent", 409)?;
        let (amount, due) = (number(&asked["amount"]), number(&own["due"]));
        ensure(amount <= due || may_be_more, 422)?;
        own["paid"] = json!(number(&own["paid"]) + amount);
        own["due"] = json!(due.saturating_sub(amount));
        if own["due"] == 0 {
            own["status"] = json!("paid");
        }
        self.payments += 1;
        let payment = format!("pay_{}", self.payments);
        Ok((
            201,
            json!({"payment": {"id": payment, "bill_id": id, "amount": amount}}),
        ))
    }
}
