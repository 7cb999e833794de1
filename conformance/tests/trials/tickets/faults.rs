//! The faults of the box office, each with the check that names it.

use super::{KEY, Store};
use crate::desk;
use crate::trial::{Row, Trial};

const TRIAL: Trial = Trial {
    document: "tickets/tickets.yaml",
    header: ("x-api-key", KEY),
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: MISSED,
};

trial_tests!(TRIAL);

/// What no law catches yet, and what would have to be known.
const MISSED: &[Row] = &[
    ("export-never", &["start_export"], "never-done"),
    ("born-on-sale", &["publish_event"], "status-code"),
    ("book-drafts", &["create_booking"], "status-code"),
    ("total-of-one", &["create_booking"], "sum-differs"),
    ("born-confirmed", &["confirm_booking"], "status-code"),
];

const FAULTS: &[Row] = &[
    (
        "update-cancelled",
        &["cancel_event", "update_event"],
        "transition-forbidden",
    ),
    (
        "seats-kept",
        &["create_booking", "cancel_booking"],
        "balance-unmoved",
    ),
    ("any-tenant", &["get_event"], "foreign-parent-found"),
    (
        "lists-all-tenants",
        &["list_venues"],
        "foreign-parent-found",
    ),
    ("no-zone", &["create_venue"], "schema-format"),
    ("page-clamped", &["list_venues"], "constraint-ignored"),
    ("cursor-skips", &["list_bookings"], "page-misses"),
    ("cursor-repeats", &["list_bookings"], "page-repeats"),
    ("any-property", &["create_venue"], "constraint-ignored"),
    ("any-name", &["create_venue"], "constraint-ignored"),
    ("any-capacity", &["replace_venue"], "constraint-ignored"),
    ("any-price", &["create_event"], "constraint-ignored"),
    ("any-seats_total", &["create_event"], "constraint-ignored"),
    ("any-starts_at", &["create_event"], "constraint-ignored"),
    ("any-email", &["create_booking"], "constraint-ignored"),
    ("any-quantity", &["create_bookings"], "constraint-ignored"),
    ("no-tag", &["get_venue"], "header-missing"),
    ("tag-stands", &["replace_venue"], "version-stands"),
    ("never-304", &["get_venue"], "version-ignored"),
    ("always-304", &["get_venue"], "version-ignored"),
    ("no-428", &["replace_venue"], "constraint-ignored"),
    ("no-412", &["replace_venue"], "version-ignored"),
    ("city-lower", &["create_venue"], "echo"),
    ("city-ignored", &["list_venues"], "filter-ignored"),
    ("city-inverted", &["list_venues"], "filter-ignored"),
    ("gone-listed", &["delete_venue"], "deleted-listed"),
    ("gone-read", &["delete_venue"], "deleted-found"),
    ("not-deleted", &["delete_venue"], "deleted-found"),
    ("410", &["delete_venue"], "server-error"),
    ("put-keeps-city", &["replace_venue"], "echo"),
    ("put-renews", &["replace_venue"], "made-anew"),
    ("put-forgotten", &["replace_venue"], "read-differs"),
    ("any-venue", &["create_event"], "unknown-key-found"),
    ("export-lost", &["start_export"], "location-leads-astray"),
    ("export-unfinishes", &["start_export"], "read-unstable"),
    ("available-off", &["create_event"], "sum-differs"),
    (
        "refused-event-kept",
        &["create_event"],
        "refusal-changed-state",
    ),
    ("price-as-number", &["create_event"], "schema-type"),
    ("price-shortened", &["create_event"], "schema-pattern"),
    ("currency-fixed", &["create_event"], "echo"),
    ("starts-shifted", &["create_event"], "echo"),
    ("title-trimmed", &["create_event"], "echo"),
    ("wrong-venue", &["create_event"], "child-differs"),
    (
        "list-of-all-venues",
        &["list_events"],
        "foreign-parent-found",
    ),
    ("state-ignored", &["list_events"], "filter-ignored"),
    ("after-ignored", &["list_events"], "filter-ignored"),
    ("sort-ignored", &["list_events"], "order-ignored"),
    ("event-not-listed", &["create_event"], "list-misses"),
    (
        "refused-update-kept",
        &["update_event"],
        "refusal-changed-state",
    ),
    ("patch-clears-note", &["update_event"], "patch-changed-more"),
    (
        "patch-resets-price",
        &["update_event"],
        "patch-changed-more",
    ),
    ("updated-stands", &["update_event"], "time-stands-still"),
    ("patch-hits-all", &["update_event"], "others-changed"),
    (
        "publish-cancelled",
        &["cancel_event", "publish_event"],
        "transition-forbidden",
    ),
    ("publish-forgotten", &["publish_event"], "read-differs"),
    ("cancel-500", &["cancel_event"], "server-error"),
    (
        "repeat-books-again",
        &["create_booking"],
        "repeat-made-another",
    ),
    ("key-reused", &["create_booking"], "key-reuse-granted"),
    ("oversold", &["create_booking"], "sum-exceeded"),
    ("sold-each", &["create_booking"], "sum-exceeded"),
    ("sold-not-counted", &["create_booking"], "sum-exceeded"),
    ("same-id", &["create_booking"], "key-reused"),
    ("quantity-one", &["create_booking"], "echo"),
    ("total-in-euro", &["create_booking"], "child-differs"),
    (
        "bookings-of-all",
        &["list_bookings"],
        "foreign-parent-found",
    ),
    ("total-off", &["list_bookings"], "total-differs"),
    (
        "bulk-any-number",
        &["create_bookings"],
        "constraint-ignored",
    ),
    ("bulk-loses-last", &["create_bookings"], "bulk-differs"),
    ("masked-read", &["create_booking"], "read-differs"),
    (
        "confirm-cancelled",
        &["cancel_booking", "confirm_booking"],
        "transition-forbidden",
    ),
    ("confirm-says-held", &["confirm_booking"], "read-differs"),
    ("race-confirm", &["confirm_booking"], "race-won-twice"),
    ("race-publish", &["publish_event"], "race-won-twice"),
];
