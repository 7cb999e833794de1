//! YAML: parses text into a [`Node`] by the core schema of YAML 1.2: `NO`, `ON` and `Y` are
//! strings.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span as YamlSpan};

use crate::node::{Entry, Mapping, Node, Value};
use crate::source::{FileId, SourceFile, SourceMap, Span};

/// Aliases may multiply a document; one that copies more nodes than this is refused.
const MAX_COPIES: usize = 1_000_000;
/// The same depth limit as for JSON.
const MAX_DEPTH: usize = 512;

/// A YAML syntax error with its place.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// A description of the error.
    pub message: String,
    /// The place of the error.
    pub span: Span,
}

/// Parses the single YAML document in a text of a source map.
///
/// # Errors
/// The text is not YAML, has more than one document, or uses features that JSON lacks.
pub fn read(sources: &SourceMap, file: FileId) -> Result<Node, YamlError> {
    read_source(file, sources.file(file))
}

/// Like [`read`], for a text that may be in no source map yet.
pub(crate) fn read_source(file: FileId, source: &SourceFile) -> Result<Node, YamlError> {
    let mut builder = Builder::new(file, source);
    for event in Parser::new_from_str(source.text()) {
        let (event, place) = event.map_err(|error| YamlError {
            message: error.info().to_owned(),
            span: builder.point(error.marker().index()),
        })?;
        let span = builder.span(&place);
        builder.event(event, span)?;
    }
    let empty = Span {
        file,
        start: 0,
        end: 0,
    };
    builder.root.ok_or_else(|| YamlError {
        message: "the document is empty".to_owned(),
        span: empty,
    })
}

struct Builder<'s> {
    source: &'s SourceFile,
    file: FileId,
    open: Vec<Open>,
    /// The items of all open sequences, innermost last.
    items: Vec<Node>,
    /// The entries of all open mappings, innermost last.
    entries: Vec<Entry>,
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
    copies: usize,
    root: Option<Node>,
    here: Cursor,
}

/// A position in the text, in characters and in bytes.
#[derive(Clone, Copy, Default)]
struct Cursor {
    characters: usize,
    bytes: usize,
}

impl Cursor {
    /// Moves to a character. The parser moves through the text once, so the distance is always
    /// short.
    fn to(self, text: &str, character: usize) -> Self {
        if character < self.characters {
            let before = text[..self.bytes].char_indices().rev();
            let back = self.characters - character;
            let bytes = before.map(|(byte, _)| byte).nth(back - 1).unwrap_or(0);
            return Self {
                characters: character,
                bytes,
            };
        }
        let mut after = text[self.bytes..].char_indices();
        let byte = after.nth(character - self.characters);
        Self {
            characters: character,
            bytes: byte.map_or(text.len(), |(byte, _)| self.bytes + byte),
        }
    }
}

struct Open {
    anchor: usize,
    span: Span,
    first_node: usize,
    kind: OpenKind,
}

/// An open collection. It holds the index of its first child in `items` or `entries`, so that each
/// collection gets exactly the memory it needs.
enum OpenKind {
    Sequence(usize),
    Mapping(usize, Option<(String, Span)>),
}

impl<'s> Builder<'s> {
    fn new(file: FileId, source: &'s SourceFile) -> Self {
        Self {
            source,
            file,
            open: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            anchors: HashMap::new(),
            nodes: 0,
            copies: 0,
            root: None,
            here: Cursor::default(),
        }
    }

    fn point(&self, character: usize) -> Span {
        let start = self.locate(character).bytes;
        self.bytes(start, start)
    }

    fn span(&mut self, place: &YamlSpan) -> Span {
        self.here = self.locate(place.start.index());
        let end = self.locate(place.end.index()).bytes;
        self.bytes(self.here.bytes, end.max(self.here.bytes))
    }

