//! A laundry with a document of its own (`laundry.yaml`): machines join by codes that are used once, and take part in washes. Right in
//! everything, or wrong in one thing that it is told.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

pub(crate) mod faults;

pub(crate) const KEY: &str = "Bearer laundry-at-the-corner";

/// Everything that the laundry knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    sites: Vec<Value>,
    codes: Vec<Value>,
    machines: Vec<Value>,
    washes: Vec<Value>,
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
            ("POST", ["sites"]) => self.add_site(body),
            ("GET", ["sites", id]) => self.site(id),
            ("PUT", ["sites", id]) => self.replace(id, body),
            ("DELETE", ["sites", id]) => self.delete(id),
            ("POST", ["sites", id, "close"]) => self.close(id),
            ("POST", ["sites", id, "join-codes"]) => self.issue(id),
            ("GET", ["sites", id, "machines"]) => self.machines(id, ask),
            ("POST", ["sites", id, "machines"]) => self.join(id, body),
            ("GET", ["sites", id, "machines", own]) => one(&self.machines, id, own),
            ("GET", ["sites", id, "washes"]) => self.washes(id, ask),
            ("POST", ["sites", id, "washes"]) => self.add_wash(id, body),
            ("GET", ["sites", id, "washes", own]) => one(&self.washes, id, own),
            ("POST", ["sites", id, "washes", own, "start"]) => self.start(id, own, body),
            ("POST", ["sites", id, "washes", own, "finish"]) => self.finish(id, own),
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

/// Where the record of a site stands.
fn place(all: &[Value], site: &str, id: &str) -> Result<usize, Reply> {
    let is_it = |own: &Value| own["id"] == id && own["site_id"] == site;
    all.iter().position(is_it).ok_or_else(|| no(404))
}

fn one(all: &[Value], site: &str, id: &str) -> Done {
    Ok((200, all[place(all, site, id)?].clone()))
}

fn is_text(own: &Value, most: usize, in_bytes: bool) -> bool {
    let text = own.as_str().unwrap_or_default();
    let length = if in_bytes {
        text.len()
    } else {
        text.chars().count()
    };
    (1..=most).contains(&length)
}

fn is_number(own: &Value, most: u64) -> bool {
    own.as_u64().is_some_and(|own| (1..=most).contains(&own))
}

/// Some of a list, as it is asked for, and whether the request is as it has to be.
fn page<'v>(ask: &Ask, all: &[&'v Value]) -> Result<Vec<&'v Value>, Reply> {
    let asked = |name: &str, otherwise: usize| match ask.query(name) {
        None => Ok(otherwise),
        Some(own) => own.parse().map_err(|_| no(422)),
    };
    let (page, limit): (usize, usize) = (asked("page", 1)?, asked("limit", 20)?);
    ensure(page > 0 && (1..=100).contains(&limit), 422)?;
    let before = (page - 1).saturating_mul(limit);
    Ok(all.iter().skip(before).take(limit).copied().collect())
}

impl Store {
    fn site_at(&self, id: &str) -> Result<usize, Reply> {
        let at = self.sites.iter().position(|own| own["id"] == id);
        at.ok_or_else(|| no(404))
    }

    fn site(&self, id: &str) -> Done {
        Ok((200, self.sites[self.site_at(id)?].clone()))
    }

