//! Measures precision and recall of the sentence reader against sentences that a person labelled.
//!
//!     cargo run --release -p openapi-facts --example precision -- LABELS.jsonl
//!
//! Each line of the file has `doc` (a path relative to the file), `pointer`, `sentence`, `kinds` and `confidence`.
//! A line with confidence 1 counts neither for nor against the reader. With `--sample N SEED
//! FOLDER`, the program prints N random facts from the documents in a folder, for a person to
//! check.

#![expect(clippy::print_stdout, reason = "it is a command")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use openapi_document::{Document, Pointer, loader};
use openapi_facts::{Evidence, Rule, Source, Vocabulary, read, read_sentence};
use serde_json::Value;

/// Kinds of rules, each with its name in the label file.
const LABELS: [(&str, &str); 17] = [
    ("barred", "state-barred"),
    ("effect", "state-effect"),
    ("unique", "unique"),
    ("idempotency", "idempotency"),
    ("paging", "pagination"),
    ("order", "list-order"),
    ("default", "default"),
    ("requires", "requires"),
    ("filter", "filter"),
    ("range", "range"),
    ("relation", "relation"),
    ("immutable", "immutable"),
    ("on-delete", "on-delete"),
    ("side-effect", "side-effect"),
    ("no-effect", "no-effect"),
    ("async", "async"),
    ("refusal", "error-code"),
];

/// How many facts of one kind were right, wrong or missed.
#[derive(Default)]
struct Count {
    right: usize,
    wrong: usize,
    labelled: usize,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["--sample", count, seed, folder] => sample(count, seed, Path::new(folder)),
        [labels] => compare(Path::new(labels)),
        _ => Err("give a file of labelled sentences, or --sample N SEED FOLDER".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(labels: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(labels).map_err(|error| error.to_string())?;
    let folder = labels.parent().unwrap_or(Path::new("."));
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut rows: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let document = row["doc"].as_str().unwrap_or_default().to_owned();
        rows.entry(document).or_default().push(row);
    }
    for (path, rows) in &rows {
        let document =
            loader::load(&folder.join(path)).map_err(|_| format!("{path} cannot be loaded"))?;
        let vocabulary = Vocabulary::new(&document);
        for row in rows
            .iter()
            .filter(|row| row["confidence"].as_u64() > Some(1))
        {
            count(&vocabulary, row, &mut counts);
        }
    }
    print(&counts);
    Ok(())
}

fn count(vocabulary: &Vocabulary<'_>, row: &Value, counts: &mut BTreeMap<&str, Count>) {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    let labels: Vec<&str> = { row["kinds"].as_array().into_iter().flatten() }
        .filter_map(Value::as_str)
        .collect();
    for (kind, label) in LABELS {
        counts.entry(kind).or_default().labelled += usize::from(labels.contains(&label));
    }
    let pointer = Pointer::parse(text("pointer")).unwrap_or_default();
    // A sentence counts once per kind, even if several rules of that kind are read from it.
    let mut counted = BTreeSet::new();
    for rule in read_sentence(vocabulary, &pointer, text("sentence")) {
        let label = LABELS.iter().find(|(kind, _)| *kind == rule.kind());
        let count = counts.entry(rule.kind()).or_default();
        let is_right = label.is_some_and(|(_, label)| labels.contains(label));
        if counted.insert(rule.kind()) {
            count.right += usize::from(is_right);
            count.wrong += usize::from(!is_right);
        }
        let mark = if is_right { "right" } else { "WRONG" };
        println!("{mark}\t{}\t{rule}\t{}", text("pointer"), text("sentence"));
    }
}

fn print(counts: &BTreeMap<&str, Count>) {
    let mut all = Count::default();
    println!("\nkind         right  wrong  precision  labelled  recall");
    for (kind, count) in counts {
        line(kind, count);
        all.right += count.right;
        all.wrong += count.wrong;
        all.labelled += count.labelled;
    }
    line("all", &all);
}

fn line(kind: &str, count: &Count) {
    let share = |part: usize, whole: usize| match whole {
        0 => "-".to_owned(),
        _ => format!("{} %", part * 100 / whole),
    };
    println!(
        "{kind:<12} {:>5}  {:>5}  {:>9}  {:>8}  {:>6}",
        count.right,
        count.wrong,
        share(count.right, count.right + count.wrong),
        count.labelled,
        share(count.right, count.labelled)
    );
}

/// Prints randomly chosen facts that were read from sentences. The same seed gives the same choice.
fn sample(count: &str, seed: &str, folder: &Path) -> Result<(), String> {
    let count: usize = count.parse().map_err(|_| "N is not a number".to_owned())?;
    let mut seed: u64 = seed
        .parse()
        .map_err(|_| "SEED is not a number".to_owned())?;
    let mut found = Vec::new();
    for path in documents(folder)? {
        // Some published documents cannot be loaded.
        let Ok(document) = loader::load(&path) else {
            continue;
        };
        found.extend(lines(&path, &document));
    }
    println!("{} facts are read from sentences", found.len());
    for _ in 0..count.min(found.len()) {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(seed >> 33).unwrap_or(0) % found.len();
        println!("{}", found.swap_remove(at));
    }
    Ok(())
}

fn documents(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|ending| ending == "yaml" || ending == "json")
    });
    paths.sort();
    Ok(paths)
}

fn lines(path: &Path, document: &Document) -> Vec<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let facts = read(document, None);
    let read_ones = facts
        .list
        .iter()
        .filter(|fact| fact.evidence() == Evidence::Read);
    let line = |rule: &Rule, source: &Source| match source {
        Source::Sentence { span, text } => {
            let line = document.place(*span).line;
            Some(format!("{}\t{rule}\t{name}:{line}\t{text}", rule.kind()))
        }
        _ => None,
    };
    read_ones
        .filter_map(|fact| line(&fact.rule, fact.because.first()?))
        .collect()
}
