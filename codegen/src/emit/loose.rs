//! Constraints of bodies that have no type of their own, such as a list of texts: a function for
//! each, that the client and the server share.

use proc_macro2::TokenStream;
use quote::quote;

use super::check::Checks;
use super::checked_value::Value;
use super::patterns::Patterns;
use super::source::Source;
use super::tokens::{From, ident};
use super::validate::calls_constraint;
use super::{Emitter, docs};
use crate::ir::{Content, Encoding, Operation, Type};
use crate::names::{AreaNames, OperationNames};

impl Emitter<'_> {
    /// The functions, in the file of the operations.
    pub(super) fn loose_checks(
        &self,
        operation: &Operation,
        names: &OperationNames,
        source: &mut Source,
        patterns: &mut Patterns,
    ) {
        let contents = operation.body.iter().flat_map(|body| &body.contents);
        for (index, content) in contents.enumerate() {
            if !self.is_loose(content) {
                continue;
            }
            let mut checks = Checks {
                emitter: self,
                patterns,
                hint: format!("{}_body", names.method),
            };
            let value = Value::reference(quote! { body });
            let checks = checks.nullable(&content.usage, &value, &quote! { found });
            source.import("crate::runtime::constraint", "Violations");
            if calls_constraint(checks.clone()) {
                source.import("crate::runtime::constraint", "self");
            }
            if checks.to_string().contains(". validate (") {
                source.import("crate::runtime::constraint", "Validate");
            }
            let ty = self.borrowed_ty(content, source);
            let name = function(names, index);
            let label = operation.label();
            let comment = docs::plain(&format!("What a body of `{label}` has to keep to."));
            source.item(quote! {
                #comment
                pub fn #name(body: #ty, found: &mut Violations<'_>) { #checks }
            });
        }
    }

    /// Whether a body has constraints that no type of the models checks.
    fn is_loose(&self, content: &Content) -> bool {
        matches!(content.encoding, Encoding::Json | Encoding::Text)
            && content.usage.named().is_none()
            && self.reach.has_checks(&content.usage)
    }

    /// The type of a body as a function borrows it.
    pub(super) fn borrowed_ty(&self, content: &Content, source: &mut Source) -> TokenStream {
        let usage = &content.usage;
        match &usage.ty {
            Type::List(item) if !usage.nullable && !usage.sensitive => {
                let item = self.item_ty(item, From::Outside, source);
                quote! { &[#item] }
            }
            Type::Text if !usage.nullable && !usage.sensitive => quote! { &str },
            _ => {
                let ty = self.content_ty(content, source);
                quote! { &#ty }
            }
        }
    }

    /// The call that checks `body`, where there is something to check.
    pub(super) fn loose_check(
        &self,
        area: &AreaNames,
        names: &OperationNames,
        (index, content): (usize, &Content),
        body: &TokenStream,
        source: &mut Source,
    ) -> Option<TokenStream> {
        self.is_loose(content).then(|| {
            source.import("crate::operations", "");
            let (module, function) = (ident(&area.module), function(names, index));
            quote! { .check_by(|found| operations::#module::#function(#body, found)) }
        })
    }
}

/// The function for one of the bodies of an operation.
fn function(names: &OperationNames, index: usize) -> proc_macro2::Ident {
    let number = if index == 0 {
        String::new()
    } else {
        (index + 1).to_string()
    };
    ident(&format!("check_{}_body{number}", names.method))
}
