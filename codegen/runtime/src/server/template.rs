//! Matches paths with path templates, and finds the path parameters.

use std::ops::Range;

use super::super::parameter::{Parameter, Place, Shape, Style};

/// A parsed path template such as `/v1/files/{name}.json`.
pub(super) struct Template {
    segments: Vec<Vec<Piece>>,
}

enum Piece {
    Literal(String),
    Parameter {
        name: String,
        /// The prefix of its text, for styles with a prefix.
        prefix: String,
    },
}

impl Template {
    /// Parses a template; `parameters` have the styles.
    pub(super) fn new(path: &str, parameters: &[Parameter]) -> Self {
        let segments = path.trim_start_matches('/').split('/');
        let segments = segments.map(|segment| pieces(segment, parameters));
        Self {
            segments: segments.collect(),
        }
    }

    /// The path for the router, in which a segment with any parameter is a parameter as a whole.
    pub(super) fn route(&self) -> String {
        let segments = self
            .segments
            .iter()
            .enumerate()
            .map(|(index, pieces)| match &pieces[..] {
                [] => "/".to_owned(),
                [Piece::Literal(text)] => format!("/{text}"),
                _ => format!("/{{segment{index}}}"),
            });
        segments.collect()
    }

    /// For each segment whether it has a parameter. Of two templates that match a path, the router
    /// takes the one whose rank is less.
    pub(super) fn rank(&self) -> Vec<bool> {
        let is_literal = |pieces: &Vec<Piece>| matches!(&pieces[..], [] | [Piece::Literal(_)]);
        self.segments.iter().map(|own| !is_literal(own)).collect()
    }

    /// The literal length of the template. Of two templates that match, the more literal one wins.
    pub(super) fn literals(&self) -> usize {
        let length = |piece: &Piece| match piece {
            Piece::Literal(text) => text.len(),
            Piece::Parameter { .. } => 0,
        };
        self.segments.iter().flatten().map(length).sum()
    }

    /// The number of segments of the paths that match.
    pub(super) fn len(&self) -> usize {
        self.segments.len()
    }

    /// The number of segments of a path.
    pub(super) fn count(path: &str) -> usize {
        let path = path.trim_start_matches('/').bytes();
        path.filter(|byte| *byte == b'/').count() + 1
    }

    /// Reports the place of each parameter in the path, not decoded. Returns `None` when the path
    /// does not match; it may have reported some parameters before.
    pub(super) fn capture<'t>(
        &'t self,
        path: &str,
        mut found: impl FnMut(&'t str, Range<usize>),
    ) -> Option<()> {
        let parts = path.trim_start_matches('/');
        let mut start = path.len() - parts.len();
        let mut parts = parts.split('/');
        for pieces in &self.segments {
            let part = parts.next()?;
            capture_segment(pieces, part, start, &mut found)?;
            start += part.len() + 1;
        }
        parts.next().is_none().then_some(())
    }
}

/// The prefix of the text of a parameter.
fn prefix(parameters: &[Parameter], name: &str) -> String {
    let is_named = |own: &&Parameter| own.place == Place::Path && own.name == name;
    match parameters.iter().find(is_named) {
        Some(own) if own.style == Style::Label => ".".to_owned(),
        Some(own) if own.style == Style::Matrix => match (own.shape, own.explode) {
            (Shape::Map, true) => ";".to_owned(),
            _ => format!(";{name}"),
        },
        _ => String::new(),
    }
}

fn pieces(segment: &str, parameters: &[Parameter]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = segment;
    while let Some((literal, (name, tail))) = rest
        .split_once('{')
        .and_then(|(literal, tail)| Some((literal, tail.split_once('}')?)))
    {
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal.to_owned()));
        }
        pieces.push(Piece::Parameter {
            name: name.to_owned(),
            prefix: prefix(parameters, name),
        });
        rest = tail;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Literal(rest.to_owned()));
    }
    pieces
}

/// `start` is the position of `part` in the path.
fn capture_segment<'t>(
    pieces: &'t [Piece],
    part: &str,
    start: usize,
    found: &mut impl FnMut(&'t str, Range<usize>),
) -> Option<()> {
    // The router does not match an empty segment with a parameter.
    if part.is_empty() && !pieces.is_empty() {
        return None;
    }
    let mut rest = part;
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Literal(text) => rest = rest.strip_prefix(text.as_str())?,
            Piece::Parameter { name, .. } => {
                let length = match pieces.get(index + 1) {
                    None => rest.len(),
                    // The last occurrence of the literal: `a.b.json` is `a.b` and `.json`.
                    Some(Piece::Literal(text)) => rest.rfind(text.as_str())?,
                    // One character when no literal separates the two parameters.
                    Some(Piece::Parameter { prefix, .. }) => {
                        let first = rest.chars().next()?.len_utf8();
                        let next = rest[first..].find(prefix.as_str());
                        next.map_or(rest.len(), |next| first + next)
                    }
                };
                let place = start + part.len() - rest.len();
                found(name, place..place + length);
                rest = &rest[length..];
            }
        }
    }
    rest.is_empty().then_some(())
}
