//! What a generation depended on and wrote, so that nothing is generated to see that nothing changed.
//!
//! A fingerprint is kept beside this program, on this machine only, after a generation that was
//! current: the program itself, what it was told, the bytes it read, and those that lie in the folder.
//! Whatever differs, the generation is done anew.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs};

use crate::generate::{Arguments, Target};

/// The inputs of a generation.
pub(crate) struct Fingerprint {
    /// Of the program and what it was told.
    told: u64,
    /// The files it read.
    inputs: BTreeSet<PathBuf>,
    /// What is younger may not be what it read.
    begun: SystemTime,
}

impl Fingerprint {
    /// Of a generation that has not read anything yet.
    pub(crate) fn of(target: &Target, arguments: &Arguments) -> Self {
        let mut hasher = DefaultHasher::new();
        if let Ok(program) = env::current_exe() {
            program.hash(&mut hasher);
            if let Ok(facts) = fs::metadata(&program) {
                (facts.len(), facts.modified().ok()).hash(&mut hasher);
            }
        }
        let here = env::current_dir().ok();
        (here, &target.spec, &target.folder, &target.page).hash(&mut hasher);
        (
            arguments.words.strict,
            arguments.words.unformatted,
            arguments.words.round_trips,
        )
            .hash(&mut hasher);
        env::var_os("RUSTUP_TOOLCHAIN").hash(&mut hasher);
        Self {
            told: hasher.finish(),
            inputs: BTreeSet::new(),
            begun: SystemTime::now(),
        }
    }

    /// Notes what was read.
    pub(crate) fn reads(&mut self, inputs: &[PathBuf]) {
        self.inputs.extend(inputs.iter().cloned());
    }

    /// Whether such a generation was current, and nothing has changed since.
    pub(crate) fn is_known(&self, target: &Target) -> bool {
        let Some(kept) = self
            .place()
            .and_then(|place| fs::read_to_string(place).ok())
        else {
            return false;
        };
        let mut lines = kept.lines();
        let expected = lines.next().and_then(|line| line.parse::<u64>().ok());
        let inputs: BTreeSet<PathBuf> = lines.map(PathBuf::from).collect();
        !inputs.is_empty() && expected.is_some() && expected == state(&inputs, target)
    }

    /// Keeps that this generation was current. Where it cannot be kept, the next one is done anew.
    pub(crate) fn keep(&self, target: &Target) {
        let (Some(place), Some(state)) = (self.place(), state(&self.inputs, target)) else {
            return;
        };
        if self.inputs.iter().any(|path| self.is_younger(path)) {
            return;
        }
        let inputs: Vec<_> = self.inputs.iter().map(|path| path.to_str()).collect();
        let Some(inputs) = inputs.into_iter().collect::<Option<Vec<_>>>() else {
            return;
        };
        let text = format!("{state}\n{}\n", inputs.join("\n"));
        let kept = place.parent().map(fs::create_dir_all);
        if let Some(Ok(())) = kept
            && let Err(error) = fs::write(&place, text)
        {
            eprintln!("warning: failed to write {}: {error}", place.display());
        }
    }

    fn is_younger(&self, path: &Path) -> bool {
        let modified = fs::metadata(path).and_then(|facts| facts.modified());
        modified.map_or(true, |modified| modified >= self.begun)
    }

    fn place(&self) -> Option<PathBuf> {
        let program = env::current_exe().ok()?;
        let name = format!("{:016x}", self.told);
        Some(program.parent()?.join("fingerprints").join(name))
    }
}

/// The bytes of all inputs and outputs; `None` where an input cannot be read.
fn state(inputs: &BTreeSet<PathBuf>, target: &Target) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    spec::behaviour::beside(&target.spec).hash(&mut hasher);
    for path in inputs {
        (path, fs::read(path).ok()?).hash(&mut hasher);
    }
    for name in ["Cargo.toml", "openapi.json"] {
        fs::read(target.folder.join(name)).ok().hash(&mut hasher);
    }
    fs::read(&target.page).ok().hash(&mut hasher);
    for owned in ["src", "tests"] {
        hash_folder(&target.folder.join(owned), &mut hasher)?;
    }
    Some(hasher.finish())
}

fn hash_folder(folder: &Path, hasher: &mut DefaultHasher) -> Option<()> {
    if !folder.exists() {
        return Some(());
    }
    let entries = fs::read_dir(folder).ok()?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash_folder(&path, hasher)?;
        } else {
            (&path, fs::read(&path).ok()?).hash(hasher);
        }
    }
    Some(())
}
