//! Events: created as drafts, published, cancelled.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply};

use super::rules::{CHANGE, EVENT};
use super::{Store, error, shown};

impl Store {
    fn shown_event(&self, event: &Value) -> Value {
        let mut event = shown(event);
        let number = |name: &str| event[name].as_u64().unwrap_or_default();
        let left = number("seats_total").saturating_sub(number("seats_sold"));
        let left = if self.is("available-off") {
            left.saturating_sub(1)
        } else {
            left
        };
        event["seats_available"] = left.into();
        event
    }

    pub(super) fn create_event(&mut self, ask: &Ask, venue: &str) -> Reply {
        if !self.is_venue(ask, venue) {
            return error(404, "no such venue");
        }
        if let Err(refusal) = self.check(&ask.body, EVENT) {
            if self.is("refused-event-kept")
                && ask.body["title"].is_string()
                && ask.body["price"].is_object()
            {
                self.keep_event(ask, venue);
            }
            return refusal;
        }
        if !self.ends_after_start(&ask.body) {
            return error(400, "ends_at");
        }
        let event = self.keep_event(ask, venue);
        Reply::new(201, self.shown_event(&event))
    }

    fn ends_after_start(&self, event: &Value) -> bool {
        let time = |name: &str| event[name].as_str()?.parse::<jiff::Timestamp>().ok();
        let (start, end) = (time("starts_at"), time("ends_at"));
        end.is_none()
            || end > start
            || self.is("ends-any-time")
            || (self.is("ends-at-start") && end == start)
    }

    fn keep_event(&mut self, ask: &Ask, venue: &str) -> Value {
        let mut event = ask.body.clone();
        event["id"] = self.id("evt").into();
        event["venue_id"] = venue.into();
        event["tenant"] = ask.tenant.clone().into();
        event["state"] = if self.is("born-on-sale") {
            "on_sale"
        } else {
            "draft"
        }
        .into();
        event["seats_sold"] = 0.into();
        event["created_at"] = self.now().into();
        event["updated_at"] = event["created_at"].clone();
        match self.fault {
            "price-as-number" => event["price"]["amount"] = json!(24.5),
            "price-shortened" => event["price"]["amount"] = json!("24.5"),
            "currency-fixed" => event["price"]["currency"] = json!("USD"),
            "starts-shifted" => event["starts_at"] = json!("2031-05-01T18:30:00Z"),
            "title-trimmed" => {
                let title: String = event["title"]
                    .as_str()
                    .unwrap_or_default()
                    .chars()
                    .take(6)
                    .collect();
                event["title"] = title.into();
            }
            "wrong-venue" => event["venue_id"] = json!("ven_0"),
            _ => {}
        }
        self.events.push(event.clone());
        event
    }

    pub(super) fn list_events(&mut self, ask: &Ask, venue: &str) -> Reply {
        if !self.is_venue(ask, venue) {
            return error(404, "no such venue");
        }
        let state = ask.query("state");
        if state.is_some_and(|state| !["draft", "on_sale", "cancelled"].contains(&state)) {
            return error(400, "state");
        }
        let after = ask.query("starts_after");
        if after.is_some_and(|after| after.parse::<jiff::Timestamp>().is_err()) {
            return error(400, "starts_after");
        }
        let sort = ask.query("sort").unwrap_or("created_at");
        if !["created_at", "-created_at"].contains(&sort) {
            return error(400, "sort");
        }
        let time = |value: &Value| {
            value["starts_at"]
                .as_str()
                .unwrap_or_default()
                .parse::<jiff::Timestamp>()
        };
        let selected = self.events.iter().filter(|event| {
            let is_there = event["venue_id"] == venue || self.is("list-of-all-venues");
            let in_state =
                state.is_none_or(|state| event["state"] == state) || self.is("state-ignored");
            let later = after.is_none_or(|after| time(event).ok() > after.parse().ok());
            is_there && in_state && (later || self.is("after-ignored"))
        });
        let mut list: Vec<Value> = selected.map(|item| self.shown_event(item)).collect();
        if sort == "-created_at" && !self.is("sort-ignored") {
            list.reverse();
        }
        if self.is("event-not-listed") {
            list.pop();
        }
        match self.page(ask, &list) {
            Ok((items, next)) => Reply::new(200, json!({"items": items, "next_cursor": next})),
            Err(refusal) => refusal,
        }
    }

    pub(super) fn event(&self, ask: &Ask, id: &str) -> Option<usize> {
        self.find(ask, &self.events, id)
    }

    pub(super) fn get_event(&mut self, ask: &Ask, id: &str) -> Reply {
        match self.event(ask, id) {
            Some(at) => Reply::new(200, self.shown_event(&self.events[at])),
            None => error(404, "no such event"),
        }
    }

    pub(super) fn update_event(&mut self, ask: &Ask, id: &str) -> Reply {
        let Some(at) = self.event(ask, id) else {
            return error(404, "no such event");
        };
        if let Err(refusal) = self.check(&ask.body, CHANGE) {
            if self.is("refused-update-kept") && ask.body["title"].is_string() {
                self.events[at]["title"] = ask.body["title"].clone();
            }
            return refusal;
        }
        if self.events[at]["state"] == "cancelled" && !self.is("update-cancelled") {
            return error(409, "it was called off");
        }
        let mut event = self.events[at].clone();
        if self.is("patch-clears-note") {
            event.as_object_mut().unwrap().remove("note");
        }
        if self.is("patch-resets-price") {
            event["price"]["amount"] = "0.00".into();
        }
        for (name, value) in ask.body.as_object().unwrap() {
            event[name] = value.clone();
        }
        if !self.is("updated-stands") {
            event["updated_at"] = self.now().into();
        }
        self.events[at] = event.clone();
        if self.is("patch-hits-all") {
            for other in &mut self.events {
                other["title"] = event["title"].clone();
            }
        }
        Reply::new(200, self.shown_event(&event))
    }

    pub(super) fn publish(&mut self, ask: &Ask, id: &str) -> Reply {
        let Some(at) = self.event(ask, id) else {
            return error(404, "no such event");
        };
        let state = self.events[at]["state"].clone();
        let again = state == "cancelled" && self.is("publish-cancelled");
        if state != "draft" && !again {
            return error(409, "it is no draft");
        }
        let mut event = self.events[at].clone();
        event["state"] = "on_sale".into();
        event["updated_at"] = self.now().into();
        if !self.is("publish-forgotten") {
            self.events[at] = event.clone();
        }
        Reply::new(200, self.shown_event(&event))
    }

    pub(super) fn cancel_event(&mut self, ask: &Ask, id: &str) -> Reply {
        let Some(at) = self.event(ask, id) else {
            return error(404, "no such event");
        };
        if self.events[at]["state"] == "cancelled" {
            return error(
                if self.is("cancel-500") { 500 } else { 409 },
                "it was called off",
            );
        }
        self.events[at]["state"] = "cancelled".into();
        self.events[at]["updated_at"] = self.now().into();
        Reply::new(200, self.shown_event(&self.events[at]))
    }
}
