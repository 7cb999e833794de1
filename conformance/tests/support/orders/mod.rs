//! A storefront with a document of its own (`orders.yaml`): products under the keys that their callers choose, what is in
//! stock of them and what of that is promised, vouchers that may be used so often, and orders that are paid in parts,
//! shipped, cancelled and returned. Right in everything, or wrong in one thing that it is told.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::desk::{self, Ask, Desk, Reply};

/// The key that the storefront knows.
pub(crate) const KEY: &str = "Bearer storefront-token-17";

/// Everything that the storefront knows.
#[derive(Clone, Default)]
pub(crate) struct Store {
    fault: &'static str,
    products: BTreeMap<String, Value>,
    stock: BTreeMap<String, Level>,
    adjustments: Vec<Value>,
    vouchers: BTreeMap<String, Value>,
    orders: Vec<Value>,
    payments: Vec<Value>,
    placed: BTreeMap<String, (Value, usize)>,
    number: u64,
}

/// What is in stock of a product.
#[derive(Clone)]
struct Level {
    on_hand: i64,
    reserved: i64,
    moved: Timestamp,
}

/// Opens the storefront; its address.
pub(crate) async fn open(fault: &'static str) -> String {
    desk::open(Store {
        fault,
        ..Store::default()
    })
    .await
}

impl Desk for Store {
    fn fault(&self) -> &'static str {
        self.fault
    }

    fn media_type(&self, ask: &Ask) -> &'static str {
        if ask.method() == "PATCH" {
            "application/merge-patch+json"
        } else {
            "application/json"
        }
    }

    fn refusal(&self, ask: &Ask) -> Option<Reply> {
        (ask.header("authorization") != KEY).then(|| no(401, "unauthorized"))
    }

    fn unread(&self, _status: u16) -> Reply {
        no(400, "invalid_request")
    }

    fn answer(&mut self, ask: &Ask) -> Reply {
        let path: Vec<&str> = ask.path.iter().map(String::as_str).collect();
        let done = match (ask.method(), &path[..]) {
            ("GET", ["products"]) => self.list_products(ask),
            ("PUT", ["products", sku]) => self.put_product(sku, &ask.body),
            ("GET", ["products", sku]) => self.product(sku).map(|own| (200, own)),
            ("DELETE", ["products", sku]) => self.delete_product(sku),
            ("GET", ["products", sku, "stock"]) => self.level(sku),
            ("POST", ["products", sku, "stock", "adjustments"]) => self.adjust(sku, &ask.body),
            ("GET", ["products", sku, "stock", "adjustments"]) => self.list_adjustments(sku, ask),
            ("POST", ["vouchers"]) => self.create_voucher(&ask.body),
            ("GET", ["vouchers", code]) => self.voucher(code),
            ("POST", ["vouchers", code, "deactivate"]) => self.deactivate(code),
            ("POST", ["orders"]) => self.place(ask),
            ("GET", ["orders"]) => self.list_orders(ask),
            ("GET", ["orders", id]) => self.find(id).map(|at| (200, self.orders[at].clone())),
            ("PATCH", ["orders", id]) => self.update(id, &ask.body),
            ("POST", ["orders", id, "payments"]) => self.pay(id, &ask.body),
            ("GET", ["orders", id, "payments"]) => self.list_payments(id),
            ("POST", ["orders", id, "ship"]) => self.ship(id, &ask.body),
            ("POST", ["orders", id, "cancel"]) => self.cancel(id),
            ("POST", ["orders", id, "returns"]) => self.take_back(id, &ask.body),
            _ => Err(no(404, "not_found")),
        };
        done.map_or_else(
            |refusal| refusal,
            |(status, body)| Reply {
                status,
                headers: Vec::new(),
                body: (status != 204).then_some(body),
            },
        )
    }
}

type Done = Result<(u16, Value), Reply>;

fn no(status: u16, code: &str) -> Reply {
    let mut reply = Reply::new(
        status,
        json!({"type": "about:blank", "title": "No", "status": status, "code": code}),
    );
    let kind = "application/problem+json".to_owned();
    reply.headers.push(("content-type", kind));
    reply
}

fn invalid() -> Reply {
    no(400, "invalid_request")
}

