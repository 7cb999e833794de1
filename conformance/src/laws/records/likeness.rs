//! Likeness: what a text says to be that of another record, which the request names, is: "the `card_brand` and
//! `card_last4` of the payment are those of the card". Whichever of the documented records that is.

use openapi_document::{Node, Pointer};

use crate::case::Step;
use crate::checks;
use crate::exchange::Exchange;
use crate::expression::Template;
use crate::model::{Call, Role, names, prose};
use crate::recipe::Recipe;
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::addressing::names_key;
use crate::laws::trial::answered::{own_key, record_of};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many records of the other kind are tried at most.
const MOST: usize = 4;

/// What a text says: properties, and the kind of record whose they are.
#[derive(Debug, PartialEq, Eq)]
struct Likeness {
    names: Vec<String>,
    kind: String,
}

/// Makes records of others that differ, and holds each against its own.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let said = said(world, call);
    (!said.is_empty()).then_some(())?;
    // Which way leads there is found out first.
    world.ready(call, "likeness").await.ok()?;
    let mut compared = None;
    for (index, (way, before)) in variants(world, call, &said).into_iter().enumerate() {
        let tag = format!("likeness-{index}");
        let Ok(ready) = world.prepare_by(way, &before, &tag).await else {
            continue;
        };
        let exchange = world.call(&ready, &tag).await.ok()?;
        for likeness in &said {
            let looked = compare(world, call, (&ready, likeness), &exchange, draft).await;
            compared = compared.or(looked);
        }
    }
    compared
}

/// Holds what was made against what it was made of, as that was told before, or is read now.
async fn compare<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, likeness): (&Ready<'_, 'd>, &Likeness),
    exchange: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let child = record_of(call, exchange)?;
    let (maker, source) = source(world, call, ready, (&likeness.kind, exchange))?;
    let reader = world.readers_for(maker, source, &exchange.sent);
    let now = match reader.first().copied() {
        Some(reader) => {
            let read = world.read(reader, source, &exchange.sent).await.ok()?;
            record_of(reader, &read).cloned()
        }
        None => None,
    };
    let sent = exchange.sent.json.as_ref();
    let mut compared = None;
    for name in likeness.names.iter().filter(|own| !names::tells_state(own)) {
        // What the request says itself is echoed.
        let is_sent = sent.is_some_and(|own| own.get(name).is_some());
        let due = of(source, name, &likeness.kind).filter(|_| !is_sent);
        let (Some(own), Some((from, due))) = (child.get(name), due) else {
            continue;
        };
        compared = Some(());
        let is_as_now = now.as_ref().and_then(|own| own.get(from));
        let is_as_now = is_as_now.is_some_and(|all| all.same_value(own));
        if !own.same_value(due) && !is_as_now {
            let (at, from) = (Pointer::root().join(name), Pointer::root().join(from));
            let shown = world.shown(maker, &from, Some(due));
            let expected = format!("{shown}, as the {} has it", likeness.kind);
            let told = world.shown(call, &at, Some(own));
            let claim = Claim::new(&checks::CHILD_DIFFERS, Ground::Text, expected, told).at(at);
            world.differ(draft, call, claim, exchange);
        }
    }
    compared
}

/// The record of a kind that a request names, as it was told last, and the operation that made it.
fn source<'w, 'e, 'd>(
    world: &World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &'e Ready<'_, 'd>,
    (kind, exchange): (&str, &Exchange),
) -> Option<(&'w Call<'d>, &'e Node)> {
    let model = world.model;
    let told = ready.state.kept.iter().flatten().filter_map(|own| {
        let teller = model.call(&own.sent.operation)?;
        let is_of_kind = names::fits(&teller.record()?.name, kind);
        let record = record_of(teller, own).filter(|_| is_of_kind)?;
        let key = record.get(own_key(teller)?)?;
        names_key(call, &exchange.sent, key).then_some((teller, record))
    });
    told.last()
}

