//! Where the components of a document stand: sections may hold tens of thousands, and each reference
//! names one.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::node::Node;

/// The place of each component in its section, noted when one is first asked for. A copy of it is
/// empty, since it may come to stand beside another tree.
#[derive(Debug, Default)]
pub struct ComponentIndex {
    sections: OnceLock<HashMap<String, HashMap<String, usize>>>,
}

impl Clone for ComponentIndex {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl ComponentIndex {
    /// The component of a section by its name; of duplicates the first.
    pub(super) fn find<'d>(&self, root: &'d Node, section: &str, name: &str) -> Option<&'d Node> {
        let mapping = root.get("components")?.get(section)?.as_mapping()?;
        let sections = self.sections.get_or_init(|| places(root));
        let place = sections.get(section).and_then(|places| places.get(name));
        let noted = place.and_then(|&place| mapping.entries.get(place));
        match noted.filter(|entry| entry.key == name) {
            Some(entry) => Some(&entry.value),
            // The tree was changed since.
            None if mapping.entries.len() != sections.get(section).map_or(0, HashMap::len) => {
                mapping.get(name)
            }
            None => None,
        }
    }
}

fn places(root: &Node) -> HashMap<String, HashMap<String, usize>> {
    let mut sections: HashMap<String, HashMap<String, usize>> = HashMap::new();
    for section in root.get("components").into_iter().flat_map(Node::entries) {
        let places = sections.entry(section.key.clone()).or_default();
        for (place, component) in section.value.entries().enumerate() {
            places.entry(component.key.clone()).or_insert(place);
        }
    }
    sections
}
