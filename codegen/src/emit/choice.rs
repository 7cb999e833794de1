//! Enumerations of texts.

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::structure::growing;
use super::tokens::ident;
use super::{Emitter, docs};
use crate::ir::{Choice, TypeDef, TypeId};

impl Emitter<'_> {
    /// An enumeration; an open one keeps the text of a value that it does not know.
    pub(super) fn choice(&self, id: TypeId, def: &TypeDef, choice: &Choice, source: &mut Source) {
        let names = self.names.of(id);
        let name = ident(&names.name);
        let values = choice.values.iter().zip(&names.members);
        let comments =
            values.map(|(value, member)| docs::of_part(&value.docs, &value.wire, member));
        let variants = names.members.iter().map(|member| ident(member));
        let rest = choice.open.then(|| ident(&names.rest));
        let copy = (!choice.open).then(|| quote! { Copy, });
        let docs = choice_docs(def, choice.open);
        let unknown = rest.as_ref().map(|rest| {
            quote! {
                /// A value that the document does not name.
                #rest(String),
            }
        });
        let growing = growing();
        source.item(quote! {
            #docs
            #[derive(Clone, #copy Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #growing
            pub enum #name {
                #(#comments #variants,)*
                #unknown
            }
        });
        source.import("crate::runtime", "choice");
        let rows = choice.values.iter().zip(&names.members);
        let rows: String = rows
            .map(|(value, member)| row(&value.wire, member))
            .collect();
        let or_rest = rest.map(|rest| format!(" or {rest}")).unwrap_or_default();
        let table = format!("crate::choice! {{\n    {name} {{\n{rows}    }}{or_rest}\n}}\n");
        source.table(table);
    }
}

/// A text and the variant that stands for it.
fn row(wire: &str, member: &str) -> String {
    let member = ident(member);
    format!("        {wire:?} => {member},\n")
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
