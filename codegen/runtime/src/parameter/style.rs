//! Putting values into text and taking them out again, in the styles of OpenAPI.

use std::borrow::Cow;

use super::super::percent;
use super::nesting;
use super::scalar::{encoded, push_pair, scalar};
use super::style_error::StyleError;
use super::table::{Parameter, Place, Shape, Style};
use super::tree::{Entry, Tree};

/// A path parameter or a header value as text. Path parameters come out percent-encoded.
pub fn text(parameter: &Parameter, tree: &Tree) -> String {
    let name = parameter.name;
    match (parameter.style, tree) {
        (Style::Label, _) => format!(".{}", joined(parameter, tree, '.')),
        (Style::Matrix, Tree::Text(text)) if text.is_empty() => format!(";{name}"),
        (Style::Matrix, Tree::List(items)) if parameter.explode => {
            let part = |item| format!(";{name}={}", scalar(parameter, item));
            items.iter().map(part).collect::<Vec<_>>().concat()
        }
        (Style::Matrix, Tree::Map(_)) if parameter.explode => {
            format!(";{}", joined(parameter, tree, ';'))
        }
        (Style::Matrix, _) => format!(";{name}={}", joined(parameter, tree, ',')),
        _ => joined(parameter, tree, ','),
    }
}

/// A query or cookie parameter as `name=value` pairs, percent-encoded.
pub fn pairs(parameter: &Parameter, tree: &Tree) -> Vec<String> {
    if let Tree::Text(text) = tree {
        let mut pair = String::with_capacity(parameter.name.len() + text.len() + 16);
        push_pair(&mut pair, parameter, text);
        return vec![pair];
    }
    let name = percent::encode(parameter.name);
    let pair = |text: String| vec![joint(&name, &text)];
    match (parameter.style, tree) {
        (Style::DeepObject, _) => deep(&name, parameter, tree),
        (Style::SpaceDelimited, Tree::List(_) | Tree::Map(_)) if !parameter.explode => {
            pair(delimited(parameter, tree, "%20"))
        }
        (Style::PipeDelimited, Tree::List(_) | Tree::Map(_)) if !parameter.explode => {
            pair(delimited(parameter, tree, "%7C"))
        }
        (_, Tree::List(items)) if parameter.explode => items
            .iter()
            .map(|item| joint(&name, &scalar(parameter, item)))
            .collect(),
        (_, Tree::Map(entries)) if parameter.explode => entries
            .iter()
            .map(|(key, value)| format!("{}={}", percent::encode(key), scalar(parameter, value)))
            .collect(),
        _ => pair(delimited(parameter, tree, ",")),
    }
}

impl Parameter {
    /// Whether the style has a text for each part of a value: only `deepObject` has one for what is
    /// nested.
    pub fn carries(&self, tree: &Tree) -> bool {
        let is_text = |tree: &Tree| matches!(tree, Tree::Text(_));
        match tree {
            _ if self.style == Style::DeepObject => true,
            Tree::Text(_) => true,
            Tree::List(items) => items.iter().all(is_text),
            Tree::Map(entries) => entries.iter().all(|(_, value)| is_text(value)),
        }
    }
}

/// The parts of a value with a delimiter between them when exploded, and a comma when not.
fn joined(parameter: &Parameter, tree: &Tree, exploded: char) -> String {
    let delimiter = if parameter.explode { exploded } else { ',' };
    match tree {
        Tree::Map(entries) if parameter.explode => {
            let part = |(key, value): &Entry| {
                format!("{}={}", encoded(parameter, key), scalar(parameter, value))
            };
            entries
                .iter()
                .map(part)
                .collect::<Vec<_>>()
                .join(&delimiter.to_string())
        }
        _ => delimited(parameter, tree, delimiter.encode_utf8(&mut [0; 4])),
    }
}

/// `name=text`
fn joint(name: &str, text: &str) -> String {
    let mut pair = String::with_capacity(name.len() + text.len() + 1);
    pair.push_str(name);
    pair.push('=');
    pair.push_str(text);
    pair
}

/// The parts of a value, names and values alike, with a delimiter between them.
fn delimited(parameter: &Parameter, tree: &Tree, delimiter: &str) -> String {
    let parts: Vec<String> = match tree {
        Tree::Text(text) => return encoded(parameter, text),
        Tree::List(items) => items.iter().map(|item| scalar(parameter, item)).collect(),
        Tree::Map(entries) => entries
            .iter()
            .flat_map(|(key, value)| [encoded(parameter, key), scalar(parameter, value)])
            .collect(),
    };
    parts.join(delimiter)
}

/// `name[key][0]=value`, to any depth.
fn deep(name: &str, parameter: &Parameter, tree: &Tree) -> Vec<String> {
    match tree {
        Tree::Text(_) => vec![format!("{name}={}", scalar(parameter, tree))],
        Tree::List(items) => items
            .iter()
            .enumerate()
            .flat_map(|(index, item)| deep(&format!("{name}%5B{index}%5D"), parameter, item))
            .collect(),
        Tree::Map(entries) => entries
            .iter()
            .flat_map(|(key, value)| {
                deep(
                    &format!("{name}%5B{}%5D", percent::encode(key)),
                    parameter,
                    value,
                )
            })
            .collect(),
    }
}

