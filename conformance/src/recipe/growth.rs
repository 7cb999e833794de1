//! How a recipe grows from its last step: each thing that a request needs is made by a step before it.

use std::collections::{BTreeMap, BTreeSet};

use spec::document::{Location, Method, Parameter};

use super::Recipe;
use super::choice::{Choice, choices};
use super::way::Way;
use crate::case::{
    ArgumentValue, Body, BodyValue, CaseName, Expected, Flow, Request, Script, Step,
};
use crate::collect::documented::{self, is_success};
use crate::collect::sample::Extent;
use crate::collect::{Selection, area, request};
use crate::contract::Contract;
use crate::expression::Template;
use crate::model::{Call, Model, Role, names};
use crate::shape::Shape;

/// So many changes before a maker are tried at most.
const DEEP: usize = 4;

/// So many pairs of changes are tried at most.
const PAIRS: usize = 4;

/// So many examples are tried that no answer is shown for.
const UNPAIRED: usize = 4;

/// So many ways without a change in between are tried before those with one; to a refusal, so many before its own
/// success and after it.
const MOST_PLAIN: usize = 12;

/// How much is made up of a call, and of what is made before it: what is optional may name what is not there.
const EXTENTS: [(Extent, Extent); 3] = [
    (Extent::Full, Extent::Full),
    (Extent::Full, Extent::Required),
    (Extent::Required, Extent::Required),
];

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
    /// Whether something in it is made up.
    is_invented: bool,
}

