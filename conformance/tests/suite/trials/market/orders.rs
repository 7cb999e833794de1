//! Orders and their operations.

use std::cmp::Reverse;

use super::{
    Ask, Desk, Done, Reply, Store, Value, ensure, find, has_only, is_text, json, no, whole,
};

/// The tax on everything, in hundredths of a percent.
const TAX_BPS: i64 = 825;

/// The greatest number of notes of an order.
const MOST_NOTES: usize = 3;

impl Store {
    /// Places an order, and sends its address.
    pub(super) fn order_placed(&mut self, body: &Value) -> Reply {
        let mut reply = Reply::of(self.place(body));
        let id = reply.body.as_ref().map(|body| body["id"].clone());
        if let Some(id) = id.as_ref().and_then(Value::as_str) {
            let collection = if self.is("placed-elsewhere") {
                "order"
            } else {
                "orders"
            };
            let at = format!("/{collection}/{id}");
            reply.headers.push(("location", at));
        }
        reply
    }

    fn place(&mut self, body: &Value) -> Done {
        let (customer, shipping) = (&body["customer"], &body["shipping"]);
        let is_valid = has_only(body, &["customer", "items", "shipping"])
            && has_only(customer, &["name", "email"])
            && is_text(&customer["name"], 60)
            && is_address(&customer["email"])
            && has_only(shipping, &["amount"]);
        ensure(is_valid, 422, "invalid")?;
        let shipping = whole(&shipping["amount"], 0, 100_000)?;
        let (items, goods) = self.line_items(&body["items"])?;
        let half = if self.is("tax-cut") { 0 } else { 5_000 };
        let tax = ((goods + shipping) * TAX_BPS + half) / 10_000;
        let posted = if self.is("shipped-free") { 0 } else { shipping };
        let grand = goods + posted + tax;
        let order = json!({
            "id": self.next("ord"),
            "status": "open",
            "customer": customer,
            "items": items,
            "totals": {
                "goods": goods,
                "shipping": {"amount": shipping},
                "tax": {"rate_bps": TAX_BPS, "amount": tax},
                "grand_total": grand,
            },
            "payment": {"authorized": grand, "captured": 0, "capturable": grand},
            "notes": [],
        });
        self.orders.push(order.clone());
        Ok((201, order))
    }

    /// The items of an order, with their total.
    fn line_items(&mut self, requested: &Value) -> Result<(Vec<Value>, i64), Reply> {
        let requested = requested.as_array().map_or(&[][..], Vec::as_slice);
        ensure((1..=10).contains(&requested.len()), 422, "invalid")?;
        let (mut items, mut goods) = (Vec::<Value>::new(), 0);
        for entry in requested {
            let is_valid =
                has_only(entry, &["sku", "quantity", "unit_price"]) && is_sku(&entry["sku"]);
            ensure(is_valid, 422, "invalid")?;
            let quantity = whole(&entry["quantity"], 1, 100)?;
            let price = whole(&entry["unit_price"], 1, 1_000_000)?;
            let is_used = items.iter().any(|item| item["sku"] == entry["sku"]);
            let code = if self.is("sku-told-otherwise") {
                "invalid"
            } else {
                "sku_repeated"
            };
            ensure(!is_used || self.is("sku-twice"), 422, code)?;
            if items.is_empty() || !self.is("first-goods-only") {
                goods += price * quantity;
            }
            items.push(json!({
                "id": self.next("li"),
                "sku": entry["sku"],
                "quantity": quantity,
                "unit_price": price,
                "line_total": price * quantity,
            }));
        }
        Ok((items, goods))
    }

    /// Lists orders, and sends their number.
    pub(super) fn list(&self, ask: &Ask) -> Reply {
        let mut reply = Reply::of(self.listed(ask));
        let count = reply.body.as_ref().and_then(|body| body["data"].as_array());
        let count = count.map(|count| count.len().to_string());
        let is_stated = ask.query("customer_email").is_none() || !self.is("asked-for-uncounted");
        let count = count.filter(|_| is_stated);
        reply
            .headers
            .extend(count.map(|count| ("x-total-count", count)));
        reply
    }

    fn listed(&self, ask: &Ask) -> Done {
        let mut orders = self.orders.clone();
        if let Some(email) = ask.query("customer_email") {
            ensure(is_address(&email.into()), 422, "invalid")?;
            let is_it = |value: &Value| {
                let value = value["customer"]["email"].as_str().unwrap_or_default();
                let is_same = value.eq_ignore_ascii_case(email);
                (is_same && !self.is("email-as-written")) || value == email
            };
            orders.retain(|order| is_it(order) || self.is("of-anybody"));
        }
        let total = |value: &Value| value["totals"]["grand_total"].as_i64();
        match ask.query("sort") {
            None | Some("-grand_total" | "grand_total") if self.is("unsorted") => {}
            None | Some("-grand_total") => orders.sort_by_key(|order| Reverse(total(order))),
            Some("grand_total") => orders.sort_by_key(total),
            Some(_) => return Err(no(422, "invalid")),
        }
        Ok((200, json!({ "data": orders })))
    }

    pub(super) fn cancel(&mut self, id: &str) -> Done {
        let at = find(&self.orders, id)?;
        let code = if self.is("code-of-notes") {
            "notes_full"
        } else {
            "order_cancelled"
        };
        ensure(self.orders[at]["status"] == "open", 409, code)?;
        let is_untouched = self.orders[at]["payment"]["captured"] == 0;
        ensure(
            is_untouched || self.is("captured-cancelled"),
            409,
            "order_captured",
        )?;
        self.orders[at]["status"] = "cancelled".into();
        Ok((200, self.orders[at].clone()))
    }

