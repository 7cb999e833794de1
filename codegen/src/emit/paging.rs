//! Lists that are divided into pages: how the client goes from one to the next.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;
use super::outcome::{Outcomes, Success};
use super::source::Source;
use super::structure::{Presence, presence};
use super::tokens::{From, ident, whole};
use crate::ir::{End, Next, Operation, Paging, Shape, Type, Usage};
use crate::names::OperationNames;

impl Emitter<'_> {
    /// How the client reads the pages of an operation that gives a list.
    pub(super) fn paginated(
        &self,
        operation: &Operation,
        names: &OperationNames,
        source: &mut Source,
    ) {
        let Some(paging) = &operation.paging else {
            return;
        };
        let Success::Body(content) = Outcomes::of(operation, names).success() else {
            return;
        };
        let Some((items, item)) = self.items(&content.usage, &paging.items) else {
            return;
        };
        for name in ["End", "Next", "Paginated", "Paging"] {
            if name != "End" || !paging.ends.is_empty() {
                source.import("crate::runtime::client", name);
            }
        }
        let marker = ident(&names.name);
        let item = self.item_ty(item, From::Outside, source);
        let table = table(paging);
        source.item(quote! {
            impl Paginated for #marker {
                type Item = #item;

                const PAGING: &'static Paging = &#table;

                fn items(page: Self::Success) -> Vec<Self::Item> { #items }
            }
        });
    }

    /// The items of a page as an expression, and what they are.
    fn items<'a>(&'a self, body: &'a Usage, place: &str) -> Option<(TokenStream, &'a Usage)> {
        let (mut usage, mut steps) = (body, TokenStream::new());
        let mut value = quote! { page };
        let mut last = Presence::Always;
        if body.nullable || body.boxed {
            return None;
        }
        for name in place.split('/').skip(1) {
            let wire = name.replace("~1", "/").replace("~0", "~");
            let Type::Named(id) = usage.ty else {
                return None;
            };
            let Shape::Struct(object) = &self.api.types[id.0].shape else {
                return None;
            };
            let index = object.fields.iter().position(|field| field.wire == wire)?;
            let field = &object.fields[index];
            if field.usage.boxed || field.usage.sensitive {
                return None;
            }
            match last {
                Presence::Always => {}
                Presence::Optional | Presence::OrNull => {
                    steps.extend(quote! { let Some(page) = #value else { return Vec::new() }; });
                    value = quote! { page };
                }
                Presence::OptionalOrNull => {
                    steps.extend(
                        quote! { let Some(page) = #value.into_value() else { return Vec::new() }; },
                    );
                    value = quote! { page };
                }
            }
            let member = ident(&self.names.of(id).members[index]);
            value = quote! { #value.#member };
            last = presence(&field.usage, field.required);
            usage = &field.usage;
        }
        let Type::List(item) = &usage.ty else {
            return None;
        };
        let value = match last {
            Presence::Always => value,
            Presence::Optional | Presence::OrNull => quote! { #value.unwrap_or_default() },
            Presence::OptionalOrNull => quote! { #value.into_value().unwrap_or_default() },
        };
        Some((quote! { #steps #value }, item))
    }
}

fn table(paging: &Paging) -> TokenStream {
    let items = &paging.items;
    let next = match &paging.next {
        Next::Page(parameter, first) => {
            let first = whole(*first);
            quote! { Next::Page(#parameter, #first) }
        }
        Next::Offset(parameter, None) => quote! { Next::Offset(#parameter, None) },
        Next::Offset(parameter, Some(limit)) => {
            quote! { Next::Offset(#parameter, Some(#limit)) }
        }
        Next::Cursor(parameter, from) => quote! { Next::Cursor(#parameter, #from) },
        Next::LastItem(parameter, property) => quote! { Next::LastItem(#parameter, #property) },
        Next::Link(place) => quote! { Next::Link(#place) },
        Next::Relation(place) => quote! { Next::Relation(#place) },
        Next::LinkHeader => quote! { Next::LinkHeader },
    };
    let ends = paging.ends.iter().map(|end| match end {
        End::More(place) => quote! { End::More(#place) },
        End::Total(place) => quote! { End::Total(#place) },
        End::Pages(place) => quote! { End::Pages(#place) },
    });
    quote! { Paging { items: #items, next: #next, ends: &[#(#ends),*] } }
}
