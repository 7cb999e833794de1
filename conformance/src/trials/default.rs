//! Default: omitting a property of a body must have the same effect as sending its documented default.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer, Value};
use openapi_facts::rule::Default;
use openapi_facts::{Evidence, Fact};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model, Role};
use crate::names;
use crate::shape::Shape;
use crate::value;

use crate::answered::record_of;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};

/// A body property of a request that creates a record or takes a step on one.
pub(super) fn applies(rule: &Default, _: &Model<'_>, call: &Call<'_>) -> bool {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    let name = rule.subject.name.as_deref();
    let mut parameters = call.operation.parameters().into_iter();
    let is_parameter = parameters.any(|parameter| Some(parameter.name) == name);
    call.body.is_some() && !is_parameter && (is_step || call.role == Role::Create)
}

/// Omits the property.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Default),
    draft: &mut Draft,
) -> Tried {
    match default(scene, call, rule) {
        Some((name, default)) => test_call(scene, call, (name, &default, fact), draft).await,
        None => Ok(false),
    }
}

/// The optional property of a body, with its default.
fn default<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, rule: &Default) -> Option<(&'d str, Node)> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    let name = names.find(|name| rule.subject.name.as_deref() == Some(*name))?;
    let item = shape.property(document, name);
    if shape.requires(name) || item.flag("readOnly") || item.flag("x-natural-key") {
        return None;
    }
    let keyword = item.keyword("default").cloned();
    let keyword = keyword.filter(|value| value::plain(value) == rule.value);
    let value = keyword.or_else(|| value::of_type(&rule.value, item.type_name()));
    Some((name, value?))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (name, default, fact): (&'d str, &Node, &Fact),
    draft: &mut Draft,
) -> Result<bool, String> {
    let is_stated = fact.evidence() == Evidence::Stated;
    let tag = format!("defaults-{name}");
    let ready = scene.ready(call, &tag).await?;
    let given = send(scene, call, &ready, (name, Some(default))).await?;
    let ready = scene.ready(call, &format!("{tag}-without")).await?;
    let without = send(scene, call, &ready, (name, None)).await?;
    if call.role == Role::Create && is_stated {
        is_heard(scene, call, (name, default, &given), draft).await?;
    }
    let (Some(one), Some(other)) = (
        record_of(call, &given).filter(|node| !scene.model.is_moving(node)),
        record_of(call, &without),
    ) else {
        return Ok(false);
    };
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|record| &record.schema));
    for entry in one.entries() {
        // Only enumerated values and flags, which the request decides, and the property itself are compared.
        let shape = shape.property(document, &entry.key);
        let is_listed =
            !shape.known_values().is_empty() || matches!(entry.value.value, Value::Bool(_));
        let (sent, now) = (without.sent.json.as_ref(), other.get(&entry.key));
        let is_sent = sent.is_some_and(|node| node.get(&entry.key).is_some());
        let is_same = now.is_some_and(|now| now.same_value(&entry.value));
        let is_default = entry.key == name && entry.value.same_value(default);
        if is_same || is_sent || !(is_listed && is_stated || is_default) {
            continue;
        }
        let pointer = Pointer::root().join(entry.key.as_str());
        let claim = Claim::new(
            &checks::DEFAULT_DIFFERS,
            scene.basis(fact),
            format!(
                "{}, as with `{name}` set to {}",
                scene.shown(call, &pointer, Some(&entry.value)),
                default.to_json()
            ),
            scene.shown(call, &pointer, now),
        )
        .at(pointer);
        scene.differ(draft, call, claim, &without);
    }
    Ok(true)
}

/// The server must answer a flag that the client sets to the opposite of its default.
async fn is_heard<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (name, default, given): (&'d str, &Node, &Exchange),
    draft: &mut Draft,
) -> Result<(), String> {
    let Value::Bool(flag) = default.value else {
        return Ok(());
    };
    let ready = scene.ready(call, &format!("defaults-{name}-other")).await?;
    let other = value::node(Value::Bool(!flag));
    let exchange = send(scene, call, &ready, (name, Some(&other))).await?;
    let answered = record_of(call, &exchange).and_then(|record| record.get(name));
    if let Some(answered) = answered.filter(|answered| !answered.same_value(&other)) {
        let pointer = Pointer::root().join(name);
        let claim = Claim::new(
            &checks::ECHO,
            Basis::Names,
            format!("{} as sent", scene.shown(call, &pointer, Some(&other))),
            scene.shown(call, &pointer, Some(answered)),
        )
        .at(pointer);
        scene.differ(draft, call, claim, &exchange);
    }
    if !flag {
        is_done(scene, call, (name, given, &exchange), draft);
    }
    Ok(())
}

/// A flag named like a step, such as `capture`, must lead to another state than its absence, if a state has the
/// participle of that name.
fn is_done<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (name, without, with): (&str, &Exchange, &Exchange),
    draft: &mut Draft,
) {
    let (Some(one), Some(other)) = (record_of(call, without), record_of(call, with)) else {
        return;
    };
    if scene.model.is_moving(one) || scene.model.is_moving(other) {
        return;
    }
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|record| &record.schema));
    let verb = name.to_lowercase();
    for entry in other.entries() {
        let known = shape.property(document, &entry.key).known_values();
        let says_done = |word: &&str| names::is_done(&word.to_lowercase(), &verb);
        let Some(done) = known.into_iter().find(says_done) else {
            continue;
        };
        let same = one
            .get(&entry.key)
            .is_some_and(|node| node.same_value(&entry.value));
        if same && entry.value.as_str() != Some(done) {
            let pointer = Pointer::root().join(entry.key.as_str());
            let claim = Claim::new(
                &checks::STEP_UNDONE,
                Basis::Names,
                format!("\"{done}\", the state that `{name}` requests"),
                scene.shown(call, &pointer, Some(&entry.value)),
            )
            .at(pointer);
            scene.differ(draft, call, claim, with);
        }
    }
}

/// Sends the request with a value of a property, or without the property.
async fn send<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (name, wanted): (&str, Option<&Node>),
) -> Result<Exchange, String> {
    let mut sent = scene.compose(ready, "default")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    match wanted {
        Some(wanted) => value::put(&mut json, &Pointer::root().join(name), wanted.clone())?,
        None => value::remove(&mut json, name),
    }
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    if !scene.contract().validate_request(schema, &json)?.is_empty() {
        return Err(format!("`{name}` cannot be omitted or sent alone"));
    }
    scene.put_json(&mut sent, &ready.call, json);
    Ok(scene.send(sent).await)
}