fn ensure(is_so: bool) -> Result<(), Reply> {
    if is_so { Ok(()) } else { Err(invalid()) }
}

fn told(time: Timestamp) -> Value {
    time.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string().into()
}

fn now() -> Value {
    told(Timestamp::now())
}

fn has_only(body: &Value, names: &[&str]) -> bool {
    let own = body.as_object();
    own.is_some_and(|own| own.keys().all(|key| names.contains(&key.as_str())))
}

fn is_text(own: &Value, (least, most): (usize, usize)) -> bool {
    own.as_str()
        .is_some_and(|own| (least..=most).contains(&own.chars().count()))
}

fn is_whole(own: &Value, (least, most): (i64, i64)) -> bool {
    own.as_i64()
        .is_some_and(|own| (least..=most).contains(&own))
}

fn is_one_of(own: &Value, all: &[&str]) -> bool {
    own.as_str().is_some_and(|own| all.contains(&own))
}

fn is_code(own: &str, (least, most): (usize, usize), other: &str) -> bool {
    let is_of = |own: char| own.is_ascii_uppercase() || own.is_ascii_digit() || other.contains(own);
    (least..=most).contains(&own.chars().count()) && own.chars().all(is_of)
}

fn is_sku(own: &Value) -> bool {
    own.as_str().is_some_and(|own| is_code(own, (3, 20), "-"))
}

fn is_email(own: &str) -> bool {
    let parts = own.split_once('@');
    let parts = parts.filter(|(name, host)| !name.is_empty() && host.contains('.'));
    parts.is_some() && own.len() <= 100
}

fn is_metadata(own: &Value, may_be_null: bool) -> bool {
    let all = own.as_object();
    all.is_some_and(|all| {
        let is_value = |own: &Value| (may_be_null && own.is_null()) || is_text(own, (0, 200));
        all.len() <= 20 && all.values().all(is_value)
    })
}

fn count(own: &Value) -> i64 {
    own.as_i64().unwrap()
}

/// What a query asks for as a whole number.
fn asked(ask: &Ask, name: &str, (least, most): (i64, i64)) -> Result<Option<i64>, Reply> {
    let own = ask.query(name).map(|own| own.parse::<i64>().ok());
    match own {
        None => Ok(None),
        Some(Some(own)) if (least..=most).contains(&own) => Ok(Some(own)),
        Some(_) => Err(invalid()),
    }
}

fn time(ask: &Ask, name: &str) -> Result<Option<Timestamp>, Reply> {
    let own = ask.query(name).map(str::parse::<Timestamp>);
    own.transpose().map_err(|_| invalid())
}

fn is_made(own: &Value, fits: impl Fn(Timestamp) -> bool) -> bool {
    own["createdAt"].as_str().unwrap().parse().is_ok_and(fits)
}

impl Store {
    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn id(&mut self, kind: &str) -> String {
        self.number += 1;
        format!("{kind}_{:06}", self.number * 7919 % 1_000_000)
    }

    /// A page of some records; a cursor is the place of the last one.
    fn page(&self, ask: &Ask, all: &[Value]) -> Done {
        let limit = asked(ask, "limit", (1, 100))?.unwrap_or(if self.is("ten-by-default") {
            10
        } else {
            20
        });
        let limit = usize::try_from(limit).unwrap();
        let from = match ask.query("cursor") {
            None => 0,
            Some(own) => {
                let own = own.strip_prefix("c-").and_then(|own| own.parse().ok());
                own.filter(|own| *own <= all.len()).ok_or_else(invalid)?
            }
        };
        let step = if self.is("page-skips-one") {
            limit + 1
        } else {
            limit
        };
        let items: Vec<&Value> = all.iter().skip(from).take(limit).collect();
        let is_more = from + limit < all.len() || self.is("cursor-at-the-end");
        let next = is_more.then(|| format!("c-{}", (from + step).min(all.len())));
        Ok((200, json!({"items": items, "nextCursor": next})))
    }

    fn product(&self, sku: &str) -> Result<Value, Reply> {
        let own = self.products.get(sku);
        own.cloned().ok_or_else(|| no(404, "not_found"))
    }

