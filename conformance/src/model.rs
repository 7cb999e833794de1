//! Model: which records each operation creates, reads, lists, changes or deletes.
//!
//! Derived from names and shapes in the document, and from the behaviour file where one exists. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_document::view::{Document, Method};
use openapi_document::{Behaviour, Node};

use crate::names;
use crate::shape::Shape;
use crate::withheld::Withheld;

mod awaiting;
mod call;
mod creators;
pub(crate) mod echoed;
mod existing;
mod gathering;
mod items;
mod links;
mod listers;
mod lookup_cache;
mod partial;
mod paths;
mod resources;
mod role;
mod sent_keys;
mod success;

pub use call::{Call, Record, Role, Success};
pub use items::ItemList;
use lookup_cache::LookupCache;
pub use paths::{collection, leads_through, names_one, nearest, same_path, segment_before};
pub use sent_keys::SentKey;

/// Names of properties that many kinds of records have, so that none of them names the key of one kind.
const COMMON: [&str; 3] = ["name", "title", "label"];

/// The operations of a document, each with its role and the record that it answers.
#[derive(Debug)]
pub struct Model<'d> {
    /// The document.
    pub document: &'d Document,
    /// One call per operation, in document order.
    pub calls: Vec<Call<'d>>,
    /// Index into `calls` by operation label.
    at: HashMap<String, usize>,
    /// The states, transitions and facts that the behaviour file adds to the document.
    pub behaviour: Behaviour,
    /// States such as `pending` whose word suggests that they end by themselves, but which wait for a step.
    awaiting: BTreeSet<String>,
    /// Names of record kinds by the words of a key property that has no `id` suffix, such as `sku`.
    known: BTreeMap<Vec<String>, String>,
    /// Properties that only writing operations answer and no reading does, such as a secret; by the pointer of the
    /// record's schema.
    only_written: BTreeMap<String, BTreeSet<String>>,
    /// Cache: index of the operation that creates records of a name.
    creators: LookupCache<usize>,
    /// Cache: the body property that must equal a property of a record, with that property.
    pub(crate) equals: LookupCache<(&'d str, &'d str)>,
}

impl<'d> Model<'d> {
    /// Builds the model of all operations.
    pub fn new(document: &'d Document, behaviour: Behaviour) -> Self {
        Self::within(document, behaviour, &Withheld::default())
    }

    /// Like [`Self::new`], but leaves out the withheld operations.
    pub fn within(document: &'d Document, behaviour: Behaviour, withheld: &Withheld) -> Self {
        let mut model = Self {
            document,
            calls: Vec::new(),
            at: HashMap::new(),
            behaviour,
            awaiting: BTreeSet::new(),
            known: BTreeMap::new(),
            only_written: BTreeMap::new(),
            creators: LookupCache::default(),
            equals: LookupCache::default(),
        };
        let mut operations = document.operations();
        operations.retain(|operation| withheld.reason(&operation.label()).is_none());
        let keys = paths::keys(&operations);
        let calls = operations.into_iter().map(|operation| {
            let keys = keys.of(operation.path);
            success::call(document, operation, &keys)
        });
        model.calls = calls.collect();
        // If a label occurs twice, the first call wins.
        for (index, call) in model.calls.iter().enumerate().rev() {
            model.at.insert(call.operation.label(), index);
        }
        for (operation, link) in links::links(document, &model.calls) {
            let linked = model.at.get(&operation).copied();
            if let Some(call) = linked.and_then(|index| model.calls.get_mut(index)) {
                call.links.push(link);
            }
        }
        model.find_keys();
        let full_kinds = partial::full_kinds(document, &model.calls);
        for (call, full_kind) in model.calls.iter_mut().zip(full_kinds) {
            let record = call.success.as_mut().map(|success| &mut success.record);
            if let (Some(record), Some(full_kind)) = (record, full_kind) {
                let shape_of = |kind: &Record<'d>| Shape::of(document, Some(&kind.schema));
                let shown = record.as_ref().map(|item| shape_of(item).property_names());
                let read = shape_of(&full_kind).property_names();
                let once = shown
                    .into_iter()
                    .flatten()
                    .filter(|name| !read.contains(name));
                let known = model
                    .only_written
                    .entry(full_kind.schema.pointer.to_string());
                known.or_default().extend(once.map(str::to_owned));
                *record = Some(full_kind);
            }
        }
        let roles: Vec<Role> = model.calls.iter().map(|call| model.role(call)).collect();
        for (call, role) in model.calls.iter_mut().zip(roles) {
            call.role = role;
        }
        model.awaiting = awaiting::states(&model.calls);
        let accounts = partial::partial_items(document, &model.calls);
        for (call, of) in model.calls.iter_mut().zip(accounts) {
            if let Some(record) = call
                .success
                .as_mut()
                .and_then(|success| success.record.as_mut())
            {
                record.of = of;
            }
        }
        let created = model.of(Role::Create).filter_map(Call::record);
        let known = created.filter_map(|record| {
            let key = record.key.filter(|key| names::subject(key).is_none())?;
            let is_distinctive = !COMMON.contains(&key);
            is_distinctive.then(|| (names::words(key), record.name.clone()))
        });
        model.known = known.collect();
        // Earlier lookups ran on an incomplete model, so their results are discarded.
        model.creators = LookupCache::default();
        model
    }

