//! The value that is checked, as an expression.

use proc_macro2::TokenStream;
use quote::quote;

/// An expression for the value that is checked.
#[derive(Debug, Clone)]
pub(super) struct Value {
    expression: TokenStream,
    owned: bool,
}

impl Value {
    /// The expression is the value itself.
    pub(super) fn owned(expression: TokenStream) -> Self {
        Self {
            expression,
            owned: true,
        }
    }

    /// The expression is a reference to the value.
    pub(super) fn reference(expression: TokenStream) -> Self {
        Self {
            expression,
            owned: false,
        }
    }

    /// As an argument: a reference.
    pub(super) fn argument(&self) -> TokenStream {
        let expression = &self.expression;
        if self.owned {
            quote! { &#expression }
        } else {
            quote! { #expression }
        }
    }

    /// Before a dot.
    pub(super) fn receiver(&self) -> &TokenStream {
        &self.expression
    }
}
