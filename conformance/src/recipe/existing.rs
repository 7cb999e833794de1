//! Existing records: where nothing makes what a path names, or what makes it never succeeds, the key of an item of the list of such is
//! taken, and what is made is made below it. A run changes and deletes no such record.

use openapi_document::view::Method;

use super::growth::{Grower, Growth};
use super::ingredients::Ingredients;
use super::way::Way;
use crate::expression::Expression;
use crate::model::{Call, Role, leads_through, same_path};
use crate::sample::Extent;

/// By which the step that reads a list is found, apart from those that make records.
pub(super) fn key(label: &str) -> String {
    format!("list {label}")
}

impl<'d> Grower<'_, 'd> {
    /// Ways that take the records which a path begins with from lists: none of them, the first, the first two, and so on.
    pub(super) fn on_existing(
        &self,
        call: &Call<'d>,
        ingredients: &Ingredients<'_, 'd>,
    ) -> Vec<Way<'d>> {
        let path = call.operation.path;
        let mut prefixes = vec![String::new()];
        for (at, _) in path.match_indices('}') {
            let name = path[..at].rsplit('{').next().unwrap_or_default();
            if self.model.existing_for(&call.operation, name).is_none() {
                break;
            }
            prefixes.push(path[..=at].to_owned());
        }
        let has_more = |own: &String| path[own.len()..].contains('{');
        let serves = |own: &String| has_more(own) || self.is_free_to_use(call);
        let is_taken = |own: &String| !own.is_empty() || self.is_open(call);
        let with = |existing: String| {
            let sizes = [Extent::Full, Extent::Required];
            sizes.map(|extent| Way {
                own: ingredients.own.first().copied().flatten(),
                maker: ingredients
                    .maker
                    .clone()
                    .map(|own| (own, ingredients.made.first().copied().flatten())),
                existing: Some(existing.clone()),
                extent,
                extent_before: extent,
                ..Way::default()
            })
        };
        let prefixes = prefixes.into_iter().filter(|_| path.contains('{'));
        let prefixes = prefixes.filter(is_taken).filter(serves);
        prefixes.flat_map(with).collect()
    }

    /// Whether nothing is known to make something that the path of a call names.
    fn is_open(&self, call: &Call<'d>) -> bool {
        let mut names = call.path_parameters().into_iter();
        names.any(|own| self.model.creator_for(&call.operation, own).is_none())
    }

    /// Whether a call only reads, or makes something below what its path names.
    fn is_free_to_use(&self, call: &Call<'d>) -> bool {
        let operation = &call.operation;
        let is_listed = |own: &Call<'d>| {
            let is_get = own.operation.method == Method::Get;
            is_get && same_path(own.operation.path, operation.path)
        };
        let is_below = || self.model.calls.iter().any(is_listed);
        match operation.method {
            Method::Post => call.role == Role::Create && is_below(),
            method => method.is_safe(),
        }
    }

    /// Where the value of a path parameter comes from.
    pub(super) fn keyed(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let Some(existing) = &way.existing else {
            return self.made(growth, call, parameter, way, depth);
        };
        // What a call puts there has a key of its own.
        if self.is_put_by(call, parameter) {
            return None;
        }
        let is_taken = leads_through(existing, call.operation.path, parameter);
        let taken = is_taken.then(|| self.existing(growth, call, parameter, way, depth));
        taken
            .flatten()
            .or_else(|| self.made(growth, call, parameter, way, depth))
            .or_else(|| {
                let placed = self.model.placer_for(&call.operation, parameter)?;
                growth.is_resort = true;
                self.known_as(growth, call, placed, way, depth)
            })
            .or_else(|| self.existing(growth, call, parameter, way, depth))
    }

    /// Whether a call itself puts there what one of its path parameters names, where nothing else makes it.
    pub(super) fn is_put_by(&self, call: &Call<'d>, parameter: &str) -> bool {
        let is_made = self.model.creator_for(&call.operation, parameter).is_some();
        let placer = self.model.placer_for(&call.operation, parameter);
        placer.is_some_and(|(own, _)| own.operation.label() == call.operation.label() && !is_made)
    }

    /// The key of a record that exists already.
    fn existing(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let (list, at) = self.model.existing_for(&call.operation, parameter)?;
        let label = list.operation.label();
        if label == call.operation.label() {
            return None;
        }
        let step = match growth.made.get(&key(&label)) {
            Some(step) => step.clone(),
            None => self.grow(growth, list, &way.beside(), depth + 1)?,
        };
        growth.made.insert(key(&label), step.clone());
        (growth.is_resort, growth.takes_existing) = (true, true);
        growth.output(&step, &at.to_string(), Expression::ResponseBody(at))
    }
}
