//! Which pieces of the runtime a crate needs.
//!
//! What the generated code mentions is needed, and what that mentions. The implementation of a
//! trait is needed where all that its head mentions is; a method where its type is, if users may
//! call it or other code does.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use super::graph::{Graph, Node};
use super::mention;
use super::part::{OFFERS, PARTS};
use super::piece::{PieceKind, closing, imports};
use super::token::{Kind, Token};

/// The pieces that are needed.
#[derive(Debug)]
pub(super) struct Needed<'g, 't> {
    graph: &'g Graph<'t>,
    nodes: BTreeSet<Node>,
    /// What is called behind a dot or a `::`.
    called: HashSet<&'t str>,
    /// What macros are called with.
    named: HashSet<&'t str>,
    /// The files whose items macros take by names that they are called with.
    by_name: BTreeSet<usize>,
    /// The types that are needed, by the pieces with their methods.
    open: Vec<Node>,
}

/// An implementation, which is needed as soon as all that its head mentions is.
#[derive(Debug)]
struct Waiting {
    node: Node,
    heads: Vec<Node>,
}

/// What the files of a crate use.
#[derive(Debug, Default)]
pub(super) struct Uses<'t> {
    /// Those of the words that decide about a part or an offer.
    telling: HashSet<&'t str>,
    /// The paths from the root of the runtime.
    paths: BTreeSet<Vec<&'t str>>,
    /// What is called behind a dot or a `::`.
    called: HashSet<&'t str>,
    /// What is named in the call of a macro.
    named: HashSet<&'t str>,
}

impl<'t> Uses<'t> {
    /// Whether a word that decides about a part or an offer is there.
    pub(super) fn has(&self, word: &str) -> bool {
        self.telling.contains(word)
    }

    /// Adds what a file uses, by its tokens.
    pub(super) fn read(&mut self, tokens: &[Token<'t>]) {
        let parts = PARTS.iter().flat_map(|part| part.words);
        let telling: Vec<&str> = parts
            .chain(OFFERS.iter().map(|offer| &offer.word))
            .copied()
            .collect();
        let words = tokens.iter().filter(|token| token.kind == Kind::Word);
        let told = words.filter(|token| telling.contains(&token.text));
        self.telling.extend(told.map(|token| token.text));
        let mut known = BTreeMap::new();
        for at in (0..tokens.len()).filter(|&at| tokens[at].is("use")) {
            for import in imports(tokens, at + 1, false) {
                if let Some(path) = within_runtime(&import.path) {
                    known.insert(import.name, path.to_vec());
                }
            }
        }
        let mut paths = BTreeSet::new();
        mention::each_path(tokens, 0..tokens.len(), &mut |path| {
            let start = path.first().and_then(|first| known.get(first));
            let path = match (within_runtime(path), path, start) {
                (Some(inner), ..) => inner.to_vec(),
                (None, ["crate", _], _) => path.to_vec(),
                (None, [_, rest @ ..], Some(start)) => [start, rest].concat(),
                _ => return,
            };
            paths.insert(path);
        });
        self.paths.append(&mut paths);
        self.called.extend(called(tokens, 0..tokens.len()));
        self.named.extend(arguments(tokens));
    }
}

impl<'g, 't> Needed<'g, 't> {
    /// What files with these uses need.
    pub(super) fn by(graph: &'g Graph<'t>, uses: &Uses<'t>) -> Self {
        let mut needed = Self {
            graph,
            nodes: BTreeSet::new(),
            called: uses.called.union(&uses.named).copied().collect(),
            named: uses.named.clone(),
            by_name: BTreeSet::new(),
            open: Vec::new(),
        };
        for path in &uses.paths {
            needed.add_all(graph.resolve_from_root(path).nodes);
        }
        for offer in OFFERS.iter().filter(|offer| uses.has(offer.word)) {
            needed.add_all(graph.resolve_from_root(offer.path).nodes);
        }
        let mut waiting = needed.waiting();
        while needed.grow(&mut waiting) {}
        needed
    }

    /// Whether a piece or a method is needed.
    pub(super) fn has(&self, node: Node) -> bool {
        self.nodes.contains(&node)
    }

    fn add_all(&mut self, nodes: Vec<Node>) {
        let mut open = nodes;
        while let Some(node) = open.pop() {
            if !self.nodes.insert(node) {
                continue;
            }
            let file = &self.graph.files[node.file];
            let whole = matches!(
                file.pieces[node.piece].kind,
                PieceKind::Macro { .. } | PieceKind::Called(_)
            );
            for range in self.graph.code(node) {
                if whole {
                    let words = mention::words(&file.tokens, range.clone());
                    self.called.extend(words);
                    let modules = mention::named_by_arguments(&file.tokens, range.clone());
                    let modules = modules.map(|name| self.graph.resolve_from_root(&[name]).module);
                    self.by_name.extend(modules.flatten());
                }
                self.called.extend(called(&file.tokens, range));
            }
            open.extend(self.graph.mentions(node));
        }
    }

