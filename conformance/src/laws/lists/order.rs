//! Orders of a list: finds the orders that query parameters offer, from their names and values.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use openapi_document::view::{Location, Parameter};
use openapi_document::{Node, Value};
use openapi_facts::{Evidence, Rule};

use crate::amount::names_amount;
use crate::model::Call;
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::scene::Scene;

const DIRECTIONS: [&str; 8] = [
    "direction",
    "order",
    "sort order",
    "sort direction",
    "sort dir",
    "order direction",
    "dir",
    "sort",
];
const FIELDS: [&str; 8] = [
    "sort by",
    "sort",
    "order by",
    "sort field",
    "sort key",
    "order",
    "ordering",
    "sorting",
];

/// At most this many orders are tested.
const MOST: usize = 3;

/// An order that a list offers, and its reverse.
#[derive(Debug)]
pub(crate) struct Order<'d> {
    /// The property that it sorts by, if known.
    pub(crate) property: Option<&'d str>,
    /// The query parameters for the order.
    pub(crate) up: Vec<(&'d str, Node)>,
    /// The query parameters for its reverse.
    pub(crate) down: Vec<(&'d str, Node)>,
}

/// A parameter and its known values.
struct Words<'d> {
    name: &'d str,
    values: Vec<String>,
}

/// The orders that a list offers.
pub(crate) fn orders<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>) -> Vec<Order<'d>> {
    let Some(record) = list.record() else {
        return Vec::new();
    };
    let document = scene.model.document;
    let shape = Shape::of(document, Some(&record.schema));
    let names = shape.property_names();
    let within = names.iter().flat_map(|name| {
        let within = shape.property(document, name).property_names();
        within.into_iter().filter(|name| names_amount(name))
    });
    let listed: Vec<&'d str> = names.iter().copied().chain(within).collect();
    let parameters = list.operation.parameters();
    let parameter_named = |wanted: &[&str], stated: &[&str]| {
        let query = parameters
            .iter()
            .filter(|parameter| parameter.location == Location::Query);
        let named = query.filter(|name| {
            stated.contains(&name.name) || wanted.contains(&&*names::words(name.name).join(" "))
        });
        let known = named.map(|item| words(scene, item));
        known.collect::<Vec<_>>()
    };
    let direction = parameter_named(&DIRECTIONS, &[])
        .into_iter()
        .find_map(|item| item.both_orders());
    let mut orders = Vec::new();
    for field in parameter_named(&FIELDS, &choosers(scene, list)) {
        let found = match &direction {
            Some((name, ..)) if *name == field.name => Vec::new(),
            Some(direction) => field.with_direction(&listed, direction),
            None => field.signed(&listed),
        };
        orders.extend(found);
    }
    if let (true, Some((name, up, down))) = (orders.is_empty(), direction) {
        orders.push(Order {
            property: None,
            up: vec![(name, value::string(&up))],
            down: vec![(name, value::string(&down))],
        });
    }
    // Servers may sort enumerated values by rank, such as `low` before `urgent`.
    let is_listed = |name: &str| !shape.property(document, name).known_values().is_empty();
    for order in &mut orders {
        order.property = order.property.filter(|name| !is_listed(name));
    }
    orders.truncate(MOST);
    orders
}

/// The parameters that select the order, by stated facts.
fn choosers<'w>(scene: &Scene<'w, '_>, list: &Call<'_>) -> Vec<&'w str> {
    let label = list.operation.label();
    let facts = scene.facts.list.iter();
    let stated =
        facts.filter(|fact| fact.rule.owner() == label && fact.evidence() == Evidence::Stated);
    let names = stated.filter_map(|fact| match &fact.rule {
        Rule::Order(rule) if rule.by.is_none() => rule.subject.name.as_deref(),
        _ => None,
    });
    names.collect()
}

fn words<'d>(scene: &Scene<'_, 'd>, parameter: &Parameter<'d>) -> Words<'d> {
    let schema = parameter.schema();
    let shape = Shape::of(scene.model.document, schema.as_ref());
    let known = shape.known_values().into_iter().map(str::to_owned);
    let mut values: Vec<String> = known.collect();
    values.extend(
        shape
            .keyword("default")
            .and_then(Node::as_str)
            .map(str::to_owned),
    );
    let stated = scene.model.behaviour.pagination.iter();
    let stated = stated.flat_map(|item| &item.parameters);
    for item in stated.filter(|item| item.name.text == parameter.name) {
        values.extend(item.values.iter().cloned());
        values.push(item.default.clone());
    }
    let mut seen = BTreeSet::new();
    values.retain(|item| seen.insert(item.clone()));
    Words {
        name: parameter.name,
        values,
    }
}

impl<'d> Words<'d> {
    /// The parameter with its values for ascending and descending. `None` if it does not have both.
    fn both_orders(&self) -> Option<(&'d str, String, String)> {
        let find = |wanted: [&str; 4]| {
            let mut values = self.values.iter();
            let is_it = |word: &&String| match &names::words(&word.to_lowercase())[..] {
                [one] => wanted.contains(&one.as_str()),
                [one, first] => wanted.contains(&one.as_str()) && first == "first",
                _ => false,
            };
            values.find(is_it).cloned()
        };
        let up = find(["asc", "ascending", "oldest", "earliest"])?;
        let down = find(["desc", "descending", "newest", "latest"])?;
        Some((self.name, up, down))
    }

