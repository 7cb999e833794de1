//! Formula: what the description of a property says it is made of: "`captured` minus `refunded`". Held against
//! an answer where the documented ones keep to it.

use openapi_document::node::Entry;
use openapi_document::view::Document;
use openapi_document::{Node, Pointer};

use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::arithmetic::Wrong;
use super::expression::Expression;
use super::percent;
use super::statement::Statement;
use crate::amount::Amount;

/// Words that make a rule hold sometimes only.
pub(super) const SOMETIMES: [&str; 12] = [
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

/// One of them is in each text that says what something is made of.
const MARKS: [&str; 11] = [
    "`", "+", "−", "–", " - ", "minus", "plus", "times", "um of ", "less", "%",
];

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

/// The first property of an answer that is not what its description says, or a statement, where no documented answer is
/// otherwise, and one at least is so.
pub(crate) fn wrong<'d>(
    document: &'d Document,
    shape: &Shape<'d>,
    (body, shown): (&Node, &[&Node]),
    statements: &[Statement],
) -> Option<Wrong> {
    let found = |body: &Node| {
        let mut found = Vec::new();
        stated(statements, &mut vec![body], &Pointer::root(), &mut found);
        within(
            document,
            shape,
            &mut vec![body],
            &Pointer::root(),
            &mut found,
        );
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

/// Looks for what statements speak of, as [`within`].
fn stated(statements: &[Statement], nodes: &mut Vec<&Node>, at: &Pointer, found: &mut Vec<Found>) {
    let Some(node) = nodes.last().copied().filter(|_| !statements.is_empty()) else {
        return;
    };
    for own in statements {
        let Some(told) = part(node, &own.subject).and_then(Amount::read_signed) else {
            continue;
        };
        // Where all of it is told by an object around this one, it is said of that one.
        let around = (1..nodes.len()).any(|end| {
            let outer = &nodes[..end];
            let has_subject = part(outer[end - 1], &own.subject).is_some();
            has_subject && own.said.of(outer, told).is_some()
        });
        if around && own.said.of(&[node], told).is_none() {
            continue;
        }
        let mut path: Vec<&str> = own.subject.split('.').collect();
        let pointer = path.iter().fold(at.clone(), |at, own| at.join(*own));
        path.pop();
        let depth = nodes.len();
        let mut inner = node;
        for name in path {
            if let Some(own) = inner.get(name) {
                nodes.push(own);
                inner = own;
            }
        }
        if let Some(due) = own.said.of(nodes, told) {
            found.push(Found {
                pointer,
                told,
                due,
                is_exact: own.said.is_exact(),
            });
        }
        nodes.truncate(depth);
    }
    for entry in node.entries() {
        nodes.push(&entry.value);
        stated(statements, nodes, &at.join(entry.key.as_str()), found);
        nodes.pop();
    }
    for (index, item) in node.items().enumerate() {
        nodes.push(item);
        stated(statements, nodes, &at.join(index.to_string()), found);
        nodes.pop();
    }
}

/// Whether a text may say what something is made of: most say nothing like it, and each is asked for each answer.
fn is_of_parts(text: &str) -> bool {
    MARKS.iter().any(|own| text.contains(own))
}

/// Looks through the last of some nodes, each within the one before it.
fn within<'d>(
    document: &'d Document,
    shape: &Shape<'d>,
    nodes: &mut Vec<&Node>,
    at: &Pointer,
    found: &mut Vec<Found>,
) {
    let Some(node) = nodes.last().copied() else {
        return;
    };
    for entry in node.entries() {
        let told = Amount::read_signed(&entry.value);
        let is_within = entry.value.as_mapping().is_some() || entry.value.as_sequence().is_some();
        if told.is_none() && !is_within {
            continue;
        }
        let own = shape.property(document, &entry.key);
        let text = own.keyword("description").and_then(Node::as_str);
        let text = text.filter(|own| is_of_parts(own));
        let percent = text.zip(told);
        let percent = percent.and_then(|(text, told)| percent::due(text, node, told));
        if let (Some(text), Some(told)) = (text, told)
            && let Some(due) = percent.or_else(|| due(text, (nodes, told), &entry.key))
        {
            let marked = text.split('`').skip(1).step_by(2);
            let is_there = |own: &&str| part(node, own).is_some();
            let is_exact = marked.filter(is_there).count() > 1
                || of_all(text, nodes).is_some()
                || percent.is_some()
                || is_sum_of_names(text, node);
            found.push(Found {
                pointer: at.join(entry.key.as_str()),
                told,
                due,
                is_exact,
            });
        }
        if is_within {
            nodes.push(&entry.value);
            within(document, &own, nodes, &at.join(entry.key.as_str()), found);
            nodes.pop();
        }
    }
    for (index, item) in node.items().enumerate() {
        let own = shape.items(document);
        nodes.push(item);
        within(document, &own, nodes, &at.join(index.to_string()), found);
        nodes.pop();
    }
}

/// Whether a text is nothing but names of properties that are added to each other: `amount plus fee`.
fn is_sum_of_names(text: &str, object: &Node) -> bool {
    let text = text.trim().trim_end_matches('.');
    let mut parts = text.split(" plus ").flat_map(|own| own.split(" minus "));
    let is_name = |own: &str| object.get(own.trim()).is_some();
    parts.clone().count() > 1 && parts.all(is_name)
}

/// What a name with points leads to: `shipping.amount`.
fn part<'n>(object: &'n Node, name: &str) -> Option<&'n Node> {
    name.split('.').try_fold(object, |own, name| own.get(name))
}

