//! Fix: applies the fixes of findings.

use std::collections::BTreeMap;

use openapi_document::diagnostic::{Diagnostics, Fix};
use openapi_document::source::{FileId, SourceMap, Span};

/// A file after its fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedFile {
    /// The file.
    pub file: FileId,
    /// The new text.
    pub text: String,
    /// Descriptions of the applied fixes, in text order.
    pub titles: Vec<String>,
}

/// Applies the safe fixes of these findings. Returns each changed file with its new text. A fix
/// that overlaps another one waits for the next run.
pub fn fix(sources: &SourceMap, findings: &Diagnostics) -> Vec<FixedFile> {
    let offered = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let mut taken: BTreeMap<FileId, Vec<(Span, &str, &str)>> = BTreeMap::new();
    for fix in offered.filter(|fix| fix.is_safe && !fix.edits.is_empty()) {
        if fix.edits.iter().all(|(span, _)| is_free(&taken, *span)) {
            take(&mut taken, fix);
        }
    }
    taken
        .into_iter()
        .map(|(file, edits)| apply(sources, file, edits))
        .collect()
}

fn is_free(taken: &BTreeMap<FileId, Vec<(Span, &str, &str)>>, span: Span) -> bool {
    let edits = taken.get(&span.file).map_or(&[][..], Vec::as_slice);
    // Two insertions at the same place overlap, too.
    edits.iter().all(|(other, ..)| {
        (span.end < other.start || other.end < span.start)
            || (span.end == other.start || other.end == span.start)
                && !(span.start == other.start || span.end == other.end)
    })
}

fn take<'f>(taken: &mut BTreeMap<FileId, Vec<(Span, &'f str, &'f str)>>, fix: &'f Fix) {
    for (span, text) in &fix.edits {
        let edits = taken.entry(span.file).or_default();
        edits.push((*span, text, &fix.title));
    }
}

fn apply(sources: &SourceMap, file: FileId, mut edits: Vec<(Span, &str, &str)>) -> FixedFile {
    edits.sort_by_key(|(span, ..)| *span);
    let source = sources.file(file).text();
    let (mut text, mut titles, mut at) = (String::with_capacity(source.len()), Vec::new(), 0);
    for (span, put, title) in edits {
        text.push_str(source.get(at..span.range().start).unwrap_or_default());
        text.push_str(put);
        at = span.range().end;
        titles.push(title.to_owned());
    }
    text.push_str(source.get(at..).unwrap_or_default());
    titles.dedup();
    FixedFile { file, text, titles }
}
