//! Histories: random walks over the operations on a record.
//!
//! After each step, the record must read as the step left it, and no step may succeed where facts bar it. A walk with
//! a finding is shortened as far as possible.

use openapi_document::{Node, Pointer};
use openapi_facts::Evidence;

use crate::case::Step;
use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;
use crate::recipe::Recipe;
use crate::value;

use crate::answered::{describe, key_name, record_of, status, succeeded};
use crate::scene::addressing::names_key;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::version::set_version;
use crate::scene::{Ready, Scene};

/// The number of walks per creating operation.
const WALKS: usize = 3;

/// The number of steps per walk.
const STEPS: usize = 8;

/// Tests an operation that creates a record with further operations on it.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !scene.may_write() {
        return Ok(false);
    }
    if call.role != Role::Create {
        return Ok(false);
    }
    let moves = moves(scene, call);
    if moves.is_empty() {
        return Ok(false);
    }
    Ok(test_call(scene, call, &moves, draft).await)
}

/// An operation on a record, with the recipe and step for it.
struct Move<'w, 'd> {
    call: &'w Call<'d>,
    recipe: &'w Recipe<'d>,
    step: Step<'d>,
}

/// A finding of a walk: the claim and the exchange that shows it.
struct Finding<'d> {
    claim: Claim,
    call: Call<'d>,
    exchange: Exchange,
    /// The requests that led to it.
    steps: Vec<Exchange>,
}

/// The operations on a created record that need no other preparation than its creation.
fn moves<'w, 'd>(scene: &Scene<'w, 'd>, creator: &Call<'d>) -> Vec<Move<'w, 'd>> {
    let mut moves = Vec::new();
    let label = creator.operation.label();
    for call in &scene.model.calls {
        if !matches!(call.role, Role::Change | Role::Delete | Role::Create) || !scene.covers(call) {
            continue;
        }
        let recipes = scene.recipes(call).into_iter();
        let mut fitting = recipes.filter(|recipe| {
            let before = recipe.split().map(|(_, before)| before).unwrap_or_default();
            let last = before.last().map(|step| step.name.operation.as_str());
            let is_grown = recipe
                .script
                .steps
                .iter()
                .all(|step| step.flow.spot.is_none());
            is_grown && last == Some(label.as_str())
        });
        if let Some(recipe) = fitting.next()
            && let Some((step, _)) = recipe.split()
        {
            moves.push(Move {
                call,
                recipe,
                step: step.clone(),
            });
        }
    }
    // All operations need the same preparation, so that each can follow any other.
    let before = |action: &Move<'w, 'd>| -> Vec<String> {
        let steps = action
            .recipe
            .split()
            .map(|(_, before)| before)
            .unwrap_or_default();
        steps.iter().map(|step| step.id.clone()).collect()
    };
    let first = moves.first().map(before);
    moves.retain(|action| Some(before(action)) == first);
    moves
}

async fn test_call<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    creator: &Call<'d>,
    moves: &[Move<'w, 'd>],
    draft: &mut Draft,
) -> bool {
    let mut walked = false;
    for index in 0..WALKS {
        let mut random = scene.random(&format!("histories/{}/{index}", creator.operation.label()));
        let picks: Vec<usize> = (0..STEPS).map(|_| random.usize(..moves.len())).collect();
        let tag = format!("history-{index}");
        match walk(scene, creator, moves, &picks, &tag).await {
            Err(_) => break,
            Ok(None) => walked = true,
            Ok(Some(finding)) => {
                let least = shrink(scene, creator, moves, picks, finding, &tag).await;
                scene.differ(draft, &least.call, least.claim, &least.exchange);
                scene.repeat_by(draft, &least.steps);
                return true;
            }
        }
    }
    walked
}

/// Removes steps as long as the same check reports a finding.
async fn shrink<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    creator: &Call<'d>,
    moves: &[Move<'w, 'd>],
    mut picks: Vec<usize>,
    mut least: Finding<'d>,
    tag: &str,
) -> Finding<'d> {
    let mut at = 0;
    let mut tries = 0;
    while at < picks.len() {
        let mut fewer = picks.clone();
        fewer.remove(at);
        tries += 1;
        let tag = format!("{tag}-less-{tries}");
        match walk(scene, creator, moves, &fewer, &tag).await {
            Ok(Some(finding)) if finding.claim.check == least.claim.check => {
                least = finding;
                picks = fewer;
            }
            _ => at += 1,
        }
    }
    least
}