impl<'d> Grower<'_, 'd> {
    /// The ways to a success of a call.
    pub(super) fn ways(&self, call: &Call<'d>) -> Vec<Recipe<'d>> {
        self.by_plans(call, self.plans(call, &Self::keys(call)))
    }

    /// The ways to a refusal that an example of a call is answered with: with nothing but the records
    /// that it names, and where its own success came before it.
    pub(super) fn ways_to_refusal(&self, call: &Call<'d>, key: &'d str) -> Vec<Recipe<'d>> {
        let mut all = self.plans(call, &[Some(key)]);
        let plain = all.clone();
        let after = Self::keys(call).into_iter().flatten().flat_map(|before| {
            let after = |own: &Way<'d>| Way {
                own_before: Some(before),
                ..own.clone()
            };
            plain.iter().map(after).collect::<Vec<_>>()
        });
        all.truncate(MOST_PLAIN);
        all.extend(after.take(MOST_PLAIN));
        self.by_plans(call, all)
    }

    fn by_plans(&self, call: &Call<'d>, plans: Vec<Way<'d>>) -> Vec<Recipe<'d>> {
        let mut ways = Vec::new();
        let mut seen = BTreeSet::new();
        for way in plans {
            let mut growth = Growth::default();
            if self.grow(&mut growth, call, &way, 0).is_none() {
                continue;
            }
            let is_lean = way.extent != Extent::Full || way.extent_before != Extent::Full;
            if is_lean && !growth.is_invented {
                continue;
            }
            if let (Some(before), Some(own)) = (way.own_before, way.own) {
                Self::share_keys(call, (before, own), &mut growth.steps);
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
                    changes: way.changes,
                });
            }
        }
        ways
    }

    /// What is documented to be sent with the key of an earlier request of the same operation is.
    fn share_keys(call: &Call<'d>, examples: (&str, &str), steps: &mut [Step<'d>]) {
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

    /// What may be tried: each example of the call, with each example of the maker of its record, and
    /// with one change of that record in between.
    fn plans(&self, call: &Call<'d>, own: &[Option<&'d str>]) -> Vec<Way<'d>> {
        let all = self.makers(call);
        let maker = all.first().copied();
        let makers = maker.map_or_else(|| vec![None], Self::keys);
        let changes = all.iter().flat_map(|maker| self.changes(maker, call));
        let mut between: Vec<String> = Vec::new();
        for change in changes {
            if !between.contains(&change) {
                between.push(change);
            }
        }
        // What has to be there first may be there by chance: it is not relied on.
        let fillers = self.model.fillers(call).into_iter();
        let fillers: Vec<_> = fillers.map(|own| vec![own.operation.label()]).collect();
        let pairs = self.pairs(call, &between);
        let told = self.told(call, &between).into_iter();
        let more: Vec<_> = told.map(|own| vec![own]).chain(pairs.clone()).collect();
        let without = fillers.into_iter().chain(std::iter::once(Vec::new()));
        let mut ways = self.deep(call, maker, own, &more);
        let way = |key: Option<&'d str>, made: Option<&'d str>, changes: &[String]| Way {
            own: key,
            maker: maker.map(|maker| (maker.operation.label(), made)),
            changes: changes.to_vec(),
            ..Way::default()
        };
        let mut plain = Vec::new();
        for change in without {
            let extents = EXTENTS.into_iter();
            // With a change in between the way is narrow enough.
            let extents = extents.filter(|own| change.is_empty() || own.0 == own.1);
            for (extent, extent_before) in extents {
                let pairs = makers
                    .iter()
                    .flat_map(|made| own.iter().map(move |key| (key, made)));
                plain.extend(pairs.map(|(key, made)| Way {
                    extent,
                    extent_before,
                    ..way(*key, *made, &change)
                }));
            }
        }
        let between = between.into_iter().map(|own| vec![own]).chain(pairs);
        let changed = between.map(|change| {
            let extents = EXTENTS.into_iter().filter(|own| own.0 == own.1);
            let mut all = Vec::new();
            for (extent, extent_before) in extents {
                // A record of another kind tells more than another request about it.
                let pairs = own
                    .iter()
                    .flat_map(|key| makers.iter().map(move |made| (key, made)));
                all.extend(pairs.map(|(key, made)| Way {
                    extent,
                    extent_before,
                    ..way(*key, *made, &change)
                }));
            }
            all
        });
        let changed: Vec<Vec<Way<'d>>> = changed.collect();
        let choices = maker.map(|own| choices(self.model, own, call));
        let with = |choice: Choice, way: &Way<'d>| Way {
            choice: Some(choice),
            ..way.clone()
        };
        if let Some(first) = plain.first().cloned() {
            let chosen = choices.into_iter().flatten().map(|own| with(own, &first));
            plain.splice(1..1, chosen);
        }
        // The plain ones first, then each change in turn; of all of them some are tried only.
        let rest = plain.split_off(plain.len().min(MOST_PLAIN));
        plain.extend(in_turns(changed));
        plain.extend(rest);
        let room = super::MOST.saturating_sub(ways.len()).max(1);
        plain.truncate(room);
        plain.append(&mut ways);
        plain
    }

    /// Ways in which the maker itself needs its own record changed first: what is booked has to be on sale. Then with
    /// changes of what it has made, as they may need it, too: who confirms with credit has to have some.
    fn deep(
        &self,
        call: &Call<'d>,
        maker: Option<&Call<'d>>,
        own: &[Option<&'d str>],
        between: &[Vec<String>],
    ) -> Vec<Way<'d>> {
        let Some((maker, first)) = maker.and_then(|own| Some((own, self.maker(own)?))) else {
            return Vec::new();
        };
        let changes = self.changes(first, maker).into_iter();
        let changes = changes.filter(|own| *own != call.operation.label());
        let changes: Vec<String> = changes.take(DEEP).collect();
        let plain = changes.iter().map(|own| (own, Vec::new()));
        let more = changes
            .iter()
            .flat_map(|own| between.iter().map(move |more| (own, more.clone())));
        let ways = plain.chain(more.take(DEEP)).map(|(change, changes)| Way {
            own: own.first().copied().flatten(),
            maker: Some((
                maker.operation.label(),
                Self::keys(maker).first().copied().flatten(),
            )),
            choice: None,
            changes,
            extent: Extent::Full,
            extent_before: Extent::Full,
            before_maker: Some(change.clone()),
            own_before: None,
        });
        ways.collect()
    }

    /// The keys of the examples that a success answers; where none is shown to be, all keys of the request.
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
        if !keys.is_empty() {
            return keys;
        }
        let all: Vec<_> = asked.into_iter().map(Some).take(UNPAIRED).collect();
        if all.is_empty() { vec![None] } else { all }
    }

    /// The operation that makes the record which the call is about.
    pub(super) fn maker(&self, call: &Call<'d>) -> Option<&Call<'d>> {
        self.makers(call).first().copied()
    }

    /// The operations that make what the call is about: the record of its path, then those that its body has to name.
    fn makers(&self, call: &Call<'d>) -> Vec<&Call<'d>> {
        let mut of_path = call.path_parameters().into_iter().rev();
        let by_path = of_path.find_map(|name| self.model.creator_for(&call.operation, name));
        let document = self.model.document;
        let shape = Shape::of(document, call.body.as_ref());
        let subjects = shape.property_names().into_iter();
        let by_body = subjects
            .filter(|name| shape.requires(name))
            .filter_map(|name| {
                let kind = self.model.named_by(&shape.property(document, name), name);
                self.model.creator_of(&kind?)
            });
        let mut found: Vec<&Call<'d>> = Vec::new();
        for maker in by_path.into_iter().chain(by_body) {
            let label = maker.operation.label();
            let mut known = found.iter().copied().chain(std::iter::once(call));
            if !known.any(|own| own.operation.label() == label) {
                found.push(maker);
            }
        }
        found
    }

    /// The operations that change a record of a maker, other than the call itself; then those that make
    /// something under it, such as what has to be paid in before it can be paid out.
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
        let label = maker.operation.label();
        let is_under = |own: &&Call<'d>| {
            let of_path = own.path_parameters().last().copied();
            let creator = of_path.and_then(|name| self.model.creator_for(&own.operation, name));
            own.operation.method == Method::Post
                && own.operation.label() != call.operation.label()
                && creator.is_some_and(|own| own.operation.label() == label)
        };
        let made = self.model.of(Role::Create).filter(is_under).take(DEEP);
        changes
            .chain(made)
            .map(|own| own.operation.label())
            .collect()
    }

    /// The changes of which what is said of the call, or of its refusals, tells by the state that they lead to: `shipped`,
    /// `not checked in`.
    fn told(&self, call: &Call<'d>, changes: &[String]) -> Vec<String> {
        let refusals = [400, 403, 409, 422].into_iter();
        let texts = refusals.filter_map(|code| call.text_of(code));
        let words: Vec<String> = texts.chain(call.texts()).flat_map(names::words).collect();
        let is_told = |label: &&String| {
            let verb = self.model.call(label).map(|own| names::words(&own.about));
            let verb = verb.unwrap_or_default();
            let is_of = |part: &[String]| {
                let rest = part[1..] == verb[1..];
                rest && names::is_done(&part[0], &verb[0])
            };
            !verb.is_empty() && words.windows(verb.len()).any(is_of)
        };
        changes.iter().filter(is_told).cloned().collect()
    }

    /// Changes that come one after another, of which the second is told of.
    fn pairs(&self, call: &Call<'d>, changes: &[String]) -> Vec<Vec<String>> {
        let told = self.told(call, changes);
        let pairs = told.iter().flat_map(|last| {
            let first = changes.iter().filter(move |own| *own != last);
            first.map(|first| vec![first.clone(), last.clone()])
        });
        pairs.take(PAIRS).collect()
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
        let is_maker = way.maker.as_ref().is_some_and(|(own, _)| *own == label);
        if let (true, Some((pointer, value)), true) =
            (is_maker && depth > 0, &way.choice, request.body.is_some())
        {
            let value = Template::Literal(value.clone());
            request.replacements.push((pointer.clone(), value));
        }
        if let (true, Some(change)) = (is_maker && depth > 0, &way.before_maker) {
            let change = self.model.call(change)?;
            self.grow(growth, change, &Way::default(), depth + 1)?;
        }
        if let (1.., Some(filler)) = (depth, self.model.fillers(call).first()) {
            self.grow(growth, filler, &Way::default(), depth + 1)?;
        }
        for change in way.changes.iter().filter(|_| depth == 0) {
            let change = self.model.call(change)?;
            self.grow(growth, change, &Way::default(), depth + 1)?;
            self.change_parts(growth, change, depth)?;
        }
        self.bind_equal(growth, call, &mut request);
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
    fn change_parts(&self, growth: &mut Growth<'d>, change: &Call<'d>, depth: usize) -> Option<()> {
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
            self.grow(growth, change, &Way::default(), depth + 1)?;
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
                Location::Path => self.made(growth, call, parameter.name, way, depth),
                Location::Header if is_version(call, &parameter) => {
                    self.version(growth, call, way, depth)
                }
                _ => None,
            };
            let value = made
                .map(|made| ArgumentValue::Scenario(Template::Whole(made)))
                .or_else(|| request::argument_value(self.contract, &parameter, key));
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
                    own.natural_key |= is_chosen(call, &parameter);
                    arguments.push(own);
                }
                None if parameter.required() => return None,
                None => {}
            }
        }
        Some(Request {
            arguments,
            body: self.body(growth, call, way.extent_at(depth), key).ok()?,
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
        let declared = call.operation.request_body();
        let may_be_left = shown.is_ok() && !declared.is_some_and(|own| own.required());
        match request::invented_body(self.contract, &call.operation, wanted) {
            Some(_) if may_be_left && extent == Extent::Required => Ok(None),
            Some(body) => Ok(Some(body)),
            None => shown,
        }
    }
}

/// The first of each list, then the second of each, and so on.
fn in_turns<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(lists.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

/// Whether a parameter is the key that the caller chooses for what the call makes.
fn is_chosen(call: &Call<'_>, parameter: &Parameter<'_>) -> bool {
    parameter.location == Location::Path && call.chosen == Some(parameter.name)
}

/// Whether a parameter asks for the version that is to be changed: where it is required, or its lack is
/// refused with a status of its own.
fn is_version(call: &Call<'_>, parameter: &Parameter<'_>) -> bool {
    let is_asked_for = parameter.required() || call.response(428).is_some();
    is_asked_for && names::same(parameter.name, "if-match")
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
