//! Recipes for a call, each built from a plan.

use std::collections::{BTreeMap, BTreeSet};

use super::Recipe;
use super::change::Change;
use super::existing;
use super::growth::{Grower, Growth};
use super::plan::Plan;
use super::plans::MOST_PLAIN;
use crate::case::Script;
use crate::collect::area;
use crate::model::{Call, Role};
use crate::sample::Extent;

/// At most this many examples of a call are tried after the recipe of its record's creator.
const ONWARD: usize = 2;

impl<'d> Grower<'_, 'd> {
    /// The recipes that may lead to a success of a call.
    pub(super) fn recipes(&self, call: &Call<'d>) -> Vec<Recipe<'d>> {
        self.by_plans(call, self.plans(call, &Self::keys(call)))
    }

    /// The recipes that may lead to the refusal which an example is answered with: with only the records that it
    /// names,
    /// then with a success of the call before it.
    pub(super) fn ways_to_refusal(&self, call: &Call<'d>, key: &'d str) -> Vec<Recipe<'d>> {
        let mut all = self.plans(call, &[Some(key)]);
        let plain = all.clone();
        let after = Self::keys(call).into_iter().flatten().flat_map(|before| {
            let after = |plan: &Plan<'d>| Plan {
                earlier_example: Some(before),
                ..plan.clone()
            };
            plain.iter().map(after).collect::<Vec<_>>()
        });
        all.truncate(MOST_PLAIN);
        all.extend(after.take(MOST_PLAIN));
        self.by_plans(call, all)
    }

    fn by_plans(&self, call: &Call<'d>, plans: Vec<Plan<'d>>) -> Vec<Recipe<'d>> {
        self.from(&Growth::default(), call, plans)
    }

    /// The recipes that continue a recipe of the creator of the call's record.
    pub(super) fn onward(&self, call: &Call<'d>, creator: &Recipe<'d>) -> Vec<Recipe<'d>> {
        let mut begun = Growth {
            steps: creator.script.steps.clone(),
            ..Growth::default()
        };
        for step in &mut begun.steps {
            let label = step.name.operation.clone();
            let created = self.model.call(&label);
            let key = match created.map(|call| call.role) {
                Some(Role::Create) => label,
                Some(_) if creator.existing.is_some() => existing::key(&label),
                _ => continue,
            };
            begun.created.entry(key).or_insert_with(|| step.id.clone());
        }
        let keys: Vec<Option<&'d str>> = Self::keys(call).into_iter().take(ONWARD).collect();
        let mut plans = self.plans_onward(call, &keys);
        for plan in &mut plans {
            plan.existing.clone_from(&creator.existing);
        }
        let mut recipes = self.from(&begun, call, plans.clone());
        recipes.extend(self.alike(begun, call, plans, &recipes));
        for recipe in &mut recipes {
            recipe.script.name = format!("{}/onward", recipe.script.name);
            recipe.script.inputs.clone_from(&creator.script.inputs);
        }
        recipes
    }

    /// The same recipes with the changes applied to a second record of the kind, too, if the call names one.
    fn alike(
        &self,
        mut begun: Growth<'d>,
        call: &Call<'d>,
        plans: Vec<Plan<'d>>,
        known: &[Recipe<'d>],
    ) -> Vec<Recipe<'d>> {
        let labels = begun.steps.iter().map(|step| step.name.operation.clone());
        let changes = |word: &String| {
            let call = self.model.call(word);
            call.is_some_and(|call| call.is_step() || self.creator(call).is_some())
        };
        begun.changed = labels.filter(changes).map(Change::plain).collect();
        let mut alike = self.from(&begun, call, plans);
        alike.retain(|candidate| {
            let mut known = known
                .iter()
                .filter(|recipe| recipe.script.name == candidate.script.name);
            known.all(|recipe| recipe.script.steps.len() < candidate.script.steps.len())
        });
        for recipe in &mut alike {
            recipe.script.name.push_str("/alike");
        }
        alike
    }

    fn from(&self, begun: &Growth<'d>, call: &Call<'d>, plans: Vec<Plan<'d>>) -> Vec<Recipe<'d>> {
        let mut recipes = Vec::new();
        let mut seen = BTreeSet::new();
        for plan in plans {
            let mut growth = begun.clone();
            if self.grow(&mut growth, call, &plan, 0).is_none() {
                continue;
            }
            let is_lean = plan.extent != Extent::Full || plan.extent_before != Extent::Full;
            let is_known = plan.existing.is_some() && begun.steps.is_empty() && !growth.is_resort;
            if is_known || (is_lean && !growth.is_invented) {
                continue;
            }
            if let (Some(before), Some(item)) = (plan.earlier_example, plan.example) {
                Self::share_keys(call, (before, item), &mut growth.steps);
            }
            let name = format!("{}/{}", call.operation.label(), plan.name());
            if seen.insert(name.clone()) {
                let existing = plan.existing.as_ref().filter(|_| growth.takes_existing);
                let existing = existing.map(|item| format!("existing {item}"));
                let script = Script {
                    area: area(&call.operation),
                    inputs: BTreeMap::new(),
                    steps: growth.steps,
                    name,
                };
                recipes.push(Recipe {
                    script,
                    size: plan.size(),
                    example: plan.example,
                    names_more: !plan.naming.is_empty(),
                    based_on: plan.based_on.or_else(|| existing.clone()),
                    existing: plan.existing,
                    is_onward: !begun.steps.is_empty(),
                    is_after_own: plan.earlier_example.is_some(),
                    creator: plan.creator.map(|(item, _)| item),
                    before_creator: plan.before_creator.iter().map(Change::name).collect(),
                    changes: plan.changes.iter().map(Change::name).collect(),
                });
            }
        }
        recipes
    }
}
