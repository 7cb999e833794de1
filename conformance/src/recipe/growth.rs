//! Growth: builds a recipe backwards from its last step; each thing that a request needs is created by a step before
//! it.

use std::collections::BTreeMap;

use openapi_document::Node;
use openapi_document::view::{Location, Method, Parameter};

use super::change::Change;
use super::plan::Plan;
use super::shown;
use crate::case::{
    ArgumentValue, Body, BodyValue, CaseName, Documented, Expected, Flow, Request, Step,
};
use crate::collect::documented;
use crate::collect::{Selection, area, request};
use crate::contract::Contract;
use crate::expression::{Expression, Template};
use crate::model::{Call, Model, Role, names_one, same_path};
use crate::names;
use crate::prose;
use crate::sample::Extent;
use crate::shape::Shape;

/// At most this many examples are tried when none is paired with an answer.
const UNPAIRED: usize = 4;

/// At most this many unpaired examples are tried in addition to the paired ones.
const BESIDE: usize = 2;

/// Separates a creator's label from the property that the record is for, when a call names several records of a kind.
pub(super) const PART: char = '#';

/// Creators of creators are searched to this depth.
const DEEPEST: usize = 5;

pub(super) struct Grower<'g, 'd> {
    pub(super) contract: &'g Contract<'d>,
    pub(super) selection: &'g Selection,
    pub(super) model: &'g Model<'d>,
}

/// The steps of a recipe while it grows.
#[derive(Clone, Default)]
pub(super) struct Growth<'d> {
    pub(super) steps: Vec<Step<'d>>,
    /// The id of the step that created a record, by the label of its creator.
    pub(super) created: BTreeMap<String, String>,
    /// Changes in the recipe that this one continues. Further records of the same kind get the same changes.
    pub(super) changed: Vec<Change<'d>>,
    /// Whether a value in it is generated.
    pub(super) is_invented: bool,
    /// Whether it uses the key of an existing record.
    pub(super) takes_existing: bool,
    /// Whether it uses an existing record, or one that a PUT places where no creation is known.
    pub(super) is_resort: bool,
}

impl Growth<'_> {
    /// Adds an output to a step and returns the expression that reads it. `None` if the step does not exist.
    pub(super) fn output(
        &mut self,
        step: &str,
        name: &str,
        value: Expression,
    ) -> Option<Expression> {
        let item = self.steps.iter_mut().find(|item| item.id == step)?;
        let output = (name.to_owned(), value);
        if !item.flow.outputs.contains(&output) {
            item.flow.outputs.push(output);
        }
        Some(Expression::StepOutput {
            step: step.to_owned(),
            name: name.to_owned(),
        })
    }
}

