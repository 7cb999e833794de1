//! Existing records: takes keys from lists where no operation creates the record of a path, or creation fails.
//!
//! New records are created below an existing one. The run never changes or deletes existing records.

use openapi_document::view::Method;

use super::growth::{Grower, Growth};
use super::ingredients::Ingredients;
use super::plan::Plan;
use crate::expression::Expression;
use crate::model::{Call, Role, leads_through, same_path};
use crate::sample::Extent;

/// The key in `Growth::made` of a step that reads a list, distinct from those of creating steps.
pub(super) fn key(label: &str) -> String {
    format!("list {label}")
}

impl<'d> Grower<'_, 'd> {
    /// Plans that take the first records of a path from lists: none, the first, the first two, and so on.
    pub(super) fn on_existing(
        &self,
        call: &Call<'d>,
        ingredients: &Ingredients<'_, 'd>,
    ) -> Vec<Plan<'d>> {
        let path = call.operation.path;
        let mut prefixes = vec![String::new()];
        for (at, _) in path.match_indices('}') {
            let name = path[..at].rsplit('{').next().unwrap_or_default();
            if self.model.existing_for(&call.operation, name).is_none() {
                break;
            }
            prefixes.push(path[..=at].to_owned());
        }
        let has_more = |word: &String| path[word.len()..].contains('{');
        let serves = |word: &String| has_more(word) || self.is_free_to_use(call);
        let is_taken = |word: &String| !word.is_empty() || self.is_open(call);
        let with = |existing: String| {
            let sizes = [Extent::Full, Extent::Required];
            sizes.map(|extent| Plan {
                example: ingredients.examples.first().copied().flatten(),
                creator: ingredients.creator.clone().map(|item| {
                    (
                        item,
                        ingredients.creator_examples.first().copied().flatten(),
                    )
                }),
                existing: Some(existing.clone()),
                extent,
                extent_before: extent,
                ..Plan::default()
            })
        };
        let prefixes = prefixes.into_iter().filter(|_| path.contains('{'));
        let prefixes = prefixes.filter(is_taken).filter(serves);
        prefixes.flat_map(with).collect()
    }

    /// Whether the path of a call names a record that no known operation creates.
    fn is_open(&self, call: &Call<'d>) -> bool {
        let mut names = call.path_parameters().into_iter();
        names.any(|name| self.model.creator_for(&call.operation, name).is_none())
    }

    /// Whether a call only reads, or creates a record below what its path names.
    fn is_free_to_use(&self, call: &Call<'d>) -> bool {
        let operation = &call.operation;
        let is_listed = |call: &Call<'d>| {
            let is_get = call.operation.method == Method::Get;
            is_get && same_path(call.operation.path, operation.path)
        };
        let is_below = || self.model.calls.iter().any(is_listed);
        match operation.method {
            Method::Post => call.role == Role::Create && is_below(),
            method => method.is_safe(),
        }
    }

    /// The value of a path parameter: from a list for existing records, else from a creating step.
    pub(super) fn keyed(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let Some(existing) = &plan.existing else {
            return self.created(growth, call, parameter, plan, depth);
        };
        // The call itself puts a record there, under a generated key.
        if self.is_put_by(call, parameter) {
            return None;
        }
        let is_taken = leads_through(existing, call.operation.path, parameter);
        let taken = is_taken.then(|| self.existing(growth, call, parameter, plan, depth));
        taken
            .flatten()
            .or_else(|| self.created(growth, call, parameter, plan, depth))
            .or_else(|| {
                let placed = self.model.placer_for(&call.operation, parameter)?;
                growth.is_resort = true;
                self.known_as(growth, call, placed, plan, depth)
            })
            .or_else(|| self.existing(growth, call, parameter, plan, depth))
    }

    /// Whether the call itself puts the record that a path parameter names, and no other operation creates it.
    pub(super) fn is_put_by(&self, call: &Call<'d>, parameter: &str) -> bool {
        let is_created = self.model.creator_for(&call.operation, parameter).is_some();
        let placer = self.model.placer_for(&call.operation, parameter);
        placer.is_some_and(|(other, _)| {
            other.operation.label() == call.operation.label() && !is_created
        })
    }

    /// The key of the first item of the list with such records.
    fn existing(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let (list, at) = self.model.existing_for(&call.operation, parameter)?;
        let label = list.operation.label();
        if label == call.operation.label() {
            return None;
        }
        let step = match growth.created.get(&key(&label)) {
            Some(step) => step.clone(),
            None => self.grow(growth, list, &plan.beside(), depth + 1)?,
        };
        growth.created.insert(key(&label), step.clone());
        (growth.is_resort, growth.takes_existing) = (true, true);
        growth.output(&step, &at.to_string(), Expression::ResponseBody(at))
    }
}
