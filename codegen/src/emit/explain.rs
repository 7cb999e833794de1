//! Implements `Explain` for refusals: where their bodies have a title, a message, and the errors of
//! fields of the request.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;
use super::outcome::Case;
use super::tokens::ident;
use crate::ir::{Content, Encoding, Field, Shape, Struct, Type, TypeId, Usage};

/// Names of a text with the error message, in order of preference.
const MESSAGES: &[&str] = &[
    "detail",
    "message",
    "error_description",
    "errorMessage",
    "description",
    "msg",
    "error",
    "reason",
];

/// Names of a list of field errors.
const LISTS: &[&str] = &[
    "errors",
    "invalid-params",
    "details",
    "violations",
    "fields",
];

/// Names of a text that names the field of an error.
const PLACES: &[&str] = &[
    "pointer",
    "field",
    "path",
    "param",
    "parameter",
    "name",
    "location",
];

/// Names of a text with the message of a field error.
const FAULTS: &[&str] = &["detail", "message", "description", "reason", "issue", "msg"];

/// Names of an object that contains all of these.
const HOLDERS: &[&str] = &["error", "problem"];

impl Emitter<'_> {
    /// `Explain` for a structure that is, or is within, the body of a refusal.
    pub(super) fn explanation(&self, id: TypeId, object: &Struct) -> Option<TokenStream> {
        if !self.reach.is_refused(id) {
            return None;
        }
        let name = ident(&self.names.of(id).name);
        let body = self.described(id, object);
        Some(quote! {
            #[cfg(feature = "client")]
            impl crate::runtime::client::Explain for #name { #body }
        })
    }

    fn described(&self, id: TypeId, object: &Struct) -> Option<TokenStream> {
        let member = |field: &Field| {
            let index = object.fields.iter().position(|one| one.wire == field.wire);
            index.map(|index| ident(&self.names.of(id).members[index]))
        };
        let said = |names: &[&str]| {
            let member = text(object, names).and_then(member);
            member.map_or_else(|| quote! { None }, |member| quote! { self.#member.text() })
        };
        if text(object, &["title"])
            .or(text(object, MESSAGES))
            .is_some()
        {
            let (kind, title) = (said(&["type"]), said(&["title"]));
            let (detail, instance) = (said(MESSAGES), said(&["instance"]));
            let fields = self.field_errors(id, object);
            return Some(described(
                &quote! { use crate::runtime::client::{Problem, Text}; },
                &quote! { Some(Problem::new(#kind, #title, #detail, #instance) #fields) },
            ));
        }
        let holder = named(object, HOLDERS, |usage| self.structure_of(usage).is_some())?;
        let holder_member = member(holder)?;
        let inner = if holder.required && !holder.usage.nullable {
            quote! { self.#holder_member.problem() }
        } else if holder.required {
            quote! { self.#holder_member.as_ref()?.problem() }
        } else {
            return None;
        };
        Some(described(&TokenStream::new(), &inner))
    }

    /// `.fields(…)`, when there is a list of field errors.
    fn field_errors(&self, id: TypeId, object: &Struct) -> Option<TokenStream> {
        let list = LISTS.iter().find_map(|name| {
            let index = object.fields.iter().position(|field| field.wire == *name)?;
            let field = &object.fields[index];
            let Type::List(item) = &field.usage.ty else {
                return None;
            };
            let plain = !field.usage.nullable && !field.usage.sensitive && !field.usage.boxed;
            (plain && !item.nullable && !item.boxed).then_some((index, field, item))
        });
        let (index, field, item) = list?;
        let (item_id, item) = self.structure_of(item)?;
        let member = |field: &Field| {
            let index = item.fields.iter().position(|one| one.wire == field.wire);
            index.map(|index| ident(&self.names.of(item_id).members[index]))
        };
        let place = text(item, PLACES).and_then(member)?;
        let fault = text(item, FAULTS).and_then(member);
        let fault = fault.map_or_else(|| quote! { None }, |fault| quote! { one.#fault.text() });
        let list = ident(&self.names.of(id).members[index]);
        let flat = (!field.required).then(|| quote! { .flatten() });
        Some(quote! {
            .fields(self.#list.iter()#flat.map(|one| (one.#place.text(), #fault)))
        })
    }

    /// The structure of a value, if it has one.
    fn structure_of(&self, usage: &Usage) -> Option<(TypeId, &Struct)> {
        let id = usage.named().filter(|_| !usage.sensitive)?;
        match &self.api.types[id.0].shape {
            Shape::Struct(object) => Some((id, object)),
            _ => None,
        }
    }

    /// `Explain` for the refusals of an operation.
    pub(super) fn refusals_explained(&self, name: &str, cases: &[Case<'_>]) -> TokenStream {
        let mut arms: Vec<(TypeId, Vec<TokenStream>)> = Vec::new();
        for case in cases {
            if let Some(id) = case.content.and_then(|content| self.explained(content)) {
                let variant = ident(case.variant);
                let pattern = quote! { Self::#variant(body) };
                match arms.iter_mut().find(|(other, _)| *other == id) {
                    Some((_, patterns)) => patterns.push(pattern),
                    None => arms.push((id, vec![pattern])),
                }
            }
        }
        let name = ident(name);
        if arms.is_empty() {
            return quote! { impl Explain for #name {} };
        }
        let matched: usize = arms.iter().map(|(_, patterns)| patterns.len()).sum();
        let other = (matched < cases.len()).then(|| quote! { _ => None, });
        let arms = arms.iter().map(|(_, patterns)| {
            quote! { #(#patterns)|* => body.problem(), }
        });
        quote! {
            impl Explain for #name {
                fn problem(&self) -> Option<Problem<'_>> { match self { #(#arms)* #other } }
            }
        }
    }

    /// The structure of a body that describes a problem.
    fn explained(&self, content: &Content) -> Option<TypeId> {
        let json = content.encoding == Encoding::Json && !content.usage.nullable;
        let (id, object) = self.structure_of(&content.usage).filter(|_| json)?;
        self.described(id, object).map(|_| id)
    }
}

/// Whether a property may contain the error message or the errors of fields.
pub(super) fn is_holder(field: &Field) -> bool {
    HOLDERS.contains(&field.wire.as_str())
}

fn described(imports: &TokenStream, value: &TokenStream) -> TokenStream {
    quote! {
        fn problem(&self) -> Option<crate::runtime::client::Problem<'_>> {
            #imports
            #value
        }
    }
}

/// The first property of these names with a suitable value.
fn named<'o>(
    object: &'o Struct,
    names: &[&str],
    will_do: impl Fn(&Usage) -> bool,
) -> Option<&'o Field> {
    names.iter().find_map(|name| {
        let mut fields = object.fields.iter();
        fields.find(|field| field.wire == *name && will_do(&field.usage))
    })
}

/// The first property of these names with a text that may be shown.
fn text<'o>(object: &'o Struct, names: &[&str]) -> Option<&'o Field> {
    let shown = |usage: &Usage| usage.ty == Type::Text && !usage.sensitive && !usage.boxed;
    named(object, names, shown)
}
