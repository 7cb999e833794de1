//! Places, changes and cancels orders.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::Store;
use super::rules::{
    count, ensure, invalid, is_code, is_created, is_email, is_metadata, is_sku, is_whole, no, now,
    time,
};
use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

impl Store {
    /// The lines of an order with their prices.
    pub(super) fn priced(&self, lines: &[Value]) -> Result<Vec<Value>, Reply> {
        let mut item = Vec::new();
        for line in lines {
            let sku = line["sku"].as_str().unwrap();
            let quantity = count(&line["quantity"]);
            let product = match self.products.get(sku) {
                Some(item) => item.clone(),
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
            item.push(json!({"sku": sku, "quantity": quantity, "unitPrice": unit, "lineTotal": line_total, "returned": 0}));
        }
        Ok(item)
    }

    /// Refuses an invalid order.
    fn check_order(body: &Value) -> Result<(), Reply> {
        let names = ["customerEmail", "lines", "voucherCode", "metadata"];
        ensure(has_only(body, &names))?;
        ensure(body["customerEmail"].as_str().is_some_and(is_email))?;
        let lines = body["lines"].as_array().ok_or_else(invalid)?;
        ensure((1..=20).contains(&lines.len()))?;
        for line in lines {
            ensure(has_only(line, &["sku", "quantity"]) && is_sku(&line["sku"]))?;
            ensure(is_whole(&line["quantity"], (1, 1000)))?;
        }
        let voucher = body.get("voucherCode").map(Value::as_str);
        let is_voucher =
            |candidate: Option<&str>| candidate.is_some_and(|item| is_code(item, (4, 20), ""));
        ensure(voucher.is_none_or(is_voucher))?;
        let metadata = body.get("metadata");
        ensure(metadata.is_none_or(|metadata| is_metadata(metadata, false)))
    }

    pub(super) fn place(&mut self, ask: &Ask) -> Done {
        let body = &ask.body;
        let key = ask.header("idempotency-key").to_owned();
        let is_keyed = ask.headers.contains_key("idempotency-key");
        ensure(!is_keyed || (8..=64).contains(&key.chars().count()))?;
        Self::check_order(body)?;
        if let Some((before, at)) = self.placed.get(&key).filter(|_| is_keyed) {
            if before != body && !self.is("key-of-another") {
                return Err(no(409, "idempotency_key_used"));
            }
            if !self.is("key-ignored") {
                return Ok((201, self.orders[*at].clone()));
            }
        }
        let order = self.ordered(body)?;
        self.orders.push(order.clone());
        if is_keyed {
            self.placed
                .insert(key, (body.clone(), self.orders.len() - 1));
        }
        Ok((201, order))
    }

    /// The requested order with its prices; reserves its stock.
    fn ordered(&mut self, body: &Value) -> Result<Value, Reply> {
        let wanted = body["lines"].as_array().unwrap();
        let lines = self.priced(wanted)?;
        let code = body.get("voucherCode").and_then(Value::as_str);
        let voucher = code.map(|code| self.usable(code)).transpose()?.flatten();
        self.reserve(wanted)?;
        let subtotal: i64 = lines.iter().map(|line| count(&line["lineTotal"])).sum();
        let percent = voucher.map_or(0, |item| count(&item["percentOff"]));
        let discount = match self.fault {
            "no-discount" => 0,
            "discount-rounded-up" => (subtotal * percent + 99) / 100,
            _ => subtotal * percent / 100,
        };
        let total = match self.fault {
            "total-before-discount" => subtotal,
            _ => subtotal - discount,
        };
        let is_uncounted = self.is("voucher-uncounted");
        let used = code.and_then(|code| self.vouchers.get_mut(code));
        if let Some(voucher) = used.filter(|_| !is_uncounted) {
            voucher["timesRedeemed"] = (count(&voucher["timesRedeemed"]) + 1).into();
        }
        let time = now();
        Ok(json!({
            "id": self.id("ord"),
            "status": "pending",
            "customerEmail": body["customerEmail"],
            "lines": lines,
            "subtotal": subtotal,
            "discount": discount,
            "total": total,
            "amountPaid": 0,
            "amountDue": if self.is("due-before-discount") { subtotal } else { total },
            "voucherCode": code,
            "metadata": body.get("metadata").unwrap_or(&json!({})),
            "createdAt": time,
            "updatedAt": time,
            "paidAt": null,
            "shippedAt": null,
            "cancelledAt": null,
        }))
    }

    pub(super) fn find(&self, id: &str) -> Result<usize, Reply> {
        let at = self.orders.iter().position(|order| order["id"] == id);
        at.ok_or_else(|| no(404, "not_found"))
    }

    pub(super) fn read_order(&self, id: &str) -> Done {
        let mut order = self.orders[self.find(id)?].clone();
        if self.is("voucher-unread") {
            order["voucherCode"] = Value::Null;
        }
        Ok((200, order))
    }

    pub(super) fn list_orders(&self, ask: &Ask) -> Done {
        let status = ask.query("status");
        let all = ["pending", "paid", "shipped", "cancelled"];
        ensure(status.is_none_or(|statu| all.contains(&statu)))?;
        let email = ask.query("customerEmail");
        ensure(email.is_none_or(is_email))?;
        let (from, to) = (time(ask, "createdFrom")?, time(ask, "createdTo")?);
        let fits = |value: &&Value| {
            let is_from =
                |from: Timestamp| is_created(value, |at| at >= from || self.is("from-ignored"));
            let is_to = |to: Timestamp| {
                is_created(value, |at| at < to || (at == to && self.is("to-inclusive")))
            };
            let is_of = |status: &str| {
                let is_loose = self.is("cancelled-is-any") && status == "cancelled";
                value["status"] == status || is_loose || self.is("status-ignored")
            };
            let is_by = |email: &str| value["customerEmail"] == email || self.is("email-ignored");
            let is_shown = !(self.is("cancelled-unlisted") && value["status"] == "cancelled"
                || self.is("discounted-unlisted") && value["discount"] != 0);
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

    pub(super) fn update(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        ensure(has_only(body, &["customerEmail", "metadata"]))?;
        let email = body.get("customerEmail");
        ensure(email.is_none_or(|email| email.as_str().is_some_and(is_email)))?;
        let metadata = body.get("metadata");
        ensure(metadata.is_none_or(|metadata| is_metadata(metadata, true)))?;
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
            let fields = order["metadata"].as_object_mut().unwrap();
            if replaces {
                *fields = Map::new();
            }
            for (key, value) in metadata.as_object().unwrap() {
                if !value.is_null() {
                    fields.insert(key.clone(), value.clone());
                } else if !keeps_nulls {
                    fields.remove(key);
                }
            }
        }
        if self.fault != "update-time-stands" {
            order["updatedAt"] = now();
        }
        Ok((200, order.clone()))
    }

    pub(super) fn cancel(&mut self, id: &str) -> Done {
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
        let used = code.and_then(|code| self.vouchers.get_mut(&code));
        if let Some(voucher) = used.filter(|_| !is_kept) {
            voucher["timesRedeemed"] = (count(&voucher["timesRedeemed"]) - 1).max(0).into();
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
}
