//! Binding: replaces keys in a request by values from the answers of earlier steps.

use std::collections::BTreeSet;

use openapi_document::schema::Violation;
use openapi_document::{Node, Pointer};

use super::growth::{Grower, Growth, PART};
use super::plan::Plan;
use super::shown;
use crate::case::Request;
use crate::expression::{Expression, Template};
use crate::model::{Call, ItemList, Role, same_path, segment_before};
use crate::names;
use crate::shape::Shape;
use crate::value;

/// References are searched to this depth of a body.
const DEEPEST: usize = 5;

/// At most this many keys of a list are replaced by those of created records.
const NAMED: usize = 3;

impl<'d> Grower<'_, 'd> {
    /// The entity tag of the created record: from the answer of its creation, else from a reading.
    pub(super) fn version(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let name = call.path_parameters().last().copied()?;
        self.created(growth, call, name, plan, depth)?;
        let creator = self.model.creator_for(&call.operation, name)?;
        let of_creator = growth.created.get(&creator.operation.label()).cloned();
        let reads = |other: &Call<'d>| same_path(other.operation.path, call.operation.path);
        let step = if let Some(step) = of_creator.filter(|_| has_tag(creator)) {
            step
        } else {
            let mut readers = self.model.of(Role::Read);
            let reader = readers.find(|call| reads(call) && has_tag(call))?;
            self.grow(growth, reader, &plan.beside(), depth + 1)?
        };
        growth.output(&step, "etag", Expression::ResponseHeader("etag".to_owned()))
    }

    /// The value of a path parameter, from a step that creates the record.
    pub(super) fn created(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let link = call.link(parameter);
        let linked = link.and_then(|link| self.model.call(&link.from));
        let linked = linked.filter(|from| from.role == Role::Create);
        let creator = linked.or_else(|| self.model.creator_for(&call.operation, parameter));
        let Some(creator) = creator else {
            let issued = self.issued(growth, call, parameter, plan, depth);
            return issued.or_else(|| {
                let named = self.model.namer_for(&call.operation, parameter)?;
                self.known_as(growth, call, named, plan, depth)
            });
        };
        let label = creator.operation.label();
        if label == call.operation.label() || plan.based_on.as_ref() == Some(&label) {
            return None;
        }
        let segment = segment_before(call.operation.path, parameter).unwrap_or_default();
        let property = link.map_or(parameter, |link| &link.property);
        let key = (property, &*names::singular(segment));
        let created = self.output(growth, creator, key, plan, depth);
        created.or_else(|| {
            let key = self.model.sent_key(creator, parameter)?;
            self.known_as(growth, call, (creator, key), plan, depth)
        })
    }

    /// The key of a record that no operation creates directly, from the answer of the operation that has it.
    fn issued(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let (issuer, at) = self.model.issuer_for(&call.operation, parameter)?;
        let label = issuer.operation.label();
        if label == call.operation.label() || plan.based_on.as_ref() == Some(&label) {
            return None;
        }
        // If the example shows null, such as for the dispute of a payment, the key comes from elsewhere.
        let shown = shown::example(self.model, issuer).and_then(|node| node.at(&at));
        if shown.is_some_and(Node::is_null) {
            return None;
        }
        let record = issuer.record()?.at.clone();
        let pointer = at.segments().fold(record, |at, segment| at.join(segment));
        let property = at.segments().collect::<Vec<_>>().join(".");
        let step = match growth.created.get(&label) {
            Some(step) => step.clone(),
            None => self.grow(growth, issuer, plan, depth + 1)?,
        };
        growth.created.insert(label, step.clone());
        growth.output(&step, &property, Expression::ResponseBody(pointer))
    }

    /// The key of a record; adds the step that creates the record unless it exists.
    pub(super) fn output(
        &self,
        growth: &mut Growth<'d>,
        creator: &Call<'d>,
        (key, segment): (&str, &str),
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        self.output_of(growth, creator, (key, segment, ""), plan, depth)
    }

    /// Like [`Self::output`]. `part` distinguishes several records of one kind.
    fn output_of(
        &self,
        growth: &mut Growth<'d>,
        creator: &Call<'d>,
        (key, segment, part): (&str, &str, &str),
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let record = creator.record()?;
        let shape = Shape::of(self.model.document, Some(&record.schema));
        let listed = shape.property_names();
        let property = names::property_of(key, &record.name, &listed)
            .or_else(|| names::key_property(key, &record.name, &listed))
            .or_else(|| names::key_property(key, segment, &listed))
            .or_else(|| record.key.filter(|item| is_called_otherwise(item)))
            // `fromGiftCardId` is the `giftCardId` of a gift card.
            .or_else(|| {
                let words = names::words(key);
                record
                    .key
                    .filter(|name| words.ends_with(&names::words(name)))
            })
            // `pairingCode` is the `code` of a pairing code.
            .or_else(|| {
                let is_called = names::same(key, segment);
                names::last_of(key, &listed).filter(|_| is_called)
            })?;
        let mut label = creator.operation.label();
        if !part.is_empty() {
            label.push(PART);
            label.push_str(part);
        }
        let step = if let Some(step) = growth.created.get(&label) {
            step.clone()
        } else {
            let step = self.grow(growth, creator, plan, depth + 1)?;
            growth.created.insert(label, step.clone());
            let created = growth.steps.iter_mut().find(|item| item.id == step);
            if let (Some(created), false) = (created, part.is_empty()) {
                created.flow.key_names = true;
            }
            step
        };
        let pointer = creator.first_record()?.join(property);
        // The output has the name of the record's property, not that of its user, so that recipes can share steps.
        growth.output(&step, property, Expression::ResponseBody(pointer))
    }

    /// Replaces the keys in the example of a body by those of created records.
    pub(super) fn bind_body(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
        plan: &Plan<'d>,
        depth: usize,
    ) {
        let shape = Shape::of(self.model.document, call.body.as_ref());
        let Some(body) = &request.body else {
            return;
        };
        let mut references = Vec::new();
        let shown = body.value.plain();
        self.references(&shape, shown, &Pointer::root(), &mut references);
        let parts = self.model.item_lists(call);
        self.parts_named(&shape, shown, (&Pointer::root(), &parts), &mut references);
        let label = call.operation.label();
        for name in shape.property_names() {
            let property = shape.property(self.model.document, name);
            let kind = self.model.named_by(&property, name);
            if let Some(kind) = kind.filter(|_| plan.names(&label, name)) {
                let pointer = Pointer::root().join(name);
                references.retain(|reference| reference.pointer != pointer);
                references.push(Reference {
                    pointer,
                    name,
                    kind,
                    is_formed: is_formed(&property),
                });
            }
        }
        self.known_here(call, &shape, shown, &mut references);
        references.retain(|item| self.may_name(call, shown, item));
        let mut bound = BTreeSet::new();
        // Each reference gets another item of the record.
        let mut items = Vec::new();
        for Reference {
            pointer,
            name,
            kind,
            ..
        } in references
        {
            let Some(creator) = self.model.creator_of(&kind) else {
                let part = parts.iter().find(|item| item.is_called(&kind));
                let index = items.len();
                let created =
                    part.and_then(|item| self.item(growth, call, (item, index), plan, depth));
                if let Some(created) = created {
                    items.push((pointer, Template::Whole(created)));
                }
                continue;
            };
            // A key of the record that the call itself creates is not a reference.
            let label = creator.operation.label();
            if label == call.operation.label() || plan.based_on.as_ref() == Some(&label) {
                continue;
            }
            // Two references of one kind get two records.
            let part = if bound.insert(creator.operation.label()) {
                String::new()
            } else {
                pointer.segments().collect::<Vec<_>>().join(".")
            };
            let kind = names::without_part(&kind);
            // `customer` is the key of a customer, though its name does not say so.
            let key = names::subject(name).map_or("id", |_| name);
            if let Some(created) = self.output_of(growth, creator, (key, kind, &part), plan, depth)
            {
                request
                    .replacements
                    .push((pointer, Template::Whole(created)));
            }
        }
        request.replacements.extend(items);
    }

    /// Puts the key of a created record into the list of keys of a body that selects records: `ids`.
    pub(super) fn bind_keys(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
        plan: &Plan<'d>,
        depth: usize,
    ) {
        let sent = request.body.as_ref().and_then(|body| body.value.plain());
        let list = sent.and_then(|body| {
            let mut entries = body.entries();
            entries.find(|entry| is_list_of_keys(&entry.key, &entry.value))
        });
        let Some(name) = list.map(|entry| entry.key.clone()) else {
            return;
        };
        let is_here = |other: &&Call<'d>| same_path(other.operation.path, call.operation.path);
        let mut creators = self.model.of(Role::Create).filter(is_here);
        let label = call.operation.label();
        let Some(creator) = creators.find(|other| other.operation.label() != label) else {
            return;
        };
        let Some(kind) = creator.record().map(|record| record.name.clone()) else {
            return;
        };
        if let Some(output) = self.output(growth, creator, ("id", &kind), plan, depth) {
            let keys = Template::Sequence(vec![Template::Whole(output)]);
            request
                .replacements
                .push((Pointer::root().join(name), keys));
        }
    }

    /// Adds the properties of the example that are, for this call, the key of a kind of record.
    fn known_here(
        &self,
        call: &Call<'d>,
        shape: &Shape<'d>,
        shown: Option<&Node>,
        found: &mut Vec<Reference<'d>>,
    ) {
        for name in shape.property_names() {
            let value = shown.and_then(|node| node.get(name));
            let kind = self
                .model
                .known_here(call, name)
                .filter(|_| value.is_some());
            if let Some(kind) = kind {
                found.push(Reference {
                    pointer: Pointer::root().join(name),
                    name,
                    kind,
                    is_formed: is_formed(&shape.property(self.model.document, name)),
                });
            }
        }
    }

    /// Whether the key of the kind's example is valid at the reference. A card token, for example, has another
    /// pattern than the `id` of a card.
    fn may_name(&self, call: &Call<'d>, body: Option<&Node>, reference: &Reference<'d>) -> bool {
        let shown = || {
            let creator = self.model.creator_of(&reference.kind)?;
            let key = creator.record()?.key?;
            let record = shown::example(self.model, creator)?;
            let mut body = body?.clone();
            value::put(&mut body, &reference.pointer, record.get(key)?.clone()).ok()?;
            let schema = call.body.as_ref()?;
            self.contract.validate_request(schema, &body).ok()
        };
        let breaks_it = |found: Vec<Violation>| {
            found
                .iter()
                .any(|found| found.instance == reference.pointer)
        };
        !(reference.is_formed && shown().is_some_and(breaks_it))
    }

    /// Adds the properties that are named like an item of the record although they are not marked as keys.
    fn parts_named(
        &self,
        shape: &Shape<'d>,
        shown: Option<&Node>,
        (at, parts): (&Pointer, &[ItemList<'d>]),
        found: &mut Vec<Reference<'d>>,
    ) {
        let document = self.model.document;
        let Some(shown) = shown.filter(|_| !parts.is_empty()) else {
            return;
        };
        for name in shape.property_names() {
            let property = shape.property(document, name);
            let is_text = shown.get(name).is_some_and(|node| node.as_str().is_some());
            let is_free = is_text && property.known_values().is_empty();
            let kind = names::singular(name);
            let is_part = parts.iter().any(|item| item.is_called(&kind));
            if is_free && is_part && self.model.creator_of(&kind).is_none() {
                found.push(Reference {
                    pointer: at.join(name),
                    name,
                    kind,
                    is_formed: false,
                });
            }
        }
    }

    /// The key of the item with this index in the record that the call is about, from the answer that created it.
    fn item(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        (part, index): (&ItemList<'d>, usize),
        plan: &Plan<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let created = self.created(growth, call, part.parameter, plan, depth)?;
        let Expression::StepOutput { step, .. } = created else {
            return None;
        };
        let pointer = part.at.join(index.to_string()).join(part.key);
        let name = format!("{}-{index}", part.kind);
        growth.output(&step, &name, Expression::ResponseBody(pointer))
    }

    /// Adds the keys of other records in a body, including its parts and items.
    fn references(
        &self,
        shape: &Shape<'d>,
        shown: Option<&Node>,
        at: &Pointer,
        found: &mut Vec<Reference<'d>>,
    ) {
        let document = self.model.document;
        // Without alternatives: an example has only what one of them requires.
        let certain = shown.map_or_else(|| shape.clone(), |_| shape.certain());
        for name in shape.property_names() {
            let value = shown.and_then(|shown| shown.get(name));
            let pointer = at.join(name);
            let property = shape.property(document, name);
            let parts = value.and_then(Node::as_sequence).unwrap_or_default();
            let is_part = |node: &&Node| node.as_mapping().is_some();
            let kind = self.model.named_by(&property, name).or_else(|| {
                let is_key = self.model.names_as_shown(name, value);
                is_key.then(|| names::singular(name))
            });
            if let Some(kind) = kind {
                let pointers = match (value, parts) {
                    (Some(_), [first, ..]) if !is_part(&first) => {
                        let places = 0..parts.len().min(NAMED);
                        places
                            .map(|index| pointer.join(index.to_string()))
                            .collect()
                    }
                    (Some(part), _) if is_part(&part) => Vec::new(),
                    (Some(_), []) => vec![pointer.clone()],
                    (None, _) if at.is_root() && certain.requires(name) => {
                        vec![pointer.clone()]
                    }
                    _ => Vec::new(),
                };
                let is_formed = is_formed(&property);
                let kinds = pointers.into_iter().map(|pointer| Reference {
                    pointer,
                    name,
                    kind: kind.clone(),
                    is_formed,
                });
                found.extend(kinds);
            }
            if pointer.depth() >= DEEPEST {
                continue;
            }
            if let Some(part) = value.filter(is_part) {
                self.references(&property, Some(part), &pointer, found);
            }
            let items = property.items(document);
            for (index, item) in parts.iter().enumerate().filter(|pair| is_part(&pair.1)) {
                self.references(&items, Some(item), &pointer.join(index.to_string()), found);
            }
        }
    }
}

/// A key of another record in a body.
struct Reference<'d> {
    pointer: Pointer,
    name: &'d str,
    /// The kind of record that it names.
    kind: String,
    /// Whether its schema has a pattern.
    is_formed: bool,
}

/// Whether a property lists keys of records without naming their kind: `ids`, `keys`.
fn is_list_of_keys(name: &str, value: &Node) -> bool {
    let is_plain = |item: &Node| item.as_str().is_some() || item.as_number().is_some();
    let items = value.as_sequence().unwrap_or_default();
    matches!(name, "ids" | "keys") && !items.is_empty() && items.iter().all(is_plain)
}

/// Whether a schema has a pattern.
fn is_formed(property: &Shape<'_>) -> bool {
    property.keyword("pattern").is_some()
}

/// Whether a key does not end with `id`: `code`, which is `voucherCode` elsewhere.
fn is_called_otherwise(key: &str) -> bool {
    names::words(key).last().is_none_or(|word| word != "id")
}

/// Whether the success of an operation documents an entity tag.
fn has_tag(call: &Call<'_>) -> bool {
    let success = call
        .success
        .as_ref()
        .map(|success| success.response.headers());
    let mut names = success.into_iter().flatten().map(|(name, _)| name);
    names.any(|name| name.eq_ignore_ascii_case("etag"))
}
