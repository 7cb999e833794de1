//! A file of the runtime, divided into the pieces that can be left out.

use std::ops::Range;

use super::token::{Kind, Token};

/// A piece: an item with its comments and attributes.
#[derive(Debug)]
pub(super) struct Piece<'t> {
    /// Its lines; blank ones before it are among them.
    pub(super) lines: Range<usize>,
    /// Where its tokens are in the file.
    pub(super) tokens: Range<usize>,
    pub(super) kind: PieceKind<'t>,
}

/// What a piece is.
#[derive(Debug)]
pub(super) enum PieceKind<'t> {
    /// A `use`, by its names.
    Use(Vec<Import<'t>>),
    Module(&'t str),
    /// A function, a type, a trait, a constant.
    Named(&'t str),
    Macro {
        name: &'t str,
        exported: bool,
    },
    /// The implementation of a trait. The tokens of its head decide whether it is needed.
    Trait {
        head: Range<usize>,
    },
    /// The methods of a type.
    Methods {
        head: Range<usize>,
        methods: Vec<Method<'t>>,
    },
    /// A macro that is called.
    Called(&'t str),
}

/// One name that a `use` brings in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import<'t> {
    pub(super) path: Vec<&'t str>,
    pub(super) name: &'t str,
    pub(super) public: bool,
}

/// A method, or a constant of a type.
#[derive(Debug)]
pub(super) struct Method<'t> {
    pub(super) name: &'t str,
    /// Whether it is there for users of the crate, and not for the code that is generated.
    pub(super) offered: bool,
    pub(super) lines: Range<usize>,
    pub(super) tokens: Range<usize>,
}

/// The pieces of a file, in order.
pub(super) fn pieces<'t>(tokens: &[Token<'t>], docs: usize) -> Vec<Piece<'t>> {
    let mut found: Vec<Piece<'t>> = Vec::new();
    for item in items(tokens, 0..tokens.len(), docs) {
        found.push(Piece {
            kind: kind(tokens, &item),
            lines: item.lines,
            tokens: item.tokens,
        });
    }
    found
}

/// An item, whatever it is. Its head begins behind attributes and visibility.
struct Item {
    lines: Range<usize>,
    tokens: Range<usize>,
    head: usize,
}

/// The items in a range of tokens; the first one begins at a line.
fn items(tokens: &[Token<'_>], range: Range<usize>, line: usize) -> Vec<Item> {
    let mut found = Vec::new();
    let (mut at, mut line) = (range.start, line);
    while at < range.end {
        let head = head(tokens, at);
        let end = end(tokens, head, range.end);
        let last = tokens[end - 1].end + 1;
        found.push(Item {
            lines: line..last,
            tokens: at..end,
            head,
        });
        (at, line) = (end, last);
    }
    found
}

/// Behind attributes and visibility.
fn head(tokens: &[Token<'_>], mut at: usize) -> usize {
    loop {
        let is = |offset: usize, text: &str| {
            let token = tokens.get(at + offset);
            token.is_some_and(|token| token.is(text))
        };
        if is(0, "#") || is(0, "pub") && is(1, "(") {
            at = closing(tokens, at + 1) + 1;
        } else if is(0, "pub") {
            at += 1;
        } else {
            return at;
        }
    }
}

/// The end of an item: its `;`, or the `}` that closes it.
fn end(tokens: &[Token<'_>], head: usize, limit: usize) -> usize {
    let by_semicolon = match tokens.get(head).map(|token| token.text) {
        Some("use" | "static" | "type" | "mod") => true,
        Some("const") => !tokens.get(head + 1).is_some_and(|next| next.is("fn")),
        _ => false,
    };
    let mut at = head;
    while at < limit {
        let token = tokens[at];
        if opens(&token) {
            at = closing(tokens, at);
            if tokens.get(at).is_some_and(|token| token.is("}")) && !by_semicolon {
                return (at + 1).min(limit);
            }
        } else if token.is(";") {
            return at + 1;
        }
        at += 1;
    }
    limit
}

fn opens(token: &Token<'_>) -> bool {
    token.kind == Kind::Mark && matches!(token.text, "(" | "[" | "{")
}

/// The token that closes what is opened at a place.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if opens(token) {
            depth += 1;
        } else if token.kind == Kind::Mark && matches!(token.text, ")" | "]" | "}") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len().saturating_sub(1)
}

fn kind<'t>(tokens: &[Token<'t>], item: &Item) -> PieceKind<'t> {
    let attributes = &tokens[item.tokens.start..item.head];
    let text = |offset: usize| {
        tokens
            .get(item.head + offset)
            .map_or("", |token| token.text)
    };
    match text(0) {
        "use" => {
            let public = attributes.last().is_some_and(|token| !token.is("]"));
            PieceKind::Use(imports(tokens, item.head + 1, public))
        }
        "mod" => PieceKind::Module(text(1)),
        "impl" => implementation(tokens, item),
        "macro_rules" => PieceKind::Macro {
            name: text(2),
            exported: attributes.iter().any(|token| token.is("macro_export")),
        },
        "thread_local" => PieceKind::Named(text(4)),
        name if text(1) == "!" => PieceKind::Called(name),
        _ => PieceKind::Named(name(tokens, item)),
    }
}