    fn put_product(&mut self, sku: &str, body: &Value) -> Done {
        ensure(is_sku(&sku.into()))?;
        ensure(has_only(
            body,
            &["name", "unitPrice", "weightGrams", "tags"],
        ))?;
        ensure(is_text(&body["name"], (1, 120)))?;
        ensure(is_whole(&body["unitPrice"], (0, 10_000_000)))?;
        let weight = &body["weightGrams"];
        ensure(weight.is_null() || is_whole(weight, (1, 100_000)))?;
        let empty = json!([]);
        let tags = body.get("tags").unwrap_or(&empty);
        let all = tags.as_array().ok_or_else(invalid)?;
        ensure(all.len() <= 10 && all.iter().all(|own| is_text(own, (1, 30))))?;
        let differ = |at: usize| !all[..at].contains(&all[at]);
        ensure((0..all.len()).all(differ) || self.is("tags-twice"))?;
        let before = self.products.get(sku).cloned();
        let time = now();
        let mut product = json!({
            "sku": sku,
            "name": body["name"],
            "unitPrice": body["unitPrice"],
            "weightGrams": weight,
            "tags": tags,
            "createdAt": before.as_ref().map_or(&time, |own| &own["createdAt"]),
            "updatedAt": time,
        });
        if let Some(before) = &before {
            match self.fault {
                "replace-keeps-weight" if weight.is_null() => {
                    product["weightGrams"] = before["weightGrams"].clone();
                }
                "replace-keeps-tags" if body.get("tags").is_none() => {
                    product["tags"] = before["tags"].clone();
                }
                "replace-is-new" => product["createdAt"] = product["updatedAt"].clone(),
                "replace-keeps-time" => product["updatedAt"] = before["updatedAt"].clone(),
                "replace-keeps-name" => product["name"] = before["name"].clone(),
                _ => {}
            }
            if self.is("price-follows") {
                self.reprice(sku, &product["unitPrice"]);
            }
        }
        if self.is("tags-sorted") {
            let mut all = all.clone();
            all.sort_by_key(ToString::to_string);
            product["tags"] = all.into();
        }
        self.products.insert(sku.to_owned(), product.clone());
        let fresh = Level {
            on_hand: 0,
            reserved: 0,
            moved: Timestamp::now(),
        };
        if self.is("replace-empties-stock") {
            self.stock.insert(sku.to_owned(), fresh);
        } else {
            self.stock.entry(sku.to_owned()).or_insert(fresh);
        }
        let is_new = before.is_none() || self.is("replace-is-201");
        Ok((if is_new { 201 } else { 200 }, product))
    }

    /// What nobody wants: orders follow the price of their product.
    fn reprice(&mut self, sku: &str, price: &Value) {
        for order in &mut self.orders {
            for line in order["lines"].as_array_mut().unwrap() {
                if line["sku"] == sku {
                    line["unitPrice"] = price.clone();
                    line["lineTotal"] = (count(price) * count(&line["quantity"])).into();
                }
            }
        }
    }

    fn list_products(&self, ask: &Ask) -> Done {
        let tag = ask.query("tag");
        ensure(tag.is_none_or(|own| own.chars().count() <= 30))?;
        let least = asked(ask, "minPrice", (0, i64::MAX))?;
        let most = asked(ask, "maxPrice", (0, i64::MAX))?;
        let sort = ask.query("sort").unwrap_or("sku");
        ensure(["sku", "-sku", "unitPrice", "-unitPrice"].contains(&sort))?;
        let fits = |own: &&Value| {
            let price = count(&own["unitPrice"]);
            let tags = own["tags"].as_array().unwrap();
            let has = |tag: &str| match self.fault {
                "tag-ignored" => true,
                "tag-first-only" => tags.first().is_some_and(|own| own == tag),
                _ => tags.iter().any(|own| own == tag),
            };
            let is_most = |most: i64| match self.fault {
                "max-exclusive" => price < most,
                "max-ignored" => true,
                _ => price <= most,
            };
            let is_least = |least: i64| match self.fault {
                "min-exclusive" => price > least,
                _ => price >= least,
            };
            tag.is_none_or(has) && most.is_none_or(is_most) && least.is_none_or(is_least)
        };
        let mut all: Vec<Value> = self.products.values().filter(fits).cloned().collect();
        let is_by_price = sort.ends_with("unitPrice") && !self.is("sort-ignored");
        if is_by_price {
            all.sort_by_key(|own| {
                if self.is("sort-as-text") {
                    (0, own["unitPrice"].to_string())
                } else {
                    (count(&own["unitPrice"]), String::new())
                }
            });
        }
        if sort.starts_with('-') && !self.is("sort-up-only") {
            all.reverse();
        }
        if ask.query("sort").is_none() && self.is("unsorted") {
            all.sort_by_key(|own| own["createdAt"].to_string());
        }
        self.page(ask, &all)
    }