    pub(super) fn capture(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.orders, id)?;
        ensure(
            has_only(body, &["amount", "source", "final"]),
            422,
            "invalid",
        )?;
        let amount = whole(&body["amount"], 1, i64::MAX)?;
        let is_last = match body.get("final") {
            None => false,
            Some(flag) => flag.as_bool().ok_or_else(|| no(422, "invalid"))?,
        };
        let is_declined = match body["source"].as_str() {
            Some("card") => false,
            Some("card_empty") => !self.is("never-declined"),
            _ => return Err(no(422, "invalid")),
        };
        let order = &self.orders[at];
        let is_open = order["status"] == "open" || self.is("cancelled-captured");
        ensure(is_open, 409, "order_cancelled")?;
        let payment = &order["payment"];
        let part = |name: &str| payment[name].as_i64().unwrap_or_default();
        let (captured, left) = (part("captured"), part("capturable"));
        let status = if self.is("too-large-conflicts") {
            409
        } else {
            422
        };
        let most = if self.is("captured-after-final") {
            part("authorized") - captured
        } else if self.is("captured-twice") {
            part("authorized")
        } else {
            left
        };
        ensure(amount <= most, status, "amount_too_large")?;
        let is_kept = is_declined && !self.is("declined-counts");
        ensure(!is_kept || !self.is("declined-as-invalid"), 422, "invalid")?;
        ensure(!is_kept, 402, "source_declined")?;
        let left = match is_last && !self.is("final-goes-on") {
            true => 0,
            false if self.is("capturable-as-before") => left,
            false => (left - amount).max(0),
        };
        if !self.is("captured-uncounted") {
            self.orders[at]["payment"]["captured"] = (captured + amount).into();
        }
        self.orders[at]["payment"]["capturable"] = left.into();
        ensure(!is_declined, 402, "source_declined")?;
        let capture = json!({
            "id": self.next("cap"),
            "order_id": id,
            "amount": amount,
            "source": body["source"],
            "final": is_last,
        });
        Ok((201, capture))
    }

    pub(super) fn ship(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.orders, id)?;
        let (carrier, number) = (&body["carrier"], &body["number"]);
        let is_valid = has_only(body, &["line_item_id", "carrier", "number"])
            && is_text(&body["line_item_id"], 40)
            && (carrier == "dhl" || carrier == "ups")
            && is_number(number);
        ensure(is_valid, 422, "invalid")?;
        let mut items = self.orders[at]["items"].as_array().into_iter().flatten();
        let is_known = items.any(|item| item["id"] == body["line_item_id"]);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let all = self
            .orders
            .iter()
            .filter_map(|order| order["items"].as_array());
        let is_of_others = all
            .flatten()
            .any(|other| other["id"] == body["line_item_id"]);
        let is_taken = self.is("ships-anything") || (is_of_others && self.is("ships-of-others"));
        ensure(is_known || is_taken, 422, "line_item_unknown")?;
        let carrier_told = if self.is("tracked-by-one") {
            "dhl".to_owned()
        } else {
            text(carrier)
        };
        let tracking = format!("https://track.example/{carrier_told}/{}", text(number));
        let shipment = json!({
            "id": self.next("shi"),
            "order_id": id,
            "line_item_id": body["line_item_id"],
            "carrier": carrier,
            "number": number,
            "tracking_url": tracking,
        });
        Ok((201, shipment))
    }

    pub(super) fn add_note(&mut self, id: &str, body: &Value) -> Done {
        let at = find(&self.orders, id)?;
        let is_valid = has_only(body, &["text"]) && is_text(&body["text"], 200);
        ensure(is_valid, 422, "invalid")?;
        let note = json!({"id": self.next("note"), "text": body["text"]});
        let is_endless = self.is("notes-endless");
        let is_kept = self.is("full-is-kept");
        let notes = self.orders[at]["notes"].as_array_mut();
        let notes = notes.ok_or_else(|| no(404, "not_found"))?;
        let is_full = notes.len() >= MOST_NOTES && !is_endless;
        if !is_full || is_kept {
            notes.push(note.clone());
        }
        ensure(!is_full, 409, "notes_full")?;
        Ok((201, note))
    }

    pub(super) fn remove_note(&mut self, id: &str, note: &str) -> Done {
        let at = find(&self.orders, id)?;
        let is_gone = self.gone.iter().any(|item| item == note);
        ensure(!is_gone, 404, "not_found")?;
        let stays = self.is("note-stays");
        let notes = self.orders[at]["notes"].as_array_mut();
        let notes = notes.ok_or_else(|| no(404, "not_found"))?;
        let found = find(notes, note)?;
        if stays {
            self.gone.push(note.to_owned());
        } else {
            notes.remove(found);
        }
        Ok((204, Value::Null))
    }
}

fn is_sku(value: &Value) -> bool {
    let fits =
        |letter: u8| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == b'-';
    let item = value.as_str().unwrap_or_default();
    (1..=20).contains(&item.len()) && item.bytes().all(fits)
}

fn is_number(value: &Value) -> bool {
    let fits = |letter: u8| letter.is_ascii_uppercase() || letter.is_ascii_digit();
    let item = value.as_str().unwrap_or_default();
    (4..=20).contains(&item.len()) && item.bytes().all(fits)
}

/// Whether a text looks like an e-mail address.
fn is_address(value: &Value) -> bool {
    let parts = value.as_str().and_then(|item| item.split_once('@'));
    let is_domain =
        |text: &str| text.split('.').all(|item| !item.is_empty()) && !text.contains('@');
    let is_one = |(name, domain): (&str, &str)| !name.is_empty() && is_domain(domain);
    is_text(value, 80) && parts.is_some_and(is_one)
}
