//! The regular expressions of a generated file.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::ident;

/// The patterns of one file: each becomes one static.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    taken: BTreeSet<String>,
    names: BTreeMap<String, String>,
    sources: BTreeMap<String, String>,
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
        if let Some(name) = self.sources.get(source) {
            return name.clone();
        }
        let base = hint.to_uppercase();
        let mut name = base.clone();
        let mut number = 2;
        while self.taken.contains(&name) || self.names.contains_key(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.names.insert(name.clone(), source.to_owned());
        self.sources.insert(source.to_owned(), name.clone());
        name
    }

    /// The statics.
    pub(super) fn items(&self) -> Vec<TokenStream> {
        self.names
            .iter()
            .map(|(name, source)| {
                let name = ident(name);
                quote! { static #name: Pattern = Pattern::new(#source); }
            })
            .collect()
    }
}
