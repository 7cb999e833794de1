//! Files: reads, decodes and parses the files of a document, each once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::ahead::{self, Parsed};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::duplicate_key;
use crate::identifiers;
use crate::node::Node;
use crate::origin::{Disk, Origin};
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::{self, Malformed};

/// The files of one document, each read and parsed once.
#[derive(Debug)]
pub(crate) struct Files {
    origin: Box<dyn Origin>,
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) findings: Diagnostics,
    trees: HashMap<FileId, Node>,
    by_path: HashMap<PathBuf, FileId>,
    /// The files by the paths in references.
    asked: HashMap<PathBuf, FileId>,
    /// Files that were parsed in advance, by identity.
    ahead: HashMap<PathBuf, Parsed>,
    /// The folder of each file as the loader reached it: behind a symbolic link, `a/..` may be
    /// another folder.
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
    /// An empty collection that reads from an origin.
    pub(crate) fn of(origin: Box<dyn Origin>) -> Self {
        Self {
            origin,
            ..Self::default()
        }
    }

    /// Parses all files that a file refers to in advance.
    pub(crate) fn parse_ahead(&mut self, path: &Path, root: FileId) {
        self.ahead = ahead::parse(&*self.origin, path, &self.trees[&root]);
    }

    /// Reads a file once. Problems become diagnostics; `from` is the place of the reference to the
    /// file.
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

    /// Reads a file from the disk, even if the document comes from another origin.
    pub(crate) fn read_beside(&mut self, path: &Path) -> Option<FileId> {
        match Disk.read(path) {
            Ok(bytes) => {
                let text = self.decode(path, bytes)?;
                self.parse(path.to_owned(), text)
            }
            Err(error) => {
                let title = format!("failed to read `{}`: {error}", path.display());
                let diagnostic = Diagnostic::error("unreadable-file", title);
                let help = "check the path, and that the file may be read";
                self.diagnostics.push(diagnostic.help(help));
                None
            }
        }
    }

    /// Takes the findings that did not stop the loader.
    pub(crate) fn take_findings(&mut self) -> Diagnostics {
        std::mem::take(&mut self.findings)
    }

    /// The tree of a file before bundling.
    pub(crate) fn tree(&self, file: FileId) -> &Node {
        &self.trees[&file]
    }

    /// Removes and returns the tree of a file.
    pub(crate) fn take_tree(&mut self, file: FileId) -> Option<Node> {
        self.trees.remove(&file)
    }

    /// The path that a reference in `file` means.
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

    /// Adds and parses a text. Problems become diagnostics.
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

    /// Adds a file that was parsed in advance.
    fn take_in(&mut self, parsed: Parsed) -> FileId {
        let Parsed { source, mut tree } = parsed;
        let file = self.sources.take_in(source);
        tree.belong_to(file);
        self.keep(file, tree)
    }

    fn keep(&mut self, file: FileId, mut tree: Node) -> FileId {
        let text = self.sources.file(file).text();
        if ["$id", "$anchor", "$dynamicAnchor"]
            .iter()
            .any(|keyword| text.contains(keyword))
        {
            identifiers::resolve(&mut tree);
        }
        duplicate_key::find(&tree, &mut self.findings);
        self.trees.insert(file, tree);
        file
    }
}