    /// Adds what follows from what is needed already; says whether that was anything.
    fn grow(&mut self, waiting: &mut Vec<Waiting>) -> bool {
        let before = self.nodes.len();
        let (ready, later): (Vec<Waiting>, Vec<Waiting>) = std::mem::take(waiting)
            .into_iter()
            .partition(|own| self.are_needed(&own.heads));
        *waiting = later;
        for own in ready {
            self.add_all(vec![own.node]);
            if let PieceKind::Methods { .. } = self.kind(own.node) {
                self.open.push(own.node);
            }
        }
        for node in self.open.clone() {
            self.add_methods(node);
        }
        for file in self.by_name.clone() {
            for piece in 0..self.graph.files[file].pieces.len() {
                let node = Node {
                    file,
                    piece,
                    method: None,
                };
                if let PieceKind::Named(name) = self.kind(node)
                    && self.named.contains(name)
                {
                    self.add_all(vec![node]);
                }
            }
        }
        self.nodes.len() > before
    }

    fn kind(&self, node: Node) -> &'g PieceKind<'t> {
        &self.graph.files[node.file].pieces[node.piece].kind
    }

    fn add_methods(&mut self, node: Node) {
        let PieceKind::Methods { methods, .. } = self.kind(node) else {
            return;
        };
        let hidden = self.graph.files[node.file].hidden;
        let needed: Vec<Node> = methods
            .iter()
            .enumerate()
            .filter(|(_, own)| own.offered && !hidden || self.called.contains(own.name))
            .map(|(method, _)| Node {
                method: Some(method),
                ..node
            })
            .collect();
        self.add_all(needed);
    }

    /// The implementations, and the calls of macros that make some.
    fn waiting(&self) -> Vec<Waiting> {
        let mut found = Vec::new();
        for (file, own) in self.graph.files.iter().enumerate() {
            for piece in 0..own.pieces.len() {
                let node = Node {
                    file,
                    piece,
                    method: None,
                };
                let heads = match self.kind(node) {
                    PieceKind::Trait { head } | PieceKind::Methods { head, .. } => {
                        self.graph.nodes(file, head.clone())
                    }
                    PieceKind::Called(name) => self.implemented(node, name),
                    _ => continue,
                };
                found.push(Waiting { node, heads });
            }
        }
        found
    }

    fn are_needed(&self, nodes: &[Node]) -> bool {
        !nodes.is_empty() && nodes.iter().all(|node| self.has(*node))
    }

    /// What a call of a macro is about: the heads of the implementations in it, and its arguments.
    fn implemented(&self, node: Node, name: &str) -> Vec<Node> {
        let file = &self.graph.files[node.file];
        let own = self.graph.resolve(node.file, &[name]).nodes;
        let mut found = Vec::new();
        for definition in &own {
            let tokens = &self.graph.files[definition.file].tokens;
            for range in self.graph.code(*definition) {
                for at in range.filter(|&at| tokens[at].is("impl")) {
                    let end = (at..tokens.len()).find(|&at| tokens[at].is("{"));
                    let head = at..end.unwrap_or(tokens.len());
                    found.extend(self.graph.nodes(definition.file, head));
                }
            }
        }
        let tokens = file.pieces[node.piece].tokens.clone();
        let arguments = self.graph.nodes(node.file, tokens);
        found.extend(arguments.into_iter().filter(|node| !own.contains(node)));
        found
    }
}

/// The part of a path behind the name of the runtime's module.
fn within_runtime<'p, 't>(path: &'p [&'t str]) -> Option<&'p [&'t str]> {
    let at = path.iter().position(|segment| *segment == "runtime")?;
    Some(&path[at + 1..])
}

/// The words behind a dot or a `::`.
fn called<'t>(tokens: &[Token<'t>], range: Range<usize>) -> Vec<&'t str> {
    let words = range.filter(|&at| {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
        tokens[at].kind == Kind::Word && matches!(before, "." | "::")
    });
    words.map(|at| tokens[at].text).collect()
}

/// The words in the calls of macros, which may be those of methods.
fn arguments<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let opened = tokens.get(at + 2).is_some_and(|next| next.is("{"));
        if opened && tokens[at].kind == Kind::Word && tokens[at + 1].is("!") {
            let range = at..closing(tokens, at + 2);
            found.extend(mention::words(tokens, range));
        }
    }
    found
}
