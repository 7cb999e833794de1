//! Creators: finds the operation that creates the record which a path parameter or a property names.

use std::collections::BTreeSet;

use openapi_document::view::{Method, Operation};
use openapi_document::{Node, Pointer};

use super::paths::{path_before, path_with, same_path, segment_before};
use super::{Call, Model, Role};
use crate::names;
use crate::shape::Shape;

/// How many levels of parent records are searched.
const ABOVE: usize = 3;

impl<'d> Model<'d> {
    /// The operation that creates the record named by a path parameter. It posts to the path before the parameter,
    /// creates records of the parameter's name, or creates what is read by such a property:
    /// `/orders/by-reference/{reference}`.
    pub fn creator_for(&self, operation: &Operation<'_>, parameter: &str) -> Option<&Call<'d>> {
        let before = path_before(operation.path, parameter)?;
        let on_path = |call: &&Call<'d>| same_path(call.operation.path, before);
        self.of(Role::Create)
            .filter(|call| call.operation.method == Method::Post)
            .filter(on_path)
            .find(|call| !answers_many(call))
            .or_else(|| self.putter_for(operation, parameter))
            .or_else(|| self.of(Role::Create).find(on_path))
            .or_else(|| self.creator_spoken_of(operation, &names::subject(parameter)?))
            .or_else(|| self.creator_of(&names::subject(parameter)?))
            .or_else(|| self.creator_of_read(operation, parameter))
            .or_else(|| self.creator_of_people(parameter))
    }

    /// The operation that creates people, if a parameter is named after an office such as `{owner}`.
    fn creator_of_people(&self, parameter: &str) -> Option<&Call<'d>> {
        let office = names::words(parameter).join(" ");
        let is_office = names::is_office(&office);
        is_office.then(|| self.creator_of(&office)).flatten()
    }

