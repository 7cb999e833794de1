//! Rust API: the public names of a generated crate, and the version step that their changes
//! require. Code that no longer compiles means a major step.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use codegen::File;
use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{Fields, ImplItem, Item, TraitItem, Visibility};

use crate::release::Step;

/// The public names of a crate.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RustApi {
    names: BTreeMap<String, Name>,
}

/// A public name.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    /// The text that must not change for code that uses the name.
    signature: String,
    /// The type or trait to which it belongs.
    owner: Option<String>,
    /// The step if it is new and its owner is not.
    when_new: Step,
}

/// A changed name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its path.
    pub name: String,
    /// What happened.
    pub what: &'static str,
    /// The version step that it requires.
    pub step: Step,
}

impl RustApi {
    /// The public names of generated files. The run-time support is the same for every document and
    /// is skipped.
    pub fn of(files: &[File]) -> Self {
        let mut api = Self::default();
        let sources: Vec<(Vec<String>, syn::File)> = files
            .iter()
            .filter_map(|file| Some((module(&file.path)?, syn::parse_file(&file.text).ok()?)))
            .collect();
        let hidden = hidden(&sources);
        for (path, source) in &sources {
            let mut public = Vec::new();
            for depth in 0..path.len() {
                // The content of a private module is visible in the enclosing one.
                if !hidden.contains(&path[..=depth]) {
                    public.push(path[depth].as_str());
                }
            }
            api.items(&public.join("::"), &source.items);
        }
        api
    }

    /// The differences to another API, by name.
    pub fn differences(&self, revision: &Self) -> Vec<Difference> {
        let mut found = Vec::new();
        for (name, was) in &self.names {
            let what = match revision.names.get(name) {
                None => "was removed",
                Some(is) if is.signature != was.signature => "changed",
                Some(_) => continue,
            };
            let is_removed = |owner: &String| !revision.names.contains_key(owner);
            // The parts of a removed type are not reported separately.
            if what == "was removed" && was.owner.as_ref().is_some_and(is_removed) {
                continue;
            }
            found.push(difference(name, what, Step::Major));
        }
        for (name, is) in &revision.names {
            let is_part = is
                .owner
                .as_ref()
                .is_some_and(|owner| !self.names.contains_key(owner));
            if !self.names.contains_key(name) && !is_part {
                found.push(difference(name, "is new", is.when_new));
            }
        }
        found
    }

    /// The version step that the differences to another API require.
    pub fn step(&self, revision: &Self) -> Step {
        let differences = self.differences(revision);
        let steps = differences.iter().map(|difference| difference.step);
        steps.max().unwrap_or(Step::None)
    }