/// Creates a record and takes the steps; compares the record after each.
async fn walk<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    creator: &Call<'d>,
    moves: &[Move<'w, 'd>],
    picks: &[usize],
    tag: &str,
) -> Result<Option<Finding<'d>>, String> {
    let first = moves.first().ok_or("no operation can follow")?;
    let ready = scene.prepare(first.recipe, tag).await?;
    let created = ready
        .state
        .kept
        .as_ref()
        .and_then(|kept| kept.last())
        .cloned();
    let created = created.ok_or("no record was created")?;
    let record = record_of(creator, &created)
        .cloned()
        .ok_or("no record was answered")?;
    let reader = *scene
        .readers_for(creator, &record, &created.sent)
        .first()
        .ok_or("no operation reads the record")?;
    let mut walker = Walker {
        creator: creator.clone(),
        reader: reader.clone(),
        known: record,
        created,
        steps: Vec::new(),
    };
    walker.steps.push(walker.created.clone());
    for (index, pick) in picks.iter().enumerate() {
        let action = &moves[*pick];
        if let Some(finding) = walker
            .step(scene, &ready, action, &format!("{tag}-{index}"))
            .await?
        {
            return Ok(Some(finding));
        }
        if walker.known.is_null() {
            break;
        }
    }
    Ok(None)
}

/// The state of a walk.
struct Walker<'d> {
    creator: Call<'d>,
    reader: Call<'d>,
    /// The last reading of the record; null after its deletion.
    known: Node,
    created: Exchange,
    steps: Vec<Exchange>,
}

