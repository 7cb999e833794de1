//! Differing records: creates records whose values make an order visible.
//!
//! The values are neither ascending nor descending, sort differently as texts than as numbers, and contain equal
//! ones.

use openapi_document::{Node, Pointer};

use crate::model::Call;
use crate::names;
use crate::shape::Shape;
use crate::value;

use super::filling::creator;
use crate::amount::{self, Amount, names_amount};
use crate::answered::{record_of, succeeded};
use crate::exchange::Sent;
use crate::scene::Scene;
use crate::scene::addressing::can_address;

/// Numbers in the order of creation.
const NUMBERS: [i128; 5] = [2, 10, 9, 9, 9];

/// Days of a month in the order of creation.
const DAYS: [&str; 5] = ["05", "25", "15", "15", "15"];

/// Words in the order of creation.
const WORDS: [&str; 5] = ["Cherry", "Mango", "Apple", "Mango", "Mango"];

/// Creates records that differ in a property; returns the last one with its request, to address the list. `None` if
/// the creating request does not set the property.
pub(crate) async fn create_differing<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    property: &str,
) -> Option<(Node, Sent)> {
    let creator = creator(scene, list)?;
    let tag = format!("differing-{property}-{}", list.operation.label());
    let ready = scene.ready(creator, &tag).await.ok()?;
    let body = scene.compose(&ready, &tag).ok()?.json?;
    let (place, values) = values(scene, creator, &body, property)?;
    let mut last = None;
    for (index, value) in values.into_iter().enumerate() {
        let mut sent = scene.compose(&ready, &format!("{tag}-{index}")).ok()?;
        let mut json = sent.json.clone()?;
        value::put(&mut json, &place, value).ok()?;
        scene.put_json(&mut sent, &ready.call, json);
        let exchange = scene.send(sent).await;
        let record = record_of(creator, &exchange).filter(|_| succeeded(&exchange));
        let Some(record) = record.cloned() else { break };
        last = Some((record, exchange.sent));
    }
    last.filter(|(record, with)| can_address(list, record, with))
}

/// The place of a property in a creating body, with valid values for it. If the body lacks an amount property, an
/// amount in a part of the body is used.
fn values<'d>(
    scene: &Scene<'_, 'd>,
    creator: &Call<'d>,
    body: &Node,
    property: &str,
) -> Option<(Pointer, Vec<Node>)> {
    let schema = creator.body.as_ref()?;
    let document = scene.model.document;
    let shape = Shape::of(document, Some(schema));
    let fits = |place: &Pointer, all: &Vec<Node>| {
        all.iter().all(|item| {
            let mut json = body.clone();
            let put = value::put(&mut json, place, item.clone());
            let found = put
                .ok()
                .map(|()| scene.contract().validate_request(schema, &json));
            matches!(found, Some(Ok(found)) if found.is_empty())
        })
    };
    let (place, mut sequences) = match body.get(property) {
        Some(item) => {
            let shape = shape.property(document, property);
            (Pointer::root().join(property), other_values(item, &shape))
        }
        None if names_amount(property) => {
            let (place, node) = amount_within(body)?;
            let mut sequences = Amount::read(node)?.multiples(&NUMBERS);
            // Other parts add to the amount, so larger multiples come first.
            sequences.reverse();
            (place, sequences)
        }
        None => return None,
    };
    let at = sequences.iter().position(|item| fits(&place, item))?;
    Some((place, sequences.swap_remove(at)))
}

/// The first amount of money in a part of a body, with its pointer.
fn amount_within(body: &Node) -> Option<(Pointer, &Node)> {
    let is_money = |name: &str| names_amount(name) && !names::same(name, "quantity");
    let of_part = |part: &'_ Node| -> Option<String> {
        let mut all = part.entries();
        let entry =
            all.find(|entry| is_money(&entry.key) && Amount::read(&entry.value).is_some())?;
        Some(entry.key.clone())
    };
    body.entries().find_map(|entry| {
        let place = Pointer::root().join(entry.key.as_str());
        let (place, part) = match entry.value.items().next() {
            Some(first) => (place.join("0"), first),
            None => (place, &entry.value),
        };
        let key = of_part(part)?;
        let value = part.get(&key)?;
        Some((place.join(key.as_str()), value))
    })
}

fn other_values(node: &Node, shape: &Shape<'_>) -> Vec<Vec<Node>> {
    let text = node.as_str().unwrap_or_default();
    let is_listed = !shape.known_values().is_empty();
    match shape.format() {
        _ if is_listed => Vec::new(),
        Some("date" | "date-time") if text.len() >= 10 && text.is_ascii() => {
            let of_day = |day: &&str| value::string(&format!("{}{day}{}", &text[..8], &text[10..]));
            vec![DAYS.iter().map(of_day).collect()]
        }
        None | Some("int32" | "int64" | "decimal" | "double" | "float") => {
            if let Some(amount) = Amount::read(node) {
                let alike = |values: Vec<Node>| {
                    let all = values.into_iter();
                    all.map(|bare| amount::like(node, bare)).collect()
                };
                let sequences = amount.multiples(&NUMBERS).into_iter();
                return sequences.map(alike).collect();
            }
            let is_free = shape.keyword("pattern").is_none() && !text.is_empty();
            let words = || WORDS.iter().map(|text| value::string(text)).collect();
            if is_free { vec![words()] } else { Vec::new() }
        }
        Some(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_form() {
        let node = openapi_document::json::read_text(r#""25.50""#).unwrap();
        let sequences = Amount::read(&node).unwrap().multiples(&NUMBERS);
        let texts: Vec<String> = sequences[0].iter().map(Node::to_json).collect();
        assert_eq!(texts[..3], [r#""2.00""#, r#""10.00""#, r#""9.00""#]);
    }

    #[test]
    fn amounts_in_parts_of_a_body() {
        for (text, expected) in [
            (
                r#"{"id":1,"lines":[{"quantity":2,"unitPrice":"95.00"}]}"#,
                Some("/lines/0/unitPrice"),
            ),
            (r#"{"plan":{"amount":5}}"#, Some("/plan/amount")),
            (r#"{"lines":[{"quantity":2}]}"#, None),
        ] {
            let body = openapi_document::json::read_text(text).unwrap();
            let found = amount_within(&body).map(|(place, _)| place.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
