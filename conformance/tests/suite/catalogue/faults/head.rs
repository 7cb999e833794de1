//! Faults of statuses, headers and media types.

use super::Row;
use crate::support::shop::Fault;

pub(super) const ROWS: &[Row] = &[
    (
        "200 for a new charge",
        Fault::Status("create_charge", 201, 200),
        "status-code",
        "success/create_charge",
    ),
    (
        "200 for a new customer",
        Fault::Status("create_customer", 201, 200),
        "status-code",
        "success/create_customer",
    ),
    (
        "200 for a deletion",
        Fault::Status("delete_customer", 204, 200),
        "status-code",
        "success/delete_customer",
    ),
    (
        "202 for a capture",
        Fault::Status("capture_charge", 200, 202),
        "status-code",
        "success/capture_charge",
    ),
    (
        "400 for what is not there",
        Fault::Status("get_customer", 404, 400),
        "status-code",
        "unknown/get_customer",
    ),
    (
        "403 for who is not known",
        Fault::Status("get_charge", 401, 403),
        "status-code",
        "authentication/get_charge",
    ),
    (
        "500 for what cannot be accepted",
        Fault::Status("create_refund", 422, 500),
        "server-error",
        "constraints/create_refund",
    ),
    (
        "409 for what cannot be accepted",
        Fault::Status("create_customer", 422, 409),
        "status-code",
        "constraints/create_customer",
    ),
    (
        "500 for every list",
        Fault::Status("list_refunds", 200, 500),
        "server-error",
        "success/list_refunds",
    ),
    (
        "501 for a cancellation",
        Fault::Status("cancel_charge", 200, 501),
        "not-implemented",
        "success/cancel_charge",
    ),
    (
        "JSON as text",
        Fault::Header("get_customer", 200, "content-type", Some("text/plain")),
        "media-type",
        "success/get_customer",
    ),
    (
        "a problem as plain JSON",
        Fault::Header("get_charge", 404, "content-type", Some("application/json")),
        "media-type",
        "unknown/get_charge",
    ),
    (
        "a problem as a page",
        Fault::Header("list_customers", 401, "content-type", Some("text/html")),
        "media-type",
        "list_customers/401/example",
    ),
    (
        "no address of the new record",
        Fault::Header("create_customer", 201, "location", None),
        "header-missing",
        "success/create_customer",
    ),
    (
        "no id of the request",
        Fault::Header("get_customer", 200, "x-request-id", None),
        "header-missing",
        "success/get_customer",
    ),
    (
        "an id of the request that is no UUID",
        Fault::Header("create_customer", 201, "x-request-id", Some("1")),
        "header-value",
        "success/create_customer",
    ),
    (
        "no word on how to sign in",
        Fault::Header("delete_customer", 401, "www-authenticate", None),
        "header-missing",
        "authentication/delete_customer",
    ),
];
