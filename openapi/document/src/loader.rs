//! Loader: reads files and bundles them into one [`Document`].

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

/// Reads a document and all files that it refers to, and bundles them.
///
/// # Errors
/// A file cannot be read or is neither YAML nor JSON, it is not an `OpenAPI` document of a
/// supported version, or a reference to another file leads nowhere.
pub fn load(path: &Path) -> Result<Document, LoadError> {
    load_from(path, Box::new(Disk))
}

/// Like [`load`], but reads the files from any origin.
///
/// # Errors
/// Like [`load`].
pub fn load_from(path: &Path, origin: Box<dyn Origin>) -> Result<Document, LoadError> {
    load_with(path, origin, &[])
}

/// Like [`load_from`], and then applies overlays, which are files on the disk, in order. Values
/// from an overlay keep their place in the overlay.
///
/// # Errors
/// Like [`load`]; or an overlay cannot be read, is malformed, or does not fit the document.
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
    let overlays = overlays.iter().filter_map(|path| files.read_beside(path));
    let overlays: Vec<FileId> = overlays.collect();
    finish(root, &overlays, files)
}

/// Loads a document from one text in memory, without references to other files.
///
/// # Errors
/// Like [`load`].
pub fn load_text(name: &str, text: &str) -> Result<Document, LoadError> {
    let mut files = Files::default();
    let root = files.parse(PathBuf::from(name), text.to_owned());
    finish(root, &[], files)
}

/// Loads a document from texts in memory that refer to each other by path. The first text is the
/// root.
///
/// # Errors
/// Like [`load`]; a reference to a file that is not among the texts leads nowhere.
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
        // An overlay may set the version of the document.
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

/// The problem, if a tree is not a document of a supported version.
fn version_problem(root: &Node) -> Option<Diagnostic> {
    const RULE: &str = "unsupported-version";
    let help = "this project reads OpenAPI 3.0, 3.1 and 3.2";
    let problem = match root.get("openapi").map(|node| (node, node.as_str())) {
        Some((_, Some(version)))
            if ["3.0.", "3.1.", "3.2."]
                .iter()
                .any(|known| version.starts_with(known)) =>
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
