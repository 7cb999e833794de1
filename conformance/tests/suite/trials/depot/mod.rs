//! A depot with a document of its own (`depot.yaml`): what is in stock of items, what of that is held for orders, and a
//! ceiling for what comes in. Right in everything, or wrong in one thing that it is told.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply, has_only};

pub(crate) mod faults;

/// The key that the depot knows.
pub(crate) const KEY: &str = "Bearer depot-of-1934";

/// What something is written off for.
const REASONS: [&str; 3] = ["damaged", "expired", "lost"];

/// What is answered, or a refusal.
type Answer = Result<Reply, Reply>;

/// The body of a request, and what was answered to it.
type Kept = (Value, Reply);

/// Everything that the depot knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    /// The oldest comes first.
    items: Vec<Item>,
    holds: Vec<Hold>,
    /// What was answered to movements with a key, by the item and the key.
    kept: BTreeMap<String, Kept>,
    made: u64,
    /// The last time that was told.
    last: Timestamp,
}

#[derive(Clone)]
struct Item {
    id: String,
    sku: Value,
    name: Value,
    level: i64,
    ceiling: i64,
    on_hand: i64,
    held: i64,
    is_retired: bool,
    version: u64,
    created: String,
    updated: String,
}

#[derive(Clone)]
struct Hold {
    shown: Value,
    /// Which items are held, and how much of them.
    parts: Vec<(usize, i64)>,
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
        let mut refusal = no(401, "unauthorized");
        let challenge = "Bearer realm=\"depot\"".to_owned();
        refusal.headers.push(("www-authenticate", challenge));
        (ask.header("authorization") != KEY).then_some(refusal)
    }

    fn unread(&self, status: u16) -> Reply {
        if status == 415 {
            return no(415, "unsupportedMediaType");
        }
        invalid(&[json!({"pointer": "", "message": "no JSON"})])
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let methods = methods(&path);
        if methods.is_empty() {
            return no(404, "notFound");
        }
        if !methods.contains(&ask.method()) {
            let mut refusal = no(405, "methodNotAllowed");
            refusal.headers.push(("allow", methods.join(", ")));
            return refusal;
        }
        self.act(ask, &path).unwrap_or_else(|refusal| refusal)
    }
}

/// The methods of a path.
fn methods(path: &[&str]) -> &'static [&'static str] {
    match path {
        ["items"] => &["GET", "HEAD", "POST"],
        ["items", _] => &["GET", "HEAD", "PATCH"],
        ["items", _, "retire" | "movements"] | ["holds"] => &["POST"],
        ["holds", _] => &["GET", "HEAD", "DELETE"],
        _ => &[],
    }
}

fn no(status: u16, code: &str) -> Reply {
    Reply::new(
        status,
        json!({"code": code, "message": format!("Refused: {code}.")}),
    )
}

fn ensure(holds: bool, status: u16, code: &str) -> Result<(), Reply> {
    if holds { Ok(()) } else { Err(no(status, code)) }
}

/// The refusal of a request that is not as it has to be.
fn invalid(faults: &[Value]) -> Reply {
    Reply::new(400, json!({"code": "invalid", "faults": faults}))
}

/// The refusal of one parameter.
fn wrong(parameter: &str) -> Reply {
    invalid(&[json!({"parameter": parameter, "message": "not valid"})])
}

/// Refuses a body with an entry for each place where it is wrong.
fn ensure_all<P: Into<Value>>(rules: impl IntoIterator<Item = (P, bool)>) -> Result<(), Reply> {
    let wrong = rules.into_iter().filter(|own| !own.1);
    let wrong = wrong.map(|(place, _)| {
        let place: Value = place.into();
        json!({"pointer": place, "message": "not valid"})
    });
    let wrong: Vec<Value> = wrong.collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(invalid(&wrong))
    }
}

fn is_name(own: &Value) -> bool {
    own.as_str()
        .is_some_and(|own| (1..=60).contains(&own.chars().count()))
}

/// Whether a text has a beginning, and six to twelve letters and digits after it.
fn is_code(own: &Value, beginning: &str) -> bool {
    let may_be = |own: u8| own.is_ascii_uppercase() || own.is_ascii_digit();
    let rest = own.as_str().and_then(|own| own.strip_prefix(beginning));
    rest.is_some_and(|own| (6..=12).contains(&own.len()) && own.bytes().all(may_be))
}

/// Whether a text is what the key of an item looks like.
fn is_item_id(own: &Value) -> bool {
    let may_be = |own: u8| matches!(own, b'0'..=b'9' | b'a'..=b'f');
    let rest = own.as_str().and_then(|own| own.strip_prefix("itm_"));
    rest.is_some_and(|own| own.len() == 16 && own.bytes().all(may_be))
}

