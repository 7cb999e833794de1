//! Tests each kind of fact (entry → id → words → entry) and the errors in faulty entries.

use std::collections::BTreeSet;

use openapi_document::{behaviour, loader};
use openapi_facts::{Facts, Rule, read};

/// A document with everything that the entries name.
const DOCUMENT: &str = include_str!("shop.yaml");

/// The facts of a behaviour file with one entry, and the problems as text.
fn facts(entry: &str) -> (Facts, String) {
    let document = loader::load_text("api.yaml", DOCUMENT).unwrap();
    let text = format!("behaviour: 2.0.0\nfacts:\n  - {entry}\n");
    let behaviour = behaviour::load_text("behaviour.yaml", &text).unwrap();
    let facts = read(&document, Some(&behaviour));
    let problems = facts.problems.render(&behaviour.sources, false);
    (facts, problems)
}

/// Entry, id, words.
const ENTRIES: &[(&str, &str, &str)] = &[
    (
        "sum-limit: {subject: {of: createRefund, name: amount}, limit: {of: Order, name: total}, link: orderId, states: [OPEN], status: 422}",
        "sum-limit/createRefund/amount/Order/total",
        "the sum of `amount` of createRefund is at most `total` of Order, counting the state OPEN; an amount beyond it is refused with 422",
    ),
    (
        "equation: {subject: {of: Order, name: total}, equals: 'sum(lines.price * lines.quantity) - discount', decimals: 2}",
        "equation/Order/total",
        "`total` of Order equals sum(lines.price * lines.quantity) - discount, rounded to 2 decimals",
    ),
    (
        "equation: {subject: {of: Order, name: total}, equals: discount * 0.5, decimals: 0, rounded: half-up}",
        "equation/Order/total",
        "`total` of Order equals discount * 0.5, rounded to 0 decimals, half up",
    ),
    (
        "counter: {subject: {of: Account, name: balance}, raisedBy: [{operation: deposit}], most: '3', status: 409}",
        "counter/Account/balance",
        "`balance` of Account is raised by deposit (by one), and never more than 3; what would go beyond is refused with 409",
    ),
    (
        "counter: {subject: {of: Account, name: balance}, raisedBy: [{operation: deposit, by: amount}], loweredBy: [{operation: withdraw}], least: '0', status: 409}",
        "counter/Account/balance",
        "`balance` of Account is raised by deposit (by `amount`), lowered by withdraw (by one), and never less than 0; what would go beyond is refused with 409",
    ),
    (
        "immutable: {subject: {of: Order, name: currency}, after: [PAID], status: 422}",
        "immutable/Order/currency/PAID",
        "`currency` of Order does not change after the state PAID; a change is refused with 422",
    ),
    (
        "immutable: {subject: {of: Order, name: currency}}",
        "immutable/Order/currency",
        "`currency` of Order never changes",
    ),
    (
        "on-delete: {operation: deleteOrder, children: Refund, then: refused, status: 409}",
        "on-delete/deleteOrder/Refund",
        "deleteOrder is refused with 409 while the record has a Refund",
    ),
    (
        "on-delete: {operation: deleteOrder, children: Refund, then: kept}",
        "on-delete/deleteOrder/Refund",
        "deleteOrder keeps each Refund of the record",
    ),
    (
        "list-omits: {subject: {of: listOrders}, omits: {name: status, values: [CANCELLED]}, unless: {name: sort, values: ['true']}}",
        "list-omits/listOrders/status=CANCELLED",
        "listOrders leaves out items where `status` is CANCELLED, unless `sort` is true",
    ),
    (
        "relation: {subject: {of: Order, name: dueAt}, is: not-before, other: createdAt, status: 422}",
        "relation/Order/dueAt/createdAt",
        "`dueAt` of Order is not before `createdAt`; another value is refused with 422",
    ),
    (
        "range: {subject: {of: Refund, name: amount}, above: '0', most: '99.50', status: 422}",
        "range/Refund/amount",
        "`amount` of Refund is above 0 and at most 99.50; another value is refused with 422",
    ),
    (
        "range: {subject: {of: Order, name: lines}, measure: items, least: '1'}",
        "range/Order/lines/items",
        "the number of items of `lines` of Order is at least 1",
    ),
    (
        "range: {subject: {of: Order, name: dueAt}, least: PT1H, below: P30D}",
        "range/Order/dueAt",
        "`dueAt` of Order is at least PT1H from the request on and below P30D from the request on",
    ),
    (
        "reference: {subject: {of: createRefund, name: orderId}, to: Order, status: 422}",
        "reference/createRefund/orderId",
        "`orderId` of createRefund names a Order that exists; another value is refused with 422",
    ),
    (
        "access: {operation: cancelOrder, only: owner, status: 404}",
        "access/cancelOrder/owner",
        "only the owner of the record may call cancelOrder; another caller is refused with 404",
    ),
    (
        "access: {operation: cancelOrder, only: [admin, support]}",
        "access/cancelOrder/scopes",
        "only callers with admin or support may call cancelOrder",
    ),
    (
        "timing: {subject: {of: Order, name: dueAt}, after: createdAt, by: P14D}",
        "timing/Order/dueAt",
        "`dueAt` of Order is P14D after `createdAt`",
    ),
    (
        "timing: {subject: {of: Order, name: dueAt}, by: PT24H}",
        "timing/Order/dueAt",
        "`dueAt` of Order is PT24H after the creation",
    ),
    (
        "async: {operation: payOrder, property: status, reaches: [PAID, FAILED], within: PT60S}",
        "async/payOrder/status",
        "after payOrder `status` becomes PAID or FAILED within PT60S",
    ),
    (
        "magic-value: {subject: {of: payOrder, name: card}, value: '4000', status: 402, sets: {name: status, value: FAILED}}",
        "magic-value/payOrder/card/4000",
        "the test value 4000 for `card` of payOrder is answered with 402 and sets `status` to FAILED",
    ),
    (
        "refusal: {operation: createRefund, status: 422, property: code, values: [order_not_paid], condition: {name: orderId}}",
        "refusal/createRefund/422/order_not_paid/orderId",
        "createRefund is refused with 422 and `code` order_not_paid where `orderId` is given",
    ),
    (
        "no-effect: {operation: deposit, keeps: {of: Order, name: total}}",
        "no-effect/deposit/Order/total",
        "deposit does not change `total` of Order",
    ),
    (
        "side-effect: {operation: cancelOrder, on: Refund, sets: {name: status, value: VOID}}",
        "side-effect/cancelOrder/Refund/status",
        "cancelOrder sets `status` to VOID on each Refund of the record",
    ),
    (
        "side-effect: {operation: payOrder, creates: Refund}",
        "side-effect/payOrder/Refund",
        "payOrder also creates a Refund",
    ),
];

