//! Grammar: the objects of `OpenAPI` 3.0 and 3.1 and their fields, as data.
//!
//! Every walk over a document (bundling, lint rules, schema lowering) uses this table.

use crate::node::{Mapping, Node, Value};
use crate::pointer::Pointer;

/// An object of the `OpenAPI` specification, by its name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the specification defines each of these words")]
pub enum Kind {
    Document,
    Info,
    Contact,
    License,
    Server,
    ServerVariable,
    Paths,
    PathItem,
    Operation,
    ExternalDocumentation,
    Parameter,
    RequestBody,
    MediaType,
    Encoding,
    Responses,
    Response,
    Callback,
    Example,
    Link,
    Header,
    Tag,
    Schema,
    Discriminator,
    Xml,
    SecurityScheme,
    OauthFlows,
    OauthFlow,
    SecurityRequirement,
    Components,
    /// Any value: an example, a default, an extension.
    Any,
}

/// The values under a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One object.
    One(Kind),
    /// An array of objects.
    List(Kind),
    /// A map of objects by names that the author chose.
    Map(Kind),
}

use Shape::{List, Map, One};

const ANY: Shape = One(Kind::Any);

/// A field: its name, its values, and whether only 3.1 has it.
type Field = (&'static str, Shape, bool);

const fn v30(name: &'static str, shape: Shape) -> Field {
    (name, shape, false)
}

const fn v31(name: &'static str, shape: Shape) -> Field {
    (name, shape, true)
}

/// The fixed fields of each kind; a missing kind has none.
static FIELDS: &[(Kind, &[Field])] = &[
    (
        Kind::Document,
        &[
            v31("$self", ANY),
            v30("openapi", ANY),
            v30("info", One(Kind::Info)),
            v31("jsonSchemaDialect", ANY),
            v30("servers", List(Kind::Server)),
            v30("paths", One(Kind::Paths)),
            v31("webhooks", Map(Kind::PathItem)),
            v30("components", One(Kind::Components)),
            v30("security", List(Kind::SecurityRequirement)),
            v30("tags", List(Kind::Tag)),
            v30("externalDocs", One(Kind::ExternalDocumentation)),
        ],
    ),
    (
        Kind::Info,
        &[
            v30("title", ANY),
            v31("summary", ANY),
            v30("description", ANY),
            v30("termsOfService", ANY),
            v30("contact", One(Kind::Contact)),
            v30("license", One(Kind::License)),
            v30("version", ANY),
        ],
    ),
    (
        Kind::Contact,
        &[v30("name", ANY), v30("url", ANY), v30("email", ANY)],
    ),
    (
        Kind::License,
        &[v30("name", ANY), v31("identifier", ANY), v30("url", ANY)],
    ),
    (
        Kind::Server,
        &[
            v31("name", ANY),
            v30("url", ANY),
            v30("description", ANY),
            v30("variables", Map(Kind::ServerVariable)),
        ],
    ),
    (
        Kind::ServerVariable,
        &[
            v30("enum", ANY),
            v30("default", ANY),
            v30("description", ANY),
        ],
    ),
    (
        Kind::PathItem,
        &[
            v31("query", One(Kind::Operation)),
            v31("additionalOperations", Map(Kind::Operation)),
            v30("$ref", ANY),
            v30("summary", ANY),
            v30("description", ANY),
            v30("get", One(Kind::Operation)),
            v30("put", One(Kind::Operation)),
            v30("post", One(Kind::Operation)),
            v30("delete", One(Kind::Operation)),
            v30("options", One(Kind::Operation)),
            v30("head", One(Kind::Operation)),
            v30("patch", One(Kind::Operation)),
            v30("trace", One(Kind::Operation)),
            v30("servers", List(Kind::Server)),
            v30("parameters", List(Kind::Parameter)),
        ],
    ),
    (
        Kind::Operation,
        &[
            v30("tags", ANY),
            v30("summary", ANY),
            v30("description", ANY),
            v30("externalDocs", One(Kind::ExternalDocumentation)),
            v30("operationId", ANY),
            v30("parameters", List(Kind::Parameter)),
            v30("requestBody", One(Kind::RequestBody)),
            v30("responses", One(Kind::Responses)),
            v30("callbacks", Map(Kind::Callback)),
            v30("deprecated", ANY),
            v30("security", List(Kind::SecurityRequirement)),
            v30("servers", List(Kind::Server)),
        ],
    ),
    (
        Kind::ExternalDocumentation,
        &[v30("description", ANY), v30("url", ANY)],
    ),
    (
        Kind::Parameter,
        &[
            v30("name", ANY),
            v30("in", ANY),
            v30("description", ANY),
            v30("required", ANY),
            v30("deprecated", ANY),
            v30("allowEmptyValue", ANY),
            v30("style", ANY),
            v30("explode", ANY),
            v30("allowReserved", ANY),
            v30("schema", One(Kind::Schema)),
            v30("example", ANY),
            v30("examples", Map(Kind::Example)),
            v30("content", Map(Kind::MediaType)),
        ],
    ),
    (
        Kind::Header,
        &[
            v30("description", ANY),
            v30("required", ANY),
            v30("deprecated", ANY),
            v30("allowEmptyValue", ANY),
            v30("style", ANY),
            v30("explode", ANY),
            v30("allowReserved", ANY),
            v30("schema", One(Kind::Schema)),
            v30("example", ANY),
            v30("examples", Map(Kind::Example)),
            v30("content", Map(Kind::MediaType)),
        ],
    ),
    (
        Kind::RequestBody,
        &[
            v30("description", ANY),
            v30("content", Map(Kind::MediaType)),
            v30("required", ANY),
        ],
    ),
    (
        Kind::MediaType,
        &[
            v31("itemSchema", One(Kind::Schema)),
            v31("prefixEncoding", List(Kind::Encoding)),
            v31("itemEncoding", One(Kind::Encoding)),
            v30("schema", One(Kind::Schema)),
            v30("example", ANY),
            v30("examples", Map(Kind::Example)),
            v30("encoding", Map(Kind::Encoding)),
        ],
    ),
    (
        Kind::Encoding,
        &[
            v31("encoding", Map(Kind::Encoding)),
            v31("prefixEncoding", List(Kind::Encoding)),
            v31("itemEncoding", One(Kind::Encoding)),
            v30("contentType", ANY),
            v30("headers", Map(Kind::Header)),
            v30("style", ANY),
            v30("explode", ANY),
            v30("allowReserved", ANY),
        ],
    ),
    (
        Kind::Response,
        &[
            v31("summary", ANY),
            v30("description", ANY),
            v30("headers", Map(Kind::Header)),
            v30("content", Map(Kind::MediaType)),
            v30("links", Map(Kind::Link)),
        ],
    ),
    (
        Kind::Example,
        &[
            v31("dataValue", ANY),
            v31("serializedValue", ANY),
            v30("summary", ANY),
            v30("description", ANY),
            v30("value", ANY),
            v30("externalValue", ANY),
        ],
    ),
    (
        Kind::Link,
        &[
            v30("operationRef", ANY),
            v30("operationId", ANY),
            v30("parameters", ANY),
            v30("requestBody", ANY),
            v30("description", ANY),
            v30("server", One(Kind::Server)),
        ],
    ),
    (
        Kind::Tag,
        &[
            v31("parent", ANY),
            v31("kind", ANY),
            v31("summary", ANY),
            v30("name", ANY),
            v30("description", ANY),
            v30("externalDocs", One(Kind::ExternalDocumentation)),
        ],
    ),
    (Kind::Schema, SCHEMA),
    (
        Kind::Discriminator,
        &[
            v31("defaultMapping", ANY),
            v30("propertyName", ANY),
            v30("mapping", ANY),
        ],
    ),
    (
        Kind::Xml,
        &[
            v31("nodeType", ANY),
            v30("name", ANY),
            v30("namespace", ANY),
            v30("prefix", ANY),
            v30("attribute", ANY),
            v30("wrapped", ANY),
        ],
    ),
    (
        Kind::SecurityScheme,
        &[
            v31("oauth2MetadataUrl", ANY),
            v31("deprecated", ANY),
            v30("type", ANY),
            v30("description", ANY),
            v30("name", ANY),
            v30("in", ANY),
            v30("scheme", ANY),
            v30("bearerFormat", ANY),
            v30("flows", One(Kind::OauthFlows)),
            v30("openIdConnectUrl", ANY),
        ],
    ),
    (
        Kind::OauthFlows,
        &[
            v31("deviceAuthorization", One(Kind::OauthFlow)),
            v30("implicit", One(Kind::OauthFlow)),
            v30("password", One(Kind::OauthFlow)),
            v30("clientCredentials", One(Kind::OauthFlow)),
            v30("authorizationCode", One(Kind::OauthFlow)),
        ],
    ),
    (
        Kind::OauthFlow,
        &[
            v31("deviceAuthorizationUrl", ANY),
            v30("authorizationUrl", ANY),
            v30("tokenUrl", ANY),
            v30("refreshUrl", ANY),
            v30("scopes", ANY),
        ],
    ),
    (
        Kind::Components,
        &[
            v31("mediaTypes", Map(Kind::MediaType)),
            v30("schemas", Map(Kind::Schema)),
            v30("responses", Map(Kind::Response)),
            v30("parameters", Map(Kind::Parameter)),
            v30("examples", Map(Kind::Example)),
            v30("requestBodies", Map(Kind::RequestBody)),
            v30("headers", Map(Kind::Header)),
            v30("securitySchemes", Map(Kind::SecurityScheme)),
            v30("links", Map(Kind::Link)),
            v30("callbacks", Map(Kind::Callback)),
            v31("pathItems", Map(Kind::PathItem)),
        ],
    ),
];

fn fields(kind: Kind) -> &'static [Field] {
    FIELDS
        .iter()
        .find(|(of, _)| *of == kind)
        .map_or(&[], |(_, fields)| fields)
}

