//! Methods of an answer that make the requests of its links.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::client::given;
use super::endpoint::parameters_ty;
use super::operations::fields;
use super::outcome::cases;
use super::source::Source;
use super::tokens::ident;
use super::{Emitter, docs};
use crate::ir::{Expression, Link, Location, Operation, Parameter, Status};
use crate::names::{AreaNames, OperationNames};

impl Emitter<'_> {
    /// One method for each link of an operation's responses.
    pub(super) fn links(&self, operation: &Operation, names: &OperationNames, source: &mut Source) {
        let mut methods = Vec::new();
        for (index, response) in operation.responses.iter().enumerate() {
            let case = cases(operation, names)
                .into_iter()
                .find(|case| case.index == index);
            let status = case.map_or(response.status, |case| case.success_status());
            for (link, method) in response.links.iter().zip(&names.links[index]) {
                methods.push(self.link(link, method, status, source));
            }
        }
        if methods.is_empty() {
            return;
        }
        for name in ["LinkError", "Linked"] {
            source.import("crate::runtime::client", name);
        }
        let links = || {
            operation
                .responses
                .iter()
                .flat_map(|response| &response.links)
        };
        if links().any(|link| link.body.is_some() || !link.parameters.is_empty()) {
            source.import("crate::runtime::client", "Expression");
        }
        let marker = ident(&names.name);
        source.item(quote! { impl Linked<#marker> { #(#methods)* } });
    }

    fn link(&self, link: &Link, method: &str, status: Status, source: &mut Source) -> TokenStream {
        let area = &self.names.areas[link.area];
        let operation = &self.api.areas[link.area].operations[link.operation];
        let names = &area.operations[link.operation];
        let mut arguments = Vec::new();
        let parameters = self.link_parameters(link, area, &mut arguments, source);
        let request = quote! { Request::new(link.connection(), #parameters) };
        let sent = match (&operation.body, &link.body) {
            (Some(body), Some((content, expression))) => {
                let content = &body.contents[*content];
                let (media_type, expression) = (&content.media_type, tokens(expression));
                let ty = self.content_ty(content, source);
                quote! {
                    let body: #ty = link.body(#expression)?;
                    Ok(#request.json(#media_type, &body))
                }
            }
            (Some(body), None) => {
                let (argument, sent) = self.sent_body(area, body, names, &request, source);
                arguments.push(argument);
                quote! { Ok({ #sent }) }
            }
            (None, _) => quote! { Ok(#request) },
        };
        let label = operation.label();
        let comment = docs::comment(
            &link.docs,
            &format!(
                "The request of `{label}` that the link `{}` is for.",
                link.name
            ),
        );
        let (name, method) = (&link.name, ident(method));
        let (module, marker) = (ident(&area.module), ident(&names.name));
        let statuses = statuses(status);
        source.import("crate::runtime::client", "Request");
        quote! {
            #comment
            pub fn #method(&self, #(#arguments),*) -> Result<Request<super::#module::#marker>, LinkError> {
                let link = self.origin.follow(#name, #statuses)?;
                #sent
            }
        }
    }

    /// The parameters of a linked operation: what the link fills, and the rest as arguments where
    /// it is required.
    fn link_parameters(
        &self,
        link: &Link,
        area: &AreaNames,
        arguments: &mut Vec<TokenStream>,
        source: &mut Source,
    ) -> TokenStream {
        let operation = &self.api.areas[link.area].operations[link.operation];
        let names = &area.operations[link.operation];
        let fields = fields(operation, names);
        if fields.is_empty() {
            return quote! { () };
        }
        source.import("crate::operations", "");
        let ty = parameters_ty(area, operation, names);
        let filled = |parameter: &Parameter| {
            let mut filled = link.parameters.iter();
            let same = |other: &Parameter| {
                (other.location, &other.wire) == (parameter.location, &parameter.wire)
            };
            let found = filled.find(|(index, _)| same(&operation.parameters[*index]));
            found.map(|(_, expression)| tokens(expression))
        };
        let mut values = Vec::new();
        for (parameter, name) in &fields {
            let name = ident(name);
            match (filled(parameter), parameter.required) {
                (Some(value), true) => values.push(quote! { #name: link.value(#value)? }),
                (Some(value), false) => {
                    values.push(quote! { #name: link.optional(#value)? });
                }
                (None, true) => {
                    let ty = self.argument_ty(&parameter.usage, source);
                    arguments.push(quote! { #name: #ty });
                    values.push(given(&parameter.usage, &name));
                }
                (None, false) => values.push(quote! { #name: None }),
            }
        }
        quote! { #ty { #(#values),* } }
    }
}

fn statuses(status: Status) -> TokenStream {
    let (from, to) = match status {
        Status::Code(code) => (code, code),
        Status::Range(class) => (u16::from(class) * 100, u16::from(class) * 100 + 99),
        Status::Default => (0, 999),
    };
    let (from, to) = (Literal::u16_unsuffixed(from), Literal::u16_unsuffixed(to));
    quote! { #from..=#to }
}

fn tokens(expression: &Expression) -> TokenStream {
    match expression {
        Expression::Url => quote! { Expression::Url },
        Expression::Method => quote! { Expression::Method },
        Expression::StatusCode => quote! { Expression::StatusCode },
        Expression::Request(Location::Path, name) => quote! { Expression::RequestPath(#name) },
        Expression::Request(Location::Query, name) => quote! { Expression::RequestQuery(#name) },
        Expression::Request(_, name) => quote! { Expression::RequestHeader(#name) },
        Expression::RequestBody(pointer) => quote! { Expression::RequestBody(#pointer) },
        Expression::ResponseHeader(name) => quote! { Expression::ResponseHeader(#name) },
        Expression::ResponseBody(pointer) => quote! { Expression::ResponseBody(#pointer) },
        Expression::Constant(json) => quote! { Expression::Constant(#json) },
        Expression::Text(pieces) => {
            let pieces = pieces.iter().map(tokens);
            quote! { Expression::Text(&[#(#pieces),*]) }
        }
    }
}
