//! Bundle: merges a document of many files into one tree.
//!
//! The bundler copies each definition in another file to `components`, and inlines path items.
//! Afterwards only `#/…` references remain.

use std::collections::HashMap;

use crate::diagnostic::Diagnostic;
use crate::files::Files;
use crate::grammar::{Kind, children_mut};
use crate::lifted_names;
use crate::node::{Entry, Mapping, Node, Value};
use crate::pointer::{Pointer, percent_decode};
use crate::source::{FileId, Span};

/// Bundles the document with this root file. Returns `None` if the root is no object. Problems go
/// to the diagnostics of `files`.
pub(crate) fn bundle(root: FileId, files: &mut Files) -> Option<Node> {
    if !matches!(files.tree(root).value, Value::Mapping(_)) {
        return None;
    }
    if !leaves_its_file(files.tree(root)) {
        return files.take_tree(root);
    }
    let mut tree = files.tree(root).clone();
    let mut bundler = Bundler {
        root,
        files,
        names: HashMap::new(),
        lifted: Vec::new(),
    };
    bundler.adopt_components(&mut tree);
    bundler.visit(&mut tree, Kind::Document, root, &mut Vec::new());
    bundler.visit_lifted();
    let names = bundler.lifted_names();
    for (lifted, name) in bundler.lifted.into_iter().zip(&names) {
        let mut entry = lifted.entry;
        entry.key.clone_from(name);
        put_component(&mut tree, lifted.section, entry);
    }
    if !names.is_empty() {
        lifted_names::put(&names, &mut tree);
    }
    Some(tree)
}

/// A definition in a file.
type Target = (FileId, Pointer);

struct Bundler<'f> {
    root: FileId,
    files: &'f mut Files,
    /// The section and name in the bundle for each definition of another file.
    names: HashMap<(&'static str, Target), String>,
    lifted: Vec<Lifted>,
}

/// A definition to be added to `components`.
struct Lifted {
    section: &'static str,
    kind: Kind,
    target: Target,
    entry: Entry,
}

