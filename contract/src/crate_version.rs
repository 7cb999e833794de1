//! Crate version: checks the version of the generated crate.

use std::path::Path;

use codegen::{Options, Runtime};
use openapi_document::{Document, SourceMap, Span};

use crate::catalogue::CRATE_VERSION;
use crate::diff::Pair;
use crate::finding::{Place, Side};
use crate::gate::not_raised;
use crate::input::Input;
use crate::level::Level;
use crate::manifest::{self, Manifest};
use crate::release::{Step, judge};
use crate::report::Report;
use crate::rust_api::{Difference, RustApi};

/// The maximum number of changed names in a message.
const MOST_NAMES: usize = 5;

/// Adds the verdict on the version of the generated crate.
///
/// # Errors
/// The manifest cannot be read; the text says why.
pub fn judge_crate(
    pair: &Pair,
    base: &Input,
    manifest: &Path,
    report: &mut Report,
) -> Result<(), String> {
    // A base document from a plain file belongs to no known crate version.
    if base.on_disk().is_some() {
        return Ok(());
    }
    let disk = Input::Disk(manifest.to_owned());
    let is = manifest::read(manifest, &disk).map_err(|error| failed(manifest, &error))?;
    // A new crate has no users yet.
    let Ok(was) = manifest::read(manifest, base) else {
        return Ok(());
    };
    let (Some(old), Some(new)) = (api(&pair.base), api(&pair.revision)) else {
        return Ok(());
    };
    let differences = old.differences(&new);
    let step = old.step(&new);
    let verdict = judge(&is.name, &was.version, &is.version, step);
    if !verdict.is_enough {
        let places = vec![place(&is)];
        let mut finding = not_raised(CRATE_VERSION, Level::Error, &verdict, places);
        let names = names(&differences, step);
        let help = finding.help.unwrap_or_default();
        finding.help = Some(format!("{help}: {names}"));
        report.findings.push(finding);
    }
    report.versions.push(verdict);
    Ok(())
}

fn failed(manifest: &Path, error: &std::io::Error) -> String {
    format!("failed to read {}: {error}", manifest.display())
}

/// The public API of the crate of a document; `None` if no crate can be generated.
pub fn api(document: &Document) -> Option<RustApi> {
    let options = Options {
        crate_name: "contract".to_owned(),
        complete_crate: false,
        round_trips: false,
        source_label: String::new(),
        behaviour: None,
        command: String::new(),
        exact: false,
        runtime: Runtime::Package(None),
        ..Options::default()
    };
    let output = codegen::generate(document, &options).ok()?;
    Some(RustApi::of(&output.files))
}

/// The changed names that require a step.
fn names(differences: &[Difference], step: Step) -> String {
    let relevant: Vec<&Difference> = differences
        .iter()
        .filter(|difference| difference.step == step)
        .collect();
    let shown = relevant.iter().take(MOST_NAMES);
    let mut names: Vec<String> = shown
        .map(|difference| format!("`{}` {}", difference.name, difference.what))
        .collect();
    if relevant.len() > MOST_NAMES {
        names.push(format!("and {} more", relevant.len() - MOST_NAMES));
    }
    names.join(", ")
}

fn place(manifest: &Manifest) -> Place {
    let (path, text, at) = &manifest.place;
    let mut sources = SourceMap::default();
    let file = sources.add(path, text.clone());
    let index = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    let end = text[*at..]
        .find('\n')
        .map_or(text.len(), |length| at + length);
    let span = Span {
        file,
        start: index(*at),
        end: index(end),
    };
    Place::new(&sources, span, "the current version", Side::Revision, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r"
openapi: 3.0.4
info: {title: Things, version: '1'}
paths:
  /things:
    post:
      operationId: addThing
      tags: [things]
      parameters:
        - {name: dry, in: query, schema: {type: boolean}}
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewThing'}}}
      responses:
        '201':
          description: The thing.
          content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}
        '404': {description: There is none.}
components:
  schemas:
    NewThing:
      type: object
      required: [name, kind]
      properties: {name: {type: string}, kind: {type: string}, note: {type: string}}
    Thing:
      type: object
      required: [id]
      properties: {id: {type: string}, state: {$ref: '#/components/schemas/State'}}
    State: {type: string, enum: [OPEN, SHUT]}
";

    #[test]
    fn a_change_that_clients_do_not_notice_is_minor() {
        let api_of = |text: &str| {
            let document = openapi_document::loader::load_text("openapi.yaml", text);
            api(&document.unwrap()).unwrap()
        };
        for (from, to, step) in [
            (
                "{id: {type: string},",
                "{id: {type: string}, at: {type: string},",
                Step::Minor,
            ),
            ("[OPEN, SHUT]", "[OPEN, SHUT, LOST]", Step::Minor),
            (
                "'404': {",
                "'409': {description: It exists.}\n        '404': {",
                Step::Minor,
            ),
            (
                "note: {type: string}",
                "note: {type: string}, by: {type: string}",
                Step::Minor,
            ),
            (
                "- {name: dry",
                "- {name: wet, in: query, schema: {type: boolean}}\n        - {name: dry",
                Step::Minor,
            ),
            ("[name, kind]", "[name, kind, note]", Step::Major),
            ("[name, kind]", "[name]", Step::Major),
            ("required: [id]", "required: [id, state]", Step::Major),
            ("[OPEN, SHUT]", "[OPEN]", Step::Major),
            (
                "{name: dry, in: query",
                "{name: dry, required: true, in: query",
                Step::Major,
            ),
            ("note: {type: string}", "note: {type: integer}", Step::Major),
            ("title: Things", "title: All things", Step::None),
        ] {
            let changed = DOCUMENT.replacen(from, to, 1);
            assert_ne!(changed, DOCUMENT, "{from}");
            let found = api_of(DOCUMENT).differences(&api_of(&changed));
            let most = api_of(DOCUMENT).step(&api_of(&changed));
            assert_eq!(most, step, "{from} → {to}: {found:?}");
        }
    }
}
