//! `src/servers.rs`: the addresses of the document, those with variables as types.

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::tokens::ident;
use super::{Emitter, docs};
use crate::ir::{Docs, Operation, Server};
use crate::names::ServerNames;
use crate::output::File;

impl Emitter<'_> {
    /// The file, where a server has an address of its own.
    pub(super) fn servers(&self) -> Option<File> {
        let servers = self.api.all_servers();
        if servers.is_empty() {
            return None;
        }
        let mut source = Source::new("The servers of the document, for `Settings::new`.");
        for (server, names) in servers.iter().zip(&self.names.servers) {
            if server.variables.is_empty() {
                constant(server, names, &mut source);
            } else {
                template(server, names, &mut source);
            }
        }
        Some(self.file("src/servers.rs", &source))
    }

    /// Sends a request to the server of its operation, where that has one of its own.
    pub(super) fn to_own_server(&self, operation: &Operation, request: TokenStream) -> TokenStream {
        let Some(own) = operation.servers.first() else {
            return request;
        };
        let own = own.by_default();
        let document = self.api.servers.iter().map(|server| &server.url);
        quote! { #request.own_server(&[#(#document),*], #own) }
    }
}

fn constant(server: &Server, names: &ServerNames, source: &mut Source) {
    let comment = comment(server);
    let (name, url) = (ident(&names.name), &server.url);
    source.item(quote! { #comment pub const #name: &str = #url; });
}

fn template(server: &Server, names: &ServerNames, source: &mut Source) {
    let comment = comment(server);
    let name = ident(&names.name);
    let (mut fields, mut defaults) = (Vec::new(), Vec::new());
    let mut format = server.url.replace('{', "{{").replace('}', "}}");
    let mut values = Vec::new();
    for ((variable, field), choice) in server
        .variables
        .iter()
        .zip(&names.fields)
        .zip(&names.choices)
    {
        let docs = docs::of_part(&variable.docs, &variable.name, field);
        let field = ident(field);
        format = format.replace(&format!("{{{{{}}}}}", variable.name), "{}");
        let default = &variable.default;
        if let Some((choice, variants)) = choice {
            let ty = ident(choice);
            let place = variable.values.iter().position(|value| value == default);
            let default = ident(&variants[place.unwrap_or_default()]);
            fields.push(quote! { #docs pub #field: #ty });
            defaults.push(quote! { #field: #ty::#default });
            enumeration(choice, &variable.values, variants, source);
        } else {
            fields.push(quote! { #docs pub #field: String });
            defaults.push(quote! { #field: #default.to_owned() });
        }
        values.push((server.url.find(&format!("{{{}}}", variable.name)), field));
    }
    values.sort_by_key(|(place, _)| *place);
    let values = values.into_iter().map(|(_, field)| quote! { self.#field });
    source.import("std", "fmt");
    source.item(quote! {
        #comment
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct #name { #(#fields,)* }
    });
    source.item(quote! {
        impl Default for #name {
            fn default() -> Self { Self { #(#defaults,)* } }
        }
    });
    source.item(quote! {
        impl fmt::Display for #name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, #format, #(#values),*)
            }
        }
    });
    source.item(quote! {
        impl From<#name> for String {
            fn from(server: #name) -> Self { server.to_string() }
        }
    });
}

fn enumeration(name: &str, values: &[String], variants: &[String], source: &mut Source) {
    let ty = ident(name);
    let comments = values
        .iter()
        .map(|value| docs::plain(&format!("`{value}`")));
    let names: Vec<_> = variants.iter().map(|variant| ident(variant)).collect();
    source.item(quote! {
        /// What a part of an address can be.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum #ty { #(#comments #names,)* }
    });
    source.import("std", "fmt");
    source.item(quote! {
        impl fmt::Display for #ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { #(Self::#names => #values,)* })
            }
        }
    });
}

fn comment(server: &Server) -> TokenStream {
    let url = format!("`{}`", server.url);
    let docs = Docs {
        text: Some(match &server.docs.text {
            Some(text) => format!("{url}\n\n{text}"),
            None => url.clone(),
        }),
        ..server.docs.clone()
    };
    docs::comment(&docs, &url)
}
