//! The rules on scenarios: of one piece, and true to the document they exercise.

mod duplicate_step;
mod form;
mod names;
mod sources;
mod step_target;
mod unknown_example;
mod unknown_key;
mod unknown_operation;
mod unknown_step;

use super::level::Levels;
use super::rule::{Check, Rule};
use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::node::Node;
use crate::scenarios::ScenarioFile;

/// What such a rule looks at.
#[derive(Debug)]
pub(super) struct Scenario<'d> {
    document: &'d Document,
    file: &'d ScenarioFile,
}

/// All rules on scenarios, in the order of their names.
pub const SCENARIO_RULES: &[Rule] = &[
    names::ACTION,
    names::CRITERION,
    names::PARAMETER,
    names::REPLACEMENT,
    names::SOURCE,
    duplicate_step::RULE,
    names::WORKFLOW,
    form::CRITERION,
    form::ID,
    form::OUTPUT,
    form::MISSING,
    step_target::PATH,
    form::SCRIPT,
    step_target::TARGET,
    step_target::DEPENDENCY,
    unknown_example::RULE,
    step_target::GOTO,
    unknown_key::RULE,
    unknown_operation::RULE,
    unknown_step::OUTPUT,
    sources::TYPE,
    unknown_step::RULE,
    form::DESCRIPTION,
    sources::NONE,
];

/// Holds scenario files to all rules, each together with its findings.
pub fn lint_scenarios<'s>(
    document: &Document,
    files: &'s [ScenarioFile],
) -> Vec<(&'s ScenarioFile, Diagnostics)> {
    lint_scenarios_with(document, files, &Levels::default())
}

/// As [`lint_scenarios`], with levels of one's own.
pub fn lint_scenarios_with<'s>(
    document: &Document,
    files: &'s [ScenarioFile],
    levels: &Levels,
) -> Vec<(&'s ScenarioFile, Diagnostics)> {
    let lint = |file: &'s ScenarioFile| {
        let scenario = Scenario { document, file };
        let mut diagnostics = Diagnostics::default();
        for rule in SCENARIO_RULES {
            if let Check::Scenario(check) = rule.check {
                levels.ask(rule, &mut diagnostics, |found| check(&scenario, found));
            }
        }
        diagnostics.sort();
        (file, diagnostics)
    };
    files.iter().map(lint).collect()
}

impl<'d> Scenario<'d> {
    fn root(&self) -> &'d Node {
        &self.file.root
    }

    fn workflows(&self) -> impl Iterator<Item = &'d Node> + use<'d> {
        self.root()
            .get("workflows")
            .into_iter()
            .flat_map(Node::items)
    }

    fn steps_of(workflow: &'d Node) -> impl Iterator<Item = &'d Node> + use<'d> {
        workflow.get("steps").into_iter().flat_map(Node::items)
    }

    /// The steps of all workflows.
    fn steps(&self) -> impl Iterator<Item = &'d Node> + '_ {
        self.workflows().flat_map(Self::steps_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_for_what_they_find_and_listed_in_order() {
        let ids: Vec<_> = SCENARIO_RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        assert!(ids.iter().all(|id| id.starts_with("scenario-")), "{ids:?}");
    }
}
