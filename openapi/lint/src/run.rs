//! Run: runs the rules; findings come in source order.

use openapi_document::behaviour::Behaviour;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::scenarios::ScenarioFile;
use openapi_document::view::Document;

use super::catalogue::RULES;
use super::context::{Context, Reading, Scenario, Subject};
use super::levels::Levels;
use super::rule::Check;
use super::{behaviour, facts, scenario};

/// Checks a document with all rules at their default levels.
pub fn lint(document: &Document) -> Diagnostics {
    lint_with(document, &Levels::default())
}

/// Like [`lint`], with configured levels.
pub fn lint_with(document: &Document, levels: &Levels) -> Diagnostics {
    let context = Context::new(document);
    let mut diagnostics = Diagnostics::default();
    for rule in RULES {
        if let Check::Document(check) = rule.check {
            levels.run(rule, &mut diagnostics, |found| check(&context, found));
        }
    }
    diagnostics.sort();
    diagnostics
}

/// Checks scenario files with all rules at their default levels. Returns each file with its
/// findings.
pub fn lint_scenarios<'s>(
    document: &Document,
    files: &'s [ScenarioFile],
) -> Vec<(&'s ScenarioFile, Diagnostics)> {
    lint_scenarios_with(document, files, &Levels::default())
}

/// Like [`lint_scenarios`], with configured levels.
pub fn lint_scenarios_with<'s>(
    document: &Document,
    files: &'s [ScenarioFile],
    levels: &Levels,
) -> Vec<(&'s ScenarioFile, Diagnostics)> {
    let lint = |file: &'s ScenarioFile| {
        let scenario = Scenario { document, file };
        let mut diagnostics = Diagnostics::default();
        for rule in scenario::RULES {
            if let Check::Scenario(check) = rule.check {
                levels.run(rule, &mut diagnostics, |found| check(&scenario, found));
            }
        }
        diagnostics.sort();
        (file, diagnostics)
    };
    files.iter().map(lint).collect()
}

/// Checks a behaviour file against its document, with all rules at their default levels.
pub fn lint_behaviour(document: &Document, behaviour: &Behaviour) -> Diagnostics {
    lint_behaviour_with(document, behaviour, &Levels::default())
}

/// Like [`lint_behaviour`], with configured levels.
pub fn lint_behaviour_with(
    document: &Document,
    behaviour: &Behaviour,
    levels: &Levels,
) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    // Without a file there is nothing to check.
    if behaviour.sources.files().next().is_none() {
        return diagnostics;
    }
    let subject = Subject {
        behaviour,
        document,
    };
    for rule in behaviour::RULES {
        if let Check::Behaviour(check) = rule.check {
            levels.run(rule, &mut diagnostics, |found| check(&subject, found));
        }
    }
    diagnostics.sort();
    diagnostics
}

/// Checks the facts of a document against its behaviour file, with all rules at their default
/// levels. The findings are in the document.
pub fn lint_facts(document: &Document, behaviour: &Behaviour) -> Diagnostics {
    lint_facts_with(document, behaviour, &Levels::default())
}

/// Like [`lint_facts`], with configured levels.
pub fn lint_facts_with(document: &Document, behaviour: &Behaviour, levels: &Levels) -> Diagnostics {
    let reading = Reading::new(document, behaviour);
    let mut diagnostics = Diagnostics::default();
    for rule in facts::RULES {
        if let Check::Facts(check) = rule.check {
            levels.run(rule, &mut diagnostics, |found| check(&reading, found));
        }
    }
    diagnostics.sort();
    diagnostics
}
