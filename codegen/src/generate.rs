//! Document → files, through all phases.

use openapi_document::{Diagnostic, Diagnostics, Document, Severity};

use crate::emit::emit;
use crate::ir::Api;
use crate::lower::lower;
use crate::names::assign;
use crate::options::Options;
use crate::output::File;

/// What came out.
#[derive(Debug, Clone)]
pub struct Output {
    /// The files in the order of their paths.
    pub files: Vec<File>,
    /// What the files do not express, as warnings with their places.
    pub diagnostics: Diagnostics,
}

/// Turns a document into the files of a crate.
///
/// # Errors
/// The document is not one that bindings can be made of; says why, with places.
pub fn generate(document: &Document, options: &Options) -> Result<Output, Diagnostics> {
    let broken = openapi_document::references::check(document);
    if broken.has_errors() {
        return Err(broken);
    }
    let (api, mut diagnostics) = lower_in_depth(document, options);
    diagnostics.extend(read_all_the_same(document));
    diagnostics.sort();
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let names = assign(&api);
    let mut files = emit(&api, &names, options);
    files.push(File {
        path: "openapi.json".into(),
        text: format!("{}\n", document.root.to_json_pretty()),
    });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Output { files, diagnostics })
}

/// What reading the files found is wrong, but kept nobody from going on: of two equal keys, say, the
/// first counts.
fn read_all_the_same(document: &Document) -> impl Iterator<Item = Diagnostic> {
    let findings = document.findings.iter().cloned();
    findings.map(|finding| Diagnostic {
        severity: Severity::Warning,
        ..finding
    })
}

/// Schemas within schemas are lowered by recursion, for which a thread's usual stack may not do.
fn lower_in_depth(document: &Document, options: &Options) -> (Api, Diagnostics) {
    const STACK: usize = 64 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, || lower(document, options)) {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => lower(document, options),
        }
    })
}
