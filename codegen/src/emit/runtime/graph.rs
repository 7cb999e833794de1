//! The runtime as a graph: its pieces, and what a path leads to.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Text;
use super::mention;
use super::piece::{Import, Piece, PieceKind, pieces};
use super::token::{Token, tokens};

/// A piece, or a method of one: the file, the piece in it, the method in that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node {
    pub(super) file: usize,
    pub(super) piece: usize,
    pub(super) method: Option<usize>,
}

/// A file of the runtime.
#[derive(Debug)]
pub(super) struct File<'t> {
    pub(super) path: &'static str,
    pub(super) lines: Vec<&'t str>,
    /// How many lines at its beginning are its documentation.
    pub(super) docs: usize,
    pub(super) tokens: Vec<Token<'t>>,
    pub(super) pieces: Vec<Piece<'t>>,
    pub(super) parent: Option<usize>,
    /// Whether users are not to see it.
    pub(super) hidden: bool,
    names: BTreeMap<&'t str, Vec<Meaning<'t>>>,
}

/// What a name of a module stands for.
#[derive(Debug, Clone)]
enum Meaning<'t> {
    Piece(usize),
    Module(usize),
    Import(Vec<&'t str>),
}

/// What a path leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) nodes: Vec<Node>,
    pub(super) module: Option<usize>,
}

/// All files.
#[derive(Debug)]
pub(super) struct Graph<'t> {
    pub(super) files: Vec<File<'t>>,
    exported: BTreeMap<&'t str, Node>,
    /// The file that declares the others, which is always there.
    pub(super) root: usize,
}

impl<'t> Graph<'t> {
    /// The graph of files, by path and text.
    pub(super) fn new(texts: &'t [Text]) -> Self {
        let mut files: Vec<File<'t>> = texts.iter().map(|(path, text)| file(path, text)).collect();
        let mut modules = BTreeMap::new();
        for (index, file) in files.iter().enumerate() {
            modules.insert(module_of(file.path), index);
        }
        let mut exported = BTreeMap::new();
        for (index, file) in files.iter_mut().enumerate() {
            let path = module_of(file.path);
            file.parent = parent(&path).and_then(|above| modules.get(above).copied());
            let child = |name: &str| {
                let separator = if path.is_empty() { "" } else { "/" };
                modules.get(&format!("{path}{separator}{name}")).copied()
            };
            file.names = names(file, child);
            exported.extend(macros(file, index));
        }
        let root = modules.get("").copied().unwrap_or_default();
        let mut graph = Self {
            files,
            exported,
            root,
        };
        graph.hide();
        graph
    }

    /// Marks the modules that users are not to see.
    fn hide(&mut self) {
        for index in 0..self.files.len() {
            let mut hidden = Vec::new();
            let file = &self.files[index];
            for piece in &file.pieces {
                let before = &file.tokens[piece.tokens.clone()];
                if let PieceKind::Module(name) = piece.kind
                    && before.iter().any(|token| token.is("hidden"))
                    && let Some(Meaning::Module(inner)) =
                        file.names.get(name).and_then(|known| known.first())
                {
                    hidden.push(*inner);
                }
            }
            for inner in hidden {
                self.files[inner].hidden = true;
            }
        }
        for index in 0..self.files.len() {
            let mut above = self.files[index].parent;
            while let Some(file) = above {
                let hidden = self.files[file].hidden;
                self.files[index].hidden |= hidden;
                above = self.files[file].parent;
            }
        }
    }

    /// What an import of a file leads to; nothing for one from another package.
    pub(super) fn imported(&self, file: usize, path: &[&str]) -> Place {
        self.imported_within(file, path, 0)
    }

    /// Whether a piece is a trait.
    pub(super) fn is_trait(&self, node: Node) -> bool {
        let file = &self.files[node.file];
        let tokens = file.tokens[file.pieces[node.piece].tokens.clone()].iter();
        let mut head = tokens.take_while(|token| !token.is("{"));
        head.any(|token| token.is("trait"))
    }

    /// What a path in a file leads to; nothing for what is not of the runtime.
    pub(super) fn resolve(&self, file: usize, path: &[&str]) -> Place {
        self.resolve_within(file, path, 0)
    }

    /// What a path leads to from the root of the runtime.
    pub(super) fn resolve_from_root(&self, path: &[&str]) -> Place {
        self.resolve(self.root, path)
    }

    /// A macro that is exported.
    pub(super) fn exported(&self, name: &str) -> Option<Node> {
        self.exported.get(name).copied()
    }

    fn resolve_within(&self, file: usize, path: &[&str], depth: usize) -> Place {
        const DEEPEST: usize = 32;
        let Some((first, rest)) = path.split_first().filter(|_| depth < DEEPEST) else {
            return Place {
                module: Some(file),
                ..Place::default()
            };
        };
        let above = |parent: Option<usize>| match parent {
            Some(parent) => self.resolve_within(parent, rest, depth + 1),
            None => Place::default(),
        };
        match *first {
            "crate" => match rest {
                [name] => Place {
                    nodes: self.exported(name).into_iter().collect(),
                    module: None,
                },
                _ => Place::default(),
            },
            "super" => above(self.files[file].parent),
            "self" => self.resolve_within(file, rest, depth + 1),
            name => {
                let mut found = Place::default();
                for meaning in self.files[file].names.get(name).into_iter().flatten() {
                    match meaning {
                        Meaning::Piece(piece) => found.nodes.push(Node {
                            file,
                            piece: *piece,
                            method: None,
                        }),
                        Meaning::Module(inner) => {
                            let place = self.resolve_within(*inner, rest, depth + 1);
                            found.nodes.extend(place.nodes);
                            found.module = found.module.or(place.module);
                        }
                        Meaning::Import(target) => {
                            let target: Vec<&str> = target.iter().chain(rest).copied().collect();
                            // An import that has the name of its own first segment is of a package.
                            let place = self.imported_within(file, &target, depth + 1);
                            found.nodes.extend(place.nodes);
                            found.module = found.module.or(place.module);
                        }
                    }
                }
                found
            }
        }
    }

