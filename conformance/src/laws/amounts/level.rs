//! Level: how much a record tells to be there, who reads it, and where a request says how much of it is wanted.

use openapi_document::{Node, Pointer};

use crate::exchange::Sent;
use crate::model::{Call, Role};
use crate::names;
use crate::shape::Shape;
use crate::value;

use super::parts::counted;
use crate::answered::{own_key, record_of};
use crate::scene::{Ready, Scene};

/// Words of how much of it there is, the most telling first.
const LEFT: [&str; 5] = ["available", "remaining", "left", "stock", "inventory"];

/// So many of them leave out what is kept for others.
const NET: usize = 3;

/// Words of what is kept for others.
const KEPT: [&str; 5] = ["reserved", "held", "allocated", "committed", "promised"];

/// Words of how much is wanted, and of what may be less than nothing.
const COUNTS: [&str; 7] = [
    "quantity", "count", "seats", "units", "tickets", "delta", "amount",
];

/// What is taken from: who reads how much there is, and where a request says how much it wants.
pub(crate) struct Supply<'w, 'd> {
    pub(crate) reader: &'w Call<'d>,
    pub(crate) record: Node,
    pub(crate) key: Node,
    with: Sent,
    pub(crate) wanted: Pointer,
    /// Whether what is wanted is told as less than nothing.
    pub(crate) is_signed: bool,
    /// Of a line of the record, the property of its key, and of what counts how much of it was taken.
    line: Option<(String, Option<String>)>,
}

/// How much there is, and the record that tells it.
pub(crate) struct Level {
    /// Where it stands.
    pub(crate) at: Pointer,
    pub(crate) left: i64,
    pub(crate) record: Node,
}

impl<'d> Supply<'_, 'd> {
    /// How much there is now.
    pub(crate) async fn level(&self, scene: &mut Scene<'_, '_, '_, 'd>) -> Option<Level> {
        let read = scene
            .read(self.reader, &self.record, &self.with)
            .await
            .ok()?;
        let record = record_of(self.reader, &read)?.clone();
        if let Some((by, taken)) = &self.line {
            let (at, line) = line_of(&record, by, &self.key)?;
            let number = |name: &str| line.get(name)?.to_json().parse::<i64>().ok();
            let all = line.at(&count_in(line, &Pointer::root())?)?;
            let all: i64 = all.to_json().parse().ok()?;
            let taken = taken.as_deref();
            return Some(Level {
                at: at.join(taken.unwrap_or(by)),
                left: all - taken.map_or(Some(0), number)?,
                record,
            });
        }
        let name = left_in(&record)?.to_owned();
        let left = record.get(&name)?.to_json().parse().ok()?;
        let at = Pointer::root().join(name.as_str());
        Some(Level { at, left, record })
    }

    /// Whether what was taken is counted.
    pub(crate) fn is_counted(&self) -> bool {
        self.line.as_ref().is_none_or(|own| own.1.is_some())
    }

    /// The request for so many.
    pub(crate) fn request(
        &self,
        scene: &Scene<'_, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
        (number, tag): (i64, &str),
    ) -> Option<Sent> {
        let mut sent = scene.compose(ready, &format!("supply-{tag}")).ok()?;
        let mut json = sent.json.clone()?;
        let number = if self.is_signed { -number } else { number };
        value::put(&mut json, &self.wanted, value::number(number)).ok()?;
        scene.put_valid(call, (&mut sent, &ready.call), json)?;
        Some(sent)
    }
}

/// What a request takes from: a record that was made for it, which the request names beside how many it wants.
pub(crate) fn supply<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    sent: &Sent,
) -> Option<Supply<'w, 'd>> {
    let model = scene.model;
    let json = sent.json.as_ref()?;
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    kept.iter().find_map(|exchange| {
        let maker = model
            .call(&exchange.sent.operation)
            .filter(|own| own.role == Role::Create)?;
        let record = record_of(maker, exchange)?;
        let key = record.get(own_key(maker)?)?;
        let in_path = sent
            .path_arguments
            .iter()
            .any(|(_, own)| *own == value::plain(key));
        let wanted = beside(json, key, &Pointer::root())
            .or_else(|| in_path.then(|| count_in(json, &Pointer::root())).flatten())?;
        let tells = |own: &&Call<'d>| {
            let shape = Shape::of(model.document, own.record().map(|own| &own.schema));
            let mut listed = shape.property_names().into_iter();
            let of_maker = own.path_parameters().last().is_some_and(|name| {
                let creator = model.creator_for(&own.operation, name);
                creator.is_some_and(|own| own.operation.label() == maker.operation.label())
            });
            of_maker && own.path_parameters().len() == 1 && listed.any(tells_left)
        };
        let reader = model.of(Role::Read).find(tells)?;
        let shape = wanted.segments().fold(
            Shape::of(model.document, call.body.as_ref()),
            |shape, segment| {
                if shape.type_name() == Some("array") {
                    shape.items(model.document)
                } else {
                    shape.property(model.document, &segment)
                }
            },
        );
        let least = shape.keyword("minimum").map(Node::to_json);
        Some(Supply {
            reader,
            record: record.clone(),
            key: key.clone(),
            with: exchange.sent.clone(),
            wanted,
            is_signed: least.is_some_and(|own| own.starts_with('-')),
            line: None,
        })
    })
}

