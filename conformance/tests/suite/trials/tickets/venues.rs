//! Venues with entity tags.

use serde_json::{Value, json};

use crate::trials::desk::{Ask, Desk, Reply};

use super::rules::VENUE;
use super::{Store, error, shown};

impl Store {
    fn tag(&self, venue: &Value) -> String {
        let version = venue["version"].as_u64().unwrap_or_default();
        let version = if self.is("tag-stands") { 0 } else { version };
        format!("\"{}-{version}\"", venue["id"].as_str().unwrap_or_default())
    }

    fn tagged(&self, status: u16, venue: &Value) -> Reply {
        let mut reply = Reply::new(status, shown(venue));
        if !self.is("no-tag") {
            reply.headers.push(("etag", self.tag(venue)));
        }
        reply
    }

    pub(super) fn create_venue(&mut self, ask: &Ask) -> Reply {
        if let Err(refusal) = self.check(&ask.body, VENUE) {
            return refusal;
        }
        let mut venue = ask.body.clone();
        venue["id"] = self.id("ven").into();
        venue["tenant"] = ask.tenant.clone().into();
        venue["version"] = 1.into();
        venue["created_at"] = self.now().into();
        venue["updated_at"] = venue["created_at"].clone();
        if self.is("city-lower") {
            venue["city"] = venue["city"].as_str().unwrap().to_lowercase().into();
        }
        self.venues.push(venue.clone());
        let mut reply = self.tagged(201, &venue);
        let place = format!("/v2/venues/{}", venue["id"].as_str().unwrap());
        reply.headers.push(("location", place));
        reply
    }

    pub(super) fn list_venues(&mut self, ask: &Ask) -> Reply {
        let selected = self.venues.iter().filter(|venue| {
            let tenant = venue["tenant"] == ask.tenant || self.is("lists-all-tenants");
            let gone = venue["gone"] == true && !self.is("gone-listed");
            let city = ask.query("city").filter(|_| !self.is("city-ignored"));
            let city = city.is_none_or(|city| venue["city"] == city);
            tenant && !gone && (city != self.is("city-inverted") || ask.query("city").is_none())
        });
        let list: Vec<Value> = selected.cloned().collect();
        match self.page(ask, &list) {
            Ok((items, next)) => Reply::new(200, json!({"items": items, "next_cursor": next})),
            Err(refusal) => refusal,
        }
    }

    fn venue(&self, ask: &Ask, id: &str) -> Option<usize> {
        let at = self.find(ask, &self.venues, id)?;
        (self.venues[at]["gone"] != true || self.is("gone-read")).then_some(at)
    }

    pub(super) fn get_venue(&mut self, ask: &Ask, id: &str) -> Reply {
        let Some(at) = self.venue(ask, id) else {
            return error(404, "no such venue");
        };
        let venue = self.venues[at].clone();
        let known = ask.header("if-none-match");
        let same = known == self.tag(&venue) && !self.is("never-304");
        if same || (self.is("always-304") && !known.is_empty()) {
            return Reply {
                status: 304,
                headers: vec![("etag", self.tag(&venue))],
                body: None,
            };
        }
        self.tagged(200, &venue)
    }

    pub(super) fn replace_venue(&mut self, ask: &Ask, id: &str) -> Reply {
        let Some(at) = self.venue(ask, id) else {
            return error(404, "no such venue");
        };
        let requested = ask.header("if-match");
        if requested.is_empty() && !self.is("no-428") {
            return error(428, "which version?");
        }
        if let Err(refusal) = self.check(&ask.body, VENUE) {
            return refusal;
        }
        let is_stale = requested != self.tag(&self.venues[at]) && requested != "*";
        if is_stale && !self.is("no-412") && !requested.is_empty() {
            return error(412, "another version");
        }
        let old = self.venues[at].clone();
        let mut venue = ask.body.clone();
        for name in ["id", "tenant", "created_at", "version"] {
            venue[name] = old[name].clone();
        }
        venue["version"] = (old["version"].as_u64().unwrap() + 1).into();
        venue["updated_at"] = self.now().into();
        if self.is("put-keeps-city") {
            venue["city"] = old["city"].clone();
        }
        if self.is("put-renews") {
            venue["created_at"] = venue["updated_at"].clone();
        }
        if !self.is("put-forgotten") {
            self.venues[at] = venue.clone();
        }
        self.tagged(200, &venue)
    }

    pub(super) fn delete_venue(&mut self, ask: &Ask, id: &str) -> Reply {
        let Some(at) = self.venue(ask, id) else {
            return error(if self.is("410") { 500 } else { 404 }, "no such venue");
        };
        if !self.is("not-deleted") {
            self.venues[at]["gone"] = true.into();
        }
        Reply {
            status: 204,
            headers: Vec::new(),
            body: None,
        }
    }

    pub(super) fn is_venue(&self, ask: &Ask, id: &str) -> bool {
        self.venue(ask, id).is_some() || self.is("any-venue")
    }

    pub(super) fn start_export(&mut self, ask: &Ask) -> Reply {
        let kinds = ["bookings", "venues"];
        let kind = ask.body.get("kind").and_then(Value::as_str);
        let only = ask.body.as_object().is_some_and(|body| body.len() == 1);
        if !kinds.contains(&kind.unwrap_or_default()) || !only {
            return error(400, "kind");
        }
        let id = self.id("exp");
        let export = json!({
            "id": id, "tenant": ask.tenant, "kind": kind, "status": "queued", "rows": null,
            "created_at": self.now(), "version": 0,
        });
        self.exports.push(export.clone());
        let mut reply = Reply::new(202, shown(&export));
        let folder = if self.is("export-lost") {
            "/v2/jobs"
        } else {
            "/v2/exports"
        };
        reply.headers.push(("location", format!("{folder}/{id}")));
        reply
    }

    pub(super) fn get_export(&mut self, ask: &Ask, id: &str) -> Reply {
        let Some(at) = self.find(ask, &self.exports, id) else {
            return error(404, "no such export");
        };
        let (done, never) = (self.is("export-unfinishes"), self.is("export-never"));
        let export = &mut self.exports[at];
        let reads = export["version"].as_u64().unwrap() + 1;
        export["version"] = reads.into();
        let is_done = (reads >= 2 && !never) && !(done && reads > 2);
        export["status"] = if is_done { "done" } else { "queued" }.into();
        export["rows"] = if is_done { json!(7) } else { Value::Null };
        Reply::new(200, shown(export))
    }
}
