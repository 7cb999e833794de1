//! Validates a body with its schema.

use openapi_document::schema::Violation;
use openapi_document::view::Located;
use openapi_document::{Level, Node};

use super::Findings;
use super::body::Place;
use crate::because::Because;
use crate::checks::{self, Check};
use crate::shape::Shape;
use crate::value;

/// Adds the violations that the comparison with the example did not find. Adds the schema as a
/// source to those that it did find.
pub(super) fn validate<'d>(
    findings: &mut Findings<'_, 'd>,
    body: &Node,
    schema: Option<&Located<'d>>,
    level: Level,
) {
    let Some(schema) = schema else { return };
    let Ok(violations) = findings.contract.validate_answer(schema, body) else {
        return;
    };
    for violation in violations {
        let shape = Shape::of(findings.contract.document, Some(schema));
        let root = Place {
            pointer: openapi_document::Pointer::root(),
            level: shape.level().unwrap_or(level),
            shape,
        };
        add(findings, root, body, &violation);
    }
}

fn add<'d>(findings: &mut Findings<'_, 'd>, root: Place<'d>, body: &Node, violation: &Violation) {
    let mut place = root;
    let mut node = Some(body);
    let mut level = None;
    let mut starred = String::new();
    for segment in violation.instance.segments() {
        let parent = node.unwrap_or(body);
        level = place.shape.required_level(&segment);
        let is_free =
            parent.as_sequence().is_some() || !place.shape.property_names().contains(&&*segment);
        place = place.child(findings, parent, &segment);
        node = node.and_then(|node| node.child(&segment));
        let is_of_map = is_free && place.shape.nearest().is_some();
        starred.push('/');
        starred.push_str(if is_of_map { "*" } else { &segment });
    }
    let check = check(&violation.keyword);
    let level = match (check == &checks::FIELD_MISSING, level) {
        (true, Some(level)) => level,
        _ => place.level,
    };
    let actual = node.map_or_else(|| "absent".to_owned(), |node| place.show(findings, node));
    let texts = (value::excerpt(&expected(findings, violation)), actual);
    let because = because(findings, violation);
    if findings.has(&violation.instance) {
        findings.strengthen(level, &violation.instance, &because);
        return;
    }
    // Items of a list, or values of a map, with the same mistake are one difference.
    let mut known = findings.list.iter();
    if known.any(|found| found.check == check && found.place == starred) {
        findings.alike.insert(violation.instance.to_string());
        return;
    }
    findings.add(check, level, &violation.instance, texts, because);
    if let Some(last) = findings.list.last_mut() {
        last.place = starred;
    }
}

/// The value that the violated keyword requires.
fn expected(findings: &Findings<'_, '_>, violation: &Violation) -> String {
    let document = findings.contract.document;
    let keyword = document.lookup(&violation.schema).map(|schema| schema.node);
    match (violation.keyword.as_str(), keyword) {
        ("type", Some(value)) => match value.as_str() {
            Some(name @ ("array" | "integer" | "object")) => format!("an {name}"),
            Some(name) => format!("a {name}"),
            None => format!("a value of one of the types {}", value.to_json()),
        },
        ("enum", Some(value)) => format!("one of {}", value.to_json()),
        ("const", Some(value)) => value.to_json(),
        (
            name @ ("format" | "pattern" | "minimum" | "maximum" | "exclusiveMinimum"
            | "exclusiveMaximum" | "multipleOf" | "minLength" | "maxLength" | "minItems"
            | "maxItems" | "minProperties" | "maxProperties" | "uniqueItems"),
            Some(limit),
        ) => format!("a value that keeps to `{name}: {}`", value::plain(limit)),
        _ => violation.message.clone(),
    }
}

fn because(findings: &Findings<'_, '_>, violation: &Violation) -> Because {
    let contract = findings.contract;
    let exact = contract.stated_at(&violation.schema);
    exact.unwrap_or_else(|| contract.stated(contract.document.root.span))
}

fn check(keyword: &str) -> &'static Check {
    match keyword {
        "required" => &checks::FIELD_MISSING,
        "type" => &checks::SCHEMA_TYPE,
        "format" => &checks::SCHEMA_FORMAT,
        "pattern" => &checks::SCHEMA_PATTERN,
        "enum" | "const" => &checks::SCHEMA_ENUM,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
        | "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
        | "maxProperties" => &checks::SCHEMA_BOUNDS,
        _ => &checks::SCHEMA_SHAPE,
    }
}
