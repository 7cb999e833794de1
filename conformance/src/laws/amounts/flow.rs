//! What names say of amounts that go in or out: of operations, of keys, and of what tells how much is there.

use openapi_document::Node;

use crate::names;

use crate::amount::Amount;

/// The way of an amount, seen from the record that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It is more then.
    In,
    /// It is less then.
    Out,
}

const IN: [&str; 18] = [
    "deposit",
    "topup",
    "credit",
    "receipt",
    "receive",
    "load",
    "loading",
    "reload",
    "recharge",
    "restock",
    "replenish",
    "replenishment",
    "refill",
    "increase",
    "increment",
    "fund",
    "funding",
    "inbound",
];

const OUT: [&str; 29] = [
    "withdraw",
    "withdrawal",
    "debit",
    "payout",
    "spend",
    "redeem",
    "redemption",
    "consume",
    "consumption",
    "issue",
    "reserve",
    "reservation",
    "hold",
    "book",
    "booking",
    "allocate",
    "allocation",
    "purchase",
    "lend",
    "loan",
    "borrow",
    "checkout",
    "rent",
    "rental",
    "decrease",
    "decrement",
    "pick",
    "outbound",
    "burn",
];

/// What takes one piece where no number is told.
const PIECES: [&str; 8] = [
    "lend", "loan", "borrow", "checkout", "rent", "rental", "book", "booking",
];

/// The way that a verb or its noun says, where it says one only.
pub(crate) fn of_verb(name: &str) -> Option<Flow> {
    let joined = name.to_lowercase().replace(['-', '_'], "");
    let has = |list: &[&str]| {
        let words = names::words(name);
        let is_listed = |word: &String| {
            list.contains(&word.as_str()) || list.contains(&names::singular(word).as_str())
        };
        words.iter().any(is_listed) || list.contains(&names::singular(&joined).as_str())
    };
    match (has(&IN), has(&OUT)) {
        (true, false) => Some(Flow::In),
        (false, true) => Some(Flow::Out),
        _ => None,
    }
}

/// The way that the name of a key says: out of the source, into the target.
pub(crate) fn of_part(name: &str) -> Option<Flow> {
    let words = names::words(name);
    match words.first()?.as_str() {
        "from" | "source" | "sender" | "payer" | "debit" | "debtor" if words.len() > 1 => {
            Some(Flow::Out)
        }
        "to" | "target" | "destination" | "receiver" | "recipient" | "payee" | "credit"
        | "creditor"
            if words.len() > 1 =>
        {
            Some(Flow::In)
        }
        _ => None,
    }
}

/// Whether an operation takes pieces.
pub(crate) fn is_one_each(path: &str) -> bool {
    let words = names::words(crate::model::collection(path));
    words
        .iter()
        .any(|own| PIECES.contains(&names::singular(own).as_str()))
}

/// Whether a name tells how much is in a record, or left of it.
pub(crate) fn tells_of_balance(name: &str) -> bool {
    const OTHER: [&str; 14] = [
        "due",
        "limit",
        "credit",
        "opening",
        "initial",
        "minimum",
        "maximum",
        "min",
        "max",
        "highest",
        "lowest",
        "target",
        "overdraft",
        "last",
    ];
    let words = names::words(name);
    let has = |word: &str| words.iter().any(|own| own == word);
    let is_left = has("available") || has("remaining") || has("left");
    let is_there = has("balance") || has("stock") || (has("on") && has("hand"));
    (is_left || is_there) && !OTHER.iter().any(|own| has(own)) && words.len() <= 4
}

/// The properties that tell how much is in a record, or left of it.
pub(crate) fn balances(record: &Node) -> Vec<&str> {
    let entries = record
        .entries()
        .filter(|entry| tells_of_balance(&entry.key));
    let entries = entries.filter(|entry| Amount::read_signed(&entry.value).is_some());
    entries.map(|entry| entry.key.as_str()).collect()
}

/// Whether a record tells that something of its amount goes elsewhere, or is counted in something else.
pub(crate) fn is_fee(record: &Node) -> bool {
    const ELSEWHERE: [&str; 7] = [
        "fee",
        "fees",
        "net",
        "rate",
        "commission",
        "tax",
        "exchange",
    ];
    record.entries().any(|entry| {
        let words = names::words(&entry.key);
        let is_none = Amount::read(&entry.value).is_some_and(|own| own.units == 0);
        let is_there = !is_none && !entry.value.is_null();
        is_there && words.iter().any(|own| ELSEWHERE.contains(&own.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_amounts() {
        for (name, expected) in [
            ("deposits", Some(Flow::In)),
            ("top-ups", Some(Flow::In)),
            ("withdrawals", Some(Flow::Out)),
            ("postIssue", Some(Flow::Out)),
            ("reservations", Some(Flow::Out)),
            ("reviews", None),
            ("cancel", None),
        ] {
            assert_eq!(of_verb(name), expected, "{name}");
        }
        assert_eq!(of_part("from_account_id"), Some(Flow::Out));
        assert_eq!(of_part("destinationWalletId"), Some(Flow::In));
        assert_eq!(of_part("to"), None);
        assert!(is_one_each("/books/{id}/loans") && !is_one_each("/books/{id}/notes"));
    }

    #[test]
    fn what_tells_how_much_is_there() {
        for (record, expected) in [
            (r#"{"balance":1,"currency":"EUR"}"#, &["balance"][..]),
            (
                r#"{"onHand":1,"available":2,"reserved":0}"#,
                &["onHand", "available"],
            ),
            (
                r#"{"seats_available":4,"available":true}"#,
                &["seats_available"],
            ),
            (r#"{"balance_due":4,"opening_balance":1}"#, &[]),
        ] {
            let record = openapi_document::json::read_text(record).unwrap();
            assert_eq!(balances(&record), expected, "{}", record.to_json());
        }
    }
}