impl<'d> Walker<'d> {
    async fn step(
        &mut self,
        scene: &mut Scene<'_, 'd>,
        ready: &Ready<'_, 'd>,
        action: &Move<'_, 'd>,
        tag: &str,
    ) -> Result<Option<Finding<'d>>, String> {
        let before = scene
            .read(&self.reader, &self.known, &self.created.sent)
            .await?;
        if let Some(now) = record_of(&self.reader, &before) {
            self.known = now.clone();
        }
        // A step that needs a value which no answer has cannot be taken here.
        let Ok(mut sent) = scene.compose_step(ready, &action.step, tag) else {
            return Ok(None);
        };
        set_version(&mut sent, &before);
        let exchange = scene.send(sent).await;
        self.steps.push(exchange.clone());
        if let Some(finding) = self.forbidden(scene, action, &exchange) {
            return Ok(Some(finding));
        }
        self.rename(&exchange);
        let read = scene
            .read(&self.reader, &self.known, &self.created.sent)
            .await?;
        self.steps.push(read.clone());
        let finding = self.check(scene, action, &exchange, &read);
        self.steps.pop();
        if let Some(now) = record_of(&self.reader, &read) {
            self.known = now.clone();
        } else if action.call.role == Role::Delete && succeeded(&exchange) {
            self.known = value::node(openapi_document::Value::Null);
        }
        Ok(finding)
    }

    /// Takes the key that a granted request gave to the record, so that the next reading finds it.
    fn rename(&mut self, granted: &Exchange) {
        let key = key_name(&self.creator).filter(|_| succeeded(granted));
        let sent = granted.sent.json.as_ref();
        if let Some((key, new)) = key.and_then(|key| Some((key, sent?.get(key)?.clone()))) {
            // A record without a place for it keeps its key.
            let _ = value::put(&mut self.known, &Pointer::root().join(key), new);
        }
    }

    /// Compares the reading after a step with its answer.
    fn check(
        &self,
        scene: &Scene<'_, 'd>,
        action: &Move<'_, 'd>,
        exchange: &Exchange,
        read: &Exchange,
    ) -> Option<Finding<'d>> {
        let granted = succeeded(exchange);
        let now = record_of(&self.reader, read);
        let Some(now) = now else {
            // Another law tests that a deleted record is not found.
            let is_gone = action.call.role == Role::Delete && granted;
            let texts = (
                format!("the record, {}", after(action, exchange)),
                describe(read),
            );
            let place = (&checks::HISTORY_DIFFERS, Pointer::root());
            return (!is_gone).then(|| self.finding(action, place, texts, read));
        };
        let answered =
            record_of(action.call, exchange).filter(|record| self.is_same(action, record));
        let expected = match (granted, action.call.role, answered) {
            (true, Role::Change, Some(answered)) => answered,
            // After an error of the server, the record may be in any state.
            (false, ..) if is_refusal(exchange) => &self.known,
            _ => return None,
        };
        if scene.model.is_moving(expected) || scene.model.is_moving(now) {
            return None;
        }
        let first = scene
            .mismatches(&self.creator, expected, now)
            .into_iter()
            .next()?;
        let place = first.pointer.clone();
        let texts = (
            format!(
                "{}, {}",
                scene.shown(&self.creator, &place, Some(&first.one)),
                after(action, exchange)
            ),
            scene.shown(&self.creator, &place, first.other.as_ref()),
        );
        Some(self.finding(action, (&checks::HISTORY_DIFFERS, place), texts, read))
    }

    /// Whether an answer shows the record of this walk and not one created from it.
    fn is_same(&self, action: &Move<'_, 'd>, record: &Node) -> bool {
        let kind = self.creator.record();
        let same_kind =
            kind.is_some_and(|kind| action.call.record().is_some_and(|record| record.is(kind)));
        let key = key_name(&self.creator);
        let same = |key: &str| {
            let known = self.known.get(key);
            record
                .get(key)
                .is_some_and(|node| known.is_some_and(|known| known.same_value(node)))
        };
        same_kind && key.is_some_and(same)
    }

    /// A finding if a step succeeded in a state that bars it.
    fn forbidden(
        &self,
        scene: &Scene<'_, 'd>,
        action: &Move<'_, 'd>,
        exchange: &Exchange,
    ) -> Option<Finding<'d>> {
        if !succeeded(exchange) {
            return None;
        }
        // The step may act on a parent record.
        let key = self.known.get(key_name(&self.creator)?)?;
        names_key(action.call, &exchange.sent, key).then_some(())?;
        let names = self.known.entries().map(|entry| entry.key.as_str());
        let property = names::state_name(names)?;
        let state = self.known.get(property)?.as_str()?;
        let fact = scene.facts.barring(&action.call.operation.label(), state)?;
        // A fact that was only read may concern another record.
        if fact.evidence() != Evidence::Stated || scene.model.is_moving(&self.known) {
            return None;
        }
        let expected = format!("a refusal in the state {state}");
        let claim = Claim::new(
            &checks::TRANSITION_FORBIDDEN,
            scene.basis(fact),
            expected,
            describe(exchange),
        );
        Some(self.found(action, claim, exchange))
    }

    fn finding(
        &self,
        action: &Move<'_, 'd>,
        (check, pointer): (&'static Check, Pointer),
        (expected, actual): (String, String),
        exchange: &Exchange,
    ) -> Finding<'d> {
        let basis = Basis::Name(action.call.operation.at.node.span);
        let claim = Claim::new(check, basis, expected, actual).at(pointer);
        self.found(action, claim, exchange)
    }

    fn found(&self, action: &Move<'_, 'd>, claim: Claim, exchange: &Exchange) -> Finding<'d> {
        Finding {
            claim,
            call: action.call.clone(),
            exchange: exchange.clone(),
            steps: self.steps.clone(),
        }
    }
}

/// The reason for an expected value, in a finding.
fn after(action: &Move<'_, '_>, exchange: &Exchange) -> String {
    let what = action.call.operation.label();
    if succeeded(exchange) {
        format!("as in the answer of `{what}`")
    } else {
        format!("as before the refused `{what}`")
    }
}

/// Whether the server refused a request.
fn is_refusal(exchange: &Exchange) -> bool {
    status(exchange).is_some_and(|code| (400..500).contains(&code))
}
