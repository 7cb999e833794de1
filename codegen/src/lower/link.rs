//! Links from an answer to other operations.

use openapi_document::pointer::Pointer;
use openapi_document::view::{Located, Response};

use super::example::sorted;
use super::{Lowering, docs};
use crate::ir::{Area, Encoding, Expression, Link, Location, Operation, Status};

impl<'d> Lowering<'d> {
    /// Puts the links of responses into the operations, once these are all there.
    pub(super) fn links(&mut self, areas: &mut [Area]) {
        for source in self.document.operations() {
            let same = |one: &Operation| one.path == source.path && one.method == source.method;
            let Some((area, index)) = position(areas, same) else {
                continue;
            };
            for response in source.responses() {
                let links = self.links_of(&response, &areas[area].operations[index], areas);
                let mut responses = areas[area].operations[index].responses.iter_mut();
                if let Some(own) = responses.find(|own| own.status == response.status) {
                    own.links = links;
                }
            }
        }
    }

    fn links_of(&mut self, response: &Response<'d>, from: &Operation, areas: &[Area]) -> Vec<Link> {
        let mut links = Vec::new();
        let given = response.at.get("links");
        for (entry, raw) in given.iter().flat_map(Located::entries) {
            let Ok(at) = self.document.resolve(&raw) else {
                continue;
            };
            if entry.key.starts_with("x-") {
                continue;
            }
            match link(&entry.key, &at, from, response.status, areas) {
                Ok(link) => links.push(link),
                Err((rule, why, place)) => {
                    let title = format!("the link `{}` is left out: {why}", entry.key);
                    self.warn(rule, &place, title);
                }
            }
        }
        links.sort_by(|a, b| a.name.cmp(&b.name));
        links
    }
}

fn link<'d>(
    name: &str,
    at: &Located<'d>,
    from: &Operation,
    status: Status,
    areas: &[Area],
) -> Result<Link, Refused<'d>> {
    if !is_success(status, from) {
        let why = "only the links of successes are expressed".to_owned();
        return Err(("link-on-refusal", why, at.clone()));
    }
    if let Some(server) = at.get("server") {
        let why = "its operation is on another server".to_owned();
        return Err(("link-to-other-server", why, server));
    }
    let (area, operation) = target(at, areas)?;
    let to = &areas[area].operations[operation];
    let mut parameters = Vec::new();
    let given = at.get("parameters");
    // Of several that are wrong the same one is told of in any order.
    let mut given: Vec<_> = given.iter().flat_map(Located::entries).collect();
    given.sort_by(|a, b| a.0.key.cmp(&b.0.key));
    for (entry, value) in given {
        let Some(index) = parameter(to, &entry.key) else {
            let why = format!("its operation has no parameter `{}`", entry.key);
            return Err(("link-parameter-unknown", why, value));
        };
        parameters.push((index, expression(&value, from)?));
    }
    parameters.sort_by_key(|(index, _)| *index);
    let value = at.get("requestBody");
    let body = value.map(|value| body(&value, from, to)).transpose()?;
    Ok(Link {
        name: name.to_owned(),
        area,
        operation,
        parameters,
        body,
        docs: docs::of(at.node),
    })
}

fn body<'d>(
    value: &Located<'d>,
    from: &Operation,
    to: &Operation,
) -> Result<(usize, Expression), Refused<'d>> {
    let mut contents = to.body.iter().flat_map(|body| &body.contents);
    let json = contents.position(|content| content.encoding == Encoding::Json);
    let Some(json) = json else {
        let why = "its operation takes no JSON body".to_owned();
        return Err(("link-body-not-json", why, value.clone()));
    };
    Ok((json, expression(value, from)?))
}

/// The rule that a link breaks, why, and where.
type Refused<'d> = (&'static str, String, Located<'d>);

/// An operation that the service serves.
fn position(areas: &[Area], is: impl Fn(&Operation) -> bool) -> Option<(usize, usize)> {
    let served = areas.iter().enumerate().filter(|(_, group)| !group.sent);
    let mut found = served.filter_map(|(area, group)| {
        let index = group.operations.iter().position(&is)?;
        Some((area, index))
    });
    found.next()
}

/// A `default` response is a success where no other is documented.
fn is_success(status: Status, operation: &Operation) -> bool {
    let own = |status: Status| match status {
        Status::Code(code) => (200..300).contains(&code),
        Status::Range(class) => class == 2,
        Status::Default => false,
    };
    let mut responses = operation.responses.iter();
    own(status) || status == Status::Default && !responses.any(|response| own(response.status))
}

