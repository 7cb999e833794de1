//! The pages that list, show and resend notifications.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::HeaderMap;
use uuid::Uuid;

use super::layout::lay_out;
use crate::admin::Control;
use crate::contract::Contract;
use crate::domain::notification::{Reply, Status};
use crate::exchanges::Message;
use crate::pages::fields::Asked;
use crate::pages::frame::Frame;
use crate::pages::session::Session;
use crate::pages::submitted::Submitted;
use crate::pages::tone::Tone;
use crate::pages::{closing_page, page};
use crate::service::NotificationHistory;
use crate::store::Attempt;

/// The most notifications on the page.
const MOST: u32 = 200;
/// The text when there is no such notification.
const NONE: &str = "There is no notification of this id.";

#[derive(Template)]
#[template(path = "notifications.html")]
struct Notifications {
    frame: Frame,
    states: Vec<&'static str>,
    chosen: String,
    rows: Vec<Row>,
}

#[derive(Template)]
#[template(path = "notification.html")]
struct Notification {
    frame: Frame,
    row: Row,
    body: Option<String>,
    tries: Vec<Try>,
}

struct Row {
    id: Uuid,
    transaction: Uuid,
    event: String,
    url: String,
    state: &'static str,
    tone: Tone,
    attempts: u32,
    at: String,
    next: Option<String>,
}

struct Try {
    number: u32,
    result: String,
    tone: Tone,
    at: String,
    took: i64,
}

pub(super) async fn list(
    State(control): State<Control>,
    session: Session,
    Asked(fields): Asked,
) -> Result<Response, Response> {
    let frame = Frame::of(&control, &session, &fields, "notifications").await?;
    let history = { &control.service }.notifications(frame.merchant, None, MOST);
    let history = history
        .await
        .map_err(|failure| closing_page::failed(&failure, NONE))?;
    let chosen = fields.text("state").unwrap_or_default();
    let fits = |row: &Row| chosen.is_empty() || row.state == chosen;
    let page = Notifications {
        states: Status::ALL.into_iter().map(Status::wire).collect(),
        rows: history.iter().map(row).filter(fits).collect(),
        frame,
        chosen,
    };
    Ok(page::respond(&page, page::POLICY))
}

pub(super) async fn one(
    State(control): State<Control>,
    session: Session,
    Path(id): Path<String>,
    Asked(fields): Asked,
) -> Result<Response, Response> {
    let frame = Frame::of(&control, &session, &fields, "notifications").await?;
    let id = id.parse().map_err(|_| closing_page::nothing(NONE))?;
    let history = control.service.notification(frame.merchant, id).await;
    let history = history.map_err(|failure| closing_page::failed(&failure, NONE))?;
    let body = history.notification.body.as_bytes();
    let body = Message::of(&HeaderMap::new(), body, Contract::bundled()).body;
    let page = Notification {
        frame,
        row: row(&history),
        body: body.as_deref().map(lay_out),
        tries: history.attempts.iter().map(attempt).collect(),
    };
    Ok(page::respond(&page, page::POLICY))
}

pub(super) async fn replay(
    State(control): State<Control>,
    Path(id): Path<String>,
    Submitted { frame, .. }: Submitted,
) -> Result<Response, Response> {
    let id: Uuid = id.parse().map_err(|_| closing_page::nothing(NONE))?;
    let replayed = control.service.replay(frame.merchant, id).await;
    replayed.map_err(|failure| closing_page::failed(&failure, NONE))?;
    let back = format!(
        "/_sandbox/inspector/notifications/{id}?tenant={}",
        frame.tenant
    );
    Ok(Redirect::to(&back).into_response())
}

fn row(history: &NotificationHistory) -> Row {
    let sent = &history.notification;
    Row {
        id: sent.id,
        transaction: sent.transaction,
        event: sent.event.clone(),
        url: Message::text(&sent.url),
        state: sent.status.wire(),
        tone: Tone::of_notification(sent.status),
        attempts: sent.attempts,
        at: format!("{:.3}", sent.created_at),
        next: sent.due_at.map(|due| format!("{due:.3}")),
    }
}

fn attempt(attempt: &Attempt) -> Try {
    let (result, tone) = match attempt.reply {
        Reply::Answered { status, .. } if (200..300).contains(&status) => {
            (status.to_string(), Tone::Good)
        }
        Reply::Answered { status, .. } => (status.to_string(), Tone::Bad),
        Reply::Failed(failure) => (failure.word().to_owned(), Tone::Bad),
    };
    Try {
        number: attempt.number,
        result,
        tone,
        at: format!("{:.3}", attempt.made_at),
        took: attempt.milliseconds,
    }
}
