//! Reads the modules of a crate from its files, and finds which modules use which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::iter::Peekable;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree, token_stream};

/// The segments of a module's path below the crate; empty for the crate's root.
pub(crate) type ModulePath = Vec<String>;

/// The names that one file uses.
#[derive(Debug, Default)]
struct Module {
    /// The path from the crate's root of each name that the file imports or re-exports.
    imports: BTreeMap<String, ModulePath>,
    /// The modules of which the file imports every name.
    globs: Vec<ModulePath>,
    /// Each path in the file, from the crate's root, with the name at its end.
    paths: BTreeSet<ModulePath>,
}

/// Every module of one crate.
#[derive(Debug)]
pub(crate) struct Modules(BTreeMap<ModulePath, Module>);

/// Modules that use each other, each with one name by which it uses the next.
pub(crate) type Circle = Vec<(String, String)>;

type Tokens = Peekable<token_stream::IntoIter>;

impl Modules {
    /// Reads a crate from its root file.
    pub(crate) fn read(root: &Path) -> Modules {
        let mut modules = BTreeMap::new();
        modules.insert(Vec::new(), read_module(root, &[]));
        let folder = root.parent().unwrap();
        read_folder(folder, root, &[], &mut modules);
        let mut modules = Modules(modules);
        modules.resolve_imports();
        modules
    }

    /// Resolves imports that begin with the name of a child or of another import. Others belong to
    /// foreign crates.
    fn resolve_imports(&mut self) {
        let known: BTreeSet<ModulePath> = self.0.keys().cloned().collect();
        for (at, module) in &mut self.0 {
            let from_root = |path: &ModulePath| {
                let (first, rest) = path.split_first()?;
                if first == "crate" {
                    return Some(rest.to_vec());
                }
                let child = [at.as_slice(), std::slice::from_ref(first)].concat();
                let is_child = known.contains(&child);
                is_child.then(|| [child.as_slice(), rest].concat())
            };
            let imports = std::mem::take(&mut module.imports).into_iter();
            module.imports = imports
                .filter_map(|(name, path)| Some((name, from_root(&path)?)))
                .collect();
            module.globs = module.globs.iter().filter_map(from_root).collect();
            module.paths = module.paths.iter().filter_map(from_root).collect();
        }
    }

    /// The module that defines the item of a path.
    fn defining(&self, path: &[String], steps: usize) -> ModulePath {
        let mut at = Vec::new();
        for (index, segment) in path.iter().enumerate() {
            let child = [at.as_slice(), std::slice::from_ref(segment)].concat();
            if self.0.contains_key(&child) {
                at = child;
                continue;
            }
            let (module, rest) = (&self.0[&at], &path[index + 1..]);
            if steps == 0 {
                return at;
            }
            if let Some(import) = module.imports.get(segment) {
                return self.defining(&[import.as_slice(), rest].concat(), steps - 1);
            }
            let globs = module.globs.iter();
            let found = globs.map(|glob| [glob.as_slice(), &path[index..]].concat());
            let found = found.map(|path| self.defining(&path, steps - 1));
            return found
                .into_iter()
                .find(|module| !at.starts_with(module))
                .unwrap_or(at);
        }
        at
    }

    /// The circles among the children of each module. A child includes everything below it.
    pub(crate) fn circles(&self) -> BTreeMap<ModulePath, Vec<Circle>> {
        let mut graphs: BTreeMap<ModulePath, BTreeMap<String, BTreeMap<String, String>>> =
            BTreeMap::new();
        for (from, module) in &self.0 {
            for path in &module.paths {
                let to = self.defining(path, 8);
                let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                let (Some(child), Some(other)) = (from.get(shared), to.get(shared)) else {
                    continue;
                };
                let graph = graphs.entry(from[..shared].to_vec()).or_default();
                let why = format!("{} names {}", from.join("::"), path.join("::"));
                let edges = graph.entry(child.clone()).or_default();
                edges.entry(other.clone()).or_insert(why);
            }
        }
        let circles = graphs
            .into_iter()
            .map(|(module, graph)| (module, circles_of(&graph)));
        circles.filter(|(_, circles)| !circles.is_empty()).collect()
    }
}

/// The strongly connected components of a graph with more than one member. Each is shown by a
/// shortest circle for each edge that closes one.
fn circles_of(graph: &BTreeMap<String, BTreeMap<String, String>>) -> Vec<Circle> {
    let reach: BTreeMap<&String, BTreeSet<&String>> = graph
        .keys()
        .map(|from| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(at) = open.pop() {
                let next = graph.get(at).into_iter().flat_map(BTreeMap::keys);
                open.extend(next.filter(|next| seen.insert(*next)));
            }
            (from, seen)
        })
        .collect();
    let is_tied = |a: &String, b: &String| {
        reach[a].contains(b) && reach.get(b).is_some_and(|back| back.contains(a))
    };
    let mut parts: BTreeMap<&String, Circle> = BTreeMap::new();
    for (from, edges) in graph {
        for (to, why) in edges {
            if is_tied(from, to) {
                let first = reach.keys().find(|first| is_tied(first, from)).unwrap();
                let circle = parts.entry(first).or_default();
                circle.push((format!("{from} -> {to}"), why.clone()));
            }
        }
    }
    parts.into_values().collect()
}

