//! Lowers schemas to types, each schema once. Equal inline schemas become one type.

use std::borrow::Cow;
use std::collections::HashMap;

use openapi_document::Span;
use openapi_document::pointer::Pointer;
use openapi_document::view::Located;

use super::direction::Direction;
use super::view::{Part, View, is_annotation, target};
use super::{Lowering, context, docs, limits};
use crate::ir::{Docs, Shape, Type, TypeDef, TypeId, Usage};

/// The last word in the name of a type that only requests use.
const REQUEST: &str = "Request";

/// The types lowered so far.
#[derive(Default)]
pub(super) struct Schemas {
    defs: Vec<Option<TypeDef>>,
    states: HashMap<Key, State>,
    interned: HashMap<(Shape, Option<String>), TypeId>,
    depth: usize,
    combinations: usize,
    merges: usize,
    pub(super) properties: usize,
    /// The total length of all rules, in bytes.
    pub(super) rules: usize,
    /// The places of the alternatives of each union. Equal unions from several places share a type.
    branches: HashMap<TypeId, Vec<Vec<Span>>>,
}

/// Identifies a type by the schema objects that it combines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The objects that its schema is the conjunction of.
    members: Vec<(Pointer, bool)>,
    /// Whether it is used in requests, when it is a different type in answers.
    requested: bool,
}

enum State {
    /// In progress; with the type that was reserved if the schema refers to itself.
    Open(Option<TypeId>),
    Done(Box<Usage>),
}

impl Schemas {
    /// Every type; a type that was reserved but never defined holds any value.
    pub(super) fn finish(&mut self) -> Vec<TypeDef> {
        let missing = || TypeDef {
            component: None,
            contexts: vec![vec!["Unknown".to_owned()]],
            docs: Docs::default(),
            shape: Shape::Wrapper(Usage::any()),
            rule: None,
            areas: Vec::new(),
            used: false,
        };
        let defs = std::mem::take(&mut self.defs).into_iter();
        defs.map(|def| {
            let mut def = def.unwrap_or_else(missing);
            def.contexts.sort();
            def.contexts.dedup();
            def
        })
        .collect()
    }

    /// The shape of a type, if it is defined already.
    pub(super) fn shape(&self, id: TypeId) -> Option<&Shape> {
        Some(&self.defs.get(id.0)?.as_ref()?.shape)
    }

    pub(super) fn shapes_mut(&mut self) -> impl Iterator<Item = Option<&mut Shape>> {
        self.defs
            .iter_mut()
            .map(|def| def.as_mut().map(|def| &mut def.shape))
    }

    /// Records the places of the alternatives of a union.
    pub(super) fn note_branches(&mut self, union: &Usage, places: Vec<Span>) {
        if let Some(id) = union.named() {
            self.branches.entry(id).or_default().push(places);
        }
    }

    /// The places of some of the alternatives of a union.
    pub(super) fn branches(&self, union: TypeId, indices: &[usize]) -> Vec<Span> {
        let all = self.branches.get(&union).into_iter().flatten();
        all.flat_map(|places| indices.iter().filter_map(|&index| places.get(index)))
            .copied()
            .collect()
    }

    fn reserve(&mut self) -> TypeId {
        self.defs.push(None);
        TypeId(self.defs.len() - 1)
    }
}

impl<'d> Lowering<'d> {
    /// The type of the schema at one place.
    pub(super) fn usage(&mut self, at: &Located<'d>) -> Usage {
        self.usage_of(&[Part::new(at.clone())])
    }

