//! The valid documents that mutations start from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use fastrand::Rng;
use openapi_document::node::{Node, Value};

/// A document with more nodes than this is only used in parts.
const LARGE: usize = 3_000;
/// How many components a part keeps in each section.
const KEPT: usize = 24;

/// Valid documents that mutations start from.
#[derive(Debug, Default)]
pub struct Seeds {
    documents: Vec<Node>,
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
                documents.push(document.root);
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
        let document = &self.documents[rng.usize(..self.documents.len())];
        part(document, rng)
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
/// that are kept.
fn part(document: &Node, rng: &mut Rng) -> Node {
    let mut part = document.clone();
    if super::tree::size(&part) <= LARGE {
        return part;
    }
    if let Some(paths) = entry_mut(&mut part, "paths")
        && let Value::Mapping(paths) = &mut paths.value
    {
        rng.shuffle(&mut paths.entries);
        paths.entries.truncate(rng.usize(1..6));
    }
    let kept = reachable(&part, rng);
    if let Some(components) = entry_mut(&mut part, "components")
        && let Value::Mapping(sections) = &mut components.value
    {
        for section in &mut sections.entries {
            let name = section.key.clone();
            if let Value::Mapping(entries) = &mut section.value.value {
                let wanted = |key: &str| kept.contains(&(name.clone(), key.to_owned()));
                entries.entries.retain(|entry| wanted(&entry.key));
            }
        }
    }
    redirect(&mut part, &kept, rng);
    part
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
fn reachable(document: &Node, rng: &mut Rng) -> BTreeSet<Component> {
    let mut kept = BTreeSet::new();
    let mut open: Vec<&Node> = document.get("paths").into_iter().collect();
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