#[test]
fn an_entry_is_written_as_it_was_read() {
    let mut kinds = BTreeSet::new();
    for (entry, id, words) in ENTRIES {
        let (facts, problems) = facts(entry);
        assert_eq!(problems, "", "{entry}");
        let fact = facts.list.last().unwrap();
        assert_eq!((fact.id.as_str(), &*fact.rule.to_string()), (*id, *words));
        assert_eq!(fact.because[0].evidence().as_str(), "stated");
        kinds.insert(fact.rule.kind());
        // The entry that a rule writes parses to the same rule, whatever the order of its keys.
        let again = self::facts(&fact.rule.entry()).0;
        assert_eq!(again.list.last().unwrap().rule, fact.rule, "{entry}");
        let elsewhere = fact.rule.about("other");
        assert_eq!(elsewhere.owner(), "other");
        assert_eq!(elsewhere.about(fact.rule.owner()), fact.rule);
    }
    let new: BTreeSet<&str> = Rule::KINDS[9..].iter().copied().collect();
    assert_eq!(kinds, new);
}

#[test]
fn drafts_and_rejections_of_facts_that_the_document_lacks_are_stale() {
    for (entry, _, _) in ENTRIES {
        for mark in ["draft", "rejected"] {
            let (facts, problems) = facts(&format!("{entry}\n    {mark}: true"));
            assert!(problems.contains("no longer"), "{entry}: {problems}");
            assert_eq!(facts.entries.len(), 1, "{entry}");
        }
    }
}