    /// Whether an import is of the runtime.
    pub(super) fn is_internal(&self, file: usize, path: &[&str]) -> bool {
        path.first().is_some_and(|first| {
            let known = self.files[file].names.get(first);
            let mut known = known.into_iter().flatten();
            matches!(*first, "super" | "self" | "crate")
                || known.any(|meaning| matches!(meaning, Meaning::Module(_) | Meaning::Piece(_)))
        })
    }

    /// An import begins at `super`, at a module of the same file, or in another package.
    fn imported_within(&self, file: usize, path: &[&str], depth: usize) -> Place {
        if self.is_internal(file, path) {
            self.resolve_within(file, path, depth)
        } else {
            Place::default()
        }
    }

    /// What a piece or a method mentions.
    pub(super) fn mentions(&self, node: Node) -> Vec<Node> {
        let file = &self.files[node.file];
        let mut found = Vec::new();
        for range in self.code(node) {
            found.extend(self.nodes(node.file, range));
        }
        // What a macro that is exported says, it says where it is called.
        if let PieceKind::Macro { exported: true, .. } = file.pieces[node.piece].kind {
            let range = file.pieces[node.piece].tokens.clone();
            mention::each_path(&file.tokens, range, &mut |path| {
                found.extend(self.resolve_from_root(path).nodes);
            });
        }
        found
    }

    /// What a range of tokens mentions.
    pub(super) fn nodes(&self, file: usize, range: Range<usize>) -> Vec<Node> {
        let mut found = Vec::new();
        mention::each_path(&self.files[file].tokens, range, &mut |path| {
            found.extend(self.resolve(file, path).nodes);
        });
        found
    }

    /// The tokens of a node; of the methods of a type the head only.
    pub(super) fn code(&self, node: Node) -> Vec<Range<usize>> {
        let piece = &self.files[node.file].pieces[node.piece];
        match (&piece.kind, node.method) {
            (PieceKind::Methods { methods, .. }, Some(method)) => {
                vec![methods[method].tokens.clone()]
            }
            (PieceKind::Methods { head, .. }, None) => vec![head.clone()],
            _ => vec![piece.tokens.clone()],
        }
    }
}

fn file<'t>(path: &'static str, text: &'t str) -> File<'t> {
    let lines: Vec<&str> = text.lines().collect();
    let docs = lines.iter().take_while(|line| line.starts_with("//!"));
    let docs = docs.count();
    let tokens = tokens(text);
    let pieces = pieces(&tokens, docs);
    File {
        path,
        lines,
        docs,
        tokens,
        pieces,
        parent: None,
        hidden: false,
        names: BTreeMap::new(),
    }
}

/// `client/call.rs` → `client/call`, `client/mod.rs` → `client`, `lib.rs` → nothing.
fn module_of(path: &str) -> String {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    match stem {
        "lib" => String::new(),
        stem => stem.strip_suffix("/mod").unwrap_or(stem).to_owned(),
    }
}

fn parent(module: &str) -> Option<&str> {
    if module.is_empty() {
        return None;
    }
    Some(module.rsplit_once('/').map_or("", |(above, _)| above))
}

/// What the names of a file stand for.
fn names<'t>(
    file: &File<'t>,
    child: impl Fn(&str) -> Option<usize>,
) -> BTreeMap<&'t str, Vec<Meaning<'t>>> {
    let mut names: BTreeMap<&'t str, Vec<Meaning<'t>>> = BTreeMap::new();
    for (at, piece) in file.pieces.iter().enumerate() {
        match &piece.kind {
            PieceKind::Use(imports) => {
                for Import { path, name, .. } in imports {
                    let meaning = Meaning::Import(path.clone());
                    names.entry(name).or_default().push(meaning);
                }
            }
            PieceKind::Module(name) => {
                let meaning = child(name).map(Meaning::Module);
                names.entry(name).or_default().extend(meaning);
            }
            PieceKind::Named(name) | PieceKind::Macro { name, .. } => {
                names.entry(name).or_default().push(Meaning::Piece(at));
            }
            PieceKind::Trait { .. } | PieceKind::Methods { .. } | PieceKind::Called(_) => {}
        }
    }
    names
}

/// The macros that a file exports.
fn macros<'t>(file: &File<'t>, index: usize) -> Vec<(&'t str, Node)> {
    let pieces = file.pieces.iter().enumerate();
    let exported = pieces.filter_map(|(piece, own)| match own.kind {
        PieceKind::Macro {
            name,
            exported: true,
        } => Some((name, piece)),
        _ => None,
    });
    exported
        .map(|(name, piece)| {
            let node = Node {
                file: index,
                piece,
                method: None,
            };
            (name, node)
        })
        .collect()
}
