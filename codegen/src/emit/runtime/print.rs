//! The text of those pieces that are needed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use super::graph::{File, Graph, Node};
use super::mention;
use super::needed::Needed;
use super::piece::{Import, Method, Piece, PieceKind};

/// Each file of which something is needed, and its text.
pub(super) fn print(graph: &Graph<'_>, needed: &Needed<'_, '_>) -> Vec<(&'static str, String)> {
    let used = used(graph, needed);
    let files = graph.files.iter().enumerate();
    let files = files.filter(|(index, _)| used.contains(index));
    files
        .map(|(index, file)| {
            let printer = Printer {
                graph,
                needed,
                used: &used,
                index,
                file,
            };
            (file.path, printer.text())
        })
        .collect()
}

/// The files of which something is needed, and those that declare them.
fn used(graph: &Graph<'_>, needed: &Needed<'_, '_>) -> BTreeSet<usize> {
    let mut used = BTreeSet::from([graph.root]);
    for (index, file) in graph.files.iter().enumerate() {
        let pieces = 0..file.pieces.len();
        let mut nodes = pieces.flat_map(|piece| nodes(file, index, piece));
        if nodes.any(|node| needed.has(node)) {
            let mut open = Some(index);
            while let Some(file) = open {
                used.insert(file);
                open = graph.files[file].parent;
            }
        }
    }
    used
}

/// The nodes of a piece that have code.
fn nodes(file: &File<'_>, index: usize, piece: usize) -> Vec<Node> {
    let node = |method| Node {
        file: index,
        piece,
        method,
    };
    match &file.pieces[piece].kind {
        PieceKind::Methods { methods, .. } => (0..methods.len()).map(|at| node(Some(at))).collect(),
        _ => vec![node(None)],
    }
}

struct Printer<'p, 't> {
    graph: &'p Graph<'t>,
    needed: &'p Needed<'p, 't>,
    used: &'p BTreeSet<usize>,
    index: usize,
    file: &'p File<'t>,
}

impl Printer<'_, '_> {
    fn text(&self) -> String {
        let mut text = String::new();
        self.lines(0..self.file.docs, &mut text);
        let words = self.words();
        for (at, piece) in self.file.pieces.iter().enumerate() {
            match &piece.kind {
                PieceKind::Use(imports) => self.imports(piece, imports, &words, &mut text),
                PieceKind::Module(name) => {
                    let place = self.graph.resolve(self.index, &[name]);
                    if place.module.is_some_and(|file| self.used.contains(&file)) {
                        self.lines(piece.lines.clone(), &mut text);
                    }
                }
                PieceKind::Methods { methods, .. } => self.methods(at, piece, methods, &mut text),
                _ if self.has(at, None) => self.lines(piece.lines.clone(), &mut text),
                _ => {}
            }
        }
        text
    }

    fn has(&self, piece: usize, method: Option<usize>) -> bool {
        self.needed.has(Node {
            file: self.index,
            piece,
            method,
        })
    }

    fn lines(&self, lines: Range<usize>, text: &mut String) {
        for line in &self.file.lines[lines] {
            if line.is_empty() && (text.is_empty() || text.ends_with("\n\n")) {
                continue;
            }
            text.push_str(line);
            text.push('\n');
        }
    }

