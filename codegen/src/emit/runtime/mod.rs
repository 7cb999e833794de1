//! `src/runtime/`: the support code, as it stands in `codegen/runtime`.

mod graph;
mod mention;
mod needed;
mod part;
mod piece;
mod print;
mod token;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use openapi_generate_runtime::sources::FILES;

use super::condition;
use crate::output::File;
use graph::Graph;
use needed::{Needed, Uses};
use part::PARTS;
use print::print;

/// The feature of the part that only the generator uses.
const SOURCES: &str = "sources";

/// A file of the support code: its path and what it says.
type Text = (&'static str, Cow<'static, str>);

/// What the files of a crate need of the support code.
pub(super) fn needed(files: &[File]) -> Vec<File> {
    let mut uses = Uses::default();
    for file in files {
        if file.path.extension().is_some_and(|end| end == "rs") {
            uses.read(&token::tokens(&file.text));
        }
    }
    let has_side = |side: &str| {
        let root = Path::new("src").join(side).join("mod.rs");
        files.iter().any(|file| file.path == root)
    };
    let on: Vec<(&str, bool)> = PARTS
        .iter()
        .map(|part| (part.feature, part.words.iter().any(|word| uses.has(word))))
        .collect();
    let state = |feature: &str| {
        let mut known = on.iter();
        let part = known.find(|(name, _)| *name == feature);
        match feature {
            SOURCES => Some(false),
            "client" | "server" if !has_side(feature) => Some(false),
            _ => part.map(|(_, on)| *on),
        }
    };
    let texts = declared(state);
    let graph = Graph::new(&texts);
    let needed = Needed::by(&graph, &uses);
    let files = print(&graph, &needed).into_iter();
    files
        .map(|(path, text)| match path {
            "lib.rs" => file(path, tolerant(&text)),
            _ => file(path, text),
        })
        .collect()
}

/// The files whose modules are declared when some parts are off, by path.
fn declared(state: impl Fn(&str) -> Option<bool>) -> Vec<Text> {
    let known: BTreeMap<&'static str, &'static str> = FILES.iter().copied().collect();
    let mut found = Vec::new();
    let mut open = known
        .get_key_value("lib.rs")
        .into_iter()
        .collect::<Vec<_>>();
    while let Some((path, text)) = open.pop() {
        let text = if text.contains("#[cfg(") {
            Cow::Owned(condition::resolve(text, &state))
        } else {
            Cow::Borrowed(*text)
        };
        let folder = path.strip_suffix("lib.rs");
        if let Some(folder) = folder.or_else(|| path.strip_suffix("mod.rs")) {
            for module in modules(&text) {
                let file = format!("{folder}{module}.rs");
                let folder = format!("{folder}{module}/mod.rs");
                let inner = known.get_key_value(&*file);
                open.extend(inner.or_else(|| known.get_key_value(&*folder)));
            }
        }
        found.push((*path, text));
    }
    found.sort_by_key(|(path, _)| *path);
    found
}

/// The modules that a `lib.rs` or `mod.rs` declares.
fn modules(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (visibility, name) = line.strip_suffix(';')?.split_once("mod ")?;
        let declares = visibility.is_empty() || visibility.starts_with("pub");
        declares.then_some(name)
    })
}

/// A method is kept where another one of its name is called.
fn tolerant(text: &str) -> String {
    let docs = text.lines().take_while(|line| line.starts_with("//!"));
    let docs: Vec<&str> = docs.collect();
    let docs = docs.join("\n");
    let rest = text[docs.len()..].trim_start();
    format!(
        "{docs}\n\n#![allow(\n    dead_code,\n    unused_imports,\n    reason = \"some parts hold more than a \
         crate needs\"\n)]\n\n{rest}"
    )
}