const SCHEMA: &[Field] = &[
    v30("title", ANY),
    v30("multipleOf", ANY),
    v30("maximum", ANY),
    v30("exclusiveMaximum", ANY),
    v30("minimum", ANY),
    v30("exclusiveMinimum", ANY),
    v30("maxLength", ANY),
    v30("minLength", ANY),
    v30("pattern", ANY),
    v30("maxItems", ANY),
    v30("minItems", ANY),
    v30("uniqueItems", ANY),
    v30("maxProperties", ANY),
    v30("minProperties", ANY),
    v30("required", ANY),
    v30("enum", ANY),
    v30("type", ANY),
    v30("allOf", List(Kind::Schema)),
    v30("oneOf", List(Kind::Schema)),
    v30("anyOf", List(Kind::Schema)),
    v30("not", One(Kind::Schema)),
    v30("items", One(Kind::Schema)),
    v30("properties", Map(Kind::Schema)),
    v30("additionalProperties", One(Kind::Schema)),
    v30("description", ANY),
    v30("format", ANY),
    v30("default", ANY),
    v30("nullable", ANY),
    v30("discriminator", One(Kind::Discriminator)),
    v30("readOnly", ANY),
    v30("writeOnly", ANY),
    v30("xml", One(Kind::Xml)),
    v30("externalDocs", One(Kind::ExternalDocumentation)),
    v30("example", ANY),
    v30("deprecated", ANY),
    v31("$id", ANY),
    v31("$schema", ANY),
    v31("$anchor", ANY),
    v31("$dynamicRef", ANY),
    v31("$dynamicAnchor", ANY),
    v31("$comment", ANY),
    v31("$defs", Map(Kind::Schema)),
    v31("const", ANY),
    v31("examples", ANY),
    v31("prefixItems", List(Kind::Schema)),
    v31("contains", One(Kind::Schema)),
    v31("minContains", ANY),
    v31("maxContains", ANY),
    v31("patternProperties", Map(Kind::Schema)),
    v31("propertyNames", One(Kind::Schema)),
    v31("dependentRequired", ANY),
    v31("dependentSchemas", Map(Kind::Schema)),
    v31("unevaluatedItems", One(Kind::Schema)),
    v31("unevaluatedProperties", One(Kind::Schema)),
    v31("if", One(Kind::Schema)),
    v31("then", One(Kind::Schema)),
    v31("else", One(Kind::Schema)),
    v31("contentEncoding", ANY),
    v31("contentMediaType", ANY),
    v31("contentSchema", One(Kind::Schema)),
];

