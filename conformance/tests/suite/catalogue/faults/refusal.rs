//! Faults of validation and authentication.

use super::Row;
use crate::support::shop::{Aspect, Door, Fault, Rule};

pub(super) const ROWS: &[Row] = &[
    (
        "a charge of nobody is refused and made",
        Fault::Opens("create_charge", Door::TooLate),
        "refusal-changed-state",
        "leftovers/create_charge",
    ),
    (
        "a capture of nobody is refused and done",
        Fault::Opens("capture_charge", Door::TooLate),
        "refusal-changed-state",
        "authentication/capture_charge",
    ),
    (
        "a deletion of nobody is refused and done",
        Fault::Opens("delete_customer", Door::TooLate),
        "refusal-changed-state",
        "authentication/delete_customer",
    ),
    (
        "nobody may read",
        Fault::Opens("get_customer", Door::Nobody),
        "credentials-ignored",
        "authentication/get_customer",
    ),
    (
        "nobody may refund",
        Fault::Opens("create_refund", Door::Nobody),
        "credentials-ignored",
        "authentication/create_refund",
    ),
    (
        "any token may charge",
        Fault::Opens("create_charge", Door::AnyToken),
        "credentials-ignored",
        "authentication/create_charge",
    ),
    (
        "any token may list",
        Fault::Opens("list_charges", Door::AnyToken),
        "credentials-ignored",
        "authentication/list_charges",
    ),
    (
        "any scheme may cancel",
        Fault::Opens("cancel_charge", Door::AnyScheme),
        "credentials-ignored",
        "authentication/cancel_charge",
    ),
    (
        "an amount beyond its maximum",
        Fault::Accepts("create_charge", "amount", Aspect::Maximum),
        "constraint-ignored",
        "constraints/create_charge",
    ),
    (
        "an amount of nothing",
        Fault::Accepts("create_charge", "amount", Aspect::Minimum),
        "constraint-ignored",
        "constraints/create_charge",
    ),
    (
        "an amount as text",
        Fault::Accepts("create_charge", "amount", Aspect::Type),
        "type-coerced",
        "constraints/create_charge",
    ),
    (
        "an amount with a fraction",
        Fault::Accepts("create_charge", "amount", Aspect::Fraction),
        "type-coerced",
        "constraints/create_charge",
    ),
    (
        "no currency",
        Fault::Accepts("create_charge", "currency", Aspect::Required),
        "constraint-ignored",
        "constraints/create_charge",
    ),
    (
        "an unknown currency",
        Fault::Accepts("create_charge", "currency", Aspect::Enum),
        "constraint-ignored",
        "constraints/create_charge",
    ),
    (
        "null for a currency",
        Fault::Accepts("create_charge", "currency", Aspect::Null),
        "constraint-ignored",
        "constraints/create_charge",
    ),
    (
        "a long reference",
        Fault::Accepts("create_charge", "reference", Aspect::Maximum),
        "constraint-ignored",
        "constraints/create_charge",
    ),
    (
        "an unknown property",
        Fault::Accepts("create_charge", "", Aspect::Undeclared),
        "constraint-ignored",
        "constraints/create_charge",
    ),
    (
        "numbers in the metadata",
        Fault::Accepts("create_charge", "metadata", Aspect::Format),
        "constraint-ignored",
        "constraints/create_charge",
    ),
    (
        "a long name",
        Fault::Accepts("create_customer", "name", Aspect::Maximum),
        "constraint-ignored",
        "constraints/create_customer",
    ),
    (
        "no name at all",
        Fault::Accepts("create_customer", "name", Aspect::Minimum),
        "constraint-ignored",
        "constraints/create_customer",
    ),
    (
        "an address that is none",
        Fault::Accepts("create_customer", "email", Aspect::Format),
        "constraint-ignored",
        "constraints/create_customer",
    ),
    (
        "a telephone of letters",
        Fault::Accepts("create_customer", "phone", Aspect::Format),
        "constraint-ignored",
        "constraints/create_customer",
    ),
    (
        "too many tags",
        Fault::Accepts("create_customer", "tags", Aspect::MaxItems),
        "constraint-ignored",
        "constraints/create_customer",
    ),
    (
        "an update of the name to a number",
        Fault::Accepts("update_customer", "name", Aspect::Type),
        "type-coerced",
        "constraints/update_customer",
    ),
    (
        "a capture of nothing",
        Fault::Accepts("capture_charge", "amount", Aspect::Minimum),
        "constraint-ignored",
        "constraints/capture_charge",
    ),
    (
        "a refund without an amount",
        Fault::Accepts("create_refund", "amount", Aspect::Required),
        "constraint-ignored",
        "constraints/create_refund",
    ),
    (
        "a reason that is not listed",
        Fault::Accepts("create_refund", "reason", Aspect::Enum),
        "constraint-ignored",
        "constraints/create_refund",
    ),
    (
        "a refused charge takes its reference",
        Fault::Breaks(Rule::RefusedTakesReference),
        "refusal-changed-state",
        "constraints/create_charge",
    ),
];
