//! Collector: turns diagnostics of other crates into findings.

use openapi_document::{Diagnostic, Diagnostics, Node, Pointer, SourceMap, Span};

use crate::finding::{Finding, Place, Side};
use crate::fingerprint;
use crate::pointers::Pointers;
use crate::subject::Subject;

/// The common data of findings from one source.
#[derive(Debug, Clone, Copy)]
pub struct Collector<'s> {
    /// The source texts.
    pub sources: &'s SourceMap,
    /// The tree for pointers; `None` if there is none.
    pub root: Option<&'s Node>,
    /// The file name that begins its subjects, if the file is not the document itself.
    pub file: Option<&'s str>,
    /// The side of the document.
    pub side: Side,
    /// The git revision of the document; `None` for a file on disk.
    pub revision: Option<&'s str>,
}

impl Collector<'_> {
    /// Converts diagnostics to findings.
    pub fn findings(&self, diagnostics: &Diagnostics) -> Vec<Finding> {
        let spans = diagnostics.iter().flat_map(spans);
        let pointers = self.root.map(|root| Pointers::of(root, spans));
        let pointers = pointers.unwrap_or_default();
        let found = diagnostics.iter();
        found
            .map(|diagnostic| self.finding(diagnostic, &pointers))
            .collect()
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
                    // An unreadable file has no names except its file name.
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
