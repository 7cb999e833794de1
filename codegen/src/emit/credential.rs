//! The setters of credentials: one or more for each security scheme.

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::tokens::ident;
use super::{Emitter, docs};
use crate::ir::{Scheme, SchemeKind};

impl Emitter<'_> {
    /// The setters of credentials, in the root of the client.
    pub(super) fn credentials(&self, source: &mut Source) {
        let schemes = self.api.schemes.iter().zip(&self.names.schemes);
        for (scheme, name) in schemes {
            let setters = self.setters_of(scheme, name, source);
            if !setters.is_empty() {
                source.import("crate::operations", "");
                source.item(quote! { impl Settings { #setters } });
            }
        }
    }

    fn setters_of(&self, scheme: &Scheme, name: &str, source: &mut Source) -> TokenStream {
        let (constant, setter) = (ident(name), ident(&name.to_lowercase()));
        match scheme.kind {
            SchemeKind::Certificate | SchemeKind::Unknown => TokenStream::new(),
            SchemeKind::Basic => {
                keyed(source);
                quote! {
                    /// With user name and password.
                    #[must_use]
                    pub fn #setter(self, user: impl Into<String>, password: impl Into<String>) -> Self {
                        let password = Sensitive::new(password.into());
                        self.credential(operations::#constant, Credential::Basic(user.into(), password))
                    }
                }
            }
            SchemeKind::Bearer => {
                let key = key(scheme, "token", &constant, &setter, source);
                let fetched = self.fetched(scheme, name, source);
                quote! { #key #fetched }
            }
            _ => key(scheme, "API key", &constant, &setter, source),
        }
    }

    /// The setters for tokens that are fetched; none where another scheme has taken their names.
    fn fetched(&self, scheme: &Scheme, name: &str, source: &mut Source) -> TokenStream {
        let free = |suffix: &str| {
            let wanted = format!("{}_{suffix}", name.to_lowercase());
            let mut taken = self.names.schemes.iter();
            let free = taken.all(|other| other.to_lowercase() != wanted);
            free.then(|| ident(&wanted))
        };
        let Some(from) = free("from") else {
            return TokenStream::new();
        };
        let constant = ident(name);
        source.import("crate::runtime::client", "TokenSource");
        let comment = format!(
            "With tokens of the scheme `{}` from a source, which is asked again before one ends.",
            scheme.name
        );
        let comment = docs::plain(&comment);
        let client = free("for_client").zip(scheme.token_url.as_ref());
        let client = client.map(|(setter, url)| {
            source.import("crate::runtime::client", "ClientCredentials");
            source.import("crate::runtime", "Sensitive");
            let comment = format!(
                "With tokens of the scheme `{}` for a client and its secret, from `{url}`.",
                scheme.name
            );
            let comment = docs::plain(&comment);
            quote! {
                #comment
                #[must_use]
                pub fn #setter(self, id: impl Into<String>, secret: impl Into<Sensitive<String>>) -> Self {
                    self.#from(ClientCredentials::new(#url, id, secret))
                }
            }
        });
        quote! {
            #comment
            #[must_use]
            pub fn #from(self, source: impl TokenSource + 'static) -> Self {
                self.tokens(operations::#constant, source)
            }
            #client
        }
    }
}

fn key(
    scheme: &Scheme,
    what: &str,
    constant: &proc_macro2::Ident,
    setter: &proc_macro2::Ident,
    source: &mut Source,
) -> TokenStream {
    keyed(source);
    let comment = docs::plain(&format!("With the {what} of the scheme `{}`.", scheme.name));
    quote! {
        #comment
        #[must_use]
        pub fn #setter(self, key: impl Into<String>) -> Self {
            self.credential(operations::#constant, Credential::Key(Sensitive::new(key.into())))
        }
    }
}

/// Imports what a credential takes that the caller has.
fn keyed(source: &mut Source) {
    source.import("crate::runtime", "Sensitive");
    source.import("crate::runtime::client", "Credential");
}
