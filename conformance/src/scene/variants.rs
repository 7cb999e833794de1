//! Variants: successes of an operation with other examples than the chosen one.

use openapi_document::Node;
use openapi_document::node::Entry;

use super::{Ready, Scene};
use crate::answered::succeeded;
use crate::case::Step;
use crate::exchange::Exchange;
use crate::model::Call;
use crate::names;
use crate::shape::Shape;

/// At most this many other examples are tried.
const MOST: usize = 4;

/// At most this many recipes per example.
const WAYS: usize = 2;

impl<'w, 'd> Scene<'w, 'd> {
    /// The successful exchanges of a call with its other examples.
    pub(crate) async fn successes_of_other_examples(
        &mut self,
        call: &Call<'d>,
        tag: &str,
    ) -> Vec<Exchange> {
        let mut granted = Vec::new();
        for key in self.other_examples(call) {
            if let Some(exchange) = self.success_with(call, key, tag).await {
                granted.push(exchange);
            }
        }
        granted
    }

    /// The steps of other examples that request another kind of thing, such as a withdrawal instead of a deposit. The
    /// records of this preparation must suffice for them.
    pub(crate) fn other_kinds(
        &self,
        call: &Call<'d>,
        (ready, step): (&Ready<'_, 'd>, &Step<'d>),
    ) -> Vec<Step<'d>> {
        let created = &ready.state.values.outputs;
        let fits = |step: &&Step<'d>| {
            step.flow
                .needs
                .iter()
                .all(|item| created.contains_key(item))
        };
        let mut known: Vec<Vec<String>> = vec![self.kind(call, step)];
        let mut found = Vec::new();
        for key in self.other_examples(call) {
            let recipes = self.recipes(call).into_iter();
            let recipes = recipes.filter(|recipe| recipe.example == Some(key));
            let Some(step) = recipes
                .filter_map(|recipe| Some(recipe.split()?.0))
                .find(fits)
            else {
                continue;
            };
            let kind = self.kind(call, step);
            if !known.contains(&kind) {
                known.push(kind);
                found.push(step.clone());
            }
        }
        found
    }

    /// The enumerated values of a request that define its kind.
    fn kind(&self, call: &Call<'d>, step: &Step<'d>) -> Vec<String> {
        const KINDS: [&str; 6] = [
            "type",
            "kind",
            "category",
            "action",
            "direction",
            "operation",
        ];
        let document = self.model.document;
        let shape = Shape::of(document, call.body.as_ref());
        let body = step
            .request
            .body
            .as_ref()
            .and_then(|entry| entry.value.plain());
        let is_named = |name: &str| {
            let words = names::words(name);
            let is_kind = words
                .last()
                .is_some_and(|word| KINDS.contains(&word.as_str()));
            is_kind && shape.property(document, name).known_values().len() > 1
        };
        let entries: Vec<&Entry> = body.into_iter().flat_map(Node::entries).collect();
        // A part with alternatives, such as the `payment` of a sale, has an enumerated value that selects one.
        let of_part = |entry: &Entry| {
            let part = shape.property(document, &entry.key);
            let entries = entry.value.entries().filter(|entry| {
                let known = part.property(document, &entry.key).known_values();
                entry.value.as_str().is_some() && known.len() > 1
            });
            let entries = entries.map(|entry| entry.value.to_json());
            let entries: Vec<String> = entries.filter(|_| part.offers().is_some()).collect();
            entries
        };
        let kinds = entries.iter().filter(|entry| is_named(&entry.key));
        let kinds = kinds.map(|entry| entry.value.to_json());
        kinds
            .chain(entries.iter().copied().flat_map(of_part))
            .collect()
    }

    /// The examples of a call, without the chosen one.
    fn other_examples(&self, call: &Call<'d>) -> Vec<&'d str> {
        let recipes = self.recipes(call);
        let first = self.chosen(call).and_then(|recipe| recipe.example);
        let mut keys: Vec<&'d str> = Vec::new();
        for key in recipes.iter().filter_map(|recipe| recipe.example) {
            if Some(key) != first && !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys.truncate(MOST);
        keys
    }

    /// The successes of a call with other examples that request another kind of thing, each with its preparation.
    pub(crate) async fn successes_of_other_kinds(
        &mut self,
        call: &Call<'d>,
        tag: &str,
    ) -> Vec<(Ready<'w, 'd>, Exchange)> {
        let step = self.chosen(call).and_then(|recipe| Some(recipe.split()?.0));
        let mut known: Vec<Vec<String>> =
            step.map(|item| self.kind(call, item)).into_iter().collect();
        let mut granted = Vec::new();
        for key in self.other_examples(call) {
            let mut recipes = self.recipes(call).into_iter();
            let recipe = recipes.find(|recipe| recipe.example == Some(key));
            let kind = recipe.and_then(|recipe| Some(self.kind(call, recipe.split()?.0)));
            let Some(kind) = kind.filter(|name| !name.is_empty() && !known.contains(name)) else {
                continue;
            };
            known.push(kind);
            granted.extend(
                self.prepared_success(call, key, &format!("{tag}-{key}"))
                    .await,
            );
        }
        granted
    }

    async fn success_with(&mut self, call: &Call<'d>, key: &'d str, tag: &str) -> Option<Exchange> {
        let (_, exchange) = self.prepared_success(call, key, tag).await?;
        Some(exchange)
    }

    /// The success of a call with an example, with its preparation. `None` if no recipe succeeds.
    async fn prepared_success(
        &mut self,
        call: &Call<'d>,
        key: &'d str,
        tag: &str,
    ) -> Option<(Ready<'w, 'd>, Exchange)> {
        let chosen = self.chosen(call).map(|item| &item.changes);
        let recipes = self.recipes(call).into_iter();
        let recipes = recipes.filter(|recipe| recipe.example == Some(key));
        let (after, mut recipes): (Vec<_>, Vec<_>) =
            recipes.partition(|recipe| recipe.is_after_own);
        // Changes that led to a success may do so again.
        recipes.sort_by_key(|item| Some(&item.changes) != chosen);
        recipes.truncate(WAYS);
        for recipe in recipes.into_iter().chain(after) {
            let Ok(ready) = self.prepare(recipe, tag).await else {
                continue;
            };
            let exchange = self.call(&ready, tag).await.ok()?;
            if succeeded(&exchange) {
                return Some((ready, exchange));
            }
        }
        None
    }
}
