//! Pointers: finds the pointers of spans. Lint findings have byte spans, but a fingerprint needs
//! the name of the place.

use std::collections::{BTreeMap, HashMap};

use openapi_document::{Node, Pointer, Span, Value};

/// The pointers of some spans.
#[derive(Debug, Default)]
pub struct Pointers {
    known: HashMap<Span, Pointer>,
}

impl Pointers {
    /// Finds the pointers of spans in one walk: that of the node or key with the span, or else that
    /// of the smallest node that contains it.
    pub fn of(root: &Node, spans: impl Iterator<Item = Span>) -> Self {
        let mut search = Search {
            wanted: spans.map(|span| (span, None)).collect(),
            around: Vec::new(),
        };
        search.node(root, &mut Pointer::root());
        let mut missed: Vec<Span> = Vec::new();
        let mut known = HashMap::new();
        for (span, found) in std::mem::take(&mut search.wanted) {
            match found {
                Some(pointer) => drop(known.insert(span, pointer)),
                None => missed.push(span),
            }
        }
        if !missed.is_empty() {
            missed.sort_unstable();
            let mut search = Search {
                wanted: BTreeMap::new(),
                around: missed.into_iter().map(|span| (span, None)).collect(),
            };
            search.node(root, &mut Pointer::root());
            let found = search.around.into_iter();
            known.extend(found.filter_map(|(span, best)| Some((span, best?.1))));
        }
        Self { known }
    }

    /// The pointer of a span.
    pub fn get(&self, span: Span) -> Option<&Pointer> {
        self.known.get(&span)
    }
}

struct Search {
    /// The spans to find, each with the first node or key that has it.
    wanted: BTreeMap<Span, Option<Pointer>>,
    /// The spans inside a node, each with the smallest such node so far and its length.
    around: Vec<(Span, Option<(u32, Pointer)>)>,
}

impl Search {
    fn node(&mut self, node: &Node, pointer: &mut Pointer) {
        self.meet(node.span, pointer);
        for (span, best) in &mut self.around {
            let outer = node.span;
            let length = outer.end.saturating_sub(outer.start);
            let is_around =
                outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
            if is_around
                && best
                    .as_ref()
                    .is_none_or(|(shortest, _)| length <= *shortest)
            {
                *best = Some((length, pointer.clone()));
            }
        }
        match &node.value {
            Value::Mapping(mapping) => {
                for entry in &mapping.entries {
                    pointer.push(entry.key.as_str());
                    self.meet(entry.key_span, pointer);
                    self.node(&entry.value, pointer);
                    pointer.pop();
                }
            }
            Value::Sequence(items) => {
                for (index, item) in items.iter().enumerate() {
                    pointer.push(index.to_string());
                    self.node(item, pointer);
                    pointer.pop();
                }
            }
            _ => {}
        }
    }

    fn meet(&mut self, span: Span, pointer: &Pointer) {
        if let Some(found) = self.wanted.get_mut(&span)
            && found.is_none()
        {
            *found = Some(pointer.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use openapi_document::loader::load_text;

    #[test]
    fn spans_of_values_of_keys_and_of_parts_are_found() {
        let text = "openapi: 3.0.4\ninfo: {title: a title, version: '1'}\npaths: {}\n";
        let document = load_text("a.yaml", text).unwrap();
        let info = document.root.as_mapping().unwrap().entry("info").unwrap();
        let title = info.value.get("title").unwrap().span;
        let part = Span {
            start: title.start + 2,
            ..title
        };
        let pointers = Pointers::of(&document.root, [info.key_span, title, part].into_iter());
        assert_eq!(pointers.get(info.key_span).unwrap().to_string(), "/info");
        assert_eq!(pointers.get(title).unwrap().to_string(), "/info/title");
        assert_eq!(pointers.get(part).unwrap().to_string(), "/info/title");
    }
}
