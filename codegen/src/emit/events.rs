//! Writes the types of server-sent events that differ by their names.

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{TypeDef, TypeId, Union};

impl Emitter<'_> {
    /// Writes an enum of the data. Its last variant keeps the text of an undocumented event.
    pub(super) fn named_events(
        &self,
        id: TypeId,
        def: &TypeDef,
        events: &Union,
        source: &mut Source,
    ) {
        let names = self.names.of(id);
        let (name, rest) = (ident(&names.name), ident(&names.rest));
        let docs = docs::of_type(def);
        let variants: Vec<_> = names.members.iter().map(|member| ident(member)).collect();
        let usages = events.variants.iter().map(|variant| &variant.usage);
        let types: Vec<TokenStream> = usages
            .map(|usage| self.item_ty(usage, From::Models, source))
            .collect();
        let comments = events
            .variants
            .iter()
            .map(|variant| docs::plain(&format!("`{}`", variant.tags.join("`, `"))));
        source.import("crate::runtime", "event");
        source.import("crate::runtime::json", "Unreadable");
        source.item(quote! {
            #docs
            #[derive(Clone, Debug, PartialEq)]
            pub enum #name {
                #(#comments #variants(#types),)*
                /// An event that the document does not name: the text of its data.
                #rest(String),
            }
        });
        let tags = events.variants.iter().map(|variant| &variant.tags);
        let read = tags.zip(&variants).map(|(tags, variant)| {
            quote! { #(#tags)|* => event::read(text).map(Self::#variant), }
        });
        source.item(quote! {
            impl event::ReadEvent for #name {
                fn read_event(name: Option<&str>, text: &str) -> Result<Self, Unreadable> {
                    match name.unwrap_or("message") {
                        #(#read)*
                        _ => Ok(Self::#rest(text.to_owned())),
                    }
                }
            }
        });
        let first = events.variants.iter().map(|variant| variant.tags.first());
        let named = first.zip(&variants).map(|(tag, variant)| {
            let name = tag.filter(|tag| *tag != "message");
            let name = name.map_or_else(|| quote! { None }, |name| quote! { Some(#name) });
            quote! { Self::#variant(_) => #name, }
        });
        source.item(quote! {
            impl event::WriteEvent for #name {
                fn event_name(&self) -> Option<&str> {
                    match self { #(#named)* Self::#rest(_) => None }
                }

                fn event_text(&self) -> Result<String, serde_json::Error> {
                    match self {
                        #(Self::#variants(data) => event::written(data),)*
                        Self::#rest(text) => Ok(text.clone()),
                    }
                }
            }
        });
    }
}
