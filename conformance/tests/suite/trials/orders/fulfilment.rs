//! Pays, ships and returns orders.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::Store;
use super::rules::{count, ensure, is_one_of, is_sku, is_text, is_whole, no, now};
use crate::trials::desk::{Desk, Done, has_only};

impl Store {
    pub(super) fn pay(&mut self, id: &str, body: &Value) -> Done {
        let at = self.find(id)?;
        ensure(has_only(body, &["amount", "method", "reference"]))?;
        ensure(is_whole(&body["amount"], (1, 1_000_000_000)))?;
        ensure(is_one_of(
            &body["method"],
            &["card", "bank_transfer", "cash"],
        ))?;
        ensure(
            body.get("reference")
                .is_none_or(|body| is_text(body, (0, 60))),
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

    pub(super) fn list_payments(&self, id: &str) -> Done {
        self.find(id)?;
        let is_of = |value: &&Value| value["orderId"] == id || self.is("payments-of-all");
        let mut all: Vec<&Value> = self.payments.iter().filter(is_of).collect();
        if self.is("payments-newest-first") {
            all.reverse();
        }
        Ok((200, json!({"items": all})))
    }

    pub(super) fn ship(&mut self, id: &str, body: &Value) -> Done {
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

    pub(super) fn take_back(&mut self, id: &str, body: &Value) -> Done {
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
        let Some(line) = lines.iter_mut().find(|line| line["sku"] == sku) else {
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
        let item = json!({
            "id": self.id("ret"),
            "orderId": id,
            "sku": sku,
            "quantity": quantity,
            "reason": body["reason"],
            "refundAmount": refund,
            "createdAt": now(),
        });
        Ok((201, item))
    }
}
