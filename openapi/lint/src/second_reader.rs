//! Second reader: parses the objects of `OpenAPI` 3.0 with the types of the crate `openapiv3`. It
//! parses each object separately: an error in one object hides no other, the place is known, and
//! the time does not double with each level of nesting, as it does when the crate parses a whole
//! document.

use openapiv3::{
    AuthorizationCodeOAuth2Flow, Callback, ClientCredentialsOAuth2Flow, Contact, Discriminator,
    Encoding, Example, ExternalDocumentation, Header, ImplicitOAuth2Flow, Info, License, Link,
    MediaType, OpenAPI, Operation, Parameter, PasswordOAuth2Flow, PathItem, RequestBody, Response,
    Schema, SecurityRequirement, SecurityScheme, Server, ServerVariable, Tag,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

use openapi_document::grammar::{Kind, Shape};
use openapi_document::node::Node;
use openapi_document::object::Object;
use openapi_document::source::Span;

/// An object that `openapiv3` refuses.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The field that causes the error: without it, the crate accepts the object. `None` if no
    /// single field does.
    pub(crate) field: Option<String>,
    /// The error message of the crate.
    pub(crate) message: String,
    /// The place of the error.
    pub(crate) span: Span,
}

/// The objects that the crate refuses, each with its index in the list.
pub(crate) fn refusals(objects: &[Object<'_>]) -> Vec<(usize, Refusal)> {
    let read = |(index, object)| Some((index, refusal(object, objects)?));
    objects.iter().enumerate().filter_map(read).collect()
}

fn refusal(object: &Object<'_>, objects: &[Object<'_>]) -> Option<Refusal> {
    let node = object.node;
    if object.is_reference() {
        // The crate accepts a reference for each object except the callback of an operation.
        let owner = object.parent.map(|parent| objects[parent].kind);
        let is_taken = object.kind != Kind::Callback || owner != Some(Kind::Operation);
        let read = || read::<Callback>(node, &node.to_serde());
        return if is_taken { None } else { read() };
    }
    // The crate treats `null` as a missing field.
    if node.is_null() || (object.field == "additionalProperties" && node.as_bool().is_some()) {
        return None;
    }
    let fields = &fields_of(node, object.kind);
    match object.kind {
        Kind::Document => read::<OpenAPI>(node, fields),
        Kind::Info => read::<Info>(node, fields),
        Kind::Contact => read::<Contact>(node, fields),
        Kind::License => read::<License>(node, fields),
        Kind::Server => read::<Server>(node, fields),
        Kind::ServerVariable => read::<ServerVariable>(node, fields),
        Kind::PathItem => read::<PathItem>(node, fields),
        Kind::Operation => read::<Operation>(node, fields),
        Kind::ExternalDocumentation => read::<ExternalDocumentation>(node, fields),
        Kind::Parameter => read::<Parameter>(node, fields),
        Kind::RequestBody => read::<RequestBody>(node, fields),
        Kind::MediaType => read::<MediaType>(node, fields),
        Kind::Encoding => read::<Encoding>(node, fields),
        Kind::Response => read::<Response>(node, fields),
        Kind::Callback => read::<Callback>(node, fields),
        Kind::Example => read::<Example>(node, fields),
        Kind::Link => read::<Link>(node, fields),
        Kind::Header => read::<Header>(node, fields),
        Kind::Tag => read::<Tag>(node, fields),
        Kind::Schema => read::<Schema>(node, fields),
        Kind::Discriminator => read::<Discriminator>(node, fields),
        Kind::SecurityScheme => read::<SecurityScheme>(node, fields),
        Kind::SecurityRequirement => read::<SecurityRequirement>(node, fields),
        Kind::OauthFlow => match object.field {
            "implicit" => read::<ImplicitOAuth2Flow>(node, fields),
            "password" => read::<PasswordOAuth2Flow>(node, fields),
            "clientCredentials" => read::<ClientCredentialsOAuth2Flow>(node, fields),
            _ => read::<AuthorizationCodeOAuth2Flow>(node, fields),
        },
        // They have only objects as fields, or the crate does not parse them.
        Kind::Paths
        | Kind::Responses
        | Kind::Components
        | Kind::OauthFlows
        | Kind::Xml
        | Kind::Any => None,
    }
}

fn read<T: DeserializeOwned>(node: &Node, fields: &Json) -> Option<Refusal> {
    let error = serde_path_to_error::deserialize::<_, T>(fields).err()?;
    let culprit = node.entries().find(|entry| {
        let mut rest = fields.clone();
        let removed = rest
            .as_object_mut()
            .and_then(|rest| rest.remove(&entry.key));
        removed.is_some() && T::deserialize(rest).is_ok()
    });
    let mut at = culprit.map_or(node, |entry| &entry.value);
    for segment in error.path().iter().skip(usize::from(culprit.is_some())) {
        let Some(child) = at.child(&segment.to_string()) else {
            break;
        };
        at = child;
    }
    Some(Refusal {
        field: culprit.map(|entry| entry.key.clone()),
        message: error.inner().to_string(),
        span: at.span,
    })
}

/// The fields of an object without its child objects, which are parsed separately. A required child
/// is replaced by a minimal one.
fn fields_of(node: &Node, kind: Kind) -> Json {
    if node.as_mapping().is_none() {
        return node.to_serde();
    }
    let mut fields = Map::new();
    for entry in node.entries() {
        let value = match kind.shape(&entry.key) {
            Some(Shape::One(Kind::Any)) => entry.value.to_serde(),
            Some(Shape::One(Kind::Info)) => json!({"title": "", "version": ""}),
            Some(
                Shape::One(Kind::Paths | Kind::Responses | Kind::OauthFlows)
                | Shape::Map(Kind::MediaType),
            ) => json!({}),
            Some(Shape::One(Kind::Schema)) if kind != Kind::Schema => json!({}),
            _ => continue,
        };
        fields.insert(entry.key.clone(), value);
    }
    Json::Object(fields)
}