/// The property of a record that one of another kind has from it: of the same name, or without that of its kind.
fn of<'e>(source: &'e Node, name: &str, kind: &str) -> Option<(&'e str, &'e Node)> {
    let (words, kind) = (names::words(name), names::words(kind));
    let without = words.strip_prefix(&kind[..]).unwrap_or_default();
    let has = |wanted: &[String]| {
        let mut entries = source.entries();
        entries.find(|own| names::words(&own.key) == wanted)
    };
    let own = has(&words).or_else(|| has(without).filter(|_| !without.is_empty()))?;
    Some((own.key.as_str(), &own.value))
}

/// The ways to a call on which what it is made of differs: by the examples of that, and by what may be asked for it.
fn variants<'w, 'd>(
    world: &World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    said: &[Likeness],
) -> Vec<(&'w Recipe<'d>, Vec<Step<'d>>)> {
    let is_source = |step: &Step<'d>| {
        let maker = world.model.call(&step.name.operation);
        let kind = maker.filter(|own| own.role == Role::Create);
        let kind = kind.and_then(|own| Some(own.record()?.name.clone()));
        kind.is_some_and(|own| said.iter().any(|all| names::fits(&own, &all.kind)))
    };
    let chosen = world.chosen(call);
    let changes = chosen.map(|own| &own.changes);
    let alike = world.ways(call).into_iter();
    let alike = alike.filter(|own| changes.is_none_or(|all| *all == own.changes));
    let mut known: Vec<String> = Vec::new();
    let mut found: Vec<(&'w Recipe<'d>, Vec<Step<'d>>)> = Vec::new();
    for way in chosen.into_iter().chain(alike) {
        let Some((_, before)) = way.split() else {
            continue;
        };
        let Some(at) = before.iter().rposition(is_source) else {
            continue;
        };
        let body = before[at].request.body.as_ref();
        let body = body.and_then(|own| own.value.plain()).map(Node::to_json);
        let body = body.unwrap_or_default();
        if known.contains(&body) {
            continue;
        }
        known.push(body);
        if found.is_empty() {
            let other = asked_otherwise(world, (before, at), said);
            found.extend(other.map(|own| (way, own)));
        }
        found.push((way, before.to_vec()));
    }
    found.truncate(MOST);
    found
}

/// The steps with another value of a closed list, where what makes the other record is asked for what is said to be alike.
fn asked_otherwise<'d>(
    world: &World<'_, '_, '_, 'd>,
    (before, at): (&[Step<'d>], usize),
    said: &[Likeness],
) -> Option<Vec<Step<'d>>> {
    let document = world.model.document;
    let maker = world.model.call(&before[at].name.operation)?;
    let shape = Shape::of(document, maker.body.as_ref());
    let body = before[at].request.body.as_ref()?.value.plain()?;
    let (name, other) = said.iter().find_map(|likeness| {
        let mut names = likeness.names.iter();
        names.find_map(|name| {
            let (own, told) = of(body, name, &likeness.kind)?;
            let known = shape.property(document, own).known_values();
            let other = known.into_iter().find(|own| Some(*own) != told.as_str())?;
            Some((own, other))
        })
    })?;
    let mut steps = before.to_vec();
    let value = Template::Literal(value::string(other));
    let replacements = &mut steps[at].request.replacements;
    replacements.push((Pointer::root().join(name), value));
    Some(steps)
}

/// What is said of what a call makes: in its texts, that of its record, and those of the properties of it.
fn said<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<Likeness> {
    let document = world.model.document;
    let Some(record) = call.record() else {
        return Vec::new();
    };
    let noun = |name: &str| names::words(name).pop().unwrap_or_default();
    let own = noun(&record.name);
    let makers = world.model.of(Role::Create).filter_map(Call::record);
    let others = makers.map(|own| noun(&own.name)).filter(|all| *all != own);
    let others: Vec<String> = others.collect();
    let shape = Shape::of(document, Some(&record.schema));
    let listed = shape.property_names();
    let schema = shape.keyword("description").and_then(Node::as_str);
    let texts = call.texts().chain(schema);
    let general = texts.flat_map(prose::sentences);
    let general = general.filter_map(|own| likeness(own, None, &others));
    let of_properties = listed.iter().filter_map(|name| {
        let text = shape.property(document, name);
        let text = text.keyword("description")?.as_str()?;
        let first = prose::sentences(text).into_iter().next()?;
        likeness(first, Some(name), &others)
    });
    let mut found: Vec<Likeness> = general.chain(of_properties).collect();
    for own in &mut found {
        own.names.retain(|name| listed.contains(&name.as_str()));
    }
    found.retain(|own| !own.names.is_empty() && !names::fits(&record.name, &own.kind));
    found
}

