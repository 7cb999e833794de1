//! Listed records: takes the key of a record from a list after other steps have caused that record.
//!
//! Examples: the dispute of a payment, the balance entry of a top-up.

use openapi_document::view::Location;
use openapi_document::{Node, Pointer, Value};

use super::change::Change;
use super::choice::Choice;
use super::growth::{Grower, Growth, step_needs};
use super::plan::Plan;
use crate::case::{ArgumentValue, Request};
use crate::collect::request;
use crate::expression::{Expression, Template};
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

/// At most this many plans are tried.
const MOST: usize = 10;

/// Numbers in texts with at least this many digits are values to send, such as test card numbers.
const DIGITS: usize = 12;

/// Properties are searched to this depth of a body.
const DEEPEST: usize = 2;

impl<'d> Grower<'_, 'd> {
    /// The path parameter of a call whose value comes from a list, with the list and the pointer to the key.
    fn taken(&self, call: &Call<'d>) -> Option<(&'d str, &Call<'d>, Pointer)> {
        call.path_parameters().into_iter().rev().find_map(|name| {
            let (list, at) = self.model.lister_for(&call.operation, name)?;
            Some((name, list, at))
        })
    }

    /// The operations that create the records which the items of the call's list name.
    pub(super) fn makers_of_listed(&self, call: &Call<'d>) -> Vec<&Call<'d>> {
        let list = self.taken(call).map(|pair| pair.1);
        let named = list.map(|item| self.model.named_by_items(item));
        named.into_iter().flatten().map(|pair| pair.0).collect()
    }

    /// Whether the call's record comes from a list without parents, such as the halls of a market that no operation
    /// adds.
    pub(super) fn is_only_listed(&self, call: &Call<'d>) -> bool {
        self.taken(call).is_some_and(|(_, list, _)| {
            list.path_parameters().is_empty() && self.model.named_by_items(list).is_empty()
        })
    }

    /// Whether the call's list can be restricted to the records that the recipe created.
    pub(super) fn is_restricted(&self, call: &Call<'d>) -> bool {
        let list = self.taken(call).map(|pair| pair.1);
        list.is_some_and(|call| {
            let mut requested = self.model.named_by_items(call).into_iter();
            !call.path_parameters().is_empty() || requested.any(|pair| pair.1.is_some())
        })
    }

    /// Plans that take the call's record from a list: without a change, after each change, and with a number in the
    /// creating request that texts say causes such records.
    pub(super) fn by_list(
        &self,
        call: &Call<'d>,
        first: &Plan<'d>,
        changes: &[Vec<Change<'d>>],
    ) -> Vec<Plan<'d>> {
        let Some((_, list, _)) = self.taken(call) else {
            return Vec::new();
        };
        let stated = first
            .creator
            .as_ref()
            .and_then(|pair| self.model.call(&pair.0));
        let stated = stated.and_then(|creator| self.number_in_texts(creator, call, list));
        let with = |changes: &[Change<'d>], choice: Option<Choice>| Plan {
            changes: changes.to_vec(),
            choice,
            is_listed: true,
            naming: Vec::new(),
            ..first.clone()
        };
        let of_mentioned = changes
            .iter()
            .filter_map(|item| Some(with(item, Some(stated.clone()?))));
        let plain = std::iter::once(&Vec::new())
            .chain(changes)
            .map(|item| with(item, None))
            .collect::<Vec<_>>();
        of_mentioned.chain(plain).take(MOST).collect()
    }

    /// Creates the record that causes the listed one, unless a step has created it.
    pub(super) fn begin_listed(&self, growth: &mut Growth<'d>, plan: &Plan<'d>) -> Option<()> {
        let Some((label, _)) = &plan.creator else {
            return Some(());
        };
        if !growth.created.contains_key(label) {
            let step = self.grow(growth, self.model.call(label)?, plan, 1)?;
            growth.created.insert(label.clone(), step);
        }
        Some(())
    }

    /// Reads the list and sets the path parameter to the key of its first item.
    pub(super) fn bind_listed(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
        plan: &Plan<'d>,
    ) -> Option<()> {
        let (name, list, at) = self.taken(call)?;
        let key = at.segments().next_back()?.to_string();
        let step = self.grow(growth, list, &plan.beside(), 1)?;
        let named = self.model.named_by_items(list);
        let asks = named.into_iter().find_map(|(creator, asks)| {
            let created = growth.created.get(&creator.operation.label())?;
            Some((creator, created.clone(), asks?))
        });
        if let Some((creator, created, asks)) = asks {
            let record = creator.record()?;
            let value = growth.output(
                &created,
                record.key?,
                Expression::ResponseBody(record.at.join(record.key?)),
            )?;
            let mut parameters = list.operation.parameters().into_iter();
            let parameter = parameters
                .find(|argument| argument.location == Location::Query && argument.name == asks)?;
            let value = ArgumentValue::Scenario(Template::Whole(value));
            let argument = request::argument(self.contract, &parameter, value);
            let step = growth.steps.iter_mut().find(|item| item.id == step)?;
            step.request
                .arguments
                .retain(|argument| argument.name != asks);
            step.request.arguments.push(argument);
            step.flow.needs = step_needs(&step.request);
        }
        let value = growth.output(&step, &key, Expression::ResponseBody(at))?;
        let mut arguments = request.arguments.iter_mut();
        let argument = arguments
            .find(|argument| argument.location == Location::Path && argument.name == name)?;
        argument.value = ArgumentValue::Scenario(Template::Whole(value));
        argument.natural_key = false;
        Some(())
    }

    /// The property of a creating request, with a number from texts that causes the listed record: "a dispute is
    /// opened at the first capture of a payment with the card 4000000000000259".
    fn number_in_texts(
        &self,
        creator: &Call<'d>,
        call: &Call<'d>,
        list: &Call<'d>,
    ) -> Option<Choice> {
        let kind = names::words(&list.record()?.name).pop()?;
        let texts = list.texts().chain(call.texts()).chain(call.overall);
        let lines = texts.flat_map(|text| {
            text.lines()
                .filter(|word| word.starts_with('|'))
                .chain(prose::sentences(text))
        });
        let speaks = |word: &&str| {
            let words = names::words(&word.to_lowercase());
            words.iter().any(|word| names::singular(word) == kind)
        };
        let numbers = lines
            .filter(speaks)
            .flat_map(|text| text.split(|item: char| !item.is_ascii_digit()));
        let numbers: Vec<&str> = numbers.filter(|text| text.len() >= DIGITS).collect();
        let body = request::body(
            self.contract,
            &creator.operation,
            Self::keys(creator).first().copied().flatten(),
        );
        let body = body.ok()??;
        let shape = Shape::of(self.model.document, creator.body.as_ref());
        numbers.into_iter().find_map(|number| {
            let at = self.place_of(number, &shape, (body.value.plain()?, Pointer::root()))?;
            Some((at, value::string(number)))
        })
    }

    /// The pointer to a long number in a body that another number can replace.
    fn place_of(
        &self,
        number: &str,
        shape: &Shape<'d>,
        (body, at): (&Node, Pointer),
    ) -> Option<Pointer> {
        body.entries().find_map(|entry| {
            let inner = shape.property(self.model.document, &entry.key);
            let at = at.join(&*entry.key);
            match &entry.value.value {
                Value::String(text) => {
                    let is_alike =
                        text.len() >= DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
                    let fits = inner.keyword("pattern").and_then(Node::as_str);
                    let fits = fits.and_then(|item| regex::Regex::new(item).ok());
                    (is_alike && fits.is_none_or(|item| item.is_match(number))).then_some(at)
                }
                Value::Mapping(_) if at.depth() < DEEPEST => {
                    self.place_of(number, &inner, (&entry.value, at))
                }
                _ => None,
            }
        })
    }
}
