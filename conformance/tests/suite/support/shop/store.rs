//! The records of the shop, and its rules about them.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::fields::mistake;
use super::{Ask, Aspect, Fault, Reply, Rule, Style};

/// The state of the shop.
#[derive(Clone)]
pub(super) struct Store {
    pub(super) fault: Fault,
    pub(super) style: Style,
    count: u64,
    pub(super) customers: Vec<Value>,
    pub(super) charges: Vec<Value>,
    pub(super) refunds: Vec<Value>,
    keys: HashMap<String, (Value, Reply)>,
    references: Vec<Value>,
}

impl Store {
    pub(super) fn new(fault: Fault, style: Style) -> Self {
        Self {
            fault,
            style,
            count: 0,
            customers: Vec::new(),
            charges: Vec::new(),
            refunds: Vec::new(),
            keys: HashMap::new(),
            references: Vec::new(),
        }
    }

    pub(super) fn breaks(&self, rule: Rule) -> bool {
        self.fault == Fault::Breaks(rule)
    }

    /// A new number.
    pub(super) fn number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    fn id(&mut self, prefix: &str) -> String {
        let number = self.number();
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.style.counted {
            return (1000 + number).to_string();
        }
        if self.style.uuids {
            let id = (u128::from(mixed) << 64) | u128::from(number);
            return uuid::Builder::from_random_bytes(id.to_be_bytes())
                .into_uuid()
                .to_string();
        }
        format!("{prefix}_{mixed:016x}")
    }

    fn now(&self) -> String {
        if self.breaks(Rule::TimeStands) {
            return "2026-01-01T00:00:00.000Z".to_owned();
        }
        let now = jiff::Timestamp::now();
        now.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
    }

    pub(super) fn unprocessable(&self, detail: &str) -> Reply {
        let detail = if self.style.blunt { "No." } else { detail };
        if self.style.only_400 {
            return Reply::problem(400, "Bad Request", detail);
        }
        Reply::problem(422, "Unprocessable Content", detail)
    }

    fn conflict(&self, detail: &'static str) -> Reply {
        Reply::problem(409, "Conflict", self.style.text(detail))
    }

    fn unknown(&self) -> Reply {
        Reply::problem(404, "Not Found", self.style.text("there is no such record"))
    }

    pub(super) fn answer(&mut self, ask: &Ask) -> Reply {
        let found = match ask.operation {
            "create_customer" => Ok(self.create_customer(ask)),
            "list_customers" => Ok(self.list_customers(ask)),
            "create_charge" => Ok(self.create_charge(ask)),
            "list_charges" => Ok(self.list_charges(ask)),
            "get_customer" => self.customer(ask).map(|at| self.get_customer(at)),
            "update_customer" => self.customer(ask).map(|at| self.update_customer(at, ask)),
            "delete_customer" => self.customer(ask).map(|at| self.delete_customer(at)),
            "get_charge" => self.charge(ask).map(|at| self.get_charge(at)),
            "capture_charge" => self.charge(ask).map(|at| self.capture(at, ask)),
            "cancel_charge" => self.charge(ask).map(|at| self.cancel(at, ask)),
            "create_refund" => self.charge(ask).map(|at| self.refund(at, ask)),
            "list_refunds" => self.charge(ask).map(|at| self.list_refunds(at)),
            _ => self.charge(ask).map(|at| self.get_refund(at, ask)),
        };
        found.unwrap_or_else(|()| self.unknown())
    }

    fn find(records: &[Value], key: &str) -> Option<usize> {
        records.iter().position(|record| record["id"] == key)
    }

    fn customer(&self, ask: &Ask) -> Result<usize, ()> {
        let found = Self::find(&self.customers, &ask.path[0]);
        let found = found.filter(|at| {
            let is_gone = self.customers[*at]["gone"] == true;
            let is_shown = ask.operation == "get_customer" && self.breaks(Rule::DeletedIsRead);
            let again = ask.operation == "delete_customer" && self.breaks(Rule::DeleteTwice);
            !is_gone || is_shown || again || ask.is_decided
        });
        let lax = match ask.operation {
            "get_customer" => self.breaks(Rule::UnknownCustomerRead),
            "update_customer" => self.breaks(Rule::UnknownCustomerUpdated),
            _ => self.breaks(Rule::UnknownCustomerDeleted),
        };
        let any = || self.customers.len().checked_sub(1).filter(|_| lax);
        found.or_else(any).ok_or(())
    }

