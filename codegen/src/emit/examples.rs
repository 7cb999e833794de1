//! `tests/suite/examples.rs` and `examples.json`: every documented example goes through its type and
//! comes out the same.

use std::collections::BTreeMap;
use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::Emitter;
use super::source::Source;
use super::tokens::{From, ident};
use crate::ir::{Example, Role};
use crate::names::package;
use crate::output::File;

impl Emitter<'_> {
    /// The test of the examples and its data; none where there are none.
    pub(super) fn examples(&self) -> Vec<File> {
        if self.api.examples.is_empty() {
            return Vec::new();
        }
        let mut source = Source::new(
            "Every documented example is read into its type and written again, and nothing of it \
             changes.\n`examples.json` has the examples of each type.",
        );
        if self.is_divided() {
            source.needs(super::feature::ALL);
        }
        source.import("serde", "Serialize");
        source.import("serde::de", "DeserializeOwned");
        source.import("serde_json::value", "RawValue");
        source.import("std::collections", "BTreeMap");
        source.import("crate::canonical", "canonical");
        let mut types: BTreeMap<String, (TokenStream, Vec<&Example>)> = BTreeMap::new();
        for example in &self.api.examples {
            let ty = self.example_ty(example, &mut source);
            let name = ty.to_string().replace(' ', "");
            let (_, examples) = types.entry(name).or_insert((ty, Vec::new()));
            examples.push(example);
        }
        let calls = types.iter().map(|(name, (ty, _))| {
            quote! { examples.survive::<#ty>(#name); }
        });
        source.item(quote! {
            #[test]
            fn examples_survive() {
                let mut examples = Examples::read();
                #(#calls)*
                assert!(examples.0.is_empty(), "not tried: {:?}", examples.0.keys());
            }
        });
        for item in helpers() {
            source.item(item);
        }
        let data = types.iter().map(|(name, (_, examples))| {
            let examples = examples.iter().map(|example| {
                let name = Value::from(self.example_name(example));
                format!("[{name}, {}]", example.json)
            });
            (name.clone(), examples.collect())
        });
        vec![
            self.file("tests/suite/examples.rs", &source),
            data_file("tests/suite/examples.json", data),
        ]
    }

    /// The type of an example, as a test names it.
    fn example_ty(&self, example: &Example, source: &mut Source) -> TokenStream {
        let mut types = Source::default();
        let ty = self.item_ty(&example.usage, From::Crate, &mut types);
        let package = ident(&package(&self.options.crate_name).replace('-', "_"));
        if ty.to_string().contains("models ::") {
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
        ty
    }

    fn example_name(&self, example: &Example) -> String {
        let operation = &self.api.areas[example.area].operations[example.operation];
        let role = match example.role {
            Role::Request => "request".to_owned(),
            Role::Response(status) => format!("answer {status}"),
        };
        format!("{}, {role}, {}", operation.label(), example.key)
    }
}

/// A file of JSON: lists by name, with a line for each item.
pub(super) fn data_file(path: &str, lists: impl Iterator<Item = (String, Vec<String>)>) -> File {
    let mut text = String::new();
    for (name, items) in lists {
        let start = if text.is_empty() { "{" } else { "," };
        let name = Value::from(name);
        let _ = write!(
            text,
            "{start}\n  {name}: [\n    {}\n  ]",
            items.join(",\n    ")
        );
    }
    text.push_str("\n}\n");
    File {
        path: path.into(),
        text,
    }
}

fn helpers() -> Vec<TokenStream> {
    vec![
        quote! {
            /// Examples by their types, each with its name.
            struct Examples(BTreeMap<String, Vec<(String, Box<RawValue>)>>);
        },
        quote! {
            impl Examples {
                fn read() -> Self {
                    Self(serde_json::from_str(include_str!("examples.json")).unwrap())
                }

                /// Reads and writes the examples of a type.
                fn survive<T: DeserializeOwned + Serialize>(&mut self, name: &str) {
                    for (example, json) in self.0.remove(name).unwrap() {
                        let value: T = serde_json::from_str(json.get())
                            .unwrap_or_else(|error| panic!("{name}, {example}: {error}"));
                        let again = serde_json::to_string(&value).unwrap();
                        let (again, before) = (canonical(&again), canonical(json.get()));
                        assert_eq!(again, before, "{name}, {example}");
                    }
                }
            }
        },
    ]
}

/// The function that makes equal values equal texts.
pub(super) fn canonical() -> TokenStream {
    quote! {
            /// The same value as text: properties in order, numbers digit for digit.
            pub(crate) fn canonical(json: &str) -> String {
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
