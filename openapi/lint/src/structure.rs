//! Keys whose value has the wrong type: read with the types of the `openapiv3` crate, piece by
//! piece, so that one wrong piece hides no other.

use openapiv3::{
    Callback, Example, Header, Info, Link, MediaType, OAuth2Flows, Operation, Parameter,
    RequestBody, Response, Schema, SecurityScheme, Server, Tag,
};
use serde::de::DeserializeOwned;

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::{Kind, Shape};
use openapi_document::node::{Node, Value};
use openapi_document::source::Span;

pub(super) const RULE: Rule = Rule {
    id: "invalid-structure",
    default: Level::Error,
    summary: "Each key has a value of the type the specification gives it",
    why: "A value of the wrong type is dropped or refused, by each reader in its own way.",
    mend: "Write the type the specification asks for.",
    wrong: "\
components:
  schemas:
    Thing: {type: object, required: id}",
    right: "\
components:
  schemas:
    Thing: {type: object, required: [id], properties: {id: {type: string}}}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if !context.is_30() {
        return;
    }
    for object in context.objects() {
        let kind = object.kind;
        if object.is_reference() {
            continue;
        }
        if let Some((message, span)) = problem(object.node, kind) {
            let title = format!("this is no {kind:?} object: {message}");
            diagnostics.push(RULE.finding(title).at(span, ""));
        }
    }
}

fn problem(node: &Node, kind: Kind) -> Option<(String, Span)> {
    if !matches!(node.value, Value::Mapping(_)) {
        let boolean_schema = kind == Kind::Schema && node.as_bool().is_some();
        let message = format!("an object is expected, not {}", node.type_name());
        return (!boolean_schema).then_some((message, node.span));
    }
    if let Some(found) = wrong_container(node, kind) {
        return Some(found);
    }
    match kind {
        Kind::Info => read::<Info>(node, kind),
        Kind::Server => read::<Server>(node, kind),
        Kind::Tag => read::<Tag>(node, kind),
        Kind::Operation => read::<Operation>(node, kind),
        Kind::Parameter => read::<Parameter>(node, kind),
        Kind::RequestBody => read::<RequestBody>(node, kind),
        Kind::MediaType => read::<MediaType>(node, kind),
        Kind::Response => read::<Response>(node, kind),
        Kind::Header => read::<Header>(node, kind),
        Kind::Example => read::<Example>(node, kind),
        Kind::Link => read::<Link>(node, kind),
        Kind::Callback => read::<Callback>(node, kind),
        Kind::OauthFlows => read::<OAuth2Flows>(node, kind),
        Kind::SecurityScheme => read::<SecurityScheme>(node, kind),
        Kind::Schema => read::<Schema>(node, kind),
        _ => None,
    }
}

/// A list or map of objects that is neither.
fn wrong_container(node: &Node, kind: Kind) -> Option<(String, Span)> {
    node.entries().find_map(|entry| {
        let (expected, fits) = match kind.shape(&entry.key)? {
            Shape::List(_) => ("an array", entry.value.as_sequence().is_some()),
            Shape::Map(_) => ("an object", entry.value.as_mapping().is_some()),
            Shape::One(_) => return None,
        };
        let message = || {
            format!(
                "`{}` is expected to be {expected}, not {}",
                entry.key,
                entry.value.type_name()
            )
        };
        (!fits).then(|| (message(), entry.value.span))
    })
}

fn read<T: DeserializeOwned>(node: &Node, kind: Kind) -> Option<(String, Span)> {
    let own = own_fields(node, kind);
    let error =
        serde_path_to_error::deserialize::<_, T>(serde_json::Value::from(own.clone())).err()?;
    let culprit = node.entries().find(|entry| {
        let mut rest = own.clone();
        rest.remove(&entry.key).is_some() && serde_json::from_value::<T>(rest.into()).is_ok()
    });
    let mut at = culprit.map_or(node, |entry| &entry.value);
    for segment in error.path().iter().skip(usize::from(culprit.is_some())) {
        let Some(child) = at.child(&segment.to_string()) else {
            break;
        };
        at = child;
    }
    Some((error.inner().to_string(), at.span))
}

/// The object's own fields; the objects below it, which are read by themselves, left out or, where
/// one is demanded, replaced by the least that will do.
fn own_fields(node: &Node, kind: Kind) -> serde_json::Map<String, serde_json::Value> {
    let mut own = serde_json::Map::new();
    for entry in node.entries() {
        // A callback may have extensions, for which the typed model has no place.
        if kind == Kind::Callback && entry.key.starts_with("x-") {
            continue;
        }
        match kind.shape(&entry.key) {
            // Which fields a flow has depends on its name, which only the object around it knows.
            Some(Shape::One(Kind::Any | Kind::OauthFlow)) => {
                own.insert(entry.key.clone(), within_range(&entry.value));
            }
            Some(Shape::One(Kind::Responses | Kind::OauthFlows) | Shape::Map(Kind::MediaType)) => {
                own.insert(entry.key.clone(), serde_json::json!({}));
            }
            Some(Shape::One(Kind::Schema)) if kind != Kind::Schema => {
                own.insert(entry.key.clone(), serde_json::json!({}));
            }
            _ => {}
        }
    }
    own
}

/// Integers beyond i64, which the typed model cannot hold, are read as the nearest it can.
fn within_range(node: &Node) -> serde_json::Value {
    let value = node.to_serde();
    match value.as_u64() {
        Some(large) if large > i64::MAX as u64 => i64::MAX.into(),
        _ => value,
    }
}
