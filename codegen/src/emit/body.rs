//! Writes the types of request bodies, and the code that sends and reads them.

use proc_macro2::TokenStream;
use quote::quote;

use super::client::concrete;
use super::source::Source;
use super::streamed::is_streamed;
use super::structure::growing;
use super::tokens::ident;
use super::{Emitter, docs};
use crate::ir::{Body, Content, Encoding, Operation};
use crate::names::{AreaNames, OperationNames};

impl Emitter<'_> {
    /// Writes the enum of an operation that accepts several media types, in the file of the
    /// operations.
    pub(super) fn body_enum(
        &self,
        operation: &Operation,
        names: &OperationNames,
        source: &mut Source,
    ) {
        let Some(body) = operation
            .body
            .as_ref()
            .filter(|body| body.contents.len() > 1)
        else {
            return;
        };
        let variants = body
            .contents
            .iter()
            .zip(&names.bodies)
            .map(|(content, name)| {
                let comment = docs::plain(&format!("`{}`", content.media_type));
                let name = ident(name);
                let ty = self.stream_ty(content, source);
                quote! { #comment #name(#ty), }
            });
        let variants: Vec<TokenStream> = variants.collect();
        let more = (!body.is_streamed()).then(|| quote! { Clone, });
        let equal = (!body.is_streamed()).then(|| quote! { , PartialEq });
        let (name, growing) = (ident(&names.body()), growing());
        let comment = docs::plain(&format!("The bodies that `{}` takes.", operation.label()));
        source.item(quote! {
            #comment
            #[derive(#more Debug #equal)]
            #growing
            pub enum #name { #(#variants)* }
        });
    }

    /// The argument of the client's method, and the request with the body.
    pub(super) fn sent_body(
        &self,
        area: &AreaNames,
        body: &Body,
        names: &OperationNames,
        request: &TokenStream,
        source: &mut Source,
    ) -> (TokenStream, TokenStream) {
        if let ([content], true) = (body.contents.as_slice(), body.required) {
            let ty = match content.encoding {
                Encoding::Bytes => {
                    source.import("crate::runtime", "ByteStream");
                    quote! { impl Into<ByteStream> }
                }
                _ => self.argument(content, source),
            };
            let sent = self.send(area, (0, content), names, request, Held::Alone, source);
            return (quote! { body: #ty }, sent);
        }
        let (ty, with) = match body.contents.as_slice() {
            [content] => (
                self.argument(content, source),
                self.send(
                    area,
                    (0, content),
                    names,
                    &quote! { request },
                    Held::Alone,
                    source,
                ),
            ),
            several => {
                source.import("crate::operations", "");
                let (module, name) = (ident(&area.module), ident(&names.body()));
                let path = quote! { operations::#module::#name };
                let held = if body.is_streamed() {
                    Held::Owned
                } else {
                    Held::Borrowed
                };
                let numbered = several.iter().enumerate().zip(&names.bodies);
                let arms = numbered.map(|(content, variant)| {
                    let variant = ident(variant);
                    let sent = self.send(area, content, names, &quote! { request }, held, source);
                    quote! { #path::#variant(body) => #sent, }
                });
                let arms: Vec<TokenStream> = arms.collect();
                let borrowed = (held == Held::Borrowed).then(|| quote! { & });
                (
                    quote! { #borrowed #path },
                    quote! { match body { #(#arms)* } },
                )
            }
        };
        if body.required {
            let sent = quote! { let request = #request; #with };
            return (quote! { body: #ty }, sent);
        }
        let sent = quote! {
            let request = #request;
            match body { Some(body) => #with, None => request }
        };
        (quote! { body: Option<#ty> }, sent)
    }

    fn argument(&self, content: &Content, source: &mut Source) -> TokenStream {
        match content.encoding {
            Encoding::Text | Encoding::Events | Encoding::Bytes => self.stream_ty(content, source),
            Encoding::Json | Encoding::Form | Encoding::Multipart => {
                self.borrowed_ty(content, source)
            }
        }
    }

    /// The type of the body in the server's trait.
    pub(super) fn taken_ty(
        &self,
        area: &AreaNames,
        body: &Body,
        names: &OperationNames,
        source: &mut Source,
    ) -> TokenStream {
        let ty = if let [content] = body.contents.as_slice() {
            self.stream_ty(content, source)
        } else {
            source.import("crate::operations", "");
            let (module, name) = (ident(&area.module), ident(&names.body()));
            quote! { operations::#module::#name }
        };
        if body.required {
            ty
        } else {
            quote! { Option<#ty> }
        }
    }

    /// Statements that read the body of a call into `body`.
    pub(super) fn read_body(
        &self,
        area: &AreaNames,
        body: &Body,
        names: &OperationNames,
        source: &mut Source,
    ) -> TokenStream {
        let read = match body.contents.as_slice() {
            [content] => self.receive(area, (0, content), names, source),
            several => self.receive_any(area, several, names, source),
        };
        if body.required {
            quote! { let body = #read; }
        } else {
            quote! { let body = if call.has_body() { Some(#read) } else { None }; }
        }
    }

    fn receive_any(
        &self,
        area: &AreaNames,
        contents: &[Content],
        names: &OperationNames,
        source: &mut Source,
    ) -> TokenStream {
        source.import("crate::operations", "");
        let (module, name) = (ident(&area.module), ident(&names.body()));
        let numbered = contents.iter().enumerate().zip(&names.bodies);
        let arms = numbered.map(|(content, variant)| {
            let (media_type, variant) = (&content.1.media_type, ident(variant));
            let read = self.receive(area, content, names, source);
            quote! { if call.is(#media_type) { operations::#module::#name::#variant(#read) } else }
        });
        let arms: Vec<TokenStream> = arms.collect();
        let media_types = contents.iter().map(|content| &content.media_type);
        quote! {
            #(#arms)* {
                return Err(call.unsupported(&[#(#media_types),*]));
            }
        }
    }

    fn receive(
        &self,
        area: &AreaNames,
        (index, content): (usize, &Content),
        names: &OperationNames,
        source: &mut Source,
    ) -> TokenStream {
        let media_type = &content.media_type;
        let read = match content.encoding {
            Encoding::Json => quote! { call.json(#media_type)? },
            Encoding::Form => {
                let table = form_path(area, content, names, source);
                quote! { call.form(#table)? }
            }
            Encoding::Multipart => {
                let ty = self.content_ty(content, source);
                return quote! {
                    {
                        let parts = call.multipart().await?;
                        let body = #ty::from_parts(parts).map_err(|error| call.refuse(error))?;
                        call.check(&body);
                        body
                    }
                };
            }
            Encoding::Text | Encoding::Events => quote! { call.text(#media_type)? },
            Encoding::Bytes => quote! { call.stream(#media_type)? },
        };
        let body = quote! { &body };
        match self.loose_check(area, names, (index, content), &body, source) {
            None => read,
            Some(check) => {
                let ty = self.content_ty(content, source);
                quote! { { let body: #ty = #read; call #check; body } }
            }
        }
    }

    fn send(
        &self,
        area: &AreaNames,
        (index, content): (usize, &Content),
        names: &OperationNames,
        request: &TokenStream,
        held: Held,
        source: &mut Source,
    ) -> TokenStream {
        let media_type = concrete(&content.media_type, content.encoding);
        let borrow = (held == Held::Owned).then(|| quote! { & });
        let text = content.encoding == Encoding::Text && held != Held::Borrowed;
        let borrowed = text.then(|| quote! { & }).or_else(|| borrow.clone());
        let body = quote! { #borrowed body };
        let check = self.loose_check(area, names, (index, content), &body, source);
        let request = quote! { #request #check };
        match content.encoding {
            Encoding::Json => quote! { #request.json(#media_type, #borrow body) },
            Encoding::Form => {
                let table = form_path(area, content, names, source);
                quote! { #request.form(#borrow body, #table) }
            }
            Encoding::Multipart => {
                quote! { #request.check(#borrow body).multipart(body.to_parts()) }
            }
            Encoding::Text | Encoding::Events | Encoding::Bytes => {
                let copied = (held == Held::Borrowed).then(|| quote! { .clone() });
                quote! { #request.bytes(#media_type, body #copied) }
            }
        }
    }
}

impl Body {
    /// Whether it can be sent and received as a stream.
    pub(super) fn is_streamed(&self) -> bool {
        self.contents.iter().any(is_streamed)
    }
}

/// How the client's method accepts a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// As a single argument.
    Alone,
    /// In an enum that it borrows.
    Borrowed,
    /// In an enum of its own.
    Owned,
}

impl OperationNames {
    /// The enum of the bodies, when there are several.
    pub(super) fn body(&self) -> String {
        format!("{}Body", self.name)
    }
}

/// The table of the form fields with a non-default encoding.
fn form_path(
    area: &AreaNames,
    content: &Content,
    names: &OperationNames,
    source: &mut Source,
) -> TokenStream {
    if content.fields.is_empty() {
        return quote! { &[] };
    }
    source.import("crate::operations", "");
    let (module, table) = (ident(&area.module), ident(&names.form_constant()));
    quote! { operations::#module::#table }
}
