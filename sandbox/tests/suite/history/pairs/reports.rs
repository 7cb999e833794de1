//! Reports.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use sandbox::service::timer_kind::Kind;
use serde_json::{Value, json};

use super::transactions::get;
use super::{Driver, Refusal, Subject};
use crate::history::world::{World, made};
use crate::process::Reply;

const REPORTS: &str = "/v1/reports";

/// Reports of a future day, whose files are not created before it is over.
pub(super) struct Reports;

impl Driver for Reports {
    const TABLE: &'static str = "reports";

    async fn bring(&self, world: &World, state: &str, _event: &str) -> Subject {
        let now: Timestamp = world.service.clock(world.merchant).await.unwrap();
        let then = now + SignedDuration::from_hours(24);
        let day = then.to_zoned(TimeZone::UTC).date().to_string();
        let body = json!({"dateFrom": day, "dateTo": day});
        let id = made(&world.post(REPORTS, "accept", &body).await);
        if state == "ready" {
            world.pass("P3D").await;
            world.plant(Kind::Report, &id).await;
        }
        let more = Value::Null;
        Subject { id, more }
    }

    async fn state(&self, world: &World, subject: &Subject) -> String {
        let found = get(world, &format!("{REPORTS}/{}", subject.id)).await;
        found.body["status"].as_str().unwrap().to_owned()
    }

    async fn attempt(&self, world: &World, _subject: &Subject, _event: &str) -> Option<Reply> {
        world.pass("P3D").await;
        None
    }

    fn refusal(&self, _state: &str, _event: &str) -> Refusal {
        Refusal::Ignored
    }
}
