//! Filters of a list: finds the record property that a query parameter filters by, from names and texts.

use openapi_document::Node;
use openapi_document::view::{Document, Location, Parameter};
use openapi_facts::Rule;

use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;

use super::bound::{LOWER, UNITS, UPPER, is_bare, says_within, says_without, spoken_of};
use super::filter::{CONTAINS, Case, Filter, Kind};
use super::paging::role_of;
use crate::amount::names_amount;
use crate::scene::Scene;

/// The filters of a list.
pub(crate) fn filters<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>) -> Vec<Filter<'d>> {
    let Some(record) = list.record() else {
        return Vec::new();
    };
    let shape = Shape::of(scene.model.document, Some(&record.schema));
    let parameters = list.operation.parameters().into_iter();
    let query = parameters.filter(|parameter| parameter.location == Location::Query);
    // A paging parameter is no filter, even if a record has a property of that name, unless a fact says so.
    query
        .filter(|parameter| {
            let is_of_pages = role_of(scene, list, parameter.name).is_some();
            !is_of_pages || property_of_fact(scene, list, parameter).is_some()
        })
        .filter_map(|item| filter(scene, list, &shape, &item))
        .collect()
}

fn filter<'d>(
    scene: &Scene<'_, 'd>,
    list: &Call<'d>,
    record: &Shape<'d>,
    parameter: &Parameter<'d>,
) -> Option<Filter<'d>> {
    let document = scene.model.document;
    let schema = parameter.schema();
    let requested = Shape::of(document, schema.as_ref());
    let is_array = requested.type_name() == Some("array");
    if requested.type_name() == Some("object") {
        return None;
    }
    let listed = record.property_names();
    let is_named = |name: &str| {
        let plain = names::singular(parameter.name);
        names::same(name, parameter.name) || (is_array && names::words(name).join(" ") == plain)
    };
    let stated = property_of_fact(scene, list, parameter);
    let same = stated.and_then(|stated| listed.iter().copied().find(|item| *item == stated));
    let same = same.or_else(|| listed.iter().copied().find(|name| is_named(name)));
    let is_date = requested.format() == Some("date");
    let says = parameter.at.node.get("description").and_then(Node::as_str);
    let says = says.unwrap_or_default().to_lowercase();
    if stated.is_none() && is_more_than_equal(&says) {
        return None;
    }
    let (mut times, mut within) = (Vec::new(), None);
    let (property, kind) = match same {
        Some(property) => (
            property,
            match exact(&record.property(document, property), property)? {
                Kind::Exact(known) if is_array => Kind::Any(known),
                _ if is_array => return None,
                kind => kind,
            },
        ),
        None if is_array => return None,
        None if let Some((outer, property)) = beside_amount(document, record, parameter.name)
            .or_else(|| of_object(document, record, parameter.name)) =>
        {
            within = Some(outer);
            let shape = record
                .property(document, outer)
                .property(document, property);
            (property, exact(&shape, property)?)
        }
        None => {
            let named = part(&listed, parameter.name);
            let named = named.or_else(|| bound(&listed, parameter.name, is_date));
            let named = named.or_else(|| among(document, record, parameter.name));
            if let Some(named) = named {
                named
            } else if let Some((items, property)) = of_items(document, record, parameter.name) {
                within = Some(items);
                (property, Kind::Among)
            } else {
                let is_lower = is_bare(parameter.name, requested.format())?;
                times = spoken_of(document, record, &says);
                (*times.first()?, Kind::of(is_lower, is_date))
            }
        }
    };
    Some(Filter {
        parameter: parameter.name,
        property,
        within,
        kind,
        says_within: says_within(&says),
        says_without: says_without(&says),
        case: case(&format!("{says} {}", said_of(list, parameter.name))),
        times,
    })
}

/// Whether the text of a parameter says that it compares in another way than by equality: `at least this priority`.
fn is_more_than_equal(says: &str) -> bool {
    const PAIRS: [(&str, &str); 2] = [("at", "least"), ("no", "effect")];
    let words = names::words(says);
    let mut pairs = words.windows(2);
    pairs.any(|pair| PAIRS.contains(&(pair[0].as_str(), pair[1].as_str())))
}