    fn items(&mut self, module: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(inner) if is_public(&inner.vis) => {
                    let name = join(module, &inner.ident.to_string());
                    let generics = tokens(&inner.generics);
                    self.add(&name, format!("struct{generics}"), None, Step::Minor);
                    self.derives(&name, &inner.attrs);
                    self.fields(&name, &inner.fields, is_open(&inner.attrs));
                }
                Item::Enum(inner) if is_public(&inner.vis) => {
                    let name = join(module, &inner.ident.to_string());
                    self.add(&name, "enum".to_owned(), None, Step::Minor);
                    self.derives(&name, &inner.attrs);
                    // A `match` names every variant, unless the enum is non-exhaustive. A server
                    // constructs its responses and matches none.
                    let open = is_open(&inner.attrs) || module.starts_with("server");
                    let step = if open { Step::Minor } else { Step::Major };
                    for variant in &inner.variants {
                        let path = format!("{name}::{}", variant.ident);
                        self.add(&path, shape(&variant.fields), Some(&name), step);
                    }
                }
                Item::Trait(inner) if is_public(&inner.vis) => self.methods(module, inner),
                Item::Fn(inner) if is_public(&inner.vis) => {
                    let name = join(module, &inner.sig.ident.to_string());
                    self.add(&name, tokens(&inner.sig), None, Step::Minor);
                }
                Item::Const(inner) if is_public(&inner.vis) => {
                    let name = join(module, &inner.ident.to_string());
                    self.add(&name, tokens(&inner.ty), None, Step::Minor);
                }
                Item::Type(inner) if is_public(&inner.vis) => {
                    let name = join(module, &inner.ident.to_string());
                    self.add(&name, tokens(&inner.ty), None, Step::Minor);
                }
                Item::Impl(inner) => self.implementation(module, inner),
                Item::Macro(inner) => self.table(module, &inner.mac),
                Item::Mod(inner) if is_public(&inner.vis) => {
                    if let Some((_, items)) = &inner.content {
                        self.items(&join(module, &inner.ident.to_string()), items);
                    }
                }
                _ => {}
            }
        }
    }

    fn fields(&mut self, owner: &str, fields: &Fields, open: bool) {
        let private = fields.iter().any(|field| !is_public(&field.vis));
        // A struct literal names every field, if a literal is possible.
        let step = if private || open {
            Step::Minor
        } else {
            Step::Major
        };
        for (index, field) in fields.iter().enumerate() {
            if is_public(&field.vis) {
                let name = field.ident.as_ref();
                let name = name.map_or_else(|| index.to_string(), ToString::to_string);
                let path = format!("{owner}.{name}");
                self.add(&path, tokens(&field.ty), Some(owner), step);
            }
        }
    }

    fn methods(&mut self, module: &str, node: &syn::ItemTrait) {
        let name = join(module, &node.ident.to_string());
        self.add(&name, tokens(&node.supertraits), None, Step::Minor);
        for item in &node.items {
            if let TraitItem::Fn(method) = item {
                let path = format!("{name}::{}", method.sig.ident);
                // An implementation of the trait must have each method without a default.
                let step = if method.default.is_some() {
                    Step::Minor
                } else {
                    Step::Major
                };
                self.add(&path, tokens(&method.sig), Some(&name), step);
            }
        }
    }

    fn implementation(&mut self, module: &str, node: &syn::ItemImpl) {
        let owner = join(module, &tokens(&node.self_ty));
        if let Some((path, _)) = &node.trait_ {
            let name = format!("{owner}: {}", tokens(path));
            self.add(&name, String::new(), Some(&owner), Step::Minor);
            return;
        }
        for item in &node.items {
            if let ImplItem::Fn(method) = item
                && is_public(&method.vis)
            {
                let path = format!("{owner}::{}()", method.sig.ident);
                self.add(&path, tokens(&method.sig), Some(&owner), Step::Minor);
            }
        }
    }

    /// The methods that a macro of the run-time creates: `setters!` for optional properties,
    /// `builder!` for required ones.
    fn table(&mut self, module: &str, table: &syn::Macro) {
        let Some(kind) = table
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string())
        else {
            return;
        };
        let trees: Vec<TokenTree> = table.tokens.clone().into_iter().collect();
        match (kind.as_str(), trees.as_slice()) {
            ("setters", [TokenTree::Ident(name), TokenTree::Group(rows)]) => {
                let owner = join(module, &name.to_string());
                let rows = rows.stream().to_string();
                for row in rows.split(';').filter_map(|row| row.split_once("=>")) {
                    let method = row.1.split_whitespace().next().unwrap_or_default();
                    let path = format!("{owner}::{method}()");
                    self.add(&path, row.1.to_owned(), Some(&owner), Step::Minor);
                }
            }
            ("builder", [TokenTree::Ident(name), _, TokenTree::Group(rows), ..]) => {
                let owner = join(module, &name.to_string());
                let path = format!("{owner}::builder()");
                self.add(&path, rows.stream().to_string(), Some(&owner), Step::Minor);
            }
            _ => {}
        }
    }

    fn derives(&mut self, owner: &str, attributes: &[syn::Attribute]) {
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("derive"))
        {
            let all = tokens(&attribute.meta);
            let names = all.trim_start_matches("derive").trim();
            for name in names.trim_matches(['(', ')']).split(',') {
                let path = format!("{owner}: {}", name.trim());
                self.add(&path, String::new(), Some(owner), Step::Minor);
            }
        }
    }

    fn add(&mut self, path: &str, signature: String, owner: Option<&str>, when_new: Step) {
        let name = Name {
            signature,
            owner: owner.map(str::to_owned),
            when_new,
        };
        self.names.insert(path.to_owned(), name);
    }
}

fn difference(name: &str, what: &'static str, step: Step) -> Difference {
    Difference {
        name: name.to_owned(),
        what,
        step,
    }
}

/// Whether a type may grow for clients. With the feature `server`, code constructs all values and
/// must name every part.
fn is_open(attributes: &[syn::Attribute]) -> bool {
    let open = |attribute: &syn::Attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("non_exhaustive"),
        syn::Meta::List(list) if list.path.is_ident("cfg_attr") => {
            list.tokens.to_string().ends_with("non_exhaustive")
        }
        _ => false,
    };
    attributes.iter().any(open)
}

/// The fields of a variant, with their names and types.
fn shape(fields: &Fields) -> String {
    let field = |field: &syn::Field| {
        let name = field.ident.as_ref().map(ToString::to_string);
        format!("{}: {}", name.unwrap_or_default(), tokens(&field.ty))
    };
    let all: Vec<String> = fields.iter().map(field).collect();
    all.join(", ")
}

