//! Billing (`billing.yaml`): prices as decimal texts with totals and taxes, subscriptions that are
//! tried, paused and cancelled now or later, and invoices. It has at most one fault.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

/// The key that the server accepts.
pub(crate) const KEY: &str = "billing-key-91";

/// The state of the server.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    customers: Vec<Value>,
    plans: Vec<Value>,
    subscriptions: Vec<Value>,
    invoices: Vec<Value>,
    number: u64,
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
        (ask.header("x-billing-key") != KEY).then(|| no(401, "unauthorized"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(400, "invalid")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("POST", ["customers"]) => self.create_customer(&ask.body),
            ("GET", ["customers"]) => self.list_customers(ask),
            ("GET", ["customers", id]) => found(&self.customers, id),
            ("DELETE", ["customers", id]) => self.delete_customer(id),
            ("POST", ["plans"]) => self.create_plan(&ask.body),
            ("GET", ["plans", id]) => found(&self.plans, id),
            ("PATCH", ["plans", id]) => self.change_plan(id, &ask.body),
            ("POST", ["customers", id, "subscriptions"]) => self.subscribe(id, &ask.body),
            ("GET", ["customers", id, "subscriptions"]) => self.list_subscriptions(ask, id),
            ("GET", ["subscriptions", id]) => found(&self.subscriptions, id),
            ("PATCH", ["subscriptions", id]) => self.change_subscription(id, &ask.body),
            ("POST", ["subscriptions", id, "invoices"]) => self.invoice(id),
            ("GET", ["subscriptions", id, "invoices"]) => self.list_invoices(id),
            ("POST", ["subscriptions", id, step]) => self.step(id, step, &ask.body),
            ("GET", ["invoices", id]) => found(&self.invoices, id),
            ("DELETE", ["invoices", id]) => self.delete_invoice(id),
            ("POST", ["invoices", id, step]) => self.settle(id, step),
            _ => Err(no(404, "not_found")),
        };
        Reply::of(done)
    }
}

fn no(status: u16, code: &str) -> Reply {
    Reply::new(
        status,
        json!({"error": {"code": code, "message": "Not so"}}),
    )
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all
        .iter()
        .position(|item| item["id"] == id && item["gone"] != true);
    at.ok_or_else(|| no(404, "not_found"))
}

fn found(all: &[Value], id: &str) -> Done {
    find(all, id).map(|at| (200, all[at].clone()))
}

fn timestamp(time: Timestamp) -> Value {
    time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string().into()
}

fn text<'b>(body: &'b Value, name: &str, most: usize) -> Result<&'b str, Reply> {
    let fields = body[name].as_str();
    let selected = fields.filter(|item| (1..=most).contains(&item.chars().count()));
    selected.ok_or_else(|| no(400, "invalid"))
}

/// A price in hundredths.
fn cents(text: &str) -> Option<i64> {
    let (whole, places) = text.split_once('.')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole = (1..=6).contains(&whole.len()) && is_number(whole);
    let is_plain = is_whole && places.len() == 2 && is_number(places);
    let leads = whole.len() > 1 && whole.starts_with('0');
    let item = format!("{whole}{places}").parse().ok();
    item.filter(|_| is_plain && !leads)
}

fn price(cents: i64) -> Value {
    format!("{}.{:02}", cents / 100, cents % 100).into()
}

fn cents_of(value: &Value) -> i64 {
    cents(value.as_str().unwrap()).unwrap_or_else(|| {
        let digits = value.as_str().unwrap().replace('.', "");
        digits.parse().unwrap()
    })
}

fn whole(body: &Value, name: &str, (least, most, default): (i64, i64, i64)) -> Result<i64, Reply> {
    match body.get(name) {
        None => Ok(default),
        Some(value) => {
            let selected = value
                .as_i64()
                .filter(|number| (least..=most).contains(number));
            selected.ok_or_else(|| no(400, "invalid"))
        }
    }
}

fn query(ask: &Ask, name: &str, (most, default): (usize, usize)) -> Result<usize, Reply> {
    let found = ask
        .query(name)
        .map_or(Some(default), |text| text.parse().ok());
    found
        .filter(|item| (1..=most).contains(item))
        .ok_or_else(|| no(400, "invalid"))
}