    fn methods(&self, at: usize, piece: &Piece<'_>, methods: &[Method<'_>], text: &mut String) {
        let kept = methods.iter().enumerate();
        let kept = kept.filter(|(index, _)| self.has(at, Some(*index)));
        let kept: Vec<&Method<'_>> = kept.map(|(_, method)| method).collect();
        let (Some(first), Some(last)) = (methods.first(), methods.last()) else {
            return;
        };
        for (index, method) in kept.iter().enumerate() {
            let mut lines = method.lines.clone();
            if index == 0 {
                self.lines(piece.lines.start..first.lines.start, text);
                while self.file.lines[lines.start].is_empty() {
                    lines.start += 1;
                }
            }
            self.lines(lines, text);
        }
        if !kept.is_empty() {
            self.lines(last.lines.end..piece.lines.end, text);
        }
    }

    /// The imported names that are words of what is needed of the file, and of what is not.
    fn words(&self) -> (BTreeSet<&str>, BTreeSet<&str>) {
        let (mut needed, mut others) = (BTreeSet::new(), BTreeSet::new());
        let imports = self
            .file
            .pieces
            .iter()
            .filter_map(|piece| match &piece.kind {
                PieceKind::Use(imports) => Some(imports.iter().map(|import| import.name)),
                _ => None,
            });
        let imported: BTreeSet<&str> = imports.flatten().collect();
        let (tokens, imported) = (&self.file.tokens, &imported);
        let words = move |range| {
            let words = mention::words(tokens, range);
            words.filter(move |word| imported.contains(word))
        };
        for (at, piece) in self.file.pieces.iter().enumerate() {
            if matches!(piece.kind, PieceKind::Use(_) | PieceKind::Module(_)) {
                continue;
            }
            let head = match &piece.kind {
                PieceKind::Methods { head, .. } => Some(head.clone()),
                _ => None,
            };
            let mut any = false;
            for node in nodes(self.file, self.index, at) {
                let kept = self.needed.has(node);
                any |= kept;
                let known = if kept { &mut needed } else { &mut others };
                known.extend(self.graph.code(node).into_iter().flat_map(words));
            }
            let known = if any { &mut needed } else { &mut others };
            known.extend(head.into_iter().flat_map(words));
        }
        (needed, others)
    }

    fn imports(
        &self,
        piece: &Piece<'_>,
        imports: &[Import<'_>],
        (needed, others): &(BTreeSet<&str>, BTreeSet<&str>),
        text: &mut String,
    ) {
        let is_kept = |import: &&Import<'_>| {
            let place = self.graph.imported(self.index, &import.path);
            let named = import.public || needed.contains(import.name);
            if !place.nodes.is_empty() {
                let mut nodes = place.nodes.iter().filter(|node| self.needed.has(**node));
                return nodes.any(|node| named || self.graph.is_trait(*node));
            }
            if let Some(module) = place.module {
                return named && self.used.contains(&module);
            }
            if self.graph.is_internal(self.index, &import.path) {
                return false;
            }
            named || import.name == "_" || !others.contains(import.name)
        };
        let kept: Vec<&Import<'_>> = imports.iter().filter(is_kept).collect();
        if kept.len() == imports.len() {
            return self.lines(piece.lines.clone(), text);
        }
        let Some(first) = kept.first() else {
            return;
        };
        let tokens = &self.file.tokens[piece.tokens.clone()];
        let line = tokens.iter().find(|token| token.is("use"));
        let line = line.map_or(piece.lines.end, |token| token.line);
        self.lines(piece.lines.start..line, text);
        let (visibility, _) = self.file.lines[line].split_once("use ").unwrap_or_default();
        let parent = common(&kept, first);
        let names: Vec<String> = kept.iter().map(|import| shown(import, parent)).collect();
        let prefix = first.path[..parent].join("::");
        let _ = match names.as_slice() {
            [one] if one == "self" => writeln!(text, "{visibility}use {prefix};"),
            [one] => writeln!(text, "{visibility}use {prefix}::{one};"),
            many => writeln!(text, "{visibility}use {prefix}::{{{}}};", many.join(", ")),
        };
    }
}

/// How many segments all imports begin with; the last one of a single import is not among them.
fn common(imports: &[&Import<'_>], first: &Import<'_>) -> usize {
    let shared = |import: &&Import<'_>| {
        let pairs = import.path.iter().zip(&first.path);
        pairs.take_while(|(own, other)| own == other).count()
    };
    let shared = imports.iter().map(shared).min().unwrap_or_default();
    if imports.len() == 1 && first.path.len() > 1 {
        first.path.len() - 1
    } else {
        shared
    }
}

/// An import behind the segments that all have in common.
fn shown(import: &Import<'_>, parent: usize) -> String {
    let path = match import.path[parent..].join("::") {
        path if path.is_empty() => "self".to_owned(),
        path => path,
    };
    match import.path.last() {
        Some(last) if *last != import.name => format!("{path} as {}", import.name),
        _ => path,
    }
}
