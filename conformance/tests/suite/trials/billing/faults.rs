//! The faults of billing, each with the check that names it.

use super::{KEY, Store};
use crate::support::By;
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "billing/billing.yaml",
    header: ("x-billing-key", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
};

trial_tests!(TRIAL);

const FAULTS: &[Row] = &[
    // Descriptions of states, of properties, and of effects on other records.
    ("reminded-after", &["pay", "voidInvoice"], "effect-differs"),
    ("void-leaves-balance", &["voidInvoice"], "effect-differs"),
    ("void-undated", &["voidInvoice"], "effect-differs"),
    ("subscription-uncounted", &["subscribe"], "effect-differs"),
    ("subscription-undated", &["subscribe"], "effect-differs"),
    ("cancelled-uncounted", &["cancel"], "effect-differs"),
    ("invoice-uncounted", &["invoice"], "effect-differs"),
    ("invoice-counts-first", &["invoice"], "total-differs"),
    ("void-unlisted", &["voidInvoice"], "total-differs"),
    (
        "open-total-stands",
        &["getSubscription", "invoice", "pay", "voidInvoice"],
        "sum-differs",
    ),
    ("later-by-default", &["cancel"], "default-differs"),
    (
        "plan-change-reprices",
        &["changePlan", "subscribe"],
        "others-changed",
    ),
    ("tax-of-a-tenth", &["invoice"], "sum-differs"),
    ("trial-a-day-more", &["subscribe"], "time-astray"),
    ("due-at-once", &["invoice"], "time-astray"),
    ("email-case", &["createCustomer"], "repeat-made-another"),
    ("email-twice", &["createCustomer"], "repeat-made-another"),
    ("name-shortened", &["createCustomer"], "echo"),
    ("email-filter-ignored", &["listCustomers"], "filter-ignored"),
    ("email-filter-begins", &["listCustomers"], "filter-ignored"),
    (
        "delete-subscribed",
        &["deleteCustomer", "subscribe"],
        "transition-forbidden",
    ),
    ("always-monthly", &["createPlan"], "echo"),
    ("price-rounded", &["createPlan"], "echo"),
    ("any-plan", &["subscribe"], "unknown-key-found"),
    ("two-by-default", &["subscribe"], "default-differs"),
    ("total-of-one", &["subscribe"], "sum-differs"),
    ("total-less-a-cent", &["subscribe"], "sum-differs"),
    ("trial-ignored", &["subscribe"], "effect-differs"),
    (
        "subscriptions-of-all",
        &["listSubscriptions"],
        "foreign-parent-found",
    ),
    ("paused-hidden", &["pause"], "list-misses"),
    ("status-ignored", &["listSubscriptions"], "filter-ignored"),
    ("change-keeps-total", &["changeSubscription"], "sum-differs"),
    (
        "change-activates",
        &["changeSubscription", "pause"],
        "patch-changed-more",
    ),
    (
        "pause-trial",
        &["pause", "subscribe"],
        "transition-forbidden",
    ),
    (
        "resume-cancelled",
        &["resume", "cancel"],
        "transition-forbidden",
    ),
    (
        "resume-active",
        &["resume", "pause"],
        "transition-forbidden",
    ),
    ("cancel-again", &["cancel"], "transition-forbidden"),
    ("pause-cancels", &["pause"], "step-undone"),
    ("pause-resets-quantity", &["pause"], "patch-changed-more"),
    ("resume-nothing", &["resume"], "effect-differs"),
    ("later-is-now", &["cancel"], "patch-changed-more"),
    ("later-untold", &["cancel"], "effect-differs"),
    ("cancel-untimed", &["cancel"], "effect-differs"),
    ("total-without-tax", &["invoice"], "sum-differs"),
    ("numbers-repeat", &["invoice"], "key-reused"),
    ("invoice-of-other", &["invoice"], "child-differs"),
    ("invoice-forgotten", &["invoice"], "read-differs"),
    ("invoices-of-all", &["listInvoices"], "foreign-parent-found"),
    ("invoices-oldest-first", &["listInvoices"], "order-ignored"),
    ("pay-void", &["pay", "voidInvoice"], "transition-forbidden"),
    ("pay-again", &["pay"], "transition-forbidden"),
    (
        "delete-paid",
        &["deleteInvoice", "pay"],
        "transition-forbidden",
    ),
    ("void-paid", &["voidInvoice", "pay"], "transition-forbidden"),
    ("pay-leaves-open", &["pay"], "effect-differs"),
    ("pay-untimed", &["pay"], "effect-differs"),
    ("pay-adds-a-cent", &["pay"], "patch-changed-more"),
    ("void-zeroes-total", &["voidInvoice"], "patch-changed-more"),
    // A price is that of the plan in the change.
    ("change-keeps-price", &["changeSubscription"], "sum-differs"),
    // A subtotal comes from another record.
    ("invoice-of-one", &["invoice"], "child-differs"),
];
