//! How a structure is put together: one method for each property.
//!
//! Optional properties have methods on the structure itself. Required ones have methods on a
//! builder, whose `build` compiles once all of them have a value.

use std::fmt::Write;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::source::Source;
use super::structure::{Presence, presence};
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{Field, Shape, Struct, Type, TypeId, Usage};

/// With more required properties than this a struct expression is clearer than a builder, and it
/// compiles faster: the builder has as many functions, each with as many type parameters.
const MOST_METHODS: usize = 16;

/// A property of a structure.
struct Member<'a> {
    field: &'a Field,
    name: Ident,
    /// The type without what shows that there is no value.
    ty: TokenStream,
    presence: Presence,
}

impl Member<'_> {
    fn required(&self) -> bool {
        self.field.required
    }

    /// The type that a required property has in the structure.
    fn held(&self) -> TokenStream {
        let ty = &self.ty;
        match self.presence {
            Presence::OrNull => quote! { Option<#ty> },
            _ => ty.clone(),
        }
    }
}

impl Emitter<'_> {
    /// How values of a structure are made: `new` for one required property, a builder for any, and
    /// a method for each optional property of what goes into a request.
    pub(super) fn making(&self, id: TypeId, object: &Struct, source: &mut Source) {
        let members = self.members_of(id, object, source);
        let required: Vec<&Member<'_>> = members.iter().filter(|one| one.required()).collect();
        let rest = self.rest_of(id, object);
        if let [one] = required.as_slice() {
            self.constructor(id, one, &members, rest.as_ref(), source);
        }
        if required.len() > MOST_METHODS {
            self.required_struct(id, &members, rest.as_ref(), source);
        } else if self.has_builder(id) {
            self.builder(id, object, &members, source);
        }
        if self.reach.is_requested(id) {
            self.chained(id, &members, source);
        }
    }

    /// What makes values of a type with several required properties, or of one that is requested.
    pub(super) fn has_builder(&self, id: TypeId) -> bool {
        let count = self.api.types[id.0].shape.required();
        let least = if self.reach.is_requested(id) { 1 } else { 2 };
        (least..=MOST_METHODS).contains(&count)
    }

    /// The types beside a model that help to make it.
    pub(super) fn helper(&self, id: TypeId) -> Option<&str> {
        let many = self.api.types[id.0].shape.required() > MOST_METHODS;
        (many || self.has_builder(id)).then(|| self.names.of(id).builder.as_str())
    }

    fn members_of<'o>(
        &self,
        id: TypeId,
        object: &'o Struct,
        source: &mut Source,
    ) -> Vec<Member<'o>> {
        let parts = matches!(self.api.types[id.0].shape, Shape::Parts(_));
        let named = object.fields.iter().zip(&self.names.of(id).members);
        let member = |(field, name): (&'o Field, &String)| Member {
            field,
            name: ident(name),
            ty: self.ty(&field.usage, From::Models, source),
            presence: match presence(&field.usage, field.required) {
                // A part has no `null`.
                Presence::OrNull if parts => Presence::Always,
                Presence::OptionalOrNull if parts => Presence::Optional,
                other => other,
            },
        };
        named.map(member).collect()
    }

    /// The field of further properties, without any.
    fn rest_of(&self, id: TypeId, object: &Struct) -> Option<TokenStream> {
        object.rest.as_ref().map(|_| {
            let rest = ident(&self.names.of(id).rest);
            quote! { #rest: BTreeMap::new(), }
        })
    }

    fn constructor(
        &self,
        id: TypeId,
        one: &Member<'_>,
        members: &[Member<'_>],
        rest: Option<&TokenStream>,
        source: &mut Source,
    ) {
        let name = ident(&self.names.of(id).name);
        let (argument, value) = argument(one);
        let own = &one.name;
        let others = members.iter().filter(|one| !one.required()).map(absent);
        let is_taken_as_it_is = *own == value.to_string();
        let field = if is_taken_as_it_is {
            quote! { #own }
        } else {
            quote! { #own: #value }
        };
        source.item(quote! {
            impl #name {
                /// A value with its required property.
                pub fn new(#own: #argument) -> Self {
                    Self { #field, #(#others)* #rest }
                }
            }
        });
    }

    fn builder(&self, id: TypeId, object: &Struct, members: &[Member<'_>], source: &mut Source) {
        let names = self.names.of(id);
        source.import("crate::runtime", "builder");
        let required: Vec<&Member<'_>> = members.iter().filter(|one| one.required()).collect();
        let rows = required.iter().map(|one| {
            let mut methods = String::new();
            for method in self.methods(one, &required, &["build", "clone"], source) {
                let Method { name, mode, types } = method;
                let wire = &one.field.wire;
                let _ = writeln!(methods, "            {wire:?} => {name} {mode} [{types}];");
            }
            let (name, param) = (&one.name, self.parameter_of(one));
            let held = spelled(&one.held());
            format!("        {name} {param} [{held}] {{\n{methods}        }}\n")
        });
        let rows: String = rows.collect();
        let others = members.iter().filter(|one| !one.required());
        let mut absent: Vec<String> = others.map(|one| one.name.to_string()).collect();
        absent.extend(object.rest.as_ref().map(|_| names.rest.clone()));
        let (name, builder) = (ident(&names.name), ident(&names.builder));
        let absent = absent.join(" ");
        source.table(format!(
            "crate::builder! {{\n    {name} {builder} {{\n{rows}    }} absent {{ {absent} }}\n}}\n"
        ));
    }

    /// The methods that give a property its value.
    fn methods(
        &self,
        one: &Member<'_>,
        all: &[&Member<'_>],
        taken: &[&str],
        source: &mut Source,
    ) -> Vec<Method> {
        let plain = one.presence == Presence::OrNull || is_plain(&one.field.usage);
        let ty = if one.required() {
            one.held()
        } else {
            one.ty.clone()
        };
        let mut methods = vec![Method {
            name: method(&one.name, taken),
            mode: if plain { "plain" } else { "into" },
            types: spelled(&ty),
        }];
        methods.extend(self.nested(one, all, source));
        methods
    }

    /// The type parameter of a required property.
    fn parameter_of(&self, member: &Member<'_>) -> Ident {
        let name = format!("T{}", crate::names::camel(&member.field.wire));
        let taken = self.names.types.iter().any(|known| known.name == name);
        if taken {
            format_ident!("{name}Property")
        } else {
            ident(&name)
        }
    }

    /// A struct of the required properties, and the value that comes of it.
    fn required_struct(
        &self,
        id: TypeId,
        members: &[Member<'_>],
        rest: Option<&TokenStream>,
        source: &mut Source,
    ) {
        let names = self.names.of(id);
        let (name, helper) = (ident(&names.name), ident(&names.builder));
        let required: Vec<&Member<'_>> = members.iter().filter(|one| one.required()).collect();
        let fields: Vec<&Ident> = required.iter().map(|one| &one.name).collect();
        let comments = required
            .iter()
            .map(|one| docs::of_part(&one.field.docs, &one.field.wire, &one.name.to_string()));
        let types = required.iter().map(|one| one.held());
        let others = members.iter().filter(|one| !one.required()).map(absent);
        let comment = docs::plain(&format!("The required properties of a [`{}`].", names.name));
        source.item(quote! {
            #comment
            #[derive(Clone, Debug)]
            pub struct #helper { #(#comments pub #fields: #types,)* }
        });
        source.item(quote! {
            impl #name {
                /// A value with its required properties.
                pub fn new(required: #helper) -> Self {
                    Self { #(#fields: required.#fields,)* #(#others)* #rest }
                }
            }
        });
    }

    /// A method for each optional property.
    fn chained(&self, id: TypeId, members: &[Member<'_>], source: &mut Source) {
        let all: Vec<&Member<'_>> = members.iter().collect();
        let mut rows = String::new();
        for one in members.iter().filter(|one| !one.required()) {
            for method in self.methods(one, &all, METHODS, source) {
                let Method { name, mode, types } = method;
                let (wire, field) = (&one.field.wire, &one.name);
                let _ = writeln!(rows, "        {wire:?} => {name} {field} {mode} [{types}];");
            }
        }
        if !rows.is_empty() {
            let name = ident(&self.names.of(id).name);
            source.table(format!(
                "crate::setters! {{\n    {name} {{\n{rows}    }}\n}}\n"
            ));
        }
    }

    /// The method that makes a nested structure in place, so that its type need not be named.
    fn nested(
        &self,
        one: &Member<'_>,
        members: &[&Member<'_>],
        source: &mut Source,
    ) -> Option<Method> {
        let usage = &one.field.usage;
        let id = usage.named().filter(|_| !usage.sensitive)?;
        let method = format!("{}_with", one.name.to_string().trim_start_matches("r#"));
        if one.presence == Presence::OrNull || members.iter().any(|other| other.name == method) {
            return None;
        }
        let (names, held) = (self.names.of(id), spelled(&one.ty));
        let made = ident(&names.name);
        let types = match &self.api.types[id.0].shape {
            Shape::Struct(_) if self.has_builder(id) => {
                let builder = ident(&names.builder);
                source.import("super", &names.builder);
                format!("{held}, {builder}, {made}, {made}::builder")
            }
            Shape::Struct(object) if object.fields.iter().all(|field| !field.required) => {
                format!("{held}, {made}, {made}, {made}::default")
            }
            _ => return None,
        };
        Some(Method {
            name: method,
            mode: "made",
            types,
        })
    }
}

/// A method that gives a property its value: a row of a table.
struct Method {
    name: String,
    mode: &'static str,
    types: String,
}

/// A type as written in a table.
fn spelled(ty: &TokenStream) -> String {
    let text = ty.to_string();
    let pairs = [(" < ", "<"), (" >", ">"), (" ,", ","), (" :: ", "::")];
    pairs
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

/// Methods that a structure has anyway, from here or from traits.
const METHODS: &[&str] = &[
    "borrow",
    "borrow_mut",
    "builder",
    "checked",
    "clone",
    "clone_from",
    "cmp",
    "default",
    "deserialize",
    "eq",
    "fmt",
    "from",
    "from_parts",
    "into",
    "ne",
    "new",
    "partial_cmp",
    "problem",
    "serialize",
    "text",
    "to_owned",
    "to_parts",
    "try_from",
    "try_into",
    "type_id",
    "validate",
    "violations",
];

/// The method of a property: its name, unless that is one of these.
fn method(name: &Ident, taken: &[&str]) -> String {
    let plain = name.to_string();
    let plain = plain.trim_start_matches("r#");
    if taken.contains(&plain) {
        format!("with_{plain}")
    } else {
        name.to_string()
    }
}

/// The argument that stands for a property, and the value that comes of it.
fn argument(member: &Member<'_>) -> (TokenStream, TokenStream) {
    let (name, ty) = (&member.name, &member.ty);
    if member.presence == Presence::OrNull {
        return (quote! { Option<#ty> }, quote! { #name });
    }
    if is_plain(&member.field.usage) {
        return (ty.clone(), quote! { #name });
    }
    (quote! { impl Into<#ty> }, quote! { #name.into() })
}

/// Whether the argument has the type itself: nothing else turns into it, or, as for the lists that
/// `collect` makes, the compiler would not know what does.
fn is_plain(usage: &Usage) -> bool {
    let bare = !usage.sensitive && !usage.boxed;
    let number = matches!(
        usage.ty,
        Type::Bool | Type::Int32 | Type::Int64 | Type::Uint64
    );
    bare && (number || matches!(usage.ty, Type::List(_) | Type::Map(_)))
}

/// A property that has no value.
fn absent(member: &Member<'_>) -> TokenStream {
    let name = &member.name;
    if member.presence == Presence::OptionalOrNull {
        quote! { #name: Nullable::Absent, }
    } else {
        quote! { #name: None, }
    }
}
