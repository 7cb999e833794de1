//! Choice: finds once which recipe makes an operation succeed.

use std::sync::Arc;

use super::attempts;
use super::draft::Draft;
use super::turns::Turns;
use super::{Ready, Scene};
use crate::answered::{is_conflict, status, succeeded};
use crate::exchange::{Exchange, NoAnswer};
use crate::execute::{no_preparation, no_success};
use crate::model::{Call, Role};
use crate::recipe::Recipe;

/// At most this many corrections of one recipe's body are tried.
const CORRECTIONS: usize = 12;

/// Why the call of a recipe was not sent.
enum Unasked {
    /// A step before it did not succeed.
    Preparation(String),
    /// A value that it needs is missing.
    Value(String),
}

impl<'w, 'd> Scene<'w, 'd> {
    /// Tries recipes until one succeeds; returns its index.
    ///
    /// # Errors
    /// No recipe succeeded; the text says why.
    pub(crate) async fn choose(&mut self, call: &Call<'d>) -> Result<usize, String> {
        let known = self.all_recipes(call).len();
        let creator = self.path_to_creator(call).await;
        let onward = creator.map_or(0, |index| self.onward(call, index).len());
        // Recipes that continue the creator's successful recipe come first.
        let left = (known..known + onward).chain(0..known).collect();
        let granted = self.first_granted(call, left).await;
        if granted.is_ok() || onward > 0 {
            return granted;
        }
        let Some(supplied) = self.path_to_supplier(call).await else {
            return granted;
        };
        let onward = self.onward(call, supplied).len();
        let supplied = self.first_granted(call, (known..known + onward).collect());
        supplied.await.or(granted)
    }

    /// The index of the first recipe that succeeds, out of `left`.
    async fn first_granted(
        &mut self,
        call: &Call<'d>,
        mut left: Vec<usize>,
    ) -> Result<usize, String> {
        let operation = call.operation.label();
        let mut reason = "no example and no name shows how to reach a success".to_owned();
        let mut turns = Turns::default();
        let mut by_chance = None;
        // The first failed preparation, and whether all answers so far were 404.
        let (mut unprepared, mut is_missing) = (None, true);
        while let Some((index, recipe)) = turns.next(&mut left, |index| self.recipe(call, index)) {
            if let Some(why) = self.found.attempts.spent(&recipe.script.steps) {
                unprepared.get_or_insert(why);
                continue;
            }
            let (ready, exchange) = match self.ask(call, recipe).await {
                Ok(asked) => asked,
                Err(Unasked::Preparation(error)) => {
                    unprepared.get_or_insert(error);
                    continue;
                }
                // A value that the call needs is missing: a recipe with other changes may have it.
                Err(Unasked::Value(error)) => {
                    (reason, turns.is_of_state) = (error, true);
                    continue;
                }
            };
            match &exchange.outcome {
                Ok(answer) if answer.is_success() => {
                    self.found.refused.borrow_mut().remove(&operation);
                    if !self.is_by_chance(call, recipe, &ready).await? {
                        return Ok(index);
                    }
                    (turns.is_of_state, by_chance) = (true, Some(index));
                    continue;
                }
                Ok(answer) => {
                    turns.refused(answer.status);
                    is_missing &= answer.status == 404;
                }
                Err(NoAnswer::Withheld(why)) => {
                    reason.clone_from(why);
                    continue;
                }
                Err(_) => is_missing = false,
            }
            // Another refusal says more than a 404.
            let why = no_success(self.facts, &operation, self.sender.account, &exchange);
            if attempts::is_for_its_request(&exchange) {
                self.found.attempts.note(&recipe.script.steps, &why);
            }
            if is_missing || status(&exchange) != Some(404) {
                reason = why;
            }
            // A server error is kept even if a refusal follows.
            let mut refused = self.found.refused.borrow_mut();
            let known = refused.get(&operation).and_then(status);
            if known.is_none_or(|code| code < 500) {
                refused.insert(operation.clone(), exchange);
            }
        }
        let reason = match unprepared.filter(|_| is_missing) {
            Some(why) => no_preparation(&operation, &why),
            None => reason,
        };
        by_chance.ok_or(reason)
    }