    /// The type of a value that matches all of several schemas.
    pub(super) fn usage_of(&mut self, parts: &[Part<'d>]) -> Usage {
        if self.schemas.properties > limits::PROPERTIES {
            return Usage::any();
        }
        let mut resolved = Vec::with_capacity(parts.len());
        for part in parts {
            match target(self.document, &part.at) {
                Ok(at) => resolved.push(Part { at, ..part.clone() }),
                Err(error) => {
                    let title = format!("the reference {error}, so any value is taken");
                    self.warn("unresolved-reference", &part.at, title);
                }
            }
        }
        let key = Key {
            members: resolved.iter().map(Part::key).collect(),
            requested: self.is_of_request(&resolved),
        };
        match self.schemas.states.get(&key) {
            Some(State::Done(usage)) => return Usage::clone(usage),
            Some(State::Open(Some(id))) => {
                let id = *id;
                return self.promised(&resolved, id);
            }
            Some(State::Open(None)) => {
                let id = self.schemas.reserve();
                self.schemas.states.insert(key, State::Open(Some(id)));
                return self.promised(&resolved, id);
            }
            None => {}
        }
        if let Some(first) = resolved.first().filter(|_| self.is_one_too_many(&key)) {
            let at = first.at.clone();
            let title = "schemas are combined too many times, so any value is taken";
            self.warn("too-many-combinations", &at, title);
            return Usage::any();
        }
        if self.schemas.depth >= limits::DEPTH {
            let id = self.schemas.reserve();
            let usage = self.promised(&resolved, id);
            let open = State::Open(Some(id));
            self.schemas.states.insert(key.clone(), open);
            self.deferred.push((resolved, key));
            return usage;
        }
        self.schemas.states.insert(key.clone(), State::Open(None));
        let usage = self.lower_open(&resolved, key);
        while self.schemas.depth == 0
            && let Some((parts, key)) = self.deferred.pop()
        {
            self.lower_open(&parts, key);
        }
        usage
    }

    fn lower_open(&mut self, parts: &[Part<'d>], key: Key) -> Usage {
        self.schemas.depth += 1;
        let direction = if key.requested {
            Direction::Request
        } else {
            Direction::Answer
        };
        let before = std::mem::replace(&mut self.direction, direction);
        let usage = self.lower_schema(parts, &key);
        self.direction = before;
        self.schemas.depth -= 1;
        let usage = self.keep_promise(&key, parts, usage);
        let done = State::Done(Box::new(usage.clone()));
        self.schemas.states.insert(key, done);
        usage
    }

    /// Counts a combination of schemas; returns whether it exceeds the limit.
    fn is_one_too_many(&mut self, key: &Key) -> bool {
        if key.members.len() < 2 {
            return false;
        }
        let (count, limit) = if key.members.iter().any(|(_, chosen)| *chosen) {
            (&mut self.schemas.combinations, limits::COMBINATIONS)
        } else {
            (&mut self.schemas.merges, limits::MERGES)
        };
        *count += 1;
        *count > limit
    }

    /// The use of a type that is reserved but not yet defined.
    fn promised(&self, parts: &[Part<'d>], id: TypeId) -> Usage {
        let (view, _) = View::of(self.document, parts);
        let mut usage = Usage::plain(Type::Named(id));
        usage.nullable = view.types().1;
        usage
    }

    /// Gives a name to a type that refers to itself without one, such as a list.
    fn keep_promise(&mut self, key: &Key, parts: &[Part<'d>], usage: Usage) -> Usage {
        let Some(State::Open(Some(id))) = self.schemas.states.get(key) else {
            return usage;
        };
        let id = *id;
        let is_itself = usage.named() == Some(id);
        if is_itself && self.schemas.shape(id).is_some() {
            return usage;
        }
        let nullable = usage.nullable;
        let mut wrapped = usage;
        wrapped.nullable = false;
        if is_itself {
            if let Some(part) = parts.first() {
                let title = "this schema is made of nothing but itself, so any value is taken";
                self.warn("schema-of-itself", &part.at, title);
            }
            wrapped = Usage::any();
        }
        self.schemas.defs[id.0] = Some(self.def(parts.first(), key, Shape::Wrapper(wrapped)));
        Usage {
            nullable,
            ..Usage::plain(Type::Named(id))
        }
    }

    fn lower_schema(&mut self, parts: &[Part<'d>], key: &Key) -> Usage {
        if let [part] = parts
            && let Some(member) = sole_member(part)
        {
            let mut usage = self.usage(&member);
            usage.nullable |=
                part.at.get("nullable").and_then(|flag| flag.node.as_bool()) == Some(true);
            usage.sensitive |= docs::is_sensitive(part.at.node);
            return usage;
        }
        let (view, lost) = View::of(self.document, parts);
        for at in lost {
            self.warn(
                "unresolved-reference",
                &at,
                "the reference leads nowhere and is left out",
            );
        }
        let mut usage = self.lower_view(&view, key);
        usage.nullable |= view.types().1;
        usage.sensitive |= view
            .parts
            .iter()
            .any(|part| docs::is_sensitive(part.at.node));
        usage
    }

    /// Defines the type of a body; such types are never shared.
    pub(super) fn define_body(&mut self, words: Vec<String>, docs: Docs, shape: Shape) -> Usage {
        let id = self.schemas.reserve();
        self.schemas.defs[id.0] = Some(TypeDef {
            component: None,
            contexts: vec![words],
            docs,
            shape,
            rule: None,
            areas: Vec::new(),
            used: false,
        });
        Usage::plain(Type::Named(id))
    }

    /// Defines a type, or finds the type of an equal schema.
    pub(super) fn define(&mut self, view: &View<'d>, key: &Key, shape: Shape) -> Usage {
        let rule = self.rule_of_shape(view, &shape);
        self.define_with(view, key, shape, rule)
    }

    /// Like [`Self::define`], for a type whose values are checked against a rule.
    pub(super) fn define_with(
        &mut self,
        view: &View<'d>,
        key: &Key,
        shape: Shape,
        rule: Option<String>,
    ) -> Usage {
        let promised = match self.schemas.states.get(key) {
            Some(State::Open(promised)) => *promised,
            _ => None,
        };
        let mut def = self.def(view.parts.first(), key, shape);
        def.rule = rule;
        let bare = def.component.is_none();
        let bare = bare.then(|| (docs::without(&def.shape), def.rule.clone()));
        if let (None, Some(bare)) = (promised, &bare)
            && let Some(id) = self.schemas.interned.get(bare)
        {
            if let Some(Some(known)) = self.schemas.defs.get_mut(id.0) {
                known.contexts.extend(def.contexts);
            }
            return Usage::plain(Type::Named(*id));
        }
        let id = promised.unwrap_or_else(|| self.schemas.reserve());
        self.schemas.defs[id.0] = Some(def);
        if let Some(bare) = bare {
            self.schemas.interned.insert(bare, id);
        }
        Usage::plain(Type::Named(id))
    }

    fn def(&self, first: Option<&Part<'d>>, key: &Key, shape: Shape) -> TypeDef {
        let component = match key.members.as_slice() {
            [(pointer, false)] if !key.requested => {
                pointer.component("schemas").map(Cow::into_owned)
            }
            _ => None,
        };
        TypeDef {
            component,
            contexts: vec![self.words(key)],
            docs: first.map(|part| docs::of(part.at.node)).unwrap_or_default(),
            shape,
            rule: None,
            areas: Vec::new(),
            used: false,
        }
    }

    /// Names a conjunction after the type that it is part of, else after its first member.
    fn words(&self, key: &Key) -> Vec<String> {
        let words = |pointer| context::words(self.document, pointer);
        let mut all = match key.members.as_slice() {
            [] => vec!["Unknown".to_owned()],
            [(only, _)] => words(only),
            [(first, _), .., (last, _)] => {
                let mut outer = words(last);
                outer.extend(words(first).pop());
                outer
            }
        };
        if key.requested && !all.iter().any(|word| word == REQUEST) {
            all.push(REQUEST.to_owned());
        }
        all
    }
}

/// The only schema in `allOf`, when no other keyword constrains the value.
fn sole_member<'d>(part: &Part<'d>) -> Option<Located<'d>> {
    let says_nothing_else = part
        .at
        .node
        .entries()
        .filter(|entry| entry.key != "allOf")
        .all(|entry| {
            let alone = openapi_document::Mapping {
                entries: vec![entry.clone()],
            };
            is_annotation(&openapi_document::Node {
                value: openapi_document::Value::Mapping(alone),
                span: part.at.node.span,
            })
        });
    let mut members = part
        .at
        .get("allOf")?
        .items()
        .filter(|member| !is_annotation(member.node))
        .collect::<Vec<_>>();
    (says_nothing_else && members.len() == 1).then(|| members.remove(0))
}
