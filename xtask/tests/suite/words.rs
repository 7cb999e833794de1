//! Tests that the engine, which accepts any document, contains no word of payments.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::packages::{root, rust_files};

/// Words of payments, each with all words that begin with it.
const BEGINNINGS: [&str; 5] = ["acquirer", "cashback", "merchant", "payout", "refund"];
/// Words of payments that are too short for that.
const WHOLE: [&str; 3] = ["cvv", "iban", "vat"];

/// The folders of the engine.
const ENGINE: [&str; 9] = [
    "codegen/crates/src",
    "codegen/fuzz/src",
    "codegen/runtime/src",
    "codegen/src",
    "codegen/wire/src",
    "conformance/src",
    "contract/src",
    "openapi",
    "testing/programs/src",
];

#[test]
fn the_engine_knows_no_word_of_payments() {
    let mut found = String::new();
    for folder in ENGINE {
        for file in rust_files(&root().join(folder)) {
            let path = file.strip_prefix(root()).unwrap();
            if path.components().any(|part| part.as_os_str() == "tests") {
                continue;
            }
            for (line, text) in without_tests(&file).lines().enumerate() {
                let Some(word) = words(text).find(|word| is_of_payments(word)) else {
                    continue;
                };
                writeln!(found, "{}:{}: {word}", path.display(), line + 1).unwrap();
            }
        }
    }
    assert!(
        found.is_empty(),
        "words of payments in the engine:\n{found}"
    );
}

/// A file without the tests at its end.
fn without_tests(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    text[..end].to_owned()
}

fn is_of_payments(word: &str) -> bool {
    WHOLE.contains(&word) || BEGINNINGS.iter().any(|begin| word.starts_with(begin))
}

/// The words of a line in lower case: `merchantId` has two.
fn words(line: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in line.chars() {
        let begins = c.is_uppercase() && before.is_lowercase();
        if begins || !c.is_alphabetic() {
            words.push(String::new());
        }
        if c.is_alphabetic() {
            words.last_mut().unwrap().extend(c.to_lowercase());
        }
        before = c;
    }
    words.into_iter().filter(|word| !word.is_empty())
}
