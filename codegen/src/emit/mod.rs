//! [`ir`](crate::ir) and [`names`](crate::names) → files: the only place that makes tokens.

mod behaviour;
mod body;
mod bounds;
mod builder;
mod check;
mod checked_value;
mod choice;
mod client;
mod condition;
mod credential;
mod docs;
mod endpoint;
mod events;
mod examples;
mod explain;
mod feature;
mod link;
mod loose;
mod manifest;
mod models;
mod operations;
mod outcome;
mod package;
mod paging;
mod parts;
mod patterns;
mod reach;
mod readme;
mod round_trips;
mod runtime;
mod server;
mod servers;
mod source;
mod streamed;
mod structure;
mod tokens;
mod union;
mod validate;

use crate::exchange;
use crate::ir::Api;
use crate::names::Names;
use crate::options::{Options, Runtime, Side};
use crate::output::File;
use reach::Reach;
use source::Source;

/// Makes the files of a crate, in the order of their paths.
pub fn emit(api: &Api, names: &Names, options: &Options) -> Vec<File> {
    let emitter = Emitter {
        api,
        names,
        options,
        reach: Reach::of(api),
    };
    let mut files = emitter.root();
    files.extend(emitter.models());
    files.extend(emitter.operations());
    if !api.areas.is_empty() {
        if options.only != Some(Side::Server) {
            files.extend(emitter.client());
        }
        if options.only != Some(Side::Client) {
            files.extend(emitter.server());
        }
    }
    files.extend(emitter.servers());
    files.extend(emitter.behaviour());
    files.extend(emitter.tests());
    files.push(emitter.readme());
    if let Some(side) = options.only {
        for file in &mut files {
            file.text = one_sided(&file.text, side);
        }
    }
    if options.runtime == Runtime::Copied {
        files.extend(runtime::needed(&files));
    }
    if options.complete_crate {
        let manifest = emitter.manifest(&files);
        files.extend(manifest);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// What all emitters know.
struct Emitter<'a> {
    api: &'a Api,
    names: &'a Names,
    options: &'a Options,
    reach: Reach,
}

impl Emitter<'_> {
    /// A file of the crate.
    fn file(&self, path: &str, source: &Source) -> File {
        let text = source.text(&header(self.options));
        File {
            path: path.into(),
            text: if self.has_package() {
                package::adapted(&text)
            } else {
                text
            },
        }
    }

    /// Whether the runtime is a package of its own.
    fn has_package(&self) -> bool {
        self.options.runtime != Runtime::Copied
    }

    /// One test program, with a module for each file; none where there is nothing to test.
    fn tests(&self) -> Vec<File> {
        let mut files = self.examples();
        if self.options.round_trips && self.options.only.is_none() {
            files.extend(self.round_trips(&exchange::exchanges(self.api)));
        }
        if files.is_empty() {
            return files;
        }
        let mut canonical = Source::new("JSON texts that are equal where the values are.");
        canonical.import("std::collections", "BTreeMap");
        canonical.import("serde_json::value", "RawValue");
        canonical.item(examples::canonical());
        if self.api.examples.is_empty() {
            canonical.needs("client");
            canonical.needs("server");
        }
        if self.is_divided() {
            canonical.needs(feature::ALL);
        }
        files.push(self.file("tests/suite/canonical.rs", &canonical));
        let mut source = Source::new("The documented examples, as types and on a socket.");
        let is_rust = |file: &&File| file.path.extension().is_some_and(|end| end == "rs");
        for file in files.iter().filter(is_rust) {
            let module = file.path.file_stem().unwrap_or_default().to_string_lossy();
            let module = tokens::ident(&module);
            source.export(quote::quote! { mod #module; });
        }
        files.push(self.file("tests/suite/main.rs", &source));
        files
    }

    fn root(&self) -> Vec<File> {
        let (what, features) = match self.options.only {
            None => (
                "models, and behind features a client and server stubs",
                "[`models`] has the schemas, [`operations`] what client and server share. The \
                 feature `client` adds\na typed HTTP client, `server` one trait for each area and a \
                 router.",
            ),
            Some(Side::Client) => (
                "models, and behind a feature a client",
                "[`models`] has the schemas, [`operations`] paths and parameters. The feature \
                 `client` adds a typed\nHTTP client.",
            ),
            Some(Side::Server) => (
                "models, and behind a feature server stubs",
                "[`models`] has the schemas, [`operations`] paths and parameters. The feature \
                 `server` adds one\ntrait for each area and a router.",
            ),
        };
        let mut source = Source::new(format!("{}: {what}.", self.title()));
        let areas = self.is_divided().then_some(", feature = \"areas\"");
        source.paragraph(features);
        if self.options.only != Some(Side::Server) {
            source.attribute(format!(
                "#![cfg_attr(all(feature = \"client\"{}), doc = include_str!(\"../README.md\"))]",
                areas.unwrap_or_default()
            ));
        }
        // The compiler follows types into each other, through about six types of the library each.
        let depth = reach::depth(self.api);
        if depth > 20 {
            let limit = (depth * 6).next_power_of_two();
            source.attribute(format!("#![recursion_limit = \"{limit}\"]"));
        }
        if self.is_divided() {
            source.paragraph(
                "Each area is a feature, too. All are on unless `default-features = false`; then \
                 `area-…` adds one,\nand `areas` all of them.",
            );
        }
        if self.api.sends() {
            source.paragraph(
                "`callbacks` has what the service sends by itself: a sender with `client`, a trait and \
                 a router\nthat receives it with `server`.",
            );
        }
        if self.api.behaviour.is_some() {
            source.export(quote::quote! { pub mod behaviour; });
        }
        source.export(quote::quote! { pub mod models; pub mod operations; });
        if self.has_package() {
            source.export(quote::quote! { pub use openapi_generate_runtime as runtime; });
        } else {
            source.export(quote::quote! { pub mod runtime; });
        }
        if !self.api.all_servers().is_empty() {
            source.export(quote::quote! { pub mod servers; });
        }
        if !self.api.areas.is_empty() {
            source.export(quote::quote! {
                #[cfg(feature = "client")]
                pub mod client;
                #[cfg(feature = "server")]
                pub mod server;
            });
        }
        vec![self.file("src/lib.rs", &source)]
    }

    fn title(&self) -> String {
        let lines = docs::lines(&self.api.title);
        lines
            .first()
            .cloned()
            .unwrap_or_else(|| "The interface".to_owned())
    }
}

/// A file without what only the other side has.
fn one_sided(text: &str, side: Side) -> String {
    let state = |feature: &str| match feature {
        "client" if side == Side::Server => Some(false),
        "server" if side == Side::Client => Some(false),
        _ => None,
    };
    let open = "#[cfg_attr(not(feature = \"server\"), non_exhaustive)]";
    let text = match side {
        Side::Client => text.replace(open, "#[non_exhaustive]"),
        Side::Server => text.replace(&format!("{open}\n"), ""),
    };
    condition::resolve(&text, state)
}

/// The first line of a generated file.
fn header(options: &Options) -> String {
    header_from(options, &options.source_label)
}

/// The same for what comes from another file.
fn header_from(options: &Options, label: &str) -> String {
    let command = match options.command.as_str() {
        "" => "cargo xtask generate",
        command => command,
    };
    format!("Generated by `{command}` from {label}; do not edit by hand.")
}
