//! Sent keys: finds the key of a record whose creation does not answer it.
//!
//! The key is then a value of the request, or the end of the address in `Location`.

use openapi_document::view::{Method, Operation};

use super::paths::{is_item_of, path_before, path_with, same_path};
use super::{Call, Model, Role, names_one};
use crate::names;
use crate::shape::Shape;

/// Body properties that can be the key under another name than the path parameter, the most specific first.
const CALLED: [&str; 3] = ["name", "id", "key"];

/// The place of a key when the creation does not answer it under the parameter's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentKey<'d> {
    /// In a property of the record that is answered.
    Answer(&'d str),
    /// In a property of the body that was sent.
    Body(&'d str),
    /// In a path parameter of the request.
    Path(&'d str),
    /// At the end of the address in the header `Location`.
    Location,
}

impl<'d> Model<'d> {
    /// The operation that creates the record of a path parameter without being recognised as a creation, with the
    /// place of the key: a POST to the path before the parameter, else a PUT to the path with it.
    pub fn namer_for(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, SentKey<'d>)> {
        let before = path_before(operation.path, parameter)?;
        let posts = |call: &&Call<'d>| {
            let is_post = call.operation.method == Method::Post && call.success.is_some();
            is_post && same_path(call.operation.path, before)
        };
        let mut all = self.calls.iter().filter(posts);
        let posted = all.find_map(|call| Some((call, self.sent_key(call, parameter)?)));
        posted
            .or_else(|| self.put_at(operation, parameter, |call| call.chosen.is_some()))
            .or_else(|| self.put_elsewhere(operation, parameter))
    }

    /// The operation that creates a record under a key of this name, if all such operations have one path: the `{room_name}` of
    /// `/leases/{owner}/{room_name}` is that of `/houses/{house}/rooms/{room_name}`.
    fn put_elsewhere(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, SentKey<'d>)> {
        let puts = |call: &&Call<'d>| {
            let is_called = call.chosen.is_some_and(|name| names::same(name, parameter));
            is_called && call.operation.label() != operation.label()
        };
        let mut all = self.calls.iter().filter(puts);
        let first = all.next()?;
        let is_alone = all.all(|call| same_path(call.operation.path, first.operation.path));
        is_alone.then_some((first, SentKey::Path(first.chosen?)))
    }

    /// The PUT to the path that ends with a parameter, where the client may choose the name.
    pub fn placer_for(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, SentKey<'d>)> {
        let is_put =
            |call: &Call<'d>| call.operation.method == Method::Put && call.success.is_some();
        self.put_at(operation, parameter, is_put)
    }

    /// The operation on the path that ends with a parameter which accepts any text as key there.
    fn put_at(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
        is_meant: impl Fn(&Call<'d>) -> bool,
    ) -> Option<(&Call<'d>, SentKey<'d>)> {
        let up_to = path_with(operation.path, parameter)?;
        let puts = |call: &&Call<'d>| {
            is_meant(call)
                && names_one(call.operation.path)
                && same_path(call.operation.path, up_to)
        };
        let call = self.calls.iter().find(puts)?;
        let name = super::success::named_freely(&call.operation)?;
        Some((call, SentKey::Path(name)))
    }

    /// The body property with the key of the created record, if the answer lacks it and a path uses it.
    pub fn key_in_body(&self, creator: &Call<'d>) -> Option<&'d str> {
        if creator.role == Role::Create || creator.operation.method != Method::Post {
            return None;
        }
        let is_item = |call: &&Call<'d>| is_item_of(call.operation.path, creator.operation.path);
        let item = self.calls.iter().find(is_item)?;
        let last = item.operation.path.trim_end_matches('/').rsplit('/').next();
        let parameter = last?.strip_prefix('{')?.strip_suffix('}')?;
        match self.sent_key(creator, parameter)? {
            SentKey::Body(name) => Some(name),
            _ => None,
        }
    }

    /// The place in a creation's answer or request that has the value of a path parameter.
    pub fn sent_key(&self, creator: &Call<'d>, parameter: &str) -> Option<SentKey<'d>> {
        if let Some(name) = creator.chosen {
            return Some(SentKey::Path(name));
        }
        let answer = Shape::of(self.document, creator.record().map(|record| &record.schema));
        let body = Shape::of(self.document, creator.body.as_ref());
        let find = |shape: &Shape<'d>, is_meant: &dyn Fn(&str) -> bool| {
            let is_plain = |property: &&str| {
                let name = shape.property(self.document, property).type_name();
                is_meant(property) && matches!(name, Some("string" | "integer"))
            };
            shape.property_names().into_iter().find(is_plain)
        };
        let sent_or_answered = |is_meant: &dyn Fn(&str) -> bool| {
            let answered = find(&answer, is_meant).map(SentKey::Answer);
            answered.or_else(|| find(&body, is_meant).map(SentKey::Body))
        };
        let called = || {
            CALLED
                .iter()
                .find_map(|name| sent_or_answered(&|item| item == *name))
        };
        let by_address = || has_location(creator).then_some(SentKey::Location);
        sent_or_answered(&|name| names::same(name, parameter))
            .or_else(by_address)
            .or_else(called)
    }
}

/// Whether the success of an operation documents a `Location` header.
fn has_location(call: &Call<'_>) -> bool {
    let headers = call
        .success
        .iter()
        .flat_map(|success| success.response.headers());
    let mut names = headers.map(|(name, _)| name);
    names.any(|name| name.eq_ignore_ascii_case("location"))
}

#[cfg(test)]
mod tests {
    use openapi_document::Behaviour;

    use super::*;

    const DEPOT: &str = r"
openapi: 3.0.3
info: {title: Depot, version: '1'}
paths:
  /tenants:
    get: {operationId: listTenants, responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {tenants: {type: array, items: {type: object, properties: {name: {type: string}}}}}}}}}}}
    post:
      operationId: createTenant
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {type: object}}}}}
  /tenants/{tenant}:
    parameters: [{name: tenant, in: path, required: true, schema: {type: string}}]
    get: {operationId: getTenant, responses: {'200': {description: one}}}
  /rooms:
    post: {operationId: createRoom, responses: {'201': {description: made, headers: {Location: {schema: {type: string}}}}}}
  /rooms/{roomId}:
    parameters: [{name: roomId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getRoom, responses: {'200': {description: one}}}
  /groups/{group}:
    parameters: [{name: group, in: path, required: true, schema: {type: string}}]
    post: {operationId: createGroup, responses: {'201': {description: made}}}
    get: {operationId: getGroup, responses: {'200': {description: one}}}
  /files/{file}:
    parameters: [{name: file, in: path, required: true, schema: {type: string}}]
    put: {operationId: putFile, responses: {'200': {description: kept}}}
    get: {operationId: getFile, responses: {'200': {description: one}}}
  /shelves/{tenant}:
    parameters: [{name: tenant, in: path, required: true, schema: {type: string}}]
    get: {operationId: getShelf, responses: {'200': {description: one}}}
";

    #[test]
    fn keys_that_only_the_request_contains() {
        let document = openapi_document::loader::load_text("depot.yaml", DEPOT).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let operation = |id: &str| &model.call(id).unwrap().operation;
        let namer = |id, name| {
            let found = model.namer_for(operation(id), name);
            found.map(|(call, key)| (call.operation.label(), key))
        };
        let created = |id: &str, key| Some((id.to_owned(), key));
        let by_name = created("createTenant", SentKey::Body("name"));
        assert_eq!(namer("getTenant", "tenant"), by_name);
        assert_eq!(
            namer("getRoom", "roomId"),
            created("createRoom", SentKey::Location)
        );
        assert_eq!(namer("getFile", "file"), None);
        let placer = model.placer_for(operation("getFile"), "file");
        let placer = placer.map(|(call, key)| (call.operation.label(), key));
        assert_eq!(placer, created("putFile", SentKey::Path("file")));
        let by_path = created("createGroup", SentKey::Path("group"));
        assert_eq!(namer("getGroup", "group"), by_path);
        assert_eq!(
            model.key_in_body(model.call("createTenant").unwrap()),
            Some("name")
        );
        let existing = |id, name| {
            let found = model.existing_for(operation(id), name);
            found.map(|(call, at)| (call.operation.label(), at.to_string()))
        };
        let first = Some(("listTenants".to_owned(), "/tenants/0/name".to_owned()));
        assert_eq!(existing("getTenant", "tenant"), first);
        assert_eq!(existing("getShelf", "tenant"), first);
        assert_eq!(existing("getRoom", "roomId"), None);
    }
}
