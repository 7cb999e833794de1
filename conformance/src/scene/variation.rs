//! Variation: prepares a call by the recipe that succeeded, with other values in the bodies of its steps.

use openapi_document::{Node, Pointer};
use openapi_facts::Rule;

use super::{Ready, Scene};
use crate::amount::{self, Amount};
use crate::answered::{key_name, record_of};
use crate::case::{BodyValue, Step};
use crate::model::Call;
use crate::shape::Shape;
use crate::value;

impl<'w, 'd> Scene<'w, 'd> {
    /// Prepares a call by steps that take only half of an amount, where a fact says that they take a part.
    ///
    /// # Errors
    /// No step before the call takes a part, or one did not succeed.
    pub(crate) async fn ready_by_halves(
        &mut self,
        call: &Call<'d>,
        tag: &str,
    ) -> Result<Ready<'w, 'd>, String> {
        let halved = |scene: &Self, step: &Call<'d>, body: &mut Node| {
            let is_other = step.operation.label() != call.operation.label();
            let mut facts = scene.facts_about(step).filter(|_| is_other);
            let name = facts.find_map(|fact| match &fact.rule {
                Rule::SumLimit(rule) => rule.subject.name.as_deref(),
                _ => None,
            })?;
            let whole = Amount::read(body.get(name)?).filter(|amount| amount.units > 1)?;
            amount::put(body, name, whole.with(whole.units / 2)).ok()
        };
        self.ready_with(call, tag, &halved).await
    }

    /// Prepares a call on amounts in another currency.
    ///
    /// # Errors
    /// No step names a currency, or one did not succeed.
    pub(crate) async fn ready_in_another_currency(
        &mut self,
        call: &Call<'d>,
        tag: &str,
    ) -> Result<Ready<'w, 'd>, String> {
        let exchanged = |scene: &Self, step: &Call<'d>, body: &mut Node| {
            let (at, now) = amount::currency_of(body)?;
            let document = scene.model.document;
            let shape = Shape::of(document, step.body.as_ref());
            let shape = at
                .segments()
                .fold(shape, |shape, name| shape.property(document, &name));
            let other = shape
                .known_values()
                .into_iter()
                .find(|other| *other != now)?;
            value::put(body, &at, value::string(other)).ok()
        };
        self.ready_with(call, tag, &exchanged).await
    }

    /// Prepares a call by steps that name a new record of a component, where a fact says that they may.
    ///
    /// # Errors
    /// No step can name such a record, or one did not succeed.
    pub(crate) async fn ready_naming(
        &mut self,
        call: &Call<'d>,
        (component, tag): (&str, &str),
    ) -> Result<Ready<'w, 'd>, String> {
        let none = || format!("no {component} could be created");
        let creator = self
            .creators(component)
            .into_iter()
            .next()
            .ok_or_else(none)?;
        let first = self.ready(creator, &format!("{tag}-{component}")).await?;
        let created = self.call(&first, tag).await?;
        let key = record_of(creator, &created).and_then(|record| record.get(key_name(creator)?));
        let key = key.cloned().ok_or_else(none)?;
        let naming = |scene: &Self, step: &Call<'d>, body: &mut Node| {
            let mut facts = scene.facts_about(step);
            let name = facts.find_map(|fact| match &fact.rule {
                Rule::Reference(rule) if rule.to == component => rule.subject.name.as_deref(),
                _ => None,
            })?;
            let is_open = body.get(name).is_none_or(Node::is_null);
            is_open.then_some(())?;
            value::put(body, &Pointer::root().join(name), key.clone()).ok()
        };
        let mut ready = self.ready_with(call, tag, &naming).await?;
        ready.state.kept.get_or_insert_default().push(created);
        Ok(ready)
    }

    /// Prepares a call by the recipe that succeeded, after `change` has changed some bodies.
    async fn ready_with(
        &mut self,
        call: &Call<'d>,
        tag: &str,
        change: &dyn Fn(&Self, &Call<'d>, &mut Node) -> Option<()>,
    ) -> Result<Ready<'w, 'd>, String> {
        let recipe = self.chosen(call).ok_or("no recipe succeeds")?;
        let (last, before) = recipe.split().ok_or("an empty recipe")?;
        let mut is_changed = false;
        let mut changed = |step: &Step<'d>| {
            let mut step = step.clone();
            let call = self.model.call(&step.name.operation);
            let body = step.request.body.as_mut();
            if let Some((call, body)) = call.zip(body)
                && let Some(mut json) = body.value.plain().cloned()
                && change(self, call, &mut json).is_some()
            {
                body.value = BodyValue::Sample(json);
                is_changed = true;
            }
            step
        };
        let before: Vec<Step<'d>> = before.iter().map(&mut changed).collect();
        let last = changed(last);
        if !is_changed {
            return Err("no step can have another value".to_owned());
        }
        let mut ready = self.prepare_by(recipe, &before, tag).await?;
        ready.call = last;
        Ok(ready)
    }
}
