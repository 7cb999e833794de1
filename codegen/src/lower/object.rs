//! Objects, lists, and which of all kinds a schema is.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::EXTENDED;
use openapi_document::diagnostic::Diagnostic;
use openapi_document::view::Located;

use super::rule::{Kind, declares_more};
use super::schema::Key;
use super::view::{Part, View, is_annotation};
use super::{Lowering, docs, limits};
use crate::ir::{Choice, Docs, Field, Shape, Struct, Type, Usage};

impl<'d> Lowering<'d> {
    /// The type of a conjunction.
    pub(super) fn lower_view(&mut self, view: &View<'d>, key: &Key) -> Usage {
        if let Some(usage) = self.union(view, key) {
            return usage;
        }
        for keyword in ["$dynamicRef", "$recursiveRef"] {
            if let Some(at) = view.get(keyword) {
                let title = format!("`{keyword}` is not followed, so any value is taken");
                self.warn("keyword-not-expressed", &at, title);
            }
        }
        match self.kinds(view).as_slice() {
            [] => self.any(view),
            [kind] => self.of_kind(view, key, kind),
            kinds => self.of_kinds(view, key, kinds),
        }
    }

    /// The JSON types a value may have; none where any will do.
    fn kinds(&mut self, view: &View<'d>) -> Vec<&'d str> {
        let (types, _) = view.types();
        if let Some(types) = types {
            if types.is_empty()
                && let Some(at) = view.get("type")
                && at.node.as_str() != Some("null")
            {
                let title = "the members of `allOf` have no type in common, so any value is taken";
                self.warn("contradicting-types", &at, title);
            }
            return types;
        }
        if self.exact {
            return Vec::new();
        }
        if view.get("properties").is_some() {
            self.tell_of_inference(view);
            return vec!["object"];
        }
        let values = view.get("enum").or_else(|| view.get("x-extensible-enum"));
        let all_text =
            values.is_some_and(|values| values.node.items().all(|value| value.as_str().is_some()));
        let constant = view.get("const");
        if all_text || constant.is_some_and(|value| value.node.as_str().is_some()) {
            return vec!["string"];
        }
        Vec::new()
    }

    /// Reports a schema that means objects, it seems, and allows any value.
    fn tell_of_inference(&mut self, view: &View<'d>) {
        if let Some(at) = view.get("properties") {
            let title = "properties without a `type`: other values than objects are kept, nothing is required";
            let info = Diagnostic::info("type-inferred", title).at(at.node.span, "here");
            let help = "write `type: object`, in an overlay where the document is not yours";
            self.diagnostics.push(info.help(help));
        }
    }

    pub(super) fn of_kind(&mut self, view: &View<'d>, key: &Key, kind: &str) -> Usage {
        match kind {
            "string" => match view.get("const") {
                Some(value) if value.node.as_str().is_some() => self.constant(view, key, &value),
                _ => self.text(view, key),
            },
            "integer" => self.number(view, true),
            "number" => self.number(view, false),
            "boolean" => self.bounded(view, Type::Bool),
            "array" => self.list(view),
            "object" => self.object(view, key),
            other => {
                if let Some(at) = view.get("type") {
                    let title = format!("there is no type `{other}`, so any value is taken");
                    self.warn("unknown-type", &at, title);
                }
                self.any(view)
            }
        }
    }

    fn constant(&mut self, view: &View<'d>, key: &Key, value: &Located<'d>) -> Usage {
        let wire = value.node.as_str().unwrap_or_default().to_owned();
        let values = vec![crate::ir::ChoiceValue {
            wire,
            docs: crate::ir::Docs::default(),
        }];
        let shape = Shape::Choice(Choice {
            values,
            open: false,
        });
        self.define(view, key, shape)
    }

    fn list(&mut self, view: &View<'d>) -> Usage {
        // `items` are those after the first ones.
        let is_uniform = view.get("prefixItems").is_none();
        let items = view.all("items").into_iter().filter(|_| is_uniform);
        let items: Vec<Part<'d>> = items.map(Part::new).collect();
        let item = match items.first().map(|item| item.at.clone()) {
            None => Usage::any(),
            Some(at) => {
                let item = self.usage_of(&items);
                self.within(&at, item)
            }
        };
        self.bounded(view, Type::List(Box::new(item)))
    }

    /// What stands in a list or a map, unless that is the innermost of too many.
    fn within(&mut self, at: &Located<'d>, usage: Usage) -> Usage {
        if nesting(&usage.ty) < limits::NESTING {
            return usage;
        }
        let title = "lists are nested too deep here, so any value is taken";
        self.warn("nested-too-deep", at, title);
        Usage::any()
    }

    fn object(&mut self, view: &View<'d>, key: &Key) -> Usage {
        let mut fields = self.fields(view, Self::field_usage);
        let rest = self.rest(view, fields.is_empty());
        if fields.is_empty()
            && let Some(value) = rest
        {
            return self.bounded(view, Type::Map(Box::new(value)));
        }
        let closes = |part: &Part<'d>| {
            let additional = part.at.get("additionalProperties");
            additional.is_some_and(|own| own.node.as_bool() == Some(false))
                && !declares_more(view, part)
        };
        let patterned = view.get("patternProperties").is_some();
        let closed = !patterned && view.parts.iter().any(closes);
        let loose = view.types().0.is_none();
        if loose {
            // Only of objects is a property required, and of those the rule asks it.
            for field in &mut fields {
                field.required = false;
            }
        }
        let kind = if loose { Kind::Loose } else { Kind::Object };
        let rule = self.rule(view, kind);
        // What a rule asks of properties that are not declared has to be there, and so has what
        // others add to a schema that is there to be extended.
        let extended = view.get(EXTENDED).is_some();
        let keeps = !closed && (self.exact || loose || extended || rule.is_some());
        let rest = rest.or_else(|| keeps.then(Usage::any));
        let shape = Shape::Struct(Struct {
            fields,
            closed: closed && rest.is_none(),
            rest,
            loose,
        });
        self.define_with(view, key, shape, rule)
    }