/// What a sentence says: of the properties that it marks, or of the one that it describes; nothing where it speaks of what is
/// made elsewhere.
fn likeness(sentence: &str, about: Option<&str>, others: &[String]) -> Option<Likeness> {
    const OF: [&str; 4] = ["those of ", "that of ", "copied from ", "taken from "];
    const OPEN: [&str; 13] = [
        "may",
        "might",
        "if",
        "unless",
        "when",
        "not",
        "never",
        "until",
        "only",
        "except",
        "default",
        "otherwise",
        "or",
    ];
    let text = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, after) = if about.is_some() {
        let text = text.to_lowercase();
        let rest = OF.iter().find_map(|own| text.strip_prefix(own))?;
        (String::new(), rest.to_owned())
    } else {
        let is = ["are ", "is "].into_iter();
        let mut all = is.flat_map(|verb| OF.map(|own| format!(" {verb}{own}")));
        let (before, after) = all.find_map(|own| text.split_once(&own))?;
        (before.to_owned(), after.to_owned())
    };
    let words = prose::unmarked(&text);
    let is_elsewhere = prose::unmarked(&before)
        .iter()
        .any(|own| others.contains(&names::singular(own)));
    let after = after
        .strip_prefix("the ")
        .or_else(|| after.strip_prefix("its "))?;
    // What goes on tells of more than the record itself.
    let end = after.find(['.', ',', ':', '(']).unwrap_or(after.len());
    let kind = names::singular(after[..end].trim_matches([' ', '`']));
    let is_kind = others
        .iter()
        .any(|own| *own == kind || kind.ends_with(&format!(" {own}")));
    if prose::has(&words, &OPEN) || is_elsewhere || !is_kind || after[..end].contains('\'') {
        return None;
    }
    let marked = before.split('`').skip(1).step_by(2);
    let names = marked.map(str::to_owned).chain(about.map(str::to_owned));
    Some(Likeness {
        names: names.collect(),
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_be_that_of_another_record() {
        let others = ["card".to_owned(), "customer".to_owned()];
        for (text, about, expected) in [
            (
                "The `customer_id`, `card_brand` and `card_last4` of the payment are those of the card",
                None,
                Some((vec!["customer_id", "card_brand", "card_last4"], "card")),
            ),
            (
                "Its `brand` is copied from the card",
                None,
                Some((vec!["brand"], "card")),
            ),
            (
                "That of the card.",
                Some("brand"),
                Some((vec!["brand"], "card")),
            ),
            ("The `brand` is that of the card if it has one", None, None),
            (
                "Its `default_brand` is that of the card",
                None,
                Some((vec!["default_brand"], "card")),
            ),
            ("The `brand` may be that of the card", None, None),
            ("The `brand` is not that of the card", None, None),
            ("The `brand` is that of the card's owner", None, None),
            ("The `brand` is that of the card holder", None, None),
            ("The `brand` of a customer is that of the card", None, None),
            ("The `brand` is that of the moment", None, None),
            ("Brand of the card", Some("brand"), None),
        ] {
            let found = likeness(text, about, &others);
            let found = found
                .as_ref()
                .map(|own| (own.names.iter().map(String::as_str).collect(), &*own.kind));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn where_a_likeness_comes_from() {
        let card = r#"{"id":"c","brand":"visa","customer_id":"u","last4":"4242"}"#;
        let card = openapi_document::json::read_text(card).unwrap();
        let from = |name| of(&card, name, "card").map(|own| own.0);
        assert_eq!(from("card_brand"), Some("brand"));
        assert_eq!(from("customer_id"), Some("customer_id"));
        assert_eq!(from("card_holder"), None);
        assert_eq!(from("card"), None);
    }
}
