//! Conjunction: combines two schemas that both apply into one.

use super::flat::{Bound, Flat, Property, SIZES, Size, Values};
use openapi_document::node::Node;

impl<'d> Flat<'d> {
    /// Adds the requirements of another schema.
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
            if !self
                .multiples
                .iter()
                .any(|known| known.size == multiple.size)
            {
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

    /// A property that only one side lists is an additional property of the other side.
    fn conjoin_objects(&mut self, other: &Self) {
        for (name, property) in &mut self.properties {
            match other.properties.get(name) {
                Some(there) => {
                    let new = there.schemas.iter();
                    property.schemas.extend(new.copied());
                }
                None => property.schemas.extend(&other.rest),
            }
        }
        for (name, there) in &other.properties {
            if !self.properties.contains_key(name) {
                let mut property: Property<'d> = there.clone();
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
        let keep =
            |target: &mut Option<&'d Node>, other: Option<&'d Node>| *target = target.or(other);
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

/// Replaces a bound by a stricter one.
pub(super) fn tighten<'d>(
    target: &mut Option<Bound<'d>>,
    other: Option<&Bound<'d>>,
    is_lower: bool,
) {
    let Some(other) = other else {
        return;
    };
    let looser = target.as_ref().is_none_or(|target| {
        let beyond = if is_lower {
            other.limit > target.limit
        } else {
            other.limit < target.limit
        };
        beyond || (other.limit == target.limit && other.exclusive && !target.exclusive)
    });
    if looser {
        *target = Some(other.clone());
    }
}

fn tighten_size<'d>(target: &mut Option<Size<'d>>, other: &Size<'d>, is_lower: bool) {
    let looser = target.as_ref().is_none_or(|target| {
        if is_lower {
            other.size > target.size
        } else {
            other.size < target.size
        }
    });
    if looser {
        *target = Some(other.clone());
    }
}

fn intersect<'d>(target: &mut Option<Values<'d>>, other: Option<&Values<'d>>) {
    match (target.as_mut(), other) {
        (Some(target), Some(other)) => {
            target
                .list
                .retain(|value, _| other.list.contains_key(value));
        }
        (None, Some(other)) => *target = Some(other.clone()),
        (_, None) => {}
    }
}
