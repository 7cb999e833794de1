//! Reader: builds a [`Behaviour`] from the tree of a behaviour file.

use super::object::{Object, expect};
use super::{
    Actor, Behaviour, Event, Machine, NaturalKey, PageParameter, Pagination, Reading, Record,
    State, Sum, Term, Transition, Volatile, Window, Wire, Word,
};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Node, Value};
use crate::provenance::Provenance;

/// The supported versions of the file format, by prefix.
const VERSIONS: [&str; 2] = ["1.", "2."];

/// Reads the whole file, and reports every structural error.
pub(super) fn read(root: &Node, found: &mut Diagnostics) -> Behaviour {
    const KEYS: [&str; 11] = [
        "behaviour",
        "actors",
        "records",
        "naturalKeys",
        "volatile",
        "sums",
        "pagination",
        "windows",
        "confirmed",
        "exceptions",
        "facts",
    ];
    let file = Object::new(root, "behaviour file", &KEYS, found);
    let version = file.word("behaviour", found);
    if !version.text.is_empty() && !VERSIONS.iter().any(|known| version.text.starts_with(known)) {
        let title = format!(
            "version `{}` of behaviour files cannot be read",
            version.text
        );
        let finding = Diagnostic::error("unsupported-version", title).at(version.span, "");
        found.push(finding.help("this project reads versions 1 and 2"));
    }
    let actors = file.named("actors", found).into_iter();
    let actors = actors
        .map(|(name, node)| actor(name, node, found))
        .collect();
    let records = file.named("records", found).into_iter();
    let records = records
        .map(|(name, node)| record(name, node, found))
        .collect();
    let all = |key, found: &mut Diagnostics| file.list(key, found).iter();
    Behaviour {
        version: Some(version).filter(|version| !version.text.is_empty()),
        actors,
        records,
        natural_keys: all("naturalKeys", found)
            .map(|node| key(node, found))
            .collect(),
        volatile: all("volatile", found)
            .map(|node| volatile(node, found))
            .collect(),
        sums: all("sums", found)
            .filter_map(|node| sum(node, found))
            .collect(),
        pagination: root.get("pagination").map(|node| pagination(node, found)),
        windows: all("windows", found)
            .map(|node| window(node, found))
            .collect(),
        confirmed: all("confirmed", found)
            .map(|node| reading("confirmed entry", node, found))
            .collect(),
        exceptions: all("exceptions", found)
            .map(|node| reading("exception", node, found))
            .collect(),
        facts: all("facts", found).cloned().collect(),
        ..Behaviour::default()
    }
}

fn actor(name: Word, node: &Node, found: &mut Diagnostics) -> Actor {
    let actor = Object::new(node, "actor", &["summary"], found);
    Actor {
        name,
        summary: actor.text("summary", found),
    }
}

fn record(name: Word, node: &Node, found: &mut Diagnostics) -> Record {
    const KEYS: [&str; 7] = [
        "summary",
        "schema",
        "property",
        "distinguishedBy",
        "states",
        "events",
        "machines",
    ];
    let record = Object::new(node, "record", &KEYS, found);
    for key in ["states", "events", "machines"] {
        record.value(key, found);
    }
    let provenance = Provenance::of(node);
    let states = record.named("states", found).into_iter();
    let states = states.map(|(name, node)| State {
        provenance: Provenance::of(node).or_else(|| provenance.clone()),
        ..state(name, node, found)
    });
    let states = states.collect();
    let events = record.named("events", found).into_iter();
    let events = events
        .map(|(name, node)| event(name, node, found))
        .collect();
    let machines = record.named("machines", found).into_iter();
    let machines = machines
        .map(|(name, node)| machine(name, node, found))
        .collect();
    Record {
        name,
        summary: record.text("summary", found),
        schema: record.may("schema", found),
        property: record.may("property", found),
        distinguished_by: record.may("distinguishedBy", found),
        states,
        events,
        machines,
    }
}

fn state(name: Word, node: &Node, found: &mut Diagnostics) -> State {
    let state = Object::new(node, "state", &["summary", "wire"], found);
    let wire = match node.get("wire") {
        None => Some(Wire::Text(name.text.clone())),
        Some(wire) => match &wire.value {
            Value::Null => None,
            Value::Bool(flag) => Some(Wire::Flag(*flag)),
            _ => Some(Wire::Text(state.text("wire", found))),
        },
    };
    State {
        summary: state.text("summary", found),
        name,
        wire,
        provenance: None,
    }
}

