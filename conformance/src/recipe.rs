//! Recipe: how an operation is brought to succeed, without a hand-written step where none is there. A
//! script whose last step is the call; the steps before it make what the call needs. Pure.

use std::collections::{BTreeMap, BTreeSet};

use spec::Pointer;
use spec::document::{Location, Method, Operation, Status};

use crate::case::{
    ArgumentValue, Body, BodyValue, CaseName, Expected, Flow, Request, Script, Step,
};
use crate::collect::documented::{self, is_success};
use crate::collect::sample::Extent;
use crate::collect::{Selection, area, request};
use crate::contract::Contract;
use crate::expression::{Expression, Template};
use crate::model::{Call, Model, Role, names, segment_before};
use crate::shape::Shape;

/// So many ways to reach an operation are tried at most.
const MOST: usize = 24;

/// Makers of makers are looked for this deep.
const DEEPEST: usize = 5;

/// A way to a success of an operation.
#[derive(Debug, Clone)]
pub struct Recipe<'d> {
    /// The steps; the last is the call.
    pub script: Script<'d>,
    /// The example of the call, where it has one with a name.
    pub example: Option<&'d str>,
}

/// The ways to every operation.
#[derive(Debug, Default)]
pub struct Recipes<'d> {
    of: BTreeMap<String, Vec<Recipe<'d>>>,
}

impl<'d> Recipe<'d> {
    /// The call, and the steps before it.
    pub fn split(&self) -> Option<(&Step<'d>, &[Step<'d>])> {
        self.script.steps.split_last()
    }
}

impl<'d> Recipes<'d> {
    /// The ways to every operation: what scenarios do, then what names tell, then the examples as
    /// they stand.
    pub fn new(
        contract: &Contract<'d>,
        selection: &Selection,
        model: &Model<'d>,
        scripts: &[Script<'d>],
    ) -> Self {
        let mut recipes = Self::default();
        let grower = Grower {
            contract,
            selection,
            model,
        };
        for call in &model.calls {
            let operation = call.operation.label();
            let mut ways = of_scenarios(scripts, &operation);
            ways.extend(grower.ways(call));
            ways.truncate(MOST);
            recipes.of.insert(operation, ways);
        }
        recipes
    }

    /// The ways to an operation, the most promising first.
    pub fn ways(&self, operation: &str) -> &[Recipe<'d>] {
        self.of.get(operation).map_or(&[], Vec::as_slice)
    }

    /// The way that makes the records first which the one step of a script only names.
    pub fn instead_of(&self, script: &Script<'d>) -> Option<&Recipe<'d>> {
        let [step] = &script.steps[..] else {
            return None;
        };
        let expected = step.expected.response.as_ref()?;
        let goes_with = |own: &&Recipe<'d>| {
            let named = |key: &str| script.name.rsplit('/').next() == Some(key);
            own.script.steps.len() > 1 && own.example.is_none_or(named)
        };
        let ways = self.ways(&step.name.operation).iter();
        ways.filter(|_| is_success(expected.status)).find(goes_with)
    }
}

/// The beginnings of scenarios that end with a success of an operation, the shortest first.
fn of_scenarios<'d>(scripts: &[Script<'d>], operation: &str) -> Vec<Recipe<'d>> {
    let mut ways: Vec<Recipe<'d>> = Vec::new();
    for script in scripts {
        let is_call = |step: &Step<'d>| {
            let expected = step.expected.response.as_ref();
            step.name.operation == operation
                && step.flow.spot.is_some()
                && step.flow.parallel.is_none()
                && !step.flow.rejection
                && expected.is_some_and(|own| is_success(own.status))
        };
        let Some(at) = script.steps.iter().position(is_call) else {
            continue;
        };
        let mut script = script.clone();
        script.steps.truncate(at + 1);
        ways.push(Recipe {
            script,
            example: None,
        });
    }
    ways.sort_by_key(|way| way.script.steps.len());
    ways.truncate(3);
    ways
}

struct Grower<'g, 'd> {
    contract: &'g Contract<'d>,
    selection: &'g Selection,
    model: &'g Model<'d>,
}

/// The steps of a recipe while it grows.
#[derive(Clone, Default)]
struct Growth<'d> {
    steps: Vec<Step<'d>>,
    /// Which step made the record of a maker.
    made: BTreeMap<String, String>,
    /// Whether something in it is made up.
    is_invented: bool,
}

