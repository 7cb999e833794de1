//! Follows the paths of the reader's test.

use std::path::Path;

use crate::packages::root;

#[test]
fn each_path_of_the_readers_test_exists() {
    let read = |path: &str| std::fs::read_to_string(root().join("docs").join(path)).unwrap();
    let (test, questions, contents) = (
        read("readers-test.md"),
        read("questions.md"),
        read("SUMMARY.md"),
    );
    let rows: Vec<Vec<&str>> = { test.lines().filter(|line| line.starts_with("| ")).skip(1) }
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let (question, path) = (row[1], row[2]);
        let Some((first, rest)) = path.split_once(" → ") else {
            let page = path.split("**").nth(1).unwrap();
            assert!(contents.contains(&format!("[{page}](")), "{question}");
            continue;
        };
        assert!(first.starts_with("Questions"), "{path}");
        let (link, heading) = rest
            .split_once(" → ")
            .map_or((rest, None), |(link, heading)| {
                (link, Some(heading.trim_matches('*')))
            });
        let answer = questions.lines().find(|line| line.contains(question));
        let answer = answer.unwrap_or_else(|| panic!("no answer to {question}"));
        let (_, target) = { answer.split_once(&format!("[{link}](")) }
            .unwrap_or_else(|| panic!("the answer to {question} has no link {link}"));
        let target = target.split([')', '#']).next().unwrap();
        assert!(Path::new(target).extension().is_some(), "{target}");
        if let Some(heading) = heading {
            assert!(
                read(target).contains(&format!("## {heading}\n")),
                "{heading}"
            );
        }
    }
}
