//! Edit: changes a source text without touching comments and layout.

use openapi_document::diagnostic::Fix;
use openapi_document::node::{Entry, Node};
use openapi_document::source::{SourceMap, Span};

/// A span with its replacement.
pub(super) type Edit = (Span, String);

/// A safe fix with one edit.
pub(super) fn safe(title: impl Into<String>, edit: Edit) -> Fix {
    Fix {
        title: title.into(),
        edits: vec![edit],
        is_safe: true,
    }
}

/// Adds a key at the beginning of a mapping; `None` if its layout is not supported.
pub(super) fn insert_key(
    sources: &SourceMap,
    mapping: &Node,
    key: &str,
    value: &str,
) -> Option<Edit> {
    let span = mapping.span;
    let text = sources.file(span.file).text();
    let raw = text.get(span.range())?;
    if let Some(inner) = raw.strip_prefix('{') {
        let rest = inner.trim_start();
        let space = &inner[..inner.len() - rest.len()];
        let entry = if rest.starts_with('"') {
            format!("\"{key}\": {value}")
        } else {
            format!("{key}: {value}")
        };
        let then = match space.contains('\n') {
            _ if rest.starts_with('}') => String::new(),
            true => format!(",{space}"),
            false => ", ".to_owned(),
        };
        let at = span.range().start + 1 + space.len();
        return Some((place(span, at), entry + &then));
    }
    let first = mapping.as_mapping()?.entries.first()?;
    let (indent, _) = column(text, span.range().start)?;
    let fits = first.key_span.start == span.start;
    fits.then(|| {
        (
            place(span, span.range().start),
            format!("{key}: {value}\n{indent}"),
        )
    })
}

/// Appends an item to a list that has one; `None` if its layout is not supported.
pub(super) fn append_item(sources: &SourceMap, list: &Node, value: &str) -> Option<Edit> {
    let text = sources.file(list.span.file).text();
    let last = list.as_sequence()?.last()?;
    let (start, end) = (last.span.range().start, last.span.range().end);
    if text.get(list.span.range())?.starts_with('[') {
        return Some((place(list.span, end), format!(", {value}")));
    }
    let (_, before) = column(text, start)?;
    let dash = before.trim_end().strip_suffix('-')?;
    let line_end = text[end..]
        .find('\n')
        .map_or(text.len(), |length| end + length);
    let is_plain = dash.trim().is_empty() && !text.get(start..end)?.contains('\n');
    is_plain.then(|| (place(list.span, line_end), format!("\n{before}{value}")))
}

/// Removes an item that is not the first of its list; `None` if its layout is not supported.
pub(super) fn remove_item(sources: &SourceMap, list: &Node, index: usize) -> Option<Edit> {
    let text = sources.file(list.span.file).text();
    let before = list.item(index.checked_sub(1)?)?.span.range().end;
    let item = list.item(index)?.span.range();
    if text.get(list.span.range())?.starts_with('[') {
        let between = text.get(before..item.start)?;
        let is_plain = between.trim() == ",";
        return is_plain.then(|| (range(list.span, before, item.end), String::new()));
    }
    let (_, prefix) = column(text, item.start)?;
    let line_start = item.start - prefix.len();
    let line_end = text[item.end..]
        .find('\n')
        .map(|length| item.end + length + 1)?;
    let after = text.get(item.end..line_end)?.trim();
    let is_plain = prefix.trim() == "-" && (after.is_empty() || after.starts_with('#'));
    is_plain.then(|| (range(list.span, line_start, line_end), String::new()))
}

/// Renames a key.
pub(super) fn rename_key(sources: &SourceMap, entry: &Entry, name: &str) -> Option<Edit> {
    let span = entry.key_span;
    let raw = sources.file(span.file).text().get(span.range())?;
    let quotes = ["", "\"", "'"];
    let quote = quotes
        .iter()
        .find(|quote| raw == format!("{quote}{}{quote}", entry.key))?;
    Some((span, format!("{quote}{name}{quote}")))
}

/// Replaces a scalar on one line, within the same quotes.
pub(super) fn replace_scalar(
    sources: &SourceMap,
    scalar: &Node,
    change: impl Fn(&str) -> String,
) -> Option<Edit> {
    let raw = sources
        .file(scalar.span.file)
        .text()
        .get(scalar.span.range())?;
    let quote = raw.chars().next().filter(|sign| "\"'".contains(*sign));
    let quote = quote.map_or(String::new(), String::from);
    let inner = raw.strip_prefix(&quote)?.strip_suffix(&quote)?;
    let is_plain =
        !inner.contains(['\n', '\\']) && scalar.as_str().is_none_or(|text| text == inner);
    is_plain.then(|| (scalar.span, format!("{quote}{}{quote}", change(inner))))
}

/// The text before a byte on its line: as spaces of the same width, and unchanged. `None` unless it
/// has only spaces and dashes.
fn column(text: &str, byte: usize) -> Option<(String, &str)> {
    let start = text.get(..byte)?.rfind('\n').map_or(0, |line| line + 1);
    let before = text.get(start..byte)?;
    let is_layout = before.chars().all(|sign| sign == ' ' || sign == '-');
    is_layout.then(|| (" ".repeat(before.len()), before))
}

fn place(of: Span, byte: usize) -> Span {
    range(of, byte, byte)
}

fn range(of: Span, start: usize, end: usize) -> Span {
    let byte = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    Span {
        file: of.file,
        start: byte(start),
        end: byte(end),
    }
}
