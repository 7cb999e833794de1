//! The faults of the lending library, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "lending/lending.yaml",
    header: ("x-lending-key", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: MISSED,
};

trial_tests!(TRIAL);

/// What no law catches yet, and what would have to be known.
const MISSED: &[Row] = &[
    // That a copy which is not there is not lent: the loan names a book, no amount of it.
    ("lend-too-many", &["lendBook"], "sum-exceeded"),
];

const FAULTS: &[Row] = &[
    ("due-too-early", &["lendBook"], "time-astray"),
    (
        "lend-suspended",
        &["lendBook", "suspendMember"],
        "transition-forbidden",
    ),
    (
        "remove-lent",
        &["removeBook", "lendBook"],
        "transition-forbidden",
    ),
    ("lend-uncounted", &["lendBook"], "balance-unmoved"),
    (
        "return-uncounted",
        &["lendBook", "returnBook"],
        "balance-unmoved",
    ),
    ("returned-unlisted", &["returnBook"], "list-misses"),
    ("put-keeps-email", &["replaceMember"], "put-kept"),
    ("tag-of-before", &["replaceBook"], "version-differs"),
    ("pin-told", &["addMember"], "written-told"),
    ("key-begins", &["findBooks"], "credentials-ignored"),
    ("problem-status", &["getBook"], "problem-status"),
    ("problem-type", &["getBook"], "url-style"),
    ("error-as-json", &["getBook"], "media-type"),
    ("pages-from-zero", &["findBooks"], "total-differs"),
    ("page-overlaps", &["findBooks"], "page-repeats"),
    ("page-after-last", &["findBooks"], "page-repeats"),
    ("total-of-page", &["findBooks"], "total-differs"),
    ("total-unfiltered", &["findBooks"], "total-differs"),
    ("pages-rounded-down", &["findBooks"], "total-differs"),
    ("genre-ignored", &["findBooks"], "filter-ignored"),
    ("after-ignored", &["findBooks"], "filter-ignored"),
    (
        "sort-ignored",
        &["findBooks", "replaceBook"],
        "order-ignored",
    ),
    ("list-without-tags", &["addBook"], "list-item-differs"),
    ("gone-listed", &["removeBook"], "deleted-listed"),
    ("gone-read", &["removeBook"], "deleted-found"),
    ("isbn-twice", &["addBook"], "repeat-made-another"),
    ("tags-first", &["addBook"], "echo"),
    ("title-escaped", &["addBook"], "echo"),
    ("weight-rounded", &["addBook"], "echo"),
    ("date-shifted", &["addBook"], "echo"),
    ("created-elsewhere", &["addBook"], "time-astray"),
    ("location-collection", &["addBook"], "location-leads-astray"),
    ("never-304", &["getBook"], "version-ignored"),
    ("no-412", &["replaceBook"], "version-ignored"),
    ("refusal-counted", &["changeBook"], "refusal-changed-state"),
    ("tag-stands", &["changeBook"], "version-stands"),
    ("put-forgotten", &["replaceBook"], "read-differs"),
    ("put-renews", &["replaceBook"], "made-anew"),
    ("null-ignored", &["changeBook"], "echo"),
    ("patch-clears-weight", &["changeBook"], "patch-changed-more"),
    ("change-answers-other", &["changeBook"], "echo"),
    ("newsletter-default", &["addMember"], "default-differs"),
    ("newsletter-dropped", &["addMember"], "echo"),
    ("address-shortened", &["addMember"], "echo"),
    ("active-ignored", &["findMembers"], "filter-ignored"),
    ("suspend-nothing", &["suspendMember"], "step-undone"),
    (
        "suspend-clears-email",
        &["suspendMember"],
        "patch-changed-more",
    ),
    ("lend-unknown", &["lendBook"], "unknown-key-found"),
    ("lend-removed", &["lendBook", "removeBook"], "deleted-found"),
    ("loan-of-other-book", &["lendBook"], "echo"),
    ("loans-of-all", &["findLoans"], "foreign-parent-found"),
    ("status-ignored", &["findLoans"], "filter-ignored"),
    ("return-nothing", &["returnBook"], "step-undone"),
    ("return-untimed", &["returnBook"], "step-undone"),
    ("race-return", &["returnBook"], "race-won-twice"),
    ("any-isbn", &["addBook"], "constraint-ignored"),
    ("any-title", &["replaceBook"], "constraint-ignored"),
    ("any-copies", &["addBook"], "constraint-ignored"),
    ("any-weight", &["addBook"], "constraint-ignored"),
    ("any-tags", &["changeBook"], "constraint-ignored"),
    ("any-birthDate", &["addMember"], "constraint-ignored"),
    ("any-address", &["addMember"], "constraint-ignored"),
    ("any-days", &["lendBook"], "constraint-ignored"),
    ("any-property", &["addMember"], "constraint-ignored"),
];
