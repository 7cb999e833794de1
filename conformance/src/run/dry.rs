//! A dry run: lists the requests of a run in order, without sending them.

use super::{Options, RunError, check_inputs, check_selection, secrets, selection, target};
use crate::case::{Script, Step};
use crate::client::{self, Credential};
use crate::collect;
use crate::compose::{Target, compose};
use crate::contract::Contract;
use crate::curl;
use crate::execute::{State, scope};
use crate::fresh::Fresh;
use crate::laws;
use crate::load::{document_with_scenarios, sound_behaviour};
use crate::model::Model;
use crate::plan::{self, Item, Policy};
use crate::secrets::Secrets;
use crate::seed::Seed;
use crate::trials;

/// The requests of the examples and scenarios, each with its case, as `curl` commands without
/// secrets, and the laws that would follow. The requests of laws depend on answers.
///
/// # Errors
/// The document, a scenario, the behaviour file, the address or the scope cannot be used.
pub fn dry(options: &Options) -> Result<Vec<String>, RunError> {
    let (document, scenarios) = document_with_scenarios(options)?;
    let url = client::address(&options.url)?;
    let contract = Contract::new(&document);
    check_selection(&document, &options.selection)?;
    let credential = options.transport.credential.as_ref();
    let credential: Vec<_> = credential
        .and_then(Credential::header)
        .into_iter()
        .collect();
    let target = target(options, &url, &credential, &document);
    let selection = selection(options, &target, &document);
    let scenarios = scenarios.list;
    let behaviour = sound_behaviour(options, &document)?;
    check_inputs(&scenarios, &selection)?;
    let collection = collect::collect(&contract, scenarios, &selection, false);
    let policy = Policy::new(client::is_loopback(&url), options.allow_writes);
    let mut plan = plan::plan(&document, collection, policy, &selection.withheld);
    plan.keep(&selection);
    let secrets = secrets(options, &target);
    let dry_run = DryRun {
        contract: &contract,
        target: &target,
        secrets: &secrets,
        seed: Seed {
            choices: options.seed,
            keys: 0,
        },
    };
    let items = plan.items.iter().chain(&plan.last);
    let mut lines: Vec<String> = items.flat_map(|item| dry_run.item(item)).collect();
    let operations = document.operations();
    let covered = operations
        .iter()
        .filter(|operation| selection.covers(operation))
        .count();
    if options.laws {
        let ids: Vec<&str> = laws::ALL.iter().map(|item| item.id).collect();
        lines.push(format!(
            "then the laws, as far as they apply to {covered} operations: {}",
            ids.join(", ")
        ));
    }
    if options.laws {
        let facts = openapi_facts::read(&document, Some(&behaviour));
        let model = Model::within(&document, behaviour, &selection.withheld);
        let trials = trials::plan(&facts, &model).into_iter();
        let tested = trials.map(|trial| {
            let fact = trial.fact;
            format!("{} tests {} ({})", trial.case(), fact.id, fact.evidence())
        });
        lines.extend(tested);
    }
    lines.push("nothing was sent".to_owned());
    Ok(lines)
}

struct DryRun<'t, 'd> {
    contract: &'t Contract<'d>,
    target: &'t Target,
    secrets: &'t Secrets,
    seed: Seed,
}

impl<'d> DryRun<'_, 'd> {
    fn item(&self, item: &Item<'d>) -> Vec<String> {
        match item {
            Item::Settled(settled) => {
                vec![format!("{}: {}", settled.name.id, settled.reason)]
            }
            Item::Script(script) => self.script(script),
        }
    }

    fn script(&self, script: &Script<'d>) -> Vec<String> {
        let fresh = Fresh::new(self.seed, &script.name);
        let mut state = State::new(&script.inputs, fresh);
        let steps = script.steps.iter();
        steps.map(|step| self.step(step, &mut state)).collect()
    }

    fn step(&self, step: &Step<'d>, state: &mut State<'_>) -> String {
        let id = &step.name.id;
        if let Some(reason) = &step.blocked {
            return format!("{id}: {reason}");
        }
        let scope = scope(&state.values, None);
        let document = self.contract.document;
        let times = step.flow.parallel.as_ref().map_or(1, |item| item.count);
        let times = if times > 1 {
            format!(" ({times} at once)")
        } else {
            String::new()
        };
        match compose(document, step, self.target, &scope, &mut state.fresh) {
            Ok(sent) => format!("{id}{times}\n  {}", curl::command(&sent, self.secrets)),
            Err(missing) => {
                let method = step.operation.method.as_str();
                let path = step.operation.path;
                format!(
                    "{id}{times}\n  {method} {path}, once an earlier step is answered: until then {missing}"
                )
            }
        }
    }
}