    fn delete_product(&mut self, sku: &str) -> Done {
        self.product(sku)?;
        let is_there = self.stock[sku].on_hand > 0;
        if is_there && !self.is("delete-in-stock") {
            return Err(no(409, "product_in_stock"));
        }
        if !self.is("delete-does-nothing") {
            self.products.remove(sku);
            self.stock.remove(sku);
        }
        Ok((204, Value::Null))
    }

    fn level(&self, sku: &str) -> Done {
        self.product(sku)?;
        let own = &self.stock[sku];
        let available = if self.is("available-ignores-reserved") {
            own.on_hand
        } else {
            own.on_hand - own.reserved
        };
        let level = json!({
            "sku": sku,
            "onHand": own.on_hand,
            "reserved": own.reserved,
            "available": available,
            "updatedAt": told(own.moved),
        });
        Ok((200, level))
    }

    fn adjust(&mut self, sku: &str, body: &Value) -> Done {
        self.product(sku)?;
        ensure(has_only(body, &["delta", "reason", "note"]))?;
        ensure(is_whole(&body["delta"], (-100_000, 100_000)))?;
        ensure(is_one_of(
            &body["reason"],
            &["received", "damaged", "counted"],
        ))?;
        ensure(body.get("note").is_none_or(|own| is_text(own, (0, 200))))?;
        let delta = count(&body["delta"]);
        let fault = self.fault;
        let level = self.stock.get_mut(sku).unwrap();
        let is_enough = match fault {
            "removes-reserved" => level.on_hand + delta >= 0,
            "removes-too-much" => true,
            _ => delta >= 0 || level.on_hand - level.reserved + delta >= 0,
        };
        if !is_enough {
            return Err(no(409, "insufficient_stock"));
        }
        match fault {
            "adjust-does-nothing" => {}
            "adjust-adds-always" => level.on_hand += delta.abs(),
            "adjust-sets" => level.on_hand = delta.max(0),
            _ => level.on_hand += delta,
        }
        if fault != "stock-time-stands" {
            level.moved = Timestamp::now();
        }
        let after = match fault {
            "after-is-before" => level.on_hand - delta,
            "after-is-available" => level.on_hand - level.reserved,
            _ => level.on_hand,
        };
        let mut adjustment = json!({
            "id": self.id("adj"),
            "sku": sku,
            "delta": delta,
            "reason": body["reason"],
            "onHandAfter": after.max(0),
            "createdAt": now(),
        });
        if let Some(note) = body.get("note") {
            adjustment["note"] = note.clone();
        }
        if self.is("reason-is-received") {
            adjustment["reason"] = "received".into();
        }
        self.adjustments.push(adjustment.clone());
        Ok((201, adjustment))
    }

    fn list_adjustments(&self, sku: &str, ask: &Ask) -> Done {
        self.product(sku)?;
        let is_of = |own: &&Value| own["sku"] == sku || self.is("adjustments-of-all");
        let mut all: Vec<Value> = self.adjustments.iter().filter(is_of).cloned().collect();
        if !self.is("adjustments-oldest-first") {
            all.reverse();
        }
        self.page(ask, &all)
    }

    fn create_voucher(&mut self, body: &Value) -> Done {
        ensure(has_only(body, &["code", "percentOff", "maxRedemptions"]))?;
        let code = body["code"].as_str().unwrap_or_default();
        ensure(is_code(code, (4, 20), ""))?;
        ensure(is_whole(&body["percentOff"], (1, 100)))?;
        let default = json!(if self.is("two-redemptions") { 2 } else { 1 });
        let most = body.get("maxRedemptions").unwrap_or(&default);
        ensure(is_whole(most, (1, 1000)))?;
        if self.vouchers.contains_key(code) && !self.is("code-twice") {
            return Err(no(409, "code_taken"));
        }
        let voucher = json!({
            "code": code,
            "percentOff": body["percentOff"],
            "maxRedemptions": most,
            "timesRedeemed": 0,
            "active": true,
            "createdAt": now(),
        });
        self.vouchers.insert(code.to_owned(), voucher.clone());
        Ok((201, voucher))
    }

