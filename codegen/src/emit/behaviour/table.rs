//! The transitions of a record, and the operations that cause them.

use proc_macro2::TokenStream;
use quote::quote;

use super::comment;
use crate::emit::source::Source;
use crate::emit::tokens::{ident, whole};
use crate::ir::behaviour::Record;
use crate::names::RecordNames;

/// Adds where machines begin, the table of transitions, and the function that looks into it.
pub(super) fn emit(record: &Record, names: &RecordNames, source: &mut Source) {
    let many = record.machines.len() > 1;
    let key = |machine: usize| {
        let kind = ident(&names.machines[machine]);
        many.then(|| quote! { Kind::#kind, })
    };
    let kind = many.then(|| quote! { Kind, });
    let begins = record.machines.iter().enumerate();
    let begins: Vec<TokenStream> = begins
        .flat_map(|(machine, of)| of.initial.iter().map(move |state| (machine, *state)))
        .map(|(machine, state)| {
            let (key, state) = (key(machine), ident(&names.states[state]));
            if many {
                quote! { (#key Status::#state) }
            } else {
                quote! { Status::#state }
            }
        })
        .collect();
    let rows = record.rows.iter().map(|row| {
        let [from, to] = [row.from, row.to].map(|state| ident(&names.states[state]));
        let (key, event) = (key(row.machine), ident(&names.events[row.event]));
        quote! { (#key Status::#from, Event::#event, Status::#to) }
    });
    let (begin, count) = (whole(begins.len() as u64), whole(record.rows.len() as u64));
    let first = if many {
        quote! { (Kind, Status) }
    } else {
        quote! { Status }
    };
    source.item(quote! {
        /// Where it can begin.
        pub const INITIAL: [#first; #begin] = [#(#begins),*];
    });
    source.item(quote! {
        /// Every legal transition: before, what happens, after. What is not here is illegal.
        pub const TRANSITIONS: [(#kind Status, Event, Status); #count] = [#(#rows),*];
    });
    source.item(next(many));
}

fn next(many: bool) -> TokenStream {
    let says = comment("Where it stands after an event; `None` where the event is illegal.");
    if many {
        return quote! {
            #says
            pub fn next(kind: Kind, status: Status, event: Event) -> Option<Status> {
                let mut rows = TRANSITIONS.into_iter();
                rows.find_map(|(of, from, on, to)| {
                    ((of, from, on) == (kind, status, event)).then_some(to)
                })
            }
        };
    }
    quote! {
        #says
        pub fn next(status: Status, event: Event) -> Option<Status> {
            let mut rows = TRANSITIONS.into_iter();
            rows.find_map(|(from, on, to)| ((from, on) == (status, event)).then_some(to))
        }
    }
}

/// The function that names the operation which causes an event; nothing where none does.
pub(super) fn operations(record: &Record, names: &RecordNames) -> Option<TokenStream> {
    let many = record.machines.len() > 1;
    let mut arms = Vec::new();
    for (event, name) in record.events.iter().zip(&names.events) {
        let event_name = ident(name);
        for (machine, operation) in &event.operations {
            let kind = ident(&names.machines[*machine]);
            let pattern = if many {
                quote! { (Kind::#kind, Self::#event_name) }
            } else {
                quote! { Self::#event_name }
            };
            arms.push(quote! { #pattern => Some(#operation), });
        }
    }
    if arms.is_empty() {
        return None;
    }
    let all = arms.len() == record.events.len() * record.machines.len();
    let rest = (!all).then(|| quote! { _ => None, });
    let (parameter, subject) = if many {
        (quote! { , kind: Kind }, quote! { (kind, self) })
    } else {
        (quote! {}, quote! { self })
    };
    Some(quote! {
        /// The operation that causes it, where one does.
        pub const fn operation(self #parameter) -> Option<&'static str> {
            match #subject { #(#arms)* #rest }
        }
    })
}
