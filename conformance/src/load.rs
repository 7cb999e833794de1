//! Reads a contract: the document, its scenarios and its behaviour file.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;

use openapi_document::Behaviour;
use openapi_document::view::Document;

use crate::contract::actions;
use crate::envelopes;
use crate::laws;
use crate::options::Options;
use crate::run_error::RunError;
use crate::scenario::reader::{self, ScenarioErrors, Scenarios};
use crate::values;

/// The folder of the scenarios. `None` without one.
pub(crate) fn scenario_folder(options: &Options) -> Option<PathBuf> {
    let beside = || {
        options
            .spec
            .beside("scenarios")
            .filter(|folder| folder.is_dir())
    };
    options.scenarios.clone().or_else(beside)
}

/// The scenarios that the options name, else those of the document.
///
/// # Errors
/// A scenario has a mistake.
pub fn scenarios(options: &Options) -> Result<Scenarios, RunError> {
    let read = match scenario_folder(options) {
        Some(folder) => reader::read_folder(&folder),
        None => reader::read_texts(&options.spec.texts("scenarios/")),
    };
    read.map_err(|errors: ScenarioErrors| {
        let text = errors.diagnostics.render(&errors.sources, false);
        RunError::Usage(text.trim_end().to_owned())
    })
}

/// The size in bytes from which reading scenarios takes longer than starting a thread.
const WORTH_A_THREAD: u64 = 1 << 15;

fn size_of_scenarios(options: &Options) -> u64 {
    if let Some(folder) = scenario_folder(options) {
        return reader::size(&folder);
    }
    let texts = options.spec.texts("scenarios/");
    texts.iter().map(|(_, text)| text.len() as u64).sum()
}

/// The document and its scenarios. Without scenarios, splits steps that share an address, and
/// removes envelopes when there is no behaviour file either: both files use the original names.
///
/// # Errors
/// Mistakes in the document, else those in a scenario.
pub(crate) fn document_with_scenarios(
    options: &Options,
) -> Result<(Document, Scenarios), RunError> {
    let (mut document, scenarios) = both(options)?;
    values::put(&options.values, &mut document)?;
    // Scenarios and a behaviour file use the original names.
    if scenarios.list.is_empty() {
        let mut named = options.selection.operations.clone();
        named.extend(behaviour_words(options));
        actions::split_all(&mut document, &named);
        if !has_behaviour(options) {
            envelopes::remove_all(&mut document);
        }
    }
    Ok((document, scenarios))
}

/// The words of the behaviour file. Operations with these names stay unchanged.
fn behaviour_words(options: &Options) -> BTreeSet<String> {
    let beside = options.spec.beside("behaviour.yaml");
    let file = options.behaviour.clone().or(beside);
    let text = file.and_then(|file| std::fs::read_to_string(file).ok());
    let texts = options.spec.texts("behaviour.yaml").into_iter();
    let texts = texts.map(|(_, text)| (*text).to_owned()).chain(text);
    let is_between =
        |char: char| !(char.is_alphanumeric() || char == '_' || char == '-' || char == '.');
    texts
        .flat_map(|text| {
            text.split(is_between)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Whether the options or the document's folder have a behaviour file.
fn has_behaviour(options: &Options) -> bool {
    let beside = options.spec.beside("behaviour.yaml");
    let is_beside = beside.is_some_and(|file| file.is_file());
    options.behaviour.is_some() || is_beside || !options.spec.texts("behaviour.yaml").is_empty()
}

fn both(options: &Options) -> Result<(Document, Scenarios), RunError> {
    if size_of_scenarios(options) < WORTH_A_THREAD {
        return Ok((options.document()?, scenarios(options)?));
    }
    thread::scope(|scope| {
        let scenarios = scope.spawn(|| scenarios(options));
        let document = options.document();
        let scenarios = scenarios
            .join()
            .unwrap_or_else(|panic| resume_unwind(panic));
        Ok((document?, scenarios?))
    })
}

/// The behaviour file that the options name, else that of the document.
///
/// # Errors
/// The file has a mistake.
pub fn behaviour(options: &Options) -> Result<Behaviour, RunError> {
    let beside = || {
        let file = options.spec.beside("behaviour.yaml");
        file.filter(|file| file.is_file())
    };
    let read = match options.behaviour.clone().or_else(beside) {
        Some(file) => openapi_document::behaviour::load(&file),
        None => match options.spec.texts("behaviour.yaml").first() {
            Some((path, text)) => openapi_document::behaviour::load_text(path, text),
            None => return Ok(Behaviour::default()),
        },
    };
    read.map_err(|error| RunError::Usage(error.render(false).trim_end().to_owned()))
}

/// Like [`behaviour`], but also checks it against the document. A contradiction would make laws
/// report false differences or none.
///
/// # Errors
/// The file has a mistake, or contradicts the document.
pub(crate) fn sound_behaviour(
    options: &Options,
    document: &Document,
) -> Result<Behaviour, RunError> {
    let behaviour = behaviour(options)?;
    let mut found = openapi_document::behaviour::contradictions::check(document, &behaviour);
    found.extend(laws::readings::unknown(&behaviour));
    if found.is_empty() {
        return Ok(behaviour);
    }
    let text = found.render(&behaviour.sources, false);
    Err(RunError::Contract(text.trim_end().to_owned()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::source::{Spec, Texts};

    const MAIN: &str =
        "openapi: 3.0.3\ninfo: {title: t, version: '2'}\npaths:\n  /a: {$ref: paths/a.yaml}\n";
    const PATH: &str = "get: {operationId: a, responses: {'200': {description: d}}}\n";
    const STEPS: &str =
        "arazzo: 1.0.1\nworkflows:\n  - workflowId: w\n    steps: [{stepId: s, operationId: a}]\n";

    static ALL: Texts = &[
        ("c/api.yaml", MAIN),
        ("c/behaviour.yaml", "behaviour: '1.0'\n"),
        ("c/paths/a.yaml", PATH),
        ("c/scenarios/w.arazzo.yaml", STEPS),
    ];

    #[test]
    fn a_contract_is_read_from_texts() {
        let options = Options::new(Spec::Texts(ALL), "http://127.0.0.1:1");
        let document = options.document().unwrap();
        assert_eq!(document.operations()[0].label(), "a");
        let (_, file) = document.sources.files().nth(1).unwrap();
        assert_eq!(file.path(), Path::new("c/paths/a.yaml"));
        let scenarios = scenarios(&options).unwrap();
        assert_eq!(scenarios.list[0].id, "w");
        assert_eq!(
            scenarios.list[0].steps[0].spot.file,
            "c/scenarios/w.arazzo.yaml"
        );
        assert_eq!(behaviour(&options).unwrap().sources.files().count(), 1);
    }

    #[test]
    fn a_missing_text_is_reported_with_its_place() {
        static LONELY: Texts = &[("c/api.yaml", MAIN)];
        let error = Spec::Texts(LONELY).document(&[]).unwrap_err().to_string();
        assert!(
            error.contains("c/paths/a.yaml") && error.contains("c/api.yaml:4"),
            "{error}"
        );
    }
}