/// A whole number between two, however it is written.
fn whole(own: &Value, least: i64, most: i64) -> Option<i64> {
    let number = own.as_i64().or_else(|| {
        let text = own.as_f64()?.to_string();
        text.parse().ok()
    });
    number.filter(|own| (least..=most).contains(own))
}

impl Item {
    fn available(&self) -> i64 {
        self.on_hand - self.held
    }

    fn state(&self) -> &'static str {
        if self.is_retired { "retired" } else { "active" }
    }

    fn tag(&self) -> String {
        format!("\"{}\"", self.version)
    }

    fn touch(&mut self, now: String) {
        self.version += 1;
        self.updated = now;
    }
}

impl Store {
    /// A later time each time it is asked for.
    fn now(&mut self) -> String {
        let next = self.last + SignedDuration::from_micros(1);
        self.last = Timestamp::now().max(next);
        self.last.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
    }

    fn id(&mut self, kind: &str) -> String {
        self.made += 1;
        format!(
            "{kind}_{:016x}",
            self.made.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        )
    }

    fn act(&mut self, ask: &Ask, path: &[&str]) -> Answer {
        match (ask.method(), path) {
            ("POST", ["items"]) => self.create(&ask.body),
            ("GET", ["items"]) => self.list(ask),
            ("GET", ["items", id]) => self.read(ask, id),
            ("PATCH", ["items", id]) => self.update(ask, id),
            ("POST", ["items", id, "retire"]) => self.retire(id),
            ("POST", ["items", id, "movements"]) => self.record_once(ask, id),
            ("POST", ["holds"]) => self.hold(&ask.body),
            ("GET", ["holds", id]) => {
                let at = self.find_hold(id)?;
                Ok(Reply::new(200, self.holds[at].shown.clone()))
            }
            ("DELETE", ["holds", id]) => self.release(id),
            _ => Err(no(404, "notFound")),
        }
    }

    fn find(&self, id: &str) -> Result<usize, Reply> {
        let at = self.items.iter().position(|own| own.id == id);
        at.ok_or_else(|| no(404, "notFound"))
    }

    fn find_hold(&self, id: &str) -> Result<usize, Reply> {
        let at = self.holds.iter().position(|own| own.shown["id"] == id);
        at.ok_or_else(|| no(404, "notFound"))
    }

    /// An item as others see it.
    fn shown(&self, own: &Item) -> Value {
        let available = own.available();
        let is_level = available == own.level && self.is("low-at-level");
        json!({
            "id": own.id,
            "sku": own.sku,
            "name": own.name,
            "level": own.level,
            "ceiling": own.ceiling,
            "onHand": own.on_hand,
            "held": own.held,
            "available": available,
            "low": available < own.level || is_level,
            "state": own.state(),
            "createdAt": own.created,
            "updatedAt": own.updated,
        })
    }

    /// An item with the tag of its version.
    fn tagged(&self, status: u16, at: usize) -> Reply {
        let own = &self.items[at];
        let mut reply = Reply::new(status, self.shown(own));
        reply.headers.push(("etag", own.tag()));
        reply
    }

    fn create(&mut self, body: &Value) -> Answer {
        let level = body.get("level");
        let level = level.map_or(Some(0), |own| whole(own, 0, 1000));
        let ceiling = body.get("ceiling");
        let ceiling = ceiling.map_or(Some(5000), |own| whole(own, 1, 100_000));
        ensure_all([
            ("", has_only(body, &["sku", "name", "level", "ceiling"])),
            ("/sku", is_code(&body["sku"], "SKU-")),
            ("/name", is_name(&body["name"])),
            ("/level", level.is_some()),
            ("/ceiling", ceiling.is_some()),
        ])?;
        let is_free_again = self.is("sku-free-again");
        let is_taken = self
            .items
            .iter()
            .any(|own| own.sku == body["sku"] && !(own.is_retired && is_free_again));
        ensure(!is_taken, 409, "skuTaken")?;
        let now = self.now();
        let item = Item {
            id: self.id("itm"),
            sku: body["sku"].clone(),
            name: body["name"].clone(),
            level: level.unwrap_or_default(),
            ceiling: ceiling.unwrap_or_default(),
            on_hand: 0,
            held: 0,
            is_retired: false,
            version: 1,
            created: now.clone(),
            updated: now,
        };
        let place = format!("/items/{}", item.id);
        self.items.push(item);
        let mut reply = self.tagged(201, self.items.len() - 1);
        reply.headers.push(("location", place));
        Ok(reply)
    }

