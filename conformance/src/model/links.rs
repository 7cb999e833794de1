//! Links: reads which record property a documented link gives to a path parameter.

use openapi_document::view::{Document, Located, Operation};
use openapi_document::{Node, Pointer};

use super::call::{Call, Link};
use crate::expression::Expression;

/// All links, each with the label of its target operation.
pub(super) fn links(document: &Document, calls: &[Call<'_>]) -> Vec<(String, Link)> {
    let from = calls.iter().filter_map(|call| {
        let record = &call.record()?.at;
        let response = &call.success.as_ref()?.response;
        let links = response.at.get("links")?;
        let found: Vec<(String, Link)> = { links.entries() }
            .filter_map(|(_, link)| document.resolve(&link).ok())
            .flat_map(|link| parameters_of_link(document, &link, (call, record)))
            .collect();
        Some(found)
    });
    from.flatten().collect()
}

/// The parameters of one link, each with the label of the target operation.
fn parameters_of_link(
    document: &Document,
    link: &Located<'_>,
    (from, record): (&Call<'_>, &Pointer),
) -> Vec<(String, Link)> {
    let Some(target) = target(document, link.node) else {
        return Vec::new();
    };
    let parameters = link.node.get("parameters").into_iter();
    let said = parameters.flat_map(Node::entries).filter_map(|entry| {
        let expression = Expression::parse(entry.value.as_str()?).ok()?;
        let Expression::ResponseBody(at) = expression else {
            return None;
        };
        let mut above = at.clone();
        above.pop();
        let property = at
            .last()
            .filter(|_| !at.is_root() && above == *record)?
            .into_owned();
        let name = entry.key.strip_prefix("path.").unwrap_or(&entry.key);
        let link = Link {
            parameter: name.to_owned(),
            from: from.operation.label(),
            property,
        };
        Some((target.label(), link))
    });
    said.collect()
}

/// The target operation of a link.
fn target<'d>(document: &'d Document, link: &Node) -> Option<Operation<'d>> {
    if let Some(id) = link.get("operationId").and_then(Node::as_str) {
        return document.operation(id);
    }
    let reference = link.get("operationRef").and_then(Node::as_str)?;
    let pointer = Pointer::parse_fragment(reference.strip_prefix('#')?)?;
    let mut operations = document.operations().into_iter();
    operations.find(|operation| operation.at.pointer == pointer)
}

#[cfg(test)]
mod tests {
    use openapi_document::Behaviour;
    use openapi_document::loader::load_text;

    use crate::model::Model;

    const TEXT: &str = "\
openapi: 3.0.4
info: {title: t, version: '1'}
paths:
  /projects:
    post:
      operationId: createProject
      responses:
        '201':
          description: d
          content: {application/json: {schema: {$ref: '#/components/schemas/Project'}}}
          links:
            byId: {operationId: getProject, parameters: {project: '$response.body#/slug'}}
            byRef: {operationRef: '#/paths/~1projects~1{project}/delete', parameters: {path.project: '$response.body#/slug'}}
            byHeader: {operationId: getProject, parameters: {other: '$response.header.location'}}
  /projects/{project}:
    parameters: [{name: project, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getProject
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Project'}}}}}
    delete:
      operationId: deleteProject
      responses: {'204': {description: d}}
components:
  schemas:
    Project: {type: object, properties: {id: {type: string}, slug: {type: string}}}
";

    #[test]
    fn links_name_the_property_that_fills_a_parameter() {
        let document = load_text("a.yaml", TEXT).unwrap();
        let model = Model::new(&document, Behaviour::default());
        for operation in ["getProject", "deleteProject"] {
            let link = model.call(operation).unwrap().link("project").unwrap();
            assert_eq!((&*link.from, &*link.property), ("createProject", "slug"));
        }
        assert_eq!(model.call("getProject").unwrap().link("other"), None);
    }
}
