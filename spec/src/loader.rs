//! Files → one bundled [`Document`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::ahead::{self, Parsed};
use crate::bundle;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::{ComponentIndex, Document};
use crate::lint::duplicate_key;
use crate::node::Node;
pub use crate::origin::tidy;
use crate::origin::{Disk, Origin, Texts};
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::{self, Malformed};

/// Why there is no document: every reason at once, and the texts they point into.
#[derive(Debug)]
pub struct LoadError {
    /// The texts read so far.
    pub sources: SourceMap,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

impl LoadError {
    /// The reasons with excerpts of the source.
    pub fn render(&self, color: bool) -> String {
        self.diagnostics.render(&self.sources, color)
    }
}

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
    let mut files = Files {
        origin,
        ..Files::default()
    };
    let root = files.read(path, None);
    if let Some(root) = root {
        files.ahead = ahead::parse(&*files.origin, path, &files.trees[&root]);
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
        check_version(&files.trees[&root], &mut files.diagnostics);
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

/// The files of one document, each read and parsed once.
#[derive(Debug)]
pub(crate) struct Files {
    origin: Box<dyn Origin>,
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Diagnostics,
    findings: Diagnostics,
    trees: HashMap<FileId, Node>,
    by_path: HashMap<PathBuf, FileId>,
    /// The same by the paths as references spell them.
    asked: HashMap<PathBuf, FileId>,
    /// What was parsed before it is asked for, by the identity of the files.
    ahead: HashMap<PathBuf, Parsed>,
    /// The folder of each file as it was reached: behind a link, `a/..` is not where it seems to be.
    folders: HashMap<FileId, PathBuf>,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            origin: Box::new(Disk),
            sources: SourceMap::default(),
            diagnostics: Diagnostics::default(),
            findings: Diagnostics::default(),
            trees: HashMap::new(),
            by_path: HashMap::new(),
            asked: HashMap::new(),
            ahead: HashMap::new(),
            folders: HashMap::new(),
        }
    }
}

impl Files {
    /// Reads a file, or finds it among those already read. What is wrong becomes a diagnostic;
    /// `from` is the reference that asks for it.
    pub(crate) fn read(&mut self, path: &Path, from: Option<Span>) -> Option<FileId> {
        if let Some(&file) = self.asked.get(path) {
            return Some(file);
        }
        let file = self.read_once(path, from)?;
        self.asked.insert(path.to_owned(), file);
        Some(file)
    }

    fn read_once(&mut self, path: &Path, from: Option<Span>) -> Option<FileId> {
        let identity = self.origin.identity(path);
        if let Some(&file) = self.by_path.get(&identity) {
            return self.trees.contains_key(&file).then_some(file);
        }
        let file = match self.ahead.remove(&identity) {
            Some(parsed) => self.take_in(parsed),
            None => self.parse_now(path, from)?,
        };
        self.by_path.insert(identity, file);
        let folder = path.parent().unwrap_or(Path::new(""));
        self.folders.insert(file, folder.to_owned());
        Some(file)
    }

    fn parse_now(&mut self, path: &Path, from: Option<Span>) -> Option<FileId> {
        match self.origin.read(path) {
            Ok(bytes) => {
                let shown = self.origin.shown(path);
                let text = self.decode(&shown, bytes)?;
                self.parse(shown, text)
            }
            Err(error) => {
                let title = format!(
                    "failed to read `{}`: {error}",
                    self.origin.shown(path).display()
                );
                let diagnostic = Diagnostic::error("unreadable-file", title);
                self.diagnostics.push(match from {
                    Some(span) => diagnostic.at(span, "referred to here"),
                    None => diagnostic.help("check the path, and that the file may be read"),
                });
                None
            }
        }
    }

    /// What was found in files that could be read all the same.
    pub(crate) fn take_findings(&mut self) -> Diagnostics {
        std::mem::take(&mut self.findings)
    }

    /// The file's tree as it was written.
    pub(crate) fn tree(&self, file: FileId) -> &Node {
        &self.trees[&file]
    }

    /// The same, of a file that is not asked for again.
    pub(crate) fn take_tree(&mut self, file: FileId) -> Option<Node> {
        self.trees.remove(&file)
    }

    /// The path a reference in `file` means.
    pub(crate) fn beside(&self, file: FileId, relative: &str) -> PathBuf {
        let folder = self
            .folders
            .get(&file)
            .map_or(Path::new(""), PathBuf::as_path);
        folder.join(relative)
    }

    fn decode(&mut self, path: &Path, bytes: Vec<u8>) -> Option<String> {
        let error = match String::from_utf8(bytes) {
            Ok(text) if text.len() < u32::MAX as usize => return Some(text),
            Ok(_) => "it is larger than 4 GiB".to_owned(),
            Err(error) => error.to_string(),
        };
        let title = format!("failed to read `{}`: {error}", path.display());
        self.diagnostics
            .push(Diagnostic::error("unreadable-file", title));
        None
    }

    /// Takes a text in; what is wrong becomes a diagnostic.
    pub(crate) fn parse(&mut self, path: PathBuf, text: String) -> Option<FileId> {
        let file = self.sources.add(path, text);
        match syntax::read(file, self.sources.file(file)) {
            Ok(tree) => Some(self.keep(file, tree)),
            Err(Malformed {
                rule,
                message,
                span,
            }) => {
                self.diagnostics
                    .push(Diagnostic::error(rule, message).at(span, ""));
                None
            }
        }
    }

    /// Takes in what was parsed ahead.
    fn take_in(&mut self, parsed: Parsed) -> FileId {
        let Parsed { source, mut tree } = parsed;
        let file = self.sources.take_in(source);
        tree.belong_to(file);
        self.keep(file, tree)
    }

    fn keep(&mut self, file: FileId, tree: Node) -> FileId {
        duplicate_key::find(&tree, &mut self.findings);
        self.trees.insert(file, tree);
        file
    }
}

fn check_version(root: &Node, diagnostics: &mut Diagnostics) {
    const RULE: &str = "unsupported-version";
    let help = "this project reads OpenAPI 3.0 and 3.1";
    let problem = match root.get("openapi").map(|node| (node, node.as_str())) {
        Some((_, Some(version))) if version.starts_with("3.0.") || version.starts_with("3.1.") => {
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
    diagnostics.push(problem.help(help));
}