/// A page of records, with their number.
fn page(ask: &Ask, name: &str, all: &[&Value]) -> Done {
    let number = query(ask, "page", (usize::MAX, 1))?;
    let size = query(ask, "per_page", (100, 25))?;
    let page: Vec<&&Value> = all
        .iter()
        .skip((number - 1).saturating_mul(size))
        .take(size)
        .collect();
    Ok((200, json!({name: page, "total": all.len()})))
}

impl Store {
    fn id(&mut self, kind: &str) -> Value {
        self.number += 1;
        format!("{kind}-{}", 1000 + self.number).into()
    }

    fn create_customer(&mut self, body: &Value) -> Done {
        let (email, name) = (text(body, "email", 120)?, text(body, "name", 80)?);
        let is_email = email.split_once('@').is_some_and(|(user, host)| {
            !user.is_empty() && host.contains('.') && !host.starts_with('.') && !host.contains('@')
        });
        if !is_email || email.contains(' ') || !has_only(body, &["email", "name"]) {
            return Err(no(400, "invalid"));
        }
        let is_known = self.customers.iter().any(|customer| {
            let own_email = customer["email"].as_str().unwrap();
            let same = match self.fault {
                "email-case" => own_email == email,
                "email-twice" => false,
                _ => own_email.eq_ignore_ascii_case(email),
            };
            same && customer["gone"] != true
        });
        if is_known {
            return Err(no(409, "email_taken"));
        }
        let kept: String = if self.is("name-shortened") {
            name.chars().take(40).collect()
        } else {
            name.to_owned()
        };
        let customer = json!({
            "id": self.id("cus"),
            "email": email,
            "name": kept,
            "subscription_count": 0,
            "last_subscribed_at": null,
            "created_at": timestamp(Timestamp::now()),
        });
        self.customers.push(customer.clone());
        Ok((201, customer))
    }

    fn list_customers(&self, ask: &Ask) -> Done {
        let email = ask.query("email");
        if email.is_some_and(|email| email.len() > 120 || !email.contains('@')) {
            return Err(no(400, "invalid"));
        }
        let fits = |value: &&Value| {
            let timestamp = value["email"].as_str().unwrap();
            let is_requested = email.is_none_or(|email| match self.fault {
                "email-filter-ignored" => true,
                "email-filter-begins" => timestamp.starts_with(&email[..3]),
                _ => timestamp.eq_ignore_ascii_case(email),
            });
            value["gone"] != true && is_requested
        };
        let all: Vec<&Value> = self.customers.iter().filter(fits).collect();
        page(ask, "customers", &all)
    }

    fn delete_customer(&mut self, id: &str) -> Done {
        let at = find(&self.customers, id)?;
        let is_used = self
            .subscriptions
            .iter()
            .any(|subscription| subscription["customer_id"] == id);
        if is_used && !self.is("delete-subscribed") {
            return Err(no(409, "in_use"));
        }
        self.customers.remove(at);
        Ok((204, Value::Null))
    }

    fn create_plan(&mut self, body: &Value) -> Done {
        let name = text(body, "name", 40)?;
        let cost = body["price"].as_str().and_then(cents);
        let listed = |name: &str, all: [&str; 2]| {
            body[name].as_str().is_some_and(|name| all.contains(&name))
        };
        let is_listed = listed("currency", ["EUR", "CHF"]) && listed("interval", ["month", "year"]);
        let names = ["name", "price", "currency", "interval"];
        let (Some(cost), true, true) = (cost, is_listed, has_only(body, &names)) else {
            return Err(no(400, "invalid"));
        };
        let interval = if self.is("always-monthly") {
            json!("month")
        } else {
            body["interval"].clone()
        };
        let cost = if self.is("price-rounded") {
            cost / 10 * 10
        } else {
            cost
        };
        let plan = json!({
            "id": self.id("plan"),
            "name": name,
            "price": price(cost),
            "currency": body["currency"],
            "interval": interval,
            "created_at": timestamp(Timestamp::now()),
        });
        self.plans.push(plan.clone());
        Ok((201, plan))
    }