fn event(name: Word, node: &Node, found: &mut Diagnostics) -> Event {
    const KEYS: [&str; 4] = ["summary", "done", "by", "operations"];
    let event = Object::new(node, "event", &KEYS, found);
    let operations = event.named("operations", found).into_iter();
    let operations = operations.filter_map(|(machine, operation)| {
        expect(operation, "string", "operations", found);
        let text = operation.as_str()?.to_owned();
        let span = operation.span;
        Some((machine, Word { text, span }))
    });
    let operations = operations.collect();
    Event {
        name,
        summary: event.text("summary", found),
        done: event.text("done", found),
        by: event.word("by", found),
        operations,
    }
}

fn machine(name: Word, node: &Node, found: &mut Diagnostics) -> Machine {
    const KEYS: [&str; 5] = ["summary", "wire", "createdBy", "initial", "transitions"];
    let machine = Object::new(node, "machine", &KEYS, found);
    machine.value("initial", found);
    let rows = machine.list("transitions", found).iter();
    let transitions = rows.map(|row| transition(row, found)).collect();
    Machine {
        name,
        summary: machine.text("summary", found),
        wire: machine.may("wire", found),
        created_by: machine.may("createdBy", found),
        initial: machine.words("initial", found),
        transitions,
    }
}

fn transition(node: &Node, found: &mut Diagnostics) -> Transition {
    let row = Object::new(node, "transition", &["from", "event", "to", "note"], found);
    Transition {
        from: row.word("from", found),
        event: row.word("event", found),
        to: row.word("to", found),
        note: row.may("note", found).map(|note| note.text),
        span: row.span(),
    }
}

fn key(node: &Node, found: &mut Diagnostics) -> NaturalKey {
    const KEYS: [&str; 3] = ["operation", "property", "collection"];
    let key = Object::new(node, "natural key", &KEYS, found);
    NaturalKey {
        operation: key.word("operation", found),
        property: key.word("property", found),
        collection: key.word("collection", found),
    }
}

fn volatile(node: &Node, found: &mut Diagnostics) -> Volatile {
    const KEYS: [&str; 3] = ["schema", "property", "summary"];
    let volatile = Object::new(node, "volatile property", &KEYS, found);
    Volatile {
        schema: volatile.word("schema", found),
        property: volatile.word("property", found),
        summary: volatile.text("summary", found),
    }
}

fn sum(node: &Node, found: &mut Diagnostics) -> Option<Sum> {
    let sum = Object::new(node, "sum", &["summary", "whole", "parts"], found);
    let summary = sum.text("summary", found);
    let (whole, parts) = (sum.value("whole", found), sum.value("parts", found));
    Some(Sum {
        summary,
        whole: term(whole?, found),
        parts: term(parts?, found),
    })
}

fn term(node: &Node, found: &mut Diagnostics) -> Term {
    const KEYS: [&str; 4] = ["machine", "property", "states", "link"];
    let term = Object::new(node, "term of a sum", &KEYS, found);
    Term {
        machine: term.word("machine", found),
        property: term.word("property", found),
        states: term.words("states", found),
        link: term.may("link", found),
    }
}

fn pagination(node: &Node, found: &mut Diagnostics) -> Pagination {
    const KEYS: [&str; 3] = ["items", "meta", "parameters"];
    let pagination = Object::new(node, "pagination", &KEYS, found);
    let parameters = pagination.named("parameters", found).into_iter();
    let parameters = parameters.map(|(name, node)| {
        const KEYS: [&str; 3] = ["default", "maximum", "values"];
        let parameter = Object::new(node, "page parameter", &KEYS, found);
        let values = parameter.words("values", found).into_iter();
        PageParameter {
            name,
            default: parameter.text("default", found),
            maximum: parameter.number("maximum", found),
            values: values.map(|value| value.text).collect(),
        }
    });
    let parameters = parameters.collect();
    Pagination {
        items: pagination.word("items", found),
        meta: pagination.word("meta", found),
        parameters,
    }
}

fn window(node: &Node, found: &mut Diagnostics) -> Window {
    let window = Object::new(node, "window", &["summary", "within"], found);
    Window {
        summary: window.text("summary", found),
        within: window.text("within", found),
    }
}

fn reading(kind: &'static str, node: &Node, found: &mut Diagnostics) -> Reading {
    const KEYS: [&str; 4] = ["summary", "law", "check", "operations"];
    let reading = Object::new(node, kind, &KEYS, found);
    let (law, check) = (reading.may("law", found), reading.may("check", found));
    if law.is_none() && check.is_none() {
        reading.missing("`law` or `check`", found);
    }
    Reading {
        summary: reading.text("summary", found),
        law,
        check,
        operations: reading.words("operations", found),
        span: node.span,
    }
}
