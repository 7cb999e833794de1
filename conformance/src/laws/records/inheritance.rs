//! Inheritance: a child record must have its parent's key, and each value that the examples of both share.

use std::collections::BTreeSet;

use openapi_document::view::{Location, Parameter};
use openapi_document::{Node, Pointer, Value};

use crate::case::Step;
use crate::checks;
use crate::exchange::Exchange;
use crate::expression::Template;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

use crate::amount::Amount;
use crate::amount::names_amount;
use crate::answered::{key_name, record_of};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};

/// Tests an operation that creates a record from another one.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Create {
        return Ok(false);
    }
    test_call(scene, call, draft).await.or(Ok(false))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "inheritance").await?;
    let Some((creator, parent)) = scene.record_before(call, &ready) else {
        return Ok(false);
    };
    let (creator, parent) = (creator.clone(), parent.clone());
    let exchange = scene.call(&ready, "inheritance").await?;
    let Some(child) = record_of(call, &exchange) else {
        return Ok(false);
    };
    let mut compared = key(scene, (call, &creator), (child, &parent), &exchange, draft);
    compared |= shown_key(scene, call, child, &exchange, draft);
    compared |= in_one_currency(scene, (call, &creator), (child, &parent), &exchange, draft);
    let sent = exchange.sent.json.as_ref();
    let mut names = common(call, &creator);
    names.extend(handed_down(scene, (call, &creator)));
    for name in names {
        // A value of the request is echoed, not inherited.
        let is_sent = sent.is_some_and(|node| node.get(name).is_some());
        let (Some(value), Some(parents)) = (child.get(name), parent.get(name)) else {
            continue;
        };
        if is_sent || value.is_null() {
            continue;
        }
        compared = true;
        if !value.same_value(parents) {
            let claim = Claim::new(
                &checks::CHILD_DIFFERS,
                Basis::Names,
                format!(
                    "{}, as in the parent",
                    scene.shown(&creator, &Pointer::root().join(name), Some(parents))
                ),
                scene.shown(call, &Pointer::root().join(name), Some(value)),
            )
            .at(Pointer::root().join(name));
            scene.differ(draft, call, claim, &exchange);
        }
    }
    compared |= kept(scene, call, (&ready, &exchange), draft).is_some();
    if draft.is_clean() {
        compared |= in_another_currency(scene, (call, &creator), draft)
            .await
            .is_some();
    }
    Ok(compared)
}

/// Collects all currencies in a record, each with its pointer.
fn currency(node: &Node, at: &Pointer, found: &mut Vec<(Pointer, Node)>) {
    for entry in node.entries() {
        let pointer = at.join(entry.key.as_str());
        if names::same(&entry.key, "currency") && entry.value.as_str().is_some() {
            found.push((pointer, entry.value.clone()));
        } else if pointer.depth() < 3 {
            currency(&entry.value, &pointer, found);
        }
    }
}

fn one_currency(record: &Node) -> Option<(Pointer, Node)> {
    let mut found = Vec::new();
    currency(record, &Pointer::root(), &mut found);
    let first = found.first()?.clone();
    let same = found.iter().all(|(_, node)| node.same_value(&first.1));
    same.then_some(first)
}

/// A child must have its parent's currency, unless the request names one.
fn in_one_currency<'d>(
    scene: &Scene<'_, 'd>,
    (call, creator): (&Call<'d>, &Call<'d>),
    (child, parent): (&Node, &Node),
    exchange: &Exchange,
    draft: &mut Draft,
) -> bool {
    let sent = exchange.sent.json.as_ref();
    let named = sent.is_some_and(|item| {
        let mut found = Vec::new();
        currency(item, &Pointer::root(), &mut found);
        !found.is_empty()
    });
    let of_money = |at: &Pointer| {
        let mut object = at.clone();
        object.pop();
        let object = parent.at(&object)?;
        let mut names = object.entries().map(|entry| entry.key.as_str());
        names.find(|name| names_amount(name))
    };
    let parents = one_currency(parent).filter(|(at, _)| of_money(at).is_some());
    let (Some((at, node)), Some((of_parent, parents))) = (one_currency(child), parents) else {
        return false;
    };
    if named || node.same_value(&parents) {
        return !named;
    }
    let claim = Claim::new(
        &checks::CHILD_DIFFERS,
        Basis::Names,
        format!(
            "{}, as in the parent",
            scene.shown(creator, &of_parent, Some(&parents))
        ),
        scene.shown(call, &at, Some(&node)),
    )
    .at(at);
    scene.differ(draft, call, claim, exchange);
    true
}

