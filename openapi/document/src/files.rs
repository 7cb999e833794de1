//! The files of a document, or one file beside it: read, decoded and parsed.

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
    /// No file yet, of those that are kept in one place.
    pub(crate) fn of(origin: Box<dyn Origin>) -> Self {
        Self {
            origin,
            ..Self::default()
        }
    }

    /// Parses what a file leads to before it is asked for.
    pub(crate) fn parse_ahead(&mut self, path: &Path, root: FileId) {
        self.ahead = ahead::parse(&*self.origin, path, &self.trees[&root]);
    }

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

    /// Reads a file on the disk that stands beside the document, wherever that is kept.
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

    fn keep(&mut self, file: FileId, mut tree: Node) -> FileId {
        let text = self.sources.file(file).text();
        if ["$id", "$anchor", "$dynamicAnchor"]
            .iter()
            .any(|own| text.contains(own))
        {
            identifiers::resolve(&mut tree);
        }
        duplicate_key::find(&tree, &mut self.findings);
        self.trees.insert(file, tree);
        file
    }
}
