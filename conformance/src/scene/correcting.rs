//! Correcting: learns from a refusal how to change the invented body of a call.

use std::collections::BTreeSet;

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use super::{Ready, Scene};
use crate::case::BodyValue;
use crate::correction::{Complaint, Correction};
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;
use crate::sample::{self, Extent};
use crate::shape::Shape;
use crate::value;

/// The value of a property that the document does not list.
const UNLISTED: &str = "Text";

/// A property that a refusal may name.
struct Place<'d> {
    name: String,
    pointer: Pointer,
    shape: Shape<'d>,
    /// Whether the schema lists it.
    is_listed: bool,
    /// The value that was sent.
    sent: Option<Node>,
    is_required: bool,
}

impl Place<'_> {
    /// Whether the run invented the text that was sent for it.
    fn is_invented_text(&self) -> bool {
        let is_text = self
            .sent
            .as_ref()
            .is_some_and(|node| node.as_str().is_some());
        let is_shown = ["example", "examples", "default"]
            .iter()
            .any(|word| self.shape.keyword(word).is_some());
        is_text && self.pointer.depth() == 1 && !is_shown && self.shape.known_values().is_empty()
    }
}

impl<'d> Scene<'_, 'd> {
    /// Corrects the invented body of a call by the refusal of its last request. Returns whether the
    /// next request differs.
    pub(crate) async fn learn(
        &mut self,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
        exchange: &Exchange,
    ) -> bool {
        let Some(body) = ready.call.request.body.as_ref() else {
            return false;
        };
        let Ok(answer) = &exchange.outcome else {
            return false;
        };
        let is_invented = matches!(body.value, BodyValue::Sample(_));
        let is_error = answer.status == 500;
        let of_body = is_error || matches!(answer.status, 400 | 403 | 404 | 409 | 422);
        let (Some(sent), true, true) = (&exchange.sent.json, is_invented, of_body) else {
            return false;
        };
        let complaint = match answer.json() {
            Some(refusal) if !is_error => Complaint::of(refusal),
            _ if is_error => Complaint::default(),
            _ => return false,
        };
        let shape = Shape::of(self.model.document, body.schema.as_ref());
        let replacements = ready.call.request.replacements.iter();
        let bound: Vec<&Pointer> = replacements.map(|(pointer, _)| pointer).collect();
        let mut places = self.places(&shape, sent, &complaint);
        places.retain(|place| !bound.contains(&&place.pointer));
        let conflicts = &*body.conflicts;
        let invented: Vec<String> = { places.iter() }
            .filter(|place| place.is_invented_text())
            .map(|place| place.name.clone())
            .collect();
        let mut named = at_fault(places, &complaint);
        // Any text that the run invented may be in use, which some servers answer with an error.
        let may_be_taken = is_error || (complaint.is_taken && answer.status == 409);
        if named.is_empty() && may_be_taken {
            let new = { invented.iter() }.filter(|name| conflicts.note_unique(name));
            return new.count() > 0;
        }
        if complaint.is_taken {
            // Only values of the record itself are renewed.
            named.retain(|place| place.sent.is_some());
            let is_deep =
                |place: &Place<'d>| place.pointer.depth() > 1 && sent.entries().count() > 1;
            let (deep, top): (Vec<_>, Vec<_>) = named.into_iter().partition(is_deep);
            if !top.is_empty() {
                let new = top
                    .iter()
                    .filter(|place| conflicts.note_unique(&place.name));
                return new.count() > 0;
            }
            named = deep;
        }
        let tried = |place: &Place<'d>| conflicts.corrections.tried(&place.pointer);
        let may_leave_out = |place: &Place<'d>| {
            place.sent.is_some() && !place.is_required && tried(place) == (false, false)
        };
        let (left_out, mut set): (Vec<_>, Vec<_>) = named.into_iter().partition(may_leave_out);
        set.retain(|place| !tried(place).1);
        let left_out = left_out
            .into_iter()
            .map(|place| (place, Correction::LeftOut));
        let mut corrections: Vec<_> = left_out.collect();
        if !set.is_empty() {
            corrections.extend(self.replacements(call, set, (exchange, sent)).await);
        }
        let mut is_new = false;
        for (place, correction) in corrections {
            is_new |= self.fits(call, sent, &place, &correction)
                && conflicts.corrections.add(place.pointer, correction);
        }
        is_new
    }

    /// Other values for properties: those of the nearest record that exists, else invented ones.
    async fn replacements(
        &mut self,
        call: &Call<'d>,
        places: Vec<Place<'d>>,
        (exchange, sent): (&Exchange, &Node),
    ) -> Vec<(Place<'d>, Correction)> {
        // A change would act on the record that such a value names.
        let is_change = call.role != Role::Create;
        if !is_change {
            self.read_beside(exchange).await;
        }
        let observed = &self.sender.account.observed;
        let mut corrections = Vec::new();
        for place in places {
            let nearest = observed.nearest(&place.name, sent).filter(|_| !is_change);
            let of_nearest = nearest.as_ref().and_then(|record| record.get(&place.name));
            let mut known = observed.values(&place.name, is_change);
            known.splice(0..0, of_nearest.cloned());
            let Some(value) = self.other_value(&place, known) else {
                continue;
            };
            let is_of_nearest = of_nearest.is_some_and(|node| node.same_value(&value));
            if let Some(record) = nearest.filter(|_| is_of_nearest) {
                corrections.extend(companions(&place, sent, &record));
            }
            corrections.push((place, Correction::Set(value)));
        }
        corrections
    }

    /// The properties of a body: those that were sent, those that its schema lists, and those that
    /// the refusal wants. Also within the objects of the body.
    fn places(&self, shape: &Shape<'d>, sent: &Node, complaint: &Complaint) -> Vec<Place<'d>> {
        let document = self.model.document;
        let mut entries = sent.entries();
        let is_envelope = entries.next().is_some() && entries.next().is_none();
        let mut places = Vec::new();
        let mut add = |base: &Pointer, shape: &Shape<'d>, sent: &Node, may_want: bool| {
            let listed = shape.property_names();
            let of_body = sent.entries().map(|entry| entry.key.as_str());
            let wanted = complaint.wanted.iter().map(String::as_str);
            let wanted = wanted.filter(|_| may_want);
            let unlisted = of_body.chain(wanted).filter(|name| !listed.contains(name));
            let names: BTreeSet<&str> = listed.iter().copied().chain(unlisted).collect();
            places.extend(names.into_iter().map(|name| Place {
                name: name.to_owned(),
                pointer: base.join(name),
                shape: shape.property(document, name),
                is_listed: listed.contains(&name),
                sent: sent.get(name).cloned(),
                is_required: shape.requires(name),
            }));
        };
        add(&Pointer::root(), shape, sent, !is_envelope);
        let parts = sent
            .entries()
            .filter(|entry| entry.value.as_mapping().is_some());
        for part in parts {
            let inner = shape.property(document, &part.key);
            let base = Pointer::root().join(&part.key);
            add(&base, &inner, &part.value, is_envelope);
        }
        places
    }

    /// Reads the address of a refused request, so that the values of its records are known.
    async fn read_beside(&mut self, exchange: &Exchange) {
        let path = self.model.call(&exchange.sent.operation);
        let path = path.map(|call| call.operation.path);
        let mut readers = self.model.calls.iter().filter(|call| {
            call.operation.method == Method::Get && Some(call.operation.path) == path
        });
        let reader = readers.next().map(|call| call.operation.label());
        let observed = &self.sender.account.observed;
        let Some(reader) = reader.filter(|label| !observed.has(label)) else {
            return;
        };
        let mut reading = exchange.sent.reading(0);
        reading.operation = reader;
        self.send(reading).await;
    }

    /// A value for a property: one that a record has, else an invented one.
    fn other_value(&self, place: &Place<'d>, known: Vec<Node>) -> Option<Node> {
        let is_other = |node: &Node| {
            let is_sent = place
                .sent
                .as_ref()
                .is_some_and(|sent| sent.same_value(node));
            !is_sent && !names::same(&place.name, "id")
        };
        let known = known.into_iter().find(is_other);
        known.or_else(|| {
            let extent = if place.sent.is_some() {
                Extent::Other
            } else {
                Extent::Full
            };
            let of_schema = sample::invent(self.model.document, &place.shape, extent);
            of_schema.or_else(|| (!place.is_listed).then(|| value::string(UNLISTED)))
        })
    }

    /// Whether a body with a correction is valid.
    fn fits(
        &self,
        call: &Call<'d>,
        sent: &Node,
        place: &Place<'d>,
        correction: &Correction,
    ) -> bool {
        let mut body = sent.clone();
        match correction {
            Correction::LeftOut => value::take(&mut body, &place.pointer),
            Correction::Set(node) => {
                if value::put(&mut body, &place.pointer, node.clone()).is_err() {
                    return false;
                }
            }
        }
        let broken = |schema| self.contract().validate_request(schema, &body);
        let broken = call.body.as_ref().map(broken);
        broken.is_none_or(|broken| broken.is_ok_and(|all| all.is_empty()))
    }
}

