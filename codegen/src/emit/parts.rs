//! Bodies in several parts.

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::structure::growing;
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{Field, Struct, Type, TypeDef, TypeId, Usage};

impl Emitter<'_> {
    /// A struct with one field for each part.
    pub(super) fn parts(&self, id: TypeId, def: &TypeDef, object: &Struct, source: &mut Source) {
        let names = self.names.of(id);
        let name = ident(&names.name);
        let docs = docs::of_type(def);
        let members: Vec<_> = names.members.iter().map(|member| ident(member)).collect();
        let fields = object.fields.iter().zip(&members).map(|(field, member)| {
            let comment = docs::of_part(&field.docs, &field.wire, &member.to_string());
            let usage = single(&field.usage);
            let ty = if field.required {
                self.field_ty(&usage, true, source).0
            } else {
                let ty = self.ty(&usage, From::Models, source);
                quote! { Option<#ty> }
            };
            quote! { #comment pub #member: #ty, }
        });
        let fields: Vec<TokenStream> = fields.collect();
        let default = object
            .fields
            .iter()
            .all(|field| !field.required)
            .then(|| quote! { Default, });
        let growing = growing();
        source.item(quote! {
            #docs
            #[derive(Clone, Debug, #default PartialEq)]
            #growing
            pub struct #name { #(#fields)* }
        });
        let written = object
            .fields
            .iter()
            .zip(&members)
            .map(|(field, member)| write(field, member));
        let read = object.fields.iter().map(read);
        for import in ["Part", "Parts"] {
            source.import("crate::runtime::multipart", import);
        }
        source.import("crate::runtime::json", "Unreadable");
        let mutable = (!object.fields.is_empty()).then(|| quote! { mut });
        let unused = object.fields.is_empty().then(|| quote! { let _ = parts; });
        source.item(quote! {
            impl #name {
                /// The parts of a `multipart/form-data` body.
                pub fn to_parts(&self) -> Result<Vec<Part>, serde_json::Error> {
                    let #mutable parts = Vec::new();
                    #(#written)*
                    Ok(parts)
                }

                /// Reads the parts of a `multipart/form-data` body.
                pub fn from_parts(#mutable parts: Parts) -> Result<Self, Unreadable> {
                    #unused
                    Ok(Self { #(#members: #read,)* })
                }
            }
        });
        self.making(id, object, source);
    }
}

/// A part has no `null`.
fn single(usage: &Usage) -> Usage {
    Usage {
        nullable: false,
        ..usage.clone()
    }
}

fn is_files(usage: &Usage) -> bool {
    matches!(&usage.ty, Type::List(item) if item.ty == Type::File)
}

fn write(field: &Field, member: &proc_macro2::Ident) -> TokenStream {
    let wire = &field.wire;
    match (&field.usage.ty, field.required) {
        (Type::File, true) => quote! { parts.push(Part::file(#wire, &self.#member)); },
        (Type::File, false) => quote! {
            if let Some(file) = &self.#member { parts.push(Part::file(#wire, file)); }
        },
        _ if is_files(&field.usage) => {
            let files = if field.required {
                quote! { self.#member.iter() }
            } else {
                quote! { self.#member.iter().flatten() }
            };
            quote! { parts.extend(#files.map(|file| Part::file(#wire, file))); }
        }
        _ => {
            let value = if let Some(named) = &field.media_type {
                quote! { value_of(#wire, #named, &self.#member) }
            } else {
                quote! { value(#wire, &self.#member) }
            };
            quote! { parts.extend(Part::#value?); }
        }
    }
}

fn read(field: &Field) -> TokenStream {
    let wire = &field.wire;
    match (&field.usage.ty, field.required) {
        (Type::File, true) => quote! { parts.file(#wire)? },
        (Type::File, false) => quote! { parts.optional_file(#wire) },
        _ if is_files(&field.usage) => {
            if field.required {
                quote! { parts.files(#wire) }
            } else {
                quote! { Some(parts.files(#wire)).filter(|files| !files.is_empty()) }
            }
        }
        (_, true) => quote! { parts.value(#wire)? },
        (_, false) => quote! { parts.optional_value(#wire)? },
    }
}