impl Bundler<'_> {
    /// Replaces each root component that only refers to another file by that definition, so that
    /// the definition keeps the component's name.
    fn adopt_components(&mut self, tree: &mut Node) {
        let Some(components) = get_mut(tree, "components") else {
            return;
        };
        for (section, kind) in sections_mut(components) {
            let Some(name_of_section) = kind.component_section() else {
                continue;
            };
            for entry in entries_mut(section) {
                let Some((target, span)) = self.external(&entry.value, self.root) else {
                    continue;
                };
                let Some(mut definition) = self.definition(&target, span) else {
                    continue;
                };
                let key = (name_of_section, target.clone());
                self.names.entry(key).or_insert_with(|| entry.key.clone());
                copy_extensions(&entry.value, &mut definition);
                let file = target.0;
                entry.value = definition;
                if file != self.root {
                    self.visit(&mut entry.value, kind, file, &mut Vec::new());
                }
            }
        }
    }

    fn visit(&mut self, node: &mut Node, kind: Kind, file: FileId, open: &mut Vec<Target>) {
        if kind.may_be_reference() && node.reference().is_some() {
            if kind == Kind::PathItem {
                self.inline(node, file, open);
            } else {
                self.lift(node, kind, file);
            }
            // A schema may have other keywords beside its reference.
            if kind != Kind::Schema {
                return;
            }
        }
        if kind == Kind::Discriminator {
            self.map(node, file);
        }
        for (child, kind) in children_mut(node, kind) {
            self.visit(child, kind, file, open);
        }
    }

    /// Lifts the schemas in the mapping of a discriminator. A bare name is a component of the same
    /// file.
    fn map(&mut self, discriminator: &mut Node, file: FileId) {
        let Some(mapping) = get_mut(discriminator, "mapping") else {
            return;
        };
        for entry in entries_mut(mapping) {
            let Some(target) = entry.value.as_str() else {
                continue;
            };
            let is_name = !target.contains(['#', '/']) && !has_extension(target);
            let by_name = Pointer::from_iter(["components", "schemas", target]);
            let target = if !is_name {
                target.to_owned()
            } else if file != self.root && self.files.tree(file).at(&by_name).is_some() {
                format!("#{by_name}")
            } else {
                continue;
            };
            let mut reference = as_reference(&target, entry.value.span);
            let known = self.files.diagnostics.len();
            self.lift(&mut reference, Kind::Schema, file);
            match reference.reference() {
                Some(lifted) if lifted != target => {
                    entry.value.value = Value::String(lifted.to_owned());
                }
                // A bundle may keep the mappings of its source files: one that leads nowhere stays
                // unchanged.
                _ => self.files.diagnostics.truncate(known),
            }
        }
    }

    /// Replaces a reference to a path item by the path item.
    fn inline(&mut self, node: &mut Node, file: FileId, open: &mut Vec<Target>) {
        let Some((target, span)) = self.external(node, file) else {
            return;
        };
        if open.contains(&target) {
            self.report(
                "cyclic-reference",
                "this path item refers to itself",
                span,
                "through here",
            );
            return;
        }
        let Some(definition) = self.definition(&target, span) else {
            return;
        };
        let mut beside = std::mem::replace(node, definition);
        open.push(target.clone());
        self.visit(node, Kind::PathItem, target.0, open);
        open.pop();
        remove(&mut beside, "$ref");
        self.visit(&mut beside, Kind::PathItem, file, open);
        add_missing(node, beside);
    }

    /// Lifts the definition that a reference names into `components`, and rewrites the reference.
    fn lift(&mut self, node: &mut Node, kind: Kind, file: FileId) {
        let Some((target, span)) = self.external(node, file) else {
            return;
        };
        let Some(section) = kind.component_section() else {
            return;
        };
        let local = if target.0 == self.root {
            if !self.is_there(&target, span) {
                return;
            }
            target.1
        } else {
            let Some(name) = self.component_name(section, kind, &target, span) else {
                return;
            };
            Pointer::from_iter(["components", section, &name])
        };
        if let Some(reference) = get_mut(node, "$ref") {
            reference.value = Value::String(format!("#{local}"));
        }
    }

    /// The provisional name of a definition in the bundle. The first reference to it registers the
    /// definition.
    fn component_name(
        &mut self,
        section: &'static str,
        kind: Kind,
        target: &Target,
        span: Span,
    ) -> Option<String> {
        let key = (section, target.clone());
        if let Some(name) = self.names.get(&key) {
            return Some(name.clone());
        }
        let definition = self.definition(target, span)?;
        let name = lifted_names::provisional(self.lifted.len());
        self.names.insert(key, name.clone());
        let key_span = definition.span;
        let entry = Entry {
            key: name.clone(),
            key_span,
            value: definition,
        };
        self.lifted.push(Lifted {
            section,
            kind,
            target: target.clone(),
            entry,
        });
        Some(name)
    }

    /// The final names of the lifted definitions.
    fn lifted_names(&self) -> Vec<String> {
        let components = self.files.tree(self.root).get("components");
        let taken = |section: &str, name: &str| {
            let all = components.and_then(|all| all.get(section));
            all.is_some_and(|all| all.get(name).is_some())
        };
        let definition = |lifted: &Lifted| {
            let (file, pointer) = lifted.target.clone();
            let path = self.files.sources.file(file).path().to_owned();
            (lifted.section, path, pointer)
        };
        let all: Vec<_> = self.lifted.iter().map(definition).collect();
        let all: Vec<_> = all
            .iter()
            .map(|(section, path, pointer)| (*section, path.as_path(), pointer))
            .collect();
        lifted_names::assign(&all, taken)
    }

    /// Visits the lifted definitions, which may lift further ones.
    fn visit_lifted(&mut self) {
        let mut next = 0;
        while let Some(Lifted {
            kind,
            target,
            entry,
            ..
        }) = self.lifted.get_mut(next)
        {
            let (kind, file, span) = (*kind, target.0, entry.value.span);
            let placeholder = Node {
                value: Value::Null,
                span,
            };
            let mut definition = std::mem::replace(&mut entry.value, placeholder);
            self.visit(&mut definition, kind, file, &mut Vec::new());
            self.lifted[next].entry.value = definition;
            next += 1;
        }
    }

    /// The definition that a reference in `file` names; `None` if it already is a `#/…` of the
    /// root, or on errors.
    fn external(&mut self, node: &Node, file: FileId) -> Option<(Target, Span)> {
        let reference = node.reference()?;
        let span = node.get("$ref")?.span;
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let target = if path.is_empty() {
            file
        } else if path.contains("://") {
            let help = "copy the definition into a file of this document";
            let title = format!("`{reference}` is on another host, which the loader does not call");
            let diagnostic = Diagnostic::error("remote-reference", title)
                .at(span, "")
                .help(help);
            self.files.diagnostics.push(diagnostic);
            return None;
        } else {
            let mut at = self.files.beside(file, path);
            let encoded = Some(path).filter(|path| path.contains('%') && !at.exists());
            if let Some(decoded) = encoded.and_then(percent_decode) {
                at = self.files.beside(file, &decoded);
            }
            self.files.read(&at, Some(span))?
        };
        if target == self.root && file == self.root {
            return None;
        }
        let Some(pointer) = Pointer::parse_fragment(fragment) else {
            let title = format!("`{reference}` has a fragment that is not a JSON pointer");
            self.report("unresolved-reference", &title, span, "write it as `#/…`");
            return None;
        };
        Some(((target, pointer), span))
    }

    fn definition(&mut self, target: &Target, span: Span) -> Option<Node> {
        if !self.is_there(target, span) {
            return None;
        }
        let (file, pointer) = target;
        self.files.tree(*file).at(pointer).cloned()
    }

    /// Whether the target of a reference exists; reports a missing one.
    fn is_there(&mut self, (file, pointer): &Target, span: Span) -> bool {
        let is_there = self.files.tree(*file).at(pointer).is_some();
        if !is_there {
            let path = self.files.sources.file(*file).path().display();
            let title = format!("there is nothing at `{pointer}` in `{path}`");
            self.report("unresolved-reference", &title, span, "this leads nowhere");
        }
        is_there
    }

    fn report(&mut self, rule: &'static str, title: &str, span: Span, label: &str) {
        self.files
            .diagnostics
            .push(Diagnostic::error(rule, title).at(span, label));
    }
}

