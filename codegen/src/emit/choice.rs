//! Enumerations of texts.

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::tokens::ident;
use super::{Emitter, docs};
use crate::ir::{Choice, ChoiceValue, Docs, TypeDef, TypeId};

impl Emitter<'_> {
    /// An enumeration; an open one keeps the text of a value that it does not know.
    pub(super) fn choice(&self, id: TypeId, def: &TypeDef, choice: &Choice, source: &mut Source) {
        let names = self.names.of(id);
        let name = ident(&names.name);
        let variants: Vec<TokenStream> = names
            .members
            .iter()
            .map(|member| {
                let member = ident(member);
                quote! { #member }
            })
            .collect();
        let docs = choice_docs(def, choice.open);
        let values: Vec<&str> = choice
            .values
            .iter()
            .map(|value| value.wire.as_str())
            .collect();
        source.import("std", "fmt");
        if choice.open {
            self.open_choice(id, &docs, &variants, choice, source);
        } else {
            closed_choice(&name, &docs, &variants, choice, source);
        }
        let unknown = choice.open.then(|| {
            let rest = ident(&names.rest);
            quote! { Self::#rest(text) => text, }
        });
        let (receiver, lifetime) = if choice.open {
            (quote! { &self }, quote! { &str })
        } else {
            (quote! { self }, quote! { &'static str })
        };
        source.item(quote! {
            impl #name {
                /// The value as it travels.
                pub fn as_str(#receiver) -> #lifetime {
                    match self {
                        #(Self::#variants => #values,)*
                        #unknown
                    }
                }
            }
        });
        source.item(quote! {
            impl fmt::Display for #name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.as_str())
                }
            }
        });
    }

    fn open_choice(
        &self,
        id: TypeId,
        docs: &TokenStream,
        variants: &[TokenStream],
        choice: &Choice,
        source: &mut Source,
    ) {
        let names = self.names.of(id);
        let (name, rest) = (ident(&names.name), ident(&names.rest));
        let values: Vec<&str> = choice
            .values
            .iter()
            .map(|value| value.wire.as_str())
            .collect();
        let comments = choice.values.iter().map(value_docs);
        for import in ["Deserialize", "Deserializer", "Serialize", "Serializer"] {
            source.import("serde", import);
        }
        source.item(quote! {
            #docs
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum #name {
                #(#comments #variants,)*
                /// A value that the document does not name.
                #rest(String),
            }
        });
        source.item(quote! {
            impl From<&str> for #name {
                fn from(text: &str) -> Self {
                    match text {
                        #(#values => Self::#variants,)*
                        _ => Self::#rest(text.to_owned()),
                    }
                }
            }
        });
        source.item(quote! {
            impl Serialize for #name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }
        });
        source.item(quote! {
            impl<'de> Deserialize<'de> for #name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    String::deserialize(deserializer).map(|text| text.as_str().into())
                }
            }
        });
    }
}

fn closed_choice(
    name: &proc_macro2::Ident,
    docs: &TokenStream,
    variants: &[TokenStream],
    choice: &Choice,
    source: &mut Source,
) {
    let members = variants.iter().zip(&choice.values).map(|(variant, value)| {
        let comment = value_docs(value);
        let wire = &value.wire;
        let rename = (variant.to_string() != *wire).then(|| quote! { #[serde(rename = #wire)] });
        quote! { #comment #rename #variant, }
    });
    source.import("serde", "Deserialize");
    source.import("serde", "Serialize");
    source.item(quote! {
        #docs
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum #name { #(#members)* }
    });
}

fn value_docs(value: &ChoiceValue) -> TokenStream {
    let text = match value.wire.as_str() {
        "" => "The empty text.".to_owned(),
        wire => format!("`{wire}`"),
    };
    let text = match &value.docs.text {
        Some(docs) => format!("{text}\n\n{docs}"),
        None => text,
    };
    let docs = Docs {
        text: Some(text),
        ..value.docs.clone()
    };
    docs::comment(&docs, "")
}

fn choice_docs(def: &TypeDef, open: bool) -> TokenStream {
    let docs = docs::of_type(def);
    if !open {
        return docs;
    }
    quote! {
        #docs
        #[doc = ""]
        #[doc = " More values than these may come."]
    }
}
