//! A value made up for a type, where the document has no example of one.

use openapi_generate_runtime::{pattern, rule};
use serde_json::{Map, Value, json};

use crate::ir::{Bound, Constraints, Shape, Struct, Type, TypeDef, TypeId, Union, Usage};

/// Texts of which one may satisfy a pattern.
const TEXTS: &[&str] = &[
    "a",
    "A",
    "1",
    "0",
    "AA",
    "en",
    "US",
    "USD",
    "en-US",
    "a1",
    "A1",
    "true",
    "1.00",
    "2026",
    "2026-01",
    "12",
    "123",
    "1234",
    "12345",
    "1234567890",
    "A-1",
    "a@example.com",
    "2026-01-02",
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.000Z",
    "https://example.com/",
    "P1D",
    "+15555550100",
    "192.0.2.1",
    "0123456789abcdef0123456789abcdef",
    "7b0e1f55-4c6a-4eca-9e93-0b1e5d4c6fa7",
];
/// Objects inside each other deeper than this get no optional property.
const DEEPEST: usize = 4;

/// A value of the type that satisfies its constraints; `None` when the search finds none.
pub(crate) fn sample(types: &[TypeDef], usage: &Usage) -> Option<Value> {
    Sampling {
        types,
        inside: Vec::new(),
    }
    .usage(usage)
}

struct Sampling<'t> {
    types: &'t [TypeDef],
    /// The named types around the value.
    inside: Vec<TypeId>,
}

impl Sampling<'_> {
    fn usage(&mut self, usage: &Usage) -> Option<Value> {
        let made = self.made(usage);
        keeping(usage.constraints.rule.as_ref(), made)
    }

    fn made(&mut self, usage: &Usage) -> Option<Value> {
        let bounds = &usage.constraints;
        match &usage.ty {
            Type::Bool => Some(true.into()),
            Type::Int32 | Type::Int64 | Type::Uint64 | Type::Number => number(bounds),
            Type::Text => text(bounds),
            Type::Decimal => fitting(bounds, &["1.00", "1", "0"]),
            Type::Date => fitting(bounds, &["2026-01-02"]),
            Type::Timestamp => fitting(
                bounds,
                &["2026-01-02T03:04:05.000Z", "2026-01-02T03:04:05Z"],
            ),
            Type::Uuid => fitting(bounds, &["7b0e1f55-4c6a-4eca-9e93-0b1e5d4c6fa7"]),
            Type::Any => Some("anything".into()),
            Type::List(item) => self.list(item, bounds),
            Type::Map(value) => Some(
                self.usage(value)
                    .map_or(json!({}), |it| json!({ "key": it })),
            ),
            Type::Named(id) => self.named(*id),
            Type::Bytes | Type::File | Type::JsonText(_) => None,
        }
    }

    fn list(&mut self, item: &Usage, bounds: &Constraints) -> Option<Value> {
        let least = bounds.min_items.unwrap_or_default();
        let none = bounds.max_items == Some(0);
        match self.usage(item).filter(|_| !none) {
            Some(_) if least > 1 && bounds.unique_items => None,
            Some(item) => Some((0..least.clamp(1, 16)).map(|_| item.clone()).collect()),
            None => (least == 0).then(|| json!([])),
        }
    }

    fn named(&mut self, id: TypeId) -> Option<Value> {
        if self.inside.contains(&id) {
            return None;
        }
        let types = self.types;
        self.inside.push(id);
        let value = match &types[id.0].shape {
            Shape::Struct(object) => self.object(object),
            Shape::Choice(choice) => choice.values.first().map(|value| value.wire.clone().into()),
            Shape::Union(union) => self.union(union),
            Shape::Wrapper(usage) => self.usage(usage),
            Shape::Parts(_) | Shape::Events(_) => None,
        };
        self.inside.pop();
        keeping(types[id.0].rule.as_ref(), value)
    }

    fn object(&mut self, object: &Struct) -> Option<Value> {
        let mut members = Map::new();
        for field in &object.fields {
            if !field.required && self.inside.len() > DEEPEST {
                continue;
            }
            match self.usage(&field.usage) {
                Some(value) => drop(members.insert(field.wire.clone(), value)),
                None if field.required => return None,
                None => {}
            }
        }
        Some(members.into())
    }

    fn union(&mut self, union: &Union) -> Option<Value> {
        for variant in &union.variants {
            let Some(mut value) = self.usage(&variant.usage) else {
                continue;
            };
            if let (Some(tag), Some(members)) = (&union.tag, value.as_object_mut()) {
                let word = variant.tags.first()?;
                members.insert(tag.property.clone(), word.clone().into());
            }
            return Some(value);
        }
        None
    }
}

/// A value, unless it breaks a rule.
fn keeping(rule: Option<&String>, value: Option<Value>) -> Option<Value> {
    let keeps = |value: &Value| rule.is_none_or(|rule| rule::check(rule, value).is_ok());
    value.filter(keeps)
}

fn text(bounds: &Constraints) -> Option<Value> {
    if bounds.uri {
        return fitting(bounds, &["https://example.com/"]);
    }
    let least = usize::try_from(bounds.min_length.unwrap_or_default()).ok()?;
    let repeated = ["a", "A", "1"].map(|one| one.repeat(least.min(4096)));
    let texts = TEXTS
        .iter()
        .copied()
        .chain(repeated.iter().map(String::as_str));
    let texts: Vec<&str> = texts.collect();
    fitting(bounds, &texts)
}

