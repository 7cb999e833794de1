//! The faults of the pocket, each with the check that names it.

use super::{KEY, Store};
use crate::trials::desk;
use crate::trials::trial::{Row, Trial};

pub(crate) static TRIAL: Trial = Trial {
    document: "pocket/pocket.yaml",
    header: ("authorization", KEY),
    neighbour: None,
    reader: None,
    open: desk::open::<Store>,
    faults: FAULTS,
    missed: &[],
};

trial_tests!(TRIAL);

/// What a wallet is opened, filled and read with.
const WALLET: &[&str] = &["openWallet", "readWallet", "topUp"];

/// And what is paid out of it.
const PAYOUTS: &[&str] = &[
    "openWallet",
    "readWallet",
    "topUp",
    "askForPayout",
    "readPayout",
    "approvePayout",
    "cancelPayout",
];

/// And what is settled.
const BATCHES: &[&str] = &["openWallet", "topUp", "closeBatch", "listBatches"];

const FAULTS: &[Row] = &[
    // What nothing makes by itself is found in its list.
    (
        "entry-anywhere",
        &["openWallet", "topUp", "listEntries", "readEntry"],
        "foreign-parent-found",
    ),
    (
        "entry-before",
        &["openWallet", "topUp", "listEntries"],
        "sum-differs",
    ),
    (
        "entries-oldest",
        &["openWallet", "topUp", "listEntries"],
        "order-ignored",
    ),
    // A float loses a cent.
    ("cent-lost", WALLET, "balance-unmoved"),
    // What is released, what it costs, and when it is decided.
    ("hold-kept", PAYOUTS, "balance-unmoved"),
    ("fee-too-little", PAYOUTS, "sum-differs"),
    ("total-without-fee", PAYOUTS, "sum-differs"),
    ("decided-early", PAYOUTS, "effect-differs"),
    ("approves-cancelled", PAYOUTS, "transition-forbidden"),
    ("another-code", PAYOUTS, "final-value"),
    ("time-stands", PAYOUTS, "time-stands-still"),
    // What gathers others.
    ("batches-oldest", BATCHES, "order-ignored"),
    ("secrets-listed", BATCHES, "effect-differs"),
    // Under a name that the caller makes up.
    ("one-card-more", &["keepCard", "listCards"], "sum-exceeded"),
    (
        "holder-forgotten",
        &["keepCard", "listCards"],
        "list-item-differs",
    ),
];
