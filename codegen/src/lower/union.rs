//! `oneOf` and `anyOf`.

use std::collections::{BTreeSet, HashSet};

use openapi_document::diagnostic::Diagnostic;
use openapi_document::view::Located;

use super::rule::Kind;
use super::schema::Key;
use super::view::{Part, View, is_annotation};
use super::{Lowering, context, docs};
use crate::ir::{
    Choice, ChoiceValue, JsonKind, Overlap, Shape, Struct, Tag, Type, Union, Usage, Variant,
};

impl<'d> Lowering<'d> {
    /// The type of a schema with alternatives; `None` for one without.
    pub(super) fn union(&mut self, view: &View<'d>, key: &Key) -> Option<Usage> {
        let mut view = view.clone();
        self.settle_heirs(&mut view);
        let view = &view;
        let mut keywords = view
            .parts
            .iter()
            .enumerate()
            .filter(|(_, part)| !part.chosen)
            .flat_map(|(index, part)| {
                ["oneOf", "anyOf"]
                    .into_iter()
                    .filter_map(move |key| Some((index, part.at.get(key)?)))
            })
            .filter(|(_, alternatives)| alternatives.node.items().next().is_some());
        let (index, alternatives) = keywords.next()?;
        let several = keywords.next();
        if let Some((_, at)) = several {
            let title = "a second set of alternatives is not expressed, so any value is taken";
            self.warn("several-alternatives", &at, title);
            return Some(self.any(view));
        }
        let mut base = view.clone();
        base.parts[index].chosen = true;
        if only_requires(&alternatives) {
            base.parts[index].held = true;
            return Some(self.lower_view(&base, key));
        }
        Some(self.alternatives(view, key, &base, &alternatives))
    }

