//! The keywords that bound a value.

use openapi_document::node::Node;
use openapi_document::view::Located;

use super::rule::Kind;
use super::view::View;
use super::{Lowering, limits};
use crate::ir::{Bound, Constraints, Type};
use crate::matching;

impl<'d> Lowering<'d> {
    /// The bounds that hold for a value of the type.
    pub(super) fn constraints(&mut self, view: &View<'d>, ty: &Type) -> Constraints {
        let mut constraints = Constraints::default();
        if let Some(kind) = kind(ty) {
            constraints.rule = self.rule(view, kind);
        }
        match ty {
            Type::Text | Type::Decimal | Type::Date | Type::Timestamp | Type::Uuid => {
                for pattern in view.all("pattern") {
                    self.pattern(&pattern, &mut constraints);
                }
                constraints.min_length = greatest(view, "minLength");
                constraints.max_length = least(view, "maxLength");
                constraints.uri = *ty == Type::Text && is_uri(view);
            }
            Type::Int32 | Type::Int64 | Type::Uint64 | Type::Number => {
                constraints.minimum = bound(view, "minimum", "exclusiveMinimum");
                constraints.maximum = bound(view, "maximum", "exclusiveMaximum");
                constraints.multiple_of = view
                    .get("multipleOf")
                    .and_then(|of| of.node.as_number().map(str::to_owned));
                if let Some(values) = view.get("enum") {
                    constraints.one_of = self.numbers(&values);
                }
            }
            Type::List(_) => {
                constraints.min_items = greatest(view, "minItems");
                constraints.max_items = least(view, "maxItems");
                constraints.unique_items = view.flag("uniqueItems");
            }
            Type::Map(_) => {
                constraints.min_properties = greatest(view, "minProperties");
                constraints.max_properties = least(view, "maxProperties");
            }
            Type::Bool
            | Type::Bytes
            | Type::File
            | Type::Any
            | Type::JsonText(_)
            | Type::Named(_) => {}
        }
        constraints
    }

    fn pattern(&mut self, at: &Located<'d>, constraints: &mut Constraints) {
        let Some(pattern) = at.node.as_str() else {
            return;
        };
        if matching::is_supported(pattern) {
            if !constraints.patterns.iter().any(|known| known == pattern) {
                constraints.patterns.push(pattern.to_owned());
            }
        } else {
            let title = format!("the pattern `{pattern}` cannot be checked, so it is not");
            self.warn("pattern-not-supported", at, title);
        }
    }

    /// The numbers of an enumeration.
    fn numbers(&mut self, values: &Located<'d>) -> Vec<String> {
        let numbers: Vec<&str> = values.node.items().filter_map(Node::as_number).collect();
        let count = numbers.len();
        if count > limits::VALUES {
            let title = format!("an enumeration of {count} values is taken as any number");
            self.warn("too-many-values", values, title);
            return Vec::new();
        }
        numbers.into_iter().map(str::to_owned).collect()
    }
}

/// What a type is to a rule.
fn kind(ty: &Type) -> Option<Kind> {
    match ty {
        Type::Text | Type::Decimal | Type::Date | Type::Timestamp | Type::Uuid => Some(Kind::Text),
        Type::Int32 | Type::Int64 | Type::Uint64 | Type::Number => Some(Kind::Number),
        Type::Bool => Some(Kind::Bool),
        Type::List(_) => Some(Kind::List),
        Type::Map(_) => Some(Kind::Map),
        Type::Bytes | Type::File | Type::Any | Type::JsonText(_) | Type::Named(_) => None,
    }
}

fn is_uri(view: &View<'_>) -> bool {
    let format = view.get("format");
    format.is_some_and(|format| matches!(format.node.as_str(), Some("uri" | "url")))
}

fn greatest(view: &View<'_>, key: &str) -> Option<u64> {
    let values = view.all(key);
    values.iter().filter_map(|value| value.node.as_u64()).max()
}

fn least(view: &View<'_>, key: &str) -> Option<u64> {
    let values = view.all(key);
    values.iter().filter_map(|value| value.node.as_u64()).min()
}

/// `exclusiveMinimum` is a flag beside `minimum` in 3.0, and a number in 3.1.
fn bound(view: &View<'_>, key: &str, exclusive_key: &str) -> Option<Bound> {
    if let Some(digits) = view
        .get(exclusive_key)
        .and_then(|bound| bound.node.as_number().map(str::to_owned))
    {
        return Some(Bound {
            digits,
            exclusive: true,
        });
    }
    let digits = view.get(key)?.node.as_number()?.to_owned();
    Some(Bound {
        digits,
        exclusive: view.flag(exclusive_key),
    })
}
