//! Texts, numbers and enumerations.

use std::collections::HashSet;

use openapi_document::view::Located;

use super::view::View;
use super::{Lowering, limits, schema::Key};
use crate::ir::{Bound, Choice, ChoiceValue, Docs, Shape, Type, Usage};

/// Whether a bound lies beyond 64 bits.
fn exceeds(view: &View<'_>) -> bool {
    let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    bounds.iter().any(|key| {
        let digits = view
            .get(key)
            .and_then(|at| at.node.as_number().map(str::to_owned));
        digits.is_some_and(|digits| {
            let float: f64 = digits.parse().unwrap_or_default();
            #[allow(clippy::cast_precision_loss, reason = "one bound more or less")]
            let most = i64::MAX as f64;
            digits.parse::<i64>().is_err() && float.abs() >= most
        })
    })
}

/// Whether a bound can be written as code: a decimal of at most 64 bits.
pub(super) fn is_plain(bound: &Bound) -> bool {
    let (whole, fraction) = bound.digits.split_once('.').unwrap_or((&bound.digits, ""));
    format!("{whole}{fraction}").parse::<i64>().is_ok()
}

impl<'d> Lowering<'d> {
    /// A text: an enumeration, a format that has a type of its own, or just text.
    pub(super) fn text(&mut self, view: &View<'d>, key: &Key) -> Usage {
        if let Some(values) = view.get("x-extensible-enum") {
            return self.choice(view, key, &values, true);
        }
        if let Some(values) = view.get("enum") {
            return self.choice(view, key, &values, false);
        }
        let format = view.get("format").and_then(|format| format.node.as_str());
        let ty = match format {
            Some("decimal") => Type::Decimal,
            Some("date") => Type::Date,
            Some("date-time") => Type::Timestamp,
            Some("uuid") => Type::Uuid,
            _ => Type::Text,
        };
        self.bounded(view, ty)
    }

    /// A number: whole, of a known width, or any with its digits kept.
    pub(super) fn number(&mut self, view: &View<'d>, whole: bool) -> Usage {
        let format = view.get("format").and_then(|format| format.node.as_str());
        let ty = match (whole, format) {
            (true, Some("int32" | "int16" | "int8" | "uint16" | "uint8")) => Type::Int32,
            (true, Some("uint64")) => Type::Uint64,
            (true, Some("int64" | "uint32")) => Type::Int64,
            (true, _) if self.exact || exceeds(view) => return self.whole(view),
            (true, _) => Type::Int64,
            (false, _) => Type::Number,
        };
        self.bounded(view, ty)
    }

    /// A whole number of any size.
    fn whole(&mut self, view: &View<'d>) -> Usage {
        let mut usage = self.bounded(view, Type::Number);
        usage.constraints.whole = true;
        usage
    }

    /// A type with the bounds that the schema sets to it.
    pub(super) fn bounded(&mut self, view: &View<'d>, ty: Type) -> Usage {
        let constraints = self.constraints(view, &ty);
        Usage {
            constraints,
            ..Usage::plain(ty)
        }
    }

    /// An enumeration of texts; other values in it are reported.
    pub(super) fn choice(
        &mut self,
        view: &View<'d>,
        key: &Key,
        values: &Located<'d>,
        open: bool,
    ) -> Usage {
        let count = values.node.items().count();
        if count > limits::VALUES {
            let title = format!("an enumeration of {count} values is taken as any text");
            self.warn("too-many-values", values, title);
            return self.bounded(view, Type::Text);
        }
        let mut seen = HashSet::new();
        let mut known: Vec<ChoiceValue> = Vec::new();
        for value in values.items() {
            let Some(wire) = value.node.as_str() else {
                if !value.node.is_null() {
                    self.warn(
                        "enum-value-not-text",
                        &value,
                        "the value is not a text like the others and is left out",
                    );
                }
                continue;
            };
            if !seen.insert(wire) {
                continue;
            }
            known.push(ChoiceValue {
                wire: wire.to_owned(),
                docs: Docs::default(),
            });
        }
        if known.is_empty() {
            return self.bounded(view, Type::Text);
        }
        let shape = Shape::Choice(Choice {
            values: known,
            open,
        });
        self.define(view, key, shape)
    }
}