    fn charge(&self, ask: &Ask) -> Result<usize, ()> {
        let lax = match ask.operation {
            "get_charge" => self.breaks(Rule::UnknownChargeRead),
            "capture_charge" => self.breaks(Rule::UnknownChargeCaptured),
            "cancel_charge" => self.breaks(Rule::UnknownChargeCancelled),
            "list_refunds" => self.breaks(Rule::UnknownChargeListed),
            _ => false,
        };
        let any = || self.charges.len().checked_sub(1).filter(|_| lax);
        Self::find(&self.charges, &ask.path[0])
            .or_else(any)
            .ok_or(())
    }

    fn create_customer(&mut self, ask: &Ask) -> Reply {
        let mistake = mistake(self.fault, ask.operation, &ask.body);
        let name = ask.body["name"].as_str().unwrap_or_default();
        let is_long = name.chars().count() == 60 && self.breaks(Rule::LongestRefused);
        let is_astral = name.chars().any(|letter| u32::from(letter) > 0xffff);
        if let Some(detail) = mistake.filter(|_| !self.breaks(Rule::RefusedIsKept)) {
            return self.unprocessable(&detail);
        }
        if is_long || (is_astral && self.breaks(Rule::AstralRefused)) {
            return self.unprocessable("the name is too long");
        }
        let mut customer = json!({"id": self.id("cus")});
        for (name, value) in ask.body.as_object().into_iter().flatten() {
            customer[name] = value.clone();
        }
        if is_astral && self.breaks(Rule::AstralCut) {
            let cut: String = name.chars().take(30).collect();
            customer["name"] = cut.into();
        }
        customer["created_at"] = self.now().into();
        customer["updated_at"] = customer["created_at"].clone();
        if self.style.more_properties {
            customer["locale"] = "en".into();
        }
        let wrong = super::fields::mistake(self.fault, ask.operation, &ask.body);
        self.customers.push(customer.clone());
        if let Some(detail) = wrong {
            return self.unprocessable(&detail);
        }
        self.created(customer, "/customers")
    }

    fn created(&self, record: Value, folder: &str) -> Reply {
        let id = record["id"].as_str().unwrap_or_default();
        let place = if self.breaks(Rule::LocationLeadsNowhere) {
            format!("{folder}/0{id}")
        } else {
            format!("{folder}/{id}")
        };
        let mut reply = Reply::new(201, record);
        reply.headers.push(("location", place));
        reply
    }

    fn get_customer(&mut self, at: usize) -> Reply {
        if self.breaks(Rule::CreatedAtMoves) {
            self.customers[at]["created_at"] = self.now().into();
        }
        if self.breaks(Rule::ReadTurnsTags)
            && let Some(tags) = self.customers[at]["tags"].as_array_mut()
        {
            tags.push("seen".into());
        }
        let mut customer = self.customers[at].clone();
        customer.as_object_mut().unwrap().remove("gone");
        if self.breaks(Rule::ReadByHalves) {
            customer["name"] = customer["name"].as_str().unwrap()[..1].into();
        }
        Reply::new(200, customer)
    }

    fn update_customer(&mut self, at: usize, ask: &Ask) -> Reply {
        if let Some(detail) = mistake(self.fault, ask.operation, &ask.body) {
            return self.unprocessable(&detail);
        }
        let before = self.customers[at].clone();
        let mut after = before.clone();
        if self.breaks(Rule::UpdateClearsRest) {
            after.as_object_mut().unwrap().remove("tags");
        }
        for (name, value) in ask.body.as_object().into_iter().flatten() {
            if name != "phone" || !self.breaks(Rule::UpdateLosesPhone) {
                after[name] = value.clone();
            }
        }
        if !self.breaks(Rule::UpdatedAtStands) {
            after["updated_at"] = self.now().into();
        }
        if !self.breaks(Rule::UpdateIsForgotten) {
            self.customers[at] = after.clone();
        }
        let shown = if self.breaks(Rule::UpdateAnswersOld) {
            before
        } else {
            after
        };
        Reply::new(200, shown)
    }

    fn delete_customer(&mut self, at: usize) -> Reply {
        if !self.breaks(Rule::DeleteDoesNothing) {
            self.customers[at]["gone"] = true.into();
        }
        Reply {
            status: 204,
            headers: Vec::new(),
            body: None,
        }
    }

