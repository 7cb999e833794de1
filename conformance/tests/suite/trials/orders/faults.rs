//! The faults of the storefront, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "orders/orders.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: MISSED,
};

trial_tests!(TRIAL);

/// What no law catches yet, and what would have to be known.
const MISSED: &[Row] = &[
    // What is on hand beside what is promised, where something is.
    ("after-is-available", &["adjustStock"], "sum-differs"),
    ("removes-reserved", &["adjustStock"], "sum-exceeded"),
    // How much a tenth of some price is.
    ("discount-rounded-up", &["placeOrder"], "effect-differs"),
    // What the text of a step says of the requests of another operation.
    ("inactive-voucher", &["placeOrder"], "transition-forbidden"),
    // That what is given back is a part of a line.
    ("refund-of-all", &["returnItems"], "sum-differs"),
    ("refund-of-one", &["returnItems"], "sum-differs"),
    // That a time tells of what was done beside it.
    ("stock-time-stands", &["adjustStock"], "time-stands-still"),
    // That the order of values counts.
    ("tags-sorted", &["putProduct"], "echo"),
    // What counts how often a voucher was used.
    ("voucher-uncounted", &["placeOrder"], "sum-differs"),
    ("voucher-without-end", &["placeOrder"], "sum-exceeded"),
];