    /// A page of items. A cursor tells the last item before, and the filter that it was given with.
    fn list(&self, ask: &Ask) -> Answer {
        let limit = ask.query("limit").map_or(Some(10), |own| own.parse().ok());
        let limit = limit.filter(|own| (1..=50).contains(own));
        let limit: usize = limit.ok_or_else(|| wrong("limit"))?;
        let state = ask.query("state");
        if state.is_some_and(|own| !["active", "retired"].contains(&own)) {
            return Err(wrong("state"));
        }
        let mut rest: Vec<&Item> = self.items.iter().rev().collect();
        if let Some(cursor) = ask.query("cursor") {
            let invalid = || wrong("cursor");
            let (last, given) = cursor.split_once('.').ok_or_else(invalid)?;
            let is_same = given == state.unwrap_or_default() || self.is("cursor-for-any");
            let at = rest.iter().position(|own| own.id == last);
            let at = at.filter(|_| is_same).ok_or_else(invalid)?;
            rest.drain(..=at);
        }
        rest.retain(|own| state.is_none_or(|state| own.state() == state));
        let is_more = rest.len() > limit;
        rest.truncate(limit);
        let last = rest.last().filter(|_| is_more);
        let next = last.map(|own| format!("{}.{}", own.id, state.unwrap_or_default()));
        let page: Vec<Value> = rest.into_iter().map(|own| self.shown(own)).collect();
        Ok(Reply::new(200, json!({"items": page, "nextCursor": next})))
    }

    fn read(&self, ask: &Ask, id: &str) -> Answer {
        let found = self.find(id);
        let is_head = ask.method.as_str() == "HEAD";
        if found.is_err() && is_head && self.is("unknown-has-head") {
            return Ok(Reply::new(200, json!({})));
        }
        Ok(self.tagged(200, found?))
    }

    fn update(&mut self, ask: &Ask, id: &str) -> Answer {
        let at = self.find(id)?;
        let body = &ask.body;
        let is_some = body.as_object().is_some_and(|own| !own.is_empty());
        let ceiling = body.get("ceiling").map(|own| whole(own, 1, 100_000));
        ensure_all([
            ("", is_some && has_only(body, &["name", "ceiling"])),
            ("/name", body.get("name").is_none_or(is_name)),
            ("/ceiling", ceiling != Some(None)),
        ])?;
        if ask.header("if-match") != self.items[at].tag() {
            if self.is("stale-stirs") {
                let now = self.now();
                self.items[at].updated = now;
            }
            return Err(no(412, "stale"));
        }
        ensure(!self.items[at].is_retired, 409, "retired")?;
        let ceiling = ceiling.flatten();
        let is_too_low = ceiling.is_some_and(|own| own < self.items[at].on_hand);
        let is_refused = is_too_low && !self.is("ceiling-lowered");
        ensure(!is_refused, 409, "ceilingTooLow")?;
        let now = self.now();
        let own = &mut self.items[at];
        if let Some(name) = body.get("name") {
            own.name.clone_from(name);
        }
        own.ceiling = ceiling.unwrap_or(own.ceiling);
        own.touch(now);
        Ok(self.tagged(200, at))
    }

    fn retire(&mut self, id: &str) -> Answer {
        let at = self.find(id)?;
        ensure(!self.items[at].is_retired, 409, "retired")?;
        ensure(self.items[at].on_hand == 0, 409, "notEmpty")?;
        let now = self.now();
        let own = &mut self.items[at];
        own.is_retired = true;
        own.touch(now);
        Ok(self.tagged(200, at))
    }

    /// Records a movement; a repeat with its key is answered as the first request was.
    fn record_once(&mut self, ask: &Ask, id: &str) -> Answer {
        let at = self.find(id)?;
        let body = &ask.body;
        if !ask.headers.contains_key("idempotency-key") {
            return self.record(at, body);
        }
        let key = ask.header("idempotency-key");
        if !(1..=64).contains(&key.len()) {
            return Err(wrong("Idempotency-Key"));
        }
        let key = format!("{id} {key}");
        if let Some((known, first)) = self.kept.get(&key) {
            ensure(known == body, 409, "keyReused")?;
            let first = first.clone();
            if self.is("counted-again") {
                let delta = first.body.as_ref().and_then(|own| own["delta"].as_i64());
                self.items[at].on_hand += delta.unwrap_or_default();
            }
            return Ok(first);
        }
        let reply = self.record(at, body)?;
        self.kept.insert(key, (body.clone(), reply.clone()));
        Ok(reply)
    }

