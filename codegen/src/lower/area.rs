//! Areas: the operations of one tag, and the types that only they use.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::view::Operation as Source;

use super::{Lowering, docs};
use crate::ir::{Area, Content, Operation, Scheme, Shape, TypeDef, TypeId, Usage};

/// The area of operations without a tag.
const UNTAGGED: &str = "default";
/// A document without tags and with more operations than this is divided into areas by path.
const UNDIVIDED: usize = 50;

/// An area, with the source of each of its operations.
pub(super) struct Group<'d> {
    pub(super) area: Area,
    pub(super) sources: Vec<Source<'d>>,
}

impl<'d> Lowering<'d> {
    /// The areas by tag; an operation is in the area of its first one.
    pub(super) fn groups(&mut self, schemes: &[Scheme]) -> Vec<Group<'d>> {
        let mut by_tag: BTreeMap<String, Vec<Source<'d>>> = BTreeMap::new();
        let operations = self.document.operations();
        let untagged = operations.iter().all(|it| it.tags().is_empty());
        let by_path = untagged && operations.len() > UNDIVIDED;
        for operation in operations {
            let tag = operation.tags().first().copied();
            let tag = tag.or_else(|| by_path.then(|| resource(operation.path)).flatten());
            let tag = tag.filter(|tag| !tag.is_empty()).unwrap_or(UNTAGGED);
            by_tag.entry(tag.to_owned()).or_default().push(operation);
        }
        let group = |(tag, mut sources): (String, Vec<Source<'d>>)| {
            sources.sort_by(|a, b| (a.path, a.method).cmp(&(b.path, b.method)));
            let lowered = sources
                .into_iter()
                .filter_map(|source| Some((self.operation(&source, schemes)?, source)));
            let (operations, sources) = lowered.unzip();
            let area = Area {
                docs: self.tag_docs(&tag),
                tag,
                sent: false,
                operations,
            };
            Group { area, sources }
        };
        let groups = by_tag.into_iter().map(group);
        groups
            .filter(|group| !group.area.operations.is_empty())
            .collect()
    }

    fn tag_docs(&self, tag: &str) -> crate::ir::Docs {
        let tags = self.document.root.get("tags");
        let own = tags
            .into_iter()
            .flat_map(openapi_document::Node::items)
            .find(|node| node.get("name").and_then(openapi_document::Node::as_str) == Some(tag));
        own.map(docs::of).unwrap_or_default()
    }
}

/// The first segment of a path that names a resource.
fn resource(path: &str) -> Option<&str> {
    let is_version = |segment: &str| {
        let digits = segment.trim_start_matches(['v', 'V']);
        digits.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let mut segments = path.split('/');
    segments.find(|segment| {
        !(segment.contains('{') || is_version(segment) || segment.eq_ignore_ascii_case("api"))
    })
}

/// Notes at each type the areas that use it, directly or through others.
pub(super) fn assign_types(types: &mut [TypeDef], areas: &[Area]) {
    for (index, area) in areas.iter().enumerate() {
        let mut open: Vec<TypeId> = area.operations.iter().flat_map(mentioned).collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(inner(&types[id.0].shape));
            }
        }
        for id in seen {
            // A type that a served area uses does not also belong to an area of sent operations.
            if !area.sent || types[id.0].areas.is_empty() {
                types[id.0].areas.push(index);
            }
        }
    }
    mark_used(types);
}

/// Marks the types in use. Types that only served to build others stay unmarked.
fn mark_used(types: &mut [TypeDef]) {
    let named = |def: &TypeDef| def.component.is_some() || !def.areas.is_empty();
    let roots = types.iter().enumerate().filter(|(_, def)| named(def));
    let mut open: Vec<TypeId> = roots.map(|(index, _)| TypeId(index)).collect();
    while let Some(TypeId(index)) = open.pop() {
        if !std::mem::replace(&mut types[index].used, true) {
            open.extend(inner(&types[index].shape));
        }
    }
}

fn mentioned(operation: &Operation) -> Vec<TypeId> {
    let parameters = operation
        .parameters
        .iter()
        .map(|parameter| &parameter.usage);
    let content = |content: &'_ Content| content.usage.mentions();
    let body = operation.body.iter().flat_map(|body| &body.contents);
    let responses = &operation.responses;
    let bodies = body.chain(responses.iter().flat_map(|response| &response.contents));
    let headers = responses
        .iter()
        .flat_map(|response| &response.headers)
        .map(|header| &header.usage);
    parameters
        .chain(headers)
        .filter_map(Usage::mentions)
        .chain(bodies.filter_map(content))
        .collect()
}

/// The types that a type mentions.
fn inner(shape: &Shape) -> Vec<TypeId> {
    match shape {
        Shape::Struct(object) | Shape::Parts(object) => {
            let fields = object.fields.iter().map(|field| &field.usage);
            fields
                .chain(&object.rest)
                .filter_map(Usage::mentions)
                .collect()
        }
        Shape::Union(union) | Shape::Events(union) => {
            let usages = union.variants.iter().map(|variant| &variant.usage);
            usages.filter_map(Usage::mentions).collect()
        }
        Shape::Wrapper(usage) => usage.mentions().into_iter().collect(),
        Shape::Choice(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::resource;

    #[test]
    fn a_path_is_about_its_first_word() {
        assert_eq!(resource("/v1/charges/{id}/refunds"), Some("charges"));
        assert_eq!(resource("/api/2.0/{account}/volumes"), Some("volumes"));
        assert_eq!(resource("/v2"), None);
        assert_eq!(resource("/"), None);
    }
}
