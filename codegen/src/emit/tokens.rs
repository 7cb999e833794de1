//! Identifiers, types and literals as tokens.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::Emitter;
use super::source::Source;
use crate::ir::{Type, Usage};
use crate::names::is_keyword;

/// An identifier, raw where it is a keyword.
pub(super) fn ident(name: &str) -> Ident {
    if is_keyword(name) {
        Ident::new_raw(name, Span::call_site())
    } else {
        Ident::new(name, Span::call_site())
    }
}

/// A whole number without a suffix.
pub(super) fn whole(number: u64) -> Literal {
    Literal::u64_unsuffixed(number)
}

/// How the types of the models are reached from a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// From another file of the models.
    Models,
    /// From anywhere else in the crate.
    Outside,
    /// From another crate of this name.
    Crate,
}

impl Emitter<'_> {
    /// The type of a value, with what `null` and secrecy add.
    pub(super) fn ty(&self, usage: &Usage, from: From, source: &mut Source) -> TokenStream {
        let mut ty = self.bare(&usage.ty, from, source);
        if usage.boxed {
            ty = quote! { Box<#ty> };
        }
        if usage.sensitive {
            source.import("crate::runtime", "Sensitive");
            ty = quote! { Sensitive<#ty> };
        }
        ty
    }

    /// The type of an item of a list, or of a value of a map: `null` may stand in its place.
    pub(super) fn item_ty(&self, usage: &Usage, from: From, source: &mut Source) -> TokenStream {
        let ty = self.ty(usage, from, source);
        if usage.nullable && usage.ty != Type::Any {
            quote! { Option<#ty> }
        } else {
            ty
        }
    }

    fn bare(&self, ty: &Type, from: From, source: &mut Source) -> TokenStream {
        let runtime = |name: &str, source: &mut Source| {
            source.import("crate::runtime", name);
            let name = ident(name);
            quote! { #name }
        };
        match ty {
            Type::Bool => quote! { bool },
            Type::Int32 => quote! { i32 },
            Type::Int64 => quote! { i64 },
            Type::Uint64 => quote! { u64 },
            Type::Text => quote! { String },
            Type::Number => runtime("Number", source),
            Type::Decimal => runtime("Decimal", source),
            Type::Date => runtime("Date", source),
            Type::Timestamp => runtime("Timestamp", source),
            Type::Uuid => runtime("Uuid", source),
            Type::Bytes => runtime("Bytes", source),
            Type::File => {
                source.import("crate::runtime::multipart", "File");
                quote! { File }
            }
            Type::Any => {
                source.import("serde_json", "Value");
                quote! { Value }
            }
            Type::List(item) => {
                let item = self.item_ty(item, from, source);
                quote! { Vec<#item> }
            }
            Type::Map(value) => {
                source.import("std::collections", "BTreeMap");
                let value = self.item_ty(value, from, source);
                quote! { BTreeMap<String, #value> }
            }
            Type::JsonText(inner) => {
                source.import("crate::runtime::json_text", "JsonText");
                let inner = self.item_ty(inner, from, source);
                quote! { JsonText<#inner> }
            }
            Type::Named(id) => {
                let name = &self.names.of(*id).name;
                let type_name = ident(name);
                match from {
                    From::Models => {
                        source.import("super", name);
                        quote! { #type_name }
                    }
                    From::Outside => {
                        source.import("crate::models", "");
                        quote! { models::#type_name }
                    }
                    From::Crate => quote! { models::#type_name },
                }
            }
        }
    }
}