/// The name behind the words that say what an item is.
fn name<'t>(tokens: &[Token<'t>], item: &Item) -> &'t str {
    let mut words = tokens[item.head..item.tokens.end].iter();
    let is_key = |token: &&Token<'_>| {
        matches!(
            token.text,
            "fn" | "struct" | "enum" | "trait" | "type" | "static" | "const" | "async" | "unsafe"
        )
    };
    words
        .find(|token| !is_key(token))
        .map_or("", |own| own.text)
}

fn implementation<'t>(tokens: &[Token<'t>], item: &Item) -> PieceKind<'t> {
    let range = item.head..item.tokens.end;
    let body = range
        .clone()
        .find(|&at| tokens[at].is("{"))
        .unwrap_or(range.end);
    let head = item.head + 1..body;
    let of_trait = head.clone().any(|at| {
        let next = tokens.get(at + 1);
        tokens[at].is("for") && !next.is_some_and(|next| next.is("<"))
    });
    if of_trait {
        return PieceKind::Trait { head };
    }
    let inner = (body + 1).min(range.end)..range.end.saturating_sub(1);
    let methods = items(tokens, inner, tokens[body].line + 1);
    let attributes = &tokens[item.tokens.start..item.head];
    let hidden = attributes.iter().any(|token| token.is("hidden"));
    let method = |own: Item| Method {
        name: name(tokens, &own),
        offered: !hidden && is_offered(&tokens[own.tokens.start..own.head]),
        lines: own.lines,
        tokens: own.tokens,
    };
    PieceKind::Methods {
        head,
        methods: methods.into_iter().map(method).collect(),
    }
}

/// Whether attributes and visibility are those of what users may call.
fn is_offered(before: &[Token<'_>]) -> bool {
    let public = before.last().is_some_and(|token| token.is("pub"));
    public && !before.iter().any(|token| token.is("hidden"))
}

/// The names that a `use` brings in; it begins behind that word.
pub(super) fn imports<'t>(tokens: &[Token<'t>], at: usize, public: bool) -> Vec<Import<'t>> {
    let mut found = Vec::new();
    tree(tokens, at, &mut Vec::new(), public, &mut found);
    found
}

/// One branch; gives the place behind it.
fn tree<'t>(
    tokens: &[Token<'t>],
    mut at: usize,
    path: &mut Vec<&'t str>,
    public: bool,
    found: &mut Vec<Import<'t>>,
) -> usize {
    let depth = path.len();
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    loop {
        if is(at, "{") {
            let close = closing(tokens, at);
            at += 1;
            while at < close {
                at = tree(tokens, at, path, public, found).max(at + 1);
                at += usize::from(is(at, ","));
            }
            at = close + 1;
            break;
        }
        let Some(token) = tokens.get(at).filter(|token| token.kind == Kind::Word) else {
            at += usize::from(is(at, "*"));
            break;
        };
        at += 1;
        if token.text != "self" || path.is_empty() {
            path.push(token.text);
        }
        if is(at, "::") {
            at += 1;
            continue;
        }
        let name = if is(at, "as") {
            at += 2;
            tokens.get(at - 1).map(|token| token.text)
        } else {
            path.last().copied()
        };
        found.push(Import {
            path: path.clone(),
            name: name.unwrap_or_default(),
            public,
        });
        break;
    }
    path.truncate(depth);
    at
}