fn file(path: &str, text: String) -> File {
    let path = if path == "lib.rs" { "mod.rs" } else { path };
    File {
        path: format!("src/runtime/{path}").into(),
        text,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::graph::Graph;
    use super::part::{OFFERS, PARTS};
    use super::piece::{self, PieceKind};
    use super::{FILES, SOURCES, Text, needed, token};
    use crate::output::File;

    fn files_under(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                files_under(&entry.path(), &format!("{name}/"), found);
            } else {
                found.push(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_support_code_is_copied() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/src");
        let mut expected = Vec::new();
        files_under(&folder, "", &mut expected);
        expected.sort();
        let copied: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
        assert_eq!(copied, expected);
    }

    /// What a crate with this code has of the support code.
    fn runtime_of(code: &str) -> Vec<(String, String)> {
        let file = File {
            path: "src/client/mod.rs".into(),
            text: code.to_owned(),
        };
        let files = needed(&[file]).into_iter();
        files
            .map(|file| (file.path.to_string_lossy().into_owned(), file.text))
            .collect()
    }

    #[test]
    fn each_piece_is_one_item_of_the_file() {
        for (path, text) in FILES {
            let tokens = token::tokens(text);
            let found = piece::pieces(&tokens, 0);
            let parsed = syn::parse_file(text).unwrap();
            assert_eq!(found.len(), parsed.items.len(), "{path}");
            for (piece, item) in found.iter().zip(&parsed.items) {
                let methods = match &piece.kind {
                    PieceKind::Methods { methods, .. } => Some(methods.len()),
                    _ => None,
                };
                let expected = match item {
                    syn::Item::Impl(item) if item.trait_.is_none() => Some(item.items.len()),
                    _ => None,
                };
                assert_eq!(methods, expected, "{path}, line {}", piece.lines.start);
            }
        }
    }

    #[test]
    fn each_condition_is_on_a_part_or_on_a_feature_of_the_crate() {
        let parts = PARTS.iter().map(|part| part.feature);
        let crates = [
            "callbacks",
            "chrono",
            "client",
            "rustls",
            "server",
            "time",
            "tracing",
            SOURCES,
        ];
        let known: Vec<&str> = parts.chain(crates).collect();
        for (path, text) in FILES {
            for (_, rest) in text
                .match_indices("feature = \"")
                .map(|(at, found)| (at, &text[at + found.len()..]))
            {
                let feature = rest.split('"').next().unwrap();
                assert!(known.contains(&feature), "{path}: `{feature}`");
            }
        }
    }

    #[test]
    fn each_import_of_what_is_written_leads_somewhere() {
        let codes = [
            "",
            "use crate::runtime::client::{Request, Settings};",
            "use crate::runtime::client::{Credential, Streamed, Paginated, LinkError, Linked};",
            "use crate::runtime::{Date, Decimal, Rule, multipart::File, union};",
        ];
        for code in codes {
            let files = runtime_of(code);
            let texts: Vec<Text> = FILES
                .iter()
                .filter_map(|(path, _)| {
                    let written = format!("src/runtime/{}", path.replace("lib.rs", "mod.rs"));
                    let text = files.iter().find(|(path, _)| *path == written);
                    text.map(|(_, text)| (*path, text.clone().into()))
                })
                .collect();
            let graph = Graph::new(&texts);
            for (index, file) in graph.files.iter().enumerate() {
                syn::parse_file(&file.lines.join("\n")).unwrap();
                let imports = file.pieces.iter().filter_map(|piece| match &piece.kind {
                    PieceKind::Use(imports) => Some(imports),
                    _ => None,
                });
                for import in imports.flatten() {
                    let place = graph.imported(index, &import.path);
                    let known = !place.nodes.is_empty() || place.module.is_some();
                    let internal = graph.is_internal(index, &import.path);
                    assert!(known || !internal, "{}: {:?}", file.path, import.path);
                }
            }
        }
    }

    #[test]
    fn what_is_not_used_is_not_written() {
        let written = |code: &str, path: &str, word: &str| {
            let files = runtime_of(code);
            files
                .iter()
                .any(|(own, text)| own.ends_with(path) && text.contains(word))
        };
        let request = "use crate::runtime::client::Request;";
        assert!(written(request, "client/retry.rs", "fn pause"));
        assert!(!written(request, "client/link.rs", ""));
        assert!(!written(request, "client/token.rs", ""));
        assert!(!written(request, "byte_stream.rs", ""));
        assert!(!written(request, "server/mod.rs", ""));
        let written_so = |code: &str, path: &str, word: &str| {
            let code = format!("use crate::runtime::client::Request; {code}");
            written(&code, path, word)
        };
        for (code, path, word) in [
            (
                "Parameter::query(A).shape(Shape::List)",
                "parameter/style.rs",
                "fn pairs",
            ),
            ("A.repeat(Repeat::Keyed(B))", "client/call.rs", "fn key"),
            ("fn a() { b.seal(c) }", "client/call.rs", "Seal"),
            (
                "fn a() { Problem::new(b).fields(c) }",
                "client/refusal.rs",
                "FieldError",
            ),
            (
                "use crate::runtime::object; crate::object! { A: Kept rest {} }",
                "object.rs",
                "fn rest",
            ),
            (
                "use crate::runtime::union;",
                "parameter/reader.rs",
                "RAW_TOKEN",
            ),
            (
                "Operation::new(A).security(B)",
                "operation.rs",
                "pub security",
            ),
        ] {
            assert!(written_so(code, path, word), "{code}");
            let object = "use crate::runtime::object; crate::object! { A: Ignored {} }";
            assert!(!written_so(object, path, word), "{code}");
        }
        let credential = "use crate::runtime::client::{Connection, Credential, Request};";
        assert!(written(credential, "client/token.rs", "fn token"));
        let number = "use crate::runtime::{Number, Validate};";
        let validated = "unconstrained!(super::Number);";
        assert!(written(number, "runtime/constraint.rs", validated));
        let date = "use crate::runtime::Date;";
        assert!(written(date, "runtime/date.rs", "impl Serialize for Date"));
        assert!(!written(date, "client/mod.rs", ""));
    }

    #[test]
    fn what_no_generated_code_names_is_offered() {
        for offer in OFFERS {
            let text: Vec<Text> = FILES
                .iter()
                .map(|(path, text)| (*path, (*text).into()))
                .collect();
            let graph = Graph::new(&text);
            let place = graph.resolve_from_root(offer.path);
            assert!(!place.nodes.is_empty(), "{:?}", offer.path);
        }
        let files = runtime_of("use crate::runtime::client::{Endpoint, Error, Settings};");
        let mut files = files.iter();
        assert!(files.any(|(_, text)| text.contains("Failed for Error<E>")));
    }

    #[test]
    fn a_field_called_use_imports_nothing() {
        let code = "use crate::runtime::Date; fn a(b: C) { if let Some(r#use) = b.r#use { d(1) } }";
        let files = runtime_of(code);
        assert!(files.iter().any(|(path, _)| path.ends_with("date.rs")));
    }

    /// What users may call is there; what only generated code calls is there where it is called.
    #[test]
    fn a_hidden_method_is_written_where_it_is_called() {
        let method = |code: &str| {
            let files = runtime_of(code);
            let mut files = files.iter();
            let request = files.find(|(path, _)| path.ends_with("client/request.rs"));
            let (_, text) = request.unwrap();
            (
                text.contains("pub fn timeout"),
                text.contains("pub fn json"),
            )
        };
        let import = "use crate::runtime::client::Request;";
        assert_eq!(method(import), (true, false));
        let calls = format!("{import} fn call(request: Request) {{ request.json(body) }}");
        assert_eq!(method(&calls), (true, true));
    }
}
