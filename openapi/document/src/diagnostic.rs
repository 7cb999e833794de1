//! Diagnostic: a finding about a document, with its place, rendered like a compiler's.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::excerpt::Excerpt;
use crate::source::{SourceMap, Span};

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// For information only.
    Info,
    /// Worth a look; does not fail a run.
    Warning,
    /// Must be fixed.
    Error,
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The rule id in kebab-case; never changes.
    pub rule: &'static str,
    /// How serious it is.
    pub severity: Severity,
    /// A short sentence without a full stop.
    pub title: String,
    /// The place and a label for it; `None` if no source text could be read.
    pub primary: Option<(Span, String)>,
    /// Other places that explain it.
    pub related: Vec<(Span, String)>,
    /// A hint how to fix it.
    pub help: Option<String>,
    /// Text edits that fix it, if a program can.
    pub fix: Option<Fix>,
}

/// Text edits that fix a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// A short description of the edits.
    pub title: String,
    /// Each replaced span with its replacement; an empty span inserts. The spans do not overlap.
    pub edits: Vec<(Span, String)>,
    /// Whether the edits keep the meaning of the document for every reader that already understood
    /// it.
    pub is_safe: bool,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(rule: &'static str, title: impl Into<String>) -> Self {
        Self {
            rule,
            severity: Severity::Error,
            title: title.into(),
            primary: None,
            related: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// A warning without a place.
    pub fn warning(rule: &'static str, title: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(rule, title)
        }
    }

    /// An info without a place.
    pub fn info(rule: &'static str, title: impl Into<String>) -> Self {
        Self {
            severity: Severity::Info,
            ..Self::error(rule, title)
        }
    }

    /// Sets the place, with a short label.
    #[must_use]
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Self {
        self.primary = Some((span, label.into()));
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Sets the hint how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the edits that fix it, if any.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }

    /// Formats `file:line:column: severity[rule]: title` on one line.
    pub fn one_line(&self, sources: &SourceMap) -> String {
        let place = self.primary.as_ref().map_or(String::new(), |(span, _)| {
            format!("{}: ", sources.place(*span))
        });
        let severity = match self.severity {
            Severity::Info => "info",
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

    /// Adds several findings.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        self.list.extend(others);
    }

    /// The number of findings.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Keeps only the first `kept` findings.
    pub(crate) fn truncate(&mut self, kept: usize) {
        self.list.truncate(kept);
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// The number of findings with one severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.list
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The findings.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Sorts the findings by place, and removes duplicates.
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

    /// Renders all findings with source excerpts, like the Rust compiler.
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
        Severity::Info => Level::INFO,
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
        let place = sources.place(*span);
        let excerpt = Excerpt::of(file, *span, place.line);
        let annotation = kind.span(excerpt.marked).label(label.as_str());
        let snippet = Snippet::source(excerpt.text).line_start(place.line);
        if excerpt.is_cut {
            let origin = Origin::path(place.file);
            group = group.element(origin.line(place.line).char_column(place.column));
            group = group.element(snippet.annotation(annotation));
        } else {
            group = group.element(snippet.path(place.file).annotation(annotation));
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    vec![group]
}