/// A child must have its parent's currency, also if the parent uses another one.
async fn in_another_currency<'d>(
    scene: &mut Scene<'_, 'd>,
    (call, creator): (&Call<'d>, &Call<'d>),
    draft: &mut Draft,
) -> Option<()> {
    const NAME: &str = "currency";
    let document = scene.model.document;
    let requested = Shape::of(document, creator.body.as_ref()).property(document, NAME);
    let is_sent = Shape::of(document, call.body.as_ref())
        .property_names()
        .contains(&NAME);
    let known = requested.known_values();
    if is_sent || known.len() < 2 {
        return None;
    }
    let recipe = scene.chosen(call)?;
    let mut before = recipe.split()?.1.to_vec();
    let is_creator = |step: &Step<'d>| step.name.operation == creator.operation.label();
    let at = before.iter().position(is_creator)?;
    let ready = scene.ready(call, "inheritance-one").await.ok()?;
    let tellers = ready.state.kept.as_deref().unwrap_or_default().iter();
    // Several answers may show the same record.
    let observed = tellers.filter_map(|exchange| {
        let call = scene.model.call(&exchange.sent.operation)?;
        let record = record_of(call, exchange).filter(|node| node.get(NAME).is_some())?;
        Some(
            key_name(call)
                .and_then(|key| record.get(key))
                .map(Node::to_json),
        )
    });
    let observed: BTreeSet<Option<String>> = observed.collect();
    if observed.len() != 1 {
        return None;
    }
    let (_, parent) = scene.record_before(call, &ready)?;
    let value = parent.get(NAME)?.as_str()?.to_owned();
    let created = scene.call(&ready, "inheritance-one").await.ok()?;
    let first = record_of(call, &created)?.get(NAME)?.as_str()?;
    let other = known
        .into_iter()
        .find(|other| *other != value)
        .filter(|_| first == value)?;
    let pointer = Pointer::root().join(NAME);
    let value = Template::Literal(crate::value::string(other));
    before[at]
        .request
        .replacements
        .push((pointer.clone(), value));
    let ready = scene
        .prepare_by(recipe, &before, "inheritance-other")
        .await
        .ok()?;
    let created = scene.call(&ready, "inheritance-other").await.ok()?;
    let child = record_of(call, &created)?.get(NAME)?;
    if child.as_str() != Some(other) {
        let expected = format!("\"{other}\", as in the parent");
        let claim = Claim::new(
            &checks::CHILD_DIFFERS,
            Basis::Names,
            expected,
            child.to_json(),
        )
        .at(pointer);
        scene.differ(draft, call, claim, &created);
    }
    Some(())
}

/// Compares the child's reference to its parent. Returns whether there is one.
fn key<'d>(
    scene: &Scene<'_, 'd>,
    (call, creator): (&Call<'d>, &Call<'d>),
    (child, parent): (&Node, &Node),
    exchange: &Exchange,
    draft: &mut Draft,
) -> bool {
    let Some(kind) = creator.record() else {
        return false;
    };
    let value = key_name(creator).and_then(|key| parent.get(key));
    let refers = |name: &str| {
        let subject = names::subject(name).unwrap_or_default();
        subject == kind.name || subject == format!("parent {}", kind.name)
    };
    let found = child
        .entries()
        .find(|entry| refers(&entry.key) && !entry.value.is_null());
    let (Some(entry), Some(node)) = (found, value) else {
        return false;
    };
    // For records of one kind, this property is the child's key.
    let is_same = key_name(call) == Some(entry.key.as_str());
    if !is_same && !entry.value.same_value(node) {
        let claim = Claim::new(
            &checks::CHILD_DIFFERS,
            Basis::Names,
            format!("{}, the parent's key", value_of(node)),
            value_of(&entry.value),
        )
        .at(Pointer::root().join(entry.key.as_str()));
        scene.differ(draft, call, claim, exchange);
    }
    !is_same
}