impl<'d> Grower<'_, 'd> {
    /// Lets two requests of one operation send the same key where their documented examples share it.
    pub(super) fn share_keys(call: &Call<'d>, examples: (&str, &str), steps: &mut [Step<'d>]) {
        let parameters = call.operation.parameters();
        let is_shared = |name: &str| {
            let mut all = parameters.iter().filter(|parameter| parameter.name == name);
            let all = all.find_map(|parameter| parameter.at.node.get("examples"));
            let value_of = |key: &str| all?.get(key)?.get("value");
            let (one, other) = (value_of(examples.0), value_of(examples.1));
            one.is_some_and(|one| other.is_some_and(|other| one.same_value(other)))
        };
        let label = call.operation.label();
        let steps = steps.iter_mut().filter(|step| step.name.operation == label);
        for argument in steps.flat_map(|step| step.request.arguments.iter_mut()) {
            argument.each_its_own &= !is_shared(&argument.name);
        }
    }

    /// The keys of the examples to send: those paired with a success, then a few unpaired ones; without pairs, the
    /// first ones. `[None]` without examples.
    pub(super) fn keys(call: &Call<'d>) -> Vec<Option<&'d str>> {
        let requested = request::keys(&call.operation);
        let answers = documented::answers(&call.operation);
        let paired = |answer: &documented::Answer<'d>| {
            answer.response.status.is_success() && requested.contains(&answer.key())
        };
        let mut keys: Vec<_> = answers
            .iter()
            .filter(|item| paired(item))
            .map(|answer| Some(answer.key()))
            .collect();
        if !keys.is_empty() {
            // An example without a paired answer may succeed, too.
            let is_answered = |key: &&str| answers.iter().any(|answer| answer.key() == *key);
            let others = requested.into_iter().filter(|item| !is_answered(item));
            keys.extend(others.map(Some).take(BESIDE));
            return keys;
        }
        let all: Vec<_> = requested.into_iter().map(Some).take(UNPAIRED).collect();
        if all.is_empty() { vec![None] } else { all }
    }

    /// The operation that puts a part which a call deletes: the coupon of `/orders/{id}/coupon`.
    fn put_there(&self, call: &Call<'d>) -> Option<&Call<'d>> {
        let operation = &call.operation;
        let is_part = operation.method == Method::Delete && !names_one(operation.path);
        let puts = |call: &&Call<'d>| {
            let method = call.operation.method;
            let is_there = same_path(call.operation.path, operation.path);
            is_there && matches!(method, Method::Put | Method::Post)
        };
        let mut calls = self.model.calls.iter().filter(|_| is_part);
        calls.find(puts)
    }

    /// Adds a call after the steps that it needs; returns the id of its step. `None` if a required value has no
    /// source.
    pub(super) fn grow(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let label = call.operation.label();
        let key = plan.key(&label, depth);
        let mut request = self.request(growth, call, plan, depth, key)?;
        self.bind_body(growth, call, &mut request, plan, depth);
        self.bind_keys(growth, call, &mut request, plan, depth);
        let is_creator = plan
            .creator
            .as_ref()
            .is_some_and(|(item, _)| *item == label);
        if let (true, Some((pointer, value)), true) = (
            is_creator && depth > 0,
            &plan.choice,
            request.body.is_some(),
        ) {
            let value = Template::Literal(value.clone());
            request.replacements.push((pointer.clone(), value));
        }
        for change in plan
            .before_creator
            .iter()
            .filter(|_| is_creator && depth > 0)
        {
            let between = plan.between(change);
            let change = self.model.call(&change.operation)?;
            self.grow(growth, change, &between, depth + 1)?;
            self.change_parts(growth, change, &between, depth)?;
        }
        if let (1.., Some(filler)) = (depth, self.model.fillers(call).first()) {
            self.grow(growth, filler, &plan.beside(), depth + 1)?;
        }
        if let Some(put) = self.put_there(call) {
            // If the PUT cannot be built, the part may exist anyway.
            let _ = self.grow(growth, put, &plan.beside(), depth + 1);
        }
        if depth == 0 && plan.is_listed {
            self.begin_listed(growth, plan)?;
        }
        for change in plan.changes.iter().filter(|_| depth == 0) {
            let between = plan.between(change);
            let change = self.model.call(&change.operation)?;
            self.grow(growth, change, &between, depth + 1)?;
            self.change_parts(growth, change, &between, depth)?;
        }
        if depth == 0 {
            for change in growth.changed.clone() {
                let between = plan.between(&change);
                let change = self.model.call(&change.operation)?;
                self.change_parts(growth, change, &between, depth)?;
            }
        }
        if depth == 0 && plan.is_listed || depth > 0 && self.is_only_listed(call) {
            self.bind_listed(growth, call, &mut request, plan)?;
        }
        self.bind_equal(growth, call, &mut request, plan, depth);
        self.bind_fixed(growth, call, &mut request);
        if depth > 0 && plan.settles {
            self.bind_due(growth, call, &mut request);
        }
        if let (0, Some(before)) = (depth, plan.earlier_example) {
            let plain = Plan {
                example: Some(before),
                earlier_example: None,
                changes: Vec::new(),
                ..plan.clone()
            };
            self.grow(growth, call, &plain, 0)?;
        }
        // The id is the operation and a counter, not the position, so that recipes can share steps.
        let same = growth.steps.iter();
        let same = same.filter(|step| step.name.operation == label).count();
        let id = format!("{label}-{}", same + 1);
        let mut step = Self::step(call, request, key);
        step.id.clone_from(&id);
        step.flow.needs = step_needs(&step.request);
        growth.steps.push(step);
        Some(id)
    }

    /// Applies a change to the other records of its kind, too, if the call names more than one.
    fn change_parts(
        &self,
        growth: &mut Growth<'d>,
        change: &Call<'d>,
        between: &Plan<'d>,
        depth: usize,
    ) -> Option<()> {
        let Some(creator) = self.creator(change) else {
            return Some(());
        };
        let label = creator.operation.label();
        let is_part = |word: &&(String, String)| {
            let part = word.0.strip_prefix(&label);
            part.is_some_and(|word| word.starts_with(PART))
        };
        let created: Vec<_> = growth.created.clone().into_iter().collect();
        for (_, step) in created.iter().filter(is_part) {
            let first = growth.created.insert(label.clone(), step.clone());
            self.grow(growth, change, between, depth + 1)?;
            if let Some(first) = first {
                growth.created.insert(label.clone(), first);
            }
        }
        Some(())
    }

    fn step(call: &Call<'d>, request: Request<'d>, key: Option<&str>) -> Step<'d> {
        let answers = documented::answers(&call.operation);
        let success = call.success.as_ref();
        let is_success = |answer: &&documented::Answer<'d>| {
            success.is_some_and(|success| answer.response.status == success.response.status)
        };
        let paired = answers
            .iter()
            .filter(is_success)
            .find(|answer| key.is_some_and(|key| answer.key() == key));
        let expected = paired.or_else(|| answers.iter().find(is_success));
        let expected =
            expected.map_or_else(Expected::default, |step| step.clone().expected(&request));
        Step {
            id: String::new(),
            name: CaseName {
                id: format!("recipes/{}", call.operation.label()),
                operation: call.operation.label(),
                area: area(&call.operation),
            },
            reported: false,
            blocked: None,
            operation: call.operation.clone(),
            request,
            expected,
            flow: Flow::default(),
        }
    }

    fn request(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        plan: &Plan<'d>,
        depth: usize,
        key: Option<&str>,
    ) -> Option<Request<'d>> {
        let mut arguments = Vec::new();
        for parameter in request::parameters(&call.operation, self.selection) {
            let created = match parameter.location {
                Location::Path => self.keyed(growth, call, parameter.name, plan, depth),
                Location::Header if is_version(call, &parameter) => {
                    self.version(growth, call, plan, depth)
                }
                Location::Query if call.needs_one_of(parameter.name) => {
                    self.requested(growth, parameter.name, plan, depth)
                }
                _ => None,
            };
            let value = created
                .map(|created| ArgumentValue::Scenario(Template::Whole(created)))
                .or_else(|| request::argument_value(self.contract, &parameter, key))
                .or_else(|| request::echoed_label(self.contract, &parameter));
            let value = match value {
                None if parameter.required() => {
                    growth.is_invented = true;
                    request::invented_value(self.contract, &parameter, plan.extent_at(depth))
                }
                value => value,
            };
            match value {
                Some(value) => {
                    let mut argument = request::argument(self.contract, &parameter, value);
                    argument.each_its_own = request::is_idempotency_key(&parameter);
                    argument.natural_key |= is_chosen(call, &parameter)
                        || (parameter.location == Location::Path
                            && plan.existing.is_some()
                            && self.is_put_by(call, parameter.name))
                        || (parameter.location == Location::Path
                            && self.model.is_client_chosen(&call.operation, parameter.name));
                    arguments.push(argument);
                }
                None if parameter.required() => return None,
                None => {}
            }
        }
        Some(Request {
            arguments,
            body: if plan.bare.as_ref() == Some(&call.operation.label()) {
                None
            } else if plan.is_typed && depth == 0 {
                Some(self.empty_body(call))
            } else {
                let body = self.body(growth, call, plan.extent_at(depth), key).ok()?;
                body.map(|item| self.with_fresh_key(call, item))
            },
            replacements: Vec::new(),
            spoil: None,
            documented: Documented::default(),
        })
    }

    /// The value of a query parameter that names a record.
    fn requested(
        &self,
        growth: &mut Growth<'d>,
        name: &str,
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let kind = names::subject(name)?;
        let creator = self.model.creator_of(&kind)?;
        self.output(growth, creator, (name, &kind), plan, depth)
    }

    /// The body of an example, else a generated one.
    ///
    /// # Errors
    /// The body is required and none can be generated.
    fn body(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        extent: Extent,
        key: Option<&str>,
    ) -> Result<Option<Body<'d>>, String> {
        let shown = request::body(self.contract, &call.operation, key);
        let is_example = |body: &Body<'_>| matches!(body.value, BodyValue::Example(_));
        if call.body.is_none() || matches!(&shown, Ok(Some(body)) if is_example(body)) {
            return shown;
        }
        growth.is_invented = true;
        // A change must set another value, or no reading can show it.
        let changes =
            matches!(call.operation.method, Method::Put | Method::Patch) && call.chosen.is_none();
        let wanted = match extent {
            Extent::Full if changes => Extent::Other,
            extent => extent,
        };
        let declared = call.operation.request_body();
        let may_be_left = shown.is_ok() && !declared.is_some_and(|parameter| parameter.required());
        match request::invented_body(self.contract, &call.operation, wanted) {
            Some(body) if may_be_left && matches!(extent, Extent::Required | Extent::Plain) => {
                Ok(Some(body).filter(|item| !is_empty(item)))
            }
            // A step's answer shows values that the record had before, so only creations follow their example.
            Some(body) if call.role == Role::Create => {
                let body = self.as_shown(call, body);
                Ok(Some(self.in_currency(call, body)))
            }
            Some(body) => Ok(Some(self.in_currency(call, body))),
            None => shown,
        }
    }

    /// A generated body with the values that the example of its answer shows, if the result is valid.
    fn as_shown(&self, call: &Call<'d>, body: Body<'d>) -> Body<'d> {
        let shape = Shape::of(self.model.document, body.schema.as_ref());
        let shown = shown::example(self.model, call);
        self.with(body, |created| {
            shown.is_some_and(|item| shown::put(self.model, &shape, created, item))
        })
    }

    /// A generated body with the currency of the documented record, if the result is valid. Servers refuse a request
    /// about a record in another currency.
    fn in_currency(&self, call: &Call<'d>, body: Body<'d>) -> Body<'d> {
        let currency = body.value.plain().and_then(shown::only_currency);
        if currency.is_none() {
            return body;
        }
        let shown = shown::currency(self.model, call);
        let changes = matches!(call.operation.method, Method::Put | Method::Patch);
        let node = body.value.plain().and_then(|node| node.get("currency"));
        let current = node.and_then(Node::as_str).map(str::to_owned);
        // A change may use another currency than the record.
        let currency = current.filter(|_| changes).or(shown.map(str::to_owned));
        self.with(body, |created| {
            currency.is_some_and(|item| shown::put_currency(created, &item, changes))
        })
    }

    /// A body after a modification, if the result is valid; else unchanged.
    fn with(&self, body: Body<'d>, put: impl FnOnce(&mut Node) -> bool) -> Body<'d> {
        let with = || {
            let mut created = body.value.plain()?.clone();
            let is_valid = |node: &Node| {
                let broken = self.contract.validate_request(body.schema.as_ref()?, node);
                broken.ok().map(|all| all.is_empty())
            };
            (put(&mut created) && is_valid(&created)?).then_some(created)
        };
        match with() {
            Some(created) => Body {
                value: BodyValue::Sample(created),
                ..body
            },
            None => body,
        }
    }
}

