//! Findings about a document, each with its place, rendered like the compiler's own.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::source::{SourceMap, Span};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look; does not fail a run.
    Warning,
    /// Has to be mended.
    Error,
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The rule that found it, in kebab-case; kept for ever.
    pub rule: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// A short sentence without a full stop.
    pub title: String,
    /// The place and what to say of it; `None` where no text could be read.
    pub primary: Option<(Span, String)>,
    /// Other places that explain it.
    pub related: Vec<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a place so far.
    pub fn error(rule: &'static str, title: impl Into<String>) -> Self {
        Self {
            rule,
            severity: Severity::Error,
            title: title.into(),
            primary: None,
            related: Vec::new(),
            help: None,
        }
    }

    /// A warning without a place so far.
    pub fn warning(rule: &'static str, title: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(rule, title)
        }
    }

    /// Says where, and in a few words what is wrong there.
    #[must_use]
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Self {
        self.primary = Some((span, label.into()));
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `file:line:column: severity[rule]: title`, on one line.
    pub fn one_line(&self, sources: &SourceMap) -> String {
        let place = self.primary.as_ref().map_or(String::new(), |(span, _)| {
            format!("{}: ", sources.place(*span))
        });
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        format!("{place}{severity}[{}]: {}", self.rule, self.title)
    }
}

/// All findings of a run.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all findings of another run.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        self.list.extend(others);
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// How many there are of one severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.list
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The findings.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Brings the findings into the order of the source, without repetitions.
    pub fn sort(&mut self) {
        let key = |d: &Diagnostic| {
            (
                d.primary.as_ref().map(|(span, _)| *span),
                d.rule,
                d.title.clone(),
            )
        };
        self.list.sort_by_key(key);
        self.list.dedup_by(|a, b| key(a) == key(b));
    }

    /// All findings with excerpts of the source, as the Rust compiler would print them.
    pub fn render(&self, sources: &SourceMap, color: bool) -> String {
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let mut out = String::new();
        for diagnostic in &self.list {
            out.push_str(&renderer.render(&groups(diagnostic, sources)));
            out.push_str("\n\n");
        }
        out
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

fn groups<'s>(diagnostic: &'s Diagnostic, sources: &'s SourceMap) -> Vec<Group<'s>> {
    let level = match diagnostic.severity {
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let title = level
        .primary_title(diagnostic.title.as_str())
        .id(diagnostic.rule);
    let mut group = Group::with_title(title);
    let primary = diagnostic
        .primary
        .iter()
        .map(|place| (place, AnnotationKind::Primary));
    let related = diagnostic
        .related
        .iter()
        .map(|place| (place, AnnotationKind::Context));
    for ((span, label), kind) in primary.chain(related) {
        let file = sources.file(span.file);
        let (excerpt, line, range) = excerpt(file.text(), *span, sources.place(*span).line);
        let annotation = kind.span(range).label(label.as_str());
        let path = file.path().display().to_string();
        let snippet = Snippet::source(excerpt).line_start(line).path(path);
        group = group.element(snippet.annotation(annotation));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    vec![group]
}

/// The line a span begins on, its number, and the part of the span on it: the renderer reads all
/// it is given, which may be megabytes, and long values are marked on their first line only.
fn excerpt(text: &str, span: Span, line: usize) -> (&str, usize, Range<usize>) {
    let start = span.range().start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[start..]
        .find('\n')
        .map_or(text.len(), |newline| start + newline);
    let end = span.range().end.clamp(start, line_end);
    (
        &text[line_start..line_end],
        line,
        start - line_start..end - line_start,
    )
}
