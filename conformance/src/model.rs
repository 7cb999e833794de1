//! Model: what the operations of a document do to its records, told by names and shapes alone, and by
//! the behaviour file where there is one. Pure.

use std::collections::{BTreeMap, BTreeSet};

use spec::document::{Document, Located, Location, MediaType, Method, Operation, Response, Status};
use spec::{Behaviour, Node, Pointer};

use crate::shape::Shape;

mod awaiting;
mod means;
pub mod names;
mod paths;
mod success;

pub use paths::{collection, names_one, nearest, same_path, segment_before};
use paths::{is_item_of, path_before, path_with, starts_with};
use success::call;

/// Every operation of a document with what it does.
#[derive(Debug)]
pub struct Model<'d> {
    /// The document.
    pub document: &'d Document,
    /// Its operations in order.
    pub calls: Vec<Call<'d>>,
    /// What is known beyond the document.
    pub behaviour: Behaviour,
    /// States whose word says that they may end by themselves, and which yet wait for a step.
    awaiting: BTreeSet<String>,
    /// Kinds of record by the words of their keys, where those do not say that they are keys: `sku`.
    known: BTreeMap<Vec<String>, String>,
}

/// One operation and what its success answers.
#[derive(Debug, Clone)]
pub struct Call<'d> {
    /// The operation.
    pub operation: Operation<'d>,
    /// Its success: the lowest 2xx that is documented.
    pub success: Option<Success<'d>>,
    /// What it does.
    pub role: Role,
    /// What its path is about, in singular words: `/a/{id}/line-items` is about a `line item`, and a step such
    /// as `/a/{id}/cancel` about itself.
    pub about: String,
    /// The schema of its body, where that is JSON or a form.
    pub body: Option<Located<'d>>,
    /// Where it makes a record under a key that its caller chooses, the path parameter which that is.
    pub chosen: Option<&'d str>,
}

/// A documented success.
#[derive(Debug, Clone)]
pub struct Success<'d> {
    /// The response.
    pub response: Response<'d>,
    /// Its JSON media type.
    pub media: Option<MediaType<'d>>,
    /// Where the record stands in the body, and what it is; of a list, one item.
    pub record: Option<Record<'d>>,
    /// Of a list, where the items stand.
    pub items: Option<Pointer>,
}

/// A kind of record.
#[derive(Debug, Clone)]
pub struct Record<'d> {
    /// Where it stands in the body, or in an item of the list.
    pub at: Pointer,
    /// Its schema, references followed.
    pub schema: Located<'d>,
    /// Its name in lower case words: that of its component, else that of the path.
    pub name: String,
    /// The property that is its own key.
    pub key: Option<&'d str>,
}

/// What an operation does to records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Makes a record.
    Create,
    /// Reads one record.
    Read,
    /// Lists records.
    List,
    /// Changes a record that its path or body names, and answers it.
    Change,
    /// Takes a record away.
    Delete,
    /// Something else.
    Other,
}

impl Record<'_> {
    /// Whether two kinds of record are one: the same schema, or schemas of the same text.
    pub fn is(&self, other: &Record<'_>) -> bool {
        self.schema.pointer == other.schema.pointer
            || self.schema.node.same_value(other.schema.node)
    }
}

impl<'d> Model<'d> {
    /// Looks at every operation.
    pub fn new(document: &'d Document, behaviour: Behaviour) -> Self {
        let mut model = Self {
            document,
            calls: Vec::new(),
            behaviour,
            awaiting: BTreeSet::new(),
            known: BTreeMap::new(),
        };
        let operations = document.operations();
        let keys = paths::keys(&operations);
        let calls = operations.into_iter().map(|operation| {
            let keys = keys.of(operation.path);
            call(document, operation, &keys)
        });
        model.calls = calls.collect();
        model.find_keys();
        model.awaiting = awaiting::states(&model.calls);
        let roles: Vec<Role> = model.calls.iter().map(|call| model.role(call)).collect();
        for (call, role) in model.calls.iter_mut().zip(roles) {
            call.role = role;
        }
        let made = model.of(Role::Create).filter_map(Call::record);
        let known = made.filter_map(|own| {
            let key = own.key.filter(|key| names::subject(key).is_none())?;
            Some((names::words(key), own.name.clone()))
        });
        model.known = known.collect();
        model
    }

