//! The faults of those kiosks, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "kiosk/kiosk.yaml",
    header: ("x-api-key", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

/// What a sale needs.
const SELLING: &[&str] = &[
    "listHalls",
    "openKiosk",
    "getKiosk",
    "changeKiosk",
    "sell",
    "getSale",
];

/// What comes of sales.
const TAKING: &[&str] = &[
    "listHalls",
    "openKiosk",
    "getKiosk",
    "sell",
    "getSale",
    "voidSale",
    "getTakings",
];

/// What comes back.
const RETURNING: &[&str] = &[
    "listHalls",
    "openKiosk",
    "getKiosk",
    "sell",
    "getSale",
    "takeBack",
];

#[rustfmt::skip]
const FAULTS: &[Row] = &[
    ("foreign-hall", SELLING, "foreign-parent-found"),
    ("any-rate", SELLING, "constraint-ignored"),
    ("any-card", SELLING, "constraint-ignored"),
    ("none-sold", SELLING, "constraint-ignored"),
    ("gap", SELLING, "effect-differs"),
    ("one-bag", SELLING, "sum-differs"),
    ("fee-down", SELLING, "sum-differs"),
    ("retired-sells", SELLING, "transition-forbidden"),
    ("tendered-counted", TAKING, "sum-differs"),
    ("void-counted", TAKING, "sum-differs"),
    ("back-again", RETURNING, "sum-exceeded"),
    ("half-back", RETURNING, "refusal-changed-state"),
];