/// A property that the documented answers show with the example of the path parameter must have the key of the path.
fn shown_key<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    child: &Node,
    exchange: &Exchange,
    draft: &mut Draft,
) -> bool {
    let Some((name, parameter)) = shown_by(call) else {
        return false;
    };
    let mut arguments = exchange.sent.path_arguments.iter();
    let Some((_, due)) = arguments.find(|(item, _)| item == parameter) else {
        return false;
    };
    let Some(value) = child.get(name) else {
        return false;
    };
    if crate::value::plain(value) != *due {
        let claim = Claim::new(
            &checks::CHILD_DIFFERS,
            Basis::Names,
            format!("\"{due}\", the `{parameter}` of the path, as in the documented answer"),
            value_of(value),
        )
        .at(Pointer::root().join(name));
        scene.differ(draft, call, claim, exchange);
    }
    true
}

/// The property that each documented answer shows with the example of the last path parameter, and that parameter.
fn shown_by<'d>(call: &Call<'d>) -> Option<(&'d str, &'d str)> {
    // Shorter examples may be equal by chance.
    const LONG: usize = 6;
    let parameters = call.operation.parameters().into_iter();
    let in_path = |parameter: &Parameter<'d>| parameter.location == Location::Path;
    let last = *call.path_parameters().last()?;
    let parameter = parameters
        .filter(in_path)
        .find(|parameter| parameter.name == last)?;
    let examples = parameter.examples();
    let [example] = &examples[..] else {
        return None;
    };
    let key = example
        .value
        .node
        .as_str()
        .filter(|text| text.len() >= LONG)?;
    let success = call.success.as_ref()?;
    let at = &success.record.as_ref()?.at;
    let shown = success.media.as_ref()?.examples();
    let shown: Vec<&'d Node> = shown
        .iter()
        .filter_map(|example| example.value.node.at(at))
        .collect();
    let item = key_name(call);
    let (first, rest) = shown.split_first()?;
    let is_it = |node: &Node, name: &str| node.get(name).and_then(Node::as_str) == Some(key);
    let mut names = first.entries().map(|entry| entry.key.as_str());
    let name = names.find(|name| Some(*name) != item && is_it(first, name))?;
    rest.iter()
        .all(|item| is_it(item, name))
        .then_some((name, last))
}

/// Properties of both kinds of record that belong to neither: a currency, and keys of other records.
fn handed_down<'d>(scene: &Scene<'_, 'd>, (call, creator): (&Call<'d>, &Call<'d>)) -> Vec<&'d str> {
    let document = scene.model.document;
    let shape = |call: &Call<'d>| Shape::of(document, call.record().map(|record| &record.schema));
    let (shape, parents) = (shape(call), shape(creator));
    let kinds: Vec<&str> = [call, creator]
        .into_iter()
        .filter_map(|call| Some(call.record()?.name.as_str()))
        .collect();
    let of_third = |name: &str| match names::subject(name) {
        Some(subject) if name.ends_with("id") || name.ends_with("Id") => {
            let of_kind = |kind: &&str| names::fits(&subject, kind);
            let is_known = scene.model.creator_of(&subject).is_some()
                || (!subject.is_empty() && scene.confirms("inheritance", call));
            is_known && !kinds.iter().any(of_kind)
        }
        _ => names::same(name, "currency code"),
    };
    let is_one = |name: &&str| {
        let (one, other) = (
            shape.property(document, name),
            parents.property(document, name),
        );
        of_third(name) && other.type_name().is_some() && one.type_name() == other.type_name()
    };
    shape.property_names().into_iter().filter(is_one).collect()
}

/// A value that the child keeps by the operation's text must be that of the named record.
fn kept<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, exchange): (&Ready<'_, 'd>, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let child = record_of(call, exchange)?;
    let sent = exchange.sent.json.as_ref();
    let mut compared = None;
    for (creator, parent) in scene.named_before(call, ready, &exchange.sent) {
        for name in kept_by_text(scene, (call, creator)) {
            let is_sent = sent.is_some_and(|node| node.get(name).is_some());
            let all = child.get(name).zip(parent.get(name));
            let Some((node, due)) = all.filter(|_| !is_sent) else {
                continue;
            };
            compared = Some(());
            if !node.same_value(due) {
                let at = Pointer::root().join(name);
                let shown = scene.shown(creator, &at, Some(due));
                let expected =
                    format!("{shown}, which the record keeps by the text of the operation");
                let observed = scene.shown(call, &at, Some(node));
                let claim =
                    Claim::new(&checks::CHILD_DIFFERS, Basis::Names, expected, observed).at(at);
                scene.differ(draft, call, claim, exchange);
            }
        }
    }
    compared
}

