//! Component index: finds components and paths by name, and remembers where long reference chains
//! end. A document may have tens of thousands of each.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::ResolveError;
use crate::node::{Mapping, Node};
use crate::pointer::Pointer;

/// The position of each component and path, built on first use. A clone is empty, because it may
/// belong to another tree.
#[derive(Debug, Default)]
pub struct ComponentIndex {
    sections: OnceLock<HashMap<String, HashMap<String, usize>>>,
    paths: OnceLock<HashMap<String, usize>>,
    ends: Mutex<HashMap<Pointer, Result<Pointer, ResolveError>>>,
}

impl Clone for ComponentIndex {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl ComponentIndex {
    /// The component with this name; the first one if the name is duplicated.
    pub(super) fn find<'d>(&self, root: &'d Node, section: &str, name: &str) -> Option<&'d Node> {
        let mapping = root.get("components")?.get(section)?.as_mapping()?;
        let sections = self.sections.get_or_init(|| places(root));
        noted(mapping, sections.get(section), name)
    }

    /// The path item of a path; the first one if the path is duplicated.
    pub(super) fn find_path<'d>(&self, root: &'d Node, path: &str) -> Option<&'d Node> {
        let paths = root.get("paths")?;
        let mapping = paths.as_mapping()?;
        noted(
            mapping,
            Some(self.paths.get_or_init(|| places_in(paths))),
            path,
        )
    }

    /// The remembered end of the reference chain from a place.
    pub(super) fn end(&self, from: &Pointer) -> Option<Result<Pointer, ResolveError>> {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.get(from).cloned()
    }

    /// Remembers the end of the chain through these places.
    pub(super) fn note_end(
        &self,
        through: impl IntoIterator<Item = Pointer>,
        end: &Result<Pointer, ResolveError>,
    ) {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.extend(through.into_iter().map(|place| (place, end.clone())));
    }
}

fn noted<'d>(
    mapping: &'d Mapping,
    places: Option<&HashMap<String, usize>>,
    name: &str,
) -> Option<&'d Node> {
    let place = places.and_then(|places| places.get(name));
    let noted = place.and_then(|&place| mapping.entries.get(place));
    match noted.filter(|entry| entry.key == name) {
        Some(entry) => Some(&entry.value),
        // The tree has changed since, or has duplicate keys.
        None if mapping.entries.len() != places.map_or(0, HashMap::len) => mapping.get(name),
        None => None,
    }
}

fn places(root: &Node) -> HashMap<String, HashMap<String, usize>> {
    let mut sections: HashMap<String, HashMap<String, usize>> = HashMap::new();
    for section in root.get("components").into_iter().flat_map(Node::entries) {
        let places = places_in(&section.value);
        sections.entry(section.key.clone()).or_insert(places);
    }
    sections
}

fn places_in(mapping: &Node) -> HashMap<String, usize> {
    let mut places = HashMap::new();
    for (place, entry) in mapping.entries().enumerate() {
        places.entry(entry.key.clone()).or_insert(place);
    }
    places
}