/// What a request takes from a line of the record that it is about: so many of what was ordered.
pub(crate) fn of_line<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    sent: &Sent,
) -> Option<Supply<'w, 'd>> {
    let json = sent.json.as_ref()?;
    let (maker, record) = scene.made_before(call, ready)?;
    let wanted = count_in(json, &Pointer::root())?;
    let found = json.entries().find_map(|own| {
        let (_, line) = line_of(record, &own.key, &own.value)?;
        Some((own, line))
    });
    let (by, line) = found?;
    count_in(line, &Pointer::root())?;
    let readers = scene.readers_for(maker, record, sent);
    let taken = counted(line, call.operation.path).map(str::to_owned);
    Some(Supply {
        reader: readers.first().copied()?,
        record: record.clone(),
        key: by.value.clone(),
        with: sent.clone(),
        wanted,
        is_signed: false,
        line: Some((by.key.clone(), taken)),
    })
}

/// The line of a record that has a key, and where it stands.
fn line_of<'n>(record: &'n Node, by: &str, key: &Node) -> Option<(Pointer, &'n Node)> {
    record.entries().find_map(|entry| {
        let is_it = |own: &&Node| own.get(by).is_some_and(|own| own.same_value(key));
        let at = entry.value.items().position(|own| is_it(&own))?;
        let line = entry.value.items().nth(at)?;
        let at = Pointer::root()
            .join(entry.key.as_str())
            .join(at.to_string());
        Some((at, line))
    })
}

/// Where a body says how many it wants of what has a key, in the object that names it.
pub(crate) fn beside(node: &Node, key: &Node, at: &Pointer) -> Option<Pointer> {
    let is_named = node.entries().any(|own| own.value.same_value(key));
    if is_named && let Some(found) = count_in(node, at) {
        return Some(found);
    }
    let entries = node.entries().map(|own| (own.key.clone(), &own.value));
    let items = node
        .items()
        .enumerate()
        .map(|(index, own)| (index.to_string(), own));
    entries
        .chain(items)
        .find_map(|(name, inner)| beside(inner, key, &at.join(name)))
}

/// The only whole number in an object whose name says how many.
fn count_in(node: &Node, at: &Pointer) -> Option<Pointer> {
    let is_count = |name: &str| {
        let words = names::words(name);
        words.iter().any(|own| COUNTS.contains(&own.as_str()))
    };
    let is_number = |own: &Node| own.to_json().parse::<i64>().is_ok();
    let mut all = node
        .entries()
        .filter(|own| is_count(&own.key) && is_number(&own.value));
    let only = all.next().filter(|_| all.next().is_none())?;
    Some(at.join(only.key.as_str()))
}

fn tells_left(name: &str) -> bool {
    let words = names::words(name);
    words.len() <= 2 && words.iter().any(|own| LEFT.contains(&own.as_str()))
}

/// The property that tells how much there is.
fn left_in(record: &Node) -> Option<&str> {
    // What is in stock may be all of it, or what is left of it.
    let is_kept = |name: &str| {
        let words = names::words(name);
        words.iter().any(|own| KEPT.contains(&own.as_str()))
    };
    let is_net = record.entries().all(|own| !is_kept(&own.key));
    let told = LEFT.iter().take(if is_net { LEFT.len() } else { NET });
    told.into_iter().find_map(|wanted| {
        let is_it =
            |name: &str| tells_left(name) && names::words(name).iter().any(|own| own == wanted);
        let mut all = record
            .entries()
            .filter(|own| is_it(&own.key) && own.value.to_json().parse::<i64>().is_ok());
        all.next().map(|own| own.key.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_are_wanted_of_what() {
        let body = r#"{"email":"a@b.c","lines":[{"sku":"A","quantity":1},{"sku":"B","quantity":2}],"count":3}"#;
        let body = openapi_document::json::read_text(body).unwrap();
        let at = |key: &str| {
            let found = beside(&body, &value::string(key), &Pointer::root());
            found.map(|own| own.to_string())
        };
        assert_eq!(at("B").as_deref(), Some("/lines/1/quantity"));
        assert_eq!(at("a@b.c").as_deref(), Some("/count"));
        assert_eq!(at("C"), None);
    }

    #[test]
    fn what_tells_how_much_there_is() {
        for (record, expected) in [
            (
                r#"{"onHand":9,"reserved":1,"available":8}"#,
                Some("available"),
            ),
            (r#"{"price":9,"stock":8}"#, Some("stock")),
            (r#"{"available":true,"unitsLeft":3}"#, Some("unitsLeft")),
            (r#"{"stock":9,"reserved":1}"#, None),
            (r#"{"price":9}"#, None),
        ] {
            let record = openapi_document::json::read_text(record).unwrap();
            assert_eq!(left_in(&record), expected, "{}", record.to_json());
        }
    }
}
