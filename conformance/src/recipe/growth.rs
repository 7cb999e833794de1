//! How a recipe grows from its last step: each thing that a request needs is made by a step before it.

use std::collections::BTreeMap;

use openapi_document::Node;
use openapi_document::view::{Location, Method, Parameter};

use super::change::Change;
use super::shown;
use super::way::Way;
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

/// So many examples are tried that no answer is shown for.
const UNPAIRED: usize = 4;

/// So many of them beside those that one is shown for.
const BESIDE: usize = 2;

/// Between the maker of a record and the part that the record has, where a call names more than one of a kind.
pub(super) const PART: char = '#';

/// Makers of makers are looked for this deep.
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
    /// Which step made the record of a maker.
    pub(super) made: BTreeMap<String, String>,
    /// What has changed the records of the way that it goes on from: another one of a kind is brought as far.
    pub(super) changed: Vec<Change<'d>>,
    /// Whether something in it is made up.
    pub(super) is_invented: bool,
    /// Whether a key in it is that of a record which exists already.
    pub(super) takes_existing: bool,
    /// Whether it has what no other way has: an existing record, or one that is put where nothing is known to make it.
    pub(super) is_resort: bool,
}

impl Growth<'_> {
    /// Something of what a step is answered, under a name, for a step that comes later.
    pub(super) fn output(
        &mut self,
        step: &str,
        name: &str,
        value: Expression,
    ) -> Option<Expression> {
        let own = self.steps.iter_mut().find(|own| own.id == step)?;
        let output = (name.to_owned(), value);
        if !own.flow.outputs.contains(&output) {
            own.flow.outputs.push(output);
        }
        Some(Expression::StepOutput {
            step: step.to_owned(),
            name: name.to_owned(),
        })
    }
}