/// Takes a path parameter or a header value apart; nothing when its text is not in the style.
pub fn parse_text(parameter: &Parameter, text: &str) -> Option<Tree> {
    let name = parameter.name;
    let body: Cow<'_, str> = match parameter.style {
        Style::Label => text.strip_prefix('.')?.into(),
        Style::Matrix => {
            let body = text.strip_prefix(';')?;
            match (parameter.shape, parameter.explode) {
                (Shape::Map, true) => body.into(),
                (Shape::List, true) => {
                    let items = body.split(';').map(|item| value_of(item, name));
                    let items = items.map(|item| decoded(parameter, item?).map(Tree::Text));
                    return items.collect::<Option<_>>().map(Tree::List);
                }
                _ => value_of(body, name)?.into(),
            }
        }
        _ => text.into(),
    };
    let exploded = match parameter.style {
        Style::Label => '.',
        Style::Matrix => ';',
        _ => ',',
    };
    split(
        parameter,
        &body,
        if parameter.explode { exploded } else { ',' },
    )
}

fn value_of<'a>(pair: &'a str, name: &str) -> Option<&'a str> {
    let rest = pair.strip_prefix(name)?;
    if rest.is_empty() {
        Some("")
    } else {
        rest.strip_prefix('=')
    }
}

fn split(parameter: &Parameter, text: &str, delimiter: char) -> Option<Tree> {
    let space = if parameter.place == Place::Header {
        " \t"
    } else {
        ""
    };
    let parts = text
        .split(delimiter)
        .map(|part| part.trim_matches(|c| space.contains(c)));
    match parameter.shape {
        Shape::Text | Shape::Any => decoded(parameter, text).map(Tree::Text),
        _ if text.is_empty() => Some(empty(parameter.shape)),
        Shape::List => parts
            .map(|part| decoded(parameter, part).map(Tree::Text))
            .collect::<Option<_>>()
            .map(Tree::List),
        Shape::Map if parameter.explode && parameter.place != Place::Query => parts
            .map(|part| entry(parameter, part.split_once('=')?))
            .collect::<Option<_>>()
            .map(Tree::Map),
        Shape::Map => {
            let parts: Vec<&str> = parts.collect();
            let pairs = parts
                .chunks_exact(2)
                .map(|pair| entry(parameter, (pair[0], pair[1])));
            let entries: Vec<_> = pairs.collect::<Option<_>>()?;
            parts.len().is_multiple_of(2).then_some(Tree::Map(entries))
        }
    }
}

fn entry(parameter: &Parameter, (key, value): (&str, &str)) -> Option<Entry> {
    Some((
        decoded(parameter, key)?,
        Tree::Text(decoded(parameter, value)?),
    ))
}

fn empty(shape: Shape) -> Tree {
    if shape == Shape::List {
        Tree::List(Vec::new())
    } else {
        Tree::empty()
    }
}

fn decoded(parameter: &Parameter, text: &str) -> Option<String> {
    match parameter.place {
        Place::Header => Some(text.to_owned()),
        Place::Path => percent::decode(text),
        Place::Query | Place::Cookie => percent::decode_form(text),
    }
}

/// Finds a parameter among the raw `name=value` pairs of a query, a form or a cookie header.
///
/// `Ok(None)` is an absent parameter; `Err` one whose text is not in the style. An exploded object
/// takes the pairs that no other parameter of `table` declares.
pub fn parse_pairs(
    parameter: &Parameter,
    raw: &[(&str, &str)],
    table: &[Parameter],
) -> Result<Option<Tree>, StyleError> {
    if parameter.style == Style::DeepObject {
        return nesting::parse_deep(parameter.name, raw);
    }
    if parameter.shape == Shape::Map && parameter.explode {
        return rest(parameter, raw, table);
    }
    let named = |(name, _): &&(&str, &str)| percent::is_form(name, parameter.name);
    let mut values = raw.iter().filter(named).map(|(_, value)| *value).peekable();
    if values.peek().is_none() {
        return Ok(None);
    }
    if parameter.shape == Shape::List && parameter.explode {
        let items = values.map(|value| decoded(parameter, value).map(Tree::Text));
        return items
            .collect::<Option<_>>()
            .map(|items| Some(Tree::List(items)))
            .ok_or(StyleError);
    }
    // Of a parameter that is given twice the last one counts.
    let text = values.last().unwrap_or_default();
    let tree = match parameter.style {
        Style::SpaceDelimited => split(parameter, &text.replace("%20", "+"), '+'),
        Style::PipeDelimited => split(
            parameter,
            &text.replace("%7C", "|").replace("%7c", "|"),
            '|',
        ),
        _ => split(parameter, text, ','),
    };
    tree.map(Some).ok_or(StyleError)
}

fn rest(
    parameter: &Parameter,
    raw: &[(&str, &str)],
    table: &[Parameter],
) -> Result<Option<Tree>, StyleError> {
    let mut entries = Vec::new();
    for (name, value) in raw {
        let name = percent::decode_form(name).ok_or(StyleError)?;
        if !table
            .iter()
            .any(|other| other.place == parameter.place && other.name == name)
        {
            entries.push((
                name,
                Tree::Text(decoded(parameter, value).ok_or(StyleError)?),
            ));
        }
    }
    Ok((!entries.is_empty()).then_some(Tree::Map(entries)))
}