impl Kind {
    /// The values under a key of this kind; `None` if the specification has no such key.
    pub fn shape(self, key: &str) -> Option<Shape> {
        if key.starts_with("x-") && self != Kind::SecurityRequirement {
            return Some(ANY);
        }
        match self {
            Kind::Any | Kind::SecurityRequirement => Some(ANY),
            Kind::Paths => key.starts_with('/').then_some(One(Kind::PathItem)),
            Kind::Callback => Some(One(Kind::PathItem)),
            Kind::Responses => is_status_key(key).then_some(One(Kind::Response)),
            _ => fields(self)
                .iter()
                .find(|(name, ..)| *name == key)
                .map(|(_, shape, _)| *shape),
        }
    }

    /// Whether only `OpenAPI` 3.1 has this key.
    pub fn since_31(self, key: &str) -> bool {
        fields(self)
            .iter()
            .any(|(name, _, since)| *name == key && *since)
    }

    /// The names of the fixed fields.
    pub fn field_names(self) -> impl Iterator<Item = &'static str> {
        fields(self).iter().map(|(name, ..)| *name)
    }

    /// The section of `components` for this kind; `None` if there is none.
    pub fn component_section(self) -> Option<&'static str> {
        Some(match self {
            Kind::Schema => "schemas",
            Kind::Response => "responses",
            Kind::Parameter => "parameters",
            Kind::Example => "examples",
            Kind::RequestBody => "requestBodies",
            Kind::Header => "headers",
            Kind::SecurityScheme => "securitySchemes",
            Kind::Link => "links",
            Kind::Callback => "callbacks",
            _ => return None,
        })
    }

    /// Whether a `$ref` may replace an object of this kind.
    pub fn may_be_reference(self) -> bool {
        self == Kind::PathItem || self.component_section().is_some()
    }
}