    fn locate(&self, character: usize) -> Cursor {
        if self.source.is_ascii() {
            let bytes = character.min(self.source.text().len());
            return Cursor {
                characters: character,
                bytes,
            };
        }
        self.here.to(self.source.text(), character)
    }

    fn bytes(&self, start: usize, end: usize) -> Span {
        Span {
            file: self.file,
            start: u32::try_from(start).unwrap_or(u32::MAX),
            end: u32::try_from(end).unwrap_or(u32::MAX),
        }
    }

    /// Cuts a quoted scalar's span at its closing quote. The parser includes the rest of the line.
    fn within_quotes(&self, span: Span, style: ScalarStyle) -> Span {
        let text = self.source.text();
        let bytes = text.as_bytes().get(span.range()).unwrap_or_default();
        let end = match style {
            ScalarStyle::SingleQuoted => closing_quote(bytes, b'\'', b'\''),
            ScalarStyle::DoubleQuoted => closing_quote(bytes, b'"', b'\\'),
            _ => None,
        };
        match end {
            Some(end) => self.bytes(span.range().start, span.range().start + end),
            None => span,
        }
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let span = self.within_quotes(span, style);
                self.nodes += 1;
                if self.takes_key() {
                    self.key(text.into_owned(), span);
                    return Ok(());
                }
                let forced = tag.as_ref().map(|tag| tag.suffix.as_str());
                let value = scalar(text, style, forced);
                let node = Node { value, span };
                self.remember(anchor, &node, 1)?;
                self.place(node, span)
            }
            Event::SequenceStart(anchor, _) => {
                self.open(anchor, span, OpenKind::Sequence(self.items.len()))
            }
            Event::MappingStart(anchor, _) => {
                self.open(anchor, span, OpenKind::Mapping(self.entries.len(), None))
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Alias(anchor) => self.alias(anchor, span),
            Event::DocumentStart(_) if self.root.is_some() => {
                Err(error("a second YAML document begins here", span))
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, anchor: usize, span: Span, kind: OpenKind) -> Result<(), YamlError> {
        self.nodes += 1;
        if self.takes_key() {
            return Err(error("a key must be a scalar", span));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(error("nested deeper than 512 levels", span));
        }
        self.open.push(Open {
            anchor,
            span,
            first_node: self.nodes,
            kind,
        });
        Ok(())
    }

    fn close(&mut self, end: Span) -> Result<(), YamlError> {
        let Some(open) = self.open.pop() else {
            return Err(error("nothing is open here", end));
        };
        let value = match open.kind {
            OpenKind::Sequence(first) => Value::Sequence(self.items.drain(first..).collect()),
            OpenKind::Mapping(first, _) => Value::Mapping(Mapping {
                entries: self.entries.drain(first..).collect(),
            }),
        };
        let span = Span {
            end: end.end.max(open.span.end),
            ..open.span
        };
        let node = Node { value, span };
        self.remember(open.anchor, &node, self.nodes - open.first_node + 1)?;
        self.place(node, span)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), YamlError> {
        let Some(size) = self.anchors.get(&anchor).map(|(_, size)| *size) else {
            return Err(error(
                "the alias refers to an anchor that is not complete",
                span,
            ));
        };
        self.count_copies(size, span)?;
        self.nodes += size;
        if let Some(Open {
            kind: OpenKind::Mapping(_, Some((key, at))),
            ..
        }) = self.open.last()
            && key == "<<"
        {
            return Err(error(
                "merge keys are not part of YAML 1.2; write the keys out",
                *at,
            ));
        }
        let node = self.anchors[&anchor].0.clone();
        if self.takes_key() {
            return match node.value {
                Value::String(text) => {
                    self.key(text, span);
                    Ok(())
                }
                _ => Err(error("a key must be a scalar", span)),
            };
        }
        self.place(node, span)
    }

    fn remember(&mut self, anchor: usize, node: &Node, size: usize) -> Result<(), YamlError> {
        if anchor > 0 {
            self.count_copies(size, node.span)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        Ok(())
    }

    fn count_copies(&mut self, nodes: usize, span: Span) -> Result<(), YamlError> {
        self.copies += nodes;
        if self.copies > MAX_COPIES {
            return Err(error("aliases make this document too large", span));
        }
        Ok(())
    }

    fn takes_key(&self) -> bool {
        matches!(
            self.open.last(),
            Some(Open {
                kind: OpenKind::Mapping(_, None),
                ..
            })
        )
    }

    fn key(&mut self, key: String, span: Span) {
        if let Some(Open {
            kind: OpenKind::Mapping(_, pending),
            ..
        }) = self.open.last_mut()
        {
            *pending = Some((key, span));
        }
    }

    fn place(&mut self, node: Node, span: Span) -> Result<(), YamlError> {
        match self.open.last_mut().map(|open| &mut open.kind) {
            None if self.root.is_none() => self.root = Some(node),
            None => return Err(error("a second value at the top level", span)),
            Some(OpenKind::Sequence(_)) => self.items.push(node),
            Some(OpenKind::Mapping(_, pending)) => {
                if let Some((key, key_span)) = pending.take() {
                    self.entries.push(Entry {
                        key,
                        key_span,
                        value: node,
                    });
                }
            }
        }
        Ok(())
    }
}

fn error(message: &str, span: Span) -> YamlError {
    YamlError {
        message: message.to_owned(),
        span,
    }
}

/// The end of a quoted scalar: after the first quote that is not escaped.
fn closing_quote(bytes: &[u8], quote: u8, escape: u8) -> Option<usize> {
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        if byte == escape && (escape != quote || next == Some(&quote)) {
            at += 2;
        } else if byte == quote {
            return Some(at + 1);
        } else {
            at += 1;
        }
    }
    None
}

fn scalar(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&str>) -> Value {
    if tag == Some("str") || style != ScalarStyle::Plain {
        return Value::String(text.into_owned());
    }
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        other => match number(other) {
            Some(number) => Value::Number(number),
            None => Value::String(text.into_owned()),
        },
    }
}