impl<'d> Grower<'_, 'd> {
    /// What is documented to be sent with the key of an earlier request of the same operation is.
    pub(super) fn share_keys(call: &Call<'d>, examples: (&str, &str), steps: &mut [Step<'d>]) {
        let parameters = call.operation.parameters();
        let is_shared = |name: &str| {
            let mut all = parameters.iter().filter(|own| own.name == name);
            let all = all.find_map(|own| own.at.node.get("examples"));
            let of = |key: &str| all?.get(key)?.get("value");
            let (one, other) = (of(examples.0), of(examples.1));
            one.is_some_and(|one| other.is_some_and(|other| one.same_value(other)))
        };
        let label = call.operation.label();
        let own = steps.iter_mut().filter(|own| own.name.operation == label);
        for argument in own.flat_map(|own| own.request.arguments.iter_mut()) {
            argument.each_its_own &= !is_shared(&argument.name);
        }
    }

    /// The keys of the examples that a success answers; where none is shown to be, all keys of the request.
    pub(super) fn keys(call: &Call<'d>) -> Vec<Option<&'d str>> {
        let asked = request::keys(&call.operation);
        let answers = documented::answers(&call.operation);
        let paired = |own: &documented::Answer<'d>| {
            own.response.status.is_success() && asked.contains(&own.key())
        };
        let mut keys: Vec<_> = answers
            .iter()
            .filter(|own| paired(own))
            .map(|own| Some(own.key()))
            .collect();
        if !keys.is_empty() {
            // What no answer is shown for may be granted, too.
            let is_answered = |key: &&str| answers.iter().any(|own| own.key() == *key);
            let others = asked.into_iter().filter(|own| !is_answered(own));
            keys.extend(others.map(Some).take(BESIDE));
            return keys;
        }
        let all: Vec<_> = asked.into_iter().map(Some).take(UNPAIRED).collect();
        if all.is_empty() { vec![None] } else { all }
    }

    /// What puts there what a call takes away which has no key of its own: the coupon of `/orders/{id}/coupon`.
    fn put_there(&self, call: &Call<'d>) -> Option<&Call<'d>> {
        let operation = &call.operation;
        let is_part = operation.method == Method::Delete && !names_one(operation.path);
        let puts = |own: &&Call<'d>| {
            let method = own.operation.method;
            let is_there = same_path(own.operation.path, operation.path);
            is_there && matches!(method, Method::Put | Method::Post)
        };
        let mut calls = self.model.calls.iter().filter(|_| is_part);
        calls.find(puts)
    }

    /// Adds what a call needs and the call itself; the id of its step.
    pub(super) fn grow(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        way: &Way<'d>,
        depth: usize,
    ) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let label = call.operation.label();
        let key = way.key(&label, depth);
        let mut request = self.request(growth, call, way, depth, key)?;
        self.bind_body(growth, call, &mut request, way, depth);
        self.bind_keys(growth, call, &mut request, way, depth);
        let is_maker = way.maker.as_ref().is_some_and(|(own, _)| *own == label);
        if let (true, Some((pointer, value)), true) =
            (is_maker && depth > 0, &way.choice, request.body.is_some())
        {
            let value = Template::Literal(value.clone());
            request.replacements.push((pointer.clone(), value));
        }
        for change in way.before_maker.iter().filter(|_| is_maker && depth > 0) {
            let between = way.between(change);
            let change = self.model.call(&change.operation)?;
            self.grow(growth, change, &between, depth + 1)?;
            self.change_parts(growth, change, &between, depth)?;
        }
        if let (1.., Some(filler)) = (depth, self.model.fillers(call).first()) {
            self.grow(growth, filler, &way.beside(), depth + 1)?;
        }
        if let Some(put) = self.put_there(call) {
            // Where that cannot be, it may be there all the same.
            let _ = self.grow(growth, put, &way.beside(), depth + 1);
        }
        if depth == 0 && way.is_listed {
            self.begin_listed(growth, way)?;
        }
        for change in way.changes.iter().filter(|_| depth == 0) {
            let between = way.between(change);
            let change = self.model.call(&change.operation)?;
            self.grow(growth, change, &between, depth + 1)?;
            self.change_parts(growth, change, &between, depth)?;
        }
        if depth == 0 {
            for change in growth.changed.clone() {
                let between = way.between(&change);
                let change = self.model.call(&change.operation)?;
                self.change_parts(growth, change, &between, depth)?;
            }
        }
        if depth == 0 && way.is_listed || depth > 0 && self.is_only_listed(call) {
            self.bind_listed(growth, call, &mut request, way)?;
        }
        self.bind_equal(growth, call, &mut request, way, depth);
        self.bind_fixed(growth, call, &mut request);
        if depth > 0 && way.settles {
            self.bind_due(growth, call, &mut request);
        }
        if let (0, Some(before)) = (depth, way.own_before) {
            let plain = Way {
                own: Some(before),
                own_before: None,
                changes: Vec::new(),
                ..way.clone()
            };
            self.grow(growth, call, &plain, 0)?;
        }
        // By what it calls, not by its place: what needs it finds it in any recipe that has it.
        let same = growth.steps.iter();
        let same = same.filter(|own| own.name.operation == label).count();
        let id = format!("{label}-{}", same + 1);
        let mut step = Self::step(call, request, key);
        step.id.clone_from(&id);
        step.flow.needs = step_needs(&step.request);
        growth.steps.push(step);
        Some(id)
    }

    /// Changes the other records of the kind that a change is about, too, where the call names more than one.
    fn change_parts(
        &self,
        growth: &mut Growth<'d>,
        change: &Call<'d>,
        between: &Way<'d>,
        depth: usize,
    ) -> Option<()> {
        let Some(maker) = self.maker(change) else {
            return Some(());
        };
        let label = maker.operation.label();
        let is_part = |own: &&(String, String)| {
            let part = own.0.strip_prefix(&label);
            part.is_some_and(|own| own.starts_with(PART))
        };
        let made: Vec<_> = growth.made.clone().into_iter().collect();
        for (_, step) in made.iter().filter(is_part) {
            let first = growth.made.insert(label.clone(), step.clone());
            self.grow(growth, change, between, depth + 1)?;
            if let Some(first) = first {
                growth.made.insert(label.clone(), first);
            }
        }
        Some(())
    }

    fn step(call: &Call<'d>, request: Request<'d>, key: Option<&str>) -> Step<'d> {
        let answers = documented::answers(&call.operation);
        let success = call.success.as_ref();
        let is_success = |own: &&documented::Answer<'d>| {
            success.is_some_and(|success| own.response.status == success.response.status)
        };
        let paired = answers
            .iter()
            .filter(is_success)
            .find(|own| key.is_some_and(|key| own.key() == key));
        let expected = paired.or_else(|| answers.iter().find(is_success));
        let expected =
            expected.map_or_else(Expected::default, |own| own.clone().expected(&request));
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
        way: &Way<'d>,
        depth: usize,
        key: Option<&str>,
    ) -> Option<Request<'d>> {
        let mut arguments = Vec::new();
        for parameter in request::parameters(&call.operation, self.selection) {
            let made = match parameter.location {
                Location::Path => self.keyed(growth, call, parameter.name, way, depth),
                Location::Header if is_version(call, &parameter) => {
                    self.version(growth, call, way, depth)
                }
                Location::Query if call.needs_one_of(parameter.name) => {
                    self.asked(growth, parameter.name, way, depth)
                }
                _ => None,
            };
            let value = made
                .map(|made| ArgumentValue::Scenario(Template::Whole(made)))
                .or_else(|| request::argument_value(self.contract, &parameter, key))
                .or_else(|| request::told_label(self.contract, &parameter));
            let value = match value {
                None if parameter.required() => {
                    growth.is_invented = true;
                    request::invented_value(self.contract, &parameter, way.extent_at(depth))
                }
                value => value,
            };
            match value {
                Some(value) => {
                    let mut own = request::argument(self.contract, &parameter, value);
                    own.each_its_own = request::is_idempotency_key(&parameter);
                    own.natural_key |= is_chosen(call, &parameter)
                        || (parameter.location == Location::Path
                            && way.existing.is_some()
                            && self.is_put_by(call, parameter.name))
                        || (parameter.location == Location::Path
                            && self.model.is_callers_own(&call.operation, parameter.name));
                    arguments.push(own);
                }
                None if parameter.required() => return None,
                None => {}
            }
        }
        Some(Request {
            arguments,
            body: if way.bare.as_ref() == Some(&call.operation.label()) {
                None
            } else if way.is_typed && depth == 0 {
                Some(self.empty_body(call))
            } else {
                let body = self.body(growth, call, way.extent_at(depth), key).ok()?;
                body.map(|own| self.with_own_key(call, own))
            },
            replacements: Vec::new(),
            spoil: None,
            documented: Documented::default(),
        })
    }

    /// The key of a record that a query has to name.
    fn asked(
        &self,
        growth: &mut Growth<'d>,
        name: &str,
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let kind = names::subject(name)?;
        let creator = self.model.creator_of(&kind)?;
        self.output(growth, creator, (name, &kind), way, depth)
    }

    /// The body of an example, else one that is made up.
    ///
    /// # Errors
    /// There has to be one, and none can be made up.
    fn body(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        extent: Extent,
        key: Option<&str>,
    ) -> Result<Option<Body<'d>>, String> {
        let shown = request::body(self.contract, &call.operation, key);
        let is_example = |own: &Body<'_>| matches!(own.value, BodyValue::Example(_));
        if call.body.is_none() || matches!(&shown, Ok(Some(own)) if is_example(own)) {
            return shown;
        }
        growth.is_invented = true;
        // What is changed has to become something else, or nobody sees the change.
        let changes =
            matches!(call.operation.method, Method::Put | Method::Patch) && call.chosen.is_none();
        let wanted = match extent {
            Extent::Full if changes => Extent::Other,
            extent => extent,
        };
        let declared = call.operation.request_body();
        let may_be_left = shown.is_ok() && !declared.is_some_and(|own| own.required());
        match request::invented_body(self.contract, &call.operation, wanted) {
            Some(body) if may_be_left && matches!(extent, Extent::Required | Extent::Plain) => {
                Ok(Some(body).filter(|own| !is_empty(own)))
            }
            // A step is answered with a record that had what it has before.
            Some(body) if call.role == Role::Create => {
                let body = self.as_shown(call, body);
                Ok(Some(self.in_currency(call, body)))
            }
            Some(body) => Ok(Some(self.in_currency(call, body))),
            None => shown,
        }
    }

    /// A body with what the example of its answer shows in the place of what was made up, where that is valid.
    fn as_shown(&self, call: &Call<'d>, body: Body<'d>) -> Body<'d> {
        let shape = Shape::of(self.model.document, body.schema.as_ref());
        let shown = shown::example(self.model, call);
        self.with(body, |made| {
            shown.is_some_and(|own| shown::put(self.model, &shape, made, own))
        })
    }

    /// A body with the currency that is shown of such a record in the place of the one that was made up, where that is valid:
    /// what is asked of a record in another one is refused.
    fn in_currency(&self, call: &Call<'d>, body: Body<'d>) -> Body<'d> {
        let told = body.value.plain().and_then(shown::only_currency);
        if told.is_none() {
            return body;
        }
        let shown = shown::currency(self.model, call);
        let changes = matches!(call.operation.method, Method::Put | Method::Patch);
        let own = body.value.plain().and_then(|own| own.get("currency"));
        let own = own.and_then(Node::as_str).map(str::to_owned);
        // What is changed as a whole may be so in another currency.
        let currency = own.filter(|_| changes).or(shown.map(str::to_owned));
        self.with(body, |made| {
            currency.is_some_and(|own| shown::put_currency(made, &own, changes))
        })
    }

    /// A body in which something else was put, where that is valid.
    fn with(&self, body: Body<'d>, put: impl FnOnce(&mut Node) -> bool) -> Body<'d> {
        let with = || {
            let mut made = body.value.plain()?.clone();
            let is_valid = |own: &Node| {
                let broken = self.contract.validate_request(body.schema.as_ref()?, own);
                broken.ok().map(|all| all.is_empty())
            };
            (put(&mut made) && is_valid(&made)?).then_some(made)
        };
        match with() {
            Some(made) => Body {
                value: BodyValue::Sample(made),
                ..body
            },
            None => body,
        }
    }
}