/// Whether a key is a status code, `2XX` or `default`.
pub fn is_status_key(key: &str) -> bool {
    let bytes = key.as_bytes();
    key == "default"
        || (bytes.len() == 3
            && (b'1'..=b'5').contains(&bytes[0])
            && (key[1..].bytes().all(|byte| byte.is_ascii_digit()) || &key[1..] == "XX"))
}

/// Calls `visit` for each object of a document with its kind and pointer, parents first. References
/// are visited but not followed. If `visit` returns `false`, the children are skipped.
pub fn walk<'n>(
    node: &'n Node,
    kind: Kind,
    pointer: &mut Pointer,
    visit: &mut dyn FnMut(&'n Node, Kind, &Pointer) -> bool,
) {
    if kind == Kind::Any || !visit(node, kind, pointer) || is_reference(node, kind) {
        return;
    }
    for entry in node.entries() {
        let Some(shape) = kind.shape(&entry.key) else {
            continue;
        };
        pointer.push(entry.key.as_str());
        match shape {
            One(kind) => walk(&entry.value, kind, pointer, visit),
            List(kind) => {
                for (index, item) in entry.value.items().enumerate() {
                    pointer.push(index.to_string());
                    walk(item, kind, pointer, visit);
                    pointer.pop();
                }
            }
            Map(kind) => {
                for child in entry.value.entries() {
                    pointer.push(child.key.as_str());
                    walk(&child.value, kind, pointer, visit);
                    pointer.pop();
                }
            }
        }
        pointer.pop();
    }
}

/// The mutable child objects of an object, each with its kind.
pub fn children_mut(node: &mut Node, kind: Kind) -> Vec<(&mut Node, Kind)> {
    let Value::Mapping(Mapping { entries }) = &mut node.value else {
        return Vec::new();
    };
    let mut children = Vec::new();
    for entry in entries {
        match (kind.shape(&entry.key), &mut entry.value) {
            (Some(One(Kind::Any) | List(Kind::Any) | Map(Kind::Any)) | None, _) => {}
            (Some(One(kind)), value) => children.push((value, kind)),
            (
                Some(List(kind)),
                Node {
                    value: Value::Sequence(items),
                    ..
                },
            ) => {
                children.extend(items.iter_mut().map(|item| (item, kind)));
            }
            (
                Some(Map(kind)),
                Node {
                    value: Value::Mapping(map),
                    ..
                },
            ) => {
                children.extend(map.entries.iter_mut().map(|entry| (&mut entry.value, kind)));
            }
            _ => {}
        }
    }
    children
}

/// Whether the node is a `$ref` where one is allowed.
pub fn is_reference(node: &Node, kind: Kind) -> bool {
    kind.may_be_reference() && kind != Kind::PathItem && node.reference().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_keys() {
        for key in ["200", "404", "2XX", "default"] {
            assert!(is_status_key(key), "{key}");
        }
        for key in ["20", "600", "2xx", "2X1", "ok", "é1"] {
            assert!(!is_status_key(key), "{key}");
        }
    }

    #[test]
    fn every_fixed_field_has_a_shape() {
        for kind in [
            Kind::Document,
            Kind::Operation,
            Kind::Schema,
            Kind::Components,
        ] {
            assert!(kind.field_names().all(|name| kind.shape(name).is_some()));
        }
    }

    #[test]
    fn properties_named_like_keywords_are_not_keywords() {
        let node = crate::json::read_text(
            r#"{"properties":{"$ref":{"type":"string"},"items":{"type":"object"}}}"#,
        )
        .unwrap();
        let mut seen = Vec::new();
        walk(
            &node,
            Kind::Schema,
            &mut Pointer::root(),
            &mut |_, _, pointer| {
                seen.push(pointer.to_string());
                true
            },
        );
        assert_eq!(seen, ["", "/properties/$ref", "/properties/items"]);
    }
}
