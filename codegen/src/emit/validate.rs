//! The constraints of the document as code.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::Emitter;
use super::check::Checks;
use super::checked_value::Value;
use super::patterns::Patterns;
use super::source::Source;
use super::tokens::ident;
use crate::ir::{Overlap, Shape, Struct, TypeDef, TypeId, Union};
use crate::names::snake;

impl Emitter<'_> {
    /// `Validate` for a type of the models.
    pub(super) fn validate(
        &self,
        id: TypeId,
        def: &TypeDef,
        source: &mut Source,
        patterns: &mut Patterns,
    ) {
        let names = self.names.of(id);
        let name = ident(&names.name);
        let body = match &def.shape {
            _ if !self.reach.is_checked(id) => TokenStream::new(),
            Shape::Struct(object) | Shape::Parts(object) => {
                self.fields_checks(object, &names.members, &names.rest, patterns)
            }
            // The rule has them, for another alternative may fit as well.
            Shape::Union(union) if union.overlap != Overlap::Apart => TokenStream::new(),
            Shape::Union(union) => self.variants_checks(union, &names.members, patterns),
            Shape::Wrapper(usage) => {
                let mut checks = Checks {
                    emitter: self,
                    patterns,
                    hint: names.name.clone(),
                };
                checks.nullable(usage, &Value::owned(quote! { self.0 }), &quote! { found })
            }
            Shape::Choice(_) | Shape::Events(_) => TokenStream::new(),
        };
        let rule = def.rule.as_ref().map(|rule| {
            let name = ident(&patterns.rule(rule, &snake(&names.name)));
            quote! { #name.check(found, self); }
        });
        validate_item(&name, &quote! { #rule #body }, source);
    }

    /// The checks of the alternative that is there; of what has none, nothing is asked.
    fn variants_checks(
        &self,
        union: &Union,
        members: &[String],
        patterns: &mut Patterns,
    ) -> TokenStream {
        let (mut checked, mut unchecked) = (Vec::new(), Vec::new());
        for (variant, member) in union.variants.iter().zip(members) {
            let mut checks = Checks {
                emitter: self,
                patterns,
                hint: member.clone(),
            };
            let value = Value::reference(quote! { value });
            let body = checks.nullable(&variant.usage, &value, &quote! { found });
            let name = ident(member);
            if body.is_empty() {
                unchecked.push(quote! { Self::#name(_) });
            } else {
                checked.push((quote! { Self::#name(value) }, body));
            }
        }
        if checked.is_empty() {
            return TokenStream::new();
        }
        if let ([(variant, body)], [_, ..]) = (checked.as_slice(), unchecked.as_slice()) {
            return quote! { if let #variant = self { #body } };
        }
        let arms = checked
            .iter()
            .map(|(variant, body)| quote! { #variant => { #body } });
        let rest = (!unchecked.is_empty()).then(|| quote! { #(#unchecked)|* => {} });
        quote! { match self { #(#arms)* #rest } }
    }

    /// `Validate` for a struct of parameters.
    pub(super) fn validate_parameters(
        &self,
        name: &proc_macro2::Ident,
        object: &Struct,
        members: &[String],
        source: &mut Source,
        patterns: &mut Patterns,
    ) {
        let body = self.fields_checks(object, members, "", patterns);
        validate_item(name, &body, source);
    }

    fn fields_checks(
        &self,
        object: &Struct,
        members: &[String],
        rest: &str,
        patterns: &mut Patterns,
    ) -> TokenStream {
        let fields = object.fields.iter().zip(members).map(|(field, member)| {
            let mut checks = Checks {
                emitter: self,
                patterns,
                hint: member.clone(),
            };
            checks.field(field, member)
        });
        let fields: Vec<TokenStream> = fields.collect();
        let rest = object
            .rest
            .as_ref()
            .filter(|usage| self.reach.has_checks(usage))
            .map(|usage| {
                let name = ident(rest);
                let mut checks = Checks {
                    emitter: self,
                    patterns,
                    hint: rest.to_owned(),
                };
                let place = quote! { &mut found.member(name) };
                let inner = checks.nullable(usage, &Value::reference(quote! { value }), &place);
                if inner.is_empty() {
                    inner
                } else {
                    quote! { for (name, value) in &self.#name { #inner } }
                }
            });
        quote! { #(#fields)* #rest }
    }
}

fn validate_item(name: &proc_macro2::Ident, body: &TokenStream, source: &mut Source) {
    source.import("crate::runtime::constraint", "Validate");
    if body.is_empty() {
        source.item(quote! { impl Validate for #name {} });
        return;
    }
    source.import("crate::runtime::constraint", "Violations");
    if calls_constraint(body.clone()) {
        source.import("crate::runtime::constraint", "self");
    }
    source.item(quote! {
        impl Validate for #name {
            fn validate(&self, found: &mut Violations<'_>) { #body }
        }
    });
}

/// Whether something of the module `constraint` is called.
pub(super) fn calls_constraint(tokens: TokenStream) -> bool {
    let mut named = false;
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(mark) => std::mem::take(&mut named) && mark.as_char() == ':',
        TokenTree::Ident(name) => {
            named = name == "constraint";
            false
        }
        TokenTree::Group(group) => {
            named = false;
            calls_constraint(group.stream())
        }
        TokenTree::Literal(_) => {
            named = false;
            false
        }
    })
}
