//! Formula: what the description of a property says it is made of: "`captured` minus `refunded`". Held against
//! an answer where the documented ones keep to it.

use spec::document::Document;
use spec::{Node, Pointer};

use crate::model::{names, prose};
use crate::shape::Shape;
use crate::value;

use super::amount::Amount;
use super::arithmetic::Wrong;

/// Words that make a rule hold sometimes only.
const SOMETIMES: [&str; 12] = [
    "if",
    "when",
    "once",
    "unless",
    "until",
    "else",
    "otherwise",
    "while",
    "after",
    "before",
    "or",
    "most",
];

/// Words that may stand before a rule.
const BEFORE: [&str; 6] = ["the", "is", "equals", "always", "a", "an"];

/// A property that is not what its description says.
struct Found {
    pointer: Pointer,
    told: Amount,
    due: Amount,
    /// Whether its text writes the parts as they are called, so that nothing else can be meant.
    is_exact: bool,
}

impl Found {
    fn holds(&self) -> bool {
        self.told
            .compared(self.due)
            .is_none_or(std::cmp::Ordering::is_eq)
    }
}

/// The first property of an answer that is not what its description says, where no documented answer is
/// otherwise, and one at least is so.
pub(crate) fn wrong<'d>(
    document: &'d Document,
    shape: &Shape<'d>,
    body: &Node,
    shown: &[&Node],
) -> Option<Wrong> {
    let found = |body: &Node| {
        let mut found = Vec::new();
        within(document, shape, body, &Pointer::root(), &mut found);
        found
    };
    let astray = found(body).into_iter().find(|own| !own.holds())?;
    let mut documented = shown.iter().flat_map(|own| found(own)).peekable();
    let is_told = documented.peek().is_some() || astray.is_exact;
    (is_told && documented.all(|own| own.holds())).then(|| Wrong {
        due: value::plain(&astray.due.node()),
        told: value::plain(&astray.told.node()),
        pointer: astray.pointer,
    })
}

fn within<'d>(
    document: &'d Document,
    shape: &Shape<'d>,
    node: &Node,
    at: &Pointer,
    found: &mut Vec<Found>,
) {
    for entry in node.entries() {
        let own = shape.property(document, &entry.key);
        let pointer = at.join(entry.key.as_str());
        let text = own.keyword("description").and_then(Node::as_str);
        let told = Amount::read_signed(&entry.value);
        if let (Some(text), Some(told)) = (text, told)
            && let Some(due) = due(text, node, &entry.key)
        {
            let pointer = pointer.clone();
            let marked = text.split('`').skip(1).step_by(2);
            let is_exact = marked.filter(|own| node.get(own).is_some()).count() > 1;
            found.push(Found {
                pointer,
                told,
                due,
                is_exact,
            });
        }
        within(document, &own, &entry.value, &pointer, found);
    }
    for (index, item) in node.items().enumerate() {
        let own = shape.items(document);
        within(document, &own, item, &at.join(index.to_string()), found);
    }
}

/// What the parts that a description names are together: in its first sentence, or where no other one says that it is
/// otherwise, in one of them.
fn due(text: &str, object: &Node, own: &str) -> Option<Amount> {
    let mut sentences = prose::sentences(text).into_iter();
    let first = sentences.next()?;
    let found = of_sentence(first, object, own);
    if found.is_some() && !text.contains(';') {
        return found;
    }
    let all = prose::spoken(text);
    if all
        .iter()
        .any(|own| prose::has(own, &SOMETIMES) || prose::has(own, &["for"]))
    {
        return None;
    }
    found.or_else(|| sentences.find_map(|sentence| of_sentence(sentence, object, own)))
}

/// What the parts that a sentence names are together.
fn of_sentence(sentence: &str, object: &Node, own: &str) -> Option<Amount> {
    let sentence = sentence.trim();
    let sum = ["The sum of ", "the sum of ", "Sum of "];
    let parts = sum.iter().find_map(|own| sentence.strip_prefix(own));
    let sentence = parts.map_or_else(
        || sentence.to_owned(),
        |own| own.replace(" and ", " plus ").replace(", ", " plus "),
    );
    let marked = sentence
        .replace('+', " plus ")
        .replace(['−', '–'], " minus ");
    let marked = marked.replace(" - ", " minus ");
    let words = words(&marked);
    if words.iter().any(|own| SOMETIMES.contains(&own.as_str())) {
        return None;
    }
    let mut due: Option<Amount> = None;
    let mut is_taken = false;
    let mut terms = 0;
    for part in words.split_inclusive(|own| own == "minus" || own == "plus") {
        let (last, rest) = part.split_last()?;
        let is_sign = last == "minus" || last == "plus";
        let name = if is_sign { rest } else { part };
        let amount = operand(name, object, own)?;
        let signed = if is_taken {
            amount.with(-amount.units)
        } else {
            amount
        };
        due = Some(match due {
            None => signed,
            Some(sum) => sum.plus(signed)?,
        });
        is_taken = last == "minus";
        terms += 1;
    }
    due.filter(|_| terms > 1)
}

/// The words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|own: char| !(own.is_alphanumeric() || own == '_'));
    parts.flat_map(names::words).collect()
}

/// The amount of the only property beside one that has a name, or one that begins so.
fn operand(name: &[String], object: &Node, own: &str) -> Option<Amount> {
    let first = name.iter().position(|own| !BEFORE.contains(&own.as_str()));
    let is_named = |wanted: &[String]| {
        let others = || object.entries().filter(|entry| entry.key != own);
        let same = |key: &str| names::words(key) == wanted;
        let begins = |key: &str| !wanted.is_empty() && names::words(key).starts_with(wanted);
        let mut exact = others().filter(|entry| same(&entry.key));
        let mut near = others().filter(|entry| begins(&entry.key));
        let only = near.next().filter(|_| near.next().is_none());
        exact.next().or(only)
    };
    let found = is_named(name).or_else(|| is_named(name.get(first?..)?))?;
    Amount::read_signed(&found.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_descriptions_say_of_sums() {
        let object = r#"{"amount":9,"amount_captured":7,"amount_refunded":2,"captured_total":5,"paid_out_total":3,
            "refunded_total":1,"left":0}"#;
        let object = spec::json::read_text(object).unwrap();
        for (text, expected) in [
            ("`amount_captured` minus `amount_refunded`.", Some(5)),
            (
                "Captured minus refunded minus paid out. May be negative.",
                Some(1),
            ),
            ("The amount minus amount_captured", Some(2)),
            ("amount_captured + amount_refunded", Some(9)),
            (
                "`amount` minus `amount_captured` once it is captured, else 0",
                None,
            ),
            ("What arrives; `amount` minus `amount_captured`.", Some(2)),
            (
                "The sum of `amount_captured` and `amount_refunded`.",
                Some(9),
            ),
            ("`amount` minus `amount_captured`; `0` for a void one", None),
            ("`amount` minus fees", None),
            ("Sum of all refunds", None),
            ("`amount`", None),
        ] {
            let found = due(text, &object, "left").map(|own| own.units);
            assert_eq!(found, expected, "{text}");
        }
    }
}