impl<'d> Grower<'_, 'd> {
    fn ways(&self, call: &Call<'d>) -> Vec<Recipe<'d>> {
        let mut ways = Vec::new();
        let mut seen = BTreeSet::new();
        for way in self.plans(call) {
            let mut growth = Growth::default();
            if self.grow(&mut growth, call, &way, 0).is_none() {
                continue;
            }
            if way.extent != Extent::Full && !growth.is_invented {
                continue;
            }
            let name = format!("{}/{}", call.operation.label(), way.name());
            if seen.insert(name.clone()) {
                let script = Script {
                    area: area(&call.operation),
                    inputs: BTreeMap::new(),
                    steps: growth.steps,
                    name,
                };
                ways.push(Recipe {
                    script,
                    example: way.own,
                });
            }
        }
        ways
    }

    /// What may be tried: each example of the call, with each example of the maker of its record, and
    /// with one change of that record in between.
    fn plans(&self, call: &Call<'d>) -> Vec<Way<'d>> {
        let own = Self::keys(call);
        let maker = self.maker(call);
        let makers = maker.map_or_else(|| vec![None], Self::keys);
        let between = maker
            .map(|maker| self.changes(maker, call))
            .unwrap_or_default();
        let mut ways = Vec::new();
        for change in std::iter::once(None).chain(between.into_iter().map(Some)) {
            for extent in [Extent::Full, Extent::Required] {
                for made in &makers {
                    for key in &own {
                        ways.push(Way {
                            own: *key,
                            maker: maker.map(|maker| (maker.operation.label(), *made)),
                            change: change.clone(),
                            extent,
                        });
                    }
                }
            }
        }
        ways
    }

    /// The keys of the examples that a success answers; one without a key where there are none.
    fn keys(call: &Call<'d>) -> Vec<Option<&'d str>> {
        let asked = request::keys(&call.operation);
        let answers = documented::answers(&call.operation);
        let paired = |own: &documented::Answer<'d>| {
            is_success(own.response.status) && asked.contains(&own.key())
        };
        let keys: Vec<_> = answers
            .iter()
            .filter(|own| paired(own))
            .map(|own| Some(own.key()))
            .collect();
        if keys.is_empty() { vec![None] } else { keys }
    }

    /// The operation that makes the record which the call is about.
    fn maker(&self, call: &Call<'d>) -> Option<&Call<'d>> {
        let mut of_path = call.path_parameters().into_iter().rev();
        let by_path = of_path.find_map(|name| self.model.creator_for(&call.operation, name));
        let by_body = || {
            let shape = Shape::of(self.model.document, call.body.as_ref());
            let subjects = shape.property_names().into_iter();
            subjects
                .filter(|name| shape.requires(name))
                .find_map(|name| self.model.creator_of(&names::subject(name)?))
        };
        let is_other = |maker: &&Call<'d>| maker.operation.label() != call.operation.label();
        by_path.or_else(by_body).filter(is_other)
    }

    /// The operations that change a record of a maker, other than the call itself.
    fn changes(&self, maker: &Call<'d>, call: &Call<'d>) -> Vec<String> {
        let Some(record) = maker.record() else {
            return Vec::new();
        };
        let changes = |own: &&Call<'d>| {
            own.operation.method == Method::Post
                && own.record().is_some_and(|own| own.is(record))
                && own.operation.label() != call.operation.label()
        };
        let changes = self.model.of(Role::Change).filter(changes);
        changes.map(|own| own.operation.label()).collect()
    }

    /// Adds what a call needs and the call itself; the id of its step.
    fn grow(
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
        if let (0, Some(change)) = (depth, &way.change) {
            let change = self.model.call(change)?;
            let plain = Way::default();
            self.grow(growth, change, &plain, depth + 1)?;
        }
        let id = format!("{}-{}", label, growth.steps.len() + 1);
        let mut step = Self::step(call, request, key);
        step.id.clone_from(&id);
        step.flow.needs = step_needs(&step.request);
        growth.steps.push(step);
        Some(id)
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
            let made = (parameter.location == Location::Path)
                .then(|| self.made(growth, call, parameter.name, way, depth))
                .flatten();
            let value = made
                .map(|made| ArgumentValue::Scenario(Template::Whole(made)))
                .or_else(|| request::argument_value(self.contract, &parameter, key));
            let value = match value {
                None if parameter.required() => {
                    growth.is_invented = true;
                    request::invented_value(self.contract, &parameter, way.extent)
                }
                value => value,
            };
            match value {
                Some(value) => {
                    arguments.push(request::argument(self.contract, &parameter, value));
                }
                None if parameter.required() => return None,
                None => {}
            }
        }
        Some(Request {
            arguments,
            body: self.body(growth, call, way.extent, key).ok()?,
            replacements: Vec::new(),
            spoil: None,
        })
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
        let changes = matches!(call.operation.method, Method::Put | Method::Patch);
        let wanted = match extent {
            Extent::Full if changes => Extent::Other,
            extent => extent,
        };
        match request::invented_body(self.contract, &call.operation, wanted) {
            Some(_) if shown.is_ok() && extent == Extent::Required => Ok(None),
            Some(body) => Ok(Some(body)),
            None => shown,
        }
    }

    /// Where the value of a path parameter comes from: a step that makes the record.
    fn made(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let creator = self.model.creator_for(&call.operation, parameter)?;
        if creator.operation.label() == call.operation.label() {
            return None;
        }
        let segment = segment_before(call.operation.path, parameter).unwrap_or_default();
        self.output(
            growth,
            creator,
            (parameter, &names::singular(segment)),
            way,
            depth,
        )
    }

    /// The key of a record that a creator makes, which is made now where it is not there yet.
    fn output(
        &self,
        growth: &mut Growth<'d>,
        creator: &Call<'d>,
        (key, segment): (&str, &str),
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let record = creator.record()?;
        let shape = Shape::of(self.model.document, Some(&record.schema));
        let listed = shape.property_names();
        let property = names::key_property(key, &record.name, &listed)
            .or_else(|| names::key_property(key, segment, &listed))?;
        let label = creator.operation.label();
        let step = if let Some(step) = growth.made.get(&label) {
            step.clone()
        } else {
            let step = self.grow(growth, creator, way, depth + 1)?;
            growth.made.insert(label, step.clone());
            step
        };
        let pointer = record.at.join(property);
        let maker = growth.steps.iter_mut().find(|own| own.id == step)?;
        let output = (key.to_owned(), Expression::ResponseBody(pointer));
        if !maker.flow.outputs.contains(&output) {
            maker.flow.outputs.push(output);
        }
        Some(Expression::StepOutput {
            step,
            name: key.to_owned(),
        })
    }

    /// Puts keys of records that are made into the body, where its example has keys of others.
    fn bind_body(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
        way: &Way<'d>,
        depth: usize,
    ) {
        let shape = Shape::of(self.model.document, call.body.as_ref());
        let Some(body) = &request.body else {
            return;
        };
        let shown = body.value.plain();
        for name in shape.property_names() {
            let there = shown.is_some_and(|shown| shown.get(name).is_some());
            let subject = names::subject(name).unwrap_or_default();
            let creator = self.model.creator_of(&subject);
            let Some(creator) = creator.filter(|_| there || shape.requires(name)) else {
                continue;
            };
            // A key that the caller makes up for the record itself is no reference.
            if creator.operation.label() == call.operation.label() {
                continue;
            }
            if let Some(made) = self.output(growth, creator, (name, &subject), way, depth) {
                let pointer = Pointer::root().join(name);
                request.replacements.push((pointer, Template::Whole(made)));
            }
        }
    }
}

