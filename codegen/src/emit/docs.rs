//! Documentation comments.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Docs, Operation, TypeDef};

/// Longer lines are broken.
const WIDTH: usize = 92;

/// The documentation of an item; `otherwise` where the document says nothing.
pub(super) fn comment(docs: &Docs, otherwise: &str) -> TokenStream {
    let mut lines = lines(docs.text.as_deref().unwrap_or(otherwise));
    if lines.is_empty() && !otherwise.is_empty() {
        lines.push(otherwise.to_owned());
    }
    if docs.deprecated {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push("Deprecated.".to_owned());
    }
    attributes(&lines)
}

/// The documentation of an item that the document does not describe.
pub(super) fn plain(text: &str) -> TokenStream {
    attributes(&lines(text))
}

/// The documentation of a part of a type. The name on the wire is only there where the document
/// says nothing and the identifier has other words.
pub(super) fn of_part(docs: &Docs, wire: &str, name: &str) -> TokenStream {
    let words = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let otherwise = match wire {
        "" => "The empty text.".to_owned(),
        wire if words(wire) == words(name) => String::new(),
        wire => format!("`{wire}`"),
    };
    comment(docs, &otherwise)
}

/// The documentation of an area.
pub(super) fn of_area(docs: &Docs, tag: &str) -> TokenStream {
    comment(docs, &format!("The operations of `{tag}`."))
}

/// Summary, description and `POST /path` of an operation.
pub(super) fn of_operation(operation: &Operation) -> TokenStream {
    let request = format!("`{} {}`", operation.method, operation.path);
    with(&operation.docs, "", &[request])
}

/// The documentation of a type.
pub(super) fn of_type(def: &TypeDef) -> TokenStream {
    let otherwise = match (&def.component, def.contexts.first()) {
        (Some(_), _) => String::new(),
        (None, Some(words)) => format!("The value at `{}`.", words.join(".")),
        (None, None) => "A value.".to_owned(),
    };
    comment(&def.docs, &otherwise)
}

/// Documentation with further paragraphs.
pub(super) fn with(docs: &Docs, otherwise: &str, paragraphs: &[String]) -> TokenStream {
    let mut text = docs
        .text
        .clone()
        .filter(|text| !text.trim().is_empty())
        .unwrap_or_else(|| otherwise.to_owned());
    for paragraph in paragraphs {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(paragraph);
    }
    let docs = Docs {
        text: Some(text),
        ..docs.clone()
    };
    comment(&docs, otherwise)
}

/// The first sentence, for places where there is room for one.
pub(super) fn brief(docs: &Docs) -> Option<String> {
    let text = docs.text.as_deref()?;
    let lines = lines(text);
    let paragraph: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .take_while(|line| !line.is_empty())
        .collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |end| end + 1);
    (end > 0).then(|| paragraph[..end].to_owned())
}

/// Separates the lines of documentation inside one token. No line contains it, because control
/// characters are removed.
const LINE: char = '\u{1}';

fn attributes(lines: &[String]) -> TokenStream {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            text.push(LINE);
        }
        if !line.is_empty() {
            text.push(' ');
            text.push_str(line);
        }
    }
    let text = (!lines.is_empty()).then(|| quote! { #[doc = #text] });
    quote! { #text }
}

/// Whether documentation, as it came from a token, has more than one line.
pub(super) fn is_several(text: &str) -> bool {
    text.contains(LINE)
}

/// Writes documentation as it came from a token, in lines again.
pub(super) fn push(text: &str, indent: &str, out: &mut String) {
    for line in text.split(LINE) {
        out.push_str(indent);
        out.push_str("///");
        out.push_str(line.trim_end_matches(' '));
        out.push('\n');
    }
}

/// Text in lines that mean the same to rustdoc as they do to a reader: nothing is indented so far
/// that it becomes code, and code is no Rust.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut indent = 0;
    for line in text.replace('\t', "  ").lines() {
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        let line = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| line.starts_with(mark));
        if let Some(mark) = mark.filter(|mark| fence.is_none_or(|open| open == *mark)) {
            let begins = fence.is_none();
            fence = begins.then_some(mark);
            out.push(format!("{mark}{}", if begins { "text" } else { "" }));
        } else if fence.is_some() {
            out.push(line.to_owned());
        } else if !(line.is_empty() && out.last().is_none_or(String::is_empty)) {
            let item = item_indent(line);
            if line.is_empty() || item.is_some() {
                indent = 0;
            }
            wrap(line, indent, item.unwrap_or(indent), &mut out);
            indent = item.unwrap_or(indent);
        }
    }
    if let Some(mark) = fence {
        out.push(mark.to_owned());
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out
}

/// The indentation of the text of a list item; `None` when the line is not an item.
fn item_indent(line: &str) -> Option<usize> {
    if ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark)) {
        return Some(2);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marked = line[digits..].starts_with(". ") || line[digits..].starts_with(") ");
    (digits > 0 && marked).then_some(digits + 2)
}

/// Breaks a line, its first part indented by `first`, the others by `rest`.
fn wrap(line: &str, first: usize, rest: usize, out: &mut Vec<String>) {
    if line.starts_with('|') || line.is_empty() {
        out.push(line.to_owned());
        return;
    }
    let mut current = " ".repeat(first);
    for word in line.split_whitespace() {
        if !current.trim().is_empty() && current.len() + 1 + word.len() > WIDTH {
            out.push(std::mem::replace(&mut current, " ".repeat(rest)));
        }
        if !current.trim().is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    out.push(current);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_a_doctest() {
        assert_eq!(
            lines("a\n\n\n    b\n```\nc"),
            ["a", "", "b", "```text", "c", "```"]
        );
        assert_eq!(
            lines("~~~ rust\n```\nb\n~~~\nc"),
            ["~~~text", "```", "b", "~~~", "c"]
        );
    }

    #[test]
    fn what_belongs_to_a_list_item_is_indented() {
        assert_eq!(lines("- a\nb\n- c\n\nd"), ["- a", "  b", "- c", "", "d"]);
        assert_eq!(lines("10. a\nb"), ["10. a", "    b"]);
    }

    #[test]
    fn long_lines_are_broken() {
        let text = "word ".repeat(40);
        assert!(lines(&text).iter().all(|line| line.len() <= WIDTH));
        assert_eq!(lines(&text).join(" "), text.trim());
    }
}
