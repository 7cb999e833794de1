//! Clashes: the server must refuse a second record with a value that a fact says is unique.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};
use openapi_facts::rule::Unique;
use openapi_facts::{Evidence, Fact, Rule};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::shape::Shape;
use crate::value;

use crate::answered::{describe as answered, key_name, record_of, status, succeeded};
use crate::names;
use crate::scene::Scene;
use crate::scene::another_body::another_body;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::key::{header, set_key};
use crate::scene::unchanged::claim_changes;

/// The length of a generated value.
const LENGTH: usize = 13;

/// Tests the body properties that facts say are unique.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let creates = call.role == Role::Create && call.operation.method == Method::Post;
    if !creates && call.role != Role::Change {
        return Ok(false);
    }
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let names = shape.property_names();
    // A value that no answer shows may be stored in another form, unless the fact is stated.
    let observed = Shape::of(
        scene.model.document,
        call.record().map(|record| &record.schema),
    );
    let observed = observed.property_names();
    let all: Vec<(&Fact, &Unique, &str)> = { scene.facts_about(call) }
        .filter_map(|fact| match &fact.rule {
            Rule::Unique(rule) if rule.holds => Some((fact, rule, rule.subject.name.as_deref()?)),
            _ => None,
        })
        .filter(|(fact, _, name)| {
            let is_stated = fact.evidence() == Evidence::Stated;
            let may_be_hidden = is_stated && key_name(call).is_some();
            (creates || is_stated)
                && names.contains(name)
                && (may_be_hidden || observed.contains(name))
        })
        .collect();
    let mut found = Ok(false);
    for (fact, rule, name) in all {
        let tried = if creates {
            test_call(scene, call, (fact, rule, name), draft).await
        } else {
            renamed(scene, call, (fact, rule, name), draft).await
        };
        match tried {
            Ok(()) => found = Ok(true),
            // A fact that was only read may be wrong, and then there is nothing to test.
            Err(why) if found == Ok(false) && fact.evidence() == Evidence::Stated => {
                found = Err(why);
            }
            Err(_) => {}
        }
    }
    found
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule, name): (&Fact, &Unique, &str),
    draft: &mut Draft,
) -> Result<(), String> {
    let at = Pointer::root().join(name);
    let ready = scene.ready(call, &format!("taken-{name}")).await?;
    let mut sent = scene.compose(&ready, "taken-first")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    if json.get(name).is_none() {
        let created: String = ready.state.fresh.fork("taken").uuid();
        let created: String = created.chars().take(LENGTH).collect();
        value::put(&mut json, &at, value::string(&created))?;
        let put = scene.put_valid(call, (&mut sent, &ready.call), json.clone());
        put.ok_or_else(|| format!("no value of `{name}` is known"))?;
    }
    // A value of digits has no other letter case.
    if let Some(text) = json
        .get(name)
        .and_then(Node::as_str)
        .filter(|_| rule.ignores_case)
        && !text.chars().any(char::is_alphabetic)
    {
        let lettered = value::string(&format!("a{}", text.chars().skip(1).collect::<String>()));
        value::put(&mut json, &at, lettered)?;
        let put = scene.put_valid(call, (&mut sent, &ready.call), json.clone());
        put.ok_or_else(|| format!("no value of `{name}` has letters"))?;
    }
    let taken = json.get(name).cloned();
    let taken = taken.ok_or_else(|| format!("no value of `{name}` is known"))?;
    let first = scene.send(sent).await;
    // Only a value that the record shows unchanged can be compared.
    let may_be_hidden = fact.evidence() == Evidence::Stated;
    let key = key_with_value(call, &first, (name, &taken), may_be_hidden);
    let key = key.ok_or_else(|| format!("no created record shows its `{name}`"))?;
    let mut sent = scene.compose(&ready, "taken-second")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    if let (Some(_), Some(whole)) = (&rule.scope, &first.sent.json) {
        json = alike(scene, call, (whole, &json));
    }
    value::put(&mut json, &at, taken.clone())?;
    scene.put_json(&mut sent, &ready.call, json);
    if let Some(header) = header(scene, call) {
        set_key(
            &mut sent,
            header,
            ready.state.fresh.fork("taken-key").uuid(),
        );
    }
    let before = first_as_read(scene, call, &first).await;
    let second = scene.send(sent).await;
    if let Some((reader, record)) = before.filter(|_| !succeeded(&second))
        && let Some((_, now)) = first_as_read(scene, call, &first).await
    {
        claim_changes(scene, (call, reader), (&record, &now), &second, draft);
    }
    match key_with_value(call, &second, (name, &taken), may_be_hidden) {
        // The server may answer a repeat with the existing record.
        Some(other) if !other.same_value(&key) => {
            let expected = format!("a refusal, as another record has this `{name}`");
            let actual = "a second record with this value";
            let basis = scene.basis(fact);
            let claim = Claim::new(&checks::KEY_REUSED, basis, expected, actual).at(at);
            scene.differ(draft, call, claim, &second);
        }
        Some(_) => {}
        None if succeeded(&second) => {}
        None => {
            scene.judge_seen(draft, call, &second, |code| {
                *code == 409 || Some(*code) == rule.status
            });
        }
    }
    if !succeeded(&second) {
        // With other values beside the taken one, a refused request that changes the first record is seen.
        overwrites(scene, call, (&first, &second), draft).await;
    }
    if let (true, Some(other)) = (rule.ignores_case, in_other_case(&taken)) {
        let mut sent = scene.compose(&ready, "taken-case")?;
        let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
        value::put(&mut json, &Pointer::root().join(name), other)?;
        if scene
            .put_valid(call, (&mut sent, &ready.call), json)
            .is_some()
        {
            let exchange = scene.send(sent).await;
            reused(scene, call, (fact, name), &exchange, draft);
        }
    }
    elsewhere(scene, call, (fact, rule, name), &taken, draft).await
}

