//! Ahead: the files that a document refers to are parsed before they are asked for, on as many threads
//! as there are cores.

use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use crate::node::Node;
use crate::origin::Origin;
use crate::source::{FileId, SourceFile};
use crate::syntax;

/// So many bytes take longer to parse than a thread takes to start.
const WORTH_A_THREAD: usize = 1 << 15;

/// A file that is well formed.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// Its text.
    pub(crate) source: SourceFile,
    /// What it says; it belongs to [`FileId::NONE`].
    pub(crate) tree: Node,
}

/// A file that is to be parsed.
struct Read {
    identity: PathBuf,
    /// As the reference spells it.
    path: PathBuf,
    source: SourceFile,
}

/// The files that a document leads to, each by its identity. What cannot be read or is malformed is left out:
/// who asks for it is told why.
pub(crate) fn parse(origin: &dyn Origin, path: &Path, root: &Node) -> HashMap<PathBuf, Parsed> {
    let mut all = HashMap::new();
    let mut met = HashSet::from([origin.identity(path)]);
    let mut next = Vec::new();
    mentioned(root, path, &mut next);
    while !next.is_empty() {
        let files = next.drain(..).filter_map(|path| {
            let identity = origin.identity(&path);
            let is_new = met.insert(identity.clone());
            let text = String::from_utf8(is_new.then(|| origin.read(&path).ok())??).ok()?;
            let source = SourceFile::new(origin.shown(&path), text);
            Some(Read {
                identity,
                path,
                source,
            })
        });
        for (file, tree) in on_threads(files.collect()) {
            mentioned(&tree, &file.path, &mut next);
            let source = file.source;
            all.insert(file.identity, Parsed { source, tree });
        }
    }
    all
}

/// The files beside a file that its references name.
fn mentioned(node: &Node, path: &Path, found: &mut Vec<PathBuf>) {
    for entry in node.entries() {
        let reference = entry.value.as_str().filter(|_| entry.key == "$ref");
        let file = reference.and_then(|own| own.split('#').next());
        let is_beside = |own: &&str| !own.is_empty() && !own.contains("://");
        match file.filter(is_beside) {
            Some(file) => found.push(path.parent().unwrap_or(Path::new("")).join(file)),
            None => mentioned(&entry.value, path, found),
        }
    }
    for item in node.items() {
        mentioned(item, path, found);
    }
}

/// Parses files; the largest come first, so that no thread is left alone with one at the end.
fn on_threads(mut files: Vec<Read>) -> Vec<(Read, Node)> {
    files.sort_by_key(|own| own.source.text().len());
    let bytes: usize = files.iter().map(|own| own.source.text().len()).sum();
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let others = cores.min(bytes / WORTH_A_THREAD).saturating_sub(1);
    let waiting = Mutex::new(files);
    let next = || waiting.lock().ok()?.pop();
    let work = || {
        let mut done = Vec::new();
        while let Some(file) = next() {
            if let Ok(tree) = syntax::read(FileId::NONE, &file.source) {
                done.push((file, tree));
            }
        }
        done
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for thread in threads {
            done.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    })
}