    /// Of several operations that create records of one kind, the only one that the text of another operation
    /// mentions:
    /// `reverseRedemption` refers to the transactions of `/redemptions`.
    fn creator_spoken_of(&self, operation: &Operation<'_>, subject: &str) -> Option<&Call<'d>> {
        let label = operation.label();
        let creates = |call: &&Call<'d>| {
            let is_of_kind = call.record().is_some_and(|record| record.name == subject);
            let is_other = call.about != subject && call.operation.label() != label;
            is_of_kind && is_other && call.operation.method == Method::Post
        };
        let texts = ["operationId", "summary"].into_iter();
        let texts = texts.filter_map(|key| operation.at.node.get(key)?.as_str());
        let said: Vec<Vec<String>> = texts.map(names::words).collect();
        let is_spoken_of = |call: &&Call<'d>| {
            let about = names::words(&call.about);
            let mut said = said.iter();
            !about.is_empty()
                && said.any(|item| item.windows(about.len()).any(|part| part == about))
        };
        let all: Vec<&Call<'d>> = self.of(Role::Create).filter(creates).collect();
        let mut spoken_of = all.iter().copied().filter(is_spoken_of);
        let only = spoken_of.next().filter(|_| spoken_of.next().is_none());
        only.filter(|_| all.len() > 1)
    }

    /// For a record that no operation creates directly: the operation whose answer has its key, with the pointer to
    /// it.
    /// Either a property names it, such as `latest_invoice_id` of a subscription, and the request does not send it;
    /// or the record has a list of such items, such as the `milestones` of an agreement, of which the first is used.
    pub fn issuer_for(
        &self,
        operation: &Operation<'_>,
        parameter: &str,
    ) -> Option<(&Call<'d>, Pointer)> {
        if self.creator_for(operation, parameter).is_some() {
            return None;
        }
        let named = names::subject(parameter).filter(|item| !item.is_empty());
        let of_path = || Some(names::singular(segment_before(operation.path, parameter)?));
        let kind = named.or_else(of_path)?;
        let issuer = self.issuer_of(&kind);
        issuer.or_else(|| self.holder_of(&kind))
    }

    /// The operation that creates a record with a list of records of a kind, each with its key.
    fn holder_of(&self, kind: &str) -> Option<(&Call<'d>, Pointer)> {
        let posts = |call: &&Call<'d>| call.operation.method == Method::Post;
        let mut creators = self.of(Role::Create).filter(posts);
        creators.find_map(|call| {
            let record = Shape::of(self.document, Some(&call.record()?.schema));
            let mut lists = record.property_names().into_iter();
            let list = lists.find(|name| {
                let item = record.property(self.document, name).items(self.document);
                names::singular(name) == kind && item.property_names().contains(&"id")
            })?;
            Some((call, Pointer::root().join(list).join("0").join("id")))
        })
    }

    fn issuer_of(&self, kind: &str) -> Option<(&Call<'d>, Pointer)> {
        let is_of_kind = |name: &&str| {
            let subject = names::subject(name).unwrap_or_default();
            let before = subject.strip_suffix(kind);
            before.is_some_and(|word| word.is_empty() || word.ends_with(' '))
        };
        let mut issuers = self.of(Role::Create).filter_map(|call| {
            let record = Shape::of(self.document, Some(&call.record()?.schema));
            let body = Shape::of(self.document, call.body.as_ref());
            let requested = body.property_names();
            let is_stated = |name: &&str| {
                let is_text = record.property(self.document, name).type_name() == Some("string");
                is_text && is_of_kind(name) && !requested.contains(name)
            };
            let mut names = record.property_names().into_iter().filter(is_stated);
            let names = names.next().filter(|_| names.next().is_none())?;
            let names = Pointer::root().join(names);
            // An operation below such a record answers the key of its parent.
            (!self.is_under(call, kind, ABOVE)).then_some(())?;
            (call.operation.method == Method::Post).then_some((call, names))
        });
        issuers.next()
    }

    /// Whether an operation is on a path below a record of a kind, or names a record created below one within `far`
    /// levels.
    fn is_under(&self, call: &Call<'d>, kind: &str, far: usize) -> bool {
        let parameters = call.path_parameters();
        let mut named = parameters.iter();
        if named.any(|name| names::subject(name).as_deref() == Some(kind)) {
            return true;
        }
        let Some(far) = far.checked_sub(1) else {
            return false;
        };
        let body = Shape::of(self.document, call.body.as_ref());
        let keys = body.property_names().into_iter();
        let of_body = keys.filter_map(|name| {
            let property = body.property(self.document, name);
            self.creator_of(&self.named_by(&property, name)?)
        });
        let of_path = parameters.iter();
        let of_path = of_path.filter_map(|name| self.creator_for(&call.operation, name));
        let mut creators = of_path.chain(of_body);
        creators.any(|other| {
            other.operation.label() != call.operation.label() && self.is_under(other, kind, far)
        })
    }

    /// The operation that puts a record at the path that ends with a parameter.
    fn putter_for(&self, operation: &Operation<'_>, parameter: &str) -> Option<&Call<'d>> {
        let up_to = path_with(operation.path, parameter)?;
        let puts =
            |call: &&Call<'d>| call.chosen.is_some() && same_path(call.operation.path, up_to);
        self.of(Role::Create).find(puts)
    }

    /// The operation that creates the record which an operation reads, if its only path parameter is a property of
    /// it.
    fn creator_of_read(&self, operation: &Operation<'_>, parameter: &str) -> Option<&Call<'d>> {
        let reader = self.call(&operation.label())?;
        let record = reader.record().filter(|_| reader.role == Role::Read)?;
        let shape = Shape::of(self.document, Some(&record.schema));
        let mut properties = shape.property_names().into_iter();
        let is_only = reader.path_parameters().len() == 1;
        let is_read_by = is_only && properties.any(|name| names::same(name, parameter));
        let creates = |call: &&Call<'d>| {
            call.operation.method == Method::Post
                && call.record().is_some_and(|kind| kind.is(record))
        };
        self.of(Role::Create).find(creates).filter(|_| is_read_by)
    }

    /// The operation that creates records of a name; a role before the name is ignored, as in `from account`. For an
    /// office such as `owner` without such an operation, the one that creates people.
    pub fn creator_of(&self, subject: &str) -> Option<&Call<'d>> {
        let subject = names::without_part(subject);
        if subject.is_empty() {
            return None;
        }
        let index = self.creators.get(subject, || {
            let found = self.find_creator(subject)?;
            self.calls.iter().position(|item| std::ptr::eq(item, found))
        });
        self.calls.get(index?)
    }

    fn find_creator(&self, subject: &str) -> Option<&Call<'d>> {
        let creator = |subject: &str| {
            let creates = |call: &&Call<'d>| {
                let record = call.record().is_some_and(|record| record.name == subject);
                // An operation on one such record does not create another.
                let mut named = call.path_parameters().into_iter();
                let is_of_one = named.any(|name| names::subject(name).as_deref() == Some(subject));
                (record || call.about == subject) && (call.chosen.is_some() || !is_of_one)
            };
            let one = |call: &&Call<'d>| creates(call) && !answers_many(call);
            let one = self.of(Role::Create).find(one);
            one.or_else(|| self.of(Role::Create).find(creates))
        };
        let of_people = || {
            let mut people = names::PEOPLE.iter().filter(|_| names::is_office(subject));
            people.find_map(|item| creator(item))
        };
        creator(subject)
            .or_else(|| self.only_creator_like(subject))
            .or_else(of_people)
    }

    /// The operation that creates records whose name ends with the subject, such as `stored card` for `card`. `None`
    /// if several do.
    fn only_creator_like(&self, subject: &str) -> Option<&Call<'d>> {
        let is_like = |call: &&Call<'d>| {
            let ends = |name: &str| {
                name.strip_suffix(subject)
                    .is_some_and(|word| word.ends_with(' '))
            };
            call.operation.method == Method::Post
                && call.record().is_some_and(|record| ends(&record.name))
                && ends(&call.about)
        };
        let mut found = self.of(Role::Create).filter(is_like);
        found.next().filter(|_| found.next().is_none())
    }

    /// The kind of record that a body property names by key: `customer_id`, or `customer` if its schema or text shows
    /// that it is a key.
    pub fn named_by(&self, property: &Shape<'d>, name: &str) -> Option<String> {
        if let Some(subject) = names::subject(name) {
            let is_role = !subject.is_empty() && self.creator_of(&subject).is_none();
            let other = || {
                self.kind_called(name)
                    .or_else(|| self.kind_by_form(property))
            };
            return is_role.then(other).flatten().or(Some(subject));
        }
        if let Some(kind) = self
            .known_by(name)
            .or_else(|| self.kind_by_choice(property))
        {
            return Some(kind);
        }
        let kind = names::singular(name);
        let Some(creator) = self.creator_of(&kind) else {
            return self.kind_by_form(property);
        };
        let record = Shape::of(self.document, Some(&creator.record()?.schema));
        let key = names::key_property("id", &kind, &record.property_names())?;
        let key = record.property(self.document, key);
        let same = |keyword| {
            let value = property.keyword(keyword);
            value.is_some_and(|node| key.keyword(keyword).is_some_and(|key| key.same_value(node)))
        };
        let text = property.keyword("description").and_then(Node::as_str);
        let words = names::words(text.unwrap_or_default());
        let says = words
            .iter()
            .any(|word| word == "id" || word == "identifier")
            || is_about_record(&words, &kind);
        let begins_alike = || {
            let (example, key) = (shown(property), shown(&key));
            example.is_some_and(|item| key.is_some_and(|key| have_prefix_alike(item, key)))
        };
        let is_text = property.type_name() == Some("string") && property.known_values().is_empty();
        let is_key = says || same("pattern") || property.format() == Some("uuid") || begins_alike();
        (is_text && is_key).then_some(kind)
    }

    /// The kind of record for a property whose value is a key or such a record, and never `null`.
    fn kind_by_choice(&self, property: &Shape<'d>) -> Option<String> {
        let is_there = property.keyword("nullable").and_then(Node::as_bool) == Some(false);
        let (_, all) = property.offers().filter(|_| is_there)?;
        let is_key = |shape: &Shape<'d>| matches!(shape.type_name(), Some("string" | "integer"));
        let shapes: Vec<Shape<'d>> = all
            .iter()
            .map(|schema| Shape::of(self.document, Some(schema)))
            .collect();
        shapes.iter().any(is_key).then_some(())?;
        let targets: Vec<_> = shapes.iter().filter_map(Shape::target).collect();
        let mut records = self.of(Role::Create).filter_map(Call::record);
        let record = records.find(|record| {
            let shape = Shape::of(self.document, Some(&record.schema));
            let target = shape.target().map(|target| target.pointer.clone());
            target.is_some_and(|target| targets.iter().any(|other| other.pointer == target))
        })?;
        Some(record.name.clone())
    }

    /// The only kind of record whose keys have the same pattern as a property, if the pattern begins with a word:
    /// `^pty_[0-9]+$` of a `buyer_id` is the pattern of party keys.
    fn kind_by_form(&self, property: &Shape<'d>) -> Option<String> {
        let pattern = property.keyword("pattern").filter(|word| {
            let text = word.as_str().unwrap_or_default().trim_start_matches('^');
            let word = text.split(['_', '-']).next().unwrap_or_default();
            let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
            is_word && word.len() < text.len()
        })?;
        let mut kinds = BTreeSet::new();
        for record in self.of(Role::Create).filter_map(Call::record) {
            let shape = Shape::of(self.document, Some(&record.schema));
            let key = record.key.map(|item| shape.property(self.document, item));
            let item = key.and_then(|shape| shape.keyword("pattern"));
            if item.is_some_and(|node| node.same_value(pattern)) {
                kinds.insert(record.name.clone());
            }
        }
        let only = kinds.pop_first()?;
        kinds.is_empty().then_some(only)
    }

    /// The kind of record whose name is the whole name of the key and ends with one of its properties: `pairingCode`
    /// is the `code` of a pairing code.
    fn kind_called(&self, name: &str) -> Option<String> {
        let kind = names::words(name).join(" ");
        let record = self.creator_of(&kind)?.record()?;
        let shape = Shape::of(self.document, Some(&record.schema));
        names::last_of(name, &shape.property_names()).map(|_| kind)
    }

    /// Whether a property named like a kind of record has an example with the prefix of a documented key of that
    /// kind:
    /// `reader: rdr_7k2`.
    pub fn names_as_shown(&self, name: &str, shown: Option<&Node>) -> bool {
        let kind = names::singular(name);
        let key = || {
            let creator = self.creator_of(&kind)?;
            let record = creator.record()?;
            let media = creator.success.as_ref()?.media.as_ref()?;
            let example = media.examples().first()?.value.node;
            example.at(&record.at)?.get(record.key?)?.as_str()
        };
        let example = shown.and_then(Node::as_str);
        example.is_some_and(|item| key().is_some_and(|key| have_prefix_alike(item, key)))
    }

    /// Whether the path names a record that no operation creates, and the call documents a 404.
    pub fn is_never_created(&self, call: &Call<'_>) -> bool {
        let mut named = call.path_parameters().into_iter();
        let is_created = |name: &str| self.creator_for(&call.operation, name).is_some();
        call.response(404).is_some() && named.any(|item| !is_created(item))
    }

    /// Whether other operations create the items of a list by their texts: "every capture makes one balance entry".
    pub fn is_left_by_others(&self, list: &Call<'d>) -> bool {
        let Some(record) = list.record().filter(|_| list.role == Role::List) else {
            return false;
        };
        let kind = names::words(&record.name);
        let mut calls = self.calls.iter();
        let does = |call: &Call<'d>| matches!(call.role, Role::Create | Role::Change);
        calls.any(|call| does(call) && call.speaks_of_kind(&kind))
    }

    /// The only kind of record with a key of a common name such as `code`, if the path of a call is about that kind:
    /// the promotion whose `code` is sent to `/bookings/{id}/promotion`.
    pub fn known_here(&self, call: &Call<'d>, name: &str) -> Option<String> {
        const WORDS: [&str; 4] = ["code", "number", "token", "reference"];
        let words = names::words(name);
        let [word] = &words[..] else { return None };
        WORDS.contains(&word.as_str()).then_some(())?;
        let created = self.of(Role::Create).filter_map(Call::record);
        let of_key = created.filter(|record| record.key.is_some_and(|key| names::same(key, name)));
        let kinds: BTreeSet<&str> = of_key.map(|record| record.name.as_str()).collect();
        let [kind] = Vec::from_iter(kinds)[..] else {
            return None;
        };
        let about = names::words(&call.about);
        let is_about = about.ends_with(&names::words(kind));
        let is_same = call.record().is_some_and(|record| record.name == kind);
        (is_about && !is_same).then(|| kind.to_owned())
    }

    /// The kind of record whose key property has this name, for distinctive names such as `sku`.
    pub fn known_by(&self, name: &str) -> Option<String> {
        if self.known.is_empty() {
            return None;
        }
        self.known.get(&names::words(name)).cloned()
    }
}