/// The first of the texts that keeps to the bounds.
fn fitting(bounds: &Constraints, texts: &[&str]) -> Option<Value> {
    let fits = |text: &&&str| {
        let length = text.chars().count() as u64;
        bounds.min_length.is_none_or(|least| length >= least)
            && bounds.max_length.is_none_or(|most| length <= most)
            && bounds
                .patterns
                .iter()
                .all(|pattern| pattern::is_match(pattern, text))
    };
    texts.iter().find(fits).map(|text| (*text).into())
}

fn number(bounds: &Constraints) -> Option<Value> {
    if let Some(one) = bounds.one_of.first() {
        return one.parse::<i64>().ok().map(Value::from);
    }
    let whole = |bound: &Option<Bound>| bound.as_ref()?.digits.parse::<i64>().ok();
    let (least, most) = (whole(&bounds.minimum), whole(&bounds.maximum));
    let step = bounds
        .multiple_of
        .as_ref()
        .and_then(|step| step.parse::<i64>().ok());
    let ends = [
        least,
        least.map(|least| least + 1),
        most,
        most.map(|most| most - 1),
    ];
    let candidates = [Some(1), step, Some(0)].into_iter().chain(ends).flatten();
    let above = |value: i64| match &bounds.minimum {
        Some(bound) if bound.exclusive => least.is_some_and(|least| value > least),
        _ => least.is_none_or(|least| value >= least),
    };
    let below = |value: i64| match &bounds.maximum {
        Some(bound) if bound.exclusive => most.is_some_and(|most| value < most),
        _ => most.is_none_or(|most| value <= most),
    };
    let whole_steps = |value: i64| step.is_none_or(|step| step != 0 && value % step == 0);
    let mut fitting = candidates.filter(|value| above(*value) && below(*value));
    fitting.find(|value| whole_steps(*value)).map(Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Docs, Field};

    /// What is made up for a value of this type that keeps to these constraints.
    fn made(ty: Type, constraints: Constraints) -> Option<String> {
        let usage = Usage {
            constraints,
            ..Usage::plain(ty)
        };
        sample(&[], &usage).map(|value| value.to_string())
    }

    fn none() -> Constraints {
        Constraints::default()
    }

    #[test]
    fn texts_keep_to_lengths_and_patterns() {
        for (pattern, least, most, expected) in [
            (None, None, None, Some("\"a\"")),
            (None, Some(3), Some(3), Some("\"USD\"")),
            (Some("^[A-Z]{2}$"), None, None, Some("\"AA\"")),
            (Some("^[A-Z]{2}$"), Some(3), None, None),
            (Some("^x{9}$"), None, None, None),
        ] {
            let constraints = Constraints {
                patterns: pattern.map(str::to_owned).into_iter().collect(),
                min_length: least,
                max_length: most,
                ..none()
            };
            assert_eq!(made(Type::Text, constraints).as_deref(), expected);
        }
    }

    #[test]
    fn numbers_keep_to_bounds_and_steps() {
        let bound = |digits: &str, exclusive| {
            let digits = digits.to_owned();
            Some(Bound { digits, exclusive })
        };
        for (minimum, maximum, step, expected) in [
            (None, None, None, Some("1")),
            (bound("5", false), None, None, Some("5")),
            (bound("5", true), None, None, Some("6")),
            (None, bound("-3", true), None, Some("-4")),
            (bound("7", false), bound("9", false), Some("5"), None),
            (None, None, Some("4"), Some("4")),
        ] {
            let constraints = Constraints {
                minimum,
                maximum,
                multiple_of: step.map(str::to_owned),
                ..none()
            };
            assert_eq!(made(Type::Int64, constraints).as_deref(), expected);
        }
    }

    #[test]
    fn lists_have_as_many_items_as_they_must() {
        for (least, most, unique, expected) in [
            (None, None, false, Some("[true]")),
            (Some(2), None, false, Some("[true,true]")),
            (Some(2), None, true, None),
            (None, Some(0), false, Some("[]")),
        ] {
            let constraints = Constraints {
                min_items: least,
                max_items: most,
                unique_items: unique,
                ..none()
            };
            let list = Type::List(Box::new(Usage::plain(Type::Bool)));
            assert_eq!(made(list, constraints).as_deref(), expected);
        }
    }

    #[test]
    fn an_object_that_must_contain_itself_has_no_sample() {
        let object = |required| TypeDef {
            rule: None,
            component: None,
            contexts: Vec::new(),
            docs: Docs::default(),
            shape: Shape::Struct(Struct {
                fields: vec![Field {
                    wire: "inner".to_owned(),
                    usage: Usage::plain(Type::Named(TypeId(0))),
                    required,
                    media_type: None,
                    docs: Docs::default(),
                }],
                rest: None,
                closed: false,
                loose: false,
            }),
            areas: Vec::new(),
            used: true,
        };
        let of = |required| sample(&[object(required)], &Usage::plain(Type::Named(TypeId(0))));
        assert_eq!(of(true), None);
        assert_eq!(of(false), Some(json!({})));
    }
}
