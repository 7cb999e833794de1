//! The faults of the purse, each with the check that names it.

use super::{KEY, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "purse/purse.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

/// Operations for a payment.
const PAYING: &[&str] = &[
    "addCustomer",
    "saveCard",
    "createPayment",
    "getPayment",
    "capturePayment",
    "voidPayment",
    "refundPayment",
];

/// Operations for the deletion of a customer.
const REMOVING: &[&str] = &[
    "addCustomer",
    "getCustomer",
    "deleteCustomer",
    "saveCard",
    "getCard",
    "createPayment",
    "getPayment",
    "capturePayment",
];

/// Operations for the cards of a customer.
const SAVING: &[&str] = &["addCustomer", "getCustomer", "saveCard"];

/// Operations for the balance, and those that must not change it.
const BOOKING: &[&str] = &[
    "createPayment",
    "getPayment",
    "capturePayment",
    "voidPayment",
    "refundPayment",
    "listBalanceEntries",
];

const FAULTS: &[Row] = &[
    ("number-of-anybody", SAVING, "valid-refused"),
    // The amounts of a payment.
    ("void-unreleased", PAYING, "sum-differs"),
    ("void-of-part-unreleased", PAYING, "sum-differs"),
    // The states before and after a step.
    ("part-refunded", PAYING, "transition-forbidden"),
    ("voided-captured", PAYING, "transition-forbidden"),
    ("captured-voided", PAYING, "transition-forbidden"),
    ("part-voided", PAYING, "step-undone"),
    // Limits, and which records they count.
    ("fourth-card", SAVING, "sum-exceeded"),
    ("limit-of-another-code", SAVING, "final-value"),
    ("number-twice", SAVING, "key-reused"),
    // Records that are deleted with a customer, and records that prevent the deletion.
    ("cards-stay", REMOVING, "deleted-found"),
    ("removes-authorised", REMOVING, "transition-forbidden"),
    (
        "removes-partially-captured",
        REMOVING,
        "transition-forbidden",
    ),
    // Entries of a list, and their sum.
    ("capture-unlisted", BOOKING, "event-astray"),
    ("second-capture-unlisted", BOOKING, "event-astray"),
    ("at-once-unlisted", BOOKING, "event-astray"),
    ("refund-unlisted", BOOKING, "event-astray"),
    ("void-listed", BOOKING, "event-astray"),
    ("fee-rounded-up", BOOKING, "sum-differs"),
    ("balance-without-fee", BOOKING, "sum-differs"),
    ("balance-of-both", BOOKING, "sum-differs"),
    ("cursor-of-anything", BOOKING, "constraint-ignored"),
    // Values that a description forbids.
    ("expired-saved", &["saveCard"], "constraint-ignored"),
    ("lately-expired-saved", &["saveCard"], "constraint-ignored"),
    ("unchecked", &["saveCard"], "constraint-ignored"),
    ("small-paid", &["createPayment"], "constraint-ignored"),
    ("small-as-invalid", &["createPayment"], "status-code"),
    (
        "empty-pays",
        &["saveCard", "createPayment"],
        "constraint-ignored",
    ),
    (
        "declined-reason-untold",
        &["saveCard", "createPayment"],
        "final-value",
    ),
    // The code in an example.
    ("malformed-as-invalid", &["addCustomer"], "final-value"),
    // Values from another record, or parts of the request.
    (
        "always-visa",
        &["saveCard", "createPayment"],
        "child-differs",
    ),
    ("first4", &["saveCard"], "echo"),
    // A header that differs in each answer, and that an error repeats.
    ("request-id-twice", &["addCustomer"], "key-reused"),
    ("request-id-of-its-own", &["addCustomer"], "echo"),
    // The order of two refusals.
    ("limit-checked-first", SAVING, "final-value"),
    // Card numbers and their brands.
    ("any-brand", SAVING, "constraint-ignored"),
    // A statement about every answer also covers refusals.
    ("request-id-of-errors-twice", &["addCustomer"], "key-reused"),
    // A step that can be repeated.
    ("captured-once", PAYING, "valid-refused"),
    // The state after everything was refunded, when no other state shows a partial refund.
    ("stays-captured", PAYING, "step-undone"),
    // A negative amount for one kind of entry.
    ("refund-of-other-sign", BOOKING, "sum-differs"),
    // Records that remain after the deletion of their parent, and records that do not.
    ("payments-go", REMOVING, "valid-refused"),
    ("ghosts-pay", REMOVING, "rejection-expected"),
];