#[test]
fn unknown_names_are_all_reported_at_their_places() {
    for (entry, expected) in [
        (
            "counter: {subject: {of: Account, name: balanc}, raisedBy: [{operation: deposits, by: amount}, {operation: deposit, by: sum}]}",
            [
                "`Account` has no property `balanc` at 44: did you mean `balance`?",
                "the document has no operation `deposits` at 76: did you mean `deposit`?",
                "`deposit` has no property `sum` at 124: name a property as the document does; parts are divided by dots",
            ]
            .as_slice(),
        ),
        (
            "equation: {subject: {of: Order, name: total}, equals: 'sum(lines.prise * lines.quantity)'}",
            &["`Order` has no property `lines.prise` at 59: name a property as the document does; parts are divided by dots"],
        ),
        (
            "reference: {subject: {of: createRefund, name: orderId}, to: order}",
            &["the document has no schema `order` at 65: did you mean `Order`?"],
        ),
        (
            "on-delete: {operation: Order, children: Rest, then: kept}",
            &[
                "the document has no operation `Order` at 28: name an operation by its operationId",
                "the document has no schema `Rest` at 45: name a schema by its name",
            ],
        ),
        (
            "range: {subject: {of: Odrer, name: total}, least: '1'}",
            &["the document has no operation and no schema `Odrer` at 5: did you mean `Order`?"],
        ),
    ] {
        let document = loader::load_text("api.yaml", DOCUMENT).unwrap();
        let text = format!("behaviour: 2.0.0\nfacts:\n  - {entry}\n");
        let behaviour = behaviour::load_text("behaviour.yaml", &text).unwrap();
        let facts = read(&document, Some(&behaviour));
        let found: Vec<String> = { facts.problems.iter() }
            .map(|problem| {
                let place = behaviour.sources.place(problem.primary.as_ref().unwrap().0);
                let help = problem.help.as_deref().unwrap_or_default();
                format!("{} at {}: {help}", problem.title, place.column)
            })
            .collect();
        assert_eq!(found, expected, "{entry}");
    }
}

/// A faulty entry, and a part of its error message.
const FLAWS: &[(&str, &str)] = &[
    (
        "equation: {TOTAL, equals: 'net + '}",
        "expected a property or a number at character 7 of `net + `",
    ),
    ("equation: {TOTAL}", "missing field `equals`"),
    (
        "equation: {TOTAL, equals: discount, digits: 2}",
        "unknown field `digits`",
    ),
    (
        "equation: {TOTAL, equals: discount, rounded: up}",
        "`rounded` needs `decimals`",
    ),
    (
        "equation: {subject: {of: Order}, equals: discount}",
        "`subject` needs a `name`",
    ),
    (
        "counter: {TOTAL}",
        "`raisedBy` or `loweredBy` needs an operation",
    ),
    (
        "counter: {TOTAL, raisedBy: [{operation: deposit}], least: none}",
        "expected a decimal number such as '9.99', got \"none\"",
    ),
    (
        "range: {TOTAL}",
        "`least`, `above`, `most` or `below` is needed",
    ),
    (
        "range: {TOTAL, least: '1', above: '1'}",
        "exclude each other",
    ),
    (
        "range: {TOTAL, least: '2', most: '1.5'}",
        "the lower bound is above the upper one",
    ),
    (
        "range: {TOTAL, above: '1', most: '1.0'}",
        "no value lies between the bounds",
    ),
    (
        "range: {TOTAL, least: '1', most: P1D}",
        "one bound is a number",
    ),
    (
        "range: {TOTAL, most: soon}",
        "expected a number such as '9.99', or a duration such as PT24H, got \"soon\"",
    ),
    (
        "range: {TOTAL, measure: length, most: '1.5'}",
        "is bounded by whole numbers",
    ),
    (
        "relation: {TOTAL, is: at-most, other: total}",
        "compared with itself",
    ),
    (
        "relation: {TOTAL, is: near, other: discount}",
        "unknown variant `near`",
    ),
    (
        "sum-limit: {TOTAL, limit: {of: Order}}",
        "`subject` and `limit` need a `name`",
    ),
    (
        "timing: {TOTAL, by: 1 day}",
        "expected a duration such as PT24H, got `1 day`",
    ),
    (
        "magic-value: {TOTAL, value: '1'}",
        "`status` or `sets` is needed",
    ),
    (
        "on-delete: {operation: deleteOrder, children: Refund, then: kept, status: 409}",
        "`status` is for `then: refused` only",
    ),
    (
        "access: {operation: cancelOrder, only: everybody}",
        "expected `owner` or a list of scopes, got \"everybody\"",
    ),
    (
        "access: {operation: cancelOrder, only: []}",
        "expected `owner` or a list of scopes, got []",
    ),
    (
        "async: {operation: payOrder, reaches: []}",
        "`reaches` needs a value",
    ),
    (
        "refusal: {operation: payOrder, status: 200, values: [x]}",
        "the `status` of a refusal is 400 to 599",
    ),
    (
        "refusal: {operation: payOrder, status: 409}",
        "`values` or `condition` is needed",
    ),
    (
        "side-effect: {operation: payOrder, on: Refund}",
        "needs either `on` and `sets`, or `creates`",
    ),
];

#[test]
fn an_entry_with_contradicting_parts_is_not_a_fact() {
    for (entry, expected) in FLAWS {
        let entry = entry.replace("TOTAL", "subject: {of: Order, name: total}");
        let (facts, problems) = facts(&entry);
        assert!(problems.contains(expected), "{entry}: {problems}");
        assert_eq!(facts.entries.len(), 0, "{entry}");
    }
}
