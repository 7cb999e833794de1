//! Place: the part of a request that a fact names, and requests with other values there.

use openapi_document::view::{Document, Location, MediaType, Parameter};
use openapi_document::{Node, Pointer};

use super::{Ready, Scene};
use crate::case::ArgumentValue;
use crate::collect::request;
use crate::exchange::Sent;
use crate::model::Call;
use crate::sample::{self, Extent};
use crate::shape::Shape;
use crate::value;

/// The part of a request that has a value.
#[derive(Debug, Clone)]
pub(crate) enum Place<'d> {
    /// A query parameter or a header.
    Parameter(Parameter<'d>),
    /// A property of the body.
    Body(Pointer),
}

/// A place with the value to send there.
pub(crate) type Value<'p, 'd> = (&'p Place<'d>, Node);

impl<'d> Place<'d> {
    /// The parameter with this name, else the body property; dots separate nested properties. `None` if there is
    /// neither.
    pub(crate) fn of(document: &'d Document, call: &Call<'d>, name: &str) -> Option<Self> {
        let is_it = |parameter: &Parameter<'d>| {
            parameter.name == name
                && matches!(parameter.location, Location::Query | Location::Header)
        };
        let mut parameters = call.operation.parameters().into_iter();
        if let Some(parameter) = parameters.find(is_it) {
            return Some(Self::Parameter(parameter));
        }
        let mut shape = Shape::of(document, call.body.as_ref());
        let mut at = Pointer::root();
        for part in name.split('.') {
            while shape.type_name() == Some("array") {
                (shape, at) = (shape.items(document), at.join("0"));
            }
            shape.property_names().contains(&part).then_some(())?;
            (shape, at) = (shape.property(document, part), at.join(part));
        }
        Some(Self::Body(at))
    }

    /// The pointer to the place in the body; for a parameter, its name below the root.
    pub(crate) fn pointer(&self) -> Pointer {
        match self {
            Self::Parameter(name) => Pointer::root().join(name.name),
            Self::Body(at) => at.clone(),
        }
    }

    /// The schema of the place.
    pub(crate) fn shape(&self, document: &'d Document, call: &Call<'d>) -> Shape<'d> {
        let at = match self {
            Self::Parameter(parameter) => return Shape::of(document, parameter.schema().as_ref()),
            Self::Body(at) => at,
        };
        let mut shape = Shape::of(document, call.body.as_ref());
        for segment in at.segments() {
            shape = if shape.type_name() == Some("array") {
                shape.items(document)
            } else {
                shape.property(document, &segment)
            };
        }
        shape
    }

    /// The value of the place in a request.
    pub(crate) fn value(&self, sent: &Sent, shape: &Shape<'d>) -> Option<Node> {
        let text = match self {
            Self::Body(at) => return sent.json.as_ref()?.at(at).cloned(),
            Self::Parameter(parameter) if parameter.location == Location::Header => {
                sent.header(parameter.name)?
            }
            Self::Parameter(parameter) => {
                let mut all = sent.query.iter();
                &all.find(|(name, _)| name == parameter.name)?.1
            }
        };
        value::of_type(text, shape.type_name())
    }
}

impl<'d> Scene<'_, 'd> {
    /// The value of a place: from a request, else from an example, else a generated one.
    pub(crate) fn value_at(&self, call: &Call<'d>, place: &Place<'d>, sent: &Sent) -> Option<Node> {
        let document = self.model.document;
        let shape = place.shape(document, call);
        let of_request = place.value(sent, &shape).filter(|node| !node.is_null());
        let shown = || {
            let Place::Body(at) = place else { return None };
            let content = call.operation.request_body()?.content();
            let mut shown = content.iter().flat_map(MediaType::examples);
            shown.find_map(|example| {
                example
                    .value
                    .node
                    .at(at)
                    .filter(|node| !node.is_null())
                    .cloned()
            })
        };
        let created = || sample::invent(document, &shape, Extent::Full);
        of_request.or_else(shown).or_else(created)
    }

    /// The request of a call with other values at some places. `None` if a schema does not allow them.
    pub(crate) fn altered(
        &self,
        call: &Call<'d>,
        (ready, tag): (&Ready<'_, 'd>, &str),
        values: &[Value<'_, 'd>],
    ) -> Option<Sent> {
        let contract = self.contract();
        let mut step = ready.call.clone();
        for (place, wanted) in values {
            let Place::Parameter(item) = place else {
                continue;
            };
            if let Some(schema) = item.schema() {
                let broken = contract.validate_request(&schema, wanted).ok()?;
                broken.is_empty().then_some(())?;
            }
            let given = ArgumentValue::Example(wanted.clone());
            let mut argument = request::argument(contract, item, given);
            argument.natural_key = false;
            let all = &mut step.request.arguments;
            all.retain(|other| other.name != item.name || other.location != item.location);
            all.push(argument);
        }
        let mut sent = self.compose_step(ready, &step, tag).ok()?;
        let mut body = sent.json.clone();
        for (place, wanted) in values {
            if let Place::Body(at) = place {
                value::put(body.as_mut()?, at, wanted.clone()).ok()?;
            }
        }
        if let Some(json) = body {
            self.put_valid(call, (&mut sent, &step), json)?;
        }
        Some(sent)
    }
}
