//! Compares facts that are read from labelled sentences with the verdicts of a person on subject,
//! condition and rule.

use std::collections::BTreeMap;
use std::path::Path;

use openapi_document::{Pointer, loader};
use openapi_facts::{FactId, Vocabulary, fingerprint, read_sentence};
use serde_json::Value;

/// Fingerprint of the sentence, id of the fact, and `true` or `false`.
const VERDICTS: &str = include_str!("../verdicts.tsv");

#[test]
fn each_fact_of_the_labelled_sentences_has_a_verdict_and_95_of_100_are_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let labels = folder.join("gold-dev.jsonl");
    if !prerequisites::MORE_PUBLISHED_DOCUMENTS.is_met() || !labels.is_file() {
        return;
    }
    let verdicts: BTreeMap<(&str, &str), &str> = { VERDICTS.lines() }
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let parts: Vec<&str> = line.split('\t').collect();
            ((parts[0], parts[1]), parts[2])
        })
        .collect();
    let mut rows: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in std::fs::read_to_string(labels).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        rows.entry(row["doc"].as_str().unwrap().to_owned())
            .or_default()
            .push(row);
    }
    let (mut unjudged, mut count, mut wrong) = (Vec::new(), 0, 0);
    for (path, rows) in rows {
        let document = loader::load(&folder.join(path)).unwrap();
        let vocabulary = Vocabulary::new(&document);
        for row in rows {
            let pointer = Pointer::parse(row["pointer"].as_str().unwrap()).unwrap();
            let sentence = row["sentence"].as_str().unwrap();
            for rule in read_sentence(&vocabulary, &pointer, sentence) {
                count += 1;
                let (hash, id) = (fingerprint(sentence), FactId::of(&rule));
                match verdicts.get(&(hash.as_str(), id.as_str())) {
                    Some(&"true") => {}
                    Some(_) => wrong += 1,
                    None => unjudged.push(format!("{hash}\t{id}")),
                }
            }
        }
    }
    assert!(unjudged.is_empty(), "judge these:\n{}", unjudged.join("\n"));
    assert!(
        count > 20 && wrong * 20 <= count,
        "{wrong} of {count} are wrong"
    );
}
