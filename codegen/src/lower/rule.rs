//! Collects the constraints of a schema that its type does not express, as a schema to check.

use openapi_document::Diagnostic;
use openapi_document::pointer::Pointer;
use openapi_document::view::Located;
use serde_json::{Map, Value};

use super::view::{Part, STRUCTURAL, View};
use super::writing::{TOO_LARGE, Writing};
use super::{Lowering, limits, scalar};
use crate::ir::{Bound, ChoiceValue, Overlap, Shape, Usage};
use crate::matching;

/// The kind of type that a schema became. It decides which constraints are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any value: all constraints are left.
    Any,
    /// A text.
    Text,
    /// One of several texts.
    Choice,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// A list.
    List,
    /// An object with free names.
    Map,
    /// An object with known names.
    Object,
    /// An object with known names, or any value that is not an object.
    Loose,
    /// A value of one of several JSON types.
    Several,
    /// Alternatives of which at most one fits.
    Apart,
    /// Alternatives of which several may fit.
    Overlapping,
}

const LOGIC: &[&str] = &["not", "if"];
const OF_LISTS: &[&str] = &["prefixItems", "contains"];
const OF_OBJECTS: &[&str] = &[
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
];
/// Keywords that do not constrain objects.
const OF_OTHERS: &[&str] = &[
    "contains",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "multipleOf",
    "pattern",
    "prefixItems",
    "unevaluatedItems",
    "uniqueItems",
];
const UNEVALUATED: &[&str] = &["unevaluatedItems", "unevaluatedProperties"];
const OF_NUMBERS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "enum",
];
/// Keywords of which a type can express only one, and the counts that may be written `2.0`.
const COUNTS: &[&str] = &[
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

impl<'d> Lowering<'d> {
    /// The schema that values must match besides their type; `None` when the type expresses all
    /// constraints. Reports the keywords that it cannot express.
    pub(super) fn rule(&mut self, view: &View<'d>, kind: Kind) -> Option<String> {
        let mut schemas = Vec::new();
        let mut keywords = Vec::new();
        for part in &view.parts {
            let mut own = left(view, part, kind);
            let object = matches!(kind, Kind::Map | Kind::Object | Kind::Loose);
            if object && self.is_of_one_type(view, part) {
                own.retain(|key| *key != "additionalProperties");
            }
            if own.is_empty() && part.at.node.as_bool() != Some(false) {
                continue;
            }
            schemas.push((part.at.pointer.clone(), self.part(part, &own)));
            keywords.extend(own.into_iter().filter_map(|key| part.at.get(key)));
        }
        if schemas.is_empty() {
            return None;
        }
        let written = Writing::new(self).write(schemas);
        let written = written.and_then(|mut written| {
            self.without_other_direction(view, &mut written.rule);
            let text = written.rule.to_string();
            self.schemas.rules += text.len();
            let fits = text.len() <= limits::RULE && self.schemas.rules <= limits::RULES;
            let whole = fits.then_some((text, written.lost));
            whole.ok_or(TOO_LARGE)
        });
        match written {
            Ok((text, lost)) => {
                for pointer in lost {
                    self.lost_to_format(pointer);
                }
                Some(text)
            }
            Err(why) => {
                for at in &keywords {
                    self.unchecked(at, kind == Kind::Overlapping, why);
                }
                None
            }
        }
    }

    /// Reports a keyword whose outcome depends on a format, which rules do not know.
    fn lost_to_format(&mut self, mut pointer: Pointer) {
        let document = self.document;
        while document.lookup(&pointer).is_none() {
            pointer.pop();
        }
        if let Some(at) = document.lookup(&pointer) {
            let is_choice = pointer.last().as_deref() == Some("oneOf");
            self.unchecked(&at, is_choice, "depends on a `format` and is not checked");
        }
    }

    /// Reports a keyword that is not checked: as information where alternatives only overlap more.
    fn unchecked(&mut self, at: &Located<'d>, is_choice: bool, why: &str) {
        let keyword = at.pointer.last().unwrap_or_default().into_owned();
        let title = format!("`{keyword}` {why}: more values are taken than it allows");
        if is_choice {
            let info = Diagnostic::info("keyword-not-expressed", title);
            self.diagnostics.push(info.at(at.node.span, "here"));
        } else {
            self.warn("keyword-not-expressed", at, title);
        }
    }

    /// The rule that values of a named type must match.
    pub(super) fn rule_of_shape(&mut self, view: &View<'d>, shape: &Shape) -> Option<String> {
        let kind = match shape {
            Shape::Struct(object) if object.loose => Kind::Loose,
            Shape::Struct(_) => Kind::Object,
            Shape::Choice(_) => Kind::Choice,
            Shape::Union(union) if union.overlap == Overlap::Apart => Kind::Apart,
            Shape::Union(_) => Kind::Overlapping,
            Shape::Wrapper(_) | Shape::Parts(_) | Shape::Events(_) => return None,
        };
        let rule = self.rule(view, kind)?;
        let keeps =
            |value: &ChoiceValue| matching::check(&rule, &value.wire.clone().into()).is_ok();
        match shape {
            Shape::Choice(choice) if !choice.open && choice.values.iter().all(keeps) => None,
            _ => Some(rule),
        }
    }

    /// Any value that matches a schema.
    pub(super) fn any(&mut self, view: &View<'d>) -> Usage {
        let mut usage = Usage::any();
        usage.constraints.rule = self.rule(view, Kind::Any);
        usage
    }

    /// Whether `additionalProperties` says only the type that all other parts give to their
    /// properties.
    fn is_of_one_type(&self, view: &View<'d>, part: &Part<'d>) -> bool {
        let Some(additional) = part.at.get("additionalProperties") else {
            return false;
        };
        let kind = |at: &Located<'d>| {
            let at = self.document.resolve(at).ok()?;
            let null = at.node.get("nullable").is_some();
            at.node.get("type")?.as_str().filter(|_| !null)
        };
        let says = |key: &str| STRUCTURAL.contains(&key);
        let mut keys = additional.node.entries();
        let Some(only) = kind(&additional).filter(|_| !keys.any(|entry| says(&entry.key))) else {
            return false;
        };
        let all = view.all("properties");
        let mut properties = all.iter().flat_map(|all| {
            let entries = all.entries().map(|(_, schema)| schema);
            entries.collect::<Vec<_>>()
        });
        let patterned = view.get("patternProperties").is_some();
        !patterned && properties.all(|schema| kind(&schema) == Some(only))
    }

    /// Some keywords of a part, with the keywords that they depend on.
    fn part(&self, part: &Part<'d>, keywords: &[&'static str]) -> Value {
        let whole = openapi_document::schema_in_2020_12(part.at.node, self.is_30);
        let Value::Object(mut fields) = whole else {
            return whole;
        };
        if keywords.iter().any(|key| UNEVALUATED.contains(key)) {
            return Value::Object(fields);
        }
        let has = |key: &str| keywords.contains(&key);
        let names = fields.get("properties").and_then(Value::as_object);
        let names: Option<Map<String, Value>> =
            names.map(|all| all.keys().map(|key| (key.clone(), true.into())).collect());
        let closed = has("patternProperties") || has("additionalProperties");
        fields.retain(|key, _| {
            has(key)
                || (matches!(key.as_str(), "then" | "else") && has("if"))
                || (matches!(key.as_str(), "minContains" | "maxContains") && has("contains"))
                || (key == "items" && has("prefixItems"))
                || (key == "type" && (has("enum") || has("const")))
                || (matches!(key.as_str(), "additionalProperties" | "patternProperties") && closed)
        });
        if let (true, false, Some(names)) = (closed, has("properties"), names) {
            fields.insert("properties".to_owned(), names.into());
        }
        Value::Object(fields)
    }
}

