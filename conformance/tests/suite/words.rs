//! Tests the subcommands that send no requests.

use crate::support::{binary, write};

const THINGS: &str = r#"{"openapi": "3.0.3", "info": {"title": "Things", "version": "1.0"}, "paths": {"/things": {
  "get": {"operationId": "listThings", "responses": {"200": {"description": "all"}, "404": {"description": "none"}}}}}}"#;

fn run_command(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = binary(arguments, folder);
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(printed).unwrap())
}

#[test]
fn cases_are_listed_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "things.json", THINGS);
    let spec = spec.to_str().unwrap();
    let list = ["list", "--spec", spec, "--url", "http://127.0.0.1:1"];
    let (code, printed) = run_command(folder.path(), &list);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("listThings/200/default\n"), "{printed}");
    let (code, printed) = run_command(folder.path(), &[&list[..], &["--area", "nowhere"]].concat());
    assert_eq!(code, Some(2), "{printed}");
}

#[test]
fn checks_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let (code, printed) = run_command(folder.path(), &["explain", "laws/paging/listThings"]);
    assert_eq!(code, Some(0));
    assert!(
        printed.contains("law paging")
            && printed.contains("there is no target/certify/report.json"),
        "{printed}"
    );
    let (code, printed) = run_command(folder.path(), &["explain", "status-code"]);
    assert_eq!(code, Some(0));
    assert!(
        printed.contains("the status is not the documented one"),
        "{printed}"
    );
    assert_eq!(
        run_command(folder.path(), &["explain", "nothing"]).0,
        Some(2)
    );
    assert!(run_command(folder.path(), &["explain"]).1.contains("Laws:"));
}

#[test]
fn a_configuration_is_written_and_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_command(folder.path(), &["init"]).0, Some(0));
    let file = folder.path().join("conformance.toml");
    assert!(conformance::config::Config::read(&file).is_ok());
    let text = std::fs::read_to_string(&file).unwrap();
    let explained = |line: &&str| {
        line.strip_prefix("# ")
            .is_some_and(|line| line.contains(" = "))
    };
    let settings: Vec<&str> = text.lines().filter(explained).collect();
    assert!(settings.len() > 15, "{settings:?}");
    let all = text
        .lines()
        .map(|line| if explained(&line) { &line[2..] } else { line });
    let all: Vec<&str> = all.filter(|line| !line.contains("[scenarios")).collect();
    let full = write(folder.path(), "full.toml", &all.join("\n"));
    let read = conformance::config::Config::read(&full);
    assert!(read.is_ok(), "the example can be used: {read:?}");
    let (code, printed) = run_command(folder.path(), &["init"]);
    assert_eq!(
        code,
        Some(3),
        "an existing file is never overwritten: {printed}"
    );
}

#[test]
fn shells_complete_subcommands() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let (code, printed) = run_command(folder.path(), &["completions", shell]);
        assert_eq!(code, Some(0));
        assert!(printed.contains("without-laws"), "{shell}");
    }
}
