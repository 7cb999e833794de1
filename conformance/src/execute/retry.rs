//! Retries an example that was refused, with records that the run creates for it.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::node::Entry;

use super::obstacle::{answer_of, never_succeeded, permitted_in};
use super::{
    Runner, State, better, has, is_answered, is_refused, lacks_records, named, refusal, used_up,
};
use crate::amount::Amount;
use crate::answered::record_of;
use crate::case::{Script, Step};
use crate::checks;
use crate::event::CaseReport;
use crate::exchange::{Exchange, Sent};
use crate::fresh::Fresh;
use crate::level::Verdict;
use crate::model::{Call, Model, Role};
use crate::names;
use crate::recipe::{self, Recipe};
use crate::setting::Setting;
use crate::shape::Shape;
use openapi_facts::Facts;

/// The results of retrying an example with several recipes.
struct Outcome {
    /// The report that is nearest to the documented answer.
    best: CaseReport,
    /// The answers before the example, one list for each recipe.
    answers: Vec<Vec<Exchange>>,
    /// Why the first failed recipe could not create its records.
    preparation_error: Option<String>,
    /// Whether the records were in the state that the example shows, over all recipes.
    states_match: BTreeSet<bool>,
    last_sent: Option<Sent>,
    /// Whether at least one recipe created all its records.
    is_prepared: bool,
}

impl Outcome {
    fn new(best: CaseReport) -> Self {
        Self {
            best,
            answers: Vec::new(),
            preparation_error: None,
            states_match: BTreeSet::new(),
            last_sent: None,
            is_prepared: false,
        }
    }

    /// Drops missing items when the records were in another state than the example shows.
    fn drop_missing_items(&mut self) {
        if self.states_match.iter().eq([&false]) {
            let found = &mut self.best.differences;
            found.retain(|difference| difference.check != &checks::ITEM_MISSING);
            self.best.verdict = Verdict::of(found.iter().map(|difference| difference.level));
        }
    }

    /// The record that the example names and the run did not create, when the answer may be due to
    /// that.
    fn missing(&self, step: &Step<'_>, laws: &Setting<'_, '_>) -> Option<String> {
        let is_answered = |codes: &[&str]| codes.iter().any(|code| is_answered(&self.best, code));
        let sent = self.last_sent.as_ref();
        // Many servers answer 403 for a missing record.
        let in_path = named::missing_record_in_path(step, sent);
        let in_path = in_path.filter(|_| is_answered(&["403", "404", "410"]));
        in_path.or_else(|| {
            let in_body = named::missing_record(laws.model, step, sent);
            in_body.filter(|_| is_answered(&["400", "404", "409", "410", "422"]))
        })
    }

    /// Turns the case into a skip, because the example cannot succeed without its records.
    fn skip(&mut self, operation: &str, missing: Option<String>) {
        let answer = answer_of(&self.best.differences);
        self.best.verdict = Verdict::Skip;
        self.best.reason = Some(match (&self.preparation_error, missing) {
            (Some(why), _) => format!(
                "{why}, so the records in the example of {operation} did not exist (last answer: {answer}); \
                 give a scenario or a fact that leads to it"
            ),
            (None, Some(name)) => format!(
                "{}: the run created no record for the `{name}` of the example; give a scenario that creates it",
                never_succeeded(operation, &answer),
            ),
            (None, None) => format!(
                "{}: no operation creates the records in the example; give a scenario that creates them",
                never_succeeded(operation, &answer),
            ),
        });
        self.best.differences.clear();
    }
}

impl<'d> Runner<'_, 'd> {
    /// Sends a refused example again with created records, until one recipe leads to the documented
    /// answer. Returns the nearest report, and why a refusal is inconclusive.
    pub(super) async fn retry(
        &mut self,
        script: &Script<'d>,
        step: &Step<'d>,
        report: CaseReport,
        laws: &Setting<'_, 'd>,
    ) -> (CaseReport, Option<String>) {
        let refusal = refusal(script);
        let recipes = match refusal {
            _ if !lacks_records(&report, refusal) => return (report, None),
            Some(_) => recipe::to_refusal(
                self.sender.judge.contract,
                laws.selection,
                laws.model,
                script,
            ),
            None => {
                let mut recipes = laws.recipes.with_records(script);
                recipes.extend(laws.recipes.instead_of(script));
                recipes
            }
        };
        let mut outcome = Outcome::new(report);
        for (number, recipe) in recipes.iter().enumerate() {
            self.try_recipe(step, (number, recipe), refusal, &mut outcome)
                .await;
            if !lacks_records(&outcome.best, refusal) {
                break;
            }
        }
        outcome.drop_missing_items();
        // Without the records that it names, neither a refusal nor an empty list is a difference.
        let call = laws.model.call(&step.name.operation);
        let is_left = call.is_some_and(|call| laws.model.is_left_by_others(call));
        let is_whole = outcome.is_prepared || (recipes.is_empty() && !is_left);
        let missing = outcome.missing(step, laws);
        let may_be_judged = refusal.is_some() || (is_whole && missing.is_none());
        let is_empty = has(&outcome.best, &checks::ITEM_MISSING);
        if !may_be_judged && (is_refused(&outcome.best) || is_empty) {
            outcome.skip(&step.name.operation, missing);
        }
        let call = call.filter(|_| refusal.is_none());
        let inconclusive_reason =
            call.and_then(|call| inconclusive_reason(laws, call, &outcome.best, &outcome.answers));
        (outcome.best, inconclusive_reason)
    }

    /// Creates the records of one recipe, and sends the example with them.
    async fn try_recipe(
        &mut self,
        step: &Step<'d>,
        (number, recipe): (usize, &Recipe<'d>),
        refusal: Option<u16>,
        outcome: &mut Outcome,
    ) {
        let Some((call, before)) = recipe.split() else {
            return;
        };
        let name = format!("{}#anew-{number}", step.name.id);
        let fresh = Fresh::new(self.sender.wire.seed, &name);
        let mut state = State::new(&recipe.script.inputs, fresh);
        state.kept = Some(Vec::new());
        for step in before {
            self.sender.step(&recipe.script, step, &mut state).await;
        }
        let answers = state.kept.take().unwrap_or_default();
        outcome.answers.push(answers);
        outcome.is_prepared |= state.failed.is_empty();
        let mut failed = before.iter().filter_map(|step| state.failed.get(&step.id));
        if outcome.preparation_error.is_none() {
            outcome.preparation_error = failed.next().cloned();
        }
        state.kept = Some(Vec::new());
        let mut call = Step {
            name: step.name.clone(),
            expected: step.expected.clone(),
            ..call.clone()
        };
        call.request.documented.clone_from(&step.request.documented);
        let mut report = self.sender.step(&recipe.script, &call, &mut state).await;
        if refusal == Some(409) && is_refused(&report) {
            let again = self.sender.step(&recipe.script, &call, &mut state).await;
            report = better(report, again, refusal);
        }
        let answer = state.kept.as_deref().and_then(<[Exchange]>::last);
        outcome.last_sent = answer.map(|answer| answer.sent.clone());
        let pair = step.expected.example.zip(answer);
        outcome
            .states_match
            .extend(pair.and_then(is_in_shown_state));
        let best = outcome.best.clone();
        outcome.best = better(best, report, refusal);
    }
}

