//! Chronicle: a list of a record's events must show each step once, under its name.

use openapi_document::Node;
use openapi_document::view::Method;

use crate::checks;
use crate::model::{self, Call, Role};
use crate::names;
use crate::shape::Shape;

use crate::answered::{items_of, record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// At most this many steps are tested.
const MOST: usize = 4;

/// Tests a list below a record whose items are named after steps on that record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::List || !scene.may_write() {
        return Ok(false);
    }
    let Some(observed) = Events::of(scene, call) else {
        return Ok(false);
    };
    let mut tried = false;
    let steps: Vec<(&Call<'d>, Vec<&'d str>)> = steps(scene, call, &observed);
    for (step, due) in steps.into_iter().take(MOST) {
        tried |= test_call(scene, call, (step, &observed, &due), draft)
            .await
            .is_some();
    }
    Ok(tried)
}

/// The property with the name of an event, and its values.
struct Events<'d> {
    property: &'d str,
    names: Vec<&'d str>,
}

impl<'d> Events<'d> {
    fn of(scene: &Scene<'_, 'd>, list: &Call<'d>) -> Option<Self> {
        const KINDS: [&str; 6] = ["type", "event", "kind", "action", "name", "code"];
        let document = scene.model.document;
        let shape = Shape::of(document, list.record().map(|record| &record.schema));
        let is_kind = |name: &&str| {
            let words = names::words(name);
            words
                .last()
                .is_some_and(|word| KINDS.contains(&word.as_str()))
        };
        let mut all = shape.property_names().into_iter().filter(is_kind);
        all.find_map(|property| {
            let names = shape.property(document, property).known_values();
            (names.len() > 1).then_some(Self { property, names })
        })
    }

    /// The event names for a verb: `captured`, `payment.captured`.
    fn by(&self, verb: &str) -> Vec<&'d str> {
        let is_named = |name: &&&str| {
            let words = names::words(&name.to_lowercase());
            words.last().is_some_and(|word| names::is_done(word, verb))
        };
        self.names.iter().filter(is_named).copied().collect()
    }
}

/// The steps on the record of a list, each with its event names.
fn steps<'w, 'd>(
    scene: &Scene<'w, 'd>,
    list: &Call<'d>,
    observed: &Events<'d>,
) -> Vec<(&'w Call<'d>, Vec<&'d str>)> {
    let above = |path: &str| path.rsplit_once('/').map(|(item, _)| item.to_owned());
    let Some(record) = above(list.operation.stem()).filter(|word| word.ends_with('}')) else {
        return Vec::new();
    };
    let is_step = |call: &&Call<'d>| {
        let is_beside = above(call.operation.stem()).as_ref() == Some(&record);
        let writes = matches!(call.role, Role::Change | Role::Create);
        is_beside && writes && call.operation.method == Method::Post && scene.covers(call)
    };
    let model = scene.model;
    let all = model.calls.iter().filter(is_step).filter_map(|call| {
        let verb = names::singular(model::collection(call.operation.path));
        let due = observed.by(&verb);
        (!due.is_empty()).then_some((call, due))
    });
    all.collect()
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    (step, observed, due): (&Call<'d>, &Events<'d>, &[&str]),
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("chronicle-{}", step.operation.label());
    let ready = scene.ready(step, &tag).await.ok()?;
    let with = scene.compose(&ready, &tag).ok()?;
    let (_, record) = scene.record_before(step, &ready)?;
    let record = record.clone();
    let sent = scene.compose_read(list, &record, &with, &[]).ok()?;
    let first = scene.send(sent.clone()).await;
    let before: Vec<String> = items_of(list, &first)?.iter().map(Node::to_json).collect();
    let done = scene.call(&ready, &tag).await.ok()?;
    let is_open = record_of(step, &done).is_some_and(|node| scene.model.is_moving(node))
        || status(&done) == Some(202);
    // A list without the creation may lag behind.
    if before.is_empty() || is_open || !succeeded(&done) {
        return None;
    }
    let second = scene.send(sent).await;
    let after = items_of(list, &second)?;
    let new = after
        .iter()
        .filter(|node| !before.contains(&node.to_json()));
    let new: Vec<&str> = new
        .filter_map(|node| node.get(observed.property)?.as_str())
        .collect();
    let times = new.iter().filter(|item| due.contains(item)).count();
    if times != 1 {
        let claim = Claim::new(
            &checks::EVENT_ASTRAY,
            Basis::Names,
            format!(
                "`{}` once after `{}`",
                due.join("` or `"),
                step.operation.label()
            ),
            match &new[..] {
                [] => "nothing new".to_owned(),
                new => format!("new: {}", new.join(", ")),
            },
        );
        scene.differ(draft, list, claim, &second);
    }
    Some(())
}
