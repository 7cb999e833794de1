//! Plans and subscriptions with a document of their own (`seats.yaml`), whose states are set by changes. Right in everything, or
//! wrong in one thing that it is told.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer seats-of-1975";

/// Everything that the seller knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    made: u64,
    plans: Vec<Value>,
    /// The plans that have been paused before.
    once_paused: Vec<Value>,
    subscriptions: Vec<Value>,
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
            ("POST", ["plans"]) => self.add(body),
            ("GET", ["plans", id]) => find(&self.plans, id).map(|at| (200, self.plans[at].clone())),
            ("PATCH", ["plans", id]) => self.change_plan(id, body),
            ("DELETE", ["plans", id]) => self.remove(id),
            ("POST", ["subscriptions"]) => self.subscribe(body),
            ("GET", ["subscriptions"]) => self.page(ask),
            ("GET", ["subscriptions", id]) => {
                find(&self.subscriptions, id).map(|at| (200, self.subscriptions[at].clone()))
            }
            ("PATCH", ["subscriptions", id]) => self.change(id, body),
            ("POST", ["subscriptions", id, "bills"]) => self.bill(id),
            ("POST", ["subscriptions", id, "renew"]) => self.renew(id),
            _ => Err(no(404, "not_found")),
        })
    }
}

fn no(status: u16, code: &str) -> Reply {
    let message = format!("Refused: {}.", code.replace('_', " "));
    Reply::new(status, json!({"code": code, "message": message}))
}

fn ensure(holds: bool, status: u16, code: &str) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status, code)) }
}

fn find(all: &[Value], id: &str) -> Result<usize, Reply> {
    let at = all.iter().position(|own| own["id"] == id);
    at.ok_or_else(|| no(404, "not_found"))
}

fn is_within(own: &Value, most: u64) -> bool {
    own.as_u64().is_some_and(|own| (1..=most).contains(&own))
}

fn is_name(own: &Value) -> bool {
    own.as_str()
        .is_some_and(|own| (1..=40).contains(&own.chars().count()))
}

/// A property that may be named, and what makes its value valid.
type Property<'c> = (&'c str, &'c dyn Fn(&Value) -> bool);

