//! The forms of the start page. Each redirects back to it, so that a reload repeats nothing.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use uuid::Uuid;

use crate::admin::Control;
use crate::domain::clock_goal::ClockGoal;
use crate::pages::closing_page::{ended, failed, nothing};
use crate::pages::frame::Frame;
use crate::pages::submitted::Submitted;
use crate::pages::tone::Tone;
use crate::service::Failure;
use crate::triggers::Trigger;

/// The text when the record does not exist.
const GONE: &str = "There is no such record, or not any more.";

/// The redirect after success, or the reason of the failure.
type Done = Result<Redirect, NotDone>;

/// Why an action failed, as a page.
#[derive(Debug)]
pub(super) enum NotDone {
    /// The record does not exist.
    Gone,
    /// The form is invalid for this reason.
    Form(String),
    /// The command failed.
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for NotDone {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl IntoResponse for NotDone {
    fn into_response(self) -> Response {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        match self {
            Self::Gone => nothing(GONE),
            Self::Form(detail) => ended(status, Tone::Bad, "Not taken", &detail),
            Self::Failed(failure) => failed(&failure, GONE),
        }
    }
}

pub(super) async fn advance(State(control): State<Control>, submitted: Submitted) -> Done {
    let Submitted { frame, fields } = submitted;
    let goal = ClockGoal::by(fields.raw("by"))?;
    let moved = control.service.move_clock(frame.merchant, goal).await?;
    let count = moved.fired.len();
    Ok(back_with(&frame, &format!("done=clock&count={count}")))
}

pub(super) async fn trigger(State(control): State<Control>, submitted: Submitted) -> Done {
    let Submitted { frame, fields } = submitted;
    let trigger = Trigger::named(fields.raw("event"));
    let unknown = || NotDone::Form("There is no trigger of this event.".to_owned());
    let trigger = trigger.ok_or_else(unknown)?;
    let notify = fields.text("notify");
    let run = trigger.run(&control.calls, frame.merchant, notify.as_deref());
    run.await
        .map_err(|refused| NotDone::Form(refused.to_string()))?;
    Ok(back(&frame, "trigger"))
}

pub(super) async fn take_snapshot(State(control): State<Control>, submitted: Submitted) -> Done {
    let Submitted { frame, fields } = submitted;
    let name = fields.text("name");
    control.service.take_snapshot(frame.merchant, name).await?;
    Ok(back(&frame, "snapshot"))
}

pub(super) async fn restore(
    State(control): State<Control>,
    Path(number): Path<String>,
    Submitted { frame, .. }: Submitted,
) -> Done {
    let number = named(&number)?;
    control.service.restore(frame.merchant, number).await?;
    Ok(back(&frame, "restore"))
}

pub(super) async fn remove_snapshot(
    State(control): State<Control>,
    Path(number): Path<String>,
    Submitted { frame, .. }: Submitted,
) -> Done {
    let number = named(&number)?;
    let service = &control.service;
    service.remove_snapshot(frame.merchant, number).await?;
    Ok(back(&frame, "remove"))
}

pub(super) async fn reset(
    State(control): State<Control>,
    Submitted { frame, .. }: Submitted,
) -> Done {
    control.reset(frame.merchant).await?;
    Ok(back(&frame, "reset"))
}

pub(super) async fn cancel(
    State(control): State<Control>,
    Path(id): Path<String>,
    Submitted { frame, .. }: Submitted,
) -> Done {
    let id: Uuid = named(&id)?;
    { &control.service }
        .cancel_subscription(frame.merchant, id, None)
        .await?;
    Ok(back(&frame, "cancel"))
}

pub(super) async fn replay(
    State(control): State<Control>,
    Path(id): Path<String>,
    Submitted { frame, .. }: Submitted,
) -> Done {
    let id: Uuid = named(&id)?;
    control.service.replay(frame.merchant, id).await?;
    Ok(back(&frame, "replay"))
}

fn named<T: std::str::FromStr>(text: &str) -> Result<T, NotDone> {
    text.parse().map_err(|_| NotDone::Gone)
}

fn back(frame: &Frame, what: &str) -> Redirect {
    back_with(frame, &format!("done={what}"))
}

/// Redirects to the start page. Names of tenants need no encoding.
fn back_with(frame: &Frame, query: &str) -> Redirect {
    Redirect::to(&format!("/?tenant={}&{query}", frame.tenant))
}