    /// The fields of an object, their usages made of their descriptions by `usage`.
    pub(super) fn fields(
        &mut self,
        view: &View<'d>,
        usage: fn(&mut Self, &[Part<'d>]) -> Usage,
    ) -> Vec<Field> {
        let mut properties: BTreeMap<&'d str, Vec<Part<'d>>> = BTreeMap::new();
        for all in view.all("properties") {
            for (entry, schema) in all.entries() {
                let parts = properties.entry(entry.key.as_str()).or_default();
                parts.push(Part::new(schema));
            }
        }
        if self.is_too_large(view, properties.len()) {
            return Vec::new();
        }
        let (required, undeclared) = self.required(view, &properties);
        let field = |(wire, parts): (&str, Vec<Part<'d>>)| {
            let optional = self.is_of_other_direction(&parts);
            let nodes: Vec<_> = parts.iter().map(|part| part.at.node).collect();
            let parts = telling(parts);
            let mut usage = usage(self, &parts);
            usage.sensitive |= nodes.iter().any(|node| docs::is_sensitive(node));
            Field {
                wire: wire.to_owned(),
                usage,
                required: required.contains(wire) && !optional,
                media_type: None,
                docs: nodes.last().map(|node| docs::of(node)).unwrap_or_default(),
            }
        };
        let declared: Vec<Field> = properties.into_iter().map(field).collect();
        with_undeclared(view, declared, &undeclared)
    }

    /// Counts the properties of an object; too many of them all together are an error.
    fn is_too_large(&mut self, view: &View<'d>, properties: usize) -> bool {
        let before = self.schemas.properties;
        self.schemas.properties += properties;
        if self.schemas.properties <= limits::PROPERTIES {
            return false;
        }
        if let Some(first) = view.parts.first().filter(|_| before <= limits::PROPERTIES) {
            let title = format!(
                "the objects up to here have over {} properties",
                limits::PROPERTIES
            );
            let error = Diagnostic::error("too-many-properties", title)
                .at(first.at.node.span, "this object is one too many")
                .help("each member of `allOf` brings its own: write fewer of them into each other");
            self.diagnostics.push(error);
        }
        true
    }

    fn field_usage(&mut self, parts: &[Part<'d>]) -> Usage {
        self.usage_of(parts)
    }

    fn required(
        &mut self,
        view: &View<'d>,
        properties: &BTreeMap<&'d str, Vec<Part<'d>>>,
    ) -> (BTreeSet<&'d str>, BTreeSet<&'d str>) {
        let mut required = BTreeSet::new();
        let mut undeclared = BTreeSet::new();
        for list in view.all("required") {
            for name in list.items() {
                match name.node.as_str() {
                    Some(text) if properties.contains_key(text) => {
                        required.insert(text);
                    }
                    Some(text) => {
                        undeclared.insert(text);
                        let title = format!(
                            "`{text}` is required but no property is called so: it may be any value"
                        );
                        self.warn("required-undeclared", &name, title);
                    }
                    None => {}
                }
            }
        }
        (required, undeclared)
    }

    /// What the values under other names are, where they are kept.
    fn rest(&mut self, view: &View<'d>, nameless: bool) -> Option<Usage> {
        let patterned = view.get("patternProperties").is_some();
        let mut free = patterned || (nameless && !is_closed(view));
        let mut schemas = Vec::new();
        for additional in view.all("additionalProperties") {
            match additional.node.as_bool() {
                Some(allowed) => free |= allowed,
                None if additional
                    .node
                    .as_mapping()
                    .is_some_and(|map| map.entries.is_empty()) =>
                {
                    free = true;
                }
                None => schemas.push(Part::new(additional)),
            }
        }
        if let Some(at) = schemas
            .first()
            .filter(|_| !patterned)
            .map(|first| first.at.clone())
        {
            let value = self.usage_of(&schemas);
            return Some(self.within(&at, value));
        }
        free |= self.has_heirs(view);
        free.then(Usage::any)
    }

    /// A schema with a discriminator and no alternatives is what others are made of with `allOf`:
    /// the properties of those must not be lost.
    fn has_heirs(&mut self, view: &View<'d>) -> bool {
        let Some(discriminator) = view
            .parts
            .first()
            .filter(|part| !part.chosen)
            .and_then(|part| part.at.get("discriminator"))
        else {
            return false;
        };
        self.warn(
            "discriminator-without-alternatives",
            &discriminator,
            "the heirs of this schema are read as this schema with further properties",
        );
        true
    }
}

/// Fields for the properties that are required but not declared.
fn with_undeclared(view: &View<'_>, mut fields: Vec<Field>, names: &BTreeSet<&str>) -> Vec<Field> {
    if is_closed(view) || view.get("patternProperties").is_some() {
        return fields;
    }
    fields.extend(names.iter().map(|name| Field {
        wire: (*name).to_owned(),
        usage: Usage::any(),
        required: false,
        media_type: None,
        docs: Docs::default(),
    }));
    fields.sort_by(|a, b| a.wire.cmp(&b.wire));
    fields
}

/// The number of lists and maps that are nested directly.
fn nesting(ty: &Type) -> usize {
    match ty {
        Type::List(inner) | Type::Map(inner) => 1 + nesting(&inner.ty),
        _ => 0,
    }
}

fn is_closed(view: &View<'_>) -> bool {
    view.all("additionalProperties")
        .iter()
        .any(|additional| additional.node.as_bool() == Some(false))
}

/// Of several descriptions of a property those that say something about its value.
fn telling(parts: Vec<Part<'_>>) -> Vec<Part<'_>> {
    if parts.len() == 1 {
        return parts;
    }
    let (telling, mute): (Vec<_>, Vec<_>) = parts
        .into_iter()
        .partition(|part| !is_annotation(part.at.node) || part.at.node.get("type").is_some());
    if telling.is_empty() { mute } else { telling }
}