    /// Gives a kind of record without a key property the one that its reader's path parameter names.
    fn find_keys(&mut self) {
        let read_by = |record: &Record<'d>| {
            let properties = Shape::of(self.document, Some(&record.schema)).property_names();
            let readers = self.calls.iter().filter(|call| {
                let is_read =
                    call.operation.method == Method::Get && !call.path_parameters().is_empty();
                let of_kind = call.record().is_some_and(|kind| kind.is(record));
                let is_list = call
                    .success
                    .as_ref()
                    .is_some_and(|success| success.items.is_some());
                is_read && of_kind && !is_list
            });
            let mut names = readers.filter_map(|call| call.path_parameters().last().copied());
            names.find_map(|name| {
                properties
                    .iter()
                    .copied()
                    .find(|property| names::same(property, name))
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
            if let Some(record) = call
                .success
                .as_mut()
                .and_then(|success| success.record.as_mut())
            {
                record.key = key;
            }
        }
    }

    /// Whether a record is in a state that may end by itself, such as `processing`.
    pub fn is_moving(&self, record: &Node) -> bool {
        record.entries().any(|entry| {
            let state = entry
                .value
                .as_str()
                .filter(|_| names::names_state(&entry.key));
            state.is_some_and(|word| {
                let state = word.to_lowercase();
                let words = names::words(&state);
                // `in_progress`: the state word is `progress`.
                let word = match &words[..] {
                    [first, word] if first == "in" => word.as_str(),
                    _ => state.as_str(),
                };
                names::is_moving_word(&state) && !self.awaiting.contains(word)
            })
        })
    }

    /// Properties that only the answers of writing operations show, such as a secret.
    pub fn only_written(&self, record: &Record<'_>) -> impl Iterator<Item = &String> {
        let known = self.only_written.get(&record.schema.pointer.to_string());
        known.into_iter().flatten()
    }

    /// The calls with a role.
    pub fn of(&self, role: Role) -> impl Iterator<Item = &Call<'d>> {
        self.calls.iter().filter(move |call| call.role == role)
    }

    /// The call of an operation, by its label.
    pub fn call(&self, operation: &str) -> Option<&Call<'d>> {
        self.calls.get(*self.at.get(operation)?)
    }

    /// The operations that read one record of a kind.
    pub fn readers(&self, record: &Record<'_>) -> Vec<&Call<'d>> {
        let reads = |call: &&Call<'d>| call.record().is_some_and(|kind| record.describes(kind));
        self.of(Role::Read).filter(reads).collect()
    }

    /// The operations that list records of a kind.
    pub fn lists(&self, record: &Record<'_>) -> Vec<&Call<'d>> {
        let lists = |call: &&Call<'d>| call.record().is_some_and(|kind| kind.describes(record));
        self.of(Role::List).filter(lists).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const SHOP: &str = r#"
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
    fn roles_follow_from_names_and_shapes() {
        let document = openapi_document::loader::load_text("shop.yaml", SHOP).unwrap();
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
        // A trailing slash does not make a different path.
        assert_eq!(creator("blockCard", "cardId").as_deref(), Some("issueCard"));
        assert_eq!(creator("health", "customerId"), None);
        let list = model.call("listCustomers").unwrap();
        let kind = list.record().unwrap();
        assert_eq!(kind.name, "customer");
        assert_eq!(model.readers(kind).len(), 1);
    }

    /// Some frameworks end the path of a collection with a slash.
    #[test]
    fn a_trailing_slash_does_not_make_a_different_path() {
        let text = SHOP.replace("  /customers:\n", "  /customers/:\n");
        let document = openapi_document::loader::load_text("shop.yaml", &text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        assert_eq!(
            model.call("addCustomer").map(|call| call.role),
            Some(Role::Create)
        );
        let close = model.call("closeCustomer").unwrap();
        let creator = model.creator_for(&close.operation, "customerId").unwrap();
        assert_eq!(creator.operation.label(), "addCustomer");
    }
}
