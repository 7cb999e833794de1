//! `tests/suite/round_trips.rs` and `exchanges.json`: the generated client calls the generated server,
//! over a socket, with every documented example.

mod support;

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::{Map, Value};

use super::Emitter;
use super::examples::data_file;
use super::operations::{fields, serde_name};
use super::outcome::{Case, Outcomes, Success, cases};
use super::source::Source;
use super::tokens::ident;
use crate::ir::{Content, Encoding, Exchange, Operation, Response, Status};
use crate::names::{AreaNames, OperationNames, package};
use crate::output::File;
use crate::sample::Samples;

/// An operation with its exchanges.
struct Tried<'a> {
    area: &'a AreaNames,
    operation: &'a Operation,
    names: &'a OperationNames,
    exchanges: Vec<&'a Exchange>,
}

impl Emitter<'_> {
    /// The test over a socket; none where there is nothing to say.
    pub(super) fn round_trips(&self, exchanges: &[Exchange]) -> Vec<File> {
        if exchanges.is_empty() {
            return Vec::new();
        }
        let package = package(&self.options.crate_name).replace('-', "_");
        let mut source = Source::new(
            "The generated client calls the generated server, over a socket, with every documented \
             example; both\nhold exactly what the document says. `exchanges.json` has the exchanges of each operation.",
        );
        source.needs("client");
        source.needs("server");
        if self.is_divided() {
            source.needs(super::feature::ALL);
        }
        let mut types = Source::default();
        let (mut data, mut table) = (Vec::new(), String::new());
        for (index, area) in self.names.areas.iter().enumerate() {
            let mut methods = Vec::new();
            for (at, (operation, names)) in self.api.areas[index]
                .operations
                .iter()
                .zip(&area.operations)
                .enumerate()
            {
                let own = |it: &&Exchange| it.area == index && it.operation == at;
                let exchanges: Vec<&Exchange> = exchanges.iter().filter(own).collect();
                if exchanges.is_empty() {
                    continue;
                }
                let tried = Tried {
                    area,
                    operation,
                    names,
                    exchanges,
                };
                let lines = tried
                    .exchanges
                    .iter()
                    .map(|exchange| entry(exchange, &tried));
                data.push((tried.key(), lines.collect()));
                table.push_str(&rows(&Outcomes::of(operation, names), &tried));
                methods.push(self.answering(&tried, &mut types));
                source.item(self.calling(&tried, &mut types));
            }
            if !methods.is_empty() {
                let (module, name) = (ident(&area.module), ident(&area.name));
                source.item(quote! { impl server::#module::#name for Documented { #(#methods)* } });
            }
        }
        source.adopt(&types, &package);
        for import in ["client", "server"] {
            source.import(&package, import);
        }
        support::add(&mut source, &package);
        source.table(format!("written! {{\n{table}}}\n"));
        vec![
            self.file("tests/suite/round_trips.rs", &source),
            data_file("tests/suite/exchanges.json", data.into_iter()),
        ]
    }

    /// The test of an operation.
    fn calling(&self, tried: &Tried<'_>, types: &mut Source) -> TokenStream {
        let (area, names) = (tried.area, tried.names);
        let (module, method) = (ident(&area.module), ident(&names.method));
        let (test, key) = (ident(&tried.key()), tried.key());
        let parameters = fields(tried.operation, names);
        let mut arguments: Vec<TokenStream> = Vec::new();
        let mut all = TokenStream::new();
        let mut read = TokenStream::new();
        if !parameters.is_empty() {
            types.import("crate::operations", "");
            let ty = ident(&format!("{}Parameters", names.name));
            read.extend(quote! {
                let parameters: operations::#module::#ty = exchange.parameters();
            });
            let required = parameters
                .iter()
                .filter(|(parameter, _)| parameter.required);
            let required = required.map(|(_, name)| ident(name));
            arguments.extend(required.map(|name| quote! { copy(&parameters.#name) }));
            all = quote! { .parameters(parameters) };
        }
        if let Some(argument) = self.body_argument(tried, &mut read, types) {
            arguments.push(argument);
        }
        let success = success(&Outcomes::of(tried.operation, names));
        let label = super::docs::plain(&format!("`{}`", tried.operation.label()));
        let marker = ident(&names.name);
        let exchange = if read.is_empty() {
            quote! { _ }
        } else {
            quote! { exchange }
        };
        quote! {
            #label
            #[tokio::test]
            async fn #test() {
                let call = |client: &client::Client, #exchange: &Exchange| {
                    #read
                    client.#module().#method(#(#arguments),*) #all
                };
                let router = server::#module::router;
                try_each::<client::#module::#marker>(#key, router, call, #success).await;
            }
        }
    }

    fn body_argument(
        &self,
        tried: &Tried<'_>,
        read: &mut TokenStream,
        types: &mut Source,
    ) -> Option<TokenStream> {
        let body = tried.operation.body.as_ref()?;
        let sent = tried
            .exchanges
            .iter()
            .find_map(|exchange| exchange.body.as_ref());
        let Some((index, _)) = sent else {
            return Some(quote! { None });
        };
        let content = &body.contents[*index];
        let ty = self.content_ty(content, types);
        read.extend(quote! { let body: #ty = exchange.body(); });
        if body.contents.len() > 1 {
            let (module, name) = (ident(&tried.area.module), ident(&tried.names.body()));
            let variant = ident(&tried.names.bodies[*index]);
            types.import("crate::operations", "");
            read.extend(quote! { let body = operations::#module::#name::#variant(body); });
        }
        // A body that may be a stream is given away.
        let is_given = body.contents.len() > 1 && body.is_streamed();
        let borrowed = (!is_given).then(|| quote! { & });
        Some(if body.required {
            quote! { #borrowed body }
        } else {
            quote! { Some(#borrowed body) }
        })
    }

    /// The method of the server.
    fn answering(&self, tried: &Tried<'_>, types: &mut Source) -> TokenStream {
        let (method, response) = (ident(&tried.names.method), tried.names.response());
        let module = ident(&tried.area.module);
        let mut arguments = Vec::new();
        let mut heard = vec![quote! { String::new() }, quote! { String::new() }];
        if !fields(tried.operation, tried.names).is_empty() {
            types.import("crate::operations", "");
            let ty = ident(&format!("{}Parameters", tried.names.name));
            arguments.push(quote! { parameters: operations::#module::#ty });
            heard[0] = quote! { json(&parameters) };
        }
        if let Some(body) = &tried.operation.body {
            let ty = self.taken_ty(tried.area, body, tried.names, types);
            arguments.push(quote! { body: #ty });
            heard[1] = taken(tried, &body.contents, body.required);
        }
        let mut told: Vec<(usize, Option<usize>)> = tried
            .exchanges
            .iter()
            .map(|it| (it.response, it.content))
            .collect();
        told.sort_unstable();
        told.dedup();
        let all = cases(tried.operation, tried.names);
        let arms = told.iter().filter_map(|(index, content)| {
            let case = case_of(&all, *index, *content)?;
            let (word, variant) = (case.variant, ident(case.variant));
            let mut values = Vec::new();
            if !matches!(case.response.status, Status::Code(_)) {
                values.push(quote! { exchange.status });
            }
            values.extend(case.content.map(|_| quote! { exchange.answer() }));
            let headers = self.headers_ty(tried.area, tried.names, case.index, case.response);
            values.extend(headers.map(|_| self.made_up_headers(case.response)));
            let values = (!values.is_empty()).then(|| quote! { (#(#values),*) });
            Some(quote! { #word => Response::#variant #values, })
        });
        let arms: Vec<TokenStream> = arms.collect();
        quote! {
            async fn #method(
                &self,
                context: Context,
                #(#arguments),*
            ) -> server::#module::#response {
                use server::#module::#response as Response;
                let exchange = self.taken(#(#heard),*);
                match exchange.case.as_str() {
                    #(#arms)*
                    _ => Response::Other(context.not_implemented()),
                }
            }
        }
    }
}

impl Tried<'_> {
    /// The name of its test, by which the data has its exchanges.
    fn key(&self) -> String {
        format!(
            "{}_{}",
            self.area.module.trim_start_matches("r#"),
            self.names.method
        )
    }
}

/// An exchange as JSON; what it does not have is `null`.
fn entry(exchange: &Exchange, tried: &Tried<'_>) -> String {
    let own = fields(tried.operation, tried.names);
    let place = |index: usize| {
        let parameter = &tried.operation.parameters[index];
        own.iter()
            .position(|(other, _)| std::ptr::eq(*other, parameter))
    };
    let parameters = exchange.parameters.iter().filter_map(|(index, json)| {
        let name = serde_name(&own, place(*index)?);
        Some(format!("{}:{json}", Value::from(name)))
    });
    let parameters = parameters.collect::<Vec<_>>().join(",");
    let body = exchange.body.as_ref().map_or("null", |(_, json)| json);
    let answer = match exchange.answer.as_str() {
        "" => "null",
        answer => answer,
    };
    let all = cases(tried.operation, tried.names);
    let case = case_of(&all, exchange.response, exchange.content).map_or("", |case| case.variant);
    let (name, case, status) = (
        Value::from(&*exchange.name),
        Value::from(case),
        exchange.status,
    );
    format!(
        "{{\"name\": {name}, \"parameters\": {{{parameters}}}, \"body\": {body}, \"case\": {case}, \
         \"status\": {status}, \"answer\": {answer}}}"
    )
}

fn case_of<'c, 'a>(
    all: &'c [Case<'a>],
    response: usize,
    content: Option<usize>,
) -> Option<&'c Case<'a>> {
    let mut own = all.iter().filter(|case| case.index == response);
    own.nth(content.unwrap_or_default())
}

/// How the body that a server has taken becomes JSON again.
fn taken(tried: &Tried<'_>, contents: &[Content], required: bool) -> TokenStream {
    let written = match contents {
        [content] if content.encoding == Encoding::Json && !required => {
            return quote! { body.as_ref().map(json).unwrap_or_default() };
        }
        [content] if content.encoding == Encoding::Json => quote! { json(body) },
        [_] => quote! { { let _ = body; String::new() } },
        several => {
            let (module, name) = (ident(&tried.area.module), ident(&tried.names.body()));
            let json = several.iter().zip(&tried.names.bodies);
            let json = json.filter(|(content, _)| content.encoding == Encoding::Json);
            let arms: Vec<TokenStream> = json
                .map(|(_, variant)| {
                    let variant = ident(variant);
                    quote! { operations::#module::#name::#variant(body) => json(body), }
                })
                .collect();
            let other = (arms.len() < several.len()).then(|| quote! { _ => String::new(), });
            quote! { match body { #(#arms)* #other } }
        }
    };
    if required {
        return quote! { { let body = &body; #written } };
    }
    quote! { body.as_ref().map(|body| #written).unwrap_or_default() }
}

/// How the body of a success becomes JSON again.
fn success(outcomes: &Outcomes<'_>) -> TokenStream {
    match outcomes.success() {
        Success::Body(content) if content.encoding == Encoding::Json => quote! { json },
        Success::Empty | Success::Body(_) => quote! { |_| String::new() },
        Success::Several => quote! { Written::written },
    }
}

/// The rows of the answers of an operation that have an enum in the client.
fn rows(outcomes: &Outcomes<'_>, tried: &Tried<'_>) -> String {
    let mut rows = String::new();
    if matches!(outcomes.success(), Success::Several) {
        rows.push_str(&row(&outcomes.successes, "Success", tried));
    }
    if !outcomes.refusals.is_empty() {
        rows.push_str(&row(&outcomes.refusals, "Error", tried));
    }
    rows
}

/// A row of the table `written!`: variants with JSON, without a body, and with another one.
fn row(cases: &[Case<'_>], suffix: &str, tried: &Tried<'_>) -> String {
    let mut lists = [String::new(), String::new(), String::new()];
    for case in cases {
        let list = match case.content {
            Some(content) if content.encoding == Encoding::Json => 0,
            None => 1,
            Some(_) => 2,
        };
        let _ = write!(lists[list], " {}", ident(case.variant));
    }
    let (module, name) = (ident(&tried.area.module), &tried.names.name);
    let [json, empty, other] = lists;
    format!("    {module} {name}{suffix}: json[{json} ] empty[{empty} ] other[{other} ];\n")
}

impl Emitter<'_> {
    /// The headers that a response must have, made up.
    fn made_up_headers(&self, response: &Response) -> TokenStream {
        let required = response.headers.iter().filter(|header| header.required);
        let mut samples = Samples::of(&self.api.types);
        let made_up = required.filter_map(|header| {
            let value = samples.sample(&header.usage)?;
            Some((header.wire.to_lowercase(), value))
        });
        let made_up: Map<String, Value> = made_up.collect();
        if made_up.is_empty() {
            return quote! { no_headers() };
        }
        let json = Value::from(made_up).to_string();
        quote! { serde_json::from_str(#json).unwrap() }
    }
}