    fn with_direction(
        &self,
        listed: &[&'d str],
        (name, up, down): &(&'d str, String, String),
    ) -> Vec<Order<'d>> {
        let order = |item: &String| {
            let property = property(listed, item)?;
            let ask = |direction: &str| {
                vec![
                    (self.name, value::string(item)),
                    (*name, value::string(direction)),
                ]
            };
            Some(Order {
                property: Some(property),
                up: ask(up),
                down: ask(down),
            })
        };
        self.values.iter().filter_map(order).collect()
    }

    /// Orders whose values come with their reverse: `name` with `-name`, `name:asc` with `name:desc`.
    fn signed(&self, listed: &[&'d str]) -> Vec<Order<'d>> {
        let order = |name: &String| {
            let stem = ["asc", "ASC"].iter().find_map(|end| {
                let stem = name.strip_suffix(end)?;
                let reverse = if *end == "asc" { "desc" } else { "DESC" };
                Some((stem, format!("{stem}{reverse}")))
            });
            let (stem, reverse) = stem.unwrap_or((name, format!("-{name}")));
            let stem = stem.trim_start_matches('+');
            if !self.values.contains(&reverse) {
                return None;
            }
            Some(Order {
                property: Some(property(listed, stem)?),
                up: vec![(self.name, value::string(name))],
                down: vec![(self.name, value::string(&reverse))],
            })
        };
        self.values.iter().filter_map(order).collect()
    }
}

/// The property of a record, else that of the only object in it with such an amount.
pub(crate) fn value_of<'n>(record: &'n Node, name: &str) -> Option<&'n Node> {
    let within = || {
        let mut all = record.entries().filter_map(|entry| entry.value.get(name));
        let only = all.next().filter(|_| names_amount(name))?;
        all.next().is_none().then_some(only)
    };
    record.get(name).or_else(within)
}

fn property<'d>(listed: &[&'d str], value: &str) -> Option<&'d str> {
    listed.iter().copied().find(|name| names::same(name, value))
}

/// The order of two values. `None` if servers may order them differently, such as words in some languages.
pub(crate) fn compared(one: &Node, other: &Node) -> Option<Ordering> {
    match (&one.value, &other.value) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other): (f64, f64) = (one.parse().ok()?, other.parse().ok()?);
            one.partial_cmp(&other)
        }
        (Value::String(one), Value::String(other)) => {
            let is_time = |text: &str| {
                text.len() >= 20 && text.as_bytes()[4] == b'-' && text.as_bytes()[10] == b'T'
            };
            let alike = is_time(one) && is_time(other) && one.len() == other.len();
            let in_utc = alike && one.ends_with('Z') && other.ends_with('Z');
            let comparable = in_utc || one == other || (is_date(one) && is_date(other));
            comparable
                .then(|| one.cmp(other))
                .or_else(|| by_first_letter(one, other))
        }
        _ => None,
    }
}

fn is_date(text: &str) -> bool {
    let is_one = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(is_one)
}

/// The order of two words by their first letters, if it is the same in every alphabet.
fn by_first_letter(one: &str, other: &str) -> Option<Ordering> {
    let is_word =
        |text: &str| text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let first = |text: &str| text.bytes().next().unwrap_or_default();
    let is_same_case = first(one).is_ascii_lowercase() == first(other).is_ascii_lowercase();
    let is_certain = |byte: u8| byte.to_ascii_lowercase() < b'v';
    let certain = is_certain(first(one)) && is_certain(first(other)) && is_same_case;
    let found = first(one).cmp(&first(other));
    (is_word(one) && is_word(other) && certain && found.is_ne()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_compare() {
        for (one, other, expected) in [
            ("1", "10", Some(Ordering::Less)),
            ("2", "10", Some(Ordering::Less)),
            (
                r#""2026-01-02T00:00:00.000Z""#,
                r#""2026-01-01T00:00:00.000Z""#,
                Some(Ordering::Greater),
            ),
            (
                r#""2026-01-02T00:00:00.000Z""#,
                r#""2026-01-02T00:00:00Z""#,
                None,
            ),
            (r#""a""#, r#""b""#, None),
            (r#""Other""#, r#""Text""#, Some(Ordering::Less)),
            (r#""other""#, r#""Text""#, None),
            (r#""Text""#, r#""Text""#, Some(Ordering::Equal)),
            (
                r#""2030-02-19""#,
                r#""2030-01-15""#,
                Some(Ordering::Greater),
            ),
            ("1", r#""b""#, None),
        ] {
            let read = |text| openapi_document::json::read_text(text).unwrap();
            assert_eq!(
                compared(&read(one), &read(other)),
                expected,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn orders_from_parameter_values() {
        let listed = ["createdAt", "name"];
        let words = |values: &[&str]| Words {
            name: "sort",
            values: values.iter().map(|item| (*item).to_owned()).collect(),
        };
        assert!(words(&["asc", "DESC"]).both_orders().is_some());
        assert!(words(&["name"]).both_orders().is_none());
        for (values, expected) in [
            (&["created_at", "-created_at"][..], Some("createdAt")),
            (&["name:asc", "name:desc"], Some("name")),
            (&["name"], None),
            (&["price", "-price"], None),
        ] {
            let found = words(values).signed(&listed);
            assert_eq!(
                found.first().and_then(|item| item.property),
                expected,
                "{values:?}"
            );
        }
    }
}
