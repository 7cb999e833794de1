//! `conformance run --watch`: once more whenever a file changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use conformance::run;

use crate::cli::RunArguments;
use crate::{certify, say, seconds_now};

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(200);

/// What is seen of a file without reading it: its time and length, where it is there.
type Look = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Runs, and again after each change, until the program is ended.
pub(crate) fn watch(arguments: &RunArguments) -> u8 {
    let mut seen = Look::new();
    loop {
        // A file is looked at before the run reads it, so that what changes from then on is run again. Of a
        // contract that cannot be read the files of before stay the ones to look at.
        let mut before = look(seen.into_keys());
        let news = files(arguments)
            .into_iter()
            .filter(|file| !before.contains_key(file));
        before.extend(look(news.collect::<Vec<_>>()));
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

fn look(files: impl IntoIterator<Item = PathBuf>) -> Look {
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

/// Returns when a file is no longer as it was.
fn wait(before: &Look) {
    while before.iter().all(|(file, then)| seen(file) == *then) {
        std::thread::sleep(INTERVAL);
    }
}
