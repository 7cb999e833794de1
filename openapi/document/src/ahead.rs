//! Ahead: parses the files that a document refers to in advance, on as many threads as there are
//! cores.

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

/// A thread is worth starting for this many bytes.
const WORTH_A_THREAD: usize = 1 << 15;

/// A parsed file.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The text of the file.
    pub(crate) source: SourceFile,
    /// The tree of the file; its spans still have [`FileId::NONE`].
    pub(crate) tree: Node,
}

/// A file that waits to be parsed.
struct Read {
    identity: PathBuf,
    /// The path as the reference spells it.
    path: PathBuf,
    source: SourceFile,
}

/// Parses all files that `root` refers to, directly or indirectly, by identity. An unreadable or
/// malformed file is left out; the loader reports it when it reads the reference.
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

/// Collects the local files that the references of a file name.
fn mentioned(node: &Node, path: &Path, found: &mut Vec<PathBuf>) {
    for entry in node.entries() {
        let reference = entry.value.as_str().filter(|_| entry.key == "$ref");
        let file = reference.and_then(|text| text.split('#').next());
        let is_beside = |file: &&str| !file.is_empty() && !file.contains("://");
        match file.filter(is_beside) {
            Some(file) => found.push(path.parent().unwrap_or(Path::new("")).join(file)),
            None => mentioned(&entry.value, path, found),
        }
    }
    for item in node.items() {
        mentioned(item, path, found);
    }
}

/// Parses files on several threads, the largest first, so that no thread ends with a large file
/// alone.
fn on_threads(mut files: Vec<Read>) -> Vec<(Read, Node)> {
    files.sort_by_key(|file| file.source.text().len());
    let bytes: usize = files.iter().map(|file| file.source.text().len()).sum();
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
