//! `src/server/`: one trait for each area, and a router.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::client::concrete;
use super::endpoint::case_docs;
use super::operations::fields;
use super::outcome::{Case, cases};
use super::source::Source;
use super::streamed::is_streamed;
use super::tokens::ident;
use super::{Emitter, docs};
use crate::ir::{Area, Encoding, Operation, Status};
use crate::names::{AreaNames, OperationNames};
use crate::output::File;

impl Emitter<'_> {
    /// The files of the server stubs.
    pub(super) fn server(&self) -> Vec<File> {
        let mut files = vec![self.file("src/server/mod.rs", &self.server_root())];
        for (area, names) in self.api.areas.iter().zip(&self.names.areas) {
            let mut source = Source::new(format!("Server stubs of the area `{}`.", area.tag));
            let comment = docs::of_area(&area.docs, &area.tag);
            self.server_trait(names, &comment, &area.operations, &mut source);
            if area.sent {
                receivers(names, &area.operations, &mut source);
            } else {
                area_routes(area, names, &mut source);
            }
            for (operation, own) in area.operations.iter().zip(&names.operations) {
                self.response_enum(operation, own, names, &mut source);
                self.handler(operation, own, names, &mut source);
            }
            files.push(self.file(&format!("src/server/{}.rs", names.module), &source));
        }
        files
    }

    fn server_root(&self) -> Source {
        let mut source = Source::new("The server stubs: one trait for each area.");
        source.paragraph(
            "Implement the trait of an area, one method at a time; what has no method yet answers \
             501.",
        );
        let areas = || (0..self.api.areas.len()).zip(&self.names.areas);
        let (sent, served): (Vec<_>, Vec<_>) =
            areas().partition(|(index, _)| self.api.areas[*index].sent);
        for group in [&served, &sent] {
            for (index, names) in group {
                let (condition, module) = (self.condition(*index), ident(&names.module));
                source.export(quote! { #condition pub mod #module; });
            }
            for (index, names) in group {
                let (module, name) = (ident(&names.module), ident(&names.name));
                let condition = self.condition(*index);
                source.export(quote! { #condition pub use #module::#name; });
            }
        }
        source.export(quote! { pub use crate::runtime::server::{Context, Index, Routes}; });
        if served.is_empty() {
            return source;
        }
        let modules: Vec<_> = served.iter().map(|(_, it)| ident(&it.module)).collect();
        let traits: Vec<_> = served.iter().map(|(_, it)| ident(&it.name)).collect();
        let everything = self.everything();
        let statics = served.iter().flat_map(|(_, area)| {
            let module = ident(&area.module);
            area.operations.iter().map(move |own| {
                let constant = ident(&own.constant());
                quote! { &crate::operations::#module::#constant }
            })
        });
        source.item(quote! {
            /// The operations of all areas by method and path, for what surrounds the router.
            #everything
            pub fn index() -> Index {
                Index::new(&[#(#statics),*])
            }
        });
        source.item(quote! {
            /// The operations of all areas.
            #everything
            pub fn routes<T: #(#traits)+*>(implementation: &std::sync::Arc<T>) -> Routes {
                Routes::new() #(.merge(#modules::routes(implementation)))*
            }
        });
        source.item(quote! {
            /// A router of all areas.
            #everything
            pub fn router<T: #(#traits)+*>(implementation: &std::sync::Arc<T>) -> axum::Router {
                routes(implementation).into_router()
            }
        });
        source
    }

    fn server_trait(
        &self,
        names: &AreaNames,
        comment: &TokenStream,
        operations: &[Operation],
        source: &mut Source,
    ) {
        source.import("std::future", "ready");
        source.import("crate::runtime::server", "Context");
        let methods: Vec<TokenStream> = operations
            .iter()
            .zip(&names.operations)
            .map(|(operation, own)| {
                let comment = docs::of_operation(operation);
                let (method, response) = (ident(&own.method), own.response());
                let arguments = self.arguments(operation, own, names, source);
                let unused = arguments.iter().map(|(name, _)| quote! { let _ = #name; });
                let typed = arguments.iter().map(|(name, ty)| quote! { #name: #ty, });
                quote! {
                    #comment
                    fn #method(
                        &self,
                        context: Context,
                        #(#typed)*
                    ) -> impl Future<Output = #response> + Send {
                        #(#unused)*
                        ready(#response::Other(context.not_implemented()))
                    }
                }
            })
            .collect();
        let name = ident(&names.name);
        source.item(quote! {
            #comment
            pub trait #name: Send + Sync + 'static { #(#methods)* }
        });
    }

    /// Parameters and body of a handler, as far as the operation has them.
    fn arguments(
        &self,
        operation: &Operation,
        names: &OperationNames,
        area: &AreaNames,
        source: &mut Source,
    ) -> Vec<(proc_macro2::Ident, TokenStream)> {
        let mut arguments = Vec::new();
        if !fields(operation, names).is_empty() {
            source.import("crate::operations", "");
            let module = ident(&area.module);
            let ty = ident(&format!("{}Parameters", names.name));
            arguments.push((ident("parameters"), quote! { operations::#module::#ty }));
        }
        if let Some(body) = &operation.body {
            let ty = self.taken_ty(area, body, names, source);
            arguments.push((ident("body"), ty));
        }
        arguments
    }

    fn response_enum(
        &self,
        operation: &Operation,
        names: &OperationNames,
        area: &AreaNames,
        source: &mut Source,
    ) {
        source.import("crate::runtime", "Answer");
        let name = names.response();
        let label = operation.label();
        let comment = docs::plain(&format!("The answers of `{label}`."));
        let mut variants = Vec::new();
        let mut arms = Vec::new();
        for case in cases(operation, names) {
            let (types, bindings, mut answer) = self.answer(&case, names, area, source);
            if is_reply(operation, names) && !case.content.is_some_and(is_streamed) {
                answer = quote! { #answer.into() };
            }
            let comment = case_docs(&case);
            let variant = ident(case.variant);
            if types.is_empty() {
                variants.push(quote! { #comment #variant, });
                arms.push(quote! { #name::#variant => #answer, });
            } else {
                variants.push(quote! { #comment #variant(#(#types),*), });
                arms.push(quote! { #name::#variant(#(#bindings),*) => #answer, });
            }
        }
        let streamed = is_reply(operation, names);
        let copied = (!streamed).then(|| quote! { Clone, });
        let answer = answer_ty(streamed, source);
        let other = streamed.then(|| quote! { .into() });
        source.item(quote! {
            #comment
            #[derive(#copied Debug)]
            pub enum #name {
                #(#variants)*
                /// Any other answer.
                Other(Answer),
            }
        });
        source.item(quote! {
            impl From<#name> for #answer {
                fn from(response: #name) -> Self {
                    match response { #(#arms)* #name::Other(answer) => answer #other, }
                }
            }
        });
    }

    /// Types and names of what a variant holds, and the answer made of them.
    fn answer(
        &self,
        case: &Case<'_>,
        names: &OperationNames,
        area: &AreaNames,
        source: &mut Source,
    ) -> (Vec<TokenStream>, Vec<TokenStream>, TokenStream) {
        let (mut types, mut bindings) = (Vec::new(), Vec::new());
        let response = case.response;
        let status = match response.status {
            Status::Code(code) => {
                let code = Literal::u16_unsuffixed(code);
                quote! { #code }
            }
            Status::Range(_) | Status::Default => {
                types.push(quote! { u16 });
                bindings.push(quote! { status });
                quote! { status }
            }
        };
        let mut answer = match case.content {
            None => quote! { Answer::empty(#status) },
            Some(content) => {
                types.push(self.stream_ty(content, source));
                // What is only read stays where it is; a large value is slow to move.
                let borrowed = (content.encoding == Encoding::Json).then(|| quote! { ref });
                bindings.push(quote! { #borrowed body });
                let media_type = concrete(&content.media_type, content.encoding);
                match content.encoding {
                    Encoding::Json => quote! { Answer::json(#status, #media_type, body) },
                    Encoding::Events => quote! { Reply::events(#status, body) },
                    Encoding::Bytes => quote! { Reply::stream(#status, #media_type, body) },
                    _ => quote! { Answer::bytes(#status, #media_type, body) },
                }
            }
        };
        if let Some(headers) = self.headers_ty(area, names, case.index, response) {
            source.import("crate::operations", "");
            types.push(headers);
            bindings.push(quote! { headers });
            answer = quote! { #answer.with_headers(&headers) };
        }
        (types, bindings, answer)
    }

    fn handler(
        &self,
        operation: &Operation,
        names: &OperationNames,
        area: &AreaNames,
        source: &mut Source,
    ) {
        let secrets = operation.signed.then(|| quote! { secrets: Secrets });
        let check = operation.signed.then(|| quote! { secrets.check(&call)?; });
        for import in ["Call", "Refusal"] {
            source.import("crate::runtime::server", import);
        }
        let (method, name) = (ident(&names.method), ident(&area.name));
        let parameters = (!fields(operation, names).is_empty())
            .then(|| quote! { let parameters = call.parameters()?; });
        let body = operation
            .body
            .as_ref()
            .map(|body| self.read_body(area, body, names, source));
        let arguments = [
            parameters.as_ref().map(|_| quote! { parameters }),
            body.as_ref().map(|_| quote! { body }),
        ];
        let arguments = arguments.iter().flatten();
        let mutable = (parameters.is_some() || body.is_some()).then(|| quote! { mut });
        let answer = answer_ty(is_reply(operation, names), source);
        source.item(quote! {
            async fn #method<T: #name>(
                implementation: Arc<T>,
                #mutable call: Call,
                #secrets
            ) -> Result<#answer, Refusal> {
                #check
                #parameters
                #body
                let context = call.finish()?;
                Ok(implementation.#method(context, #(#arguments),*).await.into())
            }
        });
    }
}

impl OperationNames {
    pub(super) fn response(&self) -> proc_macro2::Ident {
        ident(&format!("{}Response", self.name))
    }
}

/// Whether one of the answers of an operation is a stream.
fn is_reply(operation: &Operation, names: &OperationNames) -> bool {
    let cases = cases(operation, names);
    cases
        .iter()
        .any(|case| case.content.is_some_and(is_streamed))
}

fn answer_ty(streamed: bool, source: &mut Source) -> TokenStream {
    if streamed {
        source.import("crate::runtime::server", "Reply");
        quote! { Reply }
    } else {
        quote! { Answer }
    }
}

/// A function for each operation that is sent: where it is received is up to the receiver.
fn receivers(names: &AreaNames, operations: &[Operation], source: &mut Source) {
    source.import("std::sync", "Arc");
    source.import("crate::runtime::server", "Routes");
    source.import("crate::operations", "");
    let (name, module) = (ident(&names.name), ident(&names.module));
    for (operation, own) in operations.iter().zip(&names.operations) {
        let handler = ident(&own.method);
        let receive = ident(&format!("receive_{}", own.method));
        let label = operation.label();
        let mut text = format!("Receives `{label}` at a path of your own.");
        let (mut secrets, mut handle) = (None, quote! { #handler });
        if operation.signed {
            source.import("crate::runtime::signature", "Secrets");
            text.push_str(
                " What none of the secrets has signed by the rules of Standard Webhooks is \
                 refused; that it came before is for you to tell, by its `webhook-id`.",
            );
            secrets = Some(quote! { secrets: Secrets });
            handle = quote! {
                move |implementation, call| #handler(implementation, call, secrets.clone())
            };
        }
        let comment = docs::plain(&text);
        let added = addition(&module, operation, own, &handle);
        source.item(quote! {
            #comment
            pub fn #receive<T: #name>(
                path: &str,
                implementation: &Arc<T>,
                #secrets
            ) -> Routes {
                Routes::new()#added.at(path)
            }
        });
    }
}

fn area_routes(area: &Area, names: &AreaNames, source: &mut Source) {
    source.import("std::sync", "Arc");
    source.import("crate::runtime::server", "Routes");
    source.import("crate::operations", "");
    let (name, module) = (ident(&names.name), ident(&names.module));
    let added = area.operations.iter().zip(&names.operations);
    let added = added.map(|(operation, own)| {
        let handler = ident(&own.method);
        addition(&module, operation, own, &quote! { #handler })
    });
    source.item(quote! {
        /// The operations of the area.
        pub fn routes<T: #name>(implementation: &Arc<T>) -> Routes {
            Routes::new() #(#added)*
        }
    });
    source.item(quote! {
        /// A router of the area.
        pub fn router<T: #name>(implementation: &Arc<T>) -> axum::Router {
            routes(implementation).into_router()
        }
    });
}

/// The call that adds an operation to routes.
fn addition(
    module: &proc_macro2::Ident,
    operation: &Operation,
    names: &OperationNames,
    handler: &TokenStream,
) -> TokenStream {
    let constant = ident(&names.constant());
    let constant = quote! { &operations::#module::#constant };
    match streamed_types(operation).as_slice() {
        [] => quote! { .operation(#constant, implementation, #handler) },
        types => quote! { .streaming(&[#(#types),*], #constant, implementation, #handler) },
    }
}

/// The media types of the bodies that a handler reads as streams. They do not include a range such
/// as `image/*` beside other contents, because it could match one of those. A signed body is read
/// as a whole, to verify its signature.
fn streamed_types(operation: &Operation) -> Vec<&str> {
    if operation.signed {
        return Vec::new();
    }
    let contents = operation.body.as_ref().map(|body| &body.contents[..]);
    let contents = contents.unwrap_or_default();
    let streamed = contents.iter().filter(|content| {
        is_streamed(content) && (contents.len() == 1 || !content.media_type.contains('*'))
    });
    streamed
        .map(|content| content.media_type.as_str())
        .collect()
}