/// The operation that a link names, by its id or its place in this document.
fn target<'d>(at: &Located<'d>, areas: &[Area]) -> Result<(usize, usize), Refused<'d>> {
    if let Some(id) = at.get("operationId") {
        let wanted = id.node.as_str();
        let found = position(areas, |operation| operation.id.as_deref() == wanted);
        return found.ok_or_else(|| {
            let why = format!("there is no operation `{}`", wanted.unwrap_or_default());
            ("link-target-unknown", why, id)
        });
    }
    let Some(reference) = at.get("operationRef") else {
        let why = "it has neither `operationId` nor `operationRef`".to_owned();
        return Err(("link-target-unknown", why, at.clone()));
    };
    let text = reference.node.as_str().unwrap_or_default();
    let Some(pointer) = text.strip_prefix('#').and_then(Pointer::parse_fragment) else {
        let why = format!("`{text}` is outside of this document");
        return Err(("link-outside-document", why, reference));
    };
    let segments: Vec<_> = pointer.segments().collect();
    let found = match segments.as_slice() {
        [paths, path, method] if paths == "paths" => position(areas, |operation| {
            operation.path == *path && operation.method.as_str().eq_ignore_ascii_case(method)
        }),
        [paths, path, more, method] if paths == "paths" && more == "additionalOperations" => {
            position(areas, |operation| {
                operation.path == *path && operation.method.as_str() == *method
            })
        }
        _ => None,
    };
    let why = || format!("`{text}` is no operation of this document");
    found.ok_or_else(|| ("link-target-unknown", why(), reference))
}

/// A parameter by its name, or by its place and name: `id`, `path.id`.
fn parameter(operation: &Operation, key: &str) -> Option<usize> {
    let parameters = &operation.parameters;
    let qualified = parameters.iter().position(|parameter| {
        key.strip_prefix(parameter.location.as_str())
            .and_then(|rest| rest.strip_prefix('.'))
            .is_some_and(|name| name == parameter.wire)
    });
    let plain = || {
        parameters
            .iter()
            .position(|parameter| parameter.wire == key)
    };
    qualified.or_else(plain)
}

/// A value of a link: an expression, a text with expressions in it, or a constant.
fn expression<'d>(at: &Located<'d>, from: &Operation) -> Result<Expression, Refused<'d>> {
    let refuse = |why: String| ("link-expression-not-valid", why, at.clone());
    let Some(text) = at.node.as_str() else {
        return Ok(Expression::Constant(sorted(at.node).to_json()));
    };
    let constant = |text: &str| Expression::Constant(serde_json::Value::from(text).to_string());
    if text.starts_with('$') {
        return runtime_expression(text, from).map_err(refuse);
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{$") {
        let (inner, behind) = after
            .split_once('}')
            .ok_or_else(|| refuse(format!("a brace of `{text}` is not closed")))?;
        if !before.is_empty() {
            pieces.push(constant(before));
        }
        let inner = format!("${inner}");
        pieces.push(runtime_expression(&inner, from).map_err(refuse)?);
        rest = behind;
    }
    if pieces.is_empty() {
        return Ok(constant(text));
    }
    if !rest.is_empty() {
        pieces.push(constant(rest));
    }
    Ok(Expression::Text(pieces))
}

/// Section 4.7.20.4 of `OpenAPI` 3.0.4, "Runtime Expressions".
fn runtime_expression(text: &str, from: &Operation) -> Result<Expression, String> {
    let declared = |location: Location, name: &str| {
        let mut parameters = from.parameters.iter();
        let known = parameters.any(|one| one.location == location && one.wire == name);
        let expression = Expression::Request(location, name.to_owned());
        let why = || format!("`{text}` is no parameter of the operation it answers");
        known.then_some(expression).ok_or_else(why)
    };
    let no = || format!("`{text}` is no runtime expression");
    match text.split('.').collect::<Vec<_>>().as_slice() {
        ["$url"] => return Ok(Expression::Url),
        ["$method"] => return Ok(Expression::Method),
        ["$statusCode"] => return Ok(Expression::StatusCode),
        _ => {}
    }
    let (source, rest) = text.split_once('.').ok_or_else(no)?;
    let body = rest.strip_prefix("body").and_then(|pointer| match pointer {
        "" => Some(String::new()),
        pointer => {
            let pointer = pointer.strip_prefix('#')?;
            (pointer.is_empty() || pointer.starts_with('/')).then(|| pointer.to_owned())
        }
    });
    let named = |prefix: &str| rest.strip_prefix(prefix).filter(|name| !name.is_empty());
    match (source, body) {
        ("$request", Some(pointer)) => Ok(Expression::RequestBody(pointer)),
        ("$response", Some(pointer)) => Ok(Expression::ResponseBody(pointer)),
        ("$request", None) => match (named("path."), named("query."), named("header.")) {
            (Some(name), ..) => declared(Location::Path, name),
            (_, Some(name), _) => declared(Location::Query, name),
            (.., Some(name)) => Ok(Expression::Request(Location::Header, name.to_owned())),
            _ => Err(no()),
        },
        ("$response", None) => {
            let header = named("header.").ok_or_else(no)?;
            Ok(Expression::ResponseHeader(header.to_owned()))
        }
        _ => Err(no()),
    }
}
