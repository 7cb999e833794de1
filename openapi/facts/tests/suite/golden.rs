//! Snapshots of facts read from sentences of published documents: pointer, id and fingerprint of
//! the words, at most sixty per document. A person reviewed each line.

use std::collections::HashMap;
use std::path::Path;

use openapi_document::{Document, Node, Pointer, loader};
use openapi_facts::{Evidence, Source, fingerprint, read};

/// The maximum number of facts kept per document.
const MOST: usize = 60;

#[test]
fn facts_of_published_documents_are_as_they_were_reviewed() {
    if !prerequisites::PUBLISHED_DOCUMENTS.is_met() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut names: Vec<String> = { std::fs::read_dir(&folder).unwrap() }
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending != "md"))
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 16, "{names:?}");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for name in names {
        let document = loader::load(&folder.join(&name)).unwrap();
        let lines = sample(&document);
        if !lines.is_empty() {
            settings.bind(|| insta::assert_snapshot!(name.replace('.', "-"), lines.join("\n")));
        }
    }
}

/// Facts from sentences, chosen by their fingerprints.
fn sample(document: &Document) -> Vec<String> {
    let mut pointers = HashMap::new();
    collect(&document.root, &Pointer::root(), &mut pointers);
    let facts = read(document, None);
    let read_ones = facts
        .list
        .iter()
        .filter(|fact| fact.evidence() == Evidence::Read);
    let lines: Vec<String> = read_ones
        .filter_map(|fact| {
            let sentence = fact.because.iter().find_map(|source| match source {
                Source::Sentence { span, text } => Some((span, text)),
                _ => None,
            })?;
            let pointer = pointers.get(&(sentence.0.file, sentence.0.start))?;
            Some(format!(
                "{pointer}\t{}\t{}",
                fact.id,
                fingerprint(sentence.1)
            ))
        })
        .collect();
    // Choosing by fingerprint keeps the choice stable when the reader finds more facts.
    let chance = |line: &String| fingerprint(line);
    let mut chosen: Vec<String> = lines.iter().map(chance).collect();
    chosen.sort();
    chosen.truncate(MOST);
    let is_chosen = |line: &String| chosen.contains(&chance(line));
    lines.into_iter().filter(is_chosen).collect()
}

fn collect(
    node: &Node,
    at: &Pointer,
    found: &mut HashMap<(openapi_document::source::FileId, u32), String>,
) {
    if node.as_str().is_some() {
        found.insert((node.span.file, node.span.start), at.to_string());
    }
    for entry in node.entries() {
        collect(&entry.value, &at.join(entry.key.as_str()), found);
    }
    for (index, item) in node.items().enumerate() {
        collect(item, &at.join(index.to_string()), found);
    }
}