    /// Marks the alternatives of a base schema as chosen when this schema is one of them.
    fn settle_heirs(&self, view: &mut View<'d>) {
        let Some(own) = view.parts.first().map(|part| part.at.pointer.clone()) else {
            return;
        };
        for part in view.parts.iter_mut().skip(1) {
            let alternatives = [part.at.get("oneOf"), part.at.get("anyOf")];
            let names_own = |branch: &Located<'d>| {
                self.document
                    .resolve(branch)
                    .is_ok_and(|branch| branch.pointer == own)
            };
            part.chosen |= alternatives
                .iter()
                .flatten()
                .any(|alternatives| alternatives.items().any(|branch| names_own(&branch)));
        }
    }

    fn alternatives(
        &mut self,
        view: &View<'d>,
        key: &Key,
        base: &View<'d>,
        alternatives: &Located<'d>,
    ) -> Usage {
        let shared: Vec<Part<'d>> = base
            .parts
            .iter()
            .filter(|part| !is_base_annotation(part))
            .cloned()
            .collect();
        let mut nullable = false;
        let mut count = 0;
        let mut variants: Vec<(Variant, Located<'d>)> = Vec::new();
        for (index, branch) in alternatives.items().enumerate() {
            if is_null(branch.node) {
                nullable = true;
                continue;
            }
            count += 1;
            let mut parts = vec![Part::new(branch.clone())];
            parts.extend(shared.iter().cloned());
            let mut usage = self.usage_of(&parts);
            let takes_null = usage.ty == Type::Any && usage.constraints.rule.is_none();
            nullable |= std::mem::take(&mut usage.nullable) || takes_null;
            let variant = Variant {
                word: word(&branch, index),
                kind: self.kind(&usage, 0),
                usage,
                tags: Vec::new(),
            };
            let same = variants
                .iter()
                .any(|(other, _)| other.usage == variant.usage);
            if !same {
                variants.push((variant, branch));
            }
        }
        let is_one = count == 1 || alternatives.pointer.last().as_deref() == Some("anyOf");
        let mut usage = match variants.as_slice() {
            [] => self.any(view),
            [(only, _)] => {
                if !is_one {
                    let title = "alternatives are alike: values that fit several are taken";
                    let info = Diagnostic::info("alike-alternatives", title);
                    self.diagnostics
                        .push(info.at(alternatives.node.span, "here"));
                }
                only.usage.clone()
            }
            _ => self.merged(view, key, variants, alternatives),
        };
        usage.nullable |= nullable;
        usage
    }

    fn merged(
        &mut self,
        view: &View<'d>,
        key: &Key,
        mut variants: Vec<(Variant, Located<'d>)>,
        alternatives: &Located<'d>,
    ) -> Usage {
        if let Some(choice) = self.merged_choice(&variants) {
            return self.define(view, key, Shape::Choice(choice));
        }
        let tag = view
            .parts
            .iter()
            .find_map(|part| part.at.get("discriminator"))
            .and_then(|discriminator| self.tag(&discriminator, &mut variants))
            .or_else(|| self.implicit_tag(&mut variants));
        let (mut variants, branches): (Vec<_>, Vec<_>) = variants.into_iter().unzip();
        let any_of = alternatives.pointer.last().as_deref() == Some("anyOf");
        let overlap = match &tag {
            Some(_) => Overlap::Apart,
            None => self.overlap(&mut variants, any_of),
        };
        let shape = Shape::Union(Union {
            variants,
            tag,
            overlap,
        });
        let usage = self.define(view, key, shape);
        let places = branches.iter().map(|branch| branch.node.span).collect();
        self.schemas.note_branches(&usage, places);
        usage
    }

    /// Whether several variants may fit one value. A union of the objects of an `anyOf` gets one
    /// more variant, for values that no other variant keeps completely.
    fn overlap(&self, variants: &mut Vec<Variant>, any_of: bool) -> Overlap {
        let same = |a: JsonKind, b: JsonKind| a == b || [a, b].contains(&JsonKind::Any);
        let kind = |variant: &Variant| match variant.kind {
            JsonKind::Loose => JsonKind::Object,
            other => other,
        };
        let kinds: Vec<JsonKind> = variants.iter().map(kind).collect();
        let mut pairs = kinds.iter().enumerate();
        if !pairs.any(|(index, a)| kinds[index + 1..].iter().any(|b| same(*a, *b))) {
            return Overlap::Apart;
        }
        let loses = |variant: &&Variant| {
            let shape = variant.usage.named().and_then(|id| self.schemas.shape(id));
            matches!(shape, Some(Shape::Struct(object)) if object.rest.is_none() && !object.closed)
        };
        if !any_of || variants.iter().filter(loses).count() < 2 {
            return Overlap::Several;
        }
        variants.push(Variant {
            word: "Several".to_owned(),
            usage: Usage::any(),
            tags: Vec::new(),
            kind: JsonKind::Object,
        });
        Overlap::Combined
    }

    /// Merges alternatives that are all enumerations of texts to one enumeration. It is open when
    /// an alternative accepts any text (`anyOf: [{type: string}, {enum: […]}]`).
    fn merged_choice(&self, variants: &[(Variant, Located<'d>)]) -> Option<Choice> {
        let mut seen = HashSet::new();
        let mut values: Vec<ChoiceValue> = Vec::new();
        let mut open = false;
        for (variant, branch) in variants {
            if variant.usage == Usage::plain(Type::Text) {
                open = true;
                continue;
            }
            let Shape::Choice(own) = self.schemas.shape(variant.usage.named()?)? else {
                return None;
            };
            open |= own.open;
            let alone = own.values.len() == 1;
            for value in &own.values {
                if !seen.insert(value.wire.as_str()) {
                    continue;
                }
                let mut value = value.clone();
                if let (true, Ok(branch)) = (alone, self.document.resolve(branch)) {
                    value.docs = docs::of(branch.node);
                }
                values.push(value);
            }
        }
        (!values.is_empty()).then_some(Choice { values, open })
    }

    /// Sets the discriminator values that select each variant.
    fn tag(
        &mut self,
        discriminator: &Located<'d>,
        variants: &mut [(Variant, Located<'d>)],
    ) -> Option<Tag> {
        let default = self.default_variant(discriminator, variants);
        let property = discriminator.node.get("propertyName")?.as_str()?.to_owned();
        let mapping = discriminator.get("mapping");
        let mut taken: BTreeSet<String> = mapping
            .iter()
            .flat_map(|mapping| mapping.node.entries())
            .map(|entry| entry.key.clone())
            .collect();
        let called: Vec<Option<&str>> = variants
            .iter()
            .map(|(_, branch)| branch.node.reference()?.rsplit('/').next())
            .collect();
        for (index, (variant, branch)) in variants.iter_mut().enumerate() {
            let (reference, name) = (branch.node.reference(), called[index]);
            let explicit = mapping.iter().flat_map(|mapping| mapping.node.entries());
            let names = |target: &str| Some(target) == reference || Some(target) == name;
            variant.tags = explicit
                .filter(|entry| entry.value.as_str().is_some_and(names))
                .map(|entry| entry.key.clone())
                .collect();
            if variant.tags.is_empty() {
                // What its own schema allows there is more than the name it would have by default.
                let own = self.own_tags(&variant.usage, &property);
                // It tells nothing apart where it allows the names of others, too.
                let alone = |tags: &Vec<String>| {
                    let others = tags.iter().filter(|tag| Some(tag.as_str()) != name);
                    let mut others = others.map(|tag| Some(tag.as_str()));
                    tags.len() == 1 || !others.any(|tag| called.contains(&tag))
                };
                let own = own.filter(|tags| tags.iter().all(|tag| !taken.contains(tag)));
                let named = || name.filter(|name| !taken.contains(*name));
                let named = || named().map(str::to_owned).into_iter().collect();
                variant.tags = own.filter(alone).unwrap_or_else(named);
                taken.extend(variant.tags.iter().cloned());
            }
            variant.tags.sort();
            if default == Some(index) {
                continue;
            }
            if variant.tags.is_empty() || !self.has_tag(&variant.usage, &property, 0) {
                let title =
                    format!("this alternative has no `{property}`, so its shape tells it apart");
                self.warn("alternative-without-tag", branch, title);
                return None;
            }
        }
        Some(Tag { property, default })
    }

    /// The variant that `defaultMapping` (3.2) names for values without a known tag.
    fn default_variant(
        &mut self,
        discriminator: &Located<'d>,
        variants: &[(Variant, Located<'d>)],
    ) -> Option<usize> {
        let at = discriminator.get("defaultMapping")?;
        let target = at.node.as_str();
        let named = |(_, branch): &(Variant, Located<'d>)| {
            let reference = branch.node.reference();
            let name = reference.and_then(|reference| reference.rsplit('/').next());
            target.is_some() && (target == reference || target == name)
        };
        let found = variants.iter().position(named);
        if found.is_none() {
            let title = "`defaultMapping` names no alternative: a value of another tag is refused";
            self.warn("keyword-not-expressed", &at, title);
        }
        found
    }

    /// Finds a property that distinguishes the alternatives without a `discriminator`: every
    /// alternative requires it, and no two of them allow the same value.
    fn implicit_tag(&self, variants: &mut [(Variant, Located<'d>)]) -> Option<Tag> {
        let structs = variants
            .iter()
            .map(
                |(variant, _)| match self.schemas.shape(variant.usage.named()?)? {
                    Shape::Struct(object) => Some(object),
                    _ => None,
                },
            )
            .collect::<Option<Vec<_>>>()?;
        let mut candidates = structs.first()?.fields.iter().map(|field| &field.wire);
        let (property, values) = candidates.find_map(|wire| {
            let strict = |object: &&&Struct| !object.loose;
            let of = |object: &&Struct| self.fixed_values(Some(object).filter(strict)?, wire);
            let values = structs.iter().map(of).collect::<Option<Vec<_>>>()?;
            let mut all: Vec<&String> = values.iter().flatten().collect();
            all.sort();
            let disjoint = all.windows(2).all(|pair| pair[0] != pair[1]);
            disjoint.then(|| (wire.clone(), values))
        })?;
        for ((variant, _), tags) in variants.iter_mut().zip(values) {
            variant.tags = tags;
        }
        Some(Tag {
            property,
            default: None,
        })
    }

    /// The values that an object itself allows for its discriminator.
    fn own_tags(&self, usage: &Usage, property: &str) -> Option<Vec<String>> {
        match self.schemas.shape(usage.named()?)? {
            Shape::Struct(object) => self.fixed_values(object, property),
            Shape::Union(union) => {
                let tag = union.tag.as_ref();
                tag.filter(|tag| tag.property == property)?;
                let tags = union.variants.iter().flat_map(|variant| &variant.tags);
                Some(tags.cloned().collect())
            }
            _ => None,
        }
    }

    /// The values of a required property that is a closed enumeration.
    fn fixed_values(&self, object: &Struct, wire: &str) -> Option<Vec<String>> {
        let field = object.fields.iter().find(|field| field.wire == wire)?;
        let id = field.usage.named();
        let id = id.filter(|_| field.required || object.loose)?;
        match self.schemas.shape(id)? {
            Shape::Choice(choice) if !choice.open => Some(
                choice
                    .values
                    .iter()
                    .map(|value| value.wire.clone())
                    .collect(),
            ),
            _ => None,
        }
    }

    /// Whether every value of the type can have the property. Assumes so for types that are not
    /// defined yet.
    fn has_tag(&self, usage: &Usage, property: &str, depth: usize) -> bool {
        let Some(id) = usage.named() else {
            return false;
        };
        match self.schemas.shape(id) {
            Some(Shape::Struct(object)) => {
                (object.rest.is_some() && !object.loose)
                    || object.fields.iter().any(|field| field.wire == property)
            }
            Some(Shape::Union(union)) => {
                let mut variants = union.variants.iter();
                depth < 8
                    && variants.all(|variant| self.has_tag(&variant.usage, property, depth + 1))
            }
            Some(Shape::Choice(_) | Shape::Wrapper(_) | Shape::Parts(_) | Shape::Events(_)) => {
                false
            }
            None => true,
        }
    }

    /// The kind of JSON value that a type reads.
    pub(super) fn kind(&self, usage: &Usage, depth: usize) -> JsonKind {
        match &usage.ty {
            Type::Bool => JsonKind::Bool,
            Type::Int32 | Type::Int64 | Type::Uint64 | Type::Number => JsonKind::Number,
            Type::Text
            | Type::Decimal
            | Type::Date
            | Type::Timestamp
            | Type::Uuid
            | Type::JsonText(_) => JsonKind::Text,
            Type::Bytes | Type::File | Type::Any => JsonKind::Any,
            Type::List(_) => JsonKind::List,
            Type::Map(_) => JsonKind::Object,
            Type::Named(id) => match self.schemas.shape(*id) {
                Some(Shape::Struct(object)) if object.loose => JsonKind::Loose,
                Some(Shape::Struct(_)) => JsonKind::Object,
                Some(Shape::Choice(_)) => JsonKind::Text,
                Some(Shape::Wrapper(inner)) if depth < 8 => self.kind(inner, depth + 1),
                Some(Shape::Union(union)) => {
                    let mut kinds = union.variants.iter().map(|variant| variant.kind);
                    let first = kinds.next().unwrap_or(JsonKind::Any);
                    if kinds.all(|kind| kind == first) {
                        first
                    } else {
                        JsonKind::Any
                    }
                }
                _ => JsonKind::Any,
            },
        }
    }

    /// A value of one of several JSON types (3.1).
    pub(super) fn of_kinds(&mut self, view: &View<'d>, key: &Key, kinds: &[&str]) -> Usage {
        let mut variants: Vec<Variant> = Vec::new();
        for kind in kinds {
            if *kind == "integer" && kinds.contains(&"number") {
                continue;
            }
            // A struct or an enumeration among them would need a second place in the document.
            let usage = match *kind {
                "string" => self.bounded(view, Type::Text),
                "object" => Usage::plain(Type::Map(Box::new(Usage::any()))),
                other => self.of_kind(view, key, other),
            };
            variants.push(Variant {
                word: (*kind).to_owned(),
                kind: self.kind(&usage, 0),
                usage,
                tags: Vec::new(),
            });
        }
        if let [only] = variants.as_slice() {
            return only.usage.clone();
        }
        let rule = self.rule(view, Kind::Several);
        let shape = Shape::Union(Union {
            variants,
            tag: None,
            overlap: Overlap::Apart,
        });
        self.define_with(view, key, shape, rule)
    }
}

/// A name for an alternative: the name of its component, its title or its type.
fn word(branch: &Located<'_>, index: usize) -> String {
    let text = |key: &str| {
        branch
            .node
            .get(key)
            .and_then(openapi_document::Node::as_str)
    };
    let name = branch
        .node
        .reference()
        .and_then(|reference| reference.rsplit('/').next());
    let kind = text("type").filter(|kind| *kind != "object");
    name.or_else(|| text("title"))
        .or_else(|| context::telling_value(branch.node))
        .or_else(|| text("format"))
        .or(kind)
        .map_or_else(|| format!("Variant{}", index + 1), str::to_owned)
}

fn is_null(node: &openapi_document::Node) -> bool {
    let only_null = |values: &openapi_document::Node| {
        values.as_sequence().is_some_and(|items| !items.is_empty())
            && values.items().all(openapi_document::Node::is_null)
    };
    node.get("type").and_then(openapi_document::Node::as_str) == Some("null")
        || node.get("enum").is_some_and(only_null)
}

/// Whether the alternatives only differ in what they require.
fn only_requires(alternatives: &Located<'_>) -> bool {
    let only_required = |branch: &Located<'_>| {
        let mut keys = branch.node.entries().map(|entry| entry.key.as_str());
        let requires = branch.node.get("required").is_some() || branch.node.get("not").is_some();
        requires
            && keys.all(|key| matches!(key, "required" | "not" | "title" | "description" | "type"))
    };
    alternatives.items().all(|branch| only_required(&branch))
}

/// Whether the schema has no constraints besides its alternatives.
fn is_base_annotation(part: &Part<'_>) -> bool {
    let mut node = part.at.node.clone();
    if let openapi_document::Value::Mapping(mapping) = &mut node.value {
        mapping.entries.retain(|entry| {
            !matches!(
                entry.key.as_str(),
                "allOf" | "oneOf" | "anyOf" | "discriminator"
            )
        });
    }
    is_annotation(&node)
}
