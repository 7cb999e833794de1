//! Requires: the server must refuse a body in which one property lacks another one that a fact requires with it.

use openapi_document::view::{MediaType, Method};
use openapi_document::{Node, Pointer};
use openapi_facts::rule::{Condition, Need, Requires};
use openapi_facts::{Evidence, Fact, Rule};

use crate::checks;
use crate::model::{Call, Model};
use crate::sample::{self, Extent};
use crate::shape::Shape;
use crate::value;

use crate::answered::{describe, succeeded};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};

/// The facts about two properties of a call's body.
fn facts<'w, 'd>(scene: &Scene<'w, 'd>, call: &Call<'d>) -> Vec<(&'w Fact, &'w Requires, &'w str)> {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let names = shape.property_names();
    let all = scene.facts_about(call).filter_map(|fact| match &fact.rule {
        Rule::Requires(rule) => Some((fact, rule, rule.subject.name.as_deref()?)),
        _ => None,
    });
    let is_there = |name: &str| names.contains(&name);
    all.filter(|(_, rule, name)| is_there(name) && is_there(&rule.condition.name))
        .collect()
}

/// Whether a body breaks one of these facts.
pub(crate) fn is_broken<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, body: &Node) -> bool {
    facts(scene, call).into_iter().any(|(_, rule, name)| {
        let (is_there, holds) = (body.get(name).is_some(), rule.condition.holds(body));
        match rule.need {
            Need::Present => holds && !is_there,
            Need::Absent => holds && is_there,
            Need::OnlyThen => !holds && is_there,
            Need::OneOf => holds == is_there,
            Need::Null => holds && body.get(name).is_some_and(|node| !node.is_null()),
        }
    })
}

/// A body that breaks the first of these facts. `None` without one.
pub(super) fn broken<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, body: &Node) -> Option<Node> {
    facts(scene, call)
        .into_iter()
        .find_map(|(fact, rule, name)| {
            let (_, asked) = pairs(fact, rule).into_iter().next()?;
            with(scene, call, (rule, name), (body, asked))
        })
}

/// Rules about two properties of a body. A PATCH is excluded, as the record may already have a property.
pub(super) fn applies(rule: &Requires, model: &Model<'_>, call: &Call<'_>) -> bool {
    let is_tried = !matches!(rule.need, Need::OnlyThen | Need::Null);
    let shape = Shape::of(model.document, call.body.as_ref());
    let names = shape.property_names();
    let is_there = |name: &str| names.contains(&name);
    let is_of_body =
        rule.subject.name.as_deref().is_some_and(is_there) && is_there(&rule.condition.name);
    is_tried && is_of_body && call.operation.method != Method::Patch
}

/// Sends a request that follows the rule, and one that breaks it.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Requires),
    draft: &mut Draft,
) -> Tried {
    let name = rule.subject.name.as_deref().unwrap_or_default();
    let mut tried = false;
    for (index, (kept, broken)) in pairs(fact, rule).into_iter().enumerate() {
        let tag = format!("needed-{name}-{}-{index}", rule.condition.name);
        let one = test_call(scene, call, (fact, rule, name), (kept, broken, &tag), draft).await;
        tried |= one.is_some();
    }
    let reason = format!("no request that keeps to it succeeded: {rule}");
    if tried { Ok(true) } else { Err(reason) }
}

/// Whether the condition holds, and whether the required property is present.
type Asked = (bool, bool);

