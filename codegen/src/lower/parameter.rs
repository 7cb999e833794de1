//! Parameters.

use std::collections::BTreeSet;

use openapi_document::view::{
    Located, Location, MediaType, Operation as Source, Parameter as SourceParameter,
};

use super::example::sorted;
use super::{Lowering, docs};
use crate::ir::{JsonKind, Parameter, Shape, Style, Type, Usage};

/// Headers that the specification says are not parameters.
const NOT_PARAMETERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// Where in the path a parameter stands; no parameter of another place has one.
fn place(path: &str, parameter: &Parameter) -> Option<usize> {
    let in_path = parameter.location == Location::Path;
    in_path.then(|| path.find(&format!("{{{}}}", parameter.wire)))?
}

impl<'d> Lowering<'d> {
    /// The parameters of an operation: those of the path in its order, the others by where they
    /// travel, each in the order of the document.
    pub(super) fn parameters(&mut self, source: &Source<'d>) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for parameter in source.parameters() {
            let ignored = NOT_PARAMETERS
                .iter()
                .any(|name| parameter.name.eq_ignore_ascii_case(name));
            if parameter.location == Location::Header && ignored {
                continue;
            }
            if parameter.name.is_empty() {
                self.warn(
                    "parameter-without-name",
                    &parameter.at,
                    "a parameter has no name",
                );
                continue;
            }
            parameters.push(self.parameter(&parameter));
        }
        parameters.sort_by_key(|parameter| (parameter.location, place(source.path, parameter)));
        let mut headers = BTreeSet::new();
        parameters.retain(|parameter| {
            parameter.location != Location::Header
                || headers.insert(parameter.wire.to_ascii_lowercase())
        });
        parameters
    }

    fn parameter(&mut self, source: &SourceParameter<'d>) -> Parameter {
        // JSON is written as a text, which looks the same in every style.
        let json = source.content().iter().any(MediaType::is_json);
        let usage = match source.schema() {
            Some(schema) => self.usage(&schema),
            None => Usage::plain(Type::Text),
        };
        let usage = if json {
            Usage::plain(Type::JsonText(Box::new(usage)))
        } else {
            self.as_parameter(&source.at, usage)
        };
        let style = self.style(source.style(), &source.at, source.location);
        if style != Style::DeepObject && self.is_nested(&usage) {
            let title = format!(
                "no style but `deepObject` has a text for what is nested in `{}`; such a value is \
                 refused when it is sent",
                source.name
            );
            self.warn("parameter-nested", &source.at, title);
        }
        Parameter {
            wire: source.name.to_owned(),
            location: source.location,
            required: source.required() || source.location == Location::Path,
            kind: self.kind(&usage, 0),
            style,
            explode: source.explode(),
            allow_reserved: source
                .at
                .node
                .get("allowReserved")
                .and_then(openapi_document::Node::as_bool)
                == Some(true),
            example: self
                .parameter_example(source)
                .map(|value| sorted(value.node).to_json()),
            docs: docs::of(source.at.node),
            usage,
        }
    }

    /// Whether an item or a property is a list or an object itself.
    fn is_nested(&self, usage: &Usage) -> bool {
        let is_compound = |usage: &Usage| {
            let kind = self.kind(usage, 0);
            matches!(kind, JsonKind::List | JsonKind::Object | JsonKind::Loose)
        };
        match &usage.ty {
            Type::List(inner) | Type::Map(inner) => is_compound(inner),
            Type::Named(id) => match self.schemas.shape(*id) {
                Some(Shape::Struct(object)) => {
                    object.fields.iter().any(|field| is_compound(&field.usage))
                }
                Some(Shape::Wrapper(inner)) => match &inner.ty {
                    Type::List(inner) | Type::Map(inner) => is_compound(inner),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    /// The first example of a parameter, or of its schema.
    pub(super) fn parameter_example(&self, source: &SourceParameter<'d>) -> Option<Located<'d>> {
        let own = source
            .examples()
            .into_iter()
            .min_by_key(|example| example.key);
        let of_schema = || {
            let schema = self.document.resolve(&source.schema()?).ok()?;
            let several = schema.get("examples").and_then(|all| all.items().next());
            schema.get("example").or(several)
        };
        own.map(|example| example.value).or_else(of_schema)
    }

    pub(super) fn style(&mut self, word: &str, at: &Located<'d>, location: Location) -> Style {
        match word {
            "simple" => Style::Simple,
            "form" => Style::Form,
            "spaceDelimited" => Style::SpaceDelimited,
            "pipeDelimited" => Style::PipeDelimited,
            "deepObject" => Style::DeepObject,
            "label" => Style::Label,
            "matrix" => Style::Matrix,
            other => {
                let title = format!("there is no style `{other}`; the usual one is taken");
                self.warn("unknown-style", at, title);
                match location {
                    Location::Path | Location::Header => Style::Simple,
                    Location::Query | Location::Cookie => Style::Form,
                }
            }
        }
    }

    /// The type of a parameter: text, with a warning, when its values have no text form.
    pub(super) fn as_parameter(&mut self, at: &Located<'d>, usage: Usage) -> Usage {
        if self.text_form(&usage.ty, 0) {
            Usage {
                nullable: false,
                ..usage
            }
        } else {
            let title = "values of this parameter are taken as text";
            self.warn("parameter-taken-as-text", at, title);
            Usage::plain(Type::Text)
        }
    }

    fn text_form(&self, ty: &Type, depth: usize) -> bool {
        match ty {
            Type::Any | Type::Bytes | Type::File => false,
            Type::Named(id) => match self.schemas.shape(*id) {
                Some(Shape::Wrapper(inner)) => depth < 4 && self.text_form(&inner.ty, depth + 1),
                _ => true,
            },
            Type::List(inner) | Type::Map(inner) => {
                depth < 4 && self.text_form(&inner.ty, depth + 1)
            }
            _ => true,
        }
    }
}
