//! Replacing: a PUT must reset the properties that it omits: to a documented default, else not keep their value.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value::{self, unlike};

use super::freshness;
use crate::answered::{describe, record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::another_body::another_body;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::echo::check_echo;
use crate::scene::version::set_version_if_asked;

/// At most this many properties are omitted, one after another.
const MOST: usize = 4;

/// Words of texts about replacement.
const REPLACES: [&str; 6] = [
    "replace",
    "replaces",
    "replaced",
    "overwrite",
    "overwrites",
    "entire",
];

/// Tests an operation that replaces a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let is_put = call.operation.method == Method::Put;
    let may_be = call.role == Role::Change || call.chosen.is_some();
    if !is_put || !may_be || !scene.may_write() {
        return Ok(false);
    }
    let all = omissible(scene, call);
    let mut looked = call.chosen.is_some() && again(scene, call, draft).await.is_some();
    for (name, default) in all {
        if let Ok(true) = test_call(scene, call, (name, default), draft).await {
            looked = true;
        }
    }
    Ok(looked)
}

/// The optional properties that the record shows, with their defaults.
fn omissible<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Vec<(&'d str, Option<&'d Node>)> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let shown = Shape::of(document, call.record().map(|record| &record.schema)).property_names();
    let replaces = replaces(call);
    let is_left_out = |name: &&str| !shape.requires(name) && shown.contains(name);
    let names = shape.property_names().into_iter().filter(is_left_out);
    let with_default = names.filter_map(|name| {
        let shape = shape.property(document, name);
        if shape.flag("readOnly") || shape.flag("writeOnly") || shape.flag("x-natural-key") {
            return None;
        }
        let default = shape.keyword("default");
        (default.is_some() || replaces).then_some((name, default))
    });
    with_default.take(MOST).collect()
}

/// Whether a text of the operation says that it replaces the record.
fn replaces(call: &Call<'_>) -> bool {
    let text = |key| call.operation.at.node.get(key).and_then(Node::as_str);
    let texts = [text("operationId"), text("summary"), text("description")];
    let mut words = texts.into_iter().flatten().flat_map(names::words);
    words.any(|word| REPLACES.contains(&word.as_str()))
}

/// A second PUT to the same address must answer what was sent, and keep the creation time.
async fn again<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) -> Option<()> {
    let ready = scene.ready(call, "replacing-again").await.ok()?;
    let mut sent = scene.compose(&ready, "replacing").ok()?;
    let first = scene.send(sent.clone()).await;
    let before = record_of(call, &first)?.clone();
    set_version_if_asked(call, &mut sent, &first);
    let other = sent
        .json
        .as_ref()
        .and_then(|body| another_body(scene, call, body));
    if let Some(other) = other {
        scene.put_json(&mut sent, &ready.call, other);
    }
    freshness::pass(scene).await;
    let second = scene.send(sent).await;
    if status(&second) == Some(201) && call.response(200).is_some() {
        let claim = Claim::new(
            &checks::STATUS_CODE,
            Basis::Names,
            "status 200, as the record existed",
            describe(&second),
        );
        scene.differ(draft, call, claim, &second);
    }
    check_echo(scene, call, &second, draft);
    freshness::is_later(scene, call, (&before, &second), draft).then_some(())
}

/// Whether a sentence gives a default for a property, which may be its previous value.
fn has_said_default(scene: &Scene<'_, '_>, name: &str) -> bool {
    let name = names::words(name);
    let mut sentences = scene.model.calls.iter().flat_map(Call::spoken);
    sentences.any(|sentence| {
        let is_named = sentence.windows(name.len()).any(|part| part == name);
        is_named && prose::has(&sentence, &["default", "defaults"])
    })
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (name, default): (&'d str, Option<&'d Node>),
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, &format!("replacing-{name}")).await?;
    let mut sent = scene.compose(&ready, "replacing")?;
    let body = sent.json.clone().ok_or("the call has no JSON body")?;
    let Some(full) = with_other(scene, call, &body, (name, default)) else {
        return Ok(false);
    };
    let old = full
        .get(name)
        .cloned()
        .ok_or("the body lacks the property")?;
    scene.put_json(&mut sent, &ready.call, full);
    let first = scene.send(sent.clone()).await;
    let is_there = record_of(call, &first).and_then(|node| node.get(name));
    if !is_there.is_some_and(|node| node.same_value(&old)) {
        return Ok(false);
    }
    let mut less = body;
    if let Value::Mapping(mapping) = &mut less.value {
        mapping.entries.retain(|entry| entry.key != name);
    }
    if !is_valid(scene, call, &less) {
        return Ok(false);
    }
    set_version_if_asked(call, &mut sent, &first);
    scene.put_json(&mut sent, &ready.call, less);
    let second = scene.send(sent).await;
    let Some(after) = record_of(call, &second).filter(|_| succeeded(&second)) else {
        return Ok(false);
    };
    let now = after.get(name);
    if now.is_some_and(|node| node.same_value(&old)) && !has_said_default(scene, name) {
        let claim = Claim::new(
            &checks::PUT_KEPT,
            Basis::Names,
            match default {
                Some(default) => {
                    format!("{}, the default of the omitted property", default.to_json())
                }
                None => "another value than before, as the request omits the property".to_owned(),
            },
            scene.shown(call, &Pointer::root().join(name), now),
        )
        .at(Pointer::root().join(name));
        scene.differ(draft, call, claim, &second);
    }
    Ok(true)
}

/// A valid body with a value of a property that is not its default.
fn with_other<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    body: &Node,
    (name, default): (&str, Option<&Node>),
) -> Option<Node> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref()).property(document, name);
    let shown = body.get(name).or(default)?;
    let is_other = |node: &Node| !node.is_null() && default.is_none_or(|one| !node.same_value(one));
    let known = shape.known_values().into_iter().map(value::string);
    let flipped = match shown.value {
        Value::Bool(flag) => Some(value::node(Value::Bool(!flag))),
        _ => None,
    };
    let is_of_texts = shape.items(document).type_name() == Some("string");
    let some = (shape.type_name() == Some("array") && is_of_texts)
        .then(|| value::node(Value::Sequence(vec![value::string("other")])));
    let all = std::iter::once(shown.clone())
        .chain(known)
        .chain(flipped)
        .chain(some)
        .chain(unlike(shown));
    let mut all = all.filter(is_other).filter_map(|other| {
        let mut whole = body.clone();
        value::put(&mut whole, &Pointer::root().join(name), other).ok()?;
        is_valid(scene, call, &whole).then_some(whole)
    });
    all.next()
}

/// Whether a body is valid for the operation.
pub(super) fn is_valid<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, body: &Node) -> bool {
    let schema = call.body.as_ref();
    let found = schema.map(|item| scene.contract().validate_request(item, body));
    matches!(found, Some(Ok(all)) if all.is_empty())
}
