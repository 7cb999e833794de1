//! Templates: texts of a document that write a value of others: `https://docs.shop.example/errors/{code}`.

use std::collections::{HashMap, HashSet};

use openapi_document::Node;
use openapi_document::view::Document;

use crate::prose;

/// Words that make a sentence hold sometimes only, or of other values.
const SOMETIMES: [&str; 10] = [
    "if", "when", "unless", "may", "can", "or", "example", "like", "not", "instead",
];

/// The templates of a document, by the texts that have them.
#[derive(Debug, Default)]
pub struct Templates<'d> {
    of: HashMap<&'d str, &'d str>,
    /// The properties that have such a text.
    names: HashSet<&'d str>,
}

impl<'d> Templates<'d> {
    /// Those in its descriptions.
    pub(super) fn in_document(document: &'d Document) -> Self {
        let mut templates = Self::default();
        templates.collect("", document.located_root().node);
        templates
    }

    fn collect(&mut self, name: &'d str, node: &'d Node) {
        for own in node.entries() {
            let text = own.value.as_str().filter(|_| own.key == "description");
            if let Some((text, found)) = text.and_then(|text| Some((text, template(text)?))) {
                self.of.insert(text, found);
                self.names.insert(name);
            }
            self.collect(&own.key, &own.value);
        }
        node.items().for_each(|own| self.collect(name, own));
    }

    /// Whether a property of some object is written of others.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The one that a text has.
    pub fn of(&self, text: &str) -> Option<&'d str> {
        // Most texts have none, and nothing has to be looked up for them.
        let own = text.contains('{').then(|| self.of.get(text));
        own.flatten().copied()
    }
}

/// The only text with names in braces that a description marks, where it says nothing of other cases.
fn template(text: &str) -> Option<&str> {
    let marked = text.split('`').skip(1).step_by(2);
    let mut all = marked.filter(|own| own.contains('{') && own.contains('}'));
    let only = all.next().filter(|_| all.next().is_none())?;
    let rest = text.replacen(only, "", 1);
    let spoken = prose::spoken(&rest);
    (!spoken.iter().any(|own| prose::has(own, &SOMETIMES))).then_some(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_write_a_value() {
        for (text, expected) in [
            (
                "`https://track.example/{carrier}`",
                Some("https://track.example/{carrier}"),
            ),
            ("Always `/parcels/{number}`.", Some("/parcels/{number}")),
            ("For example `/parcels/{number}`", None),
            ("`/parcels/{number}` or `/post/{number}`", None),
            ("The address of the parcel", None),
        ] {
            assert_eq!(template(text), expected, "{text}");
        }
    }
}