    fn voucher(&self, code: &str) -> Done {
        let own = self.vouchers.get(code);
        let own = own.cloned().ok_or_else(|| no(404, "not_found"))?;
        Ok((200, own))
    }

    fn deactivate(&mut self, code: &str) -> Done {
        let own = self.vouchers.get_mut(code);
        let own = own.ok_or_else(|| no(404, "not_found"))?;
        if self.fault == "deactivate-twice" && own["active"] == false {
            return Err(no(404, "not_found"));
        }
        if self.fault == "deactivate-says-so" {
            let mut told = own.clone();
            told["active"] = false.into();
            return Ok((200, told));
        }
        if self.fault == "deactivate-toggles" {
            own["active"] = (own["active"] == false).into();
        } else {
            own["active"] = false.into();
        }
        Ok((200, own.clone()))
    }

    /// The lines of an order with their prices.
    fn priced(&self, lines: &[Value]) -> Result<Vec<Value>, Reply> {
        let mut own = Vec::new();
        for line in lines {
            let sku = line["sku"].as_str().unwrap();
            let quantity = count(&line["quantity"]);
            let product = match self.products.get(sku) {
                Some(own) => own.clone(),
                None if self.is("any-product") => {
                    json!({"unitPrice": 100})
                }
                None => return Err(no(422, "unknown_product")),
            };
            let unit = count(&product["unitPrice"]);
            let line_total = if self.is("line-of-one") {
                unit
            } else {
                unit * quantity
            };
            own.push(json!({"sku": sku, "quantity": quantity, "unitPrice": unit, "lineTotal": line_total, "returned": 0}));
        }
        Ok(own)
    }

    /// The voucher of a code.
    fn usable(&self, code: &str) -> Result<Option<Value>, Reply> {
        let usable = self.vouchers.get(code).filter(|own| {
            let is_left = own["timesRedeemed"].as_i64() < own["maxRedemptions"].as_i64();
            (own["active"] == true || self.is("inactive-voucher"))
                && (is_left || self.is("voucher-without-end"))
        });
        if usable.is_none() && !self.is("any-voucher") {
            return Err(no(422, "voucher_not_usable"));
        }
        Ok(usable.cloned())
    }

    /// Promises what is in stock to an order.
    fn reserve(&mut self, lines: &[Value]) -> Result<(), Reply> {
        let mut wanted: BTreeMap<&str, i64> = BTreeMap::new();
        for line in lines {
            *wanted.entry(line["sku"].as_str().unwrap()).or_default() += count(&line["quantity"]);
        }
        let is_short = wanted.iter().any(|(sku, wanted)| {
            let level = self.stock.get(*sku);
            level.is_some_and(|level| {
                let free = match self.fault {
                    "sells-what-is-promised" => level.on_hand,
                    "sells-one-more" => level.on_hand - level.reserved + 1,
                    _ => level.on_hand - level.reserved,
                };
                free < *wanted
            })
        });
        if is_short && !self.is("sells-what-is-not-there") {
            return Err(no(409, "insufficient_stock"));
        }
        let wanted: Vec<(String, i64)> = wanted
            .into_iter()
            .map(|(sku, own)| (sku.to_owned(), own))
            .collect();
        for (sku, wanted) in wanted {
            let (is_forgotten, is_at_once) =
                (self.is("reserves-nothing"), self.is("takes-at-once"));
            if let Some(level) = self.stock.get_mut(&sku) {
                if is_at_once {
                    level.on_hand -= wanted;
                } else if !is_forgotten {
                    level.reserved += wanted;
                }
                level.moved = Timestamp::now();
            }
        }
        Ok(())
    }

