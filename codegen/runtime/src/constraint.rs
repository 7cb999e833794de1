//! The constraints of the document: lengths, bounds, patterns.

#[cfg(feature = "maps")]
use std::collections::BTreeMap;
use std::collections::HashSet;
use std::fmt;

use serde::Serialize;

use super::canonical;
use super::json::escape;
use super::nullable::Nullable;
use super::pattern::Pattern;

/// A value that knows the constraints of its schema.
pub trait Validate {
    /// Adds what breaks a constraint, in this value and in everything inside it.
    fn validate(&self, found: &mut Violations<'_>) {
        let _ = found;
    }

    /// All that breaks a constraint, in the order of the properties.
    fn violations(&self) -> Vec<Violation> {
        found(|list| self.validate(list))
    }
}

/// All that a check finds.
pub fn found(check: impl FnOnce(&mut Violations<'_>)) -> Vec<Violation> {
    let mut list = Vec::new();
    check(&mut Violations {
        place: Place::Root,
        list: &mut list,
    });
    list
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.detail),
            pointer => write!(f, "{pointer} {}", self.detail),
        }
    }
}

/// One broken constraint. It never quotes the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where, as a JSON pointer.
    pub pointer: String,
    /// The keyword of the schema that is broken, such as `maxLength`.
    pub keyword: &'static str,
    /// What was expected instead.
    pub detail: String,
}

/// Collects violations at one place of the value that is checked.
#[derive(Debug)]
pub struct Violations<'a> {
    place: Place<'a>,
    list: &'a mut Vec<Violation>,
}

