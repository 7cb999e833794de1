//! A list of words as an enumeration.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::comment;
use crate::emit::tokens::{ident, whole};

/// An enumeration without values.
pub(super) struct Enumeration {
    name: Ident,
    docs: TokenStream,
    variants: Vec<(Ident, TokenStream)>,
}

impl Enumeration {
    /// An enumeration of these variants, each with its documentation.
    pub(super) fn new<'a>(
        name: &str,
        docs: &str,
        variants: &[String],
        words: impl Iterator<Item = &'a str>,
    ) -> Self {
        let variants = variants.iter().map(|variant| ident(variant));
        Self {
            name: ident(name),
            docs: comment(docs),
            variants: variants.zip(words.map(comment)).collect(),
        }
    }

    /// The type itself.
    pub(super) fn item(&self) -> TokenStream {
        let (name, docs) = (&self.name, &self.docs);
        let variants = self
            .variants
            .iter()
            .map(|(variant, docs)| quote! { #docs #variant, });
        quote! {
            #docs
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum #name { #(#variants)* }
        }
    }

    /// The list of all variants.
    pub(super) fn all(&self) -> TokenStream {
        let count = whole(self.variants.len() as u64);
        let variants = self.variants.iter().map(|(variant, _)| variant);
        quote! {
            /// All of them.
            pub const ALL: [Self; #count] = [#(Self::#variants),*];
        }
    }

    /// A function that answers with a value for each variant.
    pub(super) fn answer(
        &self,
        function: &str,
        docs: &str,
        ty: &TokenStream,
        values: impl Iterator<Item = TokenStream>,
    ) -> TokenStream {
        let mut arms: Vec<(TokenStream, Vec<&Ident>)> = Vec::new();
        for ((variant, _), value) in self.variants.iter().zip(values) {
            let text = value.to_string();
            match arms.iter_mut().find(|(value, _)| value.to_string() == text) {
                Some((_, variants)) => variants.push(variant),
                None => arms.push((value, vec![variant])),
            }
        }
        let arms = arms
            .iter()
            .map(|(value, variants)| quote! { #(Self::#variants)|* => #value, });
        let (function, docs) = (ident(function), comment(docs));
        quote! {
            #docs
            pub const fn #function(self) -> #ty {
                match self { #(#arms)* }
            }
        }
    }
}

/// The function that finds the variant of which a function answers with a value.
pub(super) fn lookup(
    function: &str,
    ty: &TokenStream,
    (variable, answer): (&str, &str),
    sought: &TokenStream,
) -> TokenStream {
    let docs = comment(&format!("The one of that {answer}."));
    let docs = if answer == "wire" {
        comment("The one that is shown so.")
    } else {
        docs
    };
    let (function, variable, answer) = (ident(function), ident(variable), ident(answer));
    quote! {
        #docs
        pub fn #function(#answer: #ty) -> Option<Self> {
            Self::ALL.into_iter().find(|#variable| #variable.#answer() == #sought)
        }
    }
}