    fn create_charge(&mut self, ask: &Ask) -> Reply {
        let key = ask.key.clone().filter(|_| !ask.is_decided);
        if key.as_ref().is_some_and(|key| key.chars().count() > 64) {
            return Reply::problem(400, "Bad Request", self.style.text("the key is too long"));
        }
        if let Some((body, reply)) = key.as_ref().and_then(|key| self.keys.get(key)) {
            if *body == ask.body && !self.breaks(Rule::RepeatMakesAnother) {
                return reply.clone();
            }
            if *body != ask.body && !self.breaks(Rule::KeyForOtherBody) {
                return self.conflict("the key was used for another request");
            }
        }
        let reply = self.charge_of(ask);
        if let (Some(key), true) = (key, reply.status < 300) {
            self.keys.insert(key, (ask.body.clone(), reply.clone()));
        }
        reply
    }

    fn charge_of(&mut self, ask: &Ask) -> Reply {
        let body = &ask.body;
        let reference = body["reference"].clone();
        let is_used = self.references.contains(&reference)
            && !self.breaks(Rule::ReferenceTwice)
            && !ask.is_decided;
        if let Some(detail) = mistake(self.fault, ask.operation, body) {
            if self.breaks(Rule::RefusedTakesReference) {
                self.references.push(reference);
            }
            return self.unprocessable(&detail);
        }
        let customer = body["customer_id"].as_str().unwrap_or_default();
        let is_known = Self::find(&self.customers, customer).is_some();
        if !is_known && self.fault != Fault::Accepts("create_charge", "customer_id", Aspect::Type) {
            return self.unprocessable("there is no such customer");
        }
        if body["amount"] == 99_999_999 && self.breaks(Rule::MaximumRefused) {
            return self.unprocessable("the amount is too large");
        }
        if is_used {
            return self.conflict("the reference is in use");
        }
        let charge = self.new_charge(body);
        self.references.push(reference);
        self.charges.push(charge.clone());
        self.created(charge, "/charges")
    }

    fn new_charge(&mut self, body: &Value) -> Value {
        let is_captured = body["capture"] != false || self.breaks(Rule::CaptureFlagIgnored);
        let amount = body["amount"].clone();
        let captured = if is_captured {
            amount.clone()
        } else {
            json!(0)
        };
        let mut charge = json!({
            "id": self.id("ch"), "customer_id": body["customer_id"], "amount": amount,
            "amount_captured": captured, "amount_refunded": 0, "currency": body["currency"],
            "status": if is_captured { "captured" } else { "authorised" },
            "reference": body["reference"], "card": {"brand": "visa", "last4": "4242"},
            "created_at": self.now(),
        });
        if self.breaks(Rule::CurrencyDefaulted) {
            charge["currency"] = "EUR".into();
        }
        for name in ["description", "metadata"] {
            if let Some(value) = body.get(name) {
                charge[name] = value.clone();
            }
        }
        if self.breaks(Rule::MetadataForgotten) {
            charge.as_object_mut().unwrap().remove("metadata");
        }
        if let (Some(entries), true) = (
            charge.get_mut("metadata").and_then(Value::as_object_mut),
            self.breaks(Rule::MetadataOfOneEntry),
        ) {
            let first = entries.keys().next().cloned();
            entries.retain(|key, _| Some(key) == first.as_ref());
        }
        if let (Some(text), true) = (
            charge["description"].as_str(),
            self.breaks(Rule::DescriptionCut),
        ) {
            charge["description"] = text.chars().take(4).collect::<String>().into();
        }
        charge
    }

    fn get_charge(&mut self, at: usize) -> Reply {
        if self.breaks(Rule::ReadAddsOne) {
            let amount = self.charges[at]["amount"].as_u64().unwrap();
            self.charges[at]["amount"] = (amount + 1).into();
        }
        Reply::new(200, self.charges[at].clone())
    }

