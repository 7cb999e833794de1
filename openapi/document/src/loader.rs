//! Files → one bundled [`Document`].

use std::path::{Path, PathBuf};

use crate::bundle;
use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::origin::{Disk, Origin, Texts};
use crate::source::{FileId, Span};
use crate::view::{ComponentIndex, Document};

pub use crate::load_error::LoadError;
pub use crate::origin::tidy;

/// Reads a document and all files it refers to, and bundles them.
///
/// # Errors
/// A file cannot be read or is neither YAML nor JSON, it is no `OpenAPI` document of a version this
/// project reads, or a reference to another file leads nowhere.
pub fn load(path: &Path) -> Result<Document, LoadError> {
    load_from(path, Box::new(Disk))
}

/// Reads a document and all files it refers to from wherever they are kept, and bundles them.
///
/// # Errors
/// As [`load`].
pub fn load_from(path: &Path, origin: Box<dyn Origin>) -> Result<Document, LoadError> {
    let mut files = Files::of(origin);
    let root = files.read(path, None);
    if let Some(root) = root {
        files.parse_ahead(path, root);
    }
    finish(root, files)
}

/// Reads a document from a text in memory; it may refer to no other file.
///
/// # Errors
/// As [`load`].
pub fn load_text(name: &str, text: &str) -> Result<Document, LoadError> {
    let mut files = Files::default();
    let root = files.parse(PathBuf::from(name), text.to_owned());
    finish(root, files)
}

/// Reads a document from texts in memory, which refer to each other by their paths; the main one
/// comes first.
///
/// # Errors
/// As [`load`]; a reference to a file that is not among the texts leads nowhere.
pub fn load_texts(texts: &[(&str, &str)]) -> Result<Document, LoadError> {
    let main = texts.first().map_or("", |(path, _)| path);
    load_from(Path::new(main), Box::new(Texts::of(texts)))
}

fn finish(root: Option<FileId>, mut files: Files) -> Result<Document, LoadError> {
    let bundled = root.and_then(|root| {
        check_version(root, &mut files);
        bundle::bundle(root, &mut files)
    });
    match bundled {
        Some(root) if !files.diagnostics.has_errors() => Ok(Document {
            root,
            sources: files.sources,
            findings: files.findings,
            index: ComponentIndex::default(),
        }),
        _ => {
            files.diagnostics.sort();
            Err(LoadError {
                sources: files.sources,
                diagnostics: files.diagnostics,
            })
        }
    }
}

fn check_version(root: FileId, files: &mut Files) {
    const RULE: &str = "unsupported-version";
    let help = "this project reads OpenAPI 3.0, 3.1 and 3.2";
    let root = files.tree(root);
    let problem = match root.get("openapi").map(|node| (node, node.as_str())) {
        Some((_, Some(version)))
            if ["3.0.", "3.1.", "3.2."]
                .iter()
                .any(|own| version.starts_with(own)) =>
        {
            return;
        }
        Some((node, Some(version))) => {
            let title = format!("`{version}` is not an OpenAPI version that can be read");
            Diagnostic::error(RULE, title).at(node.span, "this version")
        }
        Some((node, None)) => Diagnostic::error(RULE, "the `openapi` version is not a string")
            .at(node.span, format!("this is a {}", node.type_name())),
        None => match root.get("swagger") {
            Some(node) => Diagnostic::error(RULE, "this is a Swagger document")
                .at(node.span, "convert it to OpenAPI 3 first"),
            None => Diagnostic::error(RULE, "this is not an OpenAPI document").at(
                Span {
                    end: root.span.start,
                    ..root.span
                },
                "no `openapi` field at the top",
            ),
        },
    };
    files.diagnostics.push(problem.help(help));
}
