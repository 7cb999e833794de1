//! `src/behaviour/`: one file for each record, and who causes events.

mod enumeration;
mod table;

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

use super::source::Source;
use super::tokens::ident;
use super::{Emitter, docs};
use crate::ir::behaviour::{Behaviour, Record, State, Wire};
use crate::names::RecordNames;
use crate::output::File;
use enumeration::{Enumeration, lookup};

impl Emitter<'_> {
    /// The files of the state machines; none where the document has no behaviour beside it.
    pub(super) fn behaviour(&self) -> Vec<File> {
        let Some(behaviour) = &self.api.behaviour else {
            return Vec::new();
        };
        let names = &self.names.behaviour.records;
        let mut root =
            Source::new("How the records behave: their states and what leads from one to another.");
        let modules = names.iter().map(|names| ident(&names.module));
        root.export(quote! { #(pub mod #modules;)* });
        let words = behaviour.actors.iter().map(|(_, docs)| docs.as_str());
        let actors = Enumeration::new(
            "Actor",
            "Who causes an event.",
            &self.names.behaviour.actors,
            words,
        );
        root.item(actors.item());
        let mut files = vec![self.behaviour_file("src/behaviour/mod.rs", &root)];
        for (record, names) in behaviour.records.iter().zip(names) {
            let source = self.record(behaviour, record, names);
            let path = format!("src/behaviour/{}.rs", names.module);
            files.push(self.behaviour_file(&path, &source));
        }
        files
    }

    fn behaviour_file(&self, path: &str, source: &Source) -> File {
        let label = Path::new(&self.options.source_label).with_file_name("behaviour.yaml");
        let header = super::header_from(self.options, &label.display().to_string());
        File {
            path: path.into(),
            text: source.text(&header),
        }
    }

    fn record(&self, behaviour: &Behaviour, record: &Record, names: &RecordNames) -> Source {
        let mut source = Source::new(record.docs.clone());
        if record.machines.len() > 1 {
            kinds(record, names, &mut source);
        }
        states(record, names, &mut source);
        self.events(behaviour, record, names, &mut source);
        table::emit(record, names, &mut source);
        source
    }

    fn events(
        &self,
        behaviour: &Behaviour,
        record: &Record,
        names: &RecordNames,
        source: &mut Source,
    ) {
        let words = record.events.iter().map(|event| event.docs.as_str());
        let events = Enumeration::new("Event", "What can happen to it.", &names.events, words);
        source.item(events.item());
        let done = record.events.iter().map(|event| {
            let done = &event.done;
            quote! { #done }
        });
        let done = events.answer(
            "done",
            "What has been done to it then.",
            &quote! { &'static str },
            done,
        );
        let actors = &self.names.behaviour.actors;
        let by = record
            .events
            .iter()
            .filter_map(|event| actors.get(event.by))
            .map(|actor| {
                let actor = ident(actor);
                quote! { Actor::#actor }
            });
        let by = (!behaviour.actors.is_empty()).then(|| {
            source.import("super", "Actor");
            events.answer("by", "Who causes it.", &quote! { Actor }, by)
        });
        let operation = table::operations(record, names);
        let all = events.all();
        source.item(quote! { impl Event { #all #done #by #operation } });
    }
}

/// What tells the machines of a record apart.
fn kinds(record: &Record, names: &RecordNames, source: &mut Source) {
    let words = record.machines.iter().map(|machine| machine.docs.as_str());
    let kinds = Enumeration::new("Kind", "Which machine it is.", &names.machines, words);
    source.item(kinds.item());
    let values: Option<Vec<&String>> = record
        .machines
        .iter()
        .map(|machine| machine.wire.as_ref())
        .collect();
    let wire = values.map(|values| {
        let values = values.into_iter().map(|value| quote! { #value });
        let wire = kinds.answer("wire", "How it is shown.", &quote! { &'static str }, values);
        let lookup = lookup(
            "from_wire",
            &quote! { &str },
            ("kind", "wire"),
            &quote! { wire },
        );
        quote! { #wire #lookup }
    });
    let all = kinds.all();
    source.item(quote! { impl Kind { #all #wire } });
}

/// The states of a record, and how they are shown.
fn states(record: &Record, names: &RecordNames, source: &mut Source) {
    let words = record.states.iter().map(|state| state.docs.as_str());
    let states = Enumeration::new("Status", "Where it stands.", &names.states, words);
    source.item(states.item());
    let hidden = record.states.iter().any(|state| state.wire.is_none());
    let flags = record
        .states
        .iter()
        .any(|state| matches!(state.wire, Some(Wire::Flag(_))));
    let (out, taken) = if flags {
        (quote! { bool }, quote! { bool })
    } else {
        (quote! { &'static str }, quote! { &str })
    };
    let out = if hidden {
        quote! { Option<#out> }
    } else {
        out
    };
    let values = record
        .states
        .iter()
        .map(|state| shown(state.wire.as_ref(), hidden));
    let says = if hidden {
        "How it is shown; `None` where nobody sees it."
    } else {
        "How it is shown."
    };
    let wire = states.answer("wire", says, &out, values);
    let sought = if hidden {
        quote! { Some(wire) }
    } else {
        quote! { wire }
    };
    let lookup = lookup("from_wire", &taken, ("status", "wire"), &sought);
    let kept = kept(record, &states);
    let all = states.all();
    source.item(quote! { impl Status { #all #wire #lookup #kept } });
}

/// The words of states that are not shown by their words, to keep them by.
fn kept(record: &Record, states: &Enumeration) -> Option<TokenStream> {
    let by_name = |state: &State| state.wire == Some(Wire::Text(state.name.clone()));
    if record.states.iter().all(by_name) {
        return None;
    }
    let names = record.states.iter().map(|state| {
        let name = &state.name;
        quote! { #name }
    });
    let says = "Its word, whether it is shown or not.";
    let name = states.answer("name", says, &quote! { &'static str }, names);
    let sought = quote! { name };
    let lookup = lookup("from_name", &quote! { &str }, ("status", "name"), &sought);
    Some(quote! { #name #lookup })
}

fn shown(wire: Option<&Wire>, hidden: bool) -> TokenStream {
    let value = match wire {
        None => return quote! { None },
        Some(Wire::Text(text)) => quote! { #text },
        Some(Wire::Flag(flag)) => quote! { #flag },
    };
    if hidden {
        quote! { Some(#value) }
    } else {
        value
    }
}

pub(super) fn comment(text: &str) -> TokenStream {
    docs::plain(text)
}
