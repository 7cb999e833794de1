//! The page of features says where each is shown and tried; every golden stands there.
#![allow(clippy::unwrap_used, reason = "a test may stop where it cannot go on")]

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
            let text = fs::read_to_string(docs().join(target)).unwrap_or_default();
            assert!(
                text.contains(&format!("fn {name}(")),
                "{target} has no {name}"
            );
        }
    }
}

#[test]
fn every_golden_stands_on_the_page() {
    let page = fs::read_to_string(docs().join("generator.md")).unwrap();
    for folder in ["goldens", "goldens/operations"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(folder);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "yaml")
            {
                let name = path.file_stem().unwrap().to_str().unwrap();
                assert!(page.contains(&format!("[{name}](")), "{name}");
            }
        }
    }
}
