//! The regular expressions of a generated file, and the schemas that its values are held against.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::ident;

/// What a static holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Pattern,
    Rule,
}

impl Item {
    /// What is imported. A module, where models may have the name of the type.
    fn import(self) -> &'static str {
        match self {
            Self::Pattern => "Pattern",
            Self::Rule => "rule",
        }
    }

    fn ty(self) -> TokenStream {
        match self {
            Self::Pattern => quote! { Pattern },
            Self::Rule => quote! { rule::Rule },
        }
    }
}

/// The patterns and rules of one file: each becomes one static.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    taken: BTreeSet<String>,
    names: BTreeMap<String, (Item, String)>,
    sources: BTreeMap<(Item, String), String>,
}

impl Patterns {
    /// None yet, in a file that has other values of these names.
    pub(super) fn beside(taken: impl IntoIterator<Item = String>) -> Self {
        Self {
            taken: taken.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The name of the static that has the pattern.
    pub(super) fn name(&mut self, source: &str, hint: &str) -> String {
        self.item(Item::Pattern, source, hint)
    }

    /// The name of the static that has the schema of a rule.
    pub(super) fn rule(&mut self, source: &str, hint: &str) -> String {
        self.item(Item::Rule, source, &format!("{hint}_rule"))
    }

    /// What the statics need of the support code.
    pub(super) fn imports(&self) -> BTreeSet<&'static str> {
        self.names.values().map(|(item, _)| item.import()).collect()
    }

    fn item(&mut self, item: Item, source: &str, hint: &str) -> String {
        let key = (item, source.to_owned());
        if let Some(name) = self.sources.get(&key) {
            return name.clone();
        }
        let base = hint.to_uppercase();
        let mut name = base.clone();
        let mut number = 2;
        while self.taken.contains(&name) || self.names.contains_key(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.names.insert(name.clone(), key.clone());
        self.sources.insert(key, name.clone());
        name
    }

    /// The statics.
    pub(super) fn items(&self) -> Vec<TokenStream> {
        self.names
            .iter()
            .map(|(name, (item, source))| {
                let (name, ty) = (ident(name), item.ty());
                quote! { static #name: #ty = #ty::new(#source); }
            })
            .collect()
    }
}
