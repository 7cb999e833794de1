//! Writes the checks of one value, and of the values inside it.

use proc_macro2::TokenStream;
use quote::quote;

use super::Emitter;
use super::bounds;
use super::checked_value::Value;
use super::patterns::Patterns;
use super::structure::{Presence, presence};
use super::tokens::{ident, whole};
use crate::ir::{Constraints, Field, Type, Usage};

/// What it takes to write checks.
pub(super) struct Checks<'e, 'a, 'p> {
    pub(super) emitter: &'e Emitter<'a>,
    pub(super) patterns: &'p mut Patterns,
    /// What a pattern here is called.
    pub(super) hint: String,
}

impl Checks<'_, '_, '_> {
    /// The checks of a field.
    pub(super) fn field(&mut self, field: &Field, member: &str) -> TokenStream {
        let member = ident(member);
        let wire = &field.wire;
        let place = quote! { &mut found.member(#wire) };
        // Types of the models are asked directly: `Option` and the like pass the question on.
        if let Type::Named(id) = field.usage.ty {
            let checked = self.emitter.reach.is_checked(id);
            return if checked {
                quote! { self.#member.validate(#place); }
            } else {
                TokenStream::new()
            };
        }
        let presence = presence(&field.usage, field.required);
        let value = match presence {
            Presence::Always => Value::owned(quote! { self.#member }),
            _ => Value::reference(quote! { #member }),
        };
        let body = self.placed(&field.usage, &value, &place);
        match presence {
            _ if body.is_empty() => body,
            Presence::Always => body,
            Presence::Optional | Presence::OrNull => {
                quote! { if let Some(#member) = &self.#member { #body } }
            }
            Presence::OptionalOrNull => {
                quote! { if let Some(#member) = self.#member.value() { #body } }
            }
        }
    }

    /// The checks of a value that may be `null`.
    pub(super) fn nullable(
        &mut self,
        usage: &Usage,
        value: &Value,
        place: &TokenStream,
    ) -> TokenStream {
        if !usage.nullable || usage.ty == Type::Any {
            return self.placed(usage, value, place);
        }
        let body = self.placed(usage, &Value::reference(quote! { value }), place);
        let value = value.argument();
        if body.is_empty() {
            body
        } else {
            quote! { if let Some(value) = #value { #body } }
        }
    }

    /// The checks of a value at a place, which is made once where it is needed more than once.
    fn placed(&mut self, usage: &Usage, value: &Value, place: &TokenStream) -> TokenStream {
        let looped = match &usage.ty {
            Type::List(inner) | Type::Map(inner) => self.emitter.reach.has_checks(inner),
            _ => false,
        };
        let statements = self.usage(usage, value, place);
        if statements.is_empty() || (statements.len() < 2 && !looped) {
            return quote! { #(#statements)* };
        }
        let make = place.to_string();
        if let Some(Ok(make)) = make.strip_prefix("& mut ").map(str::parse::<TokenStream>) {
            let statements = self.usage(usage, value, &quote! { &mut place });
            quote! { let mut place = #make; #(#statements)* }
        } else {
            let statements = self.usage(usage, value, &quote! { place });
            quote! { let place = #place; #(#statements)* }
        }
    }

    fn usage(&mut self, usage: &Usage, value: &Value, place: &TokenStream) -> Vec<TokenStream> {
        if !self.emitter.reach.has_checks(usage) {
            return Vec::new();
        }
        let exposed = if usage.sensitive {
            let receiver = value.receiver();
            Value::reference(quote! { #receiver.expose() })
        } else {
            value.clone()
        };
        let mut statements = self.own(usage, &exposed, place);
        let receiver = exposed.receiver();
        match &usage.ty {
            Type::Named(_) | Type::JsonText(_) => {
                statements.push(quote! { #receiver.validate(#place); });
            }
            Type::List(item) if self.emitter.reach.has_checks(item) => {
                let item_value = Value::reference(quote! { item });
                let inner = self.nullable(item, &item_value, &quote! { &mut place.item(index) });
                // What every value of a type keeps is not checked.
                if !inner.is_empty() {
                    statements.push(quote! {
                        for (index, item) in #receiver.iter().enumerate() { #inner }
                    });
                }
            }
            Type::Map(item) if self.emitter.reach.has_checks(item) => {
                let item_value = Value::reference(quote! { value });
                let inner = self.nullable(item, &item_value, &quote! { &mut place.member(name) });
                let map = exposed.argument();
                if !inner.is_empty() {
                    statements.push(quote! { for (name, value) in #map { #inner } });
                }
            }
            _ => {}
        }
        statements
    }

    fn own(&mut self, usage: &Usage, value: &Value, place: &TokenStream) -> Vec<TokenStream> {
        let constraints = &usage.constraints;
        let receiver = value.receiver();
        let mut statements = match &usage.ty {
            Type::Text => self.text(constraints, &value.argument(), place),
            Type::Decimal => self.text(constraints, &quote! { #receiver.as_str() }, place),
            Type::Date | Type::Timestamp | Type::Uuid => {
                self.text(constraints, &quote! { #receiver.to_string() }, place)
            }
            Type::Int32 => {
                bounds::integer(constraints, value, place, i32::MIN.into(), i32::MAX.into())
            }
            Type::Int64 => bounds::integer(constraints, value, place, i64::MIN, i64::MAX),
            Type::Uint64 => bounds::integer(constraints, value, place, 0, i64::MAX),
            Type::Number => bounds::number(constraints, value, place),
            Type::List(_) => bounds::list(constraints, value, place),
            Type::Map(_) => bounds::map(constraints, value, place),
            Type::Bool
            | Type::Bytes
            | Type::File
            | Type::Any
            | Type::JsonText(_)
            | Type::Named(_) => Vec::new(),
        };
        if let Some(rule) = &constraints.rule {
            let name = ident(&self.patterns.rule(rule, &self.hint));
            let argument = value.argument();
            statements.push(quote! { #name.check(#place, #argument); });
        }
        statements
    }

    fn text(
        &mut self,
        constraints: &Constraints,
        value: &TokenStream,
        place: &TokenStream,
    ) -> Vec<TokenStream> {
        let mut statements = Vec::new();
        if let Some(least) = constraints.min_length.filter(|least| *least > 0) {
            let least = whole(least);
            statements.push(quote! { constraint::min_length(#place, #value, #least); });
        }
        if let Some(most) = constraints.max_length {
            let most = whole(most);
            statements.push(quote! { constraint::max_length(#place, #value, #most); });
        }
        for pattern in &constraints.patterns {
            let name = ident(&self.patterns.name(pattern, &self.hint));
            statements.push(quote! { constraint::pattern(#place, #value, &#name); });
        }
        if constraints.uri {
            statements.push(quote! { constraint::uri(#place, #value); });
        }
        statements
    }
}
