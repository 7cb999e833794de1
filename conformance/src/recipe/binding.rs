//! What a request names is taken from what an earlier step was answered.

use std::collections::BTreeSet;

use openapi_document::schema::Violation;
use openapi_document::{Node, Pointer};

use super::growth::{Grower, Growth, PART};
use super::shown;
use super::way::Way;
use crate::case::Request;
use crate::expression::{Expression, Template};
use crate::model::{Call, ItemList, Role, same_path, segment_before};
use crate::names;
use crate::shape::Shape;
use crate::value;

/// References are looked for so deep in a body.
const DEEPEST: usize = 5;

/// So many keys of a list are those of records that are made.
const NAMED: usize = 3;

impl<'d> Grower<'_, 'd> {
    /// The entity tag of the record that is made: of the answer that made it, else of a reading.
    pub(super) fn version(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let name = call.path_parameters().last().copied()?;
        self.made(growth, call, name, way, depth)?;
        let maker = self.model.creator_for(&call.operation, name)?;
        let of_maker = growth.made.get(&maker.operation.label()).cloned();
        let reads = |own: &Call<'d>| same_path(own.operation.path, call.operation.path);
        let step = if let Some(step) = of_maker.filter(|_| has_tag(maker)) {
            step
        } else {
            let mut readers = self.model.of(Role::Read);
            let reader = readers.find(|own| reads(own) && has_tag(own))?;
            self.grow(growth, reader, &way.beside(), depth + 1)?
        };
        growth.output(&step, "etag", Expression::ResponseHeader("etag".to_owned()))
    }

    /// Where the value of a path parameter comes from: a step that makes the record.
    pub(super) fn made(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let link = call.link(parameter);
        let linked = link.and_then(|link| self.model.call(&link.from));
        let linked = linked.filter(|from| from.role == Role::Create);
        let creator = linked.or_else(|| self.model.creator_for(&call.operation, parameter));
        let Some(creator) = creator else {
            let issued = self.issued(growth, call, parameter, way, depth);
            return issued.or_else(|| {
                let named = self.model.namer_for(&call.operation, parameter)?;
                self.known_as(growth, call, named, way, depth)
            });
        };
        let label = creator.operation.label();
        if label == call.operation.label() || way.stands_on.as_ref() == Some(&label) {
            return None;
        }
        let segment = segment_before(call.operation.path, parameter).unwrap_or_default();
        let property = link.map_or(parameter, |link| &link.property);
        let key = (property, &*names::singular(segment));
        let made = self.output(growth, creator, key, way, depth);
        made.or_else(|| {
            let key = self.model.sent_key(creator, parameter)?;
            self.known_as(growth, call, (creator, key), way, depth)
        })
    }

    /// The key of a record that nothing makes by itself, as the answer has it of what brings it about.
    fn issued(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        parameter: &str,
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let (issuer, at) = self.model.issuer_for(&call.operation, parameter)?;
        let label = issuer.operation.label();
        if label == call.operation.label() || way.stands_on.as_ref() == Some(&label) {
            return None;
        }
        // What is shown to come without it, such as the dispute of a payment, is found elsewhere.
        let shown = shown::example(self.model, issuer).and_then(|own| own.at(&at));
        if shown.is_some_and(Node::is_null) {
            return None;
        }
        let record = issuer.record()?.at.clone();
        let pointer = at.segments().fold(record, |at, own| at.join(own));
        let property = at.segments().collect::<Vec<_>>().join(".");
        let step = match growth.made.get(&label) {
            Some(step) => step.clone(),
            None => self.grow(growth, issuer, way, depth + 1)?,
        };
        growth.made.insert(label, step.clone());
        growth.output(&step, &property, Expression::ResponseBody(pointer))
    }

    /// The key of a record that a creator makes, which is made now where it is not there yet.
    pub(super) fn output(
        &self,
        growth: &mut Growth<'d>,
        creator: &Call<'d>,
        (key, segment): (&str, &str),
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        self.output_of(growth, creator, (key, segment, ""), way, depth)
    }

    /// As [`Self::output`]; the part that the record has tells it from others of its kind.
    fn output_of(
        &self,
        growth: &mut Growth<'d>,
        creator: &Call<'d>,
        (key, segment, part): (&str, &str, &str),
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let record = creator.record()?;
        let shape = Shape::of(self.model.document, Some(&record.schema));
        let listed = shape.property_names();
        let property = names::property_of(key, &record.name, &listed)
            .or_else(|| names::key_property(key, &record.name, &listed))
            .or_else(|| names::key_property(key, segment, &listed))
            .or_else(|| record.key.filter(|own| is_called_otherwise(own)))
            // `fromGiftCardId` is the `giftCardId` of one.
            .or_else(|| {
                let words = names::words(key);
                record.key.filter(|own| words.ends_with(&names::words(own)))
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
        let step = if let Some(step) = growth.made.get(&label) {
            step.clone()
        } else {
            let step = self.grow(growth, creator, way, depth + 1)?;
            growth.made.insert(label, step.clone());
            let made = growth.steps.iter_mut().find(|own| own.id == step);
            if let (Some(made), false) = (made, part.is_empty()) {
                made.flow.own_keys = true;
            }
            step
        };
        let pointer = creator.first_record()?.join(property);
        // By the name of the record's property, whatever who needs it calls it: so one way is as good as another.
        growth.output(&step, property, Expression::ResponseBody(pointer))
    }

    /// Puts keys of records that are made into the body, where its example has keys of others.
    pub(super) fn bind_body(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
        way: &Way<'d>,
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
            if let Some(kind) = kind.filter(|_| way.names(&label, name)) {
                let pointer = Pointer::root().join(name);
                references.retain(|own| own.pointer != pointer);
                references.push(Reference {
                    pointer,
                    name,
                    kind,
                    is_formed: is_formed(&property),
                });
            }
        }
        self.known_here(call, &shape, shown, &mut references);
        references.retain(|own| self.may_name(call, shown, own));
        let mut bound = BTreeSet::new();
        // Each names another item of the record.
        let mut items = Vec::new();
        for Reference {
            pointer,
            name,
            kind,
            ..
        } in references
        {
            let Some(creator) = self.model.creator_of(&kind) else {
                let own = parts.iter().find(|own| own.is_called(&kind));
                let index = items.len();
                let made = own.and_then(|own| self.item(growth, call, (own, index), way, depth));
                if let Some(made) = made {
                    items.push((pointer, Template::Whole(made)));
                }
                continue;
            };
            // A key that the caller makes up for the record itself is no reference.
            let maker = creator.operation.label();
            if maker == call.operation.label() || way.stands_on.as_ref() == Some(&maker) {
                continue;
            }
            // Two records of a kind are not one.
            let part = if bound.insert(creator.operation.label()) {
                String::new()
            } else {
                pointer.segments().collect::<Vec<_>>().join(".")
            };
            let kind = names::without_part(&kind);
            // `customer` is the key of a customer, though its name does not say so.
            let key = names::subject(name).map_or("id", |_| name);
            if let Some(made) = self.output_of(growth, creator, (key, kind, &part), way, depth) {
                request.replacements.push((pointer, Template::Whole(made)));
            }
        }
        request.replacements.extend(items);
    }

    /// Puts the key of a record that is made into the list of keys with which a body says what of its collection is meant: `ids`.
    pub(super) fn bind_keys(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        request: &mut Request<'d>,
        way: &Way<'d>,
        depth: usize,
    ) {
        let sent = request.body.as_ref().and_then(|own| own.value.plain());
        let list = sent.and_then(|own| {
            let mut entries = own.entries();
            entries.find(|own| is_list_of_keys(&own.key, &own.value))
        });
        let Some(name) = list.map(|own| own.key.clone()) else {
            return;
        };
        let is_here = |own: &&Call<'d>| same_path(own.operation.path, call.operation.path);
        let mut makers = self.model.of(Role::Create).filter(is_here);
        let label = call.operation.label();
        let Some(maker) = makers.find(|own| own.operation.label() != label) else {
            return;
        };
        let Some(kind) = maker.record().map(|own| own.name.clone()) else {
            return;
        };
        if let Some(made) = self.output(growth, maker, ("id", &kind), way, depth) {
            let keys = Template::Sequence(vec![Template::Whole(made)]);
            request
                .replacements
                .push((Pointer::root().join(name), keys));
        }
    }

    /// The properties that an example of a body has, and that are known here as the key of a kind of record.
    fn known_here(
        &self,
        call: &Call<'d>,
        shape: &Shape<'d>,
        shown: Option<&Node>,
        found: &mut Vec<Reference<'d>>,
    ) {
        for name in shape.property_names() {
            let own = shown.and_then(|own| own.get(name));
            let kind = self.model.known_here(call, name).filter(|_| own.is_some());
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

    /// Whether a key of the kind may stand where a body has it: the token of a card is written otherwise than the `id` of
    /// what is called a card, too.
    fn may_name(&self, call: &Call<'d>, body: Option<&Node>, own: &Reference<'d>) -> bool {
        let shown = || {
            let creator = self.model.creator_of(&own.kind)?;
            let key = creator.record()?.key?;
            let record = shown::example(self.model, creator)?;
            let mut body = body?.clone();
            value::put(&mut body, &own.pointer, record.get(key)?.clone()).ok()?;
            let schema = call.body.as_ref()?;
            self.contract.validate_request(schema, &body).ok()
        };
        let breaks_it =
            |found: Vec<Violation>| found.iter().any(|found| found.instance == own.pointer);
        !(own.is_formed && shown().is_some_and(breaks_it))
    }

    /// The properties of a body that are called like an item of the record and do not say that they are keys.
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
            let is_text = shown.get(name).is_some_and(|own| own.as_str().is_some());
            let is_free = is_text && property.known_values().is_empty();
            let kind = names::singular(name);
            let is_part = parts.iter().any(|own| own.is_called(&kind));
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

    /// The key of an item of the record that a call is about, as it was made.
    fn item(
        &self,
        growth: &mut Growth<'d>,
        call: &Call<'d>,
        (part, index): (&ItemList<'d>, usize),
        way: &Way<'d>,
        depth: usize,
    ) -> Option<Expression> {
        let made = self.made(growth, call, part.parameter, way, depth)?;
        let Expression::StepOutput { step, .. } = made else {
            return None;
        };
        let pointer = part.at.join(index.to_string()).join(part.key);
        let name = format!("{}-{index}", part.kind);
        growth.output(&step, &name, Expression::ResponseBody(pointer))
    }

    /// The keys of other records in a body, those in its parts and items, too.
    fn references(
        &self,
        shape: &Shape<'d>,
        shown: Option<&Node>,
        at: &Pointer,
        found: &mut Vec<Reference<'d>>,
    ) {
        let document = self.model.document;
        // Of alternatives an example has what one of them requires.
        let certain = shown.map_or_else(|| shape.clone(), |_| shape.certain());
        for name in shape.property_names() {
            let own = shown.and_then(|shown| shown.get(name));
            let pointer = at.join(name);
            let property = shape.property(document, name);
            let parts = own.and_then(Node::as_sequence).unwrap_or_default();
            let is_part = |own: &&Node| own.as_mapping().is_some();
            let kind = self.model.named_by(&property, name).or_else(|| {
                let is_key = self.model.names_as_shown(name, own);
                is_key.then(|| names::singular(name))
            });
            if let Some(kind) = kind {
                let pointers = match (own, parts) {
                    (Some(_), [first, ..]) if !is_part(&first) => {
                        let places = 0..parts.len().min(NAMED);
                        places.map(|own| pointer.join(own.to_string())).collect()
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
            if let Some(part) = own.filter(is_part) {
                self.references(&property, Some(part), &pointer, found);
            }
            let items = property.items(document);
            for (index, item) in parts.iter().enumerate().filter(|own| is_part(&own.1)) {
                self.references(&items, Some(item), &pointer.join(index.to_string()), found);
            }
        }
    }
}

/// A key of another record in a body.
struct Reference<'d> {
    pointer: Pointer,
    name: &'d str,
    /// What kind of record has it.
    kind: String,
    /// Whether its schema says how it is written.
    is_formed: bool,
}

/// Whether a property lists keys of records and does not say of which: `ids`, `keys`.
fn is_list_of_keys(name: &str, value: &Node) -> bool {
    let is_plain = |own: &Node| own.as_str().is_some() || own.as_number().is_some();
    let items = value.as_sequence().unwrap_or_default();
    matches!(name, "ids" | "keys") && !items.is_empty() && items.iter().all(is_plain)
}

/// Whether a schema says how a text is written.
fn is_formed(property: &Shape<'_>) -> bool {
    property.keyword("pattern").is_some()
}

/// Whether a key is called neither `id` nor after its kind: `code`, which `voucherCode` is elsewhere.
fn is_called_otherwise(key: &str) -> bool {
    names::words(key).last().is_none_or(|own| own != "id")
}

/// Whether the success of an operation documents an entity tag.
fn has_tag(call: &Call<'_>) -> bool {
    let success = call.success.as_ref().map(|own| own.response.headers());
    let mut names = success.into_iter().flatten().map(|(name, _)| name);
    names.any(|name| name.eq_ignore_ascii_case("etag"))
}
