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

/// The list of entries, and what is done beside it.
const ENTRIES: &[&str] = &["listEntries", "payIn", "reverseDeposit"];

const FAULTS: &[Row] = &[
    // Lists whose items are short accounts of what is read.
    ("closed-unlisted", &["closeBox"], "list-misses"),
    ("line-shouts", &["openBox"], "list-item-differs"),
    ("boxes-turned", &["listBoxes"], "order-ignored"),
    // A list that is filled by what is done beside it.
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
    // What is asked for exactly, and stands in an order.
    ("note-begins", &["listDeposits"], "filter-ignored"),
    ("sort-as-text", &["listDeposits"], "order-ignored"),
    ("ties-turned", &["listDeposits"], "order-ignored"),
    // What stands in the record that it was made under.
    ("notices-turned", &["postNotice"], "order-ignored"),
    ("first-notice-only", &["postNotice"], "list-misses"),
    // What nobody else may have.
    ("name-by-case", &["foundClub"], "key-reused"),
    ("renamed-alike", &["renameClub"], "key-reused"),
    // What a step does not name.
    ("close-drops-labels", &["closeBox"], "patch-changed-more"),
    ("close-drops-keeper", &["closeBox"], "patch-changed-more"),
    // What is refused though each part of it is valid, and what is nearly valid.
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
    // Keys of the form that is told, which nobody has.
    ("outing-of-nobody", &["planOuting"], "unknown-key-found"),
    ("any-member", &["readMember"], "unknown-key-found"),
];