/// The places that a refusal names, or whose sent value it quotes.
fn at_fault<'d>(places: Vec<Place<'d>>, complaint: &Complaint) -> Vec<Place<'d>> {
    let is_quoted = |place: &Place<'d>| {
        let sent = place.sent.as_ref().and_then(Node::as_str);
        sent.is_some_and(|text| complaint.quotes(text))
    };
    // Several properties may have the quoted value.
    let is_both = |place: &Place<'d>| is_quoted(place) && complaint.mentions(&place.name);
    let are_mentioned = places.iter().any(is_both);
    let is_meant = |place: &Place<'d>| {
        complaint.names(&place.name)
            || (is_quoted(place) && (!are_mentioned || complaint.mentions(&place.name)))
    };
    places.into_iter().filter(is_meant).collect()
}

/// The other texts of a body that belong to the same record as a value: an item and its collection.
fn companions<'d>(place: &Place<'d>, sent: &Node, record: &Node) -> Vec<(Place<'d>, Correction)> {
    if place.pointer.depth() != 1 {
        return Vec::new();
    }
    let of_record = sent.entries().filter_map(|entry| {
        let value = record
            .get(&entry.key)
            .filter(|node| node.as_str().is_some())?;
        let is_other = entry.key != place.name && !names::same(&entry.key, "id");
        let is_text = entry.value.as_str().is_some() && !entry.value.same_value(value);
        (is_other && is_text).then(|| {
            let companion = Place {
                name: entry.key.clone(),
                pointer: Pointer::root().join(&entry.key),
                shape: place.shape.clone(),
                is_listed: true,
                sent: Some(entry.value.clone()),
                is_required: false,
            };
            (companion, Correction::Set(value.clone()))
        })
    });
    of_record.collect()
}
