//! The faults of the cash boxes, each with the check that names it.

use super::{KEY, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "club/club.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

/// The list of entries, and the operations that fill it.
const ENTRIES: &[&str] = &["listEntries", "payIn", "reverseDeposit"];

const FAULTS: &[Row] = &[
    // Lists with short items.
    ("closed-unlisted", &["closeBox"], "list-misses"),
    ("line-shouts", &["openBox"], "list-item-differs"),
    ("boxes-turned", &["listBoxes"], "order-ignored"),
    // A list that other operations fill.
    ("balance-before", ENTRIES, "sum-differs"),
    ("unsigned", ENTRIES, "sum-differs"),
    ("entries-turned", ENTRIES, "order-ignored"),
    ("entries-skip", ENTRIES, "page-misses"),
    ("reversals-uncounted", ENTRIES, "total-differs"),
    (
        "entries-of-any-club",
        &["listEntries"],
        "foreign-parent-found",
    ),
    ("any-cursor", &["listEntries"], "constraint-ignored"),
    // Exact filters, and orders.
    ("note-begins", &["listDeposits"], "filter-ignored"),
    ("sort-as-text", &["listDeposits"], "order-ignored"),
    ("ties-turned", &["listDeposits"], "order-ignored"),
    // Items within their parent record.
    ("notices-turned", &["postNotice"], "order-ignored"),
    ("first-notice-only", &["postNotice"], "list-misses"),
    // Unique values.
    ("name-by-case", &["foundClub"], "key-reused"),
    ("renamed-alike", &["renameClub"], "key-reused"),
    // Properties that a step must not change.
    ("close-drops-labels", &["closeBox"], "patch-changed-more"),
    ("close-drops-keeper", &["closeBox"], "patch-changed-more"),
    // Forbidden combinations, and near misses.
    ("email-and-phone", &["admitMember"], "constraint-ignored"),
    ("currency-by-case", &["admitMember"], "constraint-ignored"),
    ("any-card", &["admitMember"], "constraint-ignored"),
    ("card-told-otherwise", &["admitMember"], "final-value"),
    ("started-before", &["admitMember"], "constraint-ignored"),
    (
        "change-takes-email",
        &["changeMember"],
        "constraint-ignored",
    ),
    // Well-formed keys that belong to no record.
    ("outing-of-nobody", &["planOuting"], "unknown-key-found"),
    ("any-member", &["readMember"], "unknown-key-found"),
];
