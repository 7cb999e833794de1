//! Sent keys: what a record is known by whose maker tells no key of it in its answer: a value that was sent, or the end of its
//! address.

use openapi_document::view::{Method, Operation};

use super::paths::{is_item_of, path_before, path_with, same_path};
use super::{Call, Model, Role, names_one};
use crate::names;
use crate::shape::Shape;

/// What a body calls a record by where the path parameter is called otherwise, the most telling first.
const CALLED: [&str; 3] = ["name", "id", "key"];

/// Where the key of a record stands whose maker tells none.
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
    /// Of a record that no operation is known to make, the operation that makes it and tells no key in its answer: what is posted to
    /// the path before the parameter.
    pub fn namer_for(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, SentKey<'d>)> {
        let before = path_before(operation.path, parameter)?;
        let posts = |own: &&Call<'d>| {
            let is_post = own.operation.method == Method::Post && own.success.is_some();
            is_post && same_path(own.operation.path, before)
        };
        let mut all = self.calls.iter().filter(posts);
        let posted = all.find_map(|own| Some((own, self.sent_key(own, parameter)?)));
        posted
            .or_else(|| self.put_at(operation, parameter, |own| own.chosen.is_some()))
            .or_else(|| self.put_elsewhere(operation, parameter))
    }

    /// The operation that puts something under a key of this name, on whichever path, where all that do stand on one: the
    /// `{room_name}` of `/leases/{owner}/{room_name}` is that of `/houses/{house}/rooms/{room_name}`.
    fn put_elsewhere(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, SentKey<'d>)> {
        let puts = |own: &&Call<'d>| {
            let is_called = own.chosen.is_some_and(|own| names::same(own, parameter));
            is_called && own.operation.label() != operation.label()
        };
        let mut all = self.calls.iter().filter(puts);
        let first = all.next()?;
        let is_alone = all.all(|own| same_path(own.operation.path, first.operation.path));
        is_alone.then_some((first, SentKey::Path(first.chosen?)))
    }

    /// The operation that puts something where the path up to a parameter, and with it, leads: what may be under a name that its
    /// sender chooses.
    pub fn placer_for(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, SentKey<'d>)> {
        let is_put = |own: &Call<'d>| own.operation.method == Method::Put && own.success.is_some();
        self.put_at(operation, parameter, is_put)
    }

    /// The operation of some that stands where the path up to a parameter, and with it, leads, and takes any key there.
    fn put_at(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
        is_meant: impl Fn(&Call<'d>) -> bool,
    ) -> Option<(&Call<'d>, SentKey<'d>)> {
        let up_to = path_with(operation.path, parameter)?;
        let puts = |own: &&Call<'d>| {
            is_meant(own) && names_one(own.operation.path) && same_path(own.operation.path, up_to)
        };
        let call = self.calls.iter().find(puts)?;
        let name = super::success::named_freely(&call.operation)?;
        Some((call, SentKey::Path(name)))
    }

    /// The property of a body that is the key of what is made, where the answer tells none and a path leads to it.
    pub fn key_in_body(&self, maker: &Call<'d>) -> Option<&'d str> {
        if maker.role == Role::Create || maker.operation.method != Method::Post {
            return None;
        }
        let is_item = |own: &&Call<'d>| is_item_of(own.operation.path, maker.operation.path);
        let item = self.calls.iter().find(is_item)?;
        let last = item.operation.path.trim_end_matches('/').rsplit('/').next();
        let parameter = last?.strip_prefix('{')?.strip_suffix('}')?;
        match self.sent_key(maker, parameter)? {
            SentKey::Body(name) => Some(name),
            _ => None,
        }
    }

    /// What a path parameter means of the request or the answer of what makes its record.
    pub fn sent_key(&self, maker: &Call<'d>, parameter: &str) -> Option<SentKey<'d>> {
        if let Some(name) = maker.chosen {
            return Some(SentKey::Path(name));
        }
        let answer = Shape::of(self.document, maker.record().map(|own| &own.schema));
        let body = Shape::of(self.document, maker.body.as_ref());
        let find = |shape: &Shape<'d>, is_meant: &dyn Fn(&str) -> bool| {
            let is_plain = |own: &&str| {
                let name = shape.property(self.document, own).type_name();
                is_meant(own) && matches!(name, Some("string" | "integer"))
            };
            shape.property_names().into_iter().find(is_plain)
        };
        let of = |is_meant: &dyn Fn(&str) -> bool| {
            let answered = find(&answer, is_meant).map(SentKey::Answer);
            answered.or_else(|| find(&body, is_meant).map(SentKey::Body))
        };
        let called = || CALLED.iter().find_map(|name| of(&|own| own == *name));
        let by_address = || has_location(maker).then_some(SentKey::Location);
        of(&|own| names::same(own, parameter))
            .or_else(by_address)
            .or_else(called)
    }
}

/// Whether the success of an operation documents the address of what it makes.
fn has_location(call: &Call<'_>) -> bool {
    let headers = call.success.iter().flat_map(|own| own.response.headers());
    let mut names = headers.map(|(name, _)| name);
    names.any(|own| own.eq_ignore_ascii_case("location"))
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
    fn keys_that_only_the_request_has() {
        let document = openapi_document::loader::load_text("depot.yaml", DEPOT).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let operation = |id: &str| &model.call(id).unwrap().operation;
        let namer = |id, name| {
            let found = model.namer_for(operation(id), name);
            found.map(|(own, key)| (own.operation.label(), key))
        };
        let made = |id: &str, key| Some((id.to_owned(), key));
        let by_name = made("createTenant", SentKey::Body("name"));
        assert_eq!(namer("getTenant", "tenant"), by_name);
        assert_eq!(
            namer("getRoom", "roomId"),
            made("createRoom", SentKey::Location)
        );
        assert_eq!(namer("getFile", "file"), None);
        let placer = model.placer_for(operation("getFile"), "file");
        let placer = placer.map(|(own, key)| (own.operation.label(), key));
        assert_eq!(placer, made("putFile", SentKey::Path("file")));
        let by_path = made("createGroup", SentKey::Path("group"));
        assert_eq!(namer("getGroup", "group"), by_path);
        assert_eq!(
            model.key_in_body(model.call("createTenant").unwrap()),
            Some("name")
        );
        let existing = |id, name| {
            let found = model.existing_for(operation(id), name);
            found.map(|(own, at)| (own.operation.label(), at.to_string()))
        };
        let first = Some(("listTenants".to_owned(), "/tenants/0/name".to_owned()));
        assert_eq!(existing("getTenant", "tenant"), first);
        assert_eq!(existing("getShelf", "tenant"), first);
        assert_eq!(existing("getRoom", "roomId"), None);
    }
}
