//! Tests a list that is too long to read: its beginning suffices for the laws.

use std::collections::BTreeMap;

use crate::support::{certify, checks, options, write};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

const SPEC: &str = r"
openapi: 3.0.3
info: {title: Entries, version: '1'}
paths:
  /entries:
    get:
      operationId: listEntries
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 20}}
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
        - {name: sort, in: query, schema: {type: string, enum: [amount, -amount]}}
      responses:
        '200':
          description: some of them
          content:
            application/json:
              schema:
                type: object
                required: [items]
                properties: {items: {type: array, items: {$ref: '#/components/schemas/Entry'}}}
        '400': {description: no}
components:
  schemas:
    Entry:
      type: object
      required: [id, amount]
      properties: {id: {type: string}, amount: {type: integer}}
";

/// The number of entries.
const ALL: usize = 1_500;

async fn list(
    State(fault): State<&'static str>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Response {
    let number = |name: &str, default| {
        query
            .get(name)
            .map_or(Some(default), |text| text.parse().ok())
    };
    let sort = query.get("sort").map(String::as_str);
    let (Some(limit @ 1..=100), Some(page @ 1..), None | Some("amount" | "-amount")) =
        (number("limit", 20_usize), number("page", 1_usize), sort)
    else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let mut entries: Vec<(usize, usize)> = (0..ALL).map(|item| (item, item * 7 % 100)).collect();
    match sort {
        Some("amount") => entries.sort_by_key(|entry| entry.1),
        Some(_) if fault != "order" => entries.sort_by_key(|entry| std::cmp::Reverse(entry.1)),
        Some(_) => entries.sort_by_key(|entry| entry.1),
        None => {}
    }
    let start = (page - 1) * limit;
    let start = match fault {
        "overlap" if page > 2 => start - 1,
        "gap" if page > 2 => start + 1,
        _ => start,
    };
    let items = entries.iter().skip(start).take(limit);
    let items = items.map(|(id, amount)| json!({"id": format!("e{id}"), "amount": amount}));
    Json(json!({"items": items.collect::<Vec<_>>()})).into_response()
}

/// The findings for a server with a fault.
async fn found(fault: &'static str) -> Vec<String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/entries", get(list)).with_state(fault);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let mut options = options(&spec, &address);
    options.laws = true;
    let record = certify(&options).await.unwrap();
    let paging = record
        .cases
        .iter()
        .find(|case| case.id == "laws/paging/listEntries");
    checks(paging.unwrap())
        .into_iter()
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn a_long_list_is_tested_for_pages_and_order() {
    for (fault, expected) in [
        ("none", None),
        ("overlap", Some("page-repeats")),
        ("gap", Some("page-misses")),
        ("order", Some("order-ignored")),
    ] {
        let found = found(fault).await;
        assert_eq!(
            found.first().map(String::as_str),
            expected,
            "{fault}: {found:?}"
        );
    }
}