/// The way to a place, linked upwards so that nothing is copied until something is found.
#[derive(Clone, Copy, Debug)]
enum Place<'a> {
    Root,
    Member(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl Violations<'_> {
    /// The place of a property of the value here.
    pub fn member<'b>(&'b mut self, name: &'b str) -> Violations<'b> {
        Violations {
            place: Place::Member(&self.place, name),
            list: self.list,
        }
    }

    /// The place of an item of the list here.
    pub fn item(&mut self, index: usize) -> Violations<'_> {
        Violations {
            place: Place::Item(&self.place, index),
            list: self.list,
        }
    }

    /// Records that the value here breaks `keyword`.
    pub fn add(&mut self, keyword: &'static str, detail: impl fmt::Display) {
        let (pointer, detail) = (self.place.to_string(), detail.to_string());
        self.list.push(Violation {
            pointer,
            keyword,
            detail,
        });
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Member(parent, name) => write!(f, "{parent}/{}", escape(name)),
            Self::Item(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

/// `minLength`, counted in characters.
pub fn min_length(found: &mut Violations<'_>, text: impl AsRef<str>, least: usize) {
    if text.as_ref().chars().count() < least {
        found.add(
            "minLength",
            format_args!("must have at least {least} characters"),
        );
    }
}

/// `maxLength`, counted in characters.
pub fn max_length(found: &mut Violations<'_>, text: impl AsRef<str>, most: usize) {
    if text.as_ref().chars().count() > most {
        found.add(
            "maxLength",
            format_args!("must have at most {most} characters"),
        );
    }
}

/// `pattern`: some part of the text matches.
pub fn pattern(found: &mut Violations<'_>, text: impl AsRef<str>, pattern: &Pattern) {
    if !pattern.matches(text.as_ref()) {
        found.add("pattern", format_args!("must match {}", pattern.source()));
    }
}

/// `minimum`.
pub fn minimum<T: PartialOrd + fmt::Display>(found: &mut Violations<'_>, value: &T, least: &T) {
    if value < least {
        found.add("minimum", format_args!("must be at least {least}"));
    }
}

/// `maximum`.
pub fn maximum<T: PartialOrd + fmt::Display>(found: &mut Violations<'_>, value: &T, most: &T) {
    if value > most {
        found.add("maximum", format_args!("must be at most {most}"));
    }
}

/// `exclusiveMinimum`.
pub fn above<T: PartialOrd + fmt::Display>(found: &mut Violations<'_>, value: &T, bound: &T) {
    if value <= bound {
        found.add(
            "exclusiveMinimum",
            format_args!("must be more than {bound}"),
        );
    }
}

/// `exclusiveMaximum`.
pub fn below<T: PartialOrd + fmt::Display>(found: &mut Violations<'_>, value: &T, bound: &T) {
    if value >= bound {
        found.add(
            "exclusiveMaximum",
            format_args!("must be less than {bound}"),
        );
    }
}

/// `multipleOf`, computed exactly. What has too many digits for that passes.
pub fn multiple_of(found: &mut Violations<'_>, value: &impl fmt::Display, step: &str) {
    if canonical::is_multiple(&value.to_string(), step) == Some(false) {
        found.add("multipleOf", format_args!("must be a multiple of {step}"));
    }
}

/// `type: integer` of a number that keeps its digits.
pub fn whole(found: &mut Violations<'_>, value: &super::Number) {
    let whole = match value.to_decimal() {
        Some(exact) => exact.fract().is_zero(),
        None => value.to_f64().fract() == 0.0,
    };
    if !whole {
        found.add("type", "must be an integer");
    }
}

/// `enum` of a number: equal to one of these; `1.0` equals `1`.
pub fn one_of(found: &mut Violations<'_>, value: &impl fmt::Display, values: &[&str]) {
    let text = value.to_string();
    let exact = canonical::decimal(&text);
    let equal = |one: &&str| *one == text || (exact.is_some() && canonical::decimal(one) == exact);
    if !values.iter().any(equal) {
        found.add("enum", format_args!("must be one of {}", values.join(", ")));
    }
}

/// `format: uri`: a scheme, a colon, and characters that RFC 3986 allows.
pub fn uri(found: &mut Violations<'_>, text: impl AsRef<str>) {
    if !is_uri(text.as_ref()) {
        found.add(
            "format",
            "must be a URI such as \"https://example.com/path\"",
        );
    }
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let named = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let allowed = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
    let host = rest.strip_prefix("//").is_none_or(|rest| !rest.is_empty());
    named && host && !rest.is_empty() && rest.bytes().all(allowed)
}

/// `minItems`.
pub fn min_items(found: &mut Violations<'_>, count: usize, least: usize) {
    if count < least {
        found.add("minItems", format_args!("must have at least {least} items"));
    }
}

/// `maxItems`.
pub fn max_items(found: &mut Violations<'_>, count: usize, most: usize) {
    if count > most {
        found.add("maxItems", format_args!("must have at most {most} items"));
    }
}

/// `uniqueItems`.
pub fn unique_items<T: Serialize>(found: &mut Violations<'_>, items: &[T]) {
    let mut seen = HashSet::new();
    let texts = items
        .iter()
        .map(|item| canonical::text(&serde_json::to_value(item).unwrap_or_default()));
    if !texts.into_iter().all(|text| seen.insert(text)) {
        found.add("uniqueItems", "must not have the same item twice");
    }
}

/// `minProperties`.
pub fn min_properties(found: &mut Violations<'_>, count: usize, least: usize) {
    if count < least {
        found.add(
            "minProperties",
            format_args!("must have at least {least} properties"),
        );
    }
}

/// `maxProperties`.
pub fn max_properties(found: &mut Violations<'_>, count: usize, most: usize) {
    if count > most {
        found.add(
            "maxProperties",
            format_args!("must have at most {most} properties"),
        );
    }
}

#[cfg(feature = "boxes")]
impl<T: Validate + ?Sized> Validate for Box<T> {
    fn validate(&self, found: &mut Violations<'_>) {
        (**self).validate(found);
    }
}

impl<T: Validate> Validate for Option<T> {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(value) = self {
            value.validate(found);
        }
    }
}

impl<T: Validate> Validate for Nullable<T> {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Self::Value(value) = self {
            value.validate(found);
        }
    }
}

impl<T: Validate> Validate for Vec<T> {
    fn validate(&self, found: &mut Violations<'_>) {
        self.as_slice().validate(found);
    }
}

impl<T: Validate> Validate for [T] {
    fn validate(&self, found: &mut Violations<'_>) {
        for (index, item) in self.iter().enumerate() {
            item.validate(&mut found.item(index));
        }
    }
}

#[cfg(feature = "maps")]
impl<T: Validate> Validate for BTreeMap<String, T> {
    fn validate(&self, found: &mut Violations<'_>) {
        for (name, value) in self {
            value.validate(&mut found.member(name));
        }
    }
}

macro_rules! unconstrained {
    ($($scalar:ty),*) => {
        $(impl Validate for $scalar {})*
    };
}

unconstrained!(
    (),
    bool,
    i32,
    i64,
    u32,
    u64,
    f32,
    f64,
    str,
    String,
    bytes::Bytes,
    serde_json::Value
);
// One call for each: a copy of the runtime has those of the types that it has.
unconstrained!(super::Date);
unconstrained!(super::Decimal);
unconstrained!(super::Number);
unconstrained!(super::Timestamp);
unconstrained!(super::Uuid);
