//! Numbers with one keyword broken: bounds, kinds, steps. Pure.

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
            let Some(beyond) = bound(keyword).and_then(|own| moved(own, step)) else {
                continue;
            };
            self.add(pointer, keyword, value::number(&beyond), beyond.clone());
        }
        // Of 3.0: the bound itself is excluded by a flag beside it.
        for (keyword, flag) in [
            ("maximum", "exclusiveMaximum"),
            ("minimum", "exclusiveMinimum"),
        ] {
            if let (true, Some(own)) = (shape.flag(flag), bound(keyword)) {
                self.add(pointer, flag_of(flag), value::number(own), own.to_owned());
            }
        }
        if shape.type_name() == Some("integer") {
            let part = format!("{text}.5");
            self.add(pointer, "type", value::number(&part), part.clone());
            // To some languages it is a number.
            let flag = value::node(Value::Bool(true));
            self.add(pointer, "type", flag, "true".to_owned());
        }
        if let Some(step) = bound("multipleOf").filter(|own| *own != "1") {
            // A whole number stays one: else it is refused for that.
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

/// The keyword that a flag of 3.0 stands for.
fn flag_of(flag: &str) -> &'static str {
    if flag == "exclusiveMaximum" {
        "exclusiveMaximum"
    } else {
        "exclusiveMinimum"
    }
}

/// A whole number moved by a step; others by the same in their text, where they have no exponent.
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
