//! Faults of the shape of answers.

use serde_json::{Value, json};

use super::Row;
use crate::support::shop::Fault;

fn remove(body: &mut Value, name: &str) {
    body.as_object_mut().unwrap().remove(name);
}

fn text(bytes: &mut Vec<u8>, from: &str, to: &str) {
    let text = String::from_utf8(bytes.clone()).unwrap();
    *bytes = text.replacen(from, to, 1).into_bytes();
}

pub(super) const ROWS: &[Row] = &[
    (
        "no email",
        Fault::Body("create_customer", |body| remove(body, "email")),
        "field-missing",
        "success/create_customer",
    ),
    (
        "no time of creation",
        Fault::Body("get_customer", |body| remove(body, "created_at")),
        "field-missing",
        "success/get_customer",
    ),
    (
        "no last digits",
        Fault::Body("get_charge", |body| remove(&mut body["card"], "last4")),
        "field-missing",
        "success/get_charge",
    ),
    (
        "an amount as text",
        Fault::Body("create_charge", |body| body["amount"] = "1999".into()),
        "json-type",
        "create_charge/201/captured",
    ),
    (
        "an amount with a fraction",
        Fault::Body("create_refund", |body| body["amount"] = json!(10.5)),
        "schema-type",
        "success/create_refund",
    ),
    (
        "a currency in lower case",
        Fault::Body("get_charge", |body| body["currency"] = "eur".into()),
        "letter-case",
        "success/get_charge",
    ),
    (
        "a status that is not listed",
        Fault::Body("capture_charge", |body| body["status"] = "done".into()),
        "schema-enum",
        "success/capture_charge",
    ),
    (
        "a time as a number",
        Fault::Body("create_customer", |body| {
            body["created_at"] = 1_700_000_000.into();
        }),
        "schema-type",
        "success/create_customer",
    ),
    (
        "a time without a zone",
        Fault::Body("get_customer", |body| {
            body["updated_at"] = "2026-03-02T09:14:07".into();
        }),
        "schema-format",
        "success/get_customer",
    ),
    (
        "an address that is none",
        Fault::Body("update_customer", |body| body["email"] = "nobody".into()),
        "schema-format",
        "success/update_customer",
    ),
    (
        "digits that break the pattern",
        Fault::Body("get_charge", |body| body["card"]["last4"] = "42".into()),
        "schema-pattern",
        "success/get_charge",
    ),
    (
        "a negative sum",
        Fault::Body("get_charge", |body| body["amount_refunded"] = (-1).into()),
        "schema-bounds",
        "success/get_charge",
    ),
    (
        "a property that may not be there",
        Fault::Body("get_charge", |body| body["trace"] = "x".into()),
        "schema-shape",
        "success/get_charge",
    ),
    (
        "null for a text",
        Fault::Body("cancel_charge", |body| body["reference"] = Value::Null),
        "schema-type",
        "success/cancel_charge",
    ),
    (
        "a number in the metadata",
        Fault::Body("create_charge", |body| body["metadata"] = json!({"a": 1})),
        "schema-type",
        "create_charge/201/authorised",
    ),
    (
        "an object for a list",
        Fault::Body("list_charges", |body| body["charges"] = json!({})),
        "schema-type",
        "list_charges/200/default",
    ),
    (
        "a total as text",
        Fault::Body("list_charges", |body| body["total"] = "3".into()),
        "schema-type",
        "list_charges/200/default",
    ),
    (
        "no flag for more",
        Fault::Body("list_customers", |body| remove(body, "has_more")),
        "field-missing",
        "list_customers/200/default",
    ),
    (
        "a list in an envelope",
        Fault::Body("list_refunds", |body| {
            *body = json!({"refunds": body.take()});
        }),
        "schema-type",
        "success/list_refunds",
    ),
    (
        "a problem without a title",
        Fault::Problem("get_charge", 404, |body| remove(body, "title")),
        "field-missing",
        "unknown/get_charge",
    ),
    (
        "a problem with its status as text",
        Fault::Problem("create_customer", 422, |body| body["status"] = "422".into()),
        "schema-type",
        "constraints/create_customer",
    ),
    (
        "half of the JSON",
        Fault::Text("get_customer", |text| text.truncate(text.len() / 2)),
        "invalid-json",
        "success/get_customer",
    ),
    (
        "a key twice",
        Fault::Text("get_charge", |item| {
            text(item, "{", r#"{"status":"captured","#);
        }),
        "duplicate-key",
        "success/get_charge",
    ),
    (
        "no UTF-8",
        Fault::Text("create_customer", |text| {
            let at = text.len() - 3;
            text[at] = 0xff;
        }),
        "invalid-utf8",
        "success/create_customer",
    ),
    (
        "no body",
        Fault::Text("get_refund", Vec::clear),
        "body-missing",
        "success/get_refund",
    ),
    (
        "a status that is not listed, of what was captured as a whole",
        Fault::Body("capture_charge", |body| {
            if body["amount_captured"] == body["amount"] {
                body["status"] = "done".into();
            }
        }),
        "schema-enum",
        "answers/capture_charge",
    ),
];
