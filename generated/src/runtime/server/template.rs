//! Path templates.

/// A path template such as `/v1/files/{name}.json`, taken apart.
pub(super) struct Template {
    segments: Vec<Vec<Piece>>,
}

enum Piece {
    Literal(String),
    Parameter(String),
}

impl Template {
    pub(super) fn new(path: &str) -> Self {
        let segments = path.trim_start_matches('/').split('/').map(pieces);
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

    /// How much of the template is literal; of two that match the more literal one is meant.
    pub(super) fn literals(&self) -> usize {
        let length = |piece: &Piece| match piece {
            Piece::Literal(text) => text.len(),
            Piece::Parameter(_) => 0,
        };
        self.segments.iter().flatten().map(length).sum()
    }

    /// The parameters of a path, not decoded; nothing when the path does not match.
    pub(super) fn capture<'p>(&self, path: &'p str) -> Option<Vec<(&str, &'p str)>> {
        let mut captured = Vec::new();
        let mut parts = path.trim_start_matches('/').split('/');
        for pieces in &self.segments {
            capture_segment(pieces, parts.next()?, &mut captured)?;
        }
        parts.next().is_none().then_some(captured)
    }
}

fn pieces(segment: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = segment;
    while let Some((literal, (name, tail))) = rest
        .split_once('{')
        .and_then(|(literal, tail)| Some((literal, tail.split_once('}')?)))
    {
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal.to_owned()));
        }
        pieces.push(Piece::Parameter(name.to_owned()));
        rest = tail;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Literal(rest.to_owned()));
    }
    pieces
}

fn capture_segment<'t, 'p>(
    pieces: &'t [Piece],
    part: &'p str,
    captured: &mut Vec<(&'t str, &'p str)>,
) -> Option<()> {
    let mut rest = part;
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Literal(text) => rest = rest.strip_prefix(text.as_str())?,
            Piece::Parameter(name) => {
                let length = match pieces.get(index + 1) {
                    None => rest.len(),
                    // The last place where the literal stands: `a.b.json` is `a.b` and `.json`.
                    Some(Piece::Literal(text)) => rest.rfind(text.as_str())?,
                    Some(Piece::Parameter(_)) => rest.chars().next()?.len_utf8(),
                };
                let (value, tail) = rest.split_at(length);
                captured.push((name, value));
                rest = tail;
            }
        }
    }
    rest.is_empty().then_some(())
}
