//! Products with keys that clients choose.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::rules::{count, ensure, invalid, is_sku, is_text, is_whole, no, now, query_number};
use super::{Level, Store};
use crate::trials::desk::{Ask, Desk, Done, Reply, has_only};

impl Store {
    pub(super) fn product(&self, sku: &str) -> Result<Value, Reply> {
        let item = self.products.get(sku);
        item.cloned().ok_or_else(|| no(404, "not_found"))
    }

    pub(super) fn put_product(&mut self, sku: &str, body: &Value) -> Done {
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
        ensure(all.len() <= 10 && all.iter().all(|item| is_text(item, (1, 30))))?;
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
            "createdAt": before.as_ref().map_or(&time, |item| &item["createdAt"]),
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

    /// A fault: existing orders follow the price of their product.
    pub(super) fn reprice(&mut self, sku: &str, price: &Value) {
        for order in &mut self.orders {
            for line in order["lines"].as_array_mut().unwrap() {
                if line["sku"] == sku {
                    line["unitPrice"] = price.clone();
                    line["lineTotal"] = (count(price) * count(&line["quantity"])).into();
                }
            }
        }
    }

    pub(super) fn list_products(&self, ask: &Ask) -> Done {
        let tag = ask.query("tag");
        ensure(tag.is_none_or(|tag| tag.chars().count() <= 30))?;
        let least = query_number(ask, "minPrice", (0, i64::MAX))?;
        let most = query_number(ask, "maxPrice", (0, i64::MAX))?;
        let sort = ask.query("sort").unwrap_or("sku");
        ensure(["sku", "-sku", "unitPrice", "-unitPrice"].contains(&sort))?;
        let fits = |value: &&Value| {
            let price = count(&value["unitPrice"]);
            let tags = value["tags"].as_array().unwrap();
            let has = |tag: &str| match self.fault {
                "tag-ignored" => true,
                "tag-first-only" => tags.first().is_some_and(|item| item == tag),
                _ => tags.iter().any(|item| item == tag),
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
            all.sort_by_key(|item| {
                if self.is("sort-as-text") {
                    (0, item["unitPrice"].to_string())
                } else {
                    (count(&item["unitPrice"]), String::new())
                }
            });
        }
        if sort.starts_with('-') && !self.is("sort-up-only") {
            all.reverse();
        }
        if ask.query("sort").is_none() && self.is("unsorted") {
            all.sort_by_key(|item| item["createdAt"].to_string());
        }
        self.page(ask, &all)
    }

    pub(super) fn delete_product(&mut self, sku: &str) -> Done {
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
}