/// The keywords of a part that the type does not express.
fn left<'d>(view: &View<'d>, part: &Part<'d>, kind: Kind) -> Vec<&'static str> {
    let has = |key: &&&str| part.at.get(key).is_some();
    let some = |keys: &[&'static str]| keys.iter().filter(has).copied().collect::<Vec<_>>();
    let mut left: Vec<&'static str> = Vec::new();
    let alternatives = ["oneOf", "anyOf"];
    match kind {
        Kind::Any => {
            let all = STRUCTURAL.iter().chain(&["type", "uniqueItems"]).copied();
            let beside = |key: &&str| {
                !matches!(*key, "$ref" | "allOf" | "format" | "x-extensible-enum")
                    && !alternatives.contains(key)
            };
            left = all.filter(beside).filter(|key| has(&key)).collect();
            if left == ["type"] && is_unknown(part) {
                // A type alone that became any value is one that is unknown.
                left.clear();
            }
        }
        Kind::Text | Kind::Choice | Kind::Bool | Kind::Number => {
            left.extend(some(LOGIC));
            left.extend(scalars(view, part, kind));
        }
        Kind::List => {
            left.extend(some(LOGIC));
            left.extend(some(OF_LISTS));
            if view.get("prefixItems").is_some() && part.at.get("prefixItems").is_none() {
                left.extend(some(&["items"]));
            }
            left.extend(some(&["enum", "const", "unevaluatedItems"]));
            left.extend(some(COUNTS).into_iter().filter(|key| is_odd(part, key)));
        }
        Kind::Map | Kind::Object | Kind::Loose => {
            if kind == Kind::Loose {
                left.extend(some(OF_OTHERS));
                left.extend(some(&["required"]));
            }
            left.extend(some(LOGIC));
            left.extend(some(OF_OBJECTS));
            left.extend(some(&["enum", "const", "unevaluatedProperties"]));
            let odd = |key: &&str| kind != Kind::Map || is_odd(part, key);
            left.extend(
                some(&["minProperties", "maxProperties"])
                    .into_iter()
                    .filter(odd),
            );
            left.extend(closing(view, part));
            left.extend(undeclared(view, part).filter(|_| kind != Kind::Loose));
        }
        Kind::Several => {
            left.extend(some(LOGIC));
            left.extend(some(OF_LISTS));
            left.extend(some(OF_OBJECTS));
            left.extend(some(UNEVALUATED));
            left.extend(some(&[
                "enum",
                "const",
                "properties",
                "required",
                "additionalProperties",
            ]));
        }
        Kind::Apart | Kind::Overlapping => left.extend(some(UNEVALUATED)),
    }
    let applied = match kind {
        Kind::Any | Kind::Overlapping => !part.chosen || part.held,
        _ => part.held,
    };
    if applied {
        left.extend(some(&alternatives));
    }
    left
}

/// Keywords of texts, numbers and flags that the type does not express.
fn scalars<'d>(view: &View<'d>, part: &Part<'d>, kind: Kind) -> Vec<&'static str> {
    let here = |keys: &[&'static str]| -> Vec<&'static str> {
        let there = keys.iter().filter(|key| part.at.get(key).is_some());
        there.copied().collect()
    };
    let several = |key: &&str| view.all(key).len() > 1;
    match kind {
        Kind::Number => {
            let mut left = here(&["const"]);
            let range = |key: &str| key.contains("inimum") || key.contains("aximum");
            let both = |end: &str| {
                let (plain, exclusive) = (format!("m{end}"), format!("exclusiveM{end}"));
                let number = |key: &str| {
                    view.get(key)
                        .is_some_and(|at| at.node.as_number().is_some())
                };
                number(&plain) && number(&exclusive)
            };
            let doubled = both("inimum") || both("aximum");
            left.extend(
                here(OF_NUMBERS)
                    .into_iter()
                    .filter(|key| several(key) || is_odd(part, key) || (doubled && range(key))),
            );
            left
        }
        Kind::Bool => here(&["enum", "const"]),
        Kind::Text => here(COUNTS)
            .into_iter()
            .filter(|key| is_odd(part, key))
            .collect(),
        Kind::Choice => {
            let mut left = here(&["pattern", "minLength", "maxLength"]);
            left.extend(here(&["enum", "const"]).into_iter().filter(|key| {
                several(key) || (view.get("enum").is_some() && view.get("const").is_some())
            }));
            left
        }
        _ => Vec::new(),
    }
}

/// `additionalProperties` of one of several parts, where it says something of what another
/// declares.
fn closing<'d>(view: &View<'d>, part: &Part<'d>) -> Option<&'static str> {
    let additional = part.at.get("additionalProperties")?;
    let says = additional.node.as_bool() != Some(true);
    let more = part.at.get("patternProperties").is_some() || declares_more(view, part);
    (says && more).then_some("additionalProperties")
}

/// Whether other parts declare properties that this one does not.
pub(super) fn declares_more<'d>(view: &View<'d>, part: &Part<'d>) -> bool {
    let own = part.at.node.get("properties");
    let is_own = |name: &str| own.is_some_and(|own| own.get(name).is_some());
    let all = view.all("properties");
    all.iter()
        .flat_map(|all| all.node.entries())
        .any(|entry| !is_own(&entry.key))
}

/// `required`, when it names undeclared properties.
fn undeclared<'d>(view: &View<'d>, part: &Part<'d>) -> Option<&'static str> {
    let required = part.at.get("required")?;
    let declared = |name: &str| {
        let all = view.all("properties");
        all.iter().any(|all| all.node.get(name).is_some())
    };
    let mut names = required.node.strings();
    names.any(|name| !declared(name)).then_some("required")
}

/// Whether a bound has a form that the type cannot express.
fn is_odd(part: &Part<'_>, key: &str) -> bool {
    let Some(value) = part.at.get(key) else {
        return false;
    };
    let Some(digits) = value.node.as_number() else {
        return false;
    };
    if COUNTS.contains(&key) {
        return digits.parse::<u64>().is_err();
    }
    let bound = Bound {
        digits: digits.to_owned(),
        exclusive: false,
    };
    let whole = part
        .at
        .get("type")
        .is_some_and(|kind| kind.node.as_str() == Some("integer"));
    let has_fraction = digits.contains('.') && !digits.ends_with(".0");
    !scalar::is_plain(&bound) || (whole && has_fraction && key != "multipleOf")
}

/// Whether a part has a type that JSON does not have.
fn is_unknown(part: &Part<'_>) -> bool {
    const KNOWN: [&str; 7] = [
        "array", "boolean", "integer", "null", "number", "object", "string",
    ];
    let kind = part.at.get("type");
    kind.is_some_and(|kind| {
        let one = kind.node.as_str().into_iter();
        !one.chain(kind.node.strings())
            .all(|kind| KNOWN.contains(&kind))
    })
}