/// Whether a creating operation answers a list of created records.
fn answers_many(call: &Call<'_>) -> bool {
    let success = call.success.as_ref();
    success.is_some_and(|success| success.items.is_some())
}

/// Whether a description mentions a record itself, such as `The book to lend`, and not a part of it such as its
/// name.
fn is_about_record(words: &[String], kind: &str) -> bool {
    const PARTS: [&str; 8] = [
        "name", "title", "label", "type", "kind", "code", "text", "free",
    ];
    let has = |word: &str| words.iter().any(|text| text == word);
    let last = kind.rsplit(' ').next().unwrap_or_default();
    // A name of several words, such as `payment_intent`, hardly occurs by chance.
    has(last) && !PARTS.into_iter().any(has)
}

/// The first example of a property.
fn shown<'d>(property: &Shape<'d>) -> Option<&'d str> {
    let plain = property.keyword("example").and_then(Node::as_str);
    let first = || {
        property
            .keyword("examples")?
            .as_sequence()?
            .first()?
            .as_str()
    };
    plain.or_else(first)
}

/// Whether two keys begin with the same word, as keys of one kind may: `pi_3f` and `pi_81`.
fn have_prefix_alike(one: &str, other: &str) -> bool {
    let prefix = |key: &str| {
        let (prefix, rest) = key.split_once(['_', '-'])?;
        let is_word = !prefix.is_empty() && prefix.chars().all(char::is_alphabetic);
        (is_word && !rest.is_empty()).then(|| prefix.to_owned())
    };
    prefix(one).is_some_and(|item| prefix(other) == Some(item))
}