/// The number in JSON syntax, if the core schema reads the text as a number.
fn number(text: &str) -> Option<String> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        b'0'..=b'9' | b'.' => ("", text),
        _ => return None,
    };
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(rest) = text.strip_prefix(prefix) {
            return u64::from_str_radix(rest, radix)
                .ok()
                .map(|value| value.to_string());
        }
    }
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], &digits[at..]),
        None => (digits, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let power = exponent.get(1..).unwrap_or_default();
    let power_digits = power.strip_prefix(['-', '+']).unwrap_or(power);
    if !exponent.is_empty() && (power_digits.is_empty() || !all_digits(power_digits)) {
        return None;
    }
    let trimmed = whole.trim_start_matches('0');
    let whole = if trimmed.is_empty() { "0" } else { trimmed };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}{exponent}"))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn json(text: &str) -> Result<String, String> {
        let mut sources = SourceMap::default();
        let file = sources.add("t.yaml", text.to_owned());
        read(&sources, file)
            .map(|node| node.to_json())
            .map_err(|error| format!("{} {}", sources.place(error.span), error.message))
    }

    #[test]
    fn scalars_follow_the_core_schema() {
        let cases = [
            ("NO", r#""NO""#),
            ("ON", r#""ON""#),
            ("y", r#""y""#),
            ("10.10", "10.10"),
            ("18446744073709552000", "18446744073709552000"),
            ("+012", "12"),
            (".5", "0.5"),
            ("1.", "1"),
            ("0x1F", "31"),
            ("1e3", "1e3"),
            ("1_000", r#""1_000""#),
            ("2026-11-20", r#""2026-11-20""#),
            (".inf", r#"".inf""#),
            ("~", "null"),
            ("'1'", r#""1""#),
            ("!!str 1", r#""1""#),
            ("200: {a: }", r#"{"200":{"a":null}}"#),
        ];
        for (yaml, expected) in cases {
            assert_eq!(json(yaml).as_deref(), Ok(expected), "{yaml}");
        }
    }

    #[test]
    fn errors_have_a_place() {
        assert!(
            json("a: 1\nb: [1, 2\nc: 3\n")
                .unwrap_err()
                .starts_with("t.yaml:3:")
        );
        assert!(
            json("a: 1\n---\nb: 2\n")
                .unwrap_err()
                .starts_with("t.yaml:2:1")
        );
        assert!(json("a: *x\n").unwrap_err().starts_with("t.yaml:1:"));
        assert!(json("").is_err());
        assert!(json("[a]: 1").unwrap_err().contains("key must be a scalar"));
        assert!(
            json("a: &a {b: 1}\nc: {<<: *a}\n")
                .unwrap_err()
                .starts_with("t.yaml:2:5")
        );
        assert!(json(&"[".repeat(2_000)).is_err());
    }

    #[test]
    fn spans_cover_keys_and_values() {
        let mut sources = SourceMap::default();
        let file = sources.add("t.yaml", "a:\n  ü: 'x y'\n  c: [1, 22]\n".to_owned());
        let root = read(&sources, file).unwrap();
        let text = |span: Span| &sources.file(file).text()[span.range()];
        let a = root.get("a").unwrap();
        assert_eq!(text(a.get("ü").unwrap().span), "'x y'");
        assert_eq!(
            text(a.as_mapping().unwrap().entry("c").unwrap().key_span),
            "c"
        );
        assert_eq!(text(a.get("c").unwrap().item(1).unwrap().span), "22");
        let quoted = "- 'it''s' # one\n- \"a\\\"b\"   # two\n- '' # three\n";
        let file = sources.add("q.yaml", quoted.to_owned());
        let root = read(&sources, file).unwrap();
        let text = |span: Span| &sources.file(file).text()[span.range()];
        let items: Vec<_> = root.items().map(|item| text(item.span)).collect();
        assert_eq!(items, ["'it''s'", "\"a\\\"b\"", "''"]);
    }

    #[test]
    fn places_hold_on_long_lines_and_after_any_line_break() {
        let text = format!("{{a: [{}'ü'], \r\nb: 1,\r\n  c: *x}}", "ö, ".repeat(50));
        let mut sources = SourceMap::default();
        let file = sources.add("t.yaml", text);
        let error = read(&sources, file).unwrap_err();
        assert_eq!(sources.place(error.span).to_string(), "t.yaml:3:6");
        let text = format!("{{a: [{}'ü'], \r\nb: 1}}", "ö, ".repeat(50));
        let file = sources.add("t.yaml", text);
        let root = read(&sources, file).unwrap();
        let text = |node: &Node| sources.file(file).text()[node.span.range()].to_owned();
        assert_eq!(text(root.get("a").unwrap().item(50).unwrap()), "'ü'");
        assert_eq!(text(root.get("b").unwrap()), "1");
    }

    #[test]
    fn aliases_are_copied_and_bounded() {
        assert_eq!(
            json("a: &x [1]\nb: *x").as_deref(),
            Ok(r#"{"a":[1],"b":[1]}"#)
        );
        let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
        for level in 1..12 {
            let line = format!(
                "a{level}: &a{level} [{}]\n",
                vec![format!("*a{}", level - 1); 10].join(",")
            );
            bomb.push_str(&line);
        }
        assert!(json(&bomb).unwrap_err().contains("too large"));
        let items = vec!["x"; 6_000].join(",");
        let mut anchors = String::new();
        for level in 0..200 {
            write!(anchors, "&a{level} [").unwrap();
        }
        let nested = format!("{anchors}{items}{}", "]".repeat(200));
        assert!(json(&nested).unwrap_err().contains("too large"));
    }
}
