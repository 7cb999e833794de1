//! The second reader of `OpenAPI` 3.0: the types of the crate `openapiv3`. Each object is read by itself: one
//! wrong object hides no other, the place is known, and the time does not double with each level of nesting, as
//! it does where the crate reads a whole document with a mistake deep inside.

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

/// What `openapiv3` says of an object that it refuses.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The field without which it would read the object, where there is one.
    pub(crate) field: Option<String>,
    /// The crate's words.
    pub(crate) message: String,
    /// What they are about.
    pub(crate) span: Span,
}

/// The objects of a document of 3.0 that it refuses, each with its place in the list.
pub(crate) fn refusals(objects: &[Object<'_>]) -> Vec<(usize, Refusal)> {
    let read = |(index, object)| Some((index, refusal(object, objects)?));
    objects.iter().enumerate().filter_map(read).collect()
}

fn refusal(object: &Object<'_>, objects: &[Object<'_>]) -> Option<Refusal> {
    let node = object.node;
    if object.is_reference() {
        // It takes a reference for each object but the callback of an operation.
        let owner = object.parent.map(|own| objects[own].kind);
        let is_taken = object.kind != Kind::Callback || owner != Some(Kind::Operation);
        let read = || read::<Callback>(node, &node.to_serde());
        return if is_taken { None } else { read() };
    }
    // A `null` is an absent field to it.
    if node.is_null() || (object.field == "additionalProperties" && node.as_bool().is_some()) {
        return None;
    }
    let own = &own_fields(node, object.kind);
    match object.kind {
        Kind::Document => read::<OpenAPI>(node, own),
        Kind::Info => read::<Info>(node, own),
        Kind::Contact => read::<Contact>(node, own),
        Kind::License => read::<License>(node, own),
        Kind::Server => read::<Server>(node, own),
        Kind::ServerVariable => read::<ServerVariable>(node, own),
        Kind::PathItem => read::<PathItem>(node, own),
        Kind::Operation => read::<Operation>(node, own),
        Kind::ExternalDocumentation => read::<ExternalDocumentation>(node, own),
        Kind::Parameter => read::<Parameter>(node, own),
        Kind::RequestBody => read::<RequestBody>(node, own),
        Kind::MediaType => read::<MediaType>(node, own),
        Kind::Encoding => read::<Encoding>(node, own),
        Kind::Response => read::<Response>(node, own),
        Kind::Callback => read::<Callback>(node, own),
        Kind::Example => read::<Example>(node, own),
        Kind::Link => read::<Link>(node, own),
        Kind::Header => read::<Header>(node, own),
        Kind::Tag => read::<Tag>(node, own),
        Kind::Schema => read::<Schema>(node, own),
        Kind::Discriminator => read::<Discriminator>(node, own),
        Kind::SecurityScheme => read::<SecurityScheme>(node, own),
        Kind::SecurityRequirement => read::<SecurityRequirement>(node, own),
        Kind::OauthFlow => match object.field {
            "implicit" => read::<ImplicitOAuth2Flow>(node, own),
            "password" => read::<PasswordOAuth2Flow>(node, own),
            "clientCredentials" => read::<ClientCredentialsOAuth2Flow>(node, own),
            _ => read::<AuthorizationCodeOAuth2Flow>(node, own),
        },
        // They have no fields but objects, or the crate does not read them.
        Kind::Paths
        | Kind::Responses
        | Kind::Components
        | Kind::OauthFlows
        | Kind::Xml
        | Kind::Any => None,
    }
}

fn read<T: DeserializeOwned>(node: &Node, own: &Json) -> Option<Refusal> {
    let error = serde_path_to_error::deserialize::<_, T>(own).err()?;
    let culprit = node.entries().find(|entry| {
        let mut rest = own.clone();
        let is_own = rest.as_object_mut().and_then(|own| own.remove(&entry.key));
        is_own.is_some() && T::deserialize(rest).is_ok()
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

/// The object's own fields; the objects below it, which are read by themselves, left out or, where
/// one is demanded, replaced by the least that will do.
fn own_fields(node: &Node, kind: Kind) -> Json {
    if node.as_mapping().is_none() {
        return node.to_serde();
    }
    let mut own = Map::new();
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
        own.insert(entry.key.clone(), value);
    }
    Json::Object(own)
}
