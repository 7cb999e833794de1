//! Reading: reads a record with the operations that can read it, and finds records of earlier steps.

use std::collections::BTreeMap;

use openapi_document::node::Entry;
use openapi_document::view::{Location, Method};
use openapi_document::{Node, Pointer};

use super::addressing::{
    bound, can_address, is_repeated_header, names_key, names_otherwise, names_within,
};
use super::step::{no_request, plain_step};
use super::{Ready, Scene};
use crate::answered::{key_name, record_of};
use crate::case::ArgumentValue;
use crate::collect::request;
use crate::compose;
use crate::exchange::{Exchange, Sent};
use crate::execute::{State, scope};
use crate::fresh::Fresh;
use crate::model::{self, Call, Role, same_path};
use crate::sample::Extent;
use crate::seed::Seed;
use crate::shape::Shape;
use crate::value;

impl<'w, 'd> Scene<'w, 'd> {
    /// Calls a reader for a record. Its path parameters come from the record, else from the request of that record.
    ///
    /// # Errors
    /// The record has no value for a parameter.
    pub(crate) async fn read(
        &mut self,
        reader: &Call<'d>,
        record: &Node,
        with: &Sent,
    ) -> Result<Exchange, String> {
        let sent = self.compose_read(reader, record, with, &[])?;
        Ok(self.send(sent).await)
    }

    /// The request of a reader or a list for a record, with the given query arguments.
    ///
    /// # Errors
    /// The record has no value for a parameter.
    pub(crate) fn compose_read(
        &mut self,
        reader: &Call<'d>,
        record: &Node,
        with: &Sent,
        query: &[(&str, Node)],
    ) -> Result<Sent, String> {
        let contract = self.contract();
        let mut arguments = Vec::new();
        for parameter in request::parameters(&reader.operation, self.selection) {
            let requested = query.iter().find(|(name, _)| *name == parameter.name);
            let value = match (parameter.location, requested) {
                (Location::Query, Some((_, value))) => Some(ArgumentValue::Example(value.clone())),
                (Location::Path, _) => {
                    let bound = bound(reader, parameter.name, record, with);
                    let missing = || {
                        format!(
                            "the record has no `{}`, which its reader needs",
                            parameter.name
                        )
                    };
                    Some(ArgumentValue::Example(bound.ok_or_else(missing)?))
                }
                // If one of several parameters is required, the one of the earlier request is sent.
                (Location::Query, None) if reader.needs_one_of(parameter.name) => {
                    let mut requested = with.query.iter();
                    let argument = requested.find(|(name, _)| *name == parameter.name);
                    argument.map(|(_, text)| ArgumentValue::Example(value::string(text)))
                }
                // Headers that identify the owner of the record are repeated.
                (Location::Header, _) if is_repeated_header(parameter.name, with) => {
                    let text = with.header(parameter.name).unwrap_or_default();
                    Some(ArgumentValue::Example(value::string(text)))
                }
                _ if parameter.required() || parameter.name.eq_ignore_ascii_case("request-id") => {
                    let known = request::argument_value(contract, &parameter, None);
                    // Generated query values would filter the answer.
                    let is_header = parameter.location == Location::Header;
                    known.or_else(|| {
                        let created = request::invented_value(contract, &parameter, Extent::Full);
                        created.filter(|_| is_header)
                    })
                }
                _ => None,
            };
            if let Some(value) = value {
                let mut argument = request::argument(contract, &parameter, value);
                argument.natural_key = false;
                arguments.push(argument);
            }
        }
        let mut wanted = no_request();
        wanted.arguments = arguments;
        let step = plain_step(reader, wanted);
        let inputs = BTreeMap::new();
        let state = State::new(&inputs, Fresh::new(Seed::default(), ""));
        self.readings += 1;
        let name = format!("read#{}#{}", self.current, self.readings);
        let mut fresh = Fresh::new(self.sender.wire.seed, &name);
        self.sender
            .compose(&step, &scope(&state.values, None), &mut fresh)
    }

    /// The operations that can read a record, restricted to the paths closest to the call's.
    pub(crate) fn readers_for(
        &self,
        call: &Call<'d>,
        record: &Node,
        with: &Sent,
    ) -> Vec<&'w Call<'d>> {
        let Some(kind) = call.record() else {
            return Vec::new();
        };
        let model = self.model;
        let mut readers = model.readers(kind);
        readers.retain(|reader| {
            let is_keyed = !reader.path_parameters().is_empty() && !is_of_parent(call, reader);
            is_keyed && can_address(reader, record, with)
        });
        model::nearest(call, &mut readers);
        readers
    }

