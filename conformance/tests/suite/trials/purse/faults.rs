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

/// What a payment needs, and what is done with it.
const PAYING: &[&str] = &[
    "addCustomer",
    "saveCard",
    "createPayment",
    "getPayment",
    "capturePayment",
    "voidPayment",
    "refundPayment",
];

/// What becomes of a customer.
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

/// Cards of a customer.
const SAVING: &[&str] = &["addCustomer", "getCustomer", "saveCard"];

/// What is told of the balance, and what leaves it as it is.
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
    // What the amounts of a payment come to.
    ("void-unreleased", PAYING, "sum-differs"),
    ("void-of-part-unreleased", PAYING, "sum-differs"),
    // States that a step leads from, and to.
    ("part-refunded", PAYING, "transition-forbidden"),
    ("voided-captured", PAYING, "transition-forbidden"),
    ("captured-voided", PAYING, "transition-forbidden"),
    ("part-voided", PAYING, "step-undone"),
    // How many there may be, and of what only one.
    ("fourth-card", SAVING, "sum-exceeded"),
    ("limit-of-another-code", SAVING, "final-value"),
    ("number-twice", SAVING, "key-reused"),
    // What is deleted together with a customer, and what is in its way.
    ("cards-stay", REMOVING, "deleted-found"),
    ("removes-authorised", REMOVING, "transition-forbidden"),
    (
        "removes-partially-captured",
        REMOVING,
        "transition-forbidden",
    ),
    // What a step leaves in a list, and what that adds up to.
    ("capture-unlisted", BOOKING, "event-astray"),
    ("second-capture-unlisted", BOOKING, "event-astray"),
    ("at-once-unlisted", BOOKING, "event-astray"),
    ("refund-unlisted", BOOKING, "event-astray"),
    ("void-listed", BOOKING, "event-astray"),
    ("fee-rounded-up", BOOKING, "sum-differs"),
    ("balance-without-fee", BOOKING, "sum-differs"),
    ("balance-of-both", BOOKING, "sum-differs"),
    ("cursor-of-anything", BOOKING, "constraint-ignored"),
    // What a text refuses.
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
    // The code that an example shows.
    ("malformed-as-invalid", &["addCustomer"], "final-value"),
    // What is that of another record, or a part of what was sent.
    (
        "always-visa",
        &["saveCard", "createPayment"],
        "child-differs",
    ),
    ("first4", &["saveCard"], "echo"),
    // A header that is another one in each answer, and that an error repeats.
    ("request-id-twice", &["addCustomer"], "key-reused"),
    ("request-id-of-its-own", &["addCustomer"], "echo"),
    // That one of two refusals comes first.
    ("limit-checked-first", SAVING, "final-value"),
    // Which numbers belong to whom.
    ("any-brand", SAVING, "constraint-ignored"),
    // That what is said of every answer is said of two refusals.
    ("request-id-of-errors-twice", &["addCustomer"], "key-reused"),
    // That a step can be taken again.
    ("captured-once", PAYING, "valid-refused"),
    // What a record is when everything is gone, where no other state tells that a part is.
    ("stays-captured", PAYING, "step-undone"),
    // That a number is less than nothing for one kind.
    ("refund-of-other-sign", BOOKING, "sum-differs"),
    // What stays when what it was made for is deleted, and that what goes with it cannot be named any more.
    ("payments-go", REMOVING, "valid-refused"),
    ("ghosts-pay", REMOVING, "rejection-expected"),
];
