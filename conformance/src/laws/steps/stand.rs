//! Stand: how the record of a step is where its documented refusal bars it: in some state.

use openapi_document::Node;

use crate::model::{Call, Model, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

use super::led_from::led_from;
use super::stated::{self, Stated, read, says_only_of};
use crate::laws::trial::world::{Ready, World};

/// The record that a call is about, and what is stated of its states.
pub(super) struct Stand<'w, 'd> {
    model: &'w Model<'d>,
    pub(super) maker: &'w Call<'d>,
    /// Where its state stands.
    property: &'d str,
    verb: String,
    stated: Vec<Stated<'d>>,
    /// The states that facts bar.
    barred: Vec<&'d str>,
}

impl<'w, 'd> Stand<'w, 'd> {
    pub(super) fn of(
        world: &World<'w, '_, '_, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
        (sentences, verb): (&[String], String),
    ) -> Option<Self> {
        let (maker, record) = world.made_before(call, ready)?;
        let document = world.model.document;
        let maker = world.model.calls.iter().find(|own| {
            let kind = own.record().zip(maker.record());
            own.role == Role::Create && kind.is_some_and(|(one, other)| one.is(other))
        })?;
        let shape = Shape::of(document, maker.record().map(|own| &own.schema));
        let property = names::own_state(shape.property_names().into_iter())?;
        let said = (sentences, &verb[..]);
        let stated = states_told(world, (call, maker, record), property, said);
        let states = shape.property(document, property).known_values();
        let states = states.into_iter();
        let barred: Vec<&'d str> = states
            .filter(|state| world.barring(call, state).is_some())
            .collect();
        let is_stated = !stated.is_empty() || !barred.is_empty();
        is_stated.then_some(Self {
            model: world.model,
            maker,
            property,
            verb,
            stated,
            barred,
        })
    }

    /// The state of the record that a call is about, where the call is refused for it.
    pub(super) fn barring(&self, record: &Node) -> Option<String> {
        let state = record.get(self.property)?.as_str()?;
        (self.bars(state) && !self.model.is_moving(record)).then(|| state.to_owned())
    }

    /// Whether the call is refused of a record in a state.
    pub(super) fn bars(&self, state: &str) -> bool {
        self.barred.contains(&state) || self.stated.iter().any(|own| own.bars(state, &self.verb))
    }
}

/// What is stated of the states of a record, in sentences about a step.
fn states_told<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, maker, record): (&Call<'d>, &Call<'d>, &Node),
    property: &'d str,
    (sentences, verb): (&[String], &str),
) -> Vec<Stated<'d>> {
    let Some(kind) = maker.record().map(|own| &own.name) else {
        return Vec::new();
    };
    let document = world.model.document;
    let shape = Shape::of(document, maker.record().map(|own| &own.schema));
    let states = shape.property(document, property).known_values();
    let state = record.get(property).and_then(Node::as_str);
    let stated = sentences.iter().filter_map(|text| {
        let own = read(text, &states, verb)?;
        // A text that speaks of the state that the step was seen to lead from speaks of something else, but
        // where it says of the record itself from which states alone the step leads.
        // A credit note is what is credited.
        let verbs = names::words(&call.about);
        let mut verbs = verbs.iter().map(String::as_str).chain([verb]);
        let is_plain = verbs.any(|own| says_only_of(text, kind, own));
        let is_astray = state.is_some_and(|state| own.bars(state, verb));
        (is_plain || !is_astray).then_some(own)
    });
    let mut stated: Vec<Stated<'d>> = stated.collect();
    stated.extend(others(world, call, &states, (state, kind)));
    stated
}

/// What texts say of all states but those that they name, where the step was seen to lead from one of these, or the text
/// speaks of the kind of record.
fn others<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    states: &[&'d str],
    (state, kind): (Option<&str>, &str),
) -> Vec<Stated<'d>> {
    let noun = kind.rsplit(' ').next().unwrap_or_default();
    let is_of_kind = |text: &str| {
        let words = names::words(text);
        words.iter().any(|own| names::singular(own) == noun)
    };
    let none_but = |text| (text, stated::none_but(text, states));
    let (plain, mut all): (Vec<_>, Vec<_>) = call
        .texts()
        .map(none_but)
        .partition(|(text, own)| !own.is_empty() && is_of_kind(text));
    let said = call.texts().flat_map(prose::sentences);
    let allowed = said.map(|own| (own, stated::allowed(own, states)));
    all.extend(allowed.filter(|(_, own)| !own.is_empty()));
    let may_refuse = call.first_of(&[409, 422]).is_some();
    let verb = names::words(&call.about).pop().unwrap_or_default();
    let said = call
        .texts()
        .flat_map(prose::sentences)
        .filter(|_| may_refuse);
    let led = said.map(|own| (own, led_from(own, states, (&verb, kind))));
    let led = led.filter(|(_, own)| !own.is_empty() && !marks_others(call, states, own));
    all.extend(led);
    let mut said = call.texts().flat_map(prose::sentences);
    if let Some(word) = said.find_map(stated::no_longer)
        && !states.contains(&word)
    {
        let texts = world.model.calls.iter().flat_map(Call::texts);
        all.push(("", stated::meant(texts, word, states).into_iter().collect()));
    }
    let is_seen = |own: &(&str, Vec<&'d str>)| state.is_some_and(|state| own.1.contains(&state));
    let all = plain.into_iter().chain(all.into_iter().filter(is_seen));
    all.map(|(text, own)| Stated::only(text, own)).collect()
}

/// Whether the texts of a call mark a state that is none of some, and is not what it leads to: the step may well be taken on that, too.
fn marks_others(call: &Call<'_>, states: &[&str], known: &[&str]) -> bool {
    const LEADS: [&str; 9] = [
        "becomes", "become", "to", "now", "sets", "set", "marks", "marked", "as",
    ];
    call.texts().any(|text| {
        let parts: Vec<&str> = text.split('`').collect();
        let mut marked = (1..parts.len()).step_by(2);
        marked.any(|at| {
            let is_other = states.contains(&parts[at]) && !known.contains(&parts[at]);
            let before = names::words(&parts[at - 1].to_lowercase()).pop();
            let is_led_to = before.is_some_and(|own| LEADS.contains(&own.as_str()));
            is_other && !is_led_to
        })
    })
}
