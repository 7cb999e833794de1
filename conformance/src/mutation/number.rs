//! Breaks one keyword of a number: bounds, type, multiples. Pure.

use openapi_document::{Node, Pointer, Value};

use crate::shape::Shape;
use crate::value;

use super::Mutator;

impl<'d> Mutator<'_, 'd> {
    pub(super) fn number(&mut self, pointer: &Pointer, text: &str, shape: &Shape<'d>) {
        let bound = |key| shape.keyword(key).and_then(Node::as_number);
        let steps = [
            ("maximum", 1),
            ("minimum", -1),
            ("exclusiveMaximum", 0),
            ("exclusiveMinimum", 0),
        ];
        for (keyword, step) in steps {
            let Some(beyond) = bound(keyword).and_then(|keyword| moved(keyword, step)) else {
                continue;
            };
            self.add(pointer, keyword, value::number(&beyond), beyond.clone());
        }
        // OpenAPI 3.0 excludes a bound with a flag beside it.
        for (keyword, flag) in [
            ("maximum", "exclusiveMaximum"),
            ("minimum", "exclusiveMinimum"),
        ] {
            if let (true, Some(limit)) = (shape.flag(flag), bound(keyword)) {
                self.add(
                    pointer,
                    flag_of(flag),
                    value::number(limit),
                    limit.to_owned(),
                );
            }
        }
        if shape.type_name() == Some("integer") {
            let part = format!("{text}.5");
            self.add(pointer, "type", value::number(&part), part.clone());
            // Some languages accept a boolean as a number.
            let flag = value::node(Value::Bool(true));
            self.add(pointer, "type", flag, "true".to_owned());
        }
        if let Some(step) = bound("multipleOf").filter(|step| *step != "1") {
            // A whole number stays whole, because the server would refuse a fraction for its type.
            let next = moved(text, 1).filter(|_| shape.type_name() == Some("integer"));
            let part = || format!("{text}{}", if text.contains('.') { "1" } else { ".0001" });
            let off = next.unwrap_or_else(part);
            self.add(
                pointer,
                "multipleOf",
                value::number(&off),
                format!("not a multiple of {step}"),
            );
        }
    }
}

/// The keyword that a flag of OpenAPI 3.0 corresponds to.
fn flag_of(flag: &str) -> &'static str {
    if flag == "exclusiveMaximum" {
        "exclusiveMaximum"
    } else {
        "exclusiveMinimum"
    }
}

/// A number moved by a step. `None` when the result has an exponent.
fn moved(number: &str, step: i64) -> Option<String> {
    if step == 0 {
        return Some(number.to_owned());
    }
    if let Ok(whole) = number.parse::<i128>() {
        return Some((whole + i128::from(step)).to_string());
    }
    let number: f64 = number.parse().ok()?;
    #[expect(clippy::cast_precision_loss, reason = "one more or one less")]
    let moved = number + step as f64;
    moved.is_finite().then(|| moved.to_string())
}
