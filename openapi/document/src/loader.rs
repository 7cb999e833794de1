//! Files → one bundled [`Document`].

use std::path::{Path, PathBuf};

use crate::bundle;
use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::node::Node;
use crate::origin::{Disk, Origin, Texts};
use crate::overlay;
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
    load_with(path, origin, &[])
}

/// Reads a document as [`load_from`] does, and changes it by overlays, which are files on the disk, one after
/// another. What an overlay brings in keeps its place in the overlay.
///
/// # Errors
/// As [`load`]; or an overlay cannot be read, is not of its form, or does not fit the document.
pub fn load_with(
    path: &Path,
    origin: Box<dyn Origin>,
    overlays: &[PathBuf],
) -> Result<Document, LoadError> {
    let mut files = Files::of(origin);
    let root = files.read(path, None);
    if let Some(root) = root {
        files.parse_ahead(path, root);
    }
    let overlays = overlays.iter().filter_map(|own| files.read_beside(own));
    let overlays: Vec<FileId> = overlays.collect();
    finish(root, &overlays, files)
}

/// Reads a document from a text in memory; it may refer to no other file.
///
/// # Errors
/// As [`load`].
pub fn load_text(name: &str, text: &str) -> Result<Document, LoadError> {
    let mut files = Files::default();
    let root = files.parse(PathBuf::from(name), text.to_owned());
    finish(root, &[], files)
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

fn finish(
    root: Option<FileId>,
    overlays: &[FileId],
    mut files: Files,
) -> Result<Document, LoadError> {
    let bundled = root.and_then(|root| {
        // An overlay may be what gives the document its version.
        if overlays.is_empty() {
            let problem = version_problem(files.tree(root));
            files.diagnostics.extend(problem);
        }
        let mut tree = bundle::bundle(root, &mut files)?;
        for overlay in overlays {
            let overlay = files.tree(*overlay).clone();
            overlay::apply(&overlay, &mut tree, &mut files);
        }
        if !overlays.is_empty() {
            files.diagnostics.extend(version_problem(&tree));
        }
        Some(tree)
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

/// Why a tree is no document of a version that is read.
fn version_problem(root: &Node) -> Option<Diagnostic> {
    const RULE: &str = "unsupported-version";
    let help = "this project reads OpenAPI 3.0, 3.1 and 3.2";
    let problem = match root.get("openapi").map(|node| (node, node.as_str())) {
        Some((_, Some(version)))
            if ["3.0.", "3.1.", "3.2."]
                .iter()
                .any(|own| version.starts_with(own)) =>
        {
            return None;
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
    Some(problem.help(help))
}