/// The property that a parameter filters by, as a fact says.
fn property_of_fact<'w>(
    scene: &Scene<'w, '_>,
    list: &Call<'_>,
    parameter: &Parameter<'_>,
) -> Option<&'w str> {
    let label = list.operation.label();
    let mut facts = scene.facts.list.iter();
    facts.find_map(|fact| match &fact.rule {
        Rule::Filter(rule) if rule.subject.owner == label => {
            let is_it = rule.subject.name.as_deref() == Some(parameter.name);
            rule.property.as_deref().filter(|_| is_it)
        }
        _ => None,
    })
}

/// The sentences of a list's texts that name only this parameter.
fn said_of(list: &Call<'_>, name: &str) -> String {
    let marked = format!("`{name}`");
    let all = list.texts().flat_map(prose::sentences);
    // A sentence with several names may be about another one.
    let is_of_one = |word: &&str| word.contains(&marked) && word.split('`').count() == 3;
    let word: Vec<&str> = all.filter(is_of_one).collect();
    word.join(". ")
}

/// For `currency`: the currency of the first amount that has one.
fn beside_amount<'d>(
    document: &'d Document,
    record: &Shape<'d>,
    name: &str,
) -> Option<(&'d str, &'d str)> {
    let is_currency = names::words(name).contains(&"currency".to_owned());
    let all = record.property_names().into_iter();
    let mut amounts = all.filter(|name| is_currency && names_amount(name));
    amounts.find_map(|outer| {
        let inner = record.property(document, outer).property_names();
        let property = inner
            .into_iter()
            .find(|property| names::same(property, name))?;
        Some((outer, property))
    })
}

/// For `customer_email`: the `email` of `customer`.
fn of_object<'d>(
    document: &'d Document,
    record: &Shape<'d>,
    name: &str,
) -> Option<(&'d str, &'d str)> {
    let words = names::words(name);
    record.property_names().into_iter().find_map(|outer| {
        let rest = words.strip_prefix(&names::words(outer)[..])?;
        let inner = record.property(document, outer).property_names();
        let property = inner.into_iter().find(|name| names::words(name) == rest)?;
        Some((outer, property))
    })
}

/// For `seller_id`: the `seller_id` in the items of `splits`, if only one list has it and the record does not.
fn of_items<'d>(
    document: &'d Document,
    record: &Shape<'d>,
    name: &str,
) -> Option<(&'d str, &'d str)> {
    names::subject(name).filter(|item| !item.is_empty())?;
    let lists = record.property_names().into_iter();
    let mut found = lists.filter_map(|list| {
        let items = record.property(document, list).items(document);
        let inner = items.property_names().into_iter();
        let property = inner
            .into_iter()
            .find(|property| names::same(property, name))?;
        Some((list, property))
    });
    found.next().filter(|_| found.next().is_none())
}

/// What a description says about letter case.
fn case(says: &str) -> Case {
    let is_one = prose::spoken(says)
        .iter()
        .any(|sentence| prose::ignores_case(sentence));
    if is_one {
        Case::Ignored
    } else {
        Case::Unstated
    }
}

/// For `nameContains`: a part of `name`.
fn part<'d>(listed: &[&'d str], name: &str) -> Option<(&'d str, Kind<'d>)> {
    let mut words = names::words(name);
    words.retain(|item| item != CONTAINS);
    let is_stated = words.len() < names::words(name).len();
    let property = listed
        .iter()
        .find(|name| is_stated && names::words(name) == words)?;
    Some((property, Kind::Part))
}

/// For `tag`: one of `tags`.
fn among<'d>(
    document: &'d Document,
    record: &Shape<'d>,
    name: &str,
) -> Option<(&'d str, Kind<'d>)> {
    let words = names::words(name).join(" ");
    let is_it =
        |property: &&str| names::singular(property) == words && !names::same(property, name);
    let property = record.property_names().into_iter().find(is_it)?;
    let shape = record.property(document, property);
    let is_list = shape.type_name() == Some("array");
    let of_texts = shape.items(document).type_name() == Some("string");
    (is_list && of_texts).then_some((property, Kind::Among))
}

