//! Operations.

use std::borrow::Cow;

use openapi_document::view::{Location, Operation as Source, Response as SourceResponse};

use super::security::security;
use super::{Lowering, docs};
use crate::ir::{Header, Operation, Parameter, PathPart, Response, Scheme};

impl<'d> Lowering<'d> {
    /// An operation; `None` (and a warning) for one that cannot be called.
    pub(super) fn operation(
        &mut self,
        source: &Source<'d>,
        schemes: &[Scheme],
    ) -> Option<Operation> {
        let parts = match path_parts(source.path) {
            Ok(parts) => parts,
            Err(problem) => {
                let title = format!("`{}` is left out: {problem}", source.label());
                self.warn("path-not-supported", &source.at, title);
                return None;
            }
        };
        let parameters = self.parameters(source);
        let missing = parts.iter().find_map(|part| match part {
            PathPart::Parameter(name) => {
                let declared = parameters.iter().any(|parameter| {
                    parameter.location == Location::Path && parameter.wire == *name
                });
                (!declared).then_some(name)
            }
            PathPart::Literal(_) => None,
        });
        if let Some(name) = missing {
            let label = source.label();
            let title = format!("`{label}` is left out: `{{{name}}}` of its path is not declared");
            self.warn("path-parameter-undeclared", &source.at, title);
            return None;
        }
        Some(Operation {
            security: security(source, schemes),
            ..self.assembled(source, parts, parameters)
        })
    }

    /// An operation without its security.
    pub(super) fn assembled(
        &mut self,
        source: &Source<'d>,
        parts: Vec<PathPart>,
        parameters: Vec<Parameter>,
    ) -> Operation {
        // Of equal schemas the first gives its words to the type, whatever the order of the keys.
        let mut responses = source.responses();
        responses.sort_by_key(|response| response.status);
        // A status that stands twice is told of as such a key; the first counts.
        responses.dedup_by_key(|response| response.status);
        let responses: Vec<Response> = responses
            .iter()
            .map(|response| self.response(response))
            .collect();
        let mut docs = docs::of_operation(source.at.node);
        Self::tell_callbacks(source, &mut docs);
        let repeat = self.repeat(source, &parameters);
        let paging = self.paging(source, &responses);
        Operation {
            id: source.id().filter(|id| !id.is_empty()).map(str::to_owned),
            method: source.method,
            path: source.path.to_owned(),
            parts,
            docs,
            parameters,
            body: self.body(source),
            responses,
            security: Vec::new(),
            repeat,
            paging,
            signed: false,
            servers: super::server::own(source),
        }
    }

    fn response(&mut self, source: &SourceResponse<'d>) -> Response {
        let mut headers = source.headers();
        headers.sort_by_key(|(name, _)| *name);
        let mut headers: Vec<Header> = headers
            .into_iter()
            .filter(|(name, _)| !name.eq_ignore_ascii_case("content-type"))
            .map(|(name, at)| {
                if let Some(content) = at.get("content") {
                    let title =
                        format!("the header `{name}` is any text: its `content` is not read");
                    self.warn("header-taken-as-text", &content, title);
                }
                let usage = match at.get("schema") {
                    Some(schema) => self.usage(&schema),
                    None => crate::ir::Usage::plain(crate::ir::Type::Text),
                };
                let required = at
                    .node
                    .get("required")
                    .and_then(openapi_document::Node::as_bool);
                Header {
                    wire: name.to_owned(),
                    required: required.unwrap_or(false),
                    usage: self.as_parameter(&at, usage),
                    docs: docs::of(at.node),
                }
            })
            .collect();
        headers.dedup_by(|a, b| a.wire.eq_ignore_ascii_case(&b.wire));
        let component = source
            .at
            .pointer
            .component("responses")
            .map(Cow::into_owned);
        Response {
            component,
            status: source.status,
            contents: self.response_contents(source),
            headers,
            links: Vec::new(),
            docs: docs::of(source.at.node),
        }
    }
}

/// `/a/{b}.json` → literals and parameters.
fn path_parts(path: &str) -> Result<Vec<PathPart>, &'static str> {
    let path = path.split('#').next().unwrap_or(path);
    let mut parts = Vec::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').ok_or("a brace is not closed")?;
        if name.is_empty() {
            return Err("a parameter has no name");
        }
        if !before.is_empty() {
            parts.push(PathPart::Literal(before.to_owned()));
        }
        parts.push(PathPart::Parameter(name.to_owned()));
        rest = behind;
    }
    if parts
        .iter()
        .any(|part| matches!(part, PathPart::Literal(text) if text.contains('}')))
        || rest.contains('}')
    {
        return Err("a brace is not opened");
    }
    if path.contains('?') {
        return Err("it has a query");
    }
    if !rest.is_empty() {
        parts.push(PathPart::Literal(rest.to_owned()));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_falls_into_pieces() {
        let parts = path_parts("/a/{b}/{c}.json").unwrap();
        let literal = |text: &str| PathPart::Literal(text.to_owned());
        let parameter = |name: &str| PathPart::Parameter(name.to_owned());
        let expected = [
            literal("/a/"),
            parameter("b"),
            literal("/"),
            parameter("c"),
            literal(".json"),
        ];
        assert_eq!(parts, expected);
        assert!(path_parts("/a/{b").is_err());
        assert!(path_parts("/a?b={c}").is_err());
        assert!(path_parts("/a}b").is_err());
    }
}
