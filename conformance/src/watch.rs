//! The option `--watch`: runs again whenever a file changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use conformance::run;

use crate::cli::RunArguments;
use crate::{certify, say, seconds_now};

/// The pause between two checks of the files.
const INTERVAL: Duration = Duration::from_millis(200);

/// The time and length of each file. `None` when the file does not exist.
type Snapshot = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Runs, and again after each change, until the program ends.
pub(crate) fn watch(arguments: &RunArguments) -> u8 {
    let mut seen = Snapshot::new();
    loop {
        // Checks each file before the run reads it, so that a later change causes another run. When
        // the contract cannot be read, keeps watching the earlier files.
        let mut before = snapshot(seen.into_keys());
        let news = files(arguments)
            .into_iter()
            .filter(|file| !before.contains_key(file));
        before.extend(snapshot(news.collect::<Vec<_>>()));
        certify(arguments);
        say(&format!("watching {} files", before.len()));
        wait(&before);
        seen = before;
    }
}

fn files(arguments: &RunArguments) -> Vec<PathBuf> {
    let mut files = arguments.files();
    if let Ok(options) = arguments.options(seconds_now()) {
        files.extend(run::files(&options));
    }
    files
}

fn snapshot(files: impl IntoIterator<Item = PathBuf>) -> Snapshot {
    files
        .into_iter()
        .map(|file| {
            let seen = seen(&file);
            (file, seen)
        })
        .collect()
}

fn seen(file: &Path) -> Option<(SystemTime, u64)> {
    let data = file.metadata().ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Returns when a file has changed.
fn wait(before: &Snapshot) {
    while before.iter().all(|(file, then)| seen(file) == *then) {
        std::thread::sleep(INTERVAL);
    }
}
