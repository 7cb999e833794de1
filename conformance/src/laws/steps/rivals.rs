//! Rivals: of two steps that exclude each other, only one may succeed among concurrent requests.
//!
//! Examples: capture and void, or two payments from one balance.

use openapi_document::Node;
use openapi_facts::Rule;

use crate::case::Step;
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::recipe::Recipe;

use crate::amount::{self, Amount, names_amount};
use crate::answered::{status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};

/// At most this many rivals of a step are tested.
const MOST: usize = 3;

/// The number of concurrent requests per step, and of rounds.
const TWINS: usize = 3;
const ROUNDS: usize = 2;

/// Tests a step with the steps after it in the document.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !scene.may_race() || !scene.may_write() || !is_step(call) {
        return Ok(false);
    }
    let model = scene.model;
    let label = call.operation.label();
    let all = model.calls.iter();
    let later = all
        .skip_while(|call| call.operation.label() != label)
        .skip(1);
    let mut tried = 0;
    let mut are_rivals = false;
    for other in later.filter(|call| is_step(call)) {
        if tried == MOST || !draft.is_clean() {
            break;
        }
        let Some(pair) = Pair::of(scene, call, other) else {
            continue;
        };
        tried += 1;
        are_rivals |= pair.race(scene, draft).await.is_some();
    }
    Ok(are_rivals)
}

/// Whether an operation may be refused because of earlier steps.
fn is_step(call: &Call<'_>) -> bool {
    let is_post = call.operation.method == openapi_document::view::Method::Post;
    let refuses = call.first_of(&[402, 409, 422]).is_some();
    is_post && refuses && matches!(call.role, Role::Change | Role::Create)
}

/// Two steps on one record.
struct Pair<'w, 'd> {
    call: &'w Call<'d>,
    recipe: &'w Recipe<'d>,
    step: Step<'d>,
    other: Step<'d>,
}

impl<'w, 'd> Pair<'w, 'd> {
    /// Two steps for which the preparation of one suffices.
    fn of(scene: &Scene<'w, 'd>, one: &Call<'d>, other: &Call<'d>) -> Option<Self> {
        let all = |call: &Call<'d>| -> Vec<(&'w Recipe<'d>, &'w Step<'d>)> {
            let recipes = scene.recipes(call).into_iter();
            let recipes = recipes.filter_map(|recipe| Some((recipe, recipe.split()?.0)));
            recipes
                .filter(|(_, step)| !step.flow.needs.is_empty())
                .take(1)
                .collect()
        };
        let (one, other) = (all(one).pop()?, all(other).pop()?);
        let model = scene.model;
        [(one, other), (other, one)]
            .into_iter()
            .find(|((recipe, step), (_, other))| {
                let (_, before) = recipe.split().unwrap_or((step, &[]));
                let created = |need: &String| before.iter().any(|step| step.id == *need);
                // They must share a record that is new.
                let shared = other
                    .flow
                    .needs
                    .iter()
                    .any(|need| step.flow.needs.contains(need));
                let is_new = before.iter().all(|step| {
                    let call = model.call(&step.name.operation);
                    call.is_some_and(|call| call.role == Role::Create)
                });
                shared && is_new && other.flow.needs.iter().all(created)
            })
            .and_then(|((recipe, step), (_, other))| {
                Some(Self {
                    call: model.call(&step.name.operation)?,
                    recipe,
                    step: step.clone(),
                    other: other.clone(),
                })
            })
    }

    /// Checks that each step is refused after the other one, then sends both concurrently.
    async fn race(&self, scene: &mut Scene<'w, 'd>, draft: &mut Draft) -> Option<()> {
        for (index, (first, second)) in [(&self.step, &self.other), (&self.other, &self.step)]
            .into_iter()
            .enumerate()
        {
            let ready = self.ready(scene, &format!("rivals-{index}")).await?;
            let one = self.compose(scene, &ready, first, "first")?;
            let other = self.compose(scene, &ready, second, "second")?;
            let done = scene.send(one).await;
            let refused = scene.send(other).await;
            let is_refused = matches!(status(&refused), Some(402 | 409 | 422));
            if !succeeded(&done) || status(&done) == Some(202) || !is_refused {
                return None;
            }
        }
        for round in 0..ROUNDS {
            let ready = self.ready(scene, &format!("rivals-race-{round}")).await?;
            let mut all = Vec::new();
            let mut steps = [&self.step, &self.other];
            // The order may matter, so it alternates.
            steps.rotate_left(round % 2);
            for twin in 0..TWINS {
                for step in steps {
                    all.push(self.compose(scene, &ready, step, &format!("twin-{twin}"))?);
                }
            }
            let exchanges = scene.send_together(all).await;
            let granted = |step: &Step<'d>| {
                let is_of = |exchange: &&Exchange| exchange.sent.operation == step.name.operation;
                exchanges
                    .iter()
                    .filter(is_of)
                    .find(|exchange| succeeded(exchange))
                    .cloned()
            };
            if let (Some(_), Some(last)) = (granted(&self.step), granted(&self.other)) {
                let (one, other) = (&self.step.name.operation, &self.other.name.operation);
                let claim = Claim::new(
                    &checks::RACE_WON_TWICE,
                    Basis::Names,
                    format!(
                        "one success of `{one}` and `{other}`, as each is refused after the other"
                    ),
                    "both succeeded",
                );
                scene.differ(draft, self.call, claim, &last);
                break;
            }
        }
        Some(())
    }

    async fn ready(&self, scene: &mut Scene<'w, 'd>, tag: &str) -> Option<Ready<'w, 'd>> {
        // A step has several rivals, each tested with other records.
        let tag = format!("{tag}-{}", self.other.name.operation);
        scene.prepare(self.recipe, &tag).await.ok()
    }

    /// A request of a step. If the step draws on a balance, it takes more than half.
    fn compose(
        &self,
        scene: &Scene<'w, 'd>,
        ready: &Ready<'_, 'd>,
        step: &Step<'d>,
        tag: &str,
    ) -> Option<Sent> {
        let mut sent = scene.compose_step(ready, step, tag).ok()?;
        let Some(record) = scene.record_before(self.call, ready).map(|pair| pair.1) else {
            return Some(sent);
        };
        let Some(most) = balance(scene, self.call, record) else {
            return Some(sent);
        };
        let Some(mut json) = sent.json.clone() else {
            return Some(sent);
        };
        let is_alike = |node: &Node| Amount::read(node).is_some_and(|item| item.is_of_unit(most));
        let amounts = json
            .entries()
            .filter(|entry| names_amount(&entry.key) && is_alike(&entry.value));
        let names: Vec<String> = amounts.map(|entry| entry.key.clone()).collect();
        if let [only] = &names[..] {
            amount::put(&mut json, only, most.with(most.units / 2 + 1)).ok()?;
            scene.put_json(&mut sent, step, json);
        }
        Some(sent)
    }
}

/// The current value of a number with a minimum that a call lowers, as a fact says.
fn balance(scene: &Scene<'_, '_>, call: &Call<'_>, record: &Node) -> Option<Amount> {
    let label = call.operation.label();
    let mut facts = scene.facts.list.iter();
    let name = facts.find_map(|fact| match &fact.rule {
        Rule::Counter(rule) => {
            let lowers = rule.lowered_by.iter().any(|step| step.operation == label);
            rule.subject
                .name
                .as_deref()
                .filter(|_| lowers && rule.least.is_some())
        }
        _ => None,
    })?;
    Amount::read(record.get(name)?)
}