/// Puts what a body names where it belongs; what it does not name is valid.
fn put(record: &mut Value, body: &Value, checks: &[Property<'_>]) -> Result<(), Reply> {
    let names: Vec<&str> = checks.iter().map(|own| own.0).collect();
    let is_any = body.as_object().is_some_and(|own| !own.is_empty());
    ensure(is_any && has_only(body, &names), 422, "invalid")?;
    for (name, is_valid) in checks {
        ensure(body.get(name).is_none_or(is_valid), 422, "invalid")?;
    }
    for (name, _) in checks {
        if let Some(own) = body.get(name) {
            record[*name] = own.clone();
        }
    }
    Ok(())
}

impl Store {
    fn id(&mut self, kind: &str) -> Value {
        self.made += 1;
        json!(format!("{kind}_{:04}", self.made + 7000))
    }

    fn add(&mut self, body: &Value) -> Done {
        let has_all = is_name(&body["name"])
            && is_within(&body["price"], 100_000)
            && is_within(&body["most_seats"], 500);
        ensure(
            has_only(body, &["name", "price", "most_seats"]) && has_all,
            422,
            "invalid",
        )?;
        let name = body["name"].as_str().unwrap_or_default();
        let name = if self.is("name-with-blanks") {
            name
        } else {
            name.trim()
        };
        let plan = json!({
            "id": self.id("pl"),
            "name": name,
            "price": body["price"],
            "most_seats": body["most_seats"],
            "status": "active",
        });
        self.plans.push(plan.clone());
        Ok((201, plan))
    }

    fn change_plan(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.plans, id)?;
        let mut plan = self.plans[at].clone();
        let statuses = ["active", "paused", "archived"];
        let is_free_price =
            self.is("price-without-bound") && body.as_object().is_some_and(|own| own.len() == 1);
        put(
            &mut plan,
            body,
            &[
                ("name", &is_name),
                ("price", &|own| {
                    is_within(own, if is_free_price { u64::MAX } else { 100_000 })
                }),
                ("status", &|own| statuses.iter().any(|known| own == known)),
            ],
        )?;
        let is_archived = self.plans[at]["status"] == "archived";
        ensure(
            !is_archived || self.is("archived-changes"),
            409,
            "plan_archived",
        )?;
        if self.is("price-not-kept") {
            let answer = plan.clone();
            plan["price"] = self.plans[at]["price"].clone();
            self.plans[at] = plan;
            return Ok((200, answer));
        }
        if plan["status"] == "paused" {
            self.once_paused.push(plan["id"].clone());
        }
        self.plans[at] = plan.clone();
        Ok((200, plan))
    }

    fn remove(&mut self, id: &str) -> Done {
        let at = find(&self.plans, id)?;
        self.plans.remove(at);
        if !self.is("subscriptions-stay") {
            self.subscriptions.retain(|own| own["plan_id"] != id);
        }
        Ok((204, Value::Null))
    }

    fn subscribe(&mut self, body: &Value) -> Done {
        let is_known = has_only(body, &["plan_id", "seats"]) && is_within(&body["seats"], 500);
        ensure(is_known, 422, "invalid")?;
        let plan = find(&self.plans, body["plan_id"].as_str().unwrap_or_default());
        let unknown = if self.is("unknown-plan-404") {
            no(404, "not_found")
        } else {
            no(422, "invalid")
        };
        let plan = plan.map_err(|_| unknown)?;
        let plan = self.plans[plan].clone();
        ensure(
            body["seats"].as_u64() <= plan["most_seats"].as_u64(),
            422,
            "invalid",
        )?;
        let was_paused = self.is("paused-for-good") && self.once_paused.contains(&plan["id"]);
        let is_paused = plan["status"] == "paused" && !self.is("paused-takes");
        let is_paused = is_paused || was_paused;
        let is_archived = plan["status"] == "archived" && !self.is("archived-takes");
        ensure(!is_archived, 409, "plan_archived")?;
        ensure(!is_paused, 409, "plan_paused")?;
        let own = json!({
            "id": self.id("su"),
            "plan_id": plan["id"],
            "seats": body["seats"],
            "periods": 1,
            "state": "running",
        });
        self.subscriptions.push(own.clone());
        Ok((201, own))
    }

    fn change(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.subscriptions, id)?;
        let mut own = self.subscriptions[at].clone();
        let plan = find(&self.plans, own["plan_id"].as_str().unwrap_or_default())?;
        let most = self.plans[plan]["most_seats"].as_u64().unwrap_or_default();
        put(
            &mut own,
            body,
            &[
                ("seats", &|own| is_within(own, most)),
                ("state", &|own| own == "running" || own == "on_hold"),
            ],
        )?;
        self.subscriptions[at] = own.clone();
        Ok((200, own))
    }

    fn bill(&mut self, id: &str) -> Done {
        let own = self.subscriptions[find(&self.subscriptions, id)?].clone();
        let is_held = own["state"] == "on_hold" && !self.is("held-is-billed");
        ensure(!is_held, 409, "on_hold")?;
        let plan = find(&self.plans, own["plan_id"].as_str().unwrap_or_default())?;
        let price = self.plans[plan]["price"].as_u64().unwrap_or_default();
        let amount = price * own["seats"].as_u64().unwrap_or_default();
        Ok((
            201,
            json!({"id": self.id("bi"), "subscription_id": id, "amount": amount}),
        ))
    }

    fn renew(&mut self, id: &str) -> Done {
        let at = find(&self.subscriptions, id)?;
        let own = &mut self.subscriptions[at];
        let is_held = own["state"] == "on_hold" && self.fault != "held-is-renewed";
        ensure(!is_held, 409, "on_hold")?;
        own["periods"] = json!(own["periods"].as_u64().unwrap_or_default() + 1);
        Ok((200, own.clone()))
    }

    fn page(&self, ask: &Ask) -> Done {
        let asked = |name: &str| {
            let own = ask.query.iter().find(|own| own.0 == name);
            own.map(|own| own.1.as_str())
        };
        let limit = asked("limit").map_or(Some(10), |own| own.parse().ok());
        let limit = limit.filter(|own| (1..=50).contains(own));
        let limit = limit.ok_or_else(|| no(422, "invalid"))?;
        let from: usize = asked("cursor")
            .map_or(Some(0), |own| own.strip_prefix("after-")?.parse().ok())
            .ok_or_else(|| no(422, "invalid"))?;
        let states: Vec<&str> = asked("state")
            .map(|own| own.split(',').collect())
            .unwrap_or_default();
        if states
            .iter()
            .any(|own| *own != "running" && *own != "on_hold")
        {
            return Err(no(422, "invalid"));
        }
        let is_asked =
            |own: &&Value| states.is_empty() || states.iter().any(|state| own["state"] == *state);
        let all: Vec<&Value> = self.subscriptions.iter().filter(is_asked).collect();
        let mut page = json!({"items": all.iter().skip(from).take(limit).collect::<Vec<_>>()});
        if all.len() > from + limit {
            page["next_cursor"] = json!(format!("after-{}", from + limit));
        }
        Ok((200, page))
    }
}