    /// The name and the tags that a site is to have.
    fn told<'b>(&self, body: &'b Value, but: Option<&str>) -> Result<(&'b str, Value), Reply> {
        let tags = body.get("tags").cloned().unwrap_or_else(|| json!([]));
        let is_tag = |own: &Value| is_text(own, 20, false);
        let listed = tags.as_array().ok_or_else(|| no(422))?;
        let is_listed = listed.len() <= 5 && listed.iter().all(is_tag);
        let is_formed = has_only(body, &["name", "tags"]) && is_text(&body["name"], 40, false);
        ensure(is_formed && is_listed, 422)?;
        let name = body["name"].as_str().unwrap_or_default();
        let same = |own: &Value| {
            let other = own["name"].as_str().unwrap_or_default();
            other == name
                || (!self.is("name-in-capitals") && other.to_lowercase() == name.to_lowercase())
        };
        let mut others = self
            .sites
            .iter()
            .filter(|own| but.is_none_or(|id| own["id"] != id));
        ensure(!others.any(same), 409)?;
        Ok((name, tags))
    }

    fn add_site(&mut self, body: &Value) -> Done {
        let (name, tags) = self.told(body, None)?;
        let id = format!("ste_{}", self.sites.len() + 1);
        let site = json!({"id": id, "name": name, "status": "open", "tags": tags});
        self.sites.push(site.clone());
        Ok((201, site))
    }

    fn replace(&mut self, id: &str, body: &Value) -> Done {
        let at = self.site_at(id)?;
        let (name, mut tags) = self.told(body, Some(id))?;
        if body.get("tags").is_none() && self.is("tags-kept") {
            tags = self.sites[at]["tags"].clone();
        }
        self.sites[at]["name"] = json!(name);
        self.sites[at]["tags"] = tags;
        self.site(id)
    }

    fn delete(&mut self, id: &str) -> Done {
        let at = self.site_at(id)?;
        let may_run = self.is("deleted-while-running");
        let is_in_the_way =
            |own: &Value| own["status"] == "waiting" || own["status"] == "running" && !may_run;
        let mut own = self.washes.iter().filter(|own| own["site_id"] == id);
        if own.any(is_in_the_way) {
            return Err(Reply::new(409, json!({"code": "site_in_use"})));
        }
        self.sites[at]["id"] = Value::Null;
        if !self.is("name-stays-taken") {
            self.sites[at]["name"] = Value::Null;
        }
        Ok((204, Value::Null))
    }

    fn close(&mut self, id: &str) -> Done {
        let at = self.site_at(id)?;
        self.sites[at]["status"] = json!("closed");
        let stays = self.is("waiting-after-close");
        let own = self.washes.iter_mut().filter(|own| own["site_id"] == id);
        for wash in own.filter(|own| own["status"] == "waiting" && !stays) {
            wash["status"] = json!("dropped");
        }
        self.site(id)
    }

    fn issue(&mut self, id: &str) -> Done {
        self.site_at(id)?;
        let letter = |place: u32| {
            let own = self.codes.len() / 26_usize.pow(place) % 26;
            char::from(b'A' + u8::try_from(own).unwrap())
        };
        let code: String = (0..6).rev().map(letter).collect();
        self.codes
            .push(json!({"code": code, "site_id": id, "is_used": false}));
        Ok((201, json!({"code": code, "site_id": id})))
    }

    fn join(&mut self, id: &str, body: &Value) -> Done {
        self.site_at(id)?;
        let code = body["joinCode"].as_str().unwrap_or_default();
        let is_code = code.len() == 6 && code.bytes().all(|own| own.is_ascii_alphabetic());
        let in_bytes = self.is("label-in-bytes");
        let is_formed = has_only(body, &["joinCode", "label"]) && is_code;
        ensure(is_formed && is_text(&body["label"], 40, in_bytes), 422)?;
        let code = match self.fault {
            "code-in-capitals" => code.to_owned(),
            _ => code.to_uppercase(),
        };
        let (anywhere, again) = (self.is("code-of-another-site"), self.is("code-used-twice"));
        let is_it = |own: &&mut Value| {
            own["code"] == code
                && (own["site_id"] == id || anywhere)
                && (own["is_used"] == false || again)
        };
        let known = self.codes.iter_mut().find(is_it).ok_or_else(|| no(409))?;
        known["is_used"] = json!(true);
        let own = format!("mch_{}", self.machines.len() + 1);
        let machine = json!({"id": own, "site_id": id, "label": body["label"], "status": "idle"});
        self.machines.push(machine.clone());
        Ok((201, machine))
    }

    fn machines(&self, id: &str, ask: &Ask) -> Done {
        self.site_at(id)?;
        let own = self.machines.iter().filter(|own| own["site_id"] == id);
        let all: Vec<&Value> = own.collect();
        let shown = page(ask, &all)?;
        let total = if self.is("total-of-page") {
            shown.len()
        } else {
            all.len()
        };
        Ok((200, json!({"machines": shown, "total": total})))
    }

    fn washes(&self, id: &str, ask: &Ask) -> Done {
        self.site_at(id)?;
        let as_written = self.is("guest-as-written");
        let is_meant = |own: &&Value| {
            let guest = own["guest_email"].as_str().unwrap_or_default();
            own["site_id"] == id
                && ask.query("guest_email").is_none_or(|asked| {
                    asked == guest || (!as_written && asked.to_lowercase() == guest.to_lowercase())
                })
        };
        let all: Vec<&Value> = self.washes.iter().filter(is_meant).collect();
        let shown = page(ask, &all)?;
        let summed = if self.is("minutes-of-page") {
            &shown
        } else {
            &all
        };
        let minutes: u64 = summed
            .iter()
            .filter_map(|own| own["minutes"].as_u64())
            .sum();
        Ok((200, json!({"washes": shown, "total_minutes": minutes})))
    }

    fn add_wash(&mut self, id: &str, body: &Value) -> Done {
        self.site_at(id)?;
        let guest = body["guest_email"].as_str().unwrap_or_default();
        let (name, host) = guest.split_once('@').unwrap_or_default();
        let is_host = |own: char| own.is_ascii_lowercase() || own.is_ascii_digit() || own == '.';
        let is_guest = (3..=60).contains(&guest.len())
            && !name.is_empty()
            && !host.is_empty()
            && name
                .chars()
                .all(|own| own.is_ascii_alphanumeric() || own == '.')
            && host.chars().all(is_host);
        let in_bytes = self.is("item-in-bytes");
        let is_item = |own: &Value| {
            has_only(own, &["name", "pieces"])
                && is_text(&own["name"], 30, in_bytes)
                && is_number(&own["pieces"], 100)
        };
        let items = body["items"].as_array().cloned().unwrap_or_default();
        if let Some(at) = items.iter().position(|own| !is_item(own)) {
            let field = format!("items[{at}].name");
            return Err(Reply::new(422, json!({"code": "refused", "field": field})));
        }
        let is_formed = has_only(body, &["guest_email", "minutes", "price", "items"])
            && is_guest
            && is_number(&body["minutes"], 600)
            && is_number(&body["price"], 100_000)
            && (1..=10).contains(&items.len());
        ensure(is_formed, 422)?;
        let share = body["price"].as_u64().unwrap_or_default() * 35;
        let half = if self.is("fee-cut-off") { 0 } else { 500 };
        let wash = json!({
            "id": format!("wsh_{}", self.washes.len() + 1),
            "site_id": id,
            "guest_email": guest,
            "minutes": body["minutes"],
            "price": body["price"],
            "fee": (share + half) / 1000,
            "due": 0,
            "items": items,
            "status": "waiting",
            "machine_id": null,
        });
        self.washes.push(wash.clone());
        Ok((201, wash))
    }

    fn start(&mut self, id: &str, own: &str, body: &Value) -> Done {
        let at = place(&self.washes, id, own)?;
        let machine = body["machine_id"].as_str();
        let machine = machine.filter(|_| has_only(body, &["machine_id"]));
        let machine = machine.ok_or_else(|| no(422))?;
        let with = place(&self.machines, id, machine).map_err(|_| no(422))?;
        ensure(self.washes[at]["status"] == "waiting", 409)?;
        ensure(self.machines[with]["status"] == "idle", 409)?;
        if !self.is("machine-stays-idle") {
            self.machines[with]["status"] = json!("busy");
        }
        let wash = &mut self.washes[at];
        wash["status"] = json!("running");
        wash["machine_id"] = json!(machine);
        wash["due"] = wash["price"].clone();
        Ok((200, wash.clone()))
    }

    fn finish(&mut self, id: &str, own: &str) -> Done {
        let at = place(&self.washes, id, own)?;
        ensure(self.washes[at]["status"] == "running", 409)?;
        let machine = self.washes[at]["machine_id"].clone();
        let stays_busy = self.is("machine-stays-busy");
        let stays_due = self.is("due-when-finished");
        let mut all = self.machines.iter_mut();
        if let Some(machine) = all.find(|own| own["id"] == machine).filter(|_| !stays_busy) {
            machine["status"] = json!("idle");
        }
        let wash = &mut self.washes[at];
        wash["status"] = json!("finished");
        if !stays_due {
            wash["due"] = json!(0);
        }
        Ok((200, wash.clone()))
    }
}
