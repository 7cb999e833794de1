//! Anew: an example that is refused as it stands, once more with records that are made for it.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::node::Entry;

use super::obstacle::{answer_of, granted_in, never_succeeded};
use super::{
    Runner, State, better, has, is_answered, is_refused, lacks_records, named, refusal, too_little,
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

/// What became of an example in the ways that were tried.
struct Outcome {
    /// The report that comes nearest to the documented answer.
    best: CaseReport,
    /// What was answered before the example, in each way.
    answers: Vec<Vec<Exchange>>,
    /// Why the records of the first way that failed could not be made.
    unmade: Option<String>,
    /// Whether the records were in the state that the example shows.
    stands: BTreeSet<bool>,
    last_sent: Option<Sent>,
    /// Whether the records of a way were all made.
    is_prepared: bool,
}

impl Outcome {
    fn new(best: CaseReport) -> Self {
        Self {
            best,
            answers: Vec::new(),
            unmade: None,
            stands: BTreeSet::new(),
            last_sent: None,
            is_prepared: false,
        }
    }

    /// What belongs to a record in the state of the example need not be there in another one.
    fn forgive_other_state(&mut self) {
        if self.stands.iter().eq([&false]) {
            let found = &mut self.best.differences;
            found.retain(|difference| difference.check != &checks::ITEM_MISSING);
            self.best.verdict = Verdict::of(found.iter().map(|difference| difference.level));
        }
    }

    /// The record that the example names and the run has not made, where the answer may be for want of it.
    fn missing(&self, step: &Step<'_>, laws: &Setting<'_, '_>) -> Option<String> {
        let is_answered = |codes: &[&str]| codes.iter().any(|code| is_answered(&self.best, code));
        let sent = self.last_sent.as_ref();
        // Many a server answers 403 for what is not there.
        let in_path = named::unmade_in_path(step, sent);
        let in_path = in_path.filter(|_| is_answered(&["403", "404", "410"]));
        in_path.or_else(|| {
            let in_body = named::unmade(laws.model, step, sent);
            in_body.filter(|_| is_answered(&["400", "404", "409", "410", "422"]))
        })
    }

    /// Makes a skip of it: without its records the example says nothing of the server.
    fn skip(&mut self, operation: &str, missing: Option<String>) {
        let answer = answer_of(&self.best.differences);
        self.best.verdict = Verdict::Skip;
        self.best.reason = Some(match (&self.unmade, missing) {
            (Some(why), _) => format!(
                "{why}, so what the example of {operation} names was not there (last answer: {answer}); \
                 give a scenario or a fact that leads to it"
            ),
            (None, Some(name)) => format!(
                "{}: the run made no record for the `{name}` of the example; give a scenario that makes it",
                never_succeeded(operation, &answer),
            ),
            (None, None) => format!(
                "{}: no operation makes what the example names; give a scenario that makes it",
                never_succeeded(operation, &answer),
            ),
        });
        self.best.differences.clear();
    }
}

impl<'d> Runner<'_, '_, 'd> {
    /// Sends an example that was refused as it stands with records that are made for it, in each way until one is answered
    /// as documented. Returns the nearest report, and what the example was refused for that says nothing of the server.
    pub(super) async fn anew(
        &mut self,
        script: &Script<'d>,
        step: &Step<'d>,
        report: CaseReport,
        laws: &Setting<'_, 'd>,
    ) -> (CaseReport, Option<String>) {
        let refusal = refusal(script);
        let ways = match refusal {
            _ if !lacks_records(&report, refusal) => return (report, None),
            Some(_) => recipe::to_refusal(
                self.sender.judge.contract,
                laws.selection,
                laws.model,
                script,
            ),
            None => {
                let mut ways = laws.recipes.with_records(script);
                ways.extend(laws.recipes.instead_of(script));
                ways
            }
        };
        let mut outcome = Outcome::new(report);
        for (number, way) in ways.iter().enumerate() {
            self.in_way(step, (number, way), refusal, &mut outcome)
                .await;
            if !lacks_records(&outcome.best, refusal) {
                break;
            }
        }
        outcome.forgive_other_state();
        // Where nothing of what it names could be made, no refusal of it says anything; nor does an empty list.
        let call = laws.model.call(&step.name.operation);
        let is_left = call.is_some_and(|call| laws.model.is_left_by_others(call));
        let is_whole = outcome.is_prepared || (ways.is_empty() && !is_left);
        let missing = outcome.missing(step, laws);
        let may_be_judged = refusal.is_some() || (is_whole && missing.is_none());
        let is_empty = has(&outcome.best, &checks::ITEM_MISSING);
        if !may_be_judged && (is_refused(&outcome.best) || is_empty) {
            outcome.skip(&step.name.operation, missing);
        }
        let call = call.filter(|_| refusal.is_none());
        let lack = call.and_then(|call| lack(laws, call, &outcome.best, &outcome.answers));
        (outcome.best, lack)
    }

    /// Makes the records of one way, and sends the example with them.
    async fn in_way(
        &mut self,
        step: &Step<'d>,
        (number, way): (usize, &Recipe<'d>),
        refusal: Option<u16>,
        outcome: &mut Outcome,
    ) {
        let Some((call, before)) = way.split() else {
            return;
        };
        let name = format!("{}#anew-{number}", step.name.id);
        let fresh = Fresh::new(self.sender.wire.seed, &name);
        let mut state = State::new(&way.script.inputs, fresh);
        state.kept = Some(Vec::new());
        for step in before {
            self.sender.step(&way.script, step, &mut state).await;
        }
        let answers = state.kept.take().unwrap_or_default();
        outcome.answers.push(answers);
        outcome.is_prepared |= state.failed.is_empty();
        let mut failed = before.iter().filter_map(|step| state.failed.get(&step.id));
        if outcome.unmade.is_none() {
            outcome.unmade = failed.next().cloned();
        }
        state.kept = Some(Vec::new());
        let mut call = Step {
            name: step.name.clone(),
            expected: step.expected.clone(),
            ..call.clone()
        };
        call.request.documented.clone_from(&step.request.documented);
        let mut report = self.sender.step(&way.script, &call, &mut state).await;
        if refusal == Some(409) && is_refused(&report) {
            let again = self.sender.step(&way.script, &call, &mut state).await;
            report = better(report, again, refusal);
        }
        let answer = state.kept.as_deref().and_then(<[Exchange]>::last);
        outcome.last_sent = answer.map(|answer| answer.sent.clone());
        let pair = step.expected.example.zip(answer);
        outcome.stands.extend(pair.and_then(stands_as));
        let best = outcome.best.clone();
        outcome.best = better(best, report, refusal);
    }
}

/// Whether a record is in the state that its example shows, where both tell one: not where nothing is of what the example has some
/// of, such as what was captured.
fn stands_as((example, answer): (&Node, &Exchange)) -> Option<bool> {
    let record = answer.outcome.as_ref().ok()?.json()?;
    let amount = |own: Option<&Node>| own.and_then(Amount::read).map(|own| own.units);
    let is_nothing = |own: &Entry| {
        let some = amount(Some(&own.value)).is_some_and(|own| own > 0);
        some && amount(record.get(&own.key)) == Some(0)
    };
    if example.entries().any(is_nothing) {
        return Some(false);
    }
    let mut states = example.entries().filter(|own| names::tells_state(&own.key));
    let (own, other) = states.find_map(|own| Some((own.value.as_str()?, record.get(&own.key)?)))?;
    Some(other.as_str() == Some(own))
}

/// Why a refusal of an example says nothing of the server, in whichever way it was tried.
fn lack<'d>(
    laws: &Setting<'_, 'd>,
    call: &Call<'d>,
    report: &CaseReport,
    answers: &[Vec<Exchange>],
) -> Option<String> {
    let operation = call.operation.label();
    let answer = answer_of(&report.differences);
    if answers.is_empty() && is_answered(report, "404") && laws.model.is_never_made(call) {
        return Some(format!(
            "{}: no operation makes what the example names; give a scenario that makes it",
            never_succeeded(&operation, &answer)
        ));
    }
    let mut codes = [402, 409, 422].into_iter();
    let code = codes.find(|own: &u16| is_answered(report, &own.to_string()))?;
    if laws.model.wants_supply(call, code) {
        return Some(too_little(&operation, &answer));
    }
    let wanted = granted_in(laws.facts, &operation, code);
    if let Some(state) = barred_state(laws.model, laws.facts, call, answers) {
        let wanted = wanted.unwrap_or_else(|| format!("another state than {state}"));
        return Some(format!(
            "{}, as documented in the state {state}; give a scenario or a fact that leads to {wanted}",
            never_succeeded(&operation, &answer)
        ));
    }
    // The run, or the example before it, may have brought the record into a state that is refused.
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

/// The state that the record of a call was brought to, where facts say that the call is refused in it, whichever way was
/// taken.
fn barred_state<'a>(
    model: &Model<'_>,
    facts: &Facts,
    call: &Call<'_>,
    answers: &'a [Vec<Exchange>],
) -> Option<&'a str> {
    let kind = call.record()?;
    let shape = Shape::of(model.document, Some(&kind.schema));
    let property = names::own_state(shape.property_names().into_iter())?;
    let brought_to = |own: &'a Vec<Exchange>| {
        let record = own.iter().rev().find_map(|exchange| {
            let made = model.call(&exchange.sent.operation)?;
            let is_alike = made.record().is_some_and(|own| own.is(kind));
            record_of(made, exchange).filter(|_| is_alike)
        })?;
        record.get(property).and_then(Node::as_str)
    };
    let operation = call.operation.label();
    let mut known = answers.iter().filter_map(brought_to).peekable();
    let first = known.peek().copied()?;
    let are_barred = known.all(|state| facts.barring(&operation, state).is_some());
    are_barred.then_some(first)
}