    fn place(&mut self, ask: &Ask) -> Done {
        let body = &ask.body;
        let key = ask.header("idempotency-key").to_owned();
        let is_keyed = ask.headers.contains_key("idempotency-key");
        ensure(!is_keyed || (8..=64).contains(&key.chars().count()))?;
        let names = ["customerEmail", "lines", "voucherCode", "metadata"];
        ensure(has_only(body, &names))?;
        ensure(body["customerEmail"].as_str().is_some_and(is_email))?;
        let lines = body["lines"].as_array().ok_or_else(invalid)?;
        ensure((1..=20).contains(&lines.len()))?;
        for line in lines {
            ensure(has_only(line, &["sku", "quantity"]) && is_sku(&line["sku"]))?;
            ensure(is_whole(&line["quantity"], (1, 1000)))?;
        }
        let code = match body.get("voucherCode") {
            None => None,
            Some(own) => {
                let own = own.as_str().ok_or_else(invalid)?;
                ensure(is_code(own, (4, 20), ""))?;
                Some(own.to_owned())
            }
        };
        let empty = json!({});
        let metadata = body.get("metadata").unwrap_or(&empty);
        ensure(is_metadata(metadata, false))?;
        if let Some((before, at)) = self.placed.get(&key).filter(|_| is_keyed) {
            if before != body && !self.is("key-of-another") {
                return Err(no(409, "idempotency_key_used"));
            }
            if !self.is("key-ignored") {
                return Ok((201, self.orders[*at].clone()));
            }
        }
        let own = self.priced(lines)?;
        let voucher = code
            .as_deref()
            .map(|own| self.usable(own))
            .transpose()?
            .flatten();
        self.reserve(lines)?;
        let subtotal: i64 = own.iter().map(|own| count(&own["lineTotal"])).sum();
        let percent = voucher.as_ref().map_or(0, |own| count(&own["percentOff"]));
        let discount = match self.fault {
            "no-discount" => 0,
            "discount-rounded-up" => (subtotal * percent + 99) / 100,
            _ => subtotal * percent / 100,
        };
        let total = if self.is("total-before-discount") {
            subtotal
        } else {
            subtotal - discount
        };
        let is_uncounted = self.is("voucher-uncounted");
        let used = code.as_ref().and_then(|own| self.vouchers.get_mut(own));
        if let Some(own) = used.filter(|_| !is_uncounted) {
            own["timesRedeemed"] = (count(&own["timesRedeemed"]) + 1).into();
        }
        let time = now();
        let order = json!({
            "id": self.id("ord"),
            "status": "pending",
            "customerEmail": body["customerEmail"],
            "lines": own,
            "subtotal": subtotal,
            "discount": discount,
            "total": total,
            "amountPaid": 0,
            "amountDue": if self.is("due-before-discount") { subtotal } else { total },
            "voucherCode": code,
            "metadata": metadata,
            "createdAt": time,
            "updatedAt": time,
            "paidAt": null,
            "shippedAt": null,
            "cancelledAt": null,
        });
        self.orders.push(order.clone());
        if is_keyed {
            self.placed
                .insert(key, (body.clone(), self.orders.len() - 1));
        }
        Ok((201, order))
    }

    fn find(&self, id: &str) -> Result<usize, Reply> {
        let at = self.orders.iter().position(|own| own["id"] == id);
        at.ok_or_else(|| no(404, "not_found"))
    }

    fn list_orders(&self, ask: &Ask) -> Done {
        let status = ask.query("status");
        let all = ["pending", "paid", "shipped", "cancelled"];
        ensure(status.is_none_or(|own| all.contains(&own)))?;
        let email = ask.query("customerEmail");
        ensure(email.is_none_or(is_email))?;
        let (from, to) = (time(ask, "createdFrom")?, time(ask, "createdTo")?);
        let fits = |own: &&Value| {
            let is_from =
                |from: Timestamp| is_made(own, |at| at >= from || self.is("from-ignored"));
            let is_to =
                |to: Timestamp| is_made(own, |at| at < to || (at == to && self.is("to-inclusive")));
            let is_of = |status: &str| own["status"] == status || self.is("status-ignored");
            let is_by = |email: &str| own["customerEmail"] == email || self.is("email-ignored");
            let is_shown = !(self.is("cancelled-unlisted") && own["status"] == "cancelled");
            status.is_none_or(is_of)
                && email.is_none_or(is_by)
                && from.is_none_or(is_from)
                && to.is_none_or(is_to)
                && is_shown
        };
        let mut all: Vec<Value> = self.orders.iter().filter(fits).cloned().collect();
        if !self.is("orders-oldest-first") {
            all.reverse();
        }
        self.page(ask, &all)
    }

