//! Documented example bodies.

use openapi_document::node::{Entry, Mapping, Node, Value};
use openapi_document::view::{Example as SourceExample, MediaType, Operation as Source};

use super::{Lowering, fit};
use crate::ir::{Area, Content, Encoding, Example, Operation, Role, Type, TypeDef};

impl<'d> Lowering<'d> {
    /// The example bodies that the types can hold without loss; others are reported.
    ///
    /// `sources` has the source of each operation of each area.
    pub(super) fn examples(
        &mut self,
        areas: &[Area],
        sources: &[Vec<Source<'d>>],
        types: &[TypeDef],
    ) -> Vec<Example> {
        let mut examples = Vec::new();
        for (area, (group, sources)) in areas.iter().zip(sources).enumerate() {
            for (index, (operation, source)) in group.operations.iter().zip(sources).enumerate() {
                for (role, content, media_types) in bodies(operation, source) {
                    let Some(media_type) = media_types
                        .iter()
                        .find(|media_type| media_type.name == content.media_type)
                    else {
                        continue;
                    };
                    let mut found = media_type.examples();
                    if found.is_empty() {
                        found.extend(self.schema_examples(media_type));
                    }
                    found.sort_by(|a, b| a.key.cmp(b.key));
                    for example in found {
                        if self.fits(types, (role, content), &example) {
                            examples.push(Example {
                                area,
                                operation: index,
                                role,
                                key: example.key.to_owned(),
                                usage: content.usage.clone(),
                                json: sorted(example.value.node).to_json(),
                            });
                        }
                    }
                }
            }
        }
        examples
    }

    /// The examples in the schema of a body.
    fn schema_examples(&self, media_type: &MediaType<'d>) -> Vec<SourceExample<'d>> {
        let schema = media_type.schema();
        let Some(schema) = schema.and_then(|schema| self.document.resolve(&schema).ok()) else {
            return Vec::new();
        };
        let several = schema.get("examples");
        let several = several
            .iter()
            .flat_map(openapi_document::view::Located::items);
        let single = schema.get("example").into_iter();
        let example = |value| SourceExample {
            key: "schema",
            value,
            object: None,
        };
        single.chain(several).map(example).collect()
    }

    fn fits(
        &mut self,
        types: &[TypeDef],
        (role, content): (Role, &Content),
        example: &SourceExample<'d>,
    ) -> bool {
        let (key, value) = (example.key, example.value.node);
        if let Err(misfit) = fit::fit(types, &content.usage, value) {
            let title = format!("the example `{key}` gets no test: {misfit}");
            self.warn("example-not-held", &example.value, title);
            return false;
        }
        let Err(broken) = fit::keep(types, &content.usage, value) else {
            return true;
        };
        // A server refuses such a request; an answer is taken as it comes.
        let sent = role == Role::Request;
        let so = if sent {
            "gets no test"
        } else {
            "is not as its schema says"
        };
        let title = format!("the example `{key}` {so}: {broken}");
        self.warn("example-breaks-constraint", &example.value, title);
        !sent
    }

    /// Drops the examples of parameters that a server would refuse.
    pub(super) fn parameter_examples(
        &mut self,
        areas: &mut [Area],
        sources: &[Vec<Source<'d>>],
        types: &[TypeDef],
    ) {
        for (group, sources) in areas.iter_mut().zip(sources) {
            for (operation, source) in group.operations.iter_mut().zip(sources) {
                let declared = source.parameters();
                for parameter in &mut operation.parameters {
                    let own = declared.iter().find(|one| {
                        one.location == parameter.location && one.name == parameter.wire
                    });
                    let Some(value) = own.and_then(|own| self.parameter_example(own)) else {
                        continue;
                    };
                    let usage = match &parameter.usage.ty {
                        Type::JsonText(inner) => inner,
                        _ => &parameter.usage,
                    };
                    let held = fit::fit(types, usage, value.node);
                    let held = held.map_err(|reason| ("example-not-held", reason));
                    let kept = held.and_then(|()| {
                        let kept = fit::keep(types, usage, value.node);
                        kept.map_err(|reason| ("example-breaks-constraint", reason))
                    });
                    if let Err((rule, reason)) = kept {
                        let wire = &parameter.wire;
                        let title = format!("the example of `{wire}` gets no test: {reason}");
                        self.warn(rule, &value, title);
                        parameter.example = None;
                    }
                }
            }
        }
    }
}

/// The value with its properties by name, since their order means nothing.
pub(super) fn sorted(value: &Node) -> Node {
    let sorted_value = match &value.value {
        Value::Sequence(items) => Value::Sequence(items.iter().map(sorted).collect()),
        Value::Mapping(mapping) => {
            let entry = |entry: &Entry| Entry {
                value: sorted(&entry.value),
                ..entry.clone()
            };
            let mut entries: Vec<Entry> = mapping.entries.iter().map(entry).collect();
            entries.sort_by(|a, b| a.key.cmp(&b.key));
            Value::Mapping(Mapping { entries })
        }
        scalar => scalar.clone(),
    };
    Node {
        value: sorted_value,
        span: value.span,
    }
}

/// The JSON bodies of an operation, beside what the document says of them.
fn bodies<'a, 'd>(
    operation: &'a Operation,
    source: &Source<'d>,
) -> Vec<(Role, &'a Content, Vec<MediaType<'d>>)> {
    let mut bodies = Vec::new();
    if let (Some(body), Some(at)) = (&operation.body, source.request_body()) {
        let contents = body.contents.iter();
        bodies.extend(contents.map(|content| (Role::Request, content, at.content())));
    }
    let responses = source.responses();
    for response in &operation.responses {
        let at = responses.iter().find(|at| at.status == response.status);
        let role = Role::Response(response.status);
        for (content, at) in response.contents.iter().zip(at.into_iter().cycle()) {
            bodies.push((role, content, at.content()));
        }
    }
    bodies.retain(|(_, content, _)| content.encoding == Encoding::Json);
    bodies
}
