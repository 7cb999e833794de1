//! Checks whether a value stays the same when a type reads and writes it.

use openapi_document::node::{Entry, Node, Value};
use openapi_generate_runtime::{Date, Decimal, Number, Timestamp, Uuid};

use super::keeping;
use crate::ir::{Shape, Struct, Type, TypeDef, TypeId, Union, Usage, Variant};
use crate::matching;

/// Says why a type cannot hold a value, or would lose a part of it.
pub(super) fn fit(types: &[TypeDef], usage: &Usage, value: &Node) -> Result<(), String> {
    let strict = false;
    Fitting { types, strict }.usage(usage, value, "")
}

/// Says why a type cannot hold a value, or which constraint it breaks.
pub(super) fn keep(types: &[TypeDef], usage: &Usage, value: &Node) -> Result<(), String> {
    let strict = true;
    Fitting { types, strict }.usage(usage, value, "")
}

struct Fitting<'t> {
    types: &'t [TypeDef],
    /// Whether to check constraints, too.
    strict: bool,
}

impl Fitting<'_> {
    fn usage(&self, usage: &Usage, value: &Node, at: &str) -> Result<(), String> {
        self.held(usage, value, at)?;
        let broken = keeping::broken(&usage.constraints, &usage.ty, value);
        match broken.filter(|_| self.strict && !value.is_null()) {
            Some(broken) => Err(format!("{} {broken}", place(at))),
            None => Ok(()),
        }
    }

    fn held(&self, usage: &Usage, value: &Node, at: &str) -> Result<(), String> {
        if value.is_null() && (usage.nullable || usage.ty == Type::Any) {
            return Ok(());
        }
        if value.is_null() {
            return Err(misfit(at, "allowed to be null"));
        }
        let holds = match &usage.ty {
            Type::Bool => value.as_bool().is_some(),
            Type::Int32 => value.as_number().is_some_and(is::<i32>),
            Type::Int64 => value.as_number().is_some_and(is::<i64>),
            Type::Uint64 => value.as_number().is_some_and(is::<u64>),
            Type::Number => value
                .as_number()
                .is_some_and(|text| Number::new(text).is_ok()),
            Type::Text => value.as_str().is_some(),
            Type::Decimal => value
                .as_str()
                .is_some_and(|text| Decimal::new(text).is_ok()),
            Type::Date => value.as_str().is_some_and(|text| Date::new(text).is_ok()),
            Type::Timestamp => value
                .as_str()
                .is_some_and(|text| Timestamp::new(text).is_ok()),
            Type::Uuid => value.as_str().is_some_and(|text| Uuid::new(text).is_ok()),
            Type::Bytes | Type::File | Type::JsonText(_) => false,
            Type::Any => return any(value, at),
            Type::List(item) => {
                let Some(items) = value.as_sequence() else {
                    return Err(misfit(at, "a list"));
                };
                return items.iter().enumerate().try_for_each(|(index, value)| {
                    self.usage(item, value, &format!("{at}/{index}"))
                });
            }
            Type::Map(inner) => return self.map(inner, value, at),
            Type::Named(id) => return self.named(*id, value, at),
        };
        if holds {
            return Ok(());
        }
        Err(misfit(at, expected(&usage.ty)))
    }

    fn map(&self, inner: &Usage, value: &Node, at: &str) -> Result<(), String> {
        unique(value, at)?;
        sorted(value)
            .into_iter()
            .try_for_each(|entry| self.usage(inner, &entry.value, &format!("{at}/{}", entry.key)))
    }

    fn named(&self, id: TypeId, value: &Node, at: &str) -> Result<(), String> {
        let def = &self.types[id.0];
        if let Some(rule) = def.rule.as_ref().filter(|_| self.strict)
            && let Err(keyword) = matching::check(rule, &value.to_serde())
        {
            return Err(format!("{} must keep to `{keyword}`", place(at)));
        }
        match &def.shape {
            Shape::Struct(object) | Shape::Parts(object) => self.object(object, value, at),
            Shape::Union(union) => self.union(union, value, at),
            Shape::Wrapper(usage) => self.usage(usage, value, at),
            Shape::Events(_) => Err(misfit(at, "no JSON value")),
            Shape::Choice(choice) => match value.as_str() {
                Some(text) if choice.open || choice.values.iter().any(|one| one.wire == text) => {
                    Ok(())
                }
                _ => Err(misfit(at, "one of the enumeration's values")),
            },
        }
    }

    fn object(&self, object: &Struct, value: &Node, at: &str) -> Result<(), String> {
        if object.loose && value.as_mapping().is_none() {
            return any(value, at);
        }
        unique(value, at)?;
        for entry in sorted(value) {
            let place = format!("{at}/{}", entry.key);
            let field = object.fields.iter().find(|field| field.wire == entry.key);
            match (field, &object.rest) {
                (Some(field), _) => self.usage(&field.usage, &entry.value, &place)?,
                (None, Some(rest)) => {
                    // These are buffered before they are read, like free values.
                    any(&entry.value, &place)?;
                    self.usage(rest, &entry.value, &place)?;
                }
                (None, None) => return Err(format!("`{place}` is not in the schema")),
            }
        }
        let missing = object
            .fields
            .iter()
            .find(|field| field.required && value.get(&field.wire).is_none());
        match missing {
            Some(field) => Err(format!("`{at}/{}` is missing", field.wire)),
            None => Ok(()),
        }
    }

    fn union(&self, union: &Union, value: &Node, at: &str) -> Result<(), String> {
        let tag = union
            .tag
            .as_ref()
            .map(|tag| value.get(&tag.property).and_then(Node::as_str));
        let named = |variant: &Variant, tag: Option<&str>| {
            tag.is_some_and(|tag| variant.tags.iter().any(|one| one == tag))
        };
        let is_known = tag.is_none_or(|tag| union.variants.iter().any(|own| named(own, tag)));
        let default = union.tag.as_ref().and_then(|tag| tag.default);
        let mut last = misfit(at, "one of the alternatives");
        for (index, variant) in union.variants.iter().enumerate() {
            let is_default = !is_known && default == Some(index);
            if tag.is_some_and(|tag| !named(variant, tag)) && !is_default {
                continue;
            }
            match self.usage(&variant.usage, value, at) {
                Ok(()) => return Ok(()),
                Err(misfit) => last = misfit,
            }
        }
        Err(last)
    }
}

