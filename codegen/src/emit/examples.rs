//! `tests/suite/examples.rs`: every documented example goes through the types and comes out the same.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Emitter;
use super::source::Source;
use super::tokens::{From, ident};
use crate::ir::{Example, Role};
use crate::names::package;
use crate::output::File;

impl Emitter<'_> {
    /// The test of the examples; none where there are none.
    pub(super) fn examples(&self) -> Vec<File> {
        if self.api.examples.is_empty() {
            return Vec::new();
        }
        let mut source = Source::new(
            "Every documented example is read into its type and written again, and nothing of it \
             changes.",
        );
        if self.is_divided() {
            source.needs(super::feature::ALL);
        }
        source.import("serde", "Serialize");
        source.import("serde::de", "DeserializeOwned");
        source.import("serde_json::value", "RawValue");
        source.import("std::collections", "BTreeMap");
        let names = self.names.examples(self.api);
        for (example, name) in self.api.examples.iter().zip(&names) {
            let test = self.example(example, name, &mut source);
            source.item(test);
        }
        for item in assertions() {
            source.item(item);
        }
        vec![self.file("tests/suite/examples.rs", &source)]
    }

    fn example(&self, example: &Example, name: &str, source: &mut Source) -> TokenStream {
        let mut types = Source::default();
        let ty = self.item_ty(&example.usage, From::Crate, &mut types);
        let text = ty.to_string();
        let package = ident(&package(&self.options.crate_name).replace('-', "_"));
        if text.contains("models ::") {
            source.import(&package.to_string(), "models");
        }
        for runtime in [
            "Decimal",
            "Date",
            "Number",
            "Sensitive",
            "Timestamp",
            "Uuid",
        ] {
            if types.imports_name("crate::runtime", runtime) {
                source.import(&format!("{package}::runtime"), runtime);
            }
        }
        if types.imports_name("serde_json", "Value") {
            source.import("serde_json", "Value");
        }
        let name = ident(name);
        let json = raw_string(&example.json);
        let comment = super::docs::plain(&format!("`{}`, {}", example.key, whose(example.role)));
        quote! {
            #comment
            #[test]
            fn #name() { round_trip::<#ty>(#json); }
        }
    }
}

fn whose(role: Role) -> String {
    match role {
        Role::Request => "a request.".to_owned(),
        Role::Response(status) => format!("an answer {status}."),
    }
}

/// JSON as a raw string, so that it reads as it travels.
pub(super) fn raw_string(text: &str) -> Literal {
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    let literal = format!("r{hashes}\"{text}\"{hashes}");
    literal.parse().unwrap_or_else(|_| Literal::string(text))
}

fn assertions() -> Vec<TokenStream> {
    vec![
        quote! {
            fn round_trip<T: DeserializeOwned + Serialize>(example: &str) {
                let value: T = serde_json::from_str(example).unwrap();
                let again = serde_json::to_string(&value).unwrap();
                assert_eq!(canonical(&again), canonical(example));
            }
        },
        canonical(),
    ]
}

/// The function that makes equal values equal texts.
pub(super) fn canonical() -> TokenStream {
    quote! {
            /// The same value as text: properties in order, numbers digit for digit.
            fn canonical(json: &str) -> String {
                let inner = |value: &RawValue| canonical(value.get());
                match json.as_bytes().first() {
                    Some(b'{') => {
                        let members: BTreeMap<String, Box<RawValue>> =
                            serde_json::from_str(json).unwrap();
                        let members = members
                            .iter()
                            .map(|(name, value)| format!("{name:?}:{}", inner(value)));
                        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
                    }
                    Some(b'[') => {
                        let items: Vec<Box<RawValue>> = serde_json::from_str(json).unwrap();
                        let items = items.iter().map(|item| inner(item));
                        format!("[{}]", items.collect::<Vec<_>>().join(","))
                    }
                    Some(b'"') => {
                        let text: String = serde_json::from_str(json).unwrap();
                        format!("{text:?}")
                    }
                    _ => json.to_owned(),
                }
            }
    }
}