/// Requests that follow a rule, each with one that breaks it.
fn pairs(fact: &Fact, rule: &Requires) -> Vec<(Asked, Asked)> {
    match rule.need {
        Need::Present => vec![((true, true), (true, false))],
        Need::Absent => vec![((true, false), (true, true))],
        Need::OneOf if fact.evidence() == Evidence::Stated => vec![
            ((true, false), (true, true)),
            ((true, false), (false, false)),
        ],
        // "One of" in a sentence may mean "at least one".
        Need::OneOf => vec![((true, false), (false, false))],
        // A server may ignore a property that is used only in a case, and answers show what is null.
        Need::OnlyThen | Need::Null => Vec::new(),
    }
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule, name): (&Fact, &Requires, &str),
    (kept, broken, tag): (Asked, Asked, &str),
    draft: &mut Draft,
) -> Option<()> {
    let ready = scene.ready(call, tag).await.ok()?;
    let mut control = scene.compose(&ready, tag).ok()?;
    let body = with(scene, call, (rule, name), (control.json.as_ref()?, kept))?;
    scene.put_valid(call, (&mut control, &ready.call), body)?;
    let granted = scene.send(control).await;
    // If the first request fails, the refusal of the second one has no meaning.
    succeeded(&granted).then_some(())?;
    let tag = format!("{tag}-broken");
    let ready = scene.ready(call, &tag).await.ok()?;
    let mut sent = scene.compose(&ready, &tag).ok()?;
    let body = with(scene, call, (rule, name), (sent.json.as_ref()?, broken))?;
    scene.put_json(&mut sent, &ready.call, body);
    let exchange = scene.send(sent).await;
    if !succeeded(&exchange) {
        scene.judge_refusal(draft, call, &exchange);
        return Some(());
    }
    let expected = format!("a refusal: {rule}");
    let basis = scene.basis(fact);
    let claim = Claim::new(
        &checks::CONSTRAINT_IGNORED,
        basis,
        expected,
        describe(&exchange),
    );
    let at = Pointer::root().join(name);
    scene.differ(draft, call, claim.at(at), &exchange);
    Some(())
}

/// A body with the condition and the required property as requested. `None` if it cannot be built.
fn with<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (rule, name): (&Requires, &str),
    (body, (is_so, is_there)): (&Node, Asked),
) -> Option<Node> {
    let mut body = body.clone();
    let condition = &rule.condition;
    if condition.holds(&body) != is_so {
        let is_one = is_so != condition.negated;
        set(scene, call, (condition, is_one), &mut body)?;
    }
    if !is_there {
        value::remove(&mut body, name);
    } else if body.get(name).is_none_or(Node::is_null) {
        let mut all = candidates(scene, call, name).into_iter();
        let value = all.find(|node| !node.is_null())?;
        value::put(&mut body, &Pointer::root().join(name), value).ok()?;
    }
    (condition.holds(&body) == is_so).then_some(body)
}

/// Sets the property of a condition to one of its values, or to another one; removes it if it must be absent.
fn set<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (condition, is_one): (&Condition, bool),
    body: &mut Node,
) -> Option<()> {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let shape = shape.property(scene.model.document, &condition.name);
    let new = match condition.values.first() {
        None if is_one => {
            let mut all = candidates(scene, call, &condition.name).into_iter();
            all.find(|node| !node.is_null())?
        }
        None => {
            value::remove(body, &condition.name);
            return Some(());
        }
        Some(first) if is_one => value::of_type(first, shape.type_name())?,
        // An absent property has its default, which may be one of the values.
        Some(_) => {
            let mut known = shape.known_values().into_iter();
            let is_none = |word: &&str| !condition.values.iter().any(|one| one == word);
            value::string(known.find(is_none)?)
        }
    };
    value::put(body, &Pointer::root().join(condition.name.as_str()), new).ok()
}

/// Values of a property: those of the examples, then a generated one.
fn candidates<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, name: &str) -> Vec<Node> {
    let document = scene.model.document;
    let content = call.operation.request_body().map(|body| body.content());
    let content = content.unwrap_or_default();
    let shown = content.iter().flat_map(MediaType::examples);
    let shown = shown.filter_map(|example| example.value.node.get(name).cloned());
    let shape = Shape::of(document, call.body.as_ref()).property(document, name);
    let created = sample::invent(document, &shape, Extent::Full);
    shown.chain(created).collect()
}