/// A text with its letters in the other case. `None` if it has none.
fn in_other_case(text: &Node) -> Option<Node> {
    let text = text.as_str()?;
    let upper = text.to_uppercase();
    let other = if upper == text {
        text.to_lowercase()
    } else {
        upper
    };
    (other != text).then(|| value::string(&other))
}

/// Claims that a request with a taken value was accepted.
fn reused<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, name): (&Fact, &str),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    if succeeded(exchange) {
        let expected = format!("a refusal, as another record has this `{name}`");
        let claim = Claim::new(
            &checks::KEY_REUSED,
            scene.basis(fact),
            expected,
            answered(exchange),
        );
        let at = Pointer::root().join(name);
        scene.differ(draft, call, claim.at(at), exchange);
    }
}

/// A change must not give a record the value of another one.
async fn renamed<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule, name): (&Fact, &Unique, &str),
    draft: &mut Draft,
) -> Result<(), String> {
    if rule.scope.is_some() {
        return Err("the other record may be out of the scope of the value".to_owned());
    }
    let other = scene.ready(call, &format!("renamed-other-{name}")).await?;
    let taken = { scene.record_before(call, &other) }.and_then(|(_, record)| record.get(name));
    let taken = taken.cloned();
    let taken = taken.ok_or_else(|| format!("no record shows its `{name}`"))?;
    let ready = scene.ready(call, &format!("renamed-{name}")).await?;
    let mut sent = scene.compose(&ready, "renamed")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    value::put(&mut json, &Pointer::root().join(name), taken)?;
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    reused(scene, call, (fact, name), &exchange, draft);
    Ok(())
}

/// Repeats a refused request with another value beside the taken one: the first record must stay as it was.
async fn overwrites<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (first, second): (&Exchange, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let other = another_body(scene, call, second.sent.json.as_ref()?)?;
    let (_, before) = first_as_read(scene, call, first).await?;
    let mut sent = second.sent.clone();
    sent.put_json(scene.model.document, call.body.as_ref(), other);
    let third = scene.send(sent).await;
    if !succeeded(&third) {
        let (reader, now) = first_as_read(scene, call, first).await?;
        claim_changes(scene, (call, reader), (&before, &now), &third, draft);
    }
    Some(())
}

/// The current reading of a record, with its reader.
async fn first_as_read<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    created: &Exchange,
) -> Option<(&'w Call<'d>, Node)> {
    let record = record_of(call, created)?.clone();
    let reader = scene.readers_for(call, &record, &created.sent);
    let reader = reader.first().copied()?;
    let read = scene.read(reader, &record, &created.sent).await.ok()?;
    Some((reader, record_of(reader, &read)?.clone()))
}

/// Under another parent, which is the scope of the value, the value must be accepted.
async fn elsewhere<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule, name): (&Fact, &Unique, &str),
    taken: &Node,
    draft: &mut Draft,
) -> Result<(), String> {
    let parents = call.path_parameters();
    let scope = rule.scope.as_deref();
    let is_of_parent =
        scope.is_some_and(|scope| parents.iter().any(|name| names::same(name, scope)));
    if !is_of_parent || fact.evidence() != Evidence::Stated {
        return Ok(());
    }
    let ready = scene
        .ready(call, &format!("taken-elsewhere-{name}"))
        .await?;
    let mut sent = scene.compose(&ready, "taken-elsewhere")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let at = Pointer::root().join(name);
    value::put(&mut json, &at, taken.clone())?;
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    let is_taken = status(&exchange).is_some_and(|code| code == 409 || Some(code) == rule.status);
    if is_taken {
        let expected = format!(
            "a success, as `{name}` is unique within its `{}`",
            parents.join("`, `")
        );
        let basis = scene.basis(fact);
        let claim = Claim::new(&checks::VALID_REFUSED, basis, expected, answered(&exchange));
        scene.differ(draft, call, claim.at(at), &exchange);
    }
    Ok(())
}

/// The key of a created record, if the record shows the value or may hide it.
fn key_with_value(
    call: &Call<'_>,
    exchange: &Exchange,
    (name, taken): (&str, &Node),
    may_be_hidden: bool,
) -> Option<Node> {
    let record = record_of(call, exchange)?;
    let has_it = { record.get(name) }.map_or(may_be_hidden, |shown| shown.same_value(taken));
    record.get(key_name(call)?).filter(|_| has_it).cloned()
}

/// The first body with the unique values of the second one, so that the scope of uniqueness is the same.
fn alike<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, (first, second): (&Node, &Node)) -> Node {
    let mut whole = first.clone();
    let unique = scene.facts_about(call);
    let unique = unique.filter(|fact| matches!(fact.rule, Rule::Unique(_)) && fact.rule.holds());
    for name in unique.filter_map(|fact| fact.rule.subject()?.name.as_deref()) {
        if let Some(other) = second.get(name) {
            // A property that cannot be set was absent, too.
            let _ = value::put(&mut whole, &Pointer::root().join(name), other.clone());
        }
    }
    whole
}
