//! Roles: decides how each operation acts on records.

use openapi_document::view::{Method, Status};

use super::paths::{is_item_of, same_path, starts_with};
use super::{Call, Model, Record, Role, names_one};
use crate::names;
use crate::shape::Shape;

impl<'d> Model<'d> {
    /// The role of a call, from its method and success.
    pub(super) fn role(&self, call: &Call<'d>) -> Role {
        let success = call.success.as_ref();
        let is_list = success.is_some_and(|success| success.items.is_some());
        match call.operation.method {
            Method::Get if is_list => Role::List,
            Method::Get if call.record().is_some() => Role::Read,
            Method::Delete => Role::Delete,
            Method::Post | Method::Put | Method::Patch if call.record().is_some() => {
                self.writer(call)
            }
            _ => Role::Other,
        }
    }

    /// Whether a writing operation creates or changes the record that it answers.
    fn writer(&self, call: &Call<'d>) -> Role {
        let id = call.operation.id().unwrap_or_default();
        let mut machines = self
            .behaviour
            .records
            .iter()
            .flat_map(|item| &item.machines);
        if machines.any(|item| item.created_by.as_ref().is_some_and(|by| by.text == id)) {
            return Role::Create;
        }
        if call.chosen.is_some() {
            return Role::Create;
        }
        let Some(record) = call.record() else {
            return Role::Other;
        };
        let path = call.operation.path;
        let is_read = |reader: &&Call<'d>| {
            let item = reader.operation.path;
            let is_same = reader.record().is_some_and(|kind| kind.is(record));
            let is_at =
                same_path(item, path) || starts_with(path, item) || is_named_as_by(reader, call);
            is_same && names_one(item) && is_at
        };
        let by_path = self
            .calls
            .iter()
            .filter(|call| call.operation.method == Method::Get)
            .any(|reader| is_read(&reader));
        if creates_another(call) {
            return Role::Create;
        }
        if by_path || self.body_names(call, record) {
            return Role::Change;
        }
        // A PUT to an address that nothing else reads creates the record there.
        match call.operation.method {
            Method::Patch => Role::Change,
            Method::Post if asks(path) => Role::Other,
            _ => Role::Create,
        }
    }

    /// Whether the body has the key of the answered kind of record. On the path of a collection such a key belongs to
    /// the record to create, so it does not count.
    fn body_names(&self, call: &Call<'d>, record: &Record<'d>) -> bool {
        let path = call.operation.path;
        let is_item = |other: &Call<'d>| is_item_of(other.operation.path, path);
        let shape = Shape::of(self.document, call.body.as_ref());
        let is_key = |name: &&str| names::subject(name).is_some_and(|about| about == record.name);
        shape.property_names().iter().any(is_key) && !self.calls.iter().any(is_item)
    }
}

/// Last path segments whose POST is a query: `/tools/search`. Documents of two publishers use each of them.
const ASKS: [&str; 4] = ["get", "query", "search", "validate"];

/// Whether a path ends with a word for a query.
fn asks(path: &str) -> bool {
    let last = path.trim_end_matches('/').rsplit('/').next();
    last.is_some_and(|item| ASKS.contains(&item))
}

/// Whether a step on another path names the record with the same parameter as its reader:
/// `/holds/{payment_id}/capture`
/// beside `/payments/{payment_id}`.
fn is_named_as_by(reader: &Call<'_>, call: &Call<'_>) -> bool {
    let name = reader.path_parameters().last().copied();
    let mut named = name
        .filter(|name| names::subject(name).is_some_and(|item| !item.is_empty()))
        .into_iter();
    named.any(|item| call.path_parameters().last() == Some(&item))
}

/// Whether a step creates another record than the one in its path: it answers 201 with a `Location`.
fn creates_another(call: &Call<'_>) -> bool {
    let Some(success) = &call.success else {
        return false;
    };
    let mut headers = success.response.headers().into_iter();
    let is_location = |name: &str| name.eq_ignore_ascii_case("location");
    call.operation.method == Method::Post
        && success.response.status == Status::Code(201)
        && headers.any(|(name, _)| is_location(name))
}
