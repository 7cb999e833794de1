//! Sums that the names of one answer tell of: a total of subtotal and tax, the amount of a line of quantity and
//! price, the sum of its lines or of the items of a list. Held against an answer where the documented one has them.

use openapi_document::{Node, Pointer};

use crate::names;
use crate::value;

use crate::amount::Amount;

/// A sum that is not what its parts are together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// Where it stands.
    pub(crate) pointer: Pointer,
    /// What its parts are together.
    pub(crate) due: String,
    /// What is told.
    pub(crate) told: String,
}

/// A sum in an answer: where it stands, what it is, and what its parts are together.
struct Sum {
    pointer: Pointer,
    kind: &'static str,
    told: Amount,
    due: Amount,
}

impl Sum {
    fn holds(&self) -> bool {
        self.told
            .compared(self.due)
            .is_none_or(std::cmp::Ordering::is_eq)
    }
}

/// The kinds of sums that documented answers have, and keep.
pub(crate) fn kept(shown: &[&Node]) -> Vec<&'static str> {
    let documented: Vec<Sum> = shown.iter().flat_map(|own| sums(own)).collect();
    let is_kept = |own: &&Sum| {
        let mut alike = documented.iter().filter(|other| other.kind == own.kind);
        alike.all(Sum::holds)
    };
    documented
        .iter()
        .filter(is_kept)
        .map(|own| own.kind)
        .collect()
}

/// The first sum of an answer that does not hold, of a kind that documented answers have and keep.
pub(crate) fn wrong(body: &Node, kept: &[&'static str]) -> Option<Wrong> {
    if kept.is_empty() {
        return None;
    }
    let is_meant = |own: &Sum| !own.holds() && kept.contains(&own.kind);
    let own = sums(body).into_iter().find(is_meant)?;
    Some(Wrong {
        due: value::plain(&own.due.node()),
        told: value::plain(&own.told.node()),
        pointer: own.pointer,
    })
}

fn sums(body: &Node) -> Vec<Sum> {
    let mut found = Vec::new();
    within(body, &Pointer::root(), &mut found);
    found
}

fn within(node: &Node, at: &Pointer, found: &mut Vec<Sum>) {
    if node.as_mapping().is_none() && node.as_sequence().is_none() {
        return;
    }
    of_tax(node, at, found);
    of_line(node, at, found);
    of_items(node, at, found);
    of_lists(node, at, found);
    for entry in node.entries() {
        within(&entry.value, &at.join(entry.key.as_str()), found);
    }
    for (index, item) in node.items().enumerate() {
        within(item, &at.join(index.to_string()), found);
    }
}

/// The only amount of an object that has one of some names.
fn named(node: &Node, all: &[&str]) -> Option<(String, Amount)> {
    let is_named = |name: &str| all.contains(&names::words(name).join(" ").as_str());
    let mut own = node.entries().filter(|own| is_named(&own.key));
    let only = own.next().filter(|_| own.next().is_none())?;
    Some((only.key.clone(), Amount::read(&only.value)?))
}

const SUBTOTAL: [&str; 5] = [
    "subtotal",
    "sub total",
    "net total",
    "amount subtotal",
    "subtotal amount",
];
const TOTAL: [&str; 3] = ["total", "grand total", "total amount"];

fn of_tax(node: &Node, at: &Pointer, found: &mut Vec<Sum>) {
    let parts = (
        named(node, &SUBTOTAL),
        named(node, &["tax", "vat", "tax total", "tax amount"]),
        named(node, &TOTAL),
    );
    if let (Some((_, net)), Some((_, tax)), Some((name, told))) = parts
        && let Some(due) = net.plus(tax)
    {
        found.push(Sum {
            pointer: at.join(name.as_str()),
            kind: "tax",
            told,
            due,
        });
    }
}

fn of_line(node: &Node, at: &Pointer, found: &mut Vec<Sum>) {
    let parts = (
        named(node, &["quantity", "qty"]),
        named(node, &["unit price", "price", "unit amount"]),
        named(
            node,
            &["amount", "total", "line total", "subtotal", "line amount"],
        ),
    );
    if let (Some((_, count)), Some((_, price)), Some((name, told))) = parts
        && let Some(units) = price
            .units
            .checked_mul(count.units)
            .filter(|_| count.is_whole())
    {
        let due = price.with(units);
        found.push(Sum {
            pointer: at.join(name.as_str()),
            kind: "line",
            told,
            due,
        });
    }
}

/// What the items of the one array of records in an object are together, by the name of the sum: `total_amount` of each
/// `amount`, a subtotal of what each line comes to.
fn of_items(node: &Node, at: &Pointer, found: &mut Vec<Sum>) {
    let is_of_records = |own: &&[Node]| own.iter().all(|own| own.as_mapping().is_some());
    let arrays = node.entries().filter_map(|own| own.value.as_sequence());
    let mut arrays = arrays.filter(is_of_records);
    let Some(items) = arrays.next().filter(|_| arrays.next().is_none()) else {
        return;
    };
    let sum = |name: &str| sum(items, name);
    if let Some((name, told)) = named(node, &SUBTOTAL)
        && let Some(due) = of_each(items)
    {
        found.push(Sum {
            pointer: at.join(name.as_str()),
            kind: "lines",
            told,
            due,
        });
    }
    for entry in node.entries() {
        let words = names::words(&entry.key);
        let of: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|own| !matches!(*own, "total" | "sum"))
            .collect();
        let (true, false) = (of.len() + 1 == words.len(), of.is_empty()) else {
            continue;
        };
        if let (Some(told), Some(due)) = (Amount::read_signed(&entry.value), sum(&of.join(" "))) {
            found.push(Sum {
                pointer: at.join(entry.key.as_str()),
                kind: "items",
                told,
                due,
            });
        }
    }
}

