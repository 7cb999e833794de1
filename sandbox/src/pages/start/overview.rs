//! Renders the start page.

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::rows::{Notification, Payment, Snapshot, Subscription, timestamp};
use crate::admin::Control;
use crate::domain::signature::Secret;
use crate::pages::fields::Asked;
use crate::pages::frame::Frame;
use crate::pages::session::Session;
use crate::pages::{closing_page, page};
use crate::seed;
use crate::service::overview::Overview;
use crate::service::snapshots::LONGEST_NAME;
use crate::test_data::{self, TWO_STEPS, Table};
use crate::triggers::Trigger;

/// The text when the records cannot be read.
const GONE: &str = "There is nothing to show.";

/// The buttons of the clock: label and ISO 8601 duration.
const STEPS: [(&str, &str); 5] = [
    ("1 hour", "PT1H"),
    ("1 day", "P1D"),
    ("1 week", "P7D"),
    ("1 month", "P1M"),
    ("1 year", "P1Y"),
];

#[derive(Template)]
#[template(path = "start.html")]
struct Start {
    frame: Frame,
    notice: Option<String>,
    keys: Keys,
    clock: Clock,
    triggers: &'static [Trigger],
    payments: Vec<Payment>,
    subscriptions: Vec<Subscription>,
    notifications: Vec<Notification>,
    snapshots: Vec<Snapshot>,
    longest_name: usize,
    tables: Vec<Table>,
    two_steps: &'static str,
}

/// The values that a client needs to connect.
struct Keys {
    address: String,
    api_key: Option<&'static str>,
    admin_key: Option<&'static str>,
    signing_secret: Option<String>,
}

struct Clock {
    now: String,
    text: String,
    ahead: Option<String>,
    steps: [(&'static str, &'static str); 5],
}

impl Clock {
    fn of(overview: &Overview) -> Self {
        let (now, ahead) = (overview.now, overview.ahead);
        Self {
            now: timestamp(now),
            text: now.strftime("%-d %B %Y, %H:%M").to_string(),
            ahead: (ahead.as_secs() > 0).then(|| lead(ahead.as_hours())),
            steps: STEPS,
        }
    }
}

pub(super) async fn show(
    State(control): State<Control>,
    session: Session,
    Asked(fields): Asked,
) -> Result<Response, Response> {
    let frame = Frame::of(&control, &session, &fields, "start").await?;
    let overview = control.service.overview(frame.merchant).await;
    let overview = overview.map_err(|failure| closing_page::failed(&failure, GONE))?;
    let page = Start {
        notice: notice(
            fields.text("done").as_deref(),
            fields.text("count").as_deref(),
        ),
        keys: keys(&control, &frame).await,
        clock: Clock::of(&overview),
        triggers: Trigger::all(),
        payments: overview.payments.iter().map(Payment::of).collect(),
        subscriptions: { overview.subscriptions.iter() }
            .map(|(record, plan)| Subscription::of(record, plan.as_ref()))
            .collect(),
        notifications: overview
            .notifications
            .iter()
            .map(Notification::of)
            .collect(),
        snapshots: overview.snapshots.iter().rev().map(Snapshot::of).collect(),
        longest_name: LONGEST_NAME,
        tables: test_data::tables(),
        two_steps: TWO_STEPS,
        frame,
    };
    Ok(page::respond(&page, page::POLICY))
}

/// Shows only the default keys. Other keys are stored as hashes, or are too secret for a browser.
async fn keys(control: &Control, frame: &Frame) -> Keys {
    let known = control.service.hash_key(seed::DEFAULT_KEY.as_bytes()).ok();
    let merchant = match known {
        Some(hash) => control.service.merchant_of_key(hash).await.ok().flatten(),
        None => None,
    };
    let secrets = control.service.signing_secrets(frame.merchant).await;
    let newest = secrets.unwrap_or_default().into_iter().next();
    let is_known = control.key.is(seed::DEFAULT_ADMIN_KEY.as_bytes());
    Keys {
        address: control.service.address().to_string(),
        api_key: (merchant == Some(frame.merchant)).then_some(seed::DEFAULT_KEY),
        admin_key: is_known.then_some(seed::DEFAULT_ADMIN_KEY),
        signing_secret: newest.as_ref().map(Secret::expose),
    }
}

/// The message about the form that redirected to this page. It contains only fixed texts and a
/// number.
fn notice(done: Option<&str>, count: Option<&str>) -> Option<String> {
    let count: usize = count
        .and_then(|count| count.parse().ok())
        .unwrap_or_default();
    let text = match done? {
        "clock" => match count {
            0 => "The clock was moved. Nothing became due.".to_owned(),
            1 => "The clock was moved. One timer fired.".to_owned(),
            _ => format!("The clock was moved. {count} timers fired."),
        },
        "trigger" => "Done. The payment is the first in the list.".to_owned(),
        "snapshot" => "The snapshot was taken.".to_owned(),
        "restore" => "The records are as they were in the snapshot.".to_owned(),
        "remove" => "The snapshot was removed.".to_owned(),
        "reset" => "All records were removed.".to_owned(),
        "cancel" => "The subscription was cancelled.".to_owned(),
        "replay" => "The notification is sent again.".to_owned(),
        _ => return None,
    };
    Some(text)
}

/// How far a clock is ahead, in words.
fn lead(hours: i64) -> String {
    match hours {
        ..=0 => "less than an hour".to_owned(),
        1 => "1 hour".to_owned(),
        2..48 => format!("{hours} hours"),
        _ => format!("{} days", hours / 24),
    }
}