    /// Kinds of record that no property says to be the key of have the one that they are read by.
    fn find_keys(&mut self) {
        let read_by = |record: &Record<'d>| {
            let properties = Shape::of(self.document, Some(&record.schema)).property_names();
            let readers = self.calls.iter().filter(|own| {
                let is_read =
                    own.operation.method == Method::Get && !own.path_parameters().is_empty();
                let of_kind = own.record().is_some_and(|own| own.is(record));
                let is_list = own.success.as_ref().is_some_and(|own| own.items.is_some());
                is_read && of_kind && !is_list
            });
            let mut names = readers.filter_map(|own| own.path_parameters().last().copied());
            names.find_map(|name| {
                properties
                    .iter()
                    .copied()
                    .find(|own| names::same(own, name))
            })
        };
        let keys: Vec<Option<&'d str>> = self
            .calls
            .iter()
            .map(|call| {
                let record = call.record()?;
                record.key.or_else(|| read_by(record))
            })
            .collect();
        for (call, key) in self.calls.iter_mut().zip(keys) {
            if let Some(record) = call.success.as_mut().and_then(|own| own.record.as_mut()) {
                record.key = key;
            }
        }
    }

    /// Whether a record is in a state that may end by itself.
    pub fn is_moving(&self, record: &Node) -> bool {
        record.entries().any(|entry| {
            let state = entry
                .value
                .as_str()
                .filter(|_| names::tells_state(&entry.key));
            state.is_some_and(|own| {
                names::is_moving_word(own) && !self.awaiting.contains(&own.to_lowercase())
            })
        })
    }

    /// The calls of a role.
    pub fn of(&self, role: Role) -> impl Iterator<Item = &Call<'d>> {
        self.calls.iter().filter(move |call| call.role == role)
    }

    /// The call of an operation.
    pub fn call(&self, operation: &str) -> Option<&Call<'d>> {
        self.calls
            .iter()
            .find(|call| call.operation.label() == operation)
    }

    /// The operations that read one record of a kind.
    pub fn readers(&self, record: &Record<'_>) -> Vec<&Call<'d>> {
        let reads = |call: &&Call<'d>| call.record().is_some_and(|own| own.is(record));
        self.of(Role::Read).filter(reads).collect()
    }

    /// The operations that list records of a kind.
    pub fn lists(&self, record: &Record<'_>) -> Vec<&Call<'d>> {
        let lists = |call: &&Call<'d>| call.record().is_some_and(|own| own.is(record));
        self.of(Role::List).filter(lists).collect()
    }

    /// The operation that makes the record which a path parameter names: it stands on the path
    /// before the parameter, makes records of the parameter's name, or makes what is read by such a
    /// property: `/orders/by-reference/{reference}`.
    pub fn creator_for(&self, operation: &Operation<'_>, parameter: &str) -> Option<&Call<'d>> {
        let before = path_before(operation.path, parameter)?;
        let on_path = |call: &&Call<'d>| same_path(call.operation.path, before);
        self.of(Role::Create)
            .filter(|call| call.operation.method == Method::Post)
            .find(on_path)
            .or_else(|| self.putter_for(operation, parameter))
            .or_else(|| self.creator_of(&names::subject(parameter)?))
            .or_else(|| self.creator_of_read(operation, parameter))
    }

    /// The operation that puts a record where the path up to a parameter, and with it, leads.
    fn putter_for(&self, operation: &Operation<'_>, parameter: &str) -> Option<&Call<'d>> {
        let up_to = path_with(operation.path, parameter)?;
        let puts =
            |call: &&Call<'d>| call.chosen.is_some() && same_path(call.operation.path, up_to);
        self.of(Role::Create).find(puts)
    }

    /// The operation that makes what an operation reads, of which its only parameter is a property.
    fn creator_of_read(&self, operation: &Operation<'_>, parameter: &str) -> Option<&Call<'d>> {
        let reader = self.call(&operation.label())?;
        let record = reader.record().filter(|_| reader.role == Role::Read)?;
        let shape = Shape::of(self.document, Some(&record.schema));
        let mut properties = shape.property_names().into_iter();
        let is_only = reader.path_parameters().len() == 1;
        let is_read_by = is_only && properties.any(|own| names::same(own, parameter));
        let makes = |call: &&Call<'d>| {
            call.operation.method == Method::Post && call.record().is_some_and(|own| own.is(record))
        };
        self.of(Role::Create).find(makes).filter(|_| is_read_by)
    }

    /// The operation that makes records of a name, whichever part such a record has: `from account`;
    /// of an office, such as `owner`, where nothing else is called so, the one that makes records of people.
    pub fn creator_of(&self, subject: &str) -> Option<&Call<'d>> {
        let subject = names::without_part(subject);
        if subject.is_empty() {
            return None;
        }
        let maker = |subject: &str| {
            let makes = |call: &&Call<'d>| {
                let record = call.record().is_some_and(|own| own.name == subject);
                record || call.about == subject
            };
            self.of(Role::Create).find(makes)
        };
        let of_people = || {
            let mut people = names::PEOPLE.iter().filter(|_| names::is_office(subject));
            people.find_map(|own| maker(own))
        };
        maker(subject).or_else(of_people)
    }

    /// The kind of record that a property of a body names by its key: `customer_id`, or `customer` where that
    /// is said to be a key.
    pub fn named_by(&self, property: &Shape<'d>, name: &str) -> Option<String> {
        if let Some(subject) = names::subject(name) {
            return Some(subject);
        }
        if let Some(kind) = self.known_by(name) {
            return Some(kind);
        }
        let kind = names::singular(name);
        let maker = self.creator_of(&kind)?;
        let record = Shape::of(self.document, Some(&maker.record()?.schema));
        let key = names::key_property("id", &kind, &record.property_names())?;
        let key = record.property(self.document, key);
        let same = |keyword| {
            let own = property.keyword(keyword);
            own.is_some_and(|own| key.keyword(keyword).is_some_and(|key| key.same_value(own)))
        };
        let text = property.keyword("description").and_then(Node::as_str);
        let words = names::words(text.unwrap_or_default());
        let says = words.iter().any(|own| own == "id" || own == "identifier")
            || is_about_record(&words, &kind);
        let is_text = property.type_name() == Some("string") && property.known_values().is_empty();
        let is_key = says || same("pattern") || property.format() == Some("uuid");
        (is_text && is_key).then_some(kind)
    }

    /// The kind of record that has a property of this name as its key, where that alone tells which: `sku`.
    pub fn known_by(&self, name: &str) -> Option<String> {
        if self.known.is_empty() {
            return None;
        }
        self.known.get(&names::words(name)).cloned()
    }

    fn role(&self, call: &Call<'d>) -> Role {
        let success = call.success.as_ref();
        let is_list = success.is_some_and(|own| own.items.is_some());
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

    /// Whether an operation that answers a record makes it or changes it.
    fn writer(&self, call: &Call<'d>) -> Role {
        let id = call.operation.id().unwrap_or_default();
        let mut machines = self.behaviour.records.iter().flat_map(|own| &own.machines);
        if machines.any(|own| own.created_by.as_ref().is_some_and(|by| by.text == id)) {
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
            let own = reader.operation.path;
            let is_same = reader.record().is_some_and(|own| own.is(record));
            is_same && names_one(own) && (same_path(own, path) || starts_with(path, own))
        };
        let by_path = self
            .calls
            .iter()
            .filter(|own| own.operation.method == Method::Get)
            .any(|reader| is_read(&reader));
        if by_path || self.body_names(call, record) {
            return Role::Change;
        }
        // What is put at an address of its own is made there.
        match call.operation.method {
            Method::Patch => Role::Change,
            _ => Role::Create,
        }
    }

    /// Whether the body has a key of the kind of record that is answered; where the path is that of the
    /// collection it is the key of a record to be made.
    fn body_names(&self, call: &Call<'d>, record: &Record<'d>) -> bool {
        let path = call.operation.path;
        let is_item = |other: &Call<'d>| is_item_of(other.operation.path, path);
        let shape = Shape::of(self.document, call.body.as_ref());
        let is_key = |name: &&str| names::subject(name).is_some_and(|about| about == record.name);
        shape.property_names().iter().any(is_key) && !self.calls.iter().any(is_item)
    }
}

/// Whether a description speaks of a record itself, such as `The charge to refund`, and not of something
/// that it has.
fn is_about_record(words: &[String], kind: &str) -> bool {
    const PARTS: [&str; 8] = [
        "name", "title", "label", "type", "kind", "code", "text", "free",
    ];
    let has = |word: &str| words.iter().any(|own| own == word);
    kind.split(' ').all(has) && !PARTS.into_iter().any(has)
}

impl<'d> Call<'d> {
    /// The kind of record it answers.
    pub fn record(&self) -> Option<&Record<'d>> {
        self.success.as_ref()?.record.as_ref()
    }

    /// Its path parameters in the order of the document.
    pub fn path_parameters(&self) -> Vec<&'d str> {
        let parameters = self.operation.parameters().into_iter();
        parameters
            .filter(|own| own.location == Location::Path)
            .map(|own| own.name)
            .collect()
    }

    /// The documented response of a status, exactly.
    pub fn response(&self, code: u16) -> Option<Response<'d>> {
        let exact = |own: &Response<'_>| own.status == Status::Code(code);
        self.operation.responses().into_iter().find(exact)
    }

    /// The first of some statuses that is documented.
    pub fn first_of(&self, codes: &[u16]) -> Option<Response<'d>> {
        codes.iter().find_map(|code| self.response(*code))
    }

    /// Whether it needs credentials.
    pub fn is_secured(&self) -> bool {
        let security = self.operation.security();
        !security.is_empty() && !security.iter().any(Vec::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOP: &str = r#"
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /customers:
    post: {operationId: addCustomer, responses: {"201": {$ref: '#/components/responses/Customer'}}}
    get:
      operationId: listCustomers
      responses:
        "200":
          description: all
          content:
            application/json:
              schema:
                type: object
                properties:
                  data: {type: array, items: {$ref: '#/components/schemas/Customer'}}
                  next: {type: string}
  /customers/{customerId}:
    get: {operationId: getCustomer, responses: {"200": {$ref: '#/components/responses/Customer'}}}
    patch: {operationId: changeCustomer, responses: {"200": {$ref: '#/components/responses/Customer'}}}
    delete: {operationId: removeCustomer, responses: {"204": {description: gone}}}
  /customers/{customerId}/close:
    post: {operationId: closeCustomer, responses: {"200": {$ref: '#/components/responses/Customer'}}}
  /customers/{customerId}/cards:
    post:
      operationId: addCard
      responses:
        "201":
          description: added
          content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}
  /cards/:
    get:
      operationId: searchCards
      description: The index is eventually consistent.
      responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Card'}}}}}}
    post: {operationId: issueCard, responses: {"201": {$ref: '#/components/responses/Card'}}}
  /cards/{cardId}:
    get: {operationId: getCard, responses: {"200": {$ref: '#/components/responses/Card'}}}
  /cards/{cardId}/block/:
    post: {operationId: blockCard, responses: {"200": {$ref: '#/components/responses/Card'}}}
  /health:
    get: {operationId: health, responses: {"200": {description: well}}}
components:
  responses:
    Card:
      description: one
      content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}
    Customer:
      description: one
      content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}
  schemas:
    Customer: {type: object, properties: {id: {type: string}, name: {type: string}}}
    Card: {type: object, properties: {id: {type: string}, holder: {type: string}}}
    Order:
      type: object
      properties:
        customer_id: {type: string}
        customer: {type: string, description: The id of who buys.}
        customers: {type: string, description: Who else.}
        note: {type: string}
    Visit:
      type: object
      properties:
        customer: {type: string, description: The customer who calls.}
        card: {type: string, description: The name of the card.}