    /// The record whose key the call names, in its last state before the call, with the operation that answered it.
    pub(crate) fn record_before<'e>(
        &self,
        call: &Call<'d>,
        ready: &'e Ready<'_, 'd>,
    ) -> Option<(&'w Call<'d>, &'e Node)> {
        let sent = self.compose(ready, "made-before").ok()?;
        let model = self.model;
        let kept = ready.state.kept.as_deref().unwrap_or_default();
        let in_path = |key: &Node| {
            let key = value::plain(key);
            sent.path_arguments.iter().any(|(_, item)| *item == key)
        };
        let mut found: Option<(&'w Call<'d>, &'e Node)> = None;
        for exchange in kept {
            let Some(creator) = model.call(&exchange.sent.operation) else {
                continue;
            };
            let record = record_of(creator, exchange);
            let key = key_name(creator).and_then(|key| record?.get(key));
            let (Some(record), Some(key)) = (record, key) else {
                continue;
            };
            // The path names the record to change; the body may name others.
            let known = found.and_then(|(creator, known)| known.get(key_name(creator)?));
            let is_change = call.role != Role::Create;
            let is_beside = is_change && known.is_some_and(in_path) && !in_path(key);
            match (&found, creator.role) {
                (_, Role::Create) if names_key(call, &sent, key) && !is_beside => {
                    found = Some((creator, record));
                }
                // A key in a nested part counts only if no other record is named.
                (None, Role::Create) if names_within(call, &sent, key) => {
                    found = Some((creator, record));
                }
                // A later answer with the same record.
                (Some((creator, known)), Role::Change | Role::Read) => {
                    let value = key_name(creator).and_then(|key| known.get(key));
                    if value.is_some_and(|node| node.same_value(key)) {
                        found = Some((creator, record));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Reads the record that a call will change, with every reader.
    pub(crate) async fn read_before(&mut self, call: &Call<'d>, ready: &Ready<'_, 'd>) {
        let known = self.record_before(call, ready);
        let Some((creator, record)) = known.map(|(creator, record)| (creator, record.clone()))
        else {
            return;
        };
        let Ok(sent) = self.compose(ready, "read-before") else {
            return;
        };
        for reader in self.readers_for(creator, &record, &sent) {
            let _ = self.read(reader, &record, &sent).await;
        }
    }

    /// The records that a request names, as the steps before it answered them, with the operations that created them.
    /// The record that the call is about comes first.
    pub(crate) fn named_before<'e>(
        &self,
        call: &Call<'d>,
        ready: &'e Ready<'_, 'd>,
        sent: &Sent,
    ) -> Vec<(&'w Call<'d>, &'e Node)> {
        let kept = ready.state.kept.as_deref().unwrap_or_default();
        let mut all: Vec<(&Call<'d>, &Node)> =
            self.record_before(call, ready).into_iter().collect();
        for exchange in kept {
            let creator = self.model.call(&exchange.sent.operation);
            let Some(creator) = creator.filter(|call| call.role == Role::Create) else {
                continue;
            };
            let record = record_of(creator, exchange);
            let Some((record, name)) = record.zip(key_name(creator)) else {
                continue;
            };
            let is_named =
                |key: &&Node| names_key(call, sent, key) || names_otherwise(creator, record, sent);
            let Some(key) = record.get(name).filter(is_named) else {
                continue;
            };
            let is_same = |(creator, node): &(&Call<'d>, &Node)| {
                let value = key_name(creator).and_then(|name| node.get(name));
                value.is_some_and(|node| node.same_value(key))
            };
            if !all.iter().any(is_same) {
                all.push((creator, record));
            }
        }
        all.retain(|(creator, record)| {
            let key = key_name(creator).and_then(|name| record.get(name));
            let is_named = key.is_some_and(|key| names_key(call, sent, key));
            is_named || names_otherwise(creator, record, sent)
        });
        all
    }

    /// Like [`Self::record_before`], but read again if a later step names the record or answers a record that does.
    pub(crate) async fn current_record(
        &mut self,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
    ) -> Option<Node> {
        let (creator, record) = self.record_before(call, ready)?;
        let key = record.get(key_name(creator)?)?;
        let kept = ready.state.kept.as_deref().unwrap_or_default();
        let mut since = kept.iter().rev().take_while(|exchange| {
            let call = self.model.call(&exchange.sent.operation);
            let observed = call.and_then(|call| record_of(call, exchange));
            !observed.is_some_and(|item| std::ptr::eq(item, record))
        });
        let is_on = |exchange: &Exchange| {
            let call = self.model.call(&exchange.sent.operation);
            let observed = call.and_then(|call| record_of(call, exchange));
            let is_among = |node: &Node| node.items().any(|node| node.same_value(key));
            let names = |entry: &Entry| entry.value.same_value(key) || is_among(&entry.value);
            let names_it = observed.is_some_and(|node| node.entries().any(names));
            names_it || call.is_some_and(|call| names_key(call, &exchange.sent, key))
        };
        let Some(last) = since.find(|item| is_on(item)) else {
            return Some(record.clone());
        };
        let reader = self
            .readers_for(creator, record, &last.sent)
            .first()
            .copied()?;
        let read = self.read(reader, record, &last.sent).await.ok()?;
        record_of(reader, &read).cloned()
    }

    /// A value of a record as text for a finding, with sensitive parts concealed.
    pub(crate) fn shown(&self, call: &Call<'d>, pointer: &Pointer, node: Option<&Node>) -> String {
        let Some(mut node) = node.cloned() else {
            return "absent".to_owned();
        };
        let document = self.model.document;
        let schema = call.record().map(|record| &record.schema);
        let mut shape = Shape::of(document, schema);
        for segment in pointer.segments() {
            let is_index = segment.bytes().all(|byte| byte.is_ascii_digit());
            shape = if is_index && shape.type_name() == Some("array") {
                shape.items(document)
            } else {
                shape.property(document, &segment)
            };
        }
        compose::conceal(document, &mut node, &shape, &mut Vec::new());
        value::excerpt(&node.to_json())
    }
}

/// Whether a reading shows one of the records that a call creates or lists without naming it, such as
/// the latest one of its parent.
fn is_of_parent(call: &Call<'_>, reader: &Call<'_>) -> bool {
    let known = call.path_parameters();
    let is_elsewhere = !same_path(call.operation.path, reader.operation.path);
    let is_creation = call.role == Role::Create && call.operation.method == Method::Post;
    let has_many = is_creation || call.role == Role::List;
    has_many
        && is_elsewhere
        && reader
            .path_parameters()
            .iter()
            .all(|name| known.contains(name))
}
