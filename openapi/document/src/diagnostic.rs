//! Findings about a document, each with its place, rendered like the compiler's own.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::excerpt::Excerpt;
use crate::source::{SourceMap, Span};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know; nothing has to be mended.
    Info,
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
    /// Changes of the text that do it, where a program can.
    pub fix: Option<Fix>,
}

/// Changes of the text after which a finding is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What they do, in a few words.
    pub title: String,
    /// What is replaced, and by what; an empty span is a place to insert at. None overlaps another.
    pub edits: Vec<(Span, String)>,
    /// Whether the document means the same afterwards to whoever read it as it was meant.
    pub is_safe: bool,
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
            fix: None,
        }
    }

    /// A warning without a place so far.
    pub fn warning(rule: &'static str, title: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(rule, title)
        }
    }

    /// Something good to know, without a place so far.
    pub fn info(rule: &'static str, title: impl Into<String>) -> Self {
        Self {
            severity: Severity::Info,
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

    /// Offers to do it, where there is a way.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }

    /// `file:line:column: severity[rule]: title`, on one line.
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

    /// Adds all findings of another run.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        self.list.extend(others);
    }

    /// How many findings there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Drops all findings but the first ones.
    pub(crate) fn truncate(&mut self, kept: usize) {
        self.list.truncate(kept);
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