    fn update(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        ensure(has_only(body, &["customerEmail", "metadata"]))?;
        let email = body.get("customerEmail");
        ensure(email.is_none_or(|own| own.as_str().is_some_and(is_email)))?;
        let metadata = body.get("metadata");
        ensure(metadata.is_none_or(|own| is_metadata(own, true)))?;
        let is_closed =
            ["shipped", "cancelled"].contains(&self.orders[at]["status"].as_str().unwrap());
        if is_closed && !self.is("update-closed") {
            return Err(no(409, "order_closed"));
        }
        let (replaces, keeps_nulls) = (self.is("metadata-replaced"), self.is("null-kept"));
        let order = &mut self.orders[at];
        if let Some(email) = email {
            order["customerEmail"] = email.clone();
        }
        if let Some(metadata) = metadata {
            let own = order["metadata"].as_object_mut().unwrap();
            if replaces {
                *own = Map::new();
            }
            for (key, value) in metadata.as_object().unwrap() {
                if !value.is_null() {
                    own.insert(key.clone(), value.clone());
                } else if !keeps_nulls {
                    own.remove(key);
                }
            }
        }
        if self.fault != "update-time-stands" {
            order["updatedAt"] = now();
        }
        Ok((200, order.clone()))
    }

    fn pay(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        ensure(has_only(body, &["amount", "method", "reference"]))?;
        ensure(is_whole(&body["amount"], (1, 1_000_000_000)))?;
        ensure(is_one_of(
            &body["method"],
            &["card", "bank_transfer", "cash"],
        ))?;
        ensure(
            body.get("reference")
                .is_none_or(|own| is_text(own, (0, 60))),
        )?;
        let status = self.orders[at]["status"].clone();
        if status != "pending" && !(self.is("pay-cancelled") && status == "cancelled") {
            return Err(no(409, "order_not_pending"));
        }
        let amount = count(&body["amount"]);
        let due = if status == "cancelled" {
            count(&self.orders[at]["total"])
        } else {
            count(&self.orders[at]["amountDue"])
        };
        if amount > due && !self.is("overpaid") {
            return Err(no(422, "overpayment"));
        }
        let fault = self.fault;
        let order = &mut self.orders[at];
        let paid = count(&order["amountPaid"]) + amount;
        if fault != "paid-uncounted" {
            order["amountPaid"] = paid.into();
        }
        order["amountDue"] = match fault {
            "due-stands" => due.into(),
            _ => (due - amount).max(0).into(),
        };
        if amount >= due || fault == "paid-by-a-part" {
            if fault != "stays-pending" {
                order["status"] = "paid".into();
            }
            if fault != "paid-at-null" {
                order["paidAt"] = now();
            }
        }
        order["updatedAt"] = now();
        let mut payment = json!({
            "id": self.id("pay"),
            "orderId": id,
            "amount": amount,
            "method": body["method"],
            "createdAt": now(),
        });
        if let (Some(reference), false) = (body.get("reference"), self.is("reference-lost")) {
            payment["reference"] = reference.clone();
        }
        self.payments.push(payment.clone());
        Ok((201, payment))
    }

    fn list_payments(&self, id: &str) -> Done {
        self.find(id)?;
        let is_of = |own: &&Value| own["orderId"] == id || self.is("payments-of-all");
        let mut all: Vec<&Value> = self.payments.iter().filter(is_of).collect();
        if self.is("payments-newest-first") {
            all.reverse();
        }
        Ok((200, json!({"items": all})))
    }

    /// What an order has of each product.
    fn parts(&self, at: usize) -> Vec<(String, i64)> {
        let lines = self.orders[at]["lines"].as_array().unwrap().iter();
        lines
            .map(|own| {
                (
                    own["sku"].as_str().unwrap().to_owned(),
                    count(&own["quantity"]),
                )
            })
            .collect()
    }