fn exact<'d>(shape: &Shape<'d>, property: &str) -> Option<Kind<'d>> {
    let known = shape.known_values();
    let text = shape.keyword("description").and_then(Node::as_str);
    let is_key = names::subject(property).is_some()
        || shape.format() == Some("uuid")
        || text.is_some_and(says_key);
    match shape.type_name()? {
        "boolean" | "integer" => Some(Kind::Exact(Vec::new())),
        "string" if !known.is_empty() || is_key => Some(Kind::Exact(known)),
        "string" if matches!(shape.format(), Some("date" | "email")) => Some(Kind::Exact(known)),
        "string"
            if names::words(property)
                .last()
                .is_some_and(|word| word == "email") =>
        {
            Some(Kind::Exact(known))
        }
        "string" if shape.format().is_none() => Some(Kind::Part),
        _ => None,
    }
}

/// Whether a description says that a property is the key of another record: `Id of the customer`.
fn says_key(text: &str) -> bool {
    let words = names::words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        &words[..],
        ["id" | "identifier" | "key", "of", ..]
            | ["the" | "unique", "id" | "identifier" | "key", "of", ..]
    )
}

/// For `created_after`: a lower bound of `created_at`; for `min_price`: one of `price`.
fn bound<'d>(listed: &[&'d str], name: &str, is_date: bool) -> Option<(&'d str, Kind<'d>)> {
    let words = names::words(name);
    let is_bound = |word: &String| LOWER.contains(&word.as_str()) || UPPER.contains(&word.as_str());
    let [bound] = &words
        .iter()
        .filter(|name| is_bound(name))
        .collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let rest: Vec<&String> = words.iter().filter(|name| !is_bound(name)).collect();
    let speaks = |name: &&&'d str| {
        let words = names::words(name);
        let is_time = |word: &String| matches!(word.as_str(), "at" | "date" | "time" | "on");
        let stem: Vec<&String> = words.iter().filter(|item| !is_time(item)).collect();
        let is_unit = |word: &String| UNITS.contains(&word.as_str());
        let plain: Vec<&String> = words.iter().filter(|name| !is_unit(name)).collect();
        let all: Vec<&String> = words.iter().collect();
        !rest.is_empty() && (all == rest || stem == rest || plain == rest)
    };
    // `minPrice` is a bound of `unitPrice` if no other property is a price.
    let ends = |name: &&&'d str| {
        let words = names::words(name);
        let rest: Vec<String> = rest.iter().map(|item| (*item).clone()).collect();
        !rest.is_empty() && words.ends_with(&rest)
    };
    let only = || {
        let mut all = listed.iter().filter(ends);
        all.next().filter(|_| all.next().is_none())
    };
    let property = *listed.iter().find(speaks).or_else(only)?;
    let is_lower = LOWER.contains(&bound.as_str());
    Some((property, Kind::of(is_lower, is_date)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_keys() {
        for (text, expected) in [
            ("Id of the customer.", true),
            ("The identifier of the owner", true),
            ("Ideas of the customer", false),
            ("Name of the customer", false),
            ("Free text; no id of anything", false),
        ] {
            assert_eq!(says_key(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_that_ignore_case() {
        for (text, expected) in [
            ("Upper and lower case make no difference.", true),
            ("The address, regardless of case", true),
            ("Case-insensitive", true),
            ("Upper and lower case differ", false),
            ("No more than one", false),
        ] {
            let found = case(&text.to_lowercase());
            assert_eq!(found == Case::Ignored, expected, "{text}");
        }
    }

    #[test]
    fn names_of_bounds() {
        let listed = ["created_at", "price", "name", "weightKg", "riskScore"];
        for (name, expected) in [
            ("created_after", Some(("created_at", Kind::Least(false)))),
            ("createdTo", Some(("created_at", Kind::Greatest(false)))),
            ("min_price", Some(("price", Kind::Least(false)))),
            ("price[lte]", Some(("price", Kind::Greatest(false)))),
            ("maxWeight", Some(("weightKg", Kind::Greatest(false)))),
            ("minScore", Some(("riskScore", Kind::Least(false)))),
            ("from", None),
            ("q", None),
        ] {
            assert_eq!(bound(&listed, name, false), expected, "{name}");
        }
    }
}