    /// Sends the call of a recipe, and again with each correction of its body that a refusal
    /// suggests.
    async fn ask(
        &mut self,
        call: &Call<'d>,
        recipe: &'w Recipe<'d>,
    ) -> Result<(Ready<'w, 'd>, Exchange), Unasked> {
        let ready = self.prepare(recipe, "choose").await;
        let ready = ready.map_err(Unasked::Preparation)?;
        let body = ready.call.request.body.as_ref();
        let conflicts = body.map(|body| Arc::clone(&body.conflicts));
        let before = conflicts.as_ref().map(|own| own.corrections.count());
        let mut corrected = 0;
        loop {
            let exchange = self.call(&ready, "choose").await;
            let exchange = exchange.map_err(Unasked::Value)?;
            corrected += 1;
            // Another record may have a value, whether the document says so or not.
            let taken = conflicts
                .as_ref()
                .filter(|own| status(&exchange) == Some(409) && !own.refuses_repeats());
            if let Some(own) = taken {
                own.note_repeat();
                continue;
            }
            if corrected <= CORRECTIONS && self.learn(call, &ready, &exchange).await {
                continue;
            }
            if let Some((own, before)) = conflicts.zip(before).filter(|_| !succeeded(&exchange)) {
                own.corrections.undo(before);
            }
            return Ok((ready, exchange));
        }
    }

    /// The successful recipe of the first operation that creates what the call needs by more than its request. Creators
    /// that need this call in turn would wait for it.
    async fn path_to_creator(&mut self, call: &Call<'d>) -> Option<&'w Recipe<'d>> {
        let label = call.operation.label();
        for creator in self.recipes.creators(call) {
            let is_circular = |creator: &Call<'d>| {
                creator.operation.label() == label || self.recipes.origins(creator).contains(&label)
            };
            let creator = self.model.call(&creator);
            let Some(creator) = creator.filter(|creator| !is_circular(creator)) else {
                continue;
            };
            let choice = self.found.choice(&creator.operation.label());
            let chosen = Box::pin(choice.get_or_init(|| self.choose(creator))).await;
            let recipe = { chosen.clone().ok() }.and_then(|index| self.recipe(creator, index));
            if let Some(recipe) = recipe.filter(|recipe| self.is_more(creator, recipe)) {
                return Some(recipe);
            }
        }
        None
    }

    /// Whether a recipe has more steps than those that create what the call needs.
    fn is_more(&self, call: &Call<'d>, recipe: &Recipe<'d>) -> bool {
        // Every recipe contains the changes that fill a shared resource.
        let fillers = self.model.fillers(call);
        let is_filler = |word: &String| fillers.iter().any(|all| all.operation.label() == *word);
        let is_plain = recipe.changes.iter().all(is_filler) && recipe.before_creator.is_empty();
        !is_plain || recipe.is_onward
    }

    /// The successful recipe of an operation that supplies what the call is refused for lack of, for the same owner.
    async fn path_to_supplier(&mut self, call: &Call<'d>) -> Option<&'w Recipe<'d>> {
        // Suppliers that depend on this call, or on other suppliers, would wait for each other.
        let waits = |word: &String| {
            let call = self.model.call(word);
            call.is_some_and(|item| !self.model.suppliers(item).is_empty())
        };
        let label = call.operation.label();
        let is_free = |other: &&Call<'d>| {
            let mut all = self.recipes.origins(other);
            all.insert(other.operation.label());
            !all.contains(&label) && !all.iter().any(waits)
        };
        let suppliers = self.model.suppliers(call).into_iter();
        let suppliers: Vec<&Call<'d>> = suppliers.filter(is_free).collect();
        for supplier in suppliers {
            let choice = self.found.choice(&supplier.operation.label());
            let chosen = Box::pin(choice.get_or_init(|| self.choose(supplier))).await;
            let recipe = chosen
                .clone()
                .ok()
                .and_then(|index| self.recipe(supplier, index));
            if recipe.is_some() {
                return recipe;
            }
        }
        None
    }

    /// Whether a recipe without preparation succeeded only with records that others left behind. Then the same
    /// request,
    /// sent again, conflicts.
    async fn is_by_chance(
        &mut self,
        call: &Call<'d>,
        recipe: &'w Recipe<'d>,
        ready: &Ready<'w, 'd>,
    ) -> Result<bool, String> {
        let is_plain = recipe.split().is_some_and(|(_, before)| before.is_empty());
        let may_be = call.role == Role::Create && call.response(409).is_some();
        if !is_plain || !may_be || !self.is_never_new(ready, "choose")? {
            return Ok(false);
        }
        let again = self.call(ready, "choose").await?;
        Ok(is_conflict(&again))
    }

    /// The last answer to an operation for which no recipe succeeded.
    pub(crate) fn refused(&self, call: &Call<'d>) -> Option<Exchange> {
        let refused = self.found.refused.borrow();
        refused.get(&call.operation.label()).cloned()
    }

    /// Records that a documented status was answered, unless the case has findings.
    pub(crate) fn reach(&self, call: &Call<'d>, status: u16, draft: &Draft) {
        if !draft.is_clean() {
            return;
        }
        let case = draft.id();
        let mut reached = self.found.reached.borrow_mut();
        let cases = reached.entry((call.operation.label(), status)).or_default();
        if !cases.iter().any(|item| item == case) {
            cases.push(case.to_owned());
        }
    }
}