    fn ship(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        ensure(has_only(body, &["carrier"]) && is_text(&body["carrier"], (1, 40)))?;
        let status = self.orders[at]["status"].clone();
        let may = status == "paid"
            || (self.is("ship-unpaid") && status == "pending")
            || (self.is("ship-twice") && status == "shipped");
        if !may {
            return Err(no(409, "order_not_paid"));
        }
        for (sku, quantity) in self.parts(at) {
            let (keeps_promise, keeps_stock) =
                (self.is("ship-keeps-promise"), self.is("ship-keeps-stock"));
            if let Some(level) = self.stock.get_mut(&sku) {
                if !keeps_stock {
                    level.on_hand -= quantity;
                }
                if !keeps_promise {
                    level.reserved -= quantity;
                }
                level.moved = Timestamp::now();
            }
        }
        let fault = self.fault;
        let order = &mut self.orders[at];
        order["status"] = "shipped".into();
        order["shippedAt"] = now();
        order["updatedAt"] = now();
        if fault != "carrier-lost" {
            order["carrier"] = body["carrier"].clone();
        }
        Ok((200, order.clone()))
    }

    fn cancel(&mut self, id: &str) -> Done {
        let at = self.find(id)?;
        let status = self.orders[at]["status"].clone();
        let may = status == "pending"
            || (self.is("cancel-paid") && status == "paid")
            || (self.is("cancel-twice") && status == "cancelled");
        if !may {
            return Err(no(409, "order_not_pending"));
        }
        if status == "pending" && !self.is("cancel-keeps-promise") {
            for (sku, quantity) in self.parts(at) {
                if let Some(level) = self.stock.get_mut(&sku) {
                    level.reserved -= quantity;
                    level.moved = Timestamp::now();
                }
            }
        }
        let code = self.orders[at]["voucherCode"].as_str().map(str::to_owned);
        let is_kept = self.is("cancel-keeps-voucher");
        let used = code.and_then(|own| self.vouchers.get_mut(&own));
        if let Some(own) = used.filter(|_| !is_kept) {
            own["timesRedeemed"] = (count(&own["timesRedeemed"]) - 1).max(0).into();
        }
        let fault = self.fault;
        let order = &mut self.orders[at];
        order["status"] = "cancelled".into();
        if fault != "cancel-keeps-due" {
            order["amountDue"] = 0.into();
        }
        if fault != "cancelled-at-null" {
            order["cancelledAt"] = now();
        }
        order["updatedAt"] = now();
        Ok((200, order.clone()))
    }

    fn take_back(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        ensure(has_only(body, &["sku", "quantity", "reason"]) && is_sku(&body["sku"]))?;
        ensure(is_whole(&body["quantity"], (1, 1000)))?;
        ensure(is_one_of(
            &body["reason"],
            &["damaged", "wrong_item", "unwanted"],
        ))?;
        if self.orders[at]["status"] != "shipped" && !self.is("return-unshipped") {
            return Err(no(409, "order_not_shipped"));
        }
        let fault = self.fault;
        let quantity = count(&body["quantity"]);
        let sku = body["sku"].as_str().unwrap();
        let lines = self.orders[at]["lines"].as_array_mut().unwrap();
        let Some(line) = lines.iter_mut().find(|own| own["sku"] == sku) else {
            return Err(no(422, "not_returnable"));
        };
        let left = count(&line["quantity"]) - count(&line["returned"]);
        let is_more = match fault {
            "returns-without-end" => quantity > count(&line["quantity"]),
            "returns-anything" => false,
            _ => quantity > left,
        };
        if is_more {
            return Err(no(422, "not_returnable"));
        }
        if fault != "return-uncounted" {
            line["returned"] = (count(&line["returned"]) + quantity).into();
        }
        let unit = count(&line["unitPrice"]);
        let refund = match fault {
            "refund-of-one" => unit,
            "refund-of-all" => count(&line["lineTotal"]),
            _ => unit * quantity,
        };
        if let (Some(level), false) = (self.stock.get_mut(sku), fault == "return-not-in-stock") {
            level.on_hand += quantity;
            level.moved = Timestamp::now();
        }
        self.orders[at]["updatedAt"] = now();
        let own = json!({
            "id": self.id("ret"),
            "orderId": id,
            "sku": sku,
            "quantity": quantity,
            "reason": body["reason"],
            "refundAmount": refund,
            "createdAt": now(),
        });
        Ok((201, own))
    }
}