/// Whether a body says nothing.
fn is_empty(body: &Body<'_>) -> bool {
    let own = body.value.plain();
    own.is_some_and(|own| own.as_mapping().is_some_and(|own| own.entries.is_empty()))
}

/// Whether a parameter is the key that the caller chooses for what the call makes.
fn is_chosen(call: &Call<'_>, parameter: &Parameter<'_>) -> bool {
    parameter.location == Location::Path && call.chosen == Some(parameter.name)
}

/// Whether a parameter asks for the version that is to be changed: where it is required, or its lack is
/// refused, with a status of its own or as a text says: "without it the answer is 412".
fn is_version(call: &Call<'_>, parameter: &Parameter<'_>) -> bool {
    if !names::same(parameter.name, "if-match") {
        return false;
    }
    let own = parameter.at.node.get("description").and_then(Node::as_str);
    let of_refusal = call.text_of(412);
    let mut said = own.into_iter().chain(of_refusal).flat_map(prose::spoken);
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
    let of_arguments = request.arguments.iter().filter_map(|own| match &own.value {
        ArgumentValue::Scenario(template) => Some(template),
        _ => None,
    });
    let templates = of_arguments.chain(request.replacements.iter().map(|(_, own)| own));
    let mut needs: Vec<String> = templates
        .flat_map(Template::steps)
        .map(str::to_owned)
        .collect();
    needs.sort_unstable();
    needs.dedup();
    needs
}