/// Whether a body is an empty object.
fn is_empty(body: &Body<'_>) -> bool {
    let node = body.value.plain();
    node.is_some_and(|node| {
        node.as_mapping()
            .is_some_and(|item| item.entries.is_empty())
    })
}

/// Whether a parameter is the key that the client chooses for the created record.
fn is_chosen(call: &Call<'_>, parameter: &Parameter<'_>) -> bool {
    parameter.location == Location::Path && call.chosen == Some(parameter.name)
}

/// Whether a parameter names the version to change and must be sent: it is required, 428 is documented, or a text
/// describes its absence, such as "without it the answer is 412".
fn is_version(call: &Call<'_>, parameter: &Parameter<'_>) -> bool {
    if !names::same(parameter.name, "if-match") {
        return false;
    }
    let text = parameter.at.node.get("description").and_then(Node::as_str);
    let of_refusal = call.text_of(412);
    let mut said = text.into_iter().chain(of_refusal).flat_map(prose::spoken);
    let is_missed = |words: Vec<String>| {
        prose::has(&words, &["without", "missing", "absent", "lacking"])
            && !prose::has(
                &words,
                &["optional", "unconditional", "unconditionally", "any"],
            )
    };
    parameter.required() || call.response(428).is_some() || said.any(is_missed)
}

pub(super) fn step_needs(request: &Request<'_>) -> Vec<String> {
    let of_arguments = request
        .arguments
        .iter()
        .filter_map(|entry| match &entry.value {
            ArgumentValue::Scenario(template) => Some(template),
            _ => None,
        });
    let templates = of_arguments.chain(request.replacements.iter().map(|(_, item)| item));
    let mut needs: Vec<String> = templates
        .flat_map(Template::steps)
        .map(str::to_owned)
        .collect();
    needs.sort_unstable();
    needs.dedup();
    needs
}