/// Whether a record is in the state that its example shows. `Some(false)` when an amount that the
/// example shows, such as the captured amount, is zero. `None` when one of them shows no state.
fn is_in_shown_state((example, answer): (&Node, &Exchange)) -> Option<bool> {
    let record = answer.outcome.as_ref().ok()?.json()?;
    let amount = |item: Option<&Node>| item.and_then(Amount::read).map(|value| value.units);
    let is_nothing = |entry: &Entry| {
        let some = amount(Some(&entry.value)).is_some_and(|value| value > 0);
        some && amount(record.get(&entry.key)) == Some(0)
    };
    if example.entries().any(is_nothing) {
        return Some(false);
    }
    let mut states = example
        .entries()
        .filter(|entry| names::names_state(&entry.key));
    let (shown, other) =
        states.find_map(|state| Some((state.value.as_str()?, record.get(&state.key)?)))?;
    Some(other.as_str() == Some(shown))
}

/// Why no refusal of an example is a difference of the server. `None` when it is one.
fn inconclusive_reason<'d>(
    laws: &Setting<'_, 'd>,
    call: &Call<'d>,
    report: &CaseReport,
    answers: &[Vec<Exchange>],
) -> Option<String> {
    let operation = call.operation.label();
    let answer = answer_of(&report.differences);
    if answers.is_empty() && is_answered(report, "404") && laws.model.is_never_created(call) {
        return Some(format!(
            "{}: no operation creates the records in the example; give a scenario that creates them",
            never_succeeded(&operation, &answer)
        ));
    }
    let mut codes = [402, 409, 422].into_iter();
    let code = codes.find(|code: &u16| is_answered(report, &code.to_string()))?;
    if laws.model.wants_supply(call, code) {
        return Some(used_up(&operation, &answer));
    }
    let wanted = permitted_in(laws.facts, &operation, code);
    if let Some(state) = barred_state(laws.model, laws.facts, call, answers) {
        let wanted = wanted.unwrap_or_else(|| format!("another state than {state}"));
        return Some(format!(
            "{}, as documented in the state {state}; give a scenario or a fact that leads to {wanted}",
            never_succeeded(&operation, &answer)
        ));
    }
    // The run, or an earlier example, may have changed the state of the record.
    let is_of_record = matches!(call.role, Role::Change | Role::Delete);
    let is_of_state = code == 409 && call.response(code).is_some();
    (is_of_record && is_of_state).then(|| {
        let wanted = wanted.unwrap_or_else(|| "the state that the example needs".to_owned());
        format!(
            "the server answered {answer}, which is documented for some states of the record; give a scenario or a fact \
             that leads to {wanted}"
        )
    })
}

/// The state that every recipe brought the record to, when a fact bars the call in that state.
fn barred_state<'a>(
    model: &Model<'_>,
    facts: &Facts,
    call: &Call<'_>,
    answers: &'a [Vec<Exchange>],
) -> Option<&'a str> {
    let kind = call.record()?;
    let shape = Shape::of(model.document, Some(&kind.schema));
    let property = names::state_name(shape.property_names().into_iter())?;
    let brought_to = |list: &'a Vec<Exchange>| {
        let record = list.iter().rev().find_map(|exchange| {
            let creator = model.call(&exchange.sent.operation)?;
            let is_alike = creator.record().is_some_and(|record| record.is(kind));
            record_of(creator, exchange).filter(|_| is_alike)
        })?;
        record.get(property).and_then(Node::as_str)
    };
    let operation = call.operation.label();
    let mut known = answers.iter().filter_map(brought_to).peekable();
    let first = known.peek().copied()?;
    let are_barred = known.all(|state| facts.barring(&operation, state).is_some());
    are_barred.then_some(first)
}