/// The module of a file; `None` if it is not part of the API.
fn module(path: &Path) -> Option<Vec<String>> {
    let inside = path.strip_prefix("src").ok()?.with_extension("");
    let name = |part: Component<'_>| part.as_os_str().to_string_lossy().into_owned();
    let mut names: Vec<String> = inside.components().map(name).collect();
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    let is_ours = names.first().is_none_or(|first| first != "runtime");
    if matches!(names.last().map(String::as_str), Some("mod" | "lib")) {
        names.pop();
    }
    (is_rust && is_ours).then_some(names)
}

/// The private modules.
fn hidden(sources: &[(Vec<String>, syn::File)]) -> BTreeSet<Vec<String>> {
    let mut hidden = BTreeSet::new();
    for (path, source) in sources {
        for item in &source.items {
            if let Item::Mod(child) = item
                && !is_public(&child.vis)
            {
                let mut inner = path.clone();
                inner.push(child.ident.to_string());
                hidden.insert(inner);
            }
        }
    }
    hidden
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() {
        name.to_owned()
    } else {
        format!("{module}::{name}")
    }
}

fn tokens(part: &impl ToTokens) -> String {
    part.to_token_stream().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn api(models: &str) -> RustApi {
        let file = |path: &str, text: &str| File {
            path: path.into(),
            text: text.to_owned(),
        };
        RustApi::of(&[
            file("src/lib.rs", "pub mod models;"),
            file("src/models/mod.rs", "mod things; pub use things::*;"),
            file("src/models/things.rs", models),
            file("src/runtime/mod.rs", "pub struct Support;"),
        ])
    }

    #[test]
    fn code_that_no_longer_compiles_means_a_major_step() {
        let base = "/// Words.\n#[derive(Clone, Debug)] pub struct A { pub b: u8 }\n\
                    pub enum E { X }\n#[non_exhaustive] pub enum O { X }\n\
                    #[cfg_attr(not(feature = \"server\"), non_exhaustive)] pub struct G { pub q: u8 }\n\
                    crate::setters! { G { \"q\" => q q into [u8]; } }\n\
                    crate::builder! { G GB { w TW [u8] { \"w\" => w into [u8]; } } absent { q } }\n\
                    pub trait T { fn m(&self) {} }\npub const C: u8 = 1;\nimpl A { pub fn new(b: u8) -> Self { A { b } } }";
        for (from, to, expected) in [
            ("Words.", "Other words.", &[][..]),
            ("C: u8 = 1", "C: u8 = 2", &[]),
            (
                "b: u8 }",
                "b: u16 }",
                &[("models::A.b", "changed", Step::Major)],
            ),
            (
                "{ pub b: u8 }",
                "{ pub b: u8, pub c: u8 }",
                &[("models::A.c", "is new", Step::Major)],
            ),
            (
                "E { X }",
                "E { X, Y }",
                &[("models::E::Y", "is new", Step::Major)],
            ),
            (
                "O { X }",
                "O { X, Y }",
                &[("models::O::Y", "is new", Step::Minor)],
            ),
            (
                "{ pub q: u8 }",
                "{ pub q: u8, pub r: u8 }",
                &[("models::G.r", "is new", Step::Minor)],
            ),
            (
                "q q into [u8];",
                "q q into [u8]; \"r\" => r r into [u8];",
                &[("models::G::r()", "is new", Step::Minor)],
            ),
            (
                "q q into [u8];",
                "q q into [u16];",
                &[("models::G::q()", "changed", Step::Major)],
            ),
            ("absent { q }", "absent { q r }", &[]),
            (
                "w into [u8]; } }",
                "w into [u8]; } v TV [u8] { \"v\" => v into [u8]; } }",
                &[("models::G::builder()", "changed", Step::Major)],
            ),
            (
                "fn m(&self) {}",
                "fn m(&self) {} fn n(&self) {}",
                &[("models::T::n", "is new", Step::Minor)],
            ),
            (
                "fn m(&self) {}",
                "fn m(&self) {} fn n(&self);",
                &[("models::T::n", "is new", Step::Major)],
            ),
            (
                "Clone, Debug",
                "Clone",
                &[("models::A: Debug", "was removed", Step::Major)],
            ),
            (
                "pub fn new(b: u8)",
                "pub fn new(c: u8)",
                &[("models::A::new()", "changed", Step::Major)],
            ),
            (
                "pub const C",
                "pub struct N { pub x: u8 } pub const C",
                &[("models::N", "is new", Step::Minor)],
            ),
            (
                "pub enum E { X }",
                "",
                &[("models::E", "was removed", Step::Major)],
            ),
        ] {
            let changed = base.replace(from, to);
            assert_ne!(changed, base, "{from}");
            let found = api(base).differences(&api(&changed));
            let found: Vec<_> = found
                .iter()
                .map(|difference| (difference.name.as_str(), difference.what, difference.step))
                .collect();
            assert_eq!(found, expected, "{from} → {to}");
        }
    }
}