/// Whether a node has a reference, or a text that looks like one, to another file.
fn leaves_its_file(node: &Node) -> bool {
    let leads_out = |entry: &Entry| {
        let reference = entry.value.as_str().filter(|_| entry.key == "$ref");
        let mut mapped = entry.value.entries().filter(|_| entry.key == "mapping");
        let is_file = |entry: &Entry| {
            let target = entry.value.as_str().unwrap_or_default();
            has_extension(target.split('#').next().unwrap_or_default())
        };
        reference.is_some_and(|text| !text.starts_with('#'))
            || mapped.any(is_file)
            || leaves_its_file(&entry.value)
    };
    node.entries().any(leads_out) || node.items().any(leaves_its_file)
}

/// A node with a `$ref` to a target.
fn as_reference(target: &str, span: Span) -> Node {
    let value = Node {
        value: Value::String(target.to_owned()),
        span,
    };
    let entry = Entry {
        key: "$ref".to_owned(),
        key_span: span,
        value,
    };
    Node {
        value: Value::Mapping(Mapping {
            entries: vec![entry],
        }),
        span,
    }
}

fn has_extension(target: &str) -> bool {
    let path = std::path::Path::new(target);
    let end = path.extension().and_then(|end| end.to_str());
    matches!(end, Some("yaml" | "yml" | "json"))
}

fn remove(node: &mut Node, key: &str) {
    if let Value::Mapping(map) = &mut node.value {
        map.entries.retain(|entry| entry.key != key);
    }
}

/// Adds the fields of another object that `node` lacks.
fn add_missing(node: &mut Node, other: Node) {
    if let (Value::Mapping(target), Value::Mapping(other)) = (&mut node.value, other.value) {
        for entry in other.entries {
            if target.get(&entry.key).is_none() {
                target.entries.push(entry);
            }
        }
    }
}

fn get_mut<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    match &mut node.value {
        Value::Mapping(map) => map
            .entries
            .iter_mut()
            .find(|entry| entry.key == key)
            .map(|entry| &mut entry.value),
        _ => None,
    }
}

fn entries_mut(node: &mut Node) -> &mut [Entry] {
    match &mut node.value {
        Value::Mapping(map) => &mut map.entries,
        _ => &mut [],
    }
}

/// The sections of `components`, each with the kind of object it holds.
fn sections_mut(components: &mut Node) -> Vec<(&mut Node, Kind)> {
    let kind_of = |section: &str| match Kind::Components.shape(section) {
        Some(crate::grammar::Shape::Map(kind)) => Some(kind),
        _ => None,
    };
    entries_mut(components)
        .iter_mut()
        .filter_map(|entry| Some((kind_of(&entry.key)?, &mut entry.value)))
        .map(|(kind, node)| (node, kind))
        .collect()
}

fn copy_extensions(from: &Node, to: &mut Node) {
    let Value::Mapping(map) = &mut to.value else {
        return;
    };
    for entry in from.entries().filter(|entry| entry.key.starts_with("x-")) {
        map.entries.retain(|other| other.key != entry.key);
        map.entries.push(entry.clone());
    }
}

/// Adds a definition to a section of `components`; creates both if they are missing.
fn put_component(tree: &mut Node, section: &str, entry: Entry) {
    let added = child_mapping(tree, "components")
        .and_then(|components| child_mapping(components, section))
        .map(|section| &mut section.value);
    if let Some(Value::Mapping(mapping)) = added {
        mapping.entries.push(entry);
    }
}

/// The mapping under a key; creates it if it is missing. `None` if the owner is no mapping.
fn child_mapping<'n>(owner: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let span = owner.span;
    let Value::Mapping(map) = &mut owner.value else {
        return None;
    };
    let found = map.entries.iter().position(|entry| entry.key == key);
    let index = found.unwrap_or_else(|| {
        let value = Node {
            value: Value::Mapping(Mapping::default()),
            span,
        };
        map.entries.push(Entry {
            key: key.to_owned(),
            key_span: span,
            value,
        });
        map.entries.len() - 1
    });
    Some(&mut map.entries[index].value)
}
