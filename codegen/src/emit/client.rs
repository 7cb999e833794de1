//! `src/client/`: one handle for each area.

use proc_macro2::TokenStream;
use quote::quote;

use super::operations::fields;
use super::source::Source;
use super::structure::{Presence, presence};
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{Area, Encoding, Operation, Parameter, Type, Usage};
use crate::names::{AreaNames, OperationNames};
use crate::output::File;

impl Emitter<'_> {
    /// The files of the client.
    pub(super) fn client(&self) -> Vec<File> {
        let mut files = vec![self.file("src/client/mod.rs", &self.client_root())];
        for (area, names) in self.api.areas.iter().zip(&self.names.areas) {
            let mut source = Source::new(format!("Client of the area `{}`.", area.tag));
            self.handle(area, names, &mut source);
            for (operation, own) in area.operations.iter().zip(&names.operations) {
                self.setters(operation, own, &mut source);
                self.endpoint(names, operation, own, &mut source);
                self.links(operation, own, &mut source);
            }
            files.push(self.file(&format!("src/client/{}.rs", names.module), &source));
        }
        files
    }

    fn client_root(&self) -> Source {
        let mut source = Source::new("The client: one handle for each area.");
        for (index, names) in self.names.areas.iter().enumerate() {
            let (module, condition) = (ident(&names.module), self.condition(index));
            source.export(quote! { #condition pub mod #module; });
        }
        if self.has_package() {
            source.export(quote! { pub use crate::runtime::client::{Error, Response}; });
            source.table("crate::runtime::client_types! {}\n".to_owned());
        } else {
            source.export(quote! {
                pub use crate::runtime::client::{Error, Request, Response, Settings};
            });
        }
        if !self.api.serves() {
            self.credentials(&mut source);
            return source;
        }
        source.import("std::sync", "Arc");
        source.import("crate::runtime::client", "Connection");
        source.import("crate::runtime::client", "RequestError");
        let areas = self.api.areas.iter().zip(&self.names.areas).enumerate();
        let served = areas.filter(|(_, (area, _))| !area.sent);
        let handles = served.map(|(index, (area, names))| {
            let condition = self.division(index);
            let comment = docs::of_area(&area.docs, &area.tag);
            let (module, handle) = (ident(&names.module), ident(&names.name));
            quote! {
                #comment
                #condition
                pub fn #module(&self) -> #module::#handle {
                    #module::#handle::new(&self.connection)
                }
            }
        });
        let handles: Vec<TokenStream> = handles.collect();
        let unused = self.is_divided().then(|| {
            quote! {
                #[cfg_attr(
                    not(feature = "areas"),
                    allow(dead_code, reason = "a client without an area calls nothing")
                )]
            }
        });
        source.item(quote! {
            /// A client of the service. Clones share their connections.
            #[derive(Clone, Debug)]
            pub struct Client { #unused connection: Arc<Connection> }
        });
        source.item(quote! {
            impl Client {
                /// A client with the given address and credentials. Nothing is sent yet.
                pub fn new(settings: Settings) -> Result<Self, RequestError> {
                    Ok(Self { connection: Arc::new(settings.connect()?) })
                }
                #(#handles)*
            }
        });
        self.credentials(&mut source);
        source
    }

    fn handle(&self, area: &Area, names: &AreaNames, source: &mut Source) {
        let (comment, operations) = (docs::of_area(&area.docs, &area.tag), &area.operations);
        source.import("std::sync", "Arc");
        for name in ["Connection", "Request"] {
            source.import("crate::runtime::client", name);
        }
        let handle = ident(&names.name);
        let methods: Vec<TokenStream> = operations
            .iter()
            .zip(&names.operations)
            .map(|(operation, own)| self.client_method(area, names, operation, own, source))
            .collect();
        if area.sent {
            let signed = operations.iter().any(|operation| operation.signed);
            sender(&handle, &comment, &methods, signed, source);
            return;
        }
        source.item(quote! {
            #comment
            #[derive(Clone, Debug)]
            pub struct #handle { connection: Arc<Connection> }
        });
        source.item(quote! {
            impl #handle {
                pub(super) fn new(connection: &Arc<Connection>) -> Self {
                    Self { connection: Arc::clone(connection) }
                }
                #(#methods)*
            }
        });
    }

    fn client_method(
        &self,
        group: &Area,
        area: &AreaNames,
        operation: &Operation,
        names: &OperationNames,
        source: &mut Source,
    ) -> TokenStream {
        let comment = docs::of_operation(operation);
        let (method, marker) = (ident(&names.method), ident(&names.name));
        let parameters = fields(operation, names);
        let required = parameters
            .iter()
            .filter(|(parameter, _)| parameter.required);
        let mut arguments: Vec<TokenStream> = required
            .map(|(parameter, name)| {
                let name = ident(name);
                let ty = self.argument_ty(&parameter.usage, source);
                quote! { #name: #ty }
            })
            .collect();
        let values = parameter_values(area, &parameters, names, source);
        let mut request = quote! { Request::new(&self.connection, #values) };
        request = self.to_own_server(operation, request);
        if group.sent {
            arguments.insert(0, quote! { address: &str });
            request = quote! { #request.to(address) };
        }
        if operation.signed {
            request = quote! { #request.seal(self.secrets.seal()) };
        }
        let body = match &operation.body {
            None => request,
            Some(body) => {
                let (argument, sent) = self.sent_body(area, body, names, &request, source);
                arguments.push(argument);
                sent
            }
        };
        let many = (arguments.len() > 6).then(|| {
            quote! {
                #[allow(
                    clippy::too_many_arguments,
                    reason = "the document requires as many parameters"
                )]
            }
        });
        quote! {
            #comment
            #many
            pub fn #method(&self, #(#arguments),*) -> Request<#marker> { #body }
        }
    }

    pub(super) fn argument_ty(&self, usage: &Usage, source: &mut Source) -> TokenStream {
        if usage.ty == Type::Text && !usage.sensitive {
            return quote! { impl Into<String> };
        }
        self.ty(usage, From::Outside, source)
    }

    /// Methods that set optional parameters.
    fn setters(&self, operation: &Operation, names: &OperationNames, source: &mut Source) {
        let parameters = fields(operation, names);
        let setters: Vec<TokenStream> = parameters
            .iter()
            .filter(|(parameter, _)| !parameter.required)
            .map(|(parameter, name)| {
                let comment = docs::of_part(&parameter.docs, &parameter.wire, name);
                let name = ident(name);
                let ty = self.argument_ty(&parameter.usage, source);
                let value = if parameter.usage.ty == Type::Text && !parameter.usage.sensitive {
                    quote! { #name.into() }
                } else {
                    quote! { #name }
                };
                let value = if presence(&parameter.usage, false) == Presence::OptionalOrNull {
                    quote! { #value.into() }
                } else {
                    quote! { Some(#value) }
                };
                quote! {
                    #comment
                    pub fn #name(mut self, #name: #ty) -> Self {
                        self.parameters_mut().#name = #value;
                        self
                    }
                }
            })
            .collect();
        if setters.is_empty() {
            return;
        }
        let marker = ident(&names.name);
        source.item(quote! { impl Request<#marker> { #(#setters)* } });
    }
}

/// Who sends callbacks or webhooks: each call says to where.
fn sender(
    handle: &proc_macro2::Ident,
    comment: &TokenStream,
    methods: &[TokenStream],
    signed: bool,
    source: &mut Source,
) {
    source.import("crate::runtime::client", "RequestError");
    source.import("crate::runtime::client", "Settings");
    let (mut field, mut argument, mut value, mut text) = (None, None, None, "");
    if signed {
        source.import("crate::runtime::signature", "Secrets");
        field = Some(quote! { secrets: Secrets });
        argument = Some(quote! { secrets: Secrets });
        value = Some(quote! { secrets });
        text = " Each of the secrets signs what is sent.";
    }
    let constructor = docs::plain(&format!(
        "Sends with these settings; [`Settings::anywhere`] has what it takes.{text}"
    ));
    source.item(quote! {
        #comment
        #[derive(Clone, Debug)]
        pub struct #handle { connection: Arc<Connection>, #field }
    });
    source.item(quote! {
        impl #handle {
            #constructor
            pub fn new(settings: Settings, #argument) -> Result<Self, RequestError> {
                Ok(Self { connection: Arc::new(settings.connect()?), #value })
            }
            #(#methods)*
        }
    });
}

/// A media type that can stand in a header, for one that is a range.
pub(super) fn concrete(media_type: &str, encoding: Encoding) -> String {
    if !media_type.contains('*') {
        return media_type.to_owned();
    }
    let concrete = match encoding {
        Encoding::Json => "application/json",
        Encoding::Text => "text/plain",
        _ => "application/octet-stream",
    };
    concrete.to_owned()
}

/// The field of a parameter that is an argument.
pub(super) fn given(usage: &Usage, name: &proc_macro2::Ident) -> TokenStream {
    if usage.ty == Type::Text && !usage.sensitive {
        quote! { #name: #name.into() }
    } else {
        quote! { #name }
    }
}

fn parameter_values(
    area: &AreaNames,
    parameters: &[(&Parameter, &str)],
    names: &OperationNames,
    source: &mut Source,
) -> TokenStream {
    if parameters.is_empty() {
        return quote! { () };
    }
    let module = ident(&area.module);
    source.import("crate::operations", "");
    let name = ident(&format!("{}Parameters", names.name));
    let path = quote! { operations::#module::#name };
    if parameters.iter().all(|(parameter, _)| !parameter.required) {
        return quote! { #path::default() };
    }
    let values = parameters.iter().map(|(parameter, name)| {
        let name = ident(name);
        match (
            parameter.required,
            presence(&parameter.usage, parameter.required),
        ) {
            (true, _) => given(&parameter.usage, &name),
            (false, Presence::OptionalOrNull) => quote! { #name: Default::default() },
            (false, _) => quote! { #name: None },
        }
    });
    quote! { #path { #(#values),* } }
}