fn read_folder(
    folder: &Path,
    root: &Path,
    at: &[String],
    modules: &mut BTreeMap<ModulePath, Module>,
) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_root = path == root || (at.is_empty() && ["main", "bin"].contains(&stem.as_str()));
        if is_root {
            continue;
        }
        let below = [at, std::slice::from_ref(&stem)].concat();
        if path.is_dir() {
            read_folder(&path, root, &below, modules);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let at = if stem == "mod" { at.to_vec() } else { below };
            let module = read_module(&path, &at);
            modules.insert(at, module);
        }
    }
}

fn read_module(path: &Path, at: &[String]) -> Module {
    let text = fs::read_to_string(path).unwrap();
    let tokens: TokenStream = text.parse().unwrap();
    let mut module = Module::default();
    read_tokens(tokens, at, &mut module);
    module
}

fn read_tokens(tokens: TokenStream, at: &[String], module: &mut Module) {
    let mut tokens: Tokens = tokens.into_iter().peekable();
    let mut is_test = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                if let Some(TokenTree::Group(attribute)) = tokens.peek() {
                    is_test |= attribute.stream().to_string().replace(' ', "") == "cfg(test)";
                }
            }
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace && is_test {
                    is_test = false;
                } else {
                    read_tokens(group.stream(), at, module);
                }
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => is_test = false,
            TokenTree::Ident(name) if name == "use" && !is_test => {
                read_tree(&mut tokens, at, &[], Some(module));
            }
            TokenTree::Ident(name) if !is_test => {
                let name = name.to_string();
                if name == "crate" || name == "super" {
                    let path = read_path(&mut tokens, at, &name);
                    module.paths.extend(path);
                }
            }
            _ => {}
        }
    }
}

fn skip_colons(tokens: &mut Tokens) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ':');
    let mut any = false;
    while tokens.next_if(is_colon).is_some() {
        any = true;
    }
    any
}

/// A path with another segment, where `crate`, `super` and `self` begin at the root.
fn join(at: &[String], path: &[String], segment: &str) -> ModulePath {
    let root = ["crate".to_owned()];
    match segment {
        "crate" => root.to_vec(),
        "self" if path.is_empty() => [&root, at].concat(),
        "self" => path.to_vec(),
        "super" if path.is_empty() => [&root, &at[..at.len().saturating_sub(1)]].concat(),
        "super" => path[..path.len() - 1].to_vec(),
        name => [path, &[name.to_owned()]].concat(),
    }
}

/// The path that begins with a word that was just read. `None` when the word stands alone.
fn read_path(tokens: &mut Tokens, at: &[String], first: &str) -> Option<ModulePath> {
    let mut path = join(at, &[], first);
    let mut goes_on = false;
    while skip_colons(tokens) {
        let Some(TokenTree::Ident(segment)) = tokens.next_if(|t| matches!(t, TokenTree::Ident(_)))
        else {
            break;
        };
        path = join(at, &path, &segment.to_string());
        goes_on = true;
    }
    goes_on.then_some(path)
}

/// Reads the tree after `use`, or within its braces.
fn read_tree(tokens: &mut Tokens, at: &[String], start: &[String], module: Option<&mut Module>) {
    let Some(module) = module else { return };
    let (mut path, mut alias) = (start.to_vec(), None);
    let finish = |path: &mut ModulePath, alias: &mut Option<String>, module: &mut Module| {
        if path.len() > start.len() || (alias.is_some() && !path.is_empty()) {
            let name = alias.take().or_else(|| path.last().cloned()).unwrap();
            module.paths.insert(path.clone());
            module.imports.insert(name, path.clone());
        }
        *path = start.to_vec();
    };
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "as" => {
                alias = tokens.next().map(|name| name.to_string());
            }
            TokenTree::Ident(word) if word == "self" && !path.is_empty() => {
                alias.get_or_insert_with(|| path.last().unwrap().clone());
            }
            TokenTree::Ident(word) => path = join(at, &path, &word.to_string()),
            TokenTree::Punct(mark) if mark.as_char() == '*' => {
                module.paths.insert(path.clone());
                module
                    .globs
                    .push(std::mem::replace(&mut path, start.to_vec()));
            }
            TokenTree::Punct(mark) if mark.as_char() == ',' => {
                finish(&mut path, &mut alias, module);
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => break,
            TokenTree::Group(group) => {
                let mut inner = group.stream().into_iter().peekable();
                let path = std::mem::replace(&mut path, start.to_vec());
                read_tree(&mut inner, at, &path, Some(module));
            }
            _ => {}
        }
    }
    finish(&mut path, &mut alias, module);
}