/// What the parts that a description names are together: in its first sentence, or where no other one says that it is
/// otherwise, in one of them.
fn due(text: &str, (nodes, told): (&[&Node], Amount), own: &str) -> Option<Amount> {
    let object = *nodes.last()?;
    let of_sentence = |sentence: &str, object: &Node, own: &str| {
        let found = of_all(sentence, nodes).or_else(|| of_sentence(sentence, object, own));
        found.or_else(|| written(sentence, nodes, told))
    };
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

/// What a sentence comes to that is nothing but an expression.
fn written(sentence: &str, nodes: &[&Node], told: Amount) -> Option<Amount> {
    let is_plain = || {
        !words(sentence)
            .iter()
            .any(|own| SOMETIMES.contains(&own.as_str()))
    };
    let is_marked = sentence.contains('`') && is_plain();
    let expression = Expression::read(sentence).filter(|_| is_marked)?;
    expression.of(&nodes[nodes.len().saturating_sub(1)..], told)
}

/// What all that has the one property that a sentence marks comes to, in the nearest list that stands in or beside the
/// object: the sum of all `line_total`, the sum of `quantity` over all line items.
pub(super) fn of_all(sentence: &str, nodes: &[&Node]) -> Option<Amount> {
    let words = words(sentence.split_once('.').map_or(sentence, |own| own.0));
    let has = |own: &str| words.iter().any(|word| word == own);
    let is_plain = !words.iter().any(|own| SOMETIMES.contains(&own.as_str()));
    let marked: Vec<&str> = sentence.split('`').skip(1).step_by(2).collect();
    let [name] = marked[..] else { return None };
    if !(has("sum") && is_plain) {
        return None;
    }
    let lists = nodes.iter().rev().map(|own| lists_with(own, name));
    let [(key, list)] = lists.into_iter().find(|own| !own.is_empty())?[..] else {
        return None;
    };
    // `The sum of all `fee``, `of the `fee` of the transfers`.
    let key = names::words(key);
    let is_named = words.windows(key.len()).any(|part| part == key);
    if !(has("all") || has("each") || is_named) {
        return None;
    }
    let mut amounts = list.iter().map(|own| Amount::read_signed(own.get(name)?));
    let first = amounts.next()??;
    amounts.try_fold(first, |sum, own| sum.plus(own?))
}

/// The lists in an object whose items have a property.
fn lists_with<'n>(object: &'n Node, name: &str) -> Vec<(&'n str, &'n [Node])> {
    let own = object
        .entries()
        .flat_map(|own| match own.value.as_sequence() {
            Some(items) if items.iter().any(|item| item.get(name).is_some()) => {
                vec![(own.key.as_str(), items)]
            }
            Some(_) => Vec::new(),
            None => lists_with(&own.value, name),
        });
    own.collect()
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
    let marked = marked
        .replace(" - ", " minus ")
        .replace(" less ", " minus ");
    let words = words(&marked);
    if words.iter().any(|own| SOMETIMES.contains(&own.as_str())) {
        return None;
    }
    let mut due: Option<Amount> = None;
    let mut is_taken = false;
    let mut terms = 0;
    if let Some(at) = words.iter().position(|own| own == "times") {
        let [one, other] = [&words[..at], &words[at + 1..]].map(|name| operand(name, object, own));
        let (one, other) = (one?, other?);
        let (price, count) = if other.is_whole() {
            (one, other)
        } else {
            (other, one)
        };
        let units = price.units.checked_mul(count.units);
        return units
            .filter(|_| count.is_whole())
            .map(|own| price.with(own));
    }
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

/// The amount of the only property beside one that has a name, or one that begins so; or of one within another, by both
/// their names.
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
    let is_within = |wanted: &[String]| {
        let parts = object.entries().flat_map(|outer| {
            let of = move |inner: &&Entry| {
                let both = [names::words(&outer.key), names::words(&inner.key)].concat();
                both == wanted
            };
            outer.value.entries().filter(of)
        });
        <[_; 1]>::try_from(parts.collect::<Vec<_>>())
            .ok()
            .map(|[only]| only)
    };
    let found = |wanted: &[String]| is_named(wanted).or_else(|| is_within(wanted));
    let found = found(name).or_else(|| found(name.get(first?..)?))?;
    Amount::read_signed(&found.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::amounts::statement::statement;

    #[test]
    fn what_descriptions_say_of_sums() {
        let object = r#"{"amount":9,"amount_captured":7,"amount_refunded":2,"captured_total":5,"paid_out_total":3,
            "refunded_total":1,"left":0}"#;
        let object = openapi_document::json::read_text(object).unwrap();
        let like = Amount::read(&openapi_document::json::read_text("0").unwrap()).unwrap();
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
            let found = due(text, (&[&object], like), "left").map(|own| own.units);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn statements_hold_wherever_the_names_are() {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        let text = "`totals.tax.amount` is `net` times `tax.rate` divided by 100, rounded half up";
        let own = [statement(text).unwrap()];
        let record = |tax: i64| {
            let totals = format!(r#"{{"net":50,"tax":{{"rate":19,"amount":{tax}}}}}"#);
            read(&format!(r#"{{"data":[{{"totals":{totals}}}]}}"#))
        };
        for (tax, expected) in [(10, true), (9, false)] {
            let mut found = Vec::new();
            stated(&own, &mut vec![&record(tax)], &Pointer::root(), &mut found);
            let [found] = &found[..] else {
                panic!("one is told")
            };
            assert_eq!(found.holds(), expected, "{tax}");
            assert_eq!(found.pointer.to_string(), "/data/0/totals/tax/amount");
        }
        for text in [
            "`total` is `net` plus `tax` if it is paid",
            "If it is paid, `total` is `net` plus `tax`",
            "`total` is the amount of `net`",
            "`total` and `sum` is `net` plus `tax`",
        ] {
            assert!(statement(text).is_none(), "{text}");
        }
        for text in [
            "Always `total` = `net` + `tax`, and `paid` is at most `total`",
            "`total = net + tax` at any time",
            "`total` always equals `net` plus `tax`",
        ] {
            let own = statement(text).unwrap();
            let record = read(r#"{"total":7,"net":4,"tax":2}"#);
            let mut found = Vec::new();
            stated(&[own], &mut vec![&record], &Pointer::root(), &mut found);
            assert!(matches!(&found[..], [own] if !own.holds()), "{text}");
        }
        let own = statement("`amount` = `left` + `taken`").unwrap();
        let record = read(r#"{"amount":5,"left":2,"taken":3,"refunds":[{"amount":1}]}"#);
        let mut found = Vec::new();
        stated(&[own], &mut vec![&record], &Pointer::root(), &mut found);
        assert!(
            matches!(&found[..], [own] if own.holds()),
            "a refund has another amount"
        );
        let text = "`total` = sum of the `part`s";
        let own = statement(text).unwrap();
        let record = read(r#"{"total":7,"lines":[{"part":4},{"part":2}]}"#);
        let mut found = Vec::new();
        stated(&[own], &mut vec![&record], &Pointer::root(), &mut found);
        assert!(matches!(&found[..], [own] if !own.holds()), "{text}");
        assert!(statement("`total` = sum of the `part`s of open lines").is_none());
        let each = "After each reversal the `fee` of the transfer is `net * part`";
        assert!(statement(each).is_some());
    }

    #[test]
    fn parts_within_others_and_of_lists() {
        let record = r#"{"items":[{"price":3,"count":2,"total":6,"sent":0},{"price":5,"count":1,"total":5,"sent":1}],
            "fees":[{"fee":1}],
            "totals":{"goods":11,"off":1,"shipping":{"method":"post","amount":4},"tax":{"rate":5,"amount":2}}}"#;
        let record = openapi_document::json::read_text(record).unwrap();
        let totals = record.get("totals").unwrap();
        let like = Amount::read(&openapi_document::json::read_text("0").unwrap()).unwrap();
        let line = record.get("items").and_then(|own| own.items().next());
        for (text, nodes, expected) in [
            ("The sum of all `total`.", [&record, totals], Some(11)),
            (
                "The sum of `count` over all lines.",
                [&record, totals],
                Some(3),
            ),
            ("Sum of `sent` over all lines", [&record, totals], Some(1)),
            ("The sum of all `weight`.", [&record, totals], None),
            (
                "The sum of all `total`, if there is one.",
                [&record, totals],
                None,
            ),
            (
                "`goods` - `off` + `shipping.amount` + `tax.amount`.",
                [&record, totals],
                Some(16),
            ),
            ("`goods` + `shipping.rate`", [&record, totals], None),
            ("`price` times `count`.", [&record, line.unwrap()], Some(6)),
            ("`price` times the weight", [&record, line.unwrap()], None),
        ] {
            let found = due(text, (&nodes, like), "grand").map(|own| own.units);
            assert_eq!(found, expected, "{text}");
        }
    }
}