    fn change_plan(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.plans, id)?;
        let cost = body.get("price").map(|body| body.as_str().and_then(cents));
        let name = body
            .get("name")
            .map(|_| text(body, "name", 40))
            .transpose()?;
        let is_empty = body.as_object().is_none_or(serde_json::Map::is_empty);
        if is_empty || cost == Some(None) || !has_only(body, &["name", "price"]) {
            return Err(no(400, "invalid"));
        }
        if let Some(name) = name {
            self.plans[at]["name"] = name.into();
        }
        if let Some(Some(cost)) = cost {
            self.plans[at]["price"] = price(cost);
            if self.is("plan-change-reprices") {
                for subscription in &mut self.subscriptions {
                    if subscription["plan_id"] == id {
                        subscription["unit_price"] = price(cost);
                        subscription["total"] =
                            price(cost * subscription["quantity"].as_i64().unwrap());
                    }
                }
            }
        }
        Ok((200, self.plans[at].clone()))
    }

    fn plan_of(&self, id: &str) -> Result<Value, Reply> {
        if self.is("any-plan") && find(&self.plans, id).is_err() {
            return self
                .plans
                .first()
                .cloned()
                .ok_or_else(|| no(422, "unknown_plan"));
        }
        let at = find(&self.plans, id).map_err(|_| no(422, "unknown_plan"))?;
        Ok(self.plans[at].clone())
    }

    fn subscribe(&mut self, customer: &str, body: &Value) -> Done {
        find(&self.customers, customer)?;
        let id = text(body, "plan_id", 40)?;
        let default = if self.is("two-by-default") { 2 } else { 1 };
        let quantity = whole(body, "quantity", (1, 100, default))?;
        let days = whole(body, "trial_days", (0, 60, 0))?;
        if !has_only(body, &["plan_id", "quantity", "trial_days"]) {
            return Err(no(400, "invalid"));
        }
        let plan = self.plan_of(id)?;
        let unit = cents_of(&plan["price"]);
        let total = match self.fault {
            "total-of-one" => unit,
            "total-less-a-cent" => (unit * quantity - 1).max(0),
            _ => unit * quantity,
        };
        let is_tried = days > 0 && !self.is("trial-ignored");
        let lasts = if self.is("trial-a-day-more") {
            days + 1
        } else {
            days
        };
        let now = Timestamp::now();
        let ends = is_tried.then(|| timestamp(now + SignedDuration::from_hours(24 * lasts)));
        let subscription = json!({
            "id": self.id("sub"),
            "customer_id": customer,
            "plan_id": id,
            "quantity": quantity,
            "unit_price": price(unit),
            "total": price(total),
            "status": if is_tried { "trialing" } else { "active" },
            "trial_ends_at": ends,
            "cancel_at_period_end": false,
            "cancelled_at": null,
            "invoice_count": 0,
            "open_total": "0.00",
            "created_at": timestamp(now),
        });
        self.subscriptions.push(subscription.clone());
        self.subscribed(customer, &subscription["created_at"]);
        Ok((201, subscription))
    }

    /// Updates the subscriptions in a customer.
    fn subscribed(&mut self, customer: &str, at: &Value) {
        let (is_counted, is_dated) = (
            !self.is("subscription-uncounted"),
            !self.is("subscription-undated"),
        );
        let found = self
            .customers
            .iter_mut()
            .find(|item| item["id"] == customer);
        let item = found.unwrap();
        let count = item["subscription_count"].as_i64().unwrap() + i64::from(is_counted);
        item["subscription_count"] = count.into();
        if is_dated {
            item["last_subscribed_at"] = at.clone();
        }
    }

    fn list_subscriptions(&self, ask: &Ask, customer: &str) -> Done {
        find(&self.customers, customer)?;
        let status = ask.query("status");
        if status
            .is_some_and(|statu| !["trialing", "active", "paused", "cancelled"].contains(&statu))
        {
            return Err(no(400, "invalid"));
        }
        let fits = |value: &&Value| {
            let is_his = value["customer_id"] == customer || self.is("subscriptions-of-all");
            let is_hidden = self.is("paused-hidden") && value["status"] == "paused";
            let is_requested = status.is_none_or(|status| value["status"] == status);
            is_his && !is_hidden && (is_requested || self.is("status-ignored"))
        };
        let all: Vec<&Value> = self.subscriptions.iter().filter(fits).collect();
        page(ask, "subscriptions", &all)
    }

    fn change_subscription(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.subscriptions, id)?;
        let quantity = whole(body, "quantity", (1, 100, 0))?;
        let plan = body
            .get("plan_id")
            .map(|_| text(body, "plan_id", 40))
            .transpose()?;
        let is_empty = body.as_object().is_none_or(serde_json::Map::is_empty);
        if is_empty || !has_only(body, &["quantity", "plan_id"]) {
            return Err(no(400, "invalid"));
        }
        let plan = plan.map(|id| self.plan_of(id)).transpose()?;
        let fault = self.fault;
        let item = &mut self.subscriptions[at];
        if quantity > 0 {
            item["quantity"] = quantity.into();
        }
        if let Some(plan) = plan {
            item["plan_id"] = plan["id"].clone();
            if fault != "change-keeps-price" {
                item["unit_price"] = plan["price"].clone();
            }
        }
        if fault != "change-keeps-total" {
            let total = cents_of(&item["unit_price"]) * item["quantity"].as_i64().unwrap();
            item["total"] = price(total);
        }
        if fault == "change-activates" {
            item["status"] = "active".into();
        }
        Ok((200, item.clone()))
    }

    fn step(&mut self, id: &str, step: &str, body: &Value) -> Done {
        if !["pause", "resume", "cancel"].contains(&step) {
            return Err(no(404, "not_found"));
        }
        let at = find(&self.subscriptions, id)?;
        let status = self.subscriptions[at]["status"]
            .as_str()
            .unwrap()
            .to_owned();
        let later = match body.get("at_period_end") {
            _ if step != "cancel" => false,
            None => self.is("later-by-default"),
            Some(Value::Bool(flag)) => *flag,
            Some(_) => return Err(no(400, "invalid")),
        };
        if step == "cancel" && !has_only(body, &["at_period_end"]) {
            return Err(no(400, "invalid"));
        }
        let may = match step {
            "pause" => status == "active" || (self.is("pause-trial") && status == "trialing"),
            "resume" => {
                status == "paused"
                    || (self.is("resume-cancelled") && status == "cancelled")
                    || (self.is("resume-active") && status == "active")
            }
            _ => status != "cancelled" || self.is("cancel-again"),
        };
        if !may {
            return Err(no(409, "wrong_status"));
        }
        let fault = self.fault;
        let found = &mut self.subscriptions[at];
        match step {
            "pause" => {
                found["status"] = if fault == "pause-cancels" {
                    "cancelled"
                } else {
                    "paused"
                }
                .into();
                if fault == "pause-resets-quantity" {
                    found["quantity"] = 1.into();
                }
            }
            "resume" if fault != "resume-nothing" => found["status"] = "active".into(),
            "cancel" if later && fault != "later-is-now" => {
                found["cancel_at_period_end"] = (fault != "later-untold").into();
            }
            "cancel" => {
                if fault == "cancelled-uncounted" {
                    let customer = found["customer_id"].clone();
                    for customer in self
                        .customers
                        .iter_mut()
                        .filter(|item| item["id"] == customer)
                    {
                        let count = customer["subscription_count"].as_i64().unwrap();
                        customer["subscription_count"] = (count - 1).into();
                    }
                }
                found["status"] = "cancelled".into();
                if fault != "cancel-untimed" {
                    found["cancelled_at"] = timestamp(Timestamp::now());
                }
            }
            _ => {}
        }
        Ok((200, found.clone()))
    }

    fn invoice(&mut self, id: &str) -> Done {
        let at = find(&self.subscriptions, id)?;
        let subtotal = match self.fault {
            "invoice-of-one" => cents_of(&self.subscriptions[at]["unit_price"]),
            _ => cents_of(&self.subscriptions[at]["total"]),
        };
        let rate = if self.is("tax-of-a-tenth") { 10 } else { 20 };
        let tax = subtotal * rate / 100;
        let total = if self.is("total-without-tax") {
            subtotal
        } else {
            subtotal + tax
        };
        let days = if self.is("due-at-once") { 0 } else { 14 };
        let now = Timestamp::now();
        let due = (now + SignedDuration::from_hours(24 * days))
            .strftime("%Y-%m-%d")
            .to_string();
        let item = self.id("inv");
        let number = if self.is("numbers-repeat") {
            self.number / 1000
        } else {
            self.number
        };
        let of = if self.is("invoice-of-other") {
            "sub-1001"
        } else {
            id
        };
        let invoice = json!({
            "id": item,
            "subscription_id": of,
            "number": format!("R-{number:04}"),
            "subtotal": price(subtotal),
            "tax": price(tax),
            "total": price(total),
            "status": "open",
            "due_on": due,
            "paid_at": null,
            "balance": price(total),
            "remind_on": due,
            "voided_on": null,
            "created_at": timestamp(now),
        });
        let count = self.subscriptions[at]["invoice_count"].as_i64().unwrap();
        let is_counted = match self.fault {
            "invoice-uncounted" => false,
            "invoice-counts-first" => count == 0,
            _ => true,
        };
        self.subscriptions[at]["invoice_count"] = (count + i64::from(is_counted)).into();
        if !self.is("invoice-forgotten") {
            self.invoices.push(invoice.clone());
        }
        self.sum_up(id);
        Ok((201, invoice))
    }

    fn list_invoices(&self, id: &str) -> Done {
        find(&self.subscriptions, id)?;
        let found = self.invoices.iter().rev();
        let remaining =
            found.filter(|item| item["subscription_id"] == id || self.is("invoices-of-all"));
        let selected =
            remaining.filter(|item| !self.is("void-unlisted") || item["status"] != "void");
        let mut item: Vec<&Value> = selected.collect();
        if self.is("invoices-oldest-first") {
            item.reverse();
        }
        Ok((200, json!({ "invoices": item })))
    }

    fn delete_invoice(&mut self, id: &str) -> Done {
        let at = find(&self.invoices, id)?;
        if self.invoices[at]["status"] != "open" && !self.is("delete-paid") {
            return Err(no(409, "wrong_status"));
        }
        let item = self.invoices.remove(at);
        let id = item["subscription_id"].as_str().unwrap();
        self.sum_up(id);
        for subscription in self
            .subscriptions
            .iter_mut()
            .filter(|subscription| subscription["id"] == id)
        {
            subscription["invoice_count"] =
                (subscription["invoice_count"].as_i64().unwrap() - 1).into();
        }
        Ok((204, Value::Null))
    }

    fn settle(&mut self, id: &str, step: &str) -> Done {
        if !["pay", "void"].contains(&step) {
            return Err(no(404, "not_found"));
        }
        let at = find(&self.invoices, id)?;
        let status = self.invoices[at]["status"].as_str().unwrap();
        let may = status == "open"
            || (self.is("pay-void") && step == "pay" && status == "void")
            || (self.is("pay-again") && step == "pay" && status == "paid")
            || (self.is("void-paid") && step == "void" && status == "paid");
        if !may {
            return Err(no(409, "wrong_status"));
        }
        let fault = self.fault;
        let found = &mut self.invoices[at];
        if fault != "reminded-after" {
            found["remind_on"] = Value::Null;
        }
        if step == "pay" || fault != "void-leaves-balance" {
            found["balance"] = price(0);
        }
        if step == "void" && fault != "void-undated" {
            found["voided_on"] = Timestamp::now().strftime("%Y-%m-%d").to_string().into();
        }
        if step == "pay" {
            if fault != "pay-leaves-open" {
                found["status"] = "paid".into();
            }
            if fault != "pay-untimed" {
                found["paid_at"] = timestamp(Timestamp::now());
            }
            if fault == "pay-adds-a-cent" {
                found["total"] = price(cents_of(&found["total"]) + 1);
            }
        } else {
            found["status"] = "void".into();
            if fault == "void-zeroes-total" {
                found["total"] = price(0);
            }
        }
        let item = found.clone();
        if fault != "open-total-stands" {
            self.sum_up(item["subscription_id"].as_str().unwrap());
        }
        Ok((200, item))
    }

    /// Updates the open amount of a subscription.
    fn sum_up(&mut self, id: &str) {
        let invoices = self.invoices.iter();
        let invoices = invoices
            .filter(|invoice| invoice["subscription_id"] == id && invoice["status"] == "open");
        let open: i64 = invoices.map(|invoice| cents_of(&invoice["balance"])).sum();
        for invoices in self
            .subscriptions
            .iter_mut()
            .filter(|invoices| invoices["id"] == id)
        {
            invoices["open_total"] = price(open);
        }
    }
}