"#;

    #[test]
    fn operations_are_told_by_names_and_shapes() {
        let document = spec::loader::load_text("shop.yaml", SHOP).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let role = |id: &str| model.call(id).map(|call| call.role);
        for (id, expected) in [
            ("addCustomer", Role::Create),
            ("listCustomers", Role::List),
            ("getCustomer", Role::Read),
            ("changeCustomer", Role::Change),
            ("removeCustomer", Role::Delete),
            ("closeCustomer", Role::Change),
            ("addCard", Role::Create),
            ("health", Role::Other),
            ("searchCards", Role::List),
            ("issueCard", Role::Create),
            ("getCard", Role::Read),
            ("blockCard", Role::Change),
        ] {
            assert_eq!(role(id), Some(expected), "{id}");
        }
        let creator = |id: &str, parameter: &str| {
            let call = model.call(id)?;
            let creator = model.creator_for(&call.operation, parameter)?;
            Some(creator.operation.label())
        };
        assert_eq!(
            creator("closeCustomer", "customerId").as_deref(),
            Some("addCustomer")
        );
        // A slash at the end of a path makes no other path of it.
        assert_eq!(creator("blockCard", "cardId").as_deref(), Some("issueCard"));
        assert_eq!(creator("health", "customerId"), None);
        let list = model.call("listCustomers").unwrap();
        let kind = list.record().unwrap();
        assert_eq!(kind.name, "customer");
        assert_eq!(model.readers(kind).len(), 1);
    }

    #[test]
    fn people_have_offices() {
        let text = SHOP.replace("/customers", "/users");
        let document = spec::loader::load_text("shop.yaml", &text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        for (subject, expected) in [
            ("owner", Some("addCustomer")),
            ("document author", Some("addCustomer")),
            ("warehouse", None),
        ] {
            let maker = model.creator_of(subject).map(|own| own.operation.label());
            assert_eq!(maker.as_deref(), expected, "{subject}");
        }
    }

    #[test]
    fn properties_that_name_records() {
        let document = spec::loader::load_text("shop.yaml", SHOP).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let (_, schema) = document.components("schemas").remove(2);
        let shape = Shape::of(&document, Some(&schema));
        for (name, expected) in [
            ("customer_id", Some("customer")),
            ("customer", Some("customer")),
            ("customers", None),
            ("note", None),
        ] {
            let property = shape.property(&document, name);
            let found = model.named_by(&property, name);
            assert_eq!(found.as_deref(), expected, "{name}");
        }
        let (_, schema) = document.components("schemas").remove(2);
        let shape = Shape::of(&document, Some(&schema));
        let named = |name: &str| model.named_by(&shape.property(&document, name), name);
        assert_eq!(named("customer").as_deref(), Some("customer"));
        assert_eq!(named("card"), None);
    }

    #[test]
    fn what_is_put_under_a_key_of_ones_own() {
        let text = r#"
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /products:
    get: {operationId: listProducts, responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Product'}}}}}}}
  /products/{sku}:
    parameters: [{name: sku, in: path, required: true, schema: {type: string}}]
    put: {operationId: putProduct, responses: {"200": {$ref: '#/components/responses/Product'}, "201": {$ref: '#/components/responses/Product'}}}
    get: {operationId: getProduct, responses: {"200": {$ref: '#/components/responses/Product'}}}
  /products/{sku}/stock:
    parameters: [{name: sku, in: path, required: true, schema: {type: string}}]
    get: {operationId: getStock, responses: {"200": {description: level, content: {application/json: {schema: {type: object, properties: {sku: {type: string}, left: {type: integer}}}}}}}}
components:
  responses:
    Product: {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}}
  schemas:
    Product: {type: object, properties: {sku: {type: string}, name: {type: string}}}
    Line: {type: object, properties: {sku: {type: string}, name: {type: string}}}
"#;
        let document = spec::loader::load_text("shop.yaml", text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let call = |id: &str| model.call(id).unwrap();
        let put = call("putProduct");
        assert_eq!((put.role, put.chosen), (Role::Create, Some("sku")));
        let made = put.success.as_ref().unwrap().response.status;
        assert_eq!(made, Status::Code(201));
        for id in ["putProduct", "getProduct", "listProducts", "getStock"] {
            let key = call(id).record().and_then(|own| own.key);
            assert_eq!(key, Some("sku"), "{id}");
        }
        let maker = model.creator_for(&call("getStock").operation, "sku");
        assert_eq!(maker.unwrap().operation.label(), "putProduct");
        let (_, schema) = document.components("schemas").remove(1);
        let line = Shape::of(&document, Some(&schema));
        let named = |name: &str| model.named_by(&line.property(&document, name), name);
        assert_eq!(named("sku").as_deref(), Some("product"));
        assert_eq!(named("name"), None);
    }

    /// Frameworks write the path of a collection with a slash at its end.
    #[test]
    fn a_slash_at_the_end_makes_no_other_path() {
        let text = SHOP.replace("  /customers:\n", "  /customers/:\n");
        let document = spec::loader::load_text("shop.yaml", &text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        assert_eq!(
            model.call("addCustomer").map(|own| own.role),
            Some(Role::Create)
        );
        let close = model.call("closeCustomer").unwrap();
        let creator = model.creator_for(&close.operation, "customerId").unwrap();
        assert_eq!(creator.operation.label(), "addCustomer");
    }
}