    fn record(&mut self, at: usize, body: &Value) -> Answer {
        let kind = body["kind"].as_str().unwrap_or_default();
        let is_off = kind == "writeOff";
        let names: &[&str] = if is_off {
            &["kind", "quantity", "reason"]
        } else {
            &["kind", "quantity"]
        };
        let reason = body.get("reason");
        let is_reason = reason.map_or(self.is("reason-missing"), |own| {
            REASONS.iter().any(|name| own == name)
        });
        let quantity = whole(&body["quantity"], 1, 500);
        ensure_all([
            ("", has_only(body, names)),
            ("/kind", is_off || kind == "receipt"),
            ("/quantity", quantity.is_some()),
            ("/reason", is_reason || !is_off),
        ])?;
        let quantity = quantity.unwrap_or_default();
        let own = &self.items[at];
        ensure(!own.is_retired, 409, "retired")?;
        ensure(
            !is_off || quantity <= own.available(),
            409,
            "insufficientStock",
        )?;
        let there = if self.is("ceiling-of-one") {
            0
        } else {
            own.on_hand
        };
        if !is_off && there + quantity > own.ceiling {
            if self.is("refused-counts") {
                self.items[at].on_hand += 1;
            }
            return Err(no(409, "ceilingExceeded"));
        }
        let told = if is_off && self.is("written-off-otherwise") {
            "write_off"
        } else {
            kind
        };
        let delta = if is_off { -quantity } else { quantity };
        let (id, now) = (self.id("mov"), self.now());
        let own = &mut self.items[at];
        own.on_hand += delta;
        own.touch(now.clone());
        let movement = json!({
            "id": id,
            "itemId": own.id,
            "kind": told,
            "delta": delta,
            "onHandAfter": own.on_hand,
            "recordedAt": now,
        });
        Ok(Reply::new(201, movement))
    }

    /// The items that lines name, and how much of them is wanted.
    fn parts(&self, lines: &[Value]) -> Result<Vec<(usize, i64)>, Reply> {
        let mut parts: Vec<(usize, i64)> = Vec::new();
        for line in lines {
            let mut items = self.items.iter();
            let at = items.position(|own| line["itemId"] == own.id.as_str());
            let at = at.ok_or_else(|| no(422, "unknownItem"))?;
            let is_new = parts.iter().all(|own| own.0 != at);
            ensure(is_new, 422, "duplicateLine")?;
            let quantity = whole(&line["quantity"], 1, 100);
            parts.push((at, quantity.unwrap_or_default()));
        }
        Ok(parts)
    }

    fn hold(&mut self, body: &Value) -> Answer {
        let lines = body["lines"].as_array();
        let lines = lines.map(Vec::as_slice).unwrap_or_default();
        let mut rules = vec![
            (String::new(), has_only(body, &["orderRef", "lines"])),
            ("/orderRef".to_owned(), is_code(&body["orderRef"], "ORD-")),
            ("/lines".to_owned(), (1..=5).contains(&lines.len())),
        ];
        for (index, line) in lines.iter().enumerate() {
            let place = format!("/lines/{index}");
            let is_whole = whole(&line["quantity"], 1, 100).is_some();
            rules.push((format!("{place}/itemId"), is_item_id(&line["itemId"])));
            rules.push((format!("{place}/quantity"), is_whole));
            rules.push((place, has_only(line, &["itemId", "quantity"])));
        }
        ensure_all(rules)?;
        let parts = self.parts(lines)?;
        let mut holds = self.holds.iter();
        let is_known = holds.any(|own| own.shown["orderRef"] == body["orderRef"]);
        let is_refused = is_known && !self.is("order-held-twice");
        ensure(!is_refused, 409, "duplicateOrderRef")?;
        let mut all = parts.iter();
        let is_enough = all.all(|(at, quantity)| *quantity <= self.items[*at].available());
        ensure(is_enough, 409, "insufficientStock")?;
        let (id, now) = (self.id("hld"), self.now());
        for (at, quantity) in &parts {
            let own = &mut self.items[*at];
            own.held += quantity;
            own.touch(now.clone());
        }
        let shown = json!({
            "id": id,
            "orderRef": body["orderRef"],
            "state": "open",
            "lines": lines,
            "createdAt": now,
        });
        self.holds.push(Hold {
            shown: shown.clone(),
            parts,
        });
        Ok(Reply::new(201, shown))
    }

    fn release(&mut self, id: &str) -> Answer {
        let at = self.find_hold(id)?;
        let parts = self.holds.remove(at).parts;
        let released = if self.is("hold-kept") { 1 } else { parts.len() };
        let now = self.now();
        for (at, quantity) in parts.into_iter().take(released) {
            let own = &mut self.items[at];
            own.held -= quantity;
            own.touch(now.clone());
        }
        Ok(Reply {
            status: 204,
            headers: Vec::new(),
            body: None,
        })
    }
}
