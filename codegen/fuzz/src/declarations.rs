//! Names that one source file declares twice, which parses and does not compile.

use std::collections::BTreeSet;

use syn::{Fields, File, FnArg, ImplItem, Item, Pat, Signature, TraitItem, UseTree};

/// The names that are declared twice in the same place, each with the place.
pub fn repeated(file: &File) -> Vec<String> {
    let mut found = Declarations::default();
    for item in &file.items {
        found.item(item);
    }
    found.repeated
}

#[derive(Default)]
struct Declarations {
    seen: BTreeSet<(String, String)>,
    blocks: usize,
    repeated: Vec<String>,
}

impl Declarations {
    fn declare(&mut self, place: &str, name: &(impl ToString + ?Sized)) {
        let name = name.to_string();
        if name == "_" {
            return;
        }
        if !self.seen.insert((place.to_owned(), name.clone())) {
            self.repeated.push(format!("{name} in {place}"));
        }
    }

    fn item(&mut self, item: &Item) {
        const TYPES: &str = "the types";
        const VALUES: &str = "the values";
        match item {
            Item::Struct(item) => {
                self.declare(TYPES, &item.ident);
                self.fields(&item.ident.to_string(), &item.fields);
            }
            Item::Enum(item) => {
                self.declare(TYPES, &item.ident);
                for variant in &item.variants {
                    self.declare(&format!("enum {}", item.ident), &variant.ident);
                    let place = format!("{}::{}", item.ident, variant.ident);
                    self.fields(&place, &variant.fields);
                }
            }
            Item::Trait(item) => {
                self.declare(TYPES, &item.ident);
                for method in &item.items {
                    if let TraitItem::Fn(method) = method {
                        self.function(&format!("trait {}", item.ident), &method.sig);
                    }
                }
            }
            Item::Type(item) => self.declare(TYPES, &item.ident),
            Item::Mod(item) => self.declare(TYPES, &item.ident),
            Item::Const(item) => self.declare(VALUES, &item.ident),
            Item::Static(item) => self.declare(VALUES, &item.ident),
            Item::Fn(item) => self.function(VALUES, &item.sig),
            Item::Use(item) => self.import(TYPES, &item.tree),
            Item::Impl(item) if item.trait_.is_none() => {
                self.blocks += 1;
                let place = format!("impl block {}", self.blocks);
                for method in &item.items {
                    if let ImplItem::Fn(method) = method {
                        self.function(&place, &method.sig);
                    }
                }
            }
            _ => {}
        }
    }

    fn fields(&mut self, place: &str, fields: &Fields) {
        for name in fields.iter().filter_map(|field| field.ident.as_ref()) {
            self.declare(&format!("the fields of {place}"), name);
        }
    }

    fn function(&mut self, place: &str, signature: &Signature) {
        self.declare(place, &signature.ident);
        let place = format!("fn {} of {place}", signature.ident);
        for argument in &signature.inputs {
            if let FnArg::Typed(argument) = argument
                && let Pat::Ident(name) = argument.pat.as_ref()
            {
                self.declare(&place, &name.ident);
            }
        }
    }

    /// Only what is written like a type is one for sure.
    fn import(&mut self, place: &str, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.import(place, &path.tree),
            UseTree::Name(name) => self.imported(place, &name.ident.to_string()),
            UseTree::Rename(name) => self.imported(place, &name.rename.to_string()),
            UseTree::Group(group) => group.items.iter().for_each(|one| self.import(place, one)),
            UseTree::Glob(_) => {}
        }
    }

    fn imported(&mut self, place: &str, name: &str) {
        let upper = name.starts_with(|first: char| first.is_ascii_uppercase());
        if upper && name.contains(|one: char| one.is_ascii_lowercase()) {
            self.declare(place, name);
        }
    }
}