/// One way that may be tried.
#[derive(Debug, Clone, Default)]
struct Way<'d> {
    /// The example of the call.
    own: Option<&'d str>,
    /// The maker of its record, and its example.
    maker: Option<(String, Option<&'d str>)>,
    /// What changes the record before the call.
    change: Option<String>,
    /// How much is made up where there is no example.
    extent: Extent,
}

impl<'d> Way<'d> {
    fn key(&self, label: &str, depth: usize) -> Option<&'d str> {
        match &self.maker {
            _ if depth == 0 => self.own,
            Some((maker, key)) if maker == label => *key,
            _ => None,
        }
    }

    fn name(&self) -> String {
        let maker = self.maker.as_ref().and_then(|(_, key)| *key);
        let change = self.change.as_deref().unwrap_or("-");
        let extent = match self.extent {
            Extent::Full | Extent::Other => "",
            Extent::Required => "/required",
        };
        format!(
            "{}/{}/{change}{extent}",
            self.own.unwrap_or("-"),
            maker.unwrap_or("-")
        )
    }
}

fn step_needs(request: &Request<'_>) -> Vec<String> {
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

/// Whether an operation answers a status that is documented, exactly.
pub fn documents(operation: &Operation<'_>, code: u16) -> bool {
    let mut responses = operation.responses().into_iter();
    responses.any(|own| own.status == Status::Code(code))
}
