//! One of several types.

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::structure::growing;
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{JsonKind, Overlap, Tag, TypeDef, TypeId, Union, Variant};

impl Emitter<'_> {
    /// An enum of the alternatives. It is read from the value's own text, so that digits are kept.
    pub(super) fn union(&self, id: TypeId, def: &TypeDef, union: &Union, source: &mut Source) {
        let names = self.names.of(id);
        let name = ident(&names.name);
        let docs = docs::of_type(def);
        let variants: Vec<_> = names.members.iter().map(|member| ident(member)).collect();
        let types: Vec<TokenStream> = union
            .variants
            .iter()
            .map(|variant| self.item_ty(&variant.usage, From::Models, source))
            .collect();
        let comments = union.variants.iter().map(|variant| {
            super::docs::plain(&match variant.tags.as_slice() {
                [] => format!("The alternative `{}`.", variant.word),
                tags => format!("`{}`", tags.join("`, `")),
            })
        });
        for import in ["Deserialize", "Deserializer", "Serialize", "Serializer"] {
            source.import("serde", import);
        }
        source.import("crate::runtime", "union");
        let growing = growing();
        source.item(quote! {
            #docs
            #[derive(Clone, Debug, PartialEq)]
            #growing
            pub enum #name { #(#comments #variants(#types),)* }
        });
        source.item(quote! {
            impl Serialize for #name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    match self { #(Self::#variants(value) => value.serialize(serializer),)* }
                }
            }
        });
        for conversion in self.conversions(&name, union, &variants) {
            source.item(conversion);
        }
        let read = match &union.tag {
            Some(tag) => tagged(union, tag, &variants),
            None => untagged(union, &variants),
        };
        source.item(quote! {
            impl<'de> Deserialize<'de> for #name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let raw = union::capture(deserializer)?;
                    #read
                }
            }
        });
    }
}

impl Emitter<'_> {
    /// `From` each type of the models that only one variant has.
    fn conversions(
        &self,
        name: &proc_macro2::Ident,
        union: &Union,
        variants: &[proc_macro2::Ident],
    ) -> Vec<TokenStream> {
        let named = |variant: &Variant| {
            let usage = &variant.usage;
            usage
                .named()
                .filter(|_| !usage.nullable && !usage.sensitive && !usage.boxed)
        };
        let of = |(variant, member): (&Variant, &proc_macro2::Ident)| {
            let id = named(variant)?;
            let alone = union
                .variants
                .iter()
                .filter(|other| named(other) == Some(id))
                .count()
                == 1;
            let ty = ident(&self.names.of(id).name);
            alone.then(|| {
                quote! {
                    impl From<#ty> for #name {
                        fn from(value: #ty) -> Self { Self::#member(value) }
                    }
                }
            })
        };
        union.variants.iter().zip(variants).filter_map(of).collect()
    }
}

fn tagged(union: &Union, tag: &Tag, variants: &[proc_macro2::Ident]) -> TokenStream {
    let property = &tag.property;
    let all = union.variants.iter().zip(variants).enumerate();
    let named = all.filter(|(index, _)| tag.default != Some(*index));
    let arms = named.map(|(_, (variant, name))| {
        let tags = &variant.tags;
        quote! { #(#tags)|* => union::branch(&raw).map(Self::#name), }
    });
    if let Some(default) = tag.default.and_then(|index| variants.get(index)) {
        return quote! {
            match union::tag::<D::Error>(&raw, #property).unwrap_or_default().as_str() {
                #(#arms)*
                _ => union::branch(&raw).map(Self::#default),
            }
        };
    }
    quote! {
        match union::tag(&raw, #property)?.as_str() {
            #(#arms)*
            other => Err(union::unknown_tag(#property, other)),
        }
    }
}

fn untagged(union: &Union, variants: &[proc_macro2::Ident]) -> TokenStream {
    let candidates = union.variants.iter().zip(variants).map(|(variant, name)| {
        let kind = ident(match variant.kind {
            JsonKind::Bool => "Bool",
            JsonKind::Number => "Number",
            JsonKind::Text => "Text",
            JsonKind::List => "List",
            JsonKind::Object => "Object",
            JsonKind::Loose => "Loose",
            JsonKind::Any => "Any",
        });
        quote! { (union::Kind::#kind, |raw| union::read(raw).map(Self::#name)) }
    });
    let function = ident(match union.overlap {
        Overlap::Combined => "combine",
        Overlap::Apart | Overlap::Several => "choose",
    });
    quote! { union::#function(&raw, &[#(#candidates),*]) }
}
