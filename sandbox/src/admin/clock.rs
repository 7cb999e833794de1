//! The clock of a tenant.

use axum::Json;
use axum::extract::State;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};

use super::Control;
use super::json_body::Given;
use super::parameters::Of;
use super::refusal::Refused;
use crate::domain::{Code, Rejection};
use crate::store::timers::Timer;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Advance {
    by: Option<String>,
    to: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClockTime {
    now: String,
    ahead_ms: i64,
}

#[derive(Serialize)]
pub(super) struct Advanced {
    now: String,
    fired: Vec<Fired>,
}

#[derive(Serialize)]
struct Fired {
    at: String,
    kind: String,
    subject: String,
}

pub(super) async fn tell(
    State(control): State<Control>,
    Of(merchant): Of,
) -> Result<Json<ClockTime>, Refused> {
    let (now, ahead) = control.service.clock_and_lead(merchant).await?;
    Ok(Json(ClockTime {
        now: format!("{now:.3}"),
        ahead_ms: i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX),
    }))
}

pub(super) async fn advance(
    State(control): State<Control>,
    Of(merchant): Of,
    Given(request): Given<Advance>,
) -> Result<Json<Advanced>, Refused> {
    let to = |now| target(&request, now);
    let advanced = control.service.advance_from(merchant, to).await?;
    Ok(Json(Advanced {
        now: format!("{:.3}", advanced.to),
        fired: advanced.fired.into_iter().map(fired).collect(),
    }))
}

/// The time that is asked for.
fn target(request: &Advance, now: Timestamp) -> Result<Timestamp, Rejection> {
    let wrong = |pointer, detail| Rejection::at(Code::ContractViolation, pointer, detail);
    match (&request.by, &request.to) {
        (Some(by), None) => {
            let to = later(now, by);
            to.ok_or_else(|| wrong("/by", "expected a duration such as PT5M, P1D or P1M"))
        }
        (None, Some(to)) => {
            let to: Option<Timestamp> = to.parse().ok();
            let to =
                to.ok_or_else(|| wrong("/to", "expected a time such as 2030-01-31T12:00:00Z"))?;
            if to < now {
                return Err(wrong("/to", "a clock goes forward only"));
            }
            Ok(to)
        }
        (None, None) => Err(wrong("/by", "either `by` or `to` is needed")),
        (Some(_), Some(_)) => Err(wrong("/to", "`by` and `to` exclude each other")),
    }
}

/// The time after a duration, months and years by the calendar in UTC.
fn later(now: Timestamp, duration: &str) -> Option<Timestamp> {
    // The library reads more than the standard's form.
    let span: Span = duration.starts_with('P').then(|| duration.parse().ok())??;
    let then = now.to_zoned(TimeZone::UTC).checked_add(span).ok()?;
    (then.timestamp() >= now).then(|| then.timestamp())
}

fn fired(timer: Timer) -> Fired {
    Fired {
        at: format!("{:.3}", timer.due_at),
        kind: timer.kind,
        subject: timer.subject,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_found_by_the_calendar() {
        let now: Timestamp = "2027-01-31T10:00:00Z".parse().unwrap();
        let ask = |by: Option<&str>, to: Option<&str>| {
            let (by, to) = (by.map(str::to_owned), to.map(str::to_owned));
            let found = target(&Advance { by, to }, now);
            found
                .map(|to| to.to_string())
                .map_err(|refused| refused.pointer.unwrap())
        };
        let table = [
            (Some("P1M"), None, Ok("2027-02-28T10:00:00Z")),
            (Some("PT90S"), None, Ok("2027-01-31T10:01:30Z")),
            (Some("P1Y2DT1H"), None, Ok("2028-02-02T11:00:00Z")),
            (Some("1 month"), None, Err("/by")),
            (Some("-P1D"), None, Err("/by")),
            (Some("P999999Y"), None, Err("/by")),
            (
                None,
                Some("2027-02-01T00:00:00+01:00"),
                Ok("2027-01-31T23:00:00Z"),
            ),
            (None, Some("2027-01-31T09:59:59Z"), Err("/to")),
            (None, Some("tomorrow"), Err("/to")),
            (None, None, Err("/by")),
            (Some("P1D"), Some("2027-02-01T00:00:00Z"), Err("/to")),
        ];
        for (by, to, expected) in table {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(ask(by, to), expected, "{by:?} {to:?}");
        }
    }
}