/// Checks that a whole number has the digits in which it will be written.
fn is<T: std::str::FromStr + ToString>(text: &str) -> bool {
    text.parse::<T>()
        .is_ok_and(|number| number.to_string() == text)
}

/// Free values go through floating-point numbers, which may write other digits.
fn any(value: &Node, at: &str) -> Result<(), String> {
    match &value.value {
        Value::Number(text) => {
            let number = text.parse::<serde_json::Number>();
            if number.is_ok_and(|number| number.to_string() == *text) {
                Ok(())
            } else {
                Err(format!("`{at}` would lose digits"))
            }
        }
        Value::Sequence(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| any(item, &format!("{at}/{index}"))),
        Value::Mapping(_) => {
            unique(value, at)?;
            sorted(value)
                .into_iter()
                .try_for_each(|entry| any(&entry.value, &format!("{at}/{}", entry.key)))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

/// The entries in the order of their keys, so that their order does not decide which misfit is
/// shown.
fn sorted(value: &Node) -> Vec<&Entry> {
    let mut entries: Vec<&Entry> = value.entries().collect();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    entries
}

fn unique(value: &Node, at: &str) -> Result<(), String> {
    let Some(mapping) = value.as_mapping() else {
        return Err(misfit(at, "an object"));
    };
    let mut keys: Vec<&str> = mapping.iter().map(|(key, _)| key).collect();
    keys.sort_unstable();
    match keys.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("`{at}/{}` is there twice", pair[0])),
        None => Ok(()),
    }
}

fn misfit(at: &str, expected: &str) -> String {
    format!("{} is not {expected}", place(at))
}

fn place(at: &str) -> String {
    format!("`{}`", if at.is_empty() { "the value" } else { at })
}

fn expected(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "true or false",
        Type::Int32 | Type::Int64 | Type::Uint64 => "a whole number that fits",
        Type::Number => "a number",
        Type::Text => "a text",
        Type::Decimal => "a decimal number as text",
        Type::Date => "a date",
        Type::Timestamp => "a date-time",
        Type::Uuid => "a UUID",
        _ => "of its type",
    }
}
