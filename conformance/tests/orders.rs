//! Orders of a storefront. Nothing is found in it as it is, and each of its faults by the check that names it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on stops"
)]

#[path = "support/desk.rs"]
mod desk;
#[path = "support/orders/mod.rs"]
mod orders;
mod support;
#[path = "support/trial.rs"]
mod trial;

use trial::{Row, Trial};

const TRIAL: Trial = Trial {
    document: "orders/orders.yaml",
    header: ("authorization", orders::KEY),
    open: |fault| Box::pin(orders::open(fault)),
};

#[tokio::test]
async fn nothing_is_found_in_untouched_orders() {
    TRIAL.assert_nothing_is_found().await;
}

#[tokio::test]
async fn each_fault_is_caught_by_the_check_that_names_it() {
    TRIAL.assert_caught(FAULTS).await;
}

const FAULTS: &[Row] = &[
    ("adjust-adds-always", &[], "?"),
    ("adjust-does-nothing", &[], "?"),
    ("adjust-sets", &[], "?"),
    ("adjustments-of-all", &[], "?"),
    ("adjustments-oldest-first", &[], "?"),
    ("after-is-available", &[], "?"),
    ("after-is-before", &[], "?"),
    ("any-product", &[], "?"),
    ("any-voucher", &[], "?"),
    ("available-ignores-reserved", &[], "?"),
    ("cancel-keeps-due", &[], "?"),
    ("cancel-keeps-promise", &[], "?"),
    ("cancel-keeps-voucher", &[], "?"),
    ("cancel-paid", &[], "?"),
    ("cancel-twice", &[], "?"),
    ("cancelled-at-null", &[], "?"),
    ("cancelled-unlisted", &[], "?"),
    ("carrier-lost", &[], "?"),
    ("code-twice", &[], "?"),
    ("cursor-at-the-end", &[], "?"),
    ("deactivate-says-so", &[], "?"),
    ("deactivate-toggles", &[], "?"),
    ("deactivate-twice", &[], "?"),
    ("delete-does-nothing", &[], "?"),
    ("delete-in-stock", &[], "?"),
    ("discount-rounded-up", &[], "?"),
    ("due-before-discount", &[], "?"),
    ("due-stands", &[], "?"),
    ("email-ignored", &[], "?"),
    ("from-ignored", &[], "?"),
    ("inactive-voucher", &[], "?"),
    ("key-ignored", &[], "?"),
    ("key-of-another", &[], "?"),
    ("line-of-one", &[], "?"),
    ("max-exclusive", &[], "?"),
    ("max-ignored", &[], "?"),
    ("metadata-replaced", &[], "?"),
    ("min-exclusive", &[], "?"),
    ("no-discount", &[], "?"),
    ("null-kept", &[], "?"),
    ("orders-oldest-first", &[], "?"),
    ("overpaid", &[], "?"),
    ("page-skips-one", &[], "?"),
    ("paid-at-null", &[], "?"),
    ("paid-by-a-part", &[], "?"),
    ("paid-uncounted", &[], "?"),
    ("pay-cancelled", &[], "?"),
    ("payments-newest-first", &[], "?"),
    ("payments-of-all", &[], "?"),
    ("price-follows", &[], "?"),
    ("reason-is-received", &[], "?"),
    ("reference-lost", &[], "?"),
    ("refund-of-all", &[], "?"),
    ("refund-of-one", &[], "?"),
    ("removes-reserved", &[], "?"),
    ("removes-too-much", &[], "?"),
    ("replace-empties-stock", &[], "?"),
    ("replace-is-201", &[], "?"),
    ("replace-is-new", &[], "?"),
    ("replace-keeps-name", &[], "?"),
    ("replace-keeps-tags", &[], "?"),
    ("replace-keeps-time", &[], "?"),
    ("replace-keeps-weight", &[], "?"),
    ("reserves-nothing", &[], "?"),
    ("return-not-in-stock", &[], "?"),
    ("return-uncounted", &[], "?"),
    ("return-unshipped", &[], "?"),
    ("returns-anything", &[], "?"),
    ("returns-without-end", &[], "?"),
    ("sells-one-more", &[], "?"),
    ("sells-what-is-not-there", &[], "?"),
    ("sells-what-is-promised", &[], "?"),
    ("ship-keeps-promise", &[], "?"),
    ("ship-keeps-stock", &[], "?"),
    ("ship-twice", &[], "?"),
    ("ship-unpaid", &[], "?"),
    ("sort-as-text", &[], "?"),
    ("sort-ignored", &[], "?"),
    ("sort-up-only", &[], "?"),
    ("status-ignored", &[], "?"),
    ("stays-pending", &[], "?"),
    ("stock-time-stands", &[], "?"),
    ("tag-first-only", &[], "?"),
    ("tag-ignored", &[], "?"),
    ("tags-sorted", &[], "?"),
    ("tags-twice", &[], "?"),
    ("takes-at-once", &[], "?"),
    ("ten-by-default", &[], "?"),
    ("to-inclusive", &[], "?"),
    ("total-before-discount", &[], "?"),
    ("two-redemptions", &[], "?"),
    ("unsorted", &[], "?"),
    ("update-closed", &[], "?"),
    ("update-time-stands", &[], "?"),
    ("voucher-uncounted", &[], "?"),
];

#[tokio::test]
async fn zz_serve() {
    let fault: &'static str = Box::leak(
        std::env::var("FAULT")
            .unwrap_or("none".into())
            .into_boxed_str(),
    );
    let address = orders::open(fault).await;
    std::fs::write("/tmp/orders.addr", address).unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
}
