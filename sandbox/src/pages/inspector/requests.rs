//! The pages that list and show the latest requests of a tenant.

use std::collections::BTreeSet;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use super::layout::lay_out;
use crate::admin::Control;
use crate::exchanges::{Exchange, Filter, KEPT, Message};
use crate::pages::fields::Asked;
use crate::pages::frame::Frame;
use crate::pages::session::Session;
use crate::pages::tone::Tone;
use crate::pages::{closing_page, page};

#[derive(Template)]
#[template(path = "requests.html")]
struct Requests {
    frame: Frame,
    operations: BTreeSet<&'static str>,
    filter: Filter,
    rows: Vec<Row>,
    kept: usize,
}

#[derive(Template)]
#[template(path = "request.html")]
struct Detail {
    frame: Frame,
    row: Row,
    request: Message,
    answer: Message,
}

struct Row {
    number: u64,
    status: String,
    tone: Tone,
    method: String,
    target: String,
    operation: &'static str,
    took: String,
    at: String,
    request_id: String,
    fault: Option<u64>,
}

pub(super) async fn list(
    State(control): State<Control>,
    session: Session,
    Asked(fields): Asked,
) -> Result<Response, Response> {
    let frame = Frame::of(&control, &session, &fields, "requests").await?;
    let log = &control.instruments.log;
    let filter = Filter {
        operation: fields.text("operation"),
        method: None,
        status: fields.text("status"),
        text: fields.text("text"),
    };
    let all = log.find(frame.merchant, &Filter::default(), KEPT);
    let found = log.find(frame.merchant, &filter, KEPT);
    let page = Requests {
        operations: all
            .iter()
            .filter_map(|exchange| exchange.operation)
            .collect(),
        rows: found.iter().map(|exchange| row(exchange)).collect(),
        frame,
        filter,
        kept: KEPT,
    };
    Ok(page::respond(&page, page::POLICY))
}

pub(super) async fn one(
    State(control): State<Control>,
    session: Session,
    Path(number): Path<String>,
    Asked(fields): Asked,
) -> Result<Response, Response> {
    let frame = Frame::of(&control, &session, &fields, "requests").await?;
    let number = number.parse().unwrap_or_default();
    let found = control.instruments.log.get(frame.merchant, number);
    let found = found.ok_or_else(|| closing_page::nothing("The request is no longer kept."))?;
    let page = Detail {
        frame,
        row: row(&found),
        request: laid_out(&found.request),
        answer: laid_out(&found.answer),
    };
    Ok(page::respond(&page, page::POLICY))
}

fn row(exchange: &Exchange) -> Row {
    let status = exchange.status;
    let micros = exchange.took.as_micros();
    Row {
        number: exchange.number,
        status: status.map_or("dropped".to_owned(), |status| status.to_string()),
        tone: Tone::of(status),
        method: exchange.method.clone(),
        target: exchange.target.clone(),
        operation: exchange.operation.unwrap_or("no operation"),
        took: format!("{}.{} ms", micros / 1000, micros % 1000 / 100),
        at: format!("{:.3}", exchange.at),
        request_id: exchange.request_id.clone(),
        fault: exchange.fault,
    }
}

fn laid_out(message: &Message) -> Message {
    Message {
        body: message.body.as_deref().map(lay_out),
        ..message.clone()
    }
}
