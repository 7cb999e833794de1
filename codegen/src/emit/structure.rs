//! Objects with known names.

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{Docs, Field, Struct, Type, TypeDef, TypeId, Usage};

/// What makes room for a type to grow: a client builds it by its methods and matches it with a
/// wildcard. A server, which has to say all that its document does, sees each change as an error.
pub(super) fn growing() -> TokenStream {
    quote! { #[cfg_attr(not(feature = "server"), non_exhaustive)] }
}

/// How a field holds a value that may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// There is a value.
    Always,
    /// `Option`: absent.
    Optional,
    /// `Option`: `null`.
    OrNull,
    /// `Nullable`: absent or `null`.
    OptionalOrNull,
}

/// How a field holds its value.
pub(super) fn presence(usage: &Usage, required: bool) -> Presence {
    match (required, usage.nullable || usage.ty == Type::Any) {
        (true, true) if usage.ty == Type::Any => Presence::Always,
        (true, false) => Presence::Always,
        (false, false) => Presence::Optional,
        (true, true) => Presence::OrNull,
        (false, true) => Presence::OptionalOrNull,
    }
}

impl Emitter<'_> {
    /// A struct, its constructor, and how it travels.
    pub(super) fn structure(
        &self,
        id: TypeId,
        def: &TypeDef,
        object: &Struct,
        source: &mut Source,
    ) {
        let names = self.names.of(id);
        let docs = docs::of_type(def);
        let members: Vec<(&Field, &str)> = object
            .fields
            .iter()
            .zip(names.members.iter().map(String::as_str))
            .collect();
        let fields = members
            .iter()
            .map(|(field, name)| self.field(field, name, source))
            .collect::<Vec<_>>();
        let rest = object.rest.as_ref().map(|rest| {
            source.import("std::collections", "BTreeMap");
            let ty = self.item_ty(rest, From::Models, source);
            let name = ident(&names.rest);
            quote! {
                /// Further properties.
                pub #name: BTreeMap<String, #ty>,
            }
        });
        let other = object.loose.then(|| {
            source.import("serde_json", "Value");
            let name = ident(&names.other);
            quote! {
                /// The value, where it is no object.
                pub #name: Option<Value>,
            }
        });
        let default = object
            .fields
            .iter()
            .all(|field| !field.required)
            .then(|| quote! { Default, });
        let (name, growing) = (ident(&names.name), growing());
        source.item(quote! {
            #docs
            #[derive(Clone, Debug, #default PartialEq)]
            #growing
            pub struct #name { #(#fields)* #rest #other }
        });
        source.import("crate::runtime", "object");
        let mut unknown = match object.rest {
            Some(_) => format!("Kept {}", ident(&names.rest)),
            None if object.closed => "Closed".to_owned(),
            None => "Ignored".to_owned(),
        };
        if object.loose {
            unknown = format!("{unknown} | {}", ident(&names.other));
        }
        let kind = if object.loose {
            source.import("crate::runtime", "loose");
            "loose_object"
        } else {
            "object"
        };
        source.table(table(kind, &names.name, &unknown, &members));
        if let Some(explanation) = self.explanation(id, object) {
            source.item(explanation);
        }
        self.making(id, object, source);
    }

    fn field(&self, field: &Field, name: &str, source: &mut Source) -> TokenStream {
        let docs = docs::of_part(&field.docs, &field.wire, name);
        let (ty, _) = self.field_ty(&field.usage, field.required, source);
        let name = ident(name);
        quote! {
            #docs
            pub #name: #ty,
        }
    }

    /// The type of a field, and how it shows that there is no value.
    pub(super) fn field_ty(
        &self,
        usage: &Usage,
        required: bool,
        source: &mut Source,
    ) -> (TokenStream, Presence) {
        self.held(usage, required, From::Models, source)
    }

    /// The type of a value that may be missing, as seen from a file.
    pub(super) fn held(
        &self,
        usage: &Usage,
        required: bool,
        from: From,
        source: &mut Source,
    ) -> (TokenStream, Presence) {
        let ty = self.ty(usage, from, source);
        let presence = presence(usage, required);
        let ty = match presence {
            Presence::Always => ty,
            Presence::Optional | Presence::OrNull => quote! { Option<#ty> },
            Presence::OptionalOrNull => {
                source.import("crate::runtime", "Nullable");
                quote! { Nullable<#ty> }
            }
        };
        (ty, presence)
    }
}

/// How the properties of a structure travel, as a macro of the run-time.
pub(super) fn table(
    macro_name: &str,
    name: &str,
    unknown: &str,
    members: &[(&Field, &str)],
) -> String {
    let rows = members.iter().enumerate();
    let rows: String = rows
        .map(|(index, (field, member))| row(index, field, member))
        .collect();
    let name = ident(name);
    format!("crate::{macro_name}! {{\n    {name}: {unknown} {{\n{rows}    }}\n}}\n")
}

/// A property: its number, its name on the wire, its field, and how it is held.
fn row(index: usize, field: &Field, member: &str) -> String {
    let mode = match presence(&field.usage, field.required) {
        Presence::Always => "required",
        Presence::Optional => "optional",
        Presence::OrNull => "or_null",
        Presence::OptionalOrNull => "nullable",
    };
    let (wire, member) = (&field.wire, ident(member));
    format!("        {index} {wire:?} => {member} {mode},\n")
}

impl Field {
    /// A field of a struct of parameters or headers.
    pub(super) fn plain(wire: &str, usage: &Usage, required: bool, docs: &Docs) -> Self {
        Self {
            wire: wire.to_owned(),
            usage: usage.clone(),
            required,
            media_type: None,
            docs: docs.clone(),
        }
    }
}