    fn capture(&mut self, at: usize, ask: &Ask) -> Reply {
        let empty = json!({});
        let body = if ask.body.is_null() {
            &empty
        } else {
            &ask.body
        };
        if let Some(detail) = mistake(self.fault, ask.operation, body) {
            return self.unprocessable(&detail);
        }
        let charge = &self.charges[at];
        let status = charge["status"].as_str().unwrap_or_default();
        let again = status == "captured" && self.breaks(Rule::CaptureTwice);
        if status != "authorised" && !again && !ask.is_decided {
            return self.conflict("the charge is not authorised");
        }
        let most = charge["amount"].as_f64().unwrap_or_default();
        let amount = body.get("amount").unwrap_or(&charge["amount"]).clone();
        if amount.as_f64() > Some(most) && !self.breaks(Rule::CaptureBeyond) {
            return self.unprocessable("more than was authorised");
        }
        let mut charge = charge.clone();
        charge["amount_captured"] = amount;
        if self.breaks(Rule::CaptureLowersAmount) {
            charge["amount"] = charge["amount_captured"].clone();
        }
        if self.breaks(Rule::CaptureCapturesOthers) {
            let customer = charge["customer_id"].clone();
            let is_open = |value: &Value| value["status"] == "authorised";
            let others = self
                .charges
                .iter_mut()
                .filter(|charge| charge["customer_id"] == customer);
            for other in others.filter(|other| is_open(other)) {
                other["amount_captured"] = other["amount"].clone();
                other["status"] = "captured".into();
            }
        }
        charge["status"] = "captured".into();
        if !self.breaks(Rule::CaptureIsForgotten) {
            self.charges[at] = charge.clone();
        }
        Reply::new(200, charge)
    }

    fn cancel(&mut self, at: usize, ask: &Ask) -> Reply {
        let charge = &self.charges[at];
        let status = charge["status"].as_str().unwrap_or_default();
        let late = status == "captured" && self.breaks(Rule::CancelAfterCapture);
        if status != "authorised" && !late && !ask.is_decided {
            return self.conflict("the charge is not authorised");
        }
        let mut charge = charge.clone();
        charge["status"] = "cancelled".into();
        if !self.breaks(Rule::CancelIsForgotten) {
            self.charges[at] = charge.clone();
        }
        Reply::new(200, charge)
    }

    fn refund(&mut self, at: usize, ask: &Ask) -> Reply {
        let body = &ask.body;
        if let Some(detail) = mistake(self.fault, ask.operation, body) {
            return self.unprocessable(&detail);
        }
        let charge = &self.charges[at];
        let early = charge["status"] == "authorised" && self.breaks(Rule::RefundBeforeCapture);
        if charge["status"] != "captured" && !early && !ask.is_decided {
            return self.conflict("the charge is not captured");
        }
        let field = |name: &str| charge[name].as_u64().unwrap_or_default();
        let amount = body["amount"].as_u64().unwrap_or(1);
        let captured = if early {
            field("amount")
        } else {
            field("amount_captured")
        };
        let captured = if self.breaks(Rule::RefundBeyondCaptured) {
            field("amount")
        } else {
            captured
        };
        let refunded = field("amount_refunded") + amount;
        let counted = if self.breaks(Rule::RefundEachAlone) {
            amount
        } else {
            refunded
        };
        if counted > captured && !self.breaks(Rule::RefundBeyond) && !ask.is_decided {
            return self.unprocessable("more than is left");
        }
        let mut refund = json!({
            "id": self.id("re"), "charge_id": self.charges[at]["id"], "amount": body["amount"],
            "currency": self.charges[at]["currency"], "created_at": self.now(),
        });
        if let Some(reason) = body.get("reason") {
            refund["reason"] = reason.clone();
        }
        if self.breaks(Rule::RefundInOtherCurrency) {
            refund["currency"] = "GBP".into();
        }
        if !self.breaks(Rule::RefundNotCounted) {
            self.charges[at]["amount_refunded"] = refunded.into();
            if refunded >= captured {
                self.charges[at]["status"] = "refunded".into();
            }
        }
        if self.breaks(Rule::RefundOverwrites) {
            self.refunds.clear();
        }
        self.refunds.push(refund.clone());
        let folder = format!("/charges/{}/refunds", refund["charge_id"].as_str().unwrap());
        self.created(refund, &folder)
    }

    fn get_refund(&self, at: usize, ask: &Ask) -> Reply {
        let is_same = |value: &&Value| {
            value["id"] == ask.path[1]
                && (value["charge_id"] == self.charges[at]["id"]
                    || self.breaks(Rule::RefundOfForeignCharge))
        };
        match self.refunds.iter().find(is_same) {
            Some(refund) => Reply::new(200, refund.clone()),
            None => self.unknown(),
        }
    }
}
