//! Bounds of numbers and counts as code.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::checked_value::Value;
use super::tokens::{ident, whole};
use crate::ir::{Bound, Constraints};

/// The bounds of a whole number; those that every value of the type keeps are left out.
pub(super) fn integer(
    constraints: &Constraints,
    value: &Value,
    place: &TokenStream,
    least: i64,
    most: i64,
) -> Vec<TokenStream> {
    let mut statements = Vec::new();
    let argument = value.argument();
    if let Some((bound, exclusive)) = constraints.minimum.as_ref().and_then(whole_bound)
        && (bound > least || exclusive)
    {
        let check = ident(if exclusive { "above" } else { "minimum" });
        let bound = Literal::i64_unsuffixed(bound);
        statements.push(quote! { constraint::#check(#place, #argument, &#bound); });
    }
    if let Some((bound, exclusive)) = constraints.maximum.as_ref().and_then(whole_bound)
        && (bound < most || exclusive)
    {
        let check = ident(if exclusive { "below" } else { "maximum" });
        let bound = Literal::i64_unsuffixed(bound);
        statements.push(quote! { constraint::#check(#place, #argument, &#bound); });
    }
    statements.extend(multiple_of(constraints, value, place));
    statements.extend(one_of(constraints, value, place));
    statements
}

/// A bound as a whole number; `None` for one beyond 64 bits or with a fraction.
fn whole_bound(bound: &Bound) -> Option<(i64, bool)> {
    let digits = bound.digits.strip_suffix(".0").unwrap_or(&bound.digits);
    Some((digits.parse().ok()?, bound.exclusive))
}

/// The bounds of a number, in exact decimals.
pub(super) fn number(
    constraints: &Constraints,
    value: &Value,
    place: &TokenStream,
) -> Vec<TokenStream> {
    let mut statements = Vec::new();
    let receiver = value.receiver();
    let ends = [
        (&constraints.minimum, "minimum", "above"),
        (&constraints.maximum, "maximum", "below"),
    ];
    for (bound, inclusive, exclusive) in ends {
        if let Some(bound) = bound
            && let Some(decimal) = decimal(&bound.digits)
        {
            let check = ident(if bound.exclusive {
                exclusive
            } else {
                inclusive
            });
            statements.push(quote! {
                if let Some(exact) = #receiver.to_decimal() {
                    constraint::#check(#place, &exact, &#decimal);
                }
            });
        }
    }
    if constraints.whole {
        let argument = value.argument();
        statements.push(quote! { constraint::whole(#place, #argument); });
    }
    statements.extend(multiple_of(constraints, value, place));
    statements.extend(one_of(constraints, value, place));
    statements
}

/// `rust_decimal::Decimal::new(105, 1)` for `10.5`.
fn decimal(digits: &str) -> Option<TokenStream> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa: i64 = format!("{whole}{fraction}").parse().ok()?;
    let scale = u32::try_from(fraction.len())
        .ok()
        .filter(|scale| *scale <= 28)?;
    let (mantissa, scale) = (
        Literal::i64_unsuffixed(mantissa),
        Literal::u32_unsuffixed(scale),
    );
    Some(quote! { rust_decimal::Decimal::new(#mantissa, #scale) })
}

fn multiple_of(
    constraints: &Constraints,
    value: &Value,
    place: &TokenStream,
) -> Option<TokenStream> {
    let step = constraints.multiple_of.as_ref()?;
    let argument = value.argument();
    Some(quote! { constraint::multiple_of(#place, #argument, #step); })
}

fn one_of(constraints: &Constraints, value: &Value, place: &TokenStream) -> Option<TokenStream> {
    if constraints.one_of.is_empty() {
        return None;
    }
    let (values, argument) = (&constraints.one_of, value.argument());
    Some(quote! { constraint::one_of(#place, #argument, &[#(#values),*]); })
}

/// The bounds of a list.
pub(super) fn list(
    constraints: &Constraints,
    value: &Value,
    place: &TokenStream,
) -> Vec<TokenStream> {
    let mut statements = Vec::new();
    let (receiver, argument) = (value.receiver(), value.argument());
    if let Some(least) = constraints.min_items.filter(|least| *least > 0) {
        let least = whole(least);
        statements.push(quote! { constraint::min_items(#place, #receiver.len(), #least); });
    }
    if let Some(most) = constraints.max_items {
        let most = whole(most);
        statements.push(quote! { constraint::max_items(#place, #receiver.len(), #most); });
    }
    if constraints.unique_items {
        statements.push(quote! { constraint::unique_items(#place, #argument); });
    }
    statements
}

/// The bounds of an object with free names.
pub(super) fn map(
    constraints: &Constraints,
    value: &Value,
    place: &TokenStream,
) -> Vec<TokenStream> {
    let mut statements = Vec::new();
    let receiver = value.receiver();
    if let Some(least) = constraints.min_properties.filter(|least| *least > 0) {
        let least = whole(least);
        statements.push(quote! { constraint::min_properties(#place, #receiver.len(), #least); });
    }
    if let Some(most) = constraints.max_properties {
        let most = whole(most);
        statements.push(quote! { constraint::max_properties(#place, #receiver.len(), #most); });
    }
    statements
}
