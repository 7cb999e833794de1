//! `README.md`: how to use the crate. Its examples are documentation tests.

use std::fmt::Write;

use super::Emitter;
use super::operations::fields;
use super::tokens::ident;
use crate::ir::{Method, Operation, SchemeKind, Type, Usage};
use crate::names::package;
use crate::options::Side;
use crate::output::File;

/// An operation that an example can call with literals.
struct Shown {
    /// The call, such as `client.pets().list_pets()`.
    call: String,
    paged: bool,
    /// Whether it fetches one record.
    fetches: bool,
}

impl Emitter<'_> {
    pub(super) fn readme(&self) -> File {
        let header = super::header(self.options);
        let mut sections = vec![
            format!("# {}\n", self.title()),
            format!("<!-- {header} -->\n"),
            format!("{}\n", self.contents()),
            self.install(),
        ];
        if self.options.only != Some(Side::Server) && self.api.serves() {
            sections.extend(self.client_sections());
        }
        sections.push(self.feature_table());
        File {
            path: "README.md".into(),
            text: sections.join("\n"),
        }
    }

    fn contents(&self) -> &'static str {
        match self.options.only {
            None => {
                "This crate has the types of the interface, a typed client, and traits for a server."
            }
            Some(Side::Client) => "This crate has the types of the interface and a typed client.",
            Some(Side::Server) => {
                "This crate has the types of the interface and traits for a server."
            }
        }
    }

    fn install(&self) -> String {
        let areas = if self.is_divided() {
            " --features areas"
        } else {
            ""
        };
        let name = package(&self.options.crate_name);
        let text = include_str!("readme/install.txt").replace("PACKAGE", &name);
        text.replace(" AREAS", areas)
    }

    fn client_sections(&self) -> Vec<String> {
        let shown = self.shown();
        let mut sections = vec![self.authenticate()];
        let with = |text: &str, one: &Shown| text.replace("CALL", &one.call);
        if let Some(one) = shown.iter().find(|one| one.fetches).or(shown.first()) {
            sections.push(with(include_str!("readme/call.txt"), one));
            sections.push(with(include_str!("readme/errors.txt"), one));
        }
        let list = shown.iter().find(|one| one.paged);
        sections.extend(list.map(|one| with(include_str!("readme/pages.txt"), one)));
        sections.push(include_str!("readme/retries.txt").to_owned());
        let name = package(&self.options.crate_name).replace('-', "_");
        let named = sections.iter().map(|text| text.replace("CRATE", &name));
        named.collect()
    }

    fn authenticate(&self) -> String {
        let schemes = self.api.schemes.iter().zip(&self.names.schemes);
        let calls = schemes.filter_map(|(scheme, name)| {
            let setter = ident(&name.to_lowercase());
            match scheme.kind {
                SchemeKind::Certificate | SchemeKind::Unknown => None,
                SchemeKind::Basic => Some(format!(".{setter}(\"user\", \"password\")")),
                _ => Some(format!(".{setter}(\"secret\")")),
            }
        });
        let calls: Vec<String> = calls.collect();
        let credential = calls.first().map(|call| format!("\n    {call}"));
        let others = calls.iter().skip(1).map(|call| format!("- `{call}`\n"));
        let mut others: String = others.collect();
        if !others.is_empty() {
            others = format!("\nOther credentials:\n\n{others}");
        }
        let text = include_str!("readme/authenticate.txt");
        let text = text.replace("CREDENTIAL", &credential.unwrap_or_default());
        text.replace("OTHERS\n", &format!("{others}\n"))
    }

    fn feature_table(&self) -> String {
        let only = self.options.only;
        let (client, server) = (only != Some(Side::Server), only != Some(Side::Client));
        let rows = [
            (client, "client", "the client; on by default"),
            (client, "rustls", "HTTPS; on by default"),
            (client, "tracing", "a span for each call"),
            (server, "server", "a trait for each area, and a router"),
            (
                self.api.sends(),
                "callbacks",
                "requests that the service sends",
            ),
            (
                self.is_divided(),
                "areas",
                "all operations; `area-…` adds those of one area",
            ),
            (true, "chrono", "conversions of dates and times to `chrono`"),
            (true, "time", "conversions of dates and times to `time`"),
        ];
        let mut text = "## Features\n\n| feature | adds |\n|---|---|\n".to_owned();
        for (_, name, what) in rows.iter().filter(|(there, _, _)| *there) {
            let _ = writeln!(text, "| `{name}` | {what} |");
        }
        text
    }

    /// The operations that examples can call, in the order of the document.
    fn shown(&self) -> Vec<Shown> {
        let areas = self.api.areas.iter().zip(&self.names.areas);
        let areas = areas.filter(|(area, _)| !area.sent);
        let all = areas.flat_map(|(area, names)| {
            let operations = area.operations.iter().zip(&names.operations);
            operations.filter_map(|(operation, own)| {
                let values = arguments(operation)?.join(", ");
                let (area, method) = (ident(&names.module), ident(&own.method));
                let path = fields(operation, own);
                Some(Shown {
                    call: format!("client.{area}().{method}({values})"),
                    paged: operation.paging.is_some(),
                    fetches: operation.method == Method::Get
                        && path.iter().any(|(parameter, _)| parameter.required),
                })
            })
        });
        all.collect()
    }
}

/// A literal for each argument of an operation, if there are such.
fn arguments(operation: &Operation) -> Option<Vec<String>> {
    let required = operation.parameters.iter().filter(|one| one.required);
    let values = required.map(|parameter| literal(&parameter.usage));
    let mut values: Vec<String> = values.collect::<Option<_>>()?;
    match &operation.body {
        Some(body) if body.required => return None,
        Some(_) => values.push("None".to_owned()),
        None => {}
    }
    Some(values)
}

fn literal(usage: &Usage) -> Option<String> {
    let literal = match usage.ty {
        Type::Text => "\"id\"",
        Type::Int32 | Type::Int64 | Type::Uint64 => "1",
        Type::Bool => "true",
        Type::Uuid => "\"7b0e1f55-4c6a-4eca-9e93-0b1e5d4c6fa7\".parse()?",
        _ => return None,
    };
    let is_plain = !(usage.nullable || usage.sensitive || usage.boxed);
    is_plain.then(|| literal.to_owned())
}