const FAULTS: &[Row] = &[
    ("cancel-keeps-voucher", &["cancelOrder"], "balance-unmoved"),
    (
        "price-follows",
        &["putProduct", "placeOrder"],
        "others-changed",
    ),
    (
        "replace-empties-stock",
        &["putProduct", "adjustStock"],
        "others-changed",
    ),
    ("cancelled-is-any", &["listOrders"], "filter-ignored"),
    ("discounted-unlisted", &["placeOrder"], "list-misses"),
    ("voucher-unread", &["placeOrder"], "read-differs"),
    ("adjust-adds-always", &["adjustStock"], "sum-differs"),
    ("adjust-does-nothing", &["adjustStock"], "sum-differs"),
    ("adjust-sets", &["adjustStock"], "sum-differs"),
    (
        "adjustments-of-all",
        &["listAdjustments"],
        "foreign-parent-found",
    ),
    (
        "adjustments-oldest-first",
        &["listAdjustments"],
        "order-ignored",
    ),
    ("after-is-before", &["adjustStock"], "sum-differs"),
    ("any-product", &["placeOrder"], "unknown-key-found"),
    ("any-voucher", &["placeOrder"], "unknown-key-found"),
    ("available-ignores-reserved", &["placeOrder"], "sum-differs"),
    ("cancel-keeps-due", &["cancelOrder"], "effect-differs"),
    (
        "cancel-keeps-promise",
        &["cancelOrder", "placeOrder"],
        "sum-differs",
    ),
    (
        "cancel-paid",
        &["cancelOrder", "recordPayment"],
        "transition-forbidden",
    ),
    ("cancel-twice", &["cancelOrder"], "transition-forbidden"),
    ("cancelled-at-null", &["cancelOrder"], "step-undone"),
    (
        "cancelled-unlisted",
        &["cancelOrder", "listOrders"],
        "list-misses",
    ),
    ("carrier-lost", &["shipOrder"], "field-missing"),
    ("code-twice", &["createVoucher"], "key-reuse-granted"),
    ("cursor-at-the-end", &["listProducts"], "more-promised"),
    ("deactivate-says-so", &["deactivateVoucher"], "read-differs"),
    (
        "deactivate-toggles",
        &["deactivateVoucher"],
        "transition-forbidden",
    ),
    ("deactivate-twice", &["deactivateVoucher"], "repeat-refused"),
    ("delete-does-nothing", &["deleteProduct"], "deleted-found"),
    (
        "delete-in-stock",
        &["deleteProduct", "adjustStock"],
        "transition-forbidden",
    ),
    ("due-before-discount", &["placeOrder"], "effect-differs"),
    ("due-stands", &["recordPayment"], "sum-differs"),
    ("email-ignored", &["listOrders"], "filter-ignored"),
    ("from-ignored", &["listOrders"], "filter-ignored"),
    ("key-ignored", &["placeOrder"], "repeat-made-another"),
    ("key-of-another", &["placeOrder"], "key-reuse-granted"),
    ("line-of-one", &["placeOrder"], "sum-differs"),
    ("max-exclusive", &["listProducts"], "filter-misses"),
    ("max-ignored", &["listProducts"], "filter-ignored"),
    ("metadata-replaced", &["updateOrder"], "echo"),
    ("min-exclusive", &["listProducts"], "filter-misses"),
    ("no-discount", &["placeOrder"], "effect-differs"),
    ("null-kept", &["updateOrder"], "echo"),
    ("orders-oldest-first", &["listOrders"], "order-ignored"),
    ("overpaid", &["recordPayment"], "sum-exceeded"),
    ("page-skips-one", &["listProducts"], "page-misses"),
    ("paid-at-null", &["shipOrder"], "effect-differs"),
    ("paid-by-a-part", &["recordPayment"], "step-undone"),
    ("paid-uncounted", &["recordPayment"], "sum-differs"),
    (
        "pay-cancelled",
        &["recordPayment", "cancelOrder"],
        "transition-forbidden",
    ),
    ("payments-newest-first", &["listPayments"], "order-ignored"),
    ("payments-of-all", &["listPayments"], "foreign-parent-found"),
    ("reason-is-received", &["adjustStock"], "echo"),
    ("reference-lost", &["recordPayment"], "field-missing"),
    ("removes-too-much", &["adjustStock"], "sum-exceeded"),
    ("replace-is-201", &["putProduct"], "status-code"),
    ("replace-is-new", &["putProduct"], "made-anew"),
    ("replace-keeps-name", &["putProduct"], "echo"),
    ("replace-keeps-tags", &["putProduct"], "put-kept"),
    ("replace-keeps-time", &["putProduct"], "time-stands-still"),
    ("replace-keeps-weight", &["putProduct"], "put-kept"),
    ("reserves-nothing", &["placeOrder"], "sum-differs"),
    (
        "return-not-in-stock",
        &["placeOrder", "returnItems"],
        "sum-differs",
    ),
    ("return-uncounted", &["returnItems"], "sum-differs"),
    ("returns-anything", &["returnItems"], "sum-exceeded"),
    ("returns-without-end", &["returnItems"], "sum-exceeded"),
    (
        "return-unshipped",
        &["returnItems", "recordPayment"],
        "transition-forbidden",
    ),
    ("sells-one-more", &["placeOrder"], "sum-exceeded"),
    ("sells-what-is-not-there", &["placeOrder"], "sum-exceeded"),
    ("sells-what-is-promised", &["placeOrder"], "sum-exceeded"),
    (
        "ship-keeps-promise",
        &["placeOrder", "shipOrder"],
        "sum-differs",
    ),
    (
        "ship-keeps-stock",
        &["placeOrder", "shipOrder"],
        "sum-differs",
    ),
    ("ship-twice", &["shipOrder"], "transition-forbidden"),
    (
        "ship-unpaid",
        &["shipOrder", "recordPayment"],
        "transition-forbidden",
    ),
    ("sort-as-text", &["listProducts"], "order-ignored"),
    ("sort-ignored", &["listProducts"], "order-ignored"),
    ("sort-up-only", &["listProducts"], "order-ignored"),
    ("status-ignored", &["listOrders"], "filter-ignored"),
    ("stays-pending", &["shipOrder"], "status-code"),
    ("tag-first-only", &["listProducts"], "filter-misses"),
    ("tag-ignored", &["listProducts"], "filter-ignored"),
    ("tags-twice", &["putProduct"], "constraint-ignored"),
    ("takes-at-once", &["placeOrder"], "sum-differs"),
    ("ten-by-default", &["listProducts"], "default-differs"),
    ("to-inclusive", &["listOrders"], "filter-ignored"),
    ("total-before-discount", &["placeOrder"], "sum-differs"),
    ("two-redemptions", &["createVoucher"], "default-differs"),
    ("unsorted", &["listProducts"], "default-differs"),
    (
        "update-closed",
        &["updateOrder", "shipOrder", "cancelOrder"],
        "transition-forbidden",
    ),
    ("update-time-stands", &["updateOrder"], "time-stands-still"),
];
