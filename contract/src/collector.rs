//! From what the other crates say of a document to findings.

use openapi_document::{Diagnostic, Diagnostics, Node, Pointer, SourceMap, Span};

use crate::finding::{Finding, Place, Side};
use crate::fingerprint;
use crate::pointers::Pointers;
use crate::subject::Subject;

/// What findings of one source have in common.
#[derive(Debug, Clone, Copy)]
pub struct Collector<'s> {
    /// The texts.
    pub sources: &'s SourceMap,
    /// The tree in which the places are looked up, where there is one.
    pub root: Option<&'s Node>,
    /// What its subjects are called by, where they are no part of the document itself.
    pub file: Option<&'s str>,
    /// Of two documents, this one.
    pub side: Side,
    /// The git revision it was read from.
    pub revision: Option<&'s str>,
}

impl Collector<'_> {
    /// The diagnostics as findings.
    pub fn findings(&self, diagnostics: &Diagnostics) -> Vec<Finding> {
        let spans = diagnostics.iter().flat_map(spans);
        let pointers = self.root.map(|root| Pointers::of(root, spans));
        let pointers = pointers.unwrap_or_default();
        let found = diagnostics.iter();
        found.map(|own| self.finding(own, &pointers)).collect()
    }

    fn finding(&self, diagnostic: &Diagnostic, pointers: &Pointers) -> Finding {
        let primary = diagnostic.primary.as_ref().map(|(span, _)| *span);
        let pointer = primary.and_then(|span| pointers.get(span));
        let subject = self.subject(diagnostic, pointer);
        Finding {
            fingerprint: fingerprint::of(
                diagnostic.rule,
                subject.operation.as_deref(),
                &subject.name,
                "",
            ),
            rule: diagnostic.rule,
            level: diagnostic.severity.into(),
            title: diagnostic.title.clone(),
            operation: subject.operation,
            subject: subject.name,
            reach: Vec::new(),
            axes: None,
            part: subject.part,
            places: places(diagnostic)
                .map(|(span, label)| self.place(*span, label, pointers.get(*span)))
                .collect(),
            help: diagnostic.help.clone(),
            accepted: None,
        }
    }

    fn place(&self, span: Span, label: &str, pointer: Option<&Pointer>) -> Place {
        Place {
            pointer: pointer.map(ToString::to_string),
            ..Place::new(self.sources, span, label, self.side, self.revision)
        }
    }

    fn subject(&self, diagnostic: &Diagnostic, pointer: Option<&Pointer>) -> Subject {
        let mut subject = match (self.root, pointer) {
            (Some(root), Some(pointer)) => Subject::of(root, pointer),
            _ => Subject {
                part: "document".to_owned(),
                name: match &diagnostic.primary {
                    // What cannot be read has no names but that of its file.
                    Some((span, _)) => self.sources.place(*span).file,
                    None => String::new(),
                },
                operation: None,
            },
        };
        if let Some(file) = self.file {
            subject.name = format!("{file}#{}", subject.name);
            file.clone_into(&mut subject.part);
        }
        subject
    }
}

fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = &(Span, String)> {
    diagnostic.primary.iter().chain(&diagnostic.related)
}

fn spans(diagnostic: &Diagnostic) -> impl Iterator<Item = Span> {
    places(diagnostic).map(|(span, _)| *span)
}
