//! Two schemas that both hold, as one.

use super::flat::{Bound, Flat, Property, SIZES, Size, Values};
use openapi_document::node::Node;

impl<'d> Flat<'d> {
    /// Demands what another schema demands, too.
    pub(super) fn conjoin(&mut self, other: &Self) {
        self.conjoin_scalars(other);
        self.conjoin_objects(other);
        self.items.extend(&other.items);
        self.groups.extend(other.groups.iter().cloned());
        self.nots.extend(&other.nots);
        self.applicators.extend(&other.applicators);
        self.descriptions.extend(&other.descriptions);
        self.conjoin_annotations(other);
    }

    fn conjoin_scalars(&mut self, other: &Self) {
        self.types = self.types.and(other.types);
        self.type_at = self.type_at.or(other.type_at);
        self.null_at = self.null_at.or(other.null_at);
        for format in &other.formats {
            if !self.formats.contains(format) {
                self.formats.push(*format);
            }
        }
        for pattern in &other.patterns {
            if !self.patterns.contains(pattern) {
                self.patterns.push(*pattern);
            }
        }
        for multiple in &other.multiples {
            if !self.multiples.iter().any(|own| own.size == multiple.size) {
                self.multiples.push(multiple.clone());
            }
        }
        tighten(&mut self.lower, other.lower.as_ref(), true);
        tighten(&mut self.upper, other.upper.as_ref(), false);
        for (index, count) in SIZES.iter().enumerate() {
            if let Some(size) = &other.sizes[index] {
                tighten_size(&mut self.sizes[index], size, count.is_lower);
            }
        }
        self.unique = self.unique.or(other.unique);
        intersect(&mut self.values, other.values.as_ref());
        intersect(&mut self.known, other.known.as_ref());
    }

    /// A property that only one side names is one of the other properties of the other side.
    fn conjoin_objects(&mut self, other: &Self) {
        for (name, property) in &mut self.properties {
            match other.properties.get(name) {
                Some(theirs) => {
                    let new = theirs.schemas.iter();
                    property.schemas.extend(new.copied());
                }
                None => property.schemas.extend(&other.rest),
            }
        }
        for (name, theirs) in &other.properties {
            if !self.properties.contains_key(name) {
                let mut property: Property<'d> = theirs.clone();
                property.schemas.extend(&self.rest);
                self.properties.insert(name, property);
            }
        }
        for (name, node) in &other.required {
            self.required.entry(name).or_insert(node);
        }
        self.rest.extend(&other.rest);
    }

    fn conjoin_annotations(&mut self, other: &Self) {
        let keep = |own: &mut Option<&'d Node>, theirs: Option<&'d Node>| *own = own.or(theirs);
        keep(&mut self.discriminator, other.discriminator);
        keep(&mut self.read_only, other.read_only);
        keep(&mut self.write_only, other.write_only);
        keep(&mut self.deprecated, other.deprecated);
        keep(&mut self.sunset, other.sunset);
        keep(&mut self.stability, other.stability);
        keep(&mut self.sensitive, other.sensitive);
        keep(&mut self.default, other.default);
        self.provenance = self.provenance.or(other.provenance);
    }
}

/// Takes over a bound that takes less than the own one.
pub(super) fn tighten<'d>(own: &mut Option<Bound<'d>>, other: Option<&Bound<'d>>, is_lower: bool) {
    let Some(other) = other else {
        return;
    };
    let looser = own.as_ref().is_none_or(|own| {
        let beyond = if is_lower {
            other.limit > own.limit
        } else {
            other.limit < own.limit
        };
        beyond || (other.limit == own.limit && other.exclusive && !own.exclusive)
    });
    if looser {
        *own = Some(other.clone());
    }
}

fn tighten_size<'d>(own: &mut Option<Size<'d>>, other: &Size<'d>, is_lower: bool) {
    let looser = own.as_ref().is_none_or(|own| {
        if is_lower {
            other.size > own.size
        } else {
            other.size < own.size
        }
    });
    if looser {
        *own = Some(other.clone());
    }
}

fn intersect<'d>(own: &mut Option<Values<'d>>, other: Option<&Values<'d>>) {
    match (own.as_mut(), other) {
        (Some(own), Some(other)) => {
            own.list.retain(|value, _| other.list.contains_key(value));
        }
        (None, Some(other)) => *own = Some(other.clone()),
        (_, None) => {}
    }
}
