//! The page of features names a golden and tests for each; the tests exist and run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// Text and target of each link.
fn links(cell: &str) -> Vec<(&str, &str)> {
    let links = cell.split('[').skip(1);
    links
        .map(|link| {
            let (text, rest) = link.split_once("](").unwrap();
            (text, rest.split_once(')').unwrap().0)
        })
        .collect()
}

/// The tests of a file: functions that are marked as tests, are not ignored, and do something.
fn tests(path: &Path) -> BTreeSet<String> {
    let file = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
    let functions = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    let has = |function: &syn::ItemFn, word: &str| {
        let mut attributes = function.attrs.iter();
        attributes.any(|own| {
            own.path()
                .segments
                .last()
                .is_some_and(|last| last.ident == word)
        })
    };
    functions
        .filter(|own| has(own, "test") && !has(own, "ignore"))
        .filter(|own| !own.block.stmts.is_empty())
        .map(|own| own.sig.ident.to_string())
        .collect()
}

#[test]
fn every_feature_has_a_golden_and_a_test() {
    let page = fs::read_to_string(docs().join("generator.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    for row in &rows[1..] {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let &[feature, golden, test] = cells.as_slice() else {
            unreachable!("{row}");
        };
        assert!(!links(golden).is_empty(), "{feature}");
        assert!(!links(test).is_empty(), "{feature}");
        for (name, target) in links(golden) {
            let input = docs().join(target);
            assert!(
                input.with_file_name(format!("{name}.yaml")).exists(),
                "{target}"
            );
            assert_eq!(input.file_stem().unwrap().to_str(), Some(name));
        }
        for (name, target) in links(test) {
            let tests = tests(&docs().join(target));
            assert!(tests.contains(name), "{target} has no test {name}");
        }
    }
}

#[test]
fn every_golden_stands_on_the_page() {
    let page = fs::read_to_string(docs().join("generator.md")).unwrap();
    for folder in ["schemas", "operations"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("goldens/inputs")
            .join(folder);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(page.contains(&format!("[{name}](")), "{name}");
        }
    }
}