/// Properties of both kinds of record that the child keeps by the operation's text: `which keeps the
/// reference of the order`.
fn kept_by_text<'d>(
    scene: &Scene<'_, 'd>,
    (call, creator): (&Call<'d>, &Call<'d>),
) -> Vec<&'d str> {
    let document = scene.model.document;
    let shape = |call: &Call<'d>| Shape::of(document, call.record().map(|record| &record.schema));
    let (shape, parents) = (shape(call), shape(creator));
    let kinds = [call, creator].map(|call| {
        call.record()
            .map_or("", |parameter| parameter.name.as_str())
    });
    let noun = names::words(kinds[1]).pop().unwrap_or_default();
    let spoken = call.spoken();
    let is_kept = |name: &&str| {
        let (one, other) = (
            shape.property(document, name),
            parents.property(document, name),
        );
        let is_same = names::subject(name).is_some_and(|item| item.is_empty());
        let is_fixed = !is_same && !names::names_state(name);
        is_fixed
            && one.type_name().is_some()
            && one.type_name() == other.type_name()
            && spoken.iter().any(|sentence| keeps(sentence, (name, &noun)))
    };
    let names = shape.property_names().into_iter();
    names
        .filter(|_| kinds[0] != kinds[1])
        .filter(is_kept)
        .collect()
}

/// Whether a sentence says that a property of a kind of record is kept.
fn keeps(words: &[String], (name, noun): (&str, &str)) -> bool {
    const KEEPS: [&str; 7] = [
        "keeps", "keep", "inherits", "copies", "copied", "carries", "retains",
    ];
    const DOUBTFUL: [&str; 8] = [
        "not", "no", "unless", "if", "may", "without", "except", "when",
    ];
    let name_words = names::words(name);
    let is_its = words.windows(name_words.len() + 3).any(|part| {
        let (named, rest) = part.split_at(name_words.len());
        let names_parent = matches!(rest[0].as_str(), "of" | "from") && rest[1] == "the";
        named == name_words && names_parent && rest[2] == noun
    });
    !name_words.is_empty() && is_its && prose::has(words, &KEEPS) && !prose::has(words, &DOUBTFUL)
}

fn value_of(node: &Node) -> String {
    crate::value::excerpt(&node.to_json())
}

/// Text properties that both documented examples show with the same value, without states, times and names.
fn common<'d>(call: &Call<'d>, creator: &Call<'d>) -> Vec<&'d str> {
    let example = |call: &Call<'d>| -> Option<&'d Node> {
        let success = call.success.as_ref()?;
        let example = success.media.as_ref()?.examples().into_iter().next()?;
        example.value.node.at(&success.record.as_ref()?.at)
    };
    let (Some(node), Some(parents)) = (example(call), example(creator)) else {
        return Vec::new();
    };
    let is_compared = |name: &str, node: &Node| {
        let words = names::words(name);
        let last = words.last().map(String::as_str).unwrap_or_default();
        let of_itself = [
            "id",
            "status",
            "state",
            "type",
            "at",
            "date",
            "time",
            "description",
            "name",
            "object",
            "mode",
            "kind",
        ];
        matches!(node.value, Value::String(_))
            && !of_itself.contains(&last)
            && Amount::read(node).is_none()
    };
    let entries = node.entries().filter(|entry| {
        let same = parents
            .get(&entry.key)
            .is_some_and(|other| other.same_value(&entry.value));
        same && is_compared(&entry.key, &entry.value)
    });
    entries.map(|entry| entry.key.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_kept_properties() {
        for (text, expected) in [
            (
                "Creates the agreement, which keeps the merchant reference of the checkout.",
                true,
            ),
            ("It takes the merchant_reference from the checkout", false),
            ("It keeps the reference of the checkout", false),
            ("It keeps the merchant reference", false),
            (
                "It does not keep the merchant reference of the checkout",
                false,
            ),
        ] {
            let words = names::words(text);
            let found = keeps(&words, ("merchant_reference", "checkout"));
            assert_eq!(found, expected, "{text}");
        }
    }
}
