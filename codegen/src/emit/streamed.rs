//! Writes the streamed successes: answers with bodies that a client can read as streams.

use proc_macro2::TokenStream;
use quote::quote;

use super::endpoint::{case_docs, guarded};
use super::outcome::{Case, Outcomes, Success};
use super::source::Source;
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{Content, Encoding, Operation};
use crate::names::OperationNames;

/// Whether a body can be read as a stream.
pub(super) fn is_streamed(content: &Content) -> bool {
    matches!(content.encoding, Encoding::Bytes | Encoding::Events)
}

fn case_is_streamed(case: &Case<'_>) -> bool {
    case.content.is_some_and(is_streamed)
}

impl Emitter<'_> {
    /// The type of a body that a client may read as a stream.
    fn incoming_ty(&self, content: &Content, source: &mut Source) -> TokenStream {
        if content.encoding == Encoding::Events {
            source.import("crate::runtime::client", "Events");
            let data = self.item_ty(&content.usage, From::Outside, source);
            return quote! { Events<#data> };
        }
        self.stream_ty(content, source)
    }

    /// The type of a body that may be a stream where it is sent.
    pub(super) fn stream_ty(&self, content: &Content, source: &mut Source) -> TokenStream {
        if content.encoding == Encoding::Bytes {
            source.import("crate::runtime", "ByteStream");
            return quote! { ByteStream };
        }
        if content.encoding == Encoding::Events {
            source.import("crate::runtime::server", "EventStream");
            let data = self.item_ty(&content.usage, From::Outside, source);
            return quote! { EventStream<#data> };
        }
        self.content_ty(content, source)
    }

    /// How the marker of an operation opens its successes, where one of them is a stream.
    pub(super) fn streamed(
        &self,
        operation: &Operation,
        names: &OperationNames,
        source: &mut Source,
    ) {
        let outcomes = Outcomes::of(operation, names);
        if !outcomes.successes.iter().any(case_is_streamed) {
            return;
        }
        for name in ["Incoming", "Streamed"] {
            source.import("crate::runtime::client", name);
        }
        let several = matches!(outcomes.success(), Success::Several);
        let ty = self.opened_ty(&outcomes, operation, names, source);
        let opened = outcomes
            .successes
            .iter()
            .filter(|case| case_is_streamed(case))
            .map(|case| {
                let pattern = guarded(case.success_status(), case);
                let variant = ident(case.variant);
                let events = case
                    .content
                    .is_some_and(|it| it.encoding == Encoding::Events);
                let body = ident(if events { "events" } else { "bytes" });
                let body = if several {
                    quote! { #ty::#variant(body.#body()) }
                } else {
                    quote! { body.#body() }
                };
                quote! { #pattern => #body, }
            });
        let opened: Vec<TokenStream> = opened.collect();
        let whole = whole(&outcomes, names, &ty);
        let marker = ident(&names.name);
        source.item(quote! {
            impl Streamed for #marker {
                type Stream = #ty;

                fn open(answer: &Answer, body: Incoming) -> Result<Self::Stream, Incoming> {
                    Ok(match answer.status.as_u16() { #(#opened)* _ => return Err(body), })
                }

                fn whole(success: Self::Success) -> Self::Stream { #whole }
            }
        });
    }

    /// The type of a success that is not read yet.
    fn opened_ty(
        &self,
        outcomes: &Outcomes<'_>,
        operation: &Operation,
        names: &OperationNames,
        source: &mut Source,
    ) -> TokenStream {
        if let Success::Body(content) = outcomes.success() {
            return self.incoming_ty(content, source);
        }
        let name = ident(&format!("{}Stream", names.name));
        let label = operation.label();
        let comment = docs::plain(&format!(
            "The documented successes of `{label}`, streams among them not read yet."
        ));
        let variants = outcomes.successes.iter().map(|case| {
            let (comment, variant) = (case_docs(case), ident(case.variant));
            let ty = case.content.map(|content| {
                let ty = self.incoming_ty(content, source);
                quote! { (#ty) }
            });
            quote! { #comment #variant #ty, }
        });
        let variants: Vec<TokenStream> = variants.collect();
        source.item(quote! {
            #comment
            #[derive(Debug)]
            pub enum #name { #(#variants)* }
        });
        quote! { #name }
    }
}

/// A success that was read, as one that was not.
fn whole(outcomes: &Outcomes<'_>, names: &OperationNames, ty: &TokenStream) -> TokenStream {
    if !matches!(outcomes.success(), Success::Several) {
        return quote! { success.into() };
    }
    let read = ident(&format!("{}Success", names.name));
    let arms = outcomes.successes.iter().map(|case| {
        let variant = ident(case.variant);
        match case.content {
            None => quote! { #read::#variant => #ty::#variant, },
            Some(content) if is_streamed(content) => {
                quote! { #read::#variant(body) => #ty::#variant(body.into()), }
            }
            Some(_) => quote! { #read::#variant(body) => #ty::#variant(body), },
        }
    });
    quote! { match success { #(#arms)* } }
}
