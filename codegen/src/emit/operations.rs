//! `src/operations/`: what client and server share.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::patterns::Patterns;
use super::source::Source;
use super::structure::{growing, table};
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{
    Field, FormField, JsonKind, Location, Operation, Parameter, Repeat, Response, SchemeKind,
    Struct, Style,
};
use crate::names::{AreaNames, OperationNames};
use crate::output::File;

/// Headers that carry the id of a request; the run-time sets and reads them.
const REQUEST_IDS: [&str; 2] = ["request-id", "x-request-id"];

/// Whether the run-time deals with this header itself.
pub(super) fn is_request_id(name: &str) -> bool {
    REQUEST_IDS
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Headers that sign a request; the run-time makes and verifies them.
fn is_signature(name: &str) -> bool {
    ["webhook-timestamp", "webhook-signature"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// The parameters that are fields of the operation's struct, with their names.
pub(super) fn fields<'a>(
    operation: &'a Operation,
    names: &'a OperationNames,
) -> Vec<(&'a Parameter, &'a str)> {
    let named = operation
        .parameters
        .iter()
        .zip(names.parameters.iter().map(String::as_str));
    named
        .filter(|(parameter, _)| {
            parameter.location != Location::Header
                || !(is_request_id(&parameter.wire)
                    || operation.signed && is_signature(&parameter.wire))
        })
        .collect()
}

/// What the field of a parameter is called when it travels: its name on the wire, unless another
/// parameter has the same.
pub(super) fn serde_name<'a>(fields: &[(&'a Parameter, &'a str)], index: usize) -> &'a str {
    let (parameter, name) = fields[index];
    let twice = fields
        .iter()
        .filter(|(other, _)| other.wire == parameter.wire)
        .count()
        > 1;
    if twice { name } else { &parameter.wire }
}

impl Emitter<'_> {
    /// The files of the operations.
    pub(super) fn operations(&self) -> Vec<File> {
        let mut root = Source::new(
            "The operations of the document: paths, parameters, security. Client and server share \
             them.",
        );
        for (index, area) in self.names.areas.iter().enumerate() {
            let (condition, module) = (self.division(index), ident(&area.module));
            root.export(quote! { #condition pub mod #module; });
        }
        for (scheme, name) in self.api.schemes.iter().zip(&self.names.schemes) {
            root.import("crate::runtime", "Scheme");
            root.import("crate::runtime::operation", "Carrier");
            let comment = docs::plain(&format!("The security scheme `{}`.", scheme.name));
            let (constant, name) = (ident(name), &scheme.name);
            let carrier = carrier(&scheme.kind);
            root.item(quote! {
                #comment
                pub const #constant: Scheme = Scheme { name: #name, carrier: #carrier, scopes: &[] };
            });
        }
        self.shared_header_structs(&mut root);
        let mut files = vec![self.file("src/operations/mod.rs", &root)];
        for (index, area) in self.names.areas.iter().enumerate() {
            let source = self.operation_file(index);
            files.push(self.file(&format!("src/operations/{}.rs", area.module), &source));
        }
        files
    }

    fn operation_file(&self, index: usize) -> Source {
        let (area, names) = (&self.api.areas[index], &self.names.areas[index]);
        let mut source = Source::new(format!("Operations of the area `{}`.", area.tag));
        let statics = |own: &OperationNames| [own.constant(), own.form_constant()];
        let mut patterns = Patterns::beside(names.operations.iter().flat_map(statics));
        for (operation, names) in area.operations.iter().zip(&names.operations) {
            self.operation_static(operation, names, &mut source);
            self.parameter_struct(operation, names, &mut source, &mut patterns);
            self.header_structs(operation, names, &mut source);
            form_table(operation, names, &mut source);
            self.body_enum(operation, names, &mut source);
            self.loose_checks(operation, names, &mut source, &mut patterns);
        }
        for ty in patterns.imports() {
            source.import("crate::runtime", ty);
        }
        for item in patterns.items() {
            source.item(item);
        }
        source
    }

    fn operation_static(&self, operation: &Operation, names: &OperationNames, source: &mut Source) {
        source.import("crate::runtime", "Operation");
        let constant = ident(&names.constant());
        let id = operation.id.as_ref().unwrap_or(&names.method);
        let method = operation.method.as_str();
        // A fragment tells operations apart in the document and is never sent.
        // The address of a callback is an expression, in which `#` does not begin a fragment.
        let path = match operation.path.split_once('#') {
            Some((path, _)) if path.starts_with('/') => path,
            _ => &operation.path,
        };
        let fields = fields(operation, names);
        let table = (0..fields.len())
            .map(|index| table_entry(fields[index].0, serde_name(&fields, index), source))
            .collect::<Vec<_>>();
        let security = operation.security.iter().map(|alternative| {
            let schemes = alternative.iter().map(|demanded| {
                let name = ident(&self.names.schemes[demanded.scheme]);
                let scopes = &demanded.scopes;
                let scopes = (!scopes.is_empty()).then(|| quote! { .scopes(&[#(#scopes),*]) });
                quote! { super::#name #scopes }
            });
            quote! { &[#(#schemes),*] }
        });
        let request_id = operation
            .parameters
            .iter()
            .find(|one| one.location == Location::Header && is_request_id(&one.wire));
        let request_id = request_id.map(|one| {
            let name = one.wire.to_lowercase();
            quote! { .request_id(#name) }
        });
        let parameters = (!table.is_empty()).then(|| quote! { .parameters(&[#(#table),*]) });
        let security =
            (!operation.security.is_empty()).then(|| quote! { .security(&[#(#security),*]) });
        let repeat = repeat(&operation.repeat, source);
        let comment = docs::plain(&format!("`{method} {path}`"));
        source.item(quote! {
            #comment
            pub static #constant: Operation =
                Operation::new(#id, #method, #path) #parameters #security #request_id #repeat;
        });
    }

    fn parameter_struct(
        &self,
        operation: &Operation,
        names: &OperationNames,
        source: &mut Source,
        patterns: &mut Patterns,
    ) {
        let parameters = fields(operation, names);
        if parameters.is_empty() {
            return;
        }
        let fields: Vec<Field> = (0..parameters.len())
            .map(|index| {
                let parameter = parameters[index].0;
                let wire = serde_name(&parameters, index);
                Field::plain(wire, &parameter.usage, parameter.required, &parameter.docs)
            })
            .collect();
        let members: Vec<String> = parameters
            .iter()
            .map(|(_, name)| (*name).to_owned())
            .collect();
        let name = format!("{}Parameters", names.name);
        let comment = docs::plain(&format!("Parameters of `{}`.", operation.label()));
        self.plain_struct("parameters", &name, &comment, &fields, &members, source);
        let object = Struct {
            fields,
            rest: None,
            closed: false,
            loose: false,
        };
        self.validate_parameters(&ident(&name), &object, &members, source, patterns);
    }

    /// The headers of responses that stand in the operations themselves.
    fn header_structs(&self, operation: &Operation, names: &OperationNames, source: &mut Source) {
        for (index, response) in operation.responses.iter().enumerate() {
            if response.component.is_some() {
                continue;
            }
            let (status, label) = (response.status, operation.label());
            let comment = docs::plain(&format!("Headers of the answer {status} of `{label}`."));
            let name = names.headers_name(index);
            self.header_struct(&name, &comment, response, &names.headers[index], source);
        }
    }

    /// The headers of responses that several operations share.
    fn shared_header_structs(&self, source: &mut Source) {
        let mut shared = BTreeMap::new();
        for (area, names) in self.api.areas.iter().zip(&self.names.areas) {
            for (operation, own) in area.operations.iter().zip(&names.operations) {
                for (response, members) in operation.responses.iter().zip(&own.headers) {
                    if let Some(component) = &response.component {
                        shared.entry(component).or_insert((response, members));
                    }
                }
            }
        }
        for (component, (response, members)) in shared {
            let comment = docs::plain(&format!("Headers of the answer `{component}`."));
            let name = &self.names.response_headers[component];
            self.header_struct(name, &comment, response, members, source);
        }
    }

    fn header_struct(
        &self,
        name: &str,
        comment: &TokenStream,
        response: &Response,
        members: &[String],
        source: &mut Source,
    ) {
        let declared = response.headers.iter().zip(members);
        let (fields, members): (Vec<Field>, Vec<String>) = declared
            .filter(|(header, _)| !is_request_id(&header.wire))
            .map(|(header, member)| {
                let wire = header.wire.to_lowercase();
                let field = Field::plain(&wire, &header.usage, header.required, &header.docs);
                (field, member.clone())
            })
            .unzip();
        if !fields.is_empty() {
            self.plain_struct("headers", name, comment, &fields, &members, source);
        }
    }

    /// The headers of a response as a type; `None` where it declares none.
    pub(super) fn headers_ty(
        &self,
        area: &AreaNames,
        names: &OperationNames,
        index: usize,
        response: &Response,
    ) -> Option<TokenStream> {
        let declared = response.headers.iter();
        declared
            .into_iter()
            .find(|header| !is_request_id(&header.wire))?;
        if let Some(component) = &response.component {
            let name = ident(&self.names.response_headers[component]);
            return Some(quote! { operations::#name });
        }
        let (module, name) = (ident(&area.module), ident(&names.headers_name(index)));
        Some(quote! { operations::#module::#name })
    }

    fn plain_struct(
        &self,
        direction: &str,
        name: &str,
        comment: &TokenStream,
        fields: &[Field],
        members: &[String],
        source: &mut Source,
    ) {
        let default = fields
            .iter()
            .all(|field| !field.required)
            .then(|| quote! { Default, });
        let members: Vec<(&Field, &str)> = fields
            .iter()
            .zip(members.iter().map(String::as_str))
            .collect();
        let fields = members.iter().map(|(field, member)| {
            let comment = docs::of_part(&field.docs, &field.wire, member);
            let (ty, _) = self.held(&field.usage, field.required, From::Outside, source);
            let member = ident(member);
            quote! { #comment pub #member: #ty, }
        });
        let fields: Vec<TokenStream> = fields.collect();
        let (name_tokens, growing) = (ident(name), growing());
        source.item(quote! {
            #comment
            #[derive(Clone, Debug, #default PartialEq)]
            #growing
            pub struct #name_tokens { #(#fields)* }
        });
        if !source.has_table() {
            source.item(quote! {
                #[cfg(any(feature = "client", feature = "server"))]
                use crate::runtime::object;
            });
        }
        source.table(table(direction, name, "Ignored", &members));
    }
}

fn repeat(repeat: &Repeat, source: &mut Source) -> Option<TokenStream> {
    let repeat = match repeat {
        Repeat::Idempotent => quote! { Repeat::Idempotent },
        Repeat::Keyed(header) => {
            let header = header.to_lowercase();
            quote! { Repeat::Keyed(#header) }
        }
        Repeat::NaturalKey(property) => quote! { Repeat::NaturalKey(#property) },
        Repeat::Never => return None,
    };
    source.import("crate::runtime", "Repeat");
    Some(quote! { .repeat(#repeat) })
}

fn carrier(kind: &SchemeKind) -> TokenStream {
    match kind {
        SchemeKind::Header(name) => {
            let name = name.to_lowercase();
            quote! { Carrier::Header(#name) }
        }
        SchemeKind::Query(name) => quote! { Carrier::Query(#name) },
        SchemeKind::Cookie(name) => quote! { Carrier::Cookie(#name) },
        SchemeKind::Basic => quote! { Carrier::Basic },
        SchemeKind::Bearer => quote! { Carrier::Bearer },
        SchemeKind::Certificate => quote! { Carrier::Certificate },
        SchemeKind::Unknown => quote! { Carrier::Unknown },
    }
}

fn table_entry(parameter: &Parameter, serde_name: &str, source: &mut Source) -> TokenStream {
    source.import("crate::runtime", "Parameter");
    let place = ident(match parameter.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
    });
    let default = match parameter.location {
        Location::Path | Location::Header => (Style::Simple, false),
        Location::Query | Location::Cookie => (Style::Form, true),
    };
    let wire = &parameter.wire;
    let field = (serde_name != wire).then(|| quote! { .field(#serde_name) });
    let style = ((parameter.style, parameter.explode) != default)
        .then(|| style(parameter.style, parameter.explode, source));
    let kind = kind(parameter.kind, source);
    let reserved = parameter.allow_reserved.then(|| quote! { .reserved() });
    quote! { Parameter::#place(#wire)#field #style #kind #reserved }
}

fn form_entry(field: &FormField, source: &mut Source) -> TokenStream {
    let wire = &field.wire;
    let style = ((field.style, field.explode) != (Style::Form, true))
        .then(|| style(field.style, field.explode, source));
    let kind = kind(field.kind, source);
    quote! { Parameter::query(#wire)#style #kind }
}

fn style(style: Style, explode: bool, source: &mut Source) -> TokenStream {
    source.import("crate::runtime::parameter", "Style");
    let style = ident(match style {
        Style::Simple => "Simple",
        Style::Form => "Form",
        Style::SpaceDelimited => "SpaceDelimited",
        Style::PipeDelimited => "PipeDelimited",
        Style::DeepObject => "DeepObject",
        Style::Label => "Label",
        Style::Matrix => "Matrix",
        Style::Json => "Json",
    });
    quote! { .style(Style::#style, #explode) }
}

fn kind(kind: JsonKind, source: &mut Source) -> Option<TokenStream> {
    let shape = ident(match kind {
        JsonKind::List => "List",
        JsonKind::Object | JsonKind::Loose => "Map",
        JsonKind::Any => "Any",
        JsonKind::Bool | JsonKind::Number | JsonKind::Text => return None,
    });
    source.import("crate::runtime::parameter", "Shape");
    Some(quote! { .shape(Shape::#shape) })
}

fn form_table(operation: &Operation, names: &OperationNames, source: &mut Source) {
    let Some(body) = &operation.body else {
        return;
    };
    let forms = body.contents.iter();
    let Some(form) = forms.into_iter().find(|content| !content.fields.is_empty()) else {
        return;
    };
    source.import("crate::runtime", "Parameter");
    let constant = ident(&names.form_constant());
    let entries = form
        .fields
        .iter()
        .map(|field| form_entry(field, source))
        .collect::<Vec<_>>();
    let label = operation.label();
    let comment = docs::plain(&format!("Fields of the form of `{label}`."));
    source.item(quote! {
        #comment
        pub static #constant: &[Parameter] = &[#(#entries),*];
    });
}