/// What the items of a list have under a name, together.
fn sum(items: &[Node], name: &str) -> Option<Amount> {
    let mut amounts = items.iter().map(|item| {
        let is_same =
            |own: &&openapi_document::node::Entry| names::words(&own.key).join(" ") == name;
        Amount::read_signed(&item.entries().find(is_same)?.value)
    });
    let first = amounts.next()??;
    amounts.try_fold(first, |sum, own| sum.plus(own?))
}

/// What the items of a list come to.
fn of_each(items: &[Node]) -> Option<Amount> {
    let mut names = ["amount", "total", "line total"].into_iter();
    names.find_map(|name| sum(items, name))
}

/// What each of several lists comes to, by its name: `extrasTotal` of the `extras`, beside them or in an object that
/// stands there.
fn of_lists(node: &Node, at: &Pointer, found: &mut Vec<Sum>) {
    for list in node.entries() {
        let Some(items) = list.value.as_sequence() else {
            continue;
        };
        let own = names::words(&list.key).join(" ");
        let totals = [
            format!("{own} total"),
            format!("{} total", names::singular(&own)),
            format!("total {own}"),
        ];
        let beside = node.entries().map(|own| (at.clone(), own));
        let within = node.entries().flat_map(|outer| {
            let at = at.join(outer.key.as_str());
            outer.value.entries().map(move |own| (at.clone(), own))
        });
        for (at, entry) in beside.chain(within) {
            let is_total = totals.contains(&names::words(&entry.key).join(" "));
            let Some(told) = Amount::read_signed(&entry.value).filter(|_| is_total) else {
                continue;
            };
            let due = if items.is_empty() {
                Some(told.with(0))
            } else {
                of_each(items)
            };
            found.extend(due.map(|due| Sum {
                pointer: at.join(entry.key.as_str()),
                kind: "list",
                told,
                due,
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_names_tell_of() {
        let shown = r#"{"lines":[{"quantity":3,"unitPrice":"9.99","amount":"29.97"}],
            "subtotal":"29.97","tax":"5.69","total":"35.66"}"#;
        let list = r#"{"items":[{"amount":5}],"total_amount":5}"#;
        for (shown, body, expected) in [
            (shown, shown, None),
            (
                shown,
                r#"{"subtotal":"1.00","tax":"0.19","total":"1.00"}"#,
                Some(("/total", "1.19")),
            ),
            (
                shown,
                r#"{"lines":[{"quantity":2,"unitPrice":"1.00","amount":"1.00"}]}"#,
                Some(("/lines/0/amount", "2.00")),
            ),
            (
                shown,
                r#"{"lines":[{"quantity":1,"unitPrice":"1.00","amount":"1.00"},{"quantity":1,"unitPrice":"2.00",
                "amount":"2.00"}],"subtotal":"1.00"}"#,
                Some(("/subtotal", "3.00")),
            ),
            (
                list,
                r#"{"items":[{"amount":5},{"amount":2}],"total_amount":2}"#,
                Some(("/total_amount", "7")),
            ),
            (list, r#"{"items":[],"total_amount":2}"#, None),
            (
                r#"{"lines":[{"amount":5}],"kinds":["card"],"amount_subtotal":5}"#,
                r#"{"lines":[{"amount":5},{"amount":2}],"kinds":["card"],"amount_subtotal":5}"#,
                Some(("/amount_subtotal", "7")),
            ),
            // Nothing is told by a document whose own example has other rules.
            (
                r#"{"subtotal":5,"tax":1,"total":5}"#,
                r#"{"subtotal":7,"tax":1,"total":7}"#,
                None,
            ),
        ] {
            let (shown, body) = (
                openapi_document::json::read_text(shown).unwrap(),
                openapi_document::json::read_text(body).unwrap(),
            );
            let found = wrong(&body, &kept(&[&shown]));
            let found = found.map(|own| (own.pointer.to_string(), own.due));
            let expected = expected.map(|(at, due)| (at.to_owned(), due.to_owned()));
            assert_eq!(found, expected, "{}", body.to_json());
        }
    }

    #[test]
    fn each_list_has_its_total() {
        let shown = r#"{"nights":[{"price":1}],"extras":[{"amount":"2.00"},{"amount":"3.00"}],"charges":{"extrasTotal":"5.00"}}"#;
        let shown = openapi_document::json::read_text(shown).unwrap();
        for (body, expected) in [
            (
                r#"{"extras":[{"amount":"2.00"}],"charges":{"extrasTotal":"2.00"}}"#,
                None,
            ),
            (r#"{"extras":[],"charges":{"extrasTotal":"0.00"}}"#, None),
            (
                r#"{"extras":[],"charges":{"extrasTotal":"2.00"}}"#,
                Some("/charges/extrasTotal"),
            ),
            (
                r#"{"extras":[{"amount":"2.00"}],"extraTotal":"1.00"}"#,
                Some("/extraTotal"),
            ),
            (r#"{"extras":[],"charges":{"nightsTotal":"2.00"}}"#, None),
        ] {
            let body = openapi_document::json::read_text(body).unwrap();
            let found = wrong(&body, &kept(&[&shown])).map(|own| own.pointer.to_string());
            assert_eq!(found.as_deref(), expected, "{}", body.to_json());
        }
    }
}
