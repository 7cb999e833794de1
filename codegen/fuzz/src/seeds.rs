//! The valid documents that mutations start from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use fastrand::Rng;
use openapi_document::node::{Entry, Mapping, Node, Value};

/// A document with more nodes than this is only used in parts.
const LARGE: usize = 3_000;
/// How many components a part keeps in each section.
const KEPT: usize = 24;

/// Valid documents that mutations start from.
#[derive(Debug, Default)]
pub struct Seeds {
    /// Each with the number of its nodes.
    documents: Vec<(Node, usize)>,
}

impl Seeds {
    /// Reads every document below some folders, in the order of their paths. Skips files that are
    /// not documents, and folders that do not exist.
    ///
    /// # Errors
    /// A folder cannot be read, or none of the folders contains a document.
    pub fn read(folders: &[PathBuf]) -> io::Result<Self> {
        let mut paths = Vec::new();
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            find(folder, &mut paths)?;
        }
        paths.sort();
        let mut documents = Vec::new();
        for path in paths {
            if let Ok(document) = openapi_document::loader::load(&path) {
                let size = super::tree::size(&document.root);
                documents.push((document.root, size));
            }
        }
        if documents.is_empty() {
            return Err(io::Error::other("there is no document to start from"));
        }
        Ok(Self { documents })
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// A random document, or a part of it when it is large.
    pub fn any(&self, rng: &mut Rng) -> Node {
        match &self.documents[rng.usize(..self.documents.len())] {
            (document, size) if *size <= LARGE => document.clone(),
            (document, _) => part(document, rng),
        }
    }
}

fn find(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            find(&path, paths)?;
        } else if matches!(extension, Some("json" | "yaml")) {
            paths.push(path);
        }
    }
    Ok(())
}

/// A few paths with the components they need. References to components beyond that lead to others
/// that are kept. Only what is kept is copied, because a whole document takes longer to copy than its
/// part to judge.
fn part(document: &Node, rng: &mut Rng) -> Node {
    let paths = document.get("paths").map(|paths| some_of(paths, rng));
    let kept = reachable(document, paths.as_ref(), rng);
    let field = |entry: &Entry| {
        let value = match (entry.key.as_str(), &paths) {
            ("paths", Some(paths)) => paths.clone(),
            ("components", _) => components(&entry.value, &kept),
            _ => entry.value.clone(),
        };
        Entry {
            key: entry.key.clone(),
            value,
            ..*entry
        }
    };
    let mut part = with_entries(document, document.entries().map(field).collect());
    redirect(&mut part, &kept, rng);
    part
}

/// A mapping with other entries.
fn with_entries(node: &Node, entries: Vec<Entry>) -> Node {
    Node {
        value: Value::Mapping(Mapping { entries }),
        span: node.span,
    }
}

/// One to five of the paths, in any order.
fn some_of(paths: &Node, rng: &mut Rng) -> Node {
    let mut entries: Vec<&Entry> = paths.entries().collect();
    rng.shuffle(&mut entries);
    entries.truncate(rng.usize(1..6));
    with_entries(paths, entries.into_iter().cloned().collect())
}

/// Those components that are kept.
fn components(all: &Node, kept: &BTreeSet<Component>) -> Node {
    let section = |section: &Entry| {
        let wanted = |entry: &&Entry| kept.contains(&(section.key.clone(), entry.key.clone()));
        let entries = section.value.entries().filter(wanted).cloned();
        Entry {
            key: section.key.clone(),
            value: with_entries(&section.value, entries.collect()),
            ..*section
        }
    };
    with_entries(all, all.entries().map(section).collect())
}

fn entry_mut<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let Value::Mapping(mapping) = &mut node.value else {
        return None;
    };
    let entry = mapping.entries.iter_mut().find(|entry| entry.key == key)?;
    Some(&mut entry.value)
}

/// A section of `components` and a name in it.
type Component = (String, String);

/// The components that the paths need, as far as there is room for them.
fn reachable(document: &Node, paths: Option<&Node>, rng: &mut Rng) -> BTreeSet<Component> {
    let mut kept = BTreeSet::new();
    let mut open: Vec<&Node> = paths.into_iter().collect();
    while let Some(node) = open.pop() {
        let mut named = BTreeSet::new();
        references(node, &mut named);
        for (section, name) in named {
            let full = kept
                .iter()
                .filter(|(other, _): &&Component| *other == section)
                .count()
                >= KEPT;
            let found = document
                .get("components")
                .and_then(|all| all.get(&section)?.get(&name));
            if let Some(found) = found.filter(|_| !full || rng.u8(..32) == 0)
                && kept.insert((section, name))
            {
                open.insert(0, found);
            }
        }
    }
    for scheme in document
        .get("components")
        .and_then(|all| all.get("securitySchemes"))
        .into_iter()
        .flat_map(Node::entries)
    {
        kept.insert(("securitySchemes".to_owned(), scheme.key.clone()));
    }
    kept
}

fn component(reference: &str) -> Option<Component> {
    let (section, name) = reference.strip_prefix("#/components/")?.split_once('/')?;
    Some((section.to_owned(), name.to_owned()))
}

fn references(node: &Node, found: &mut BTreeSet<Component>) {
    if let Some(named) = node.reference().and_then(component) {
        found.insert(named);
    }
    node.items().for_each(|item| references(item, found));
    node.entries()
        .for_each(|entry| references(&entry.value, found));
}

fn redirect(node: &mut Node, kept: &BTreeSet<Component>, rng: &mut Rng) {
    if let Some((section, name)) = node.reference().and_then(component)
        && !kept.contains(&(section.clone(), name))
    {
        let names: Vec<&String> = kept
            .iter()
            .filter(|(other, _)| *other == section)
            .map(|(_, name)| name)
            .collect();
        if let (Some(name), Some(target)) = (rng.choice(names), entry_mut(node, "$ref")) {
            target.value = Value::String(format!("#/components/{section}/{name}"));
        }
    }
    match &mut node.value {
        Value::Sequence(items) => items.iter_mut().for_each(|item| redirect(item, kept, rng)),
        Value::Mapping(mapping) => mapping
            .entries
            .iter_mut()
            .for_each(|entry| redirect(&mut entry.value, kept, rng)),
        _ => {}
    }
}