#[cfg(test)]
mod tests {
    use openapi_document::Behaviour;
    use openapi_document::view::Status;

    use super::*;
    use crate::model::tests::SHOP;

    #[test]
    fn an_office_names_a_person() {
        let text = SHOP.replace("/customers", "/users");
        let document = openapi_document::loader::load_text("shop.yaml", &text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        for (subject, expected) in [
            ("owner", Some("addCustomer")),
            ("document author", Some("addCustomer")),
            ("warehouse", None),
        ] {
            let creator = model.creator_of(subject).map(|call| call.operation.label());
            assert_eq!(creator.as_deref(), expected, "{subject}");
        }
    }

    #[test]
    fn properties_that_name_records() {
        let document = openapi_document::loader::load_text("shop.yaml", SHOP).unwrap();
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
    fn keys_name_a_kind_by_their_last_word() {
        for (replaced, expected) in [("/cards", Some("issueCard")), ("/notes", None)] {
            let text = SHOP.replace("/cards/", &replaced.replace('/', "/gift-"));
            let text = text.replace("    Card: {type", "    GiftCard: {type");
            let text = text.replace("schemas/Card", "schemas/GiftCard");
            let document = openapi_document::loader::load_text("shop.yaml", &text).unwrap();
            let model = Model::new(&document, Behaviour::default());
            let creator = model.only_creator_like("card");
            let creator = creator.map(|call| call.operation.label());
            assert_eq!(creator.as_deref(), expected, "{replaced}");
        }
    }

    #[test]
    fn keys_of_one_kind_begin_alike() {
        for (one, other, expected) in [
            ("pi_3f", "pi_81", true),
            ("pi_3f", "re_81", false),
            ("4111-1", "4111-2", false),
            ("red", "red", false),
        ] {
            assert_eq!(have_prefix_alike(one, other), expected, "{one} {other}");
        }
        let words = names::words("The intent to refund.");
        assert!(is_about_record(&words, "payment intent"));
        assert!(!is_about_record(&words, "payment link"));
    }

    #[test]
    fn records_whose_keys_other_operations_answer() {
        let text = r#"
openapi: 3.0.3
info: {title: Subscriptions, version: "1"}
paths:
  /subscriptions:
    post:
      operationId: subscribe
      requestBody: {content: {application/json: {schema: {type: object, properties: {coupon_id: {type: string}}}}}}
      responses: {"201": {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Subscription'}}}}}
  /subscriptions/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getSubscription, responses: {"200": {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Subscription'}}}}}}
  /invoices/{invoice_id}:
    parameters: [{name: invoice_id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getInvoice, responses: {"200": {description: one}, "404": {description: none}}}
  /receipts/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getReceipt, responses: {"200": {description: one}}}
  /coupons/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getCoupon, responses: {"200": {description: one}}}
components:
  schemas:
    Subscription:
      type: object
      properties:
        id: {type: string}
        coupon_id: {type: string}
        latest_invoice_id: {type: string}
        receipt_id: {type: string}
"#;
        let document = openapi_document::loader::load_text("subscriptions.yaml", text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        for (id, parameter, expected) in [
            ("getInvoice", "invoice_id", Some("latest_invoice_id")),
            ("getReceipt", "id", Some("receipt_id")),
            // The request names it.
            ("getCoupon", "id", None),
            // An operation creates it.
            ("getSubscription", "id", None),
        ] {
            let call = model.call(id).unwrap();
            let issuer = model.issuer_for(&call.operation, parameter);
            let issuer = issuer.map(|pair| pair.1.to_string());
            let expected = expected.map(|item| format!("/{item}"));
            assert_eq!(issuer, expected, "{id}");
        }
        let is_never_created = |id: &str| model.is_never_created(model.call(id).unwrap());
        assert!(is_never_created("getInvoice"));
        assert!(!is_never_created("getSubscription"));
        assert!(
            !is_never_created("getReceipt"),
            "no refusal of it is documented"
        );
    }

    #[test]
    fn put_creates_a_record_under_a_chosen_key() {
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
        let document = openapi_document::loader::load_text("shop.yaml", text).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let call = |id: &str| model.call(id).unwrap();
        let put = call("putProduct");
        assert_eq!((put.role, put.chosen), (Role::Create, Some("sku")));
        let created = put.success.as_ref().unwrap().response.status;
        assert_eq!(created, Status::Code(201));
        for id in ["putProduct", "getProduct", "listProducts", "getStock"] {
            let key = call(id).record().and_then(|record| record.key);
            assert_eq!(key, Some("sku"), "{id}");
        }
        let creator = model.creator_for(&call("getStock").operation, "sku");
        assert_eq!(creator.unwrap().operation.label(), "putProduct");
        let (_, schema) = document.components("schemas").remove(1);
        let line = Shape::of(&document, Some(&schema));
        let named = |name: &str| model.named_by(&line.property(&document, name), name);
        assert_eq!(named("sku").as_deref(), Some("product"));
        assert_eq!(named("name"), None);
    }
}
