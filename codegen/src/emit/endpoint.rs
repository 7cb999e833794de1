//! Writes what a client needs of an operation: its answer types, and how to read an answer.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::operations::fields;
use super::outcome::{Case, Outcomes, Success};
use super::source::Source;
use super::tokens::{From, ident};
use super::{Emitter, docs};
use crate::ir::{Content, Encoding, Operation, Status};
use crate::names::{AreaNames, OperationNames};

impl Emitter<'_> {
    /// Writes the marker of an operation, its success and error types, and how to read an answer.
    pub(super) fn endpoint(
        &self,
        area: &AreaNames,
        operation: &Operation,
        names: &OperationNames,
        source: &mut Source,
    ) {
        let label = operation.label();
        let marker = ident(&names.name);
        let comment = docs::plain(&format!("The operation `{label}`."));
        source.item(quote! {
            #comment
            #[derive(Clone, Copy, Debug)]
            pub struct #marker;
        });
        let outcomes = Outcomes::of(operation, names);
        let success = self.success_ty(&outcomes, names, &label, source);
        let error = self.error_ty(&outcomes, names, &label, source);
        let parameters = parameters_ty(area, operation, names);
        let constant = ident(&names.constant());
        let module = ident(&area.module);
        source.import("crate::operations", "");
        for name in ["Endpoint", "Outcome"] {
            source.import("crate::runtime::client", name);
        }
        source.import("crate::runtime", "Answer");
        source.import("crate::runtime", "Operation");
        source.import("crate::runtime::json", "Unreadable");
        let decode_body = decoded(&outcomes, names);
        source.item(quote! {
            impl Endpoint for #marker {
                type Parameters = #parameters;
                type Success = #success;
                type Error = #error;

                const OPERATION: &'static Operation = &operations::#module::#constant;

                fn decode(
                    answer: &Answer,
                ) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> { #decode_body }
            }
        });
        self.streamed(operation, names, source);
        self.paginated(operation, names, source);
    }

    fn success_ty(
        &self,
        outcomes: &Outcomes<'_>,
        names: &OperationNames,
        label: &str,
        source: &mut Source,
    ) -> TokenStream {
        match outcomes.success() {
            Success::Empty => return quote! { () },
            Success::Body(content) => return self.content_ty(content, source),
            Success::Several => {}
        }
        let name = ident(&format!("{}Success", names.name));
        let comment = docs::plain(&format!("The documented successes of `{label}`."));
        let variants = self.variants(&outcomes.successes, source);
        source.item(quote! {
            #comment
            #[derive(Clone, Debug, PartialEq)]
            #[non_exhaustive]
            pub enum #name { #(#variants)* }
        });
        quote! { #name }
    }

    fn error_ty(
        &self,
        outcomes: &Outcomes<'_>,
        names: &OperationNames,
        label: &str,
        source: &mut Source,
    ) -> TokenStream {
        if outcomes.refusals.is_empty() {
            source.import("std::convert", "Infallible");
            return quote! { Infallible };
        }
        let text = format!("{}Error", names.name);
        let name = ident(&text);
        let comment = docs::plain(&format!("The documented refusals of `{label}`."));
        let variants = self.variants(&outcomes.refusals, source);
        source.item(quote! {
            #comment
            #[derive(Clone, Debug, PartialEq)]
            #[non_exhaustive]
            pub enum #name { #(#variants)* }
        });
        let explained = self.refusals_explained(&text, &outcomes.refusals);
        source.import("crate::runtime::client", "Explain");
        if explained.to_string().contains("Problem") {
            source.import("crate::runtime::client", "Problem");
        }
        source.item(explained);
        quote! { #name }
    }

    fn variants(&self, cases: &[Case<'_>], source: &mut Source) -> Vec<TokenStream> {
        let variant = |case: &Case<'_>| {
            let comment = case_docs(case);
            let name = ident(case.variant);
            match case.content {
                None => quote! { #comment #name, },
                Some(content) => {
                    let ty = self.content_ty(content, source);
                    quote! { #comment #name(#ty), }
                }
            }
        };
        cases.iter().map(variant).collect()
    }

    /// The type of a body that has been read.
    pub(super) fn content_ty(&self, content: &Content, source: &mut Source) -> TokenStream {
        match content.encoding {
            Encoding::Json | Encoding::Form | Encoding::Multipart => {
                self.item_ty(&content.usage, From::Outside, source)
            }
            Encoding::Text => quote! { String },
            Encoding::Events => {
                source.import("crate::runtime", "Event");
                let data = self.item_ty(&content.usage, From::Outside, source);
                quote! { Vec<Event<#data>> }
            }
            Encoding::Bytes => {
                source.import("crate::runtime", "Bytes");
                quote! { Bytes }
            }
        }
    }
}

/// The expression that reads the body of an answer; `None` when the answer has no body.
fn read(case: &Case<'_>) -> Option<TokenStream> {
    Some(match case.content?.encoding {
        Encoding::Json | Encoding::Form => quote! { answer.read_json()? },
        Encoding::Text => quote! { answer.read_text()? },
        Encoding::Events => quote! { answer.read_events()? },
        Encoding::Bytes | Encoding::Multipart => quote! { answer.body.clone() },
    })
}

/// The pattern of the status, and of the media type when it selects the body.
pub(super) fn guarded(status: Status, case: &Case<'_>) -> TokenStream {
    let pattern = pattern(status);
    match case.content.filter(|_| case.is_one_of_several()) {
        Some(content) => {
            let media_type = &content.media_type;
            quote! { #pattern if answer.is(#media_type) }
        }
        None => pattern,
    }
}

fn pattern(status: Status) -> TokenStream {
    match status {
        Status::Code(code) => {
            let code = Literal::u16_unsuffixed(code);
            quote! { #code }
        }
        Status::Range(class) => {
            let from = Literal::u16_unsuffixed(u16::from(class) * 100);
            let to = Literal::u16_unsuffixed(u16::from(class) * 100 + 99);
            quote! { #from..=#to }
        }
        Status::Default => quote! { _ },
    }
}

/// `201: the transaction.`
pub(super) fn case_docs(case: &Case<'_>) -> TokenStream {
    let brief = docs::brief(&case.response.docs).unwrap_or_default();
    let media_type = match case.content.filter(|_| case.is_one_of_several()) {
        Some(content) => format!(", `{}`", content.media_type),
        None => String::new(),
    };
    let text = format!("{}{media_type}: {brief}", case.response.status);
    docs::plain(text.trim_end_matches([':', ' ']))
}

pub(super) fn parameters_ty(
    area: &AreaNames,
    operation: &Operation,
    names: &OperationNames,
) -> TokenStream {
    if fields(operation, names).is_empty() {
        return quote! { () };
    }
    let module = ident(&area.module);
    let name = ident(&format!("{}Parameters", names.name));
    quote! { operations::#module::#name }
}

fn decoded(outcomes: &Outcomes<'_>, names: &OperationNames) -> TokenStream {
    let common = !matches!(outcomes.success(), Success::Several);
    let success = ident(&format!("{}Success", names.name));
    let error = ident(&format!("{}Error", names.name));
    let mut arms: Vec<(Status, TokenStream)> = Vec::new();
    for case in &outcomes.successes {
        let name = ident(case.variant);
        let value = match (common, read(case)) {
            (true, value) => value.unwrap_or_else(|| quote! { () }),
            (false, Some(value)) => quote! { #success::#name(#value) },
            (false, None) => quote! { #success::#name },
        };
        let status = case.success_status();
        let pattern = guarded(status, case);
        arms.push((status, quote! { #pattern => Outcome::Success(#value), }));
    }
    for case in &outcomes.refusals {
        let name = ident(case.variant);
        let value = if let Some(value) = read(case) {
            quote! { #error::#name(#value) }
        } else {
            quote! { #error::#name }
        };
        let status = case.response.status;
        let pattern = guarded(status, case);
        arms.push((status, quote! { #pattern => Outcome::Refused(#value), }));
    }
    if arms.is_empty() {
        return quote! { let _ = answer; Ok(Outcome::Undocumented) };
    }
    arms.sort_by_key(|(status, _)| *status);
    let cases = outcomes.refusals.iter();
    let exhaustive = cases
        .clone()
        .any(|case| case.response.status == Status::Default && !case.is_one_of_several());
    let other = (!exhaustive).then(|| quote! { _ => Outcome::Undocumented, });
    let arms = arms.iter().map(|(_, arm)| arm);
    quote! { Ok(match answer.status.as_u16() { #(#arms)* #other }) }
}
