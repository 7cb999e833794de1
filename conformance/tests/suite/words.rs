//! The words of the command that send nothing.

use crate::support::{binary, write};

const THINGS: &str = r#"{"openapi": "3.0.3", "info": {"title": "Things", "version": "1.0"}, "paths": {"/things": {
  "get": {"operationId": "listThings", "responses": {"200": {"description": "all"}, "404": {"description": "none"}}}}}}"#;

fn said(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = binary(arguments, folder);
    let told = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(told).unwrap())
}

#[test]
fn cases_are_listed_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "things.json", THINGS);
    let spec = spec.to_str().unwrap();
    let list = ["list", "--spec", spec, "--url", "http://127.0.0.1:1"];
    let (code, told) = said(folder.path(), &list);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("listThings/200/default\n"), "{told}");
    let (code, told) = said(folder.path(), &[&list[..], &["--area", "nowhere"]].concat());
    assert_eq!(code, Some(2), "{told}");
}

#[test]
fn checks_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let (code, told) = said(folder.path(), &["explain", "status-code"]);
    assert_eq!(code, Some(0));
    assert!(
        told.contains("the status is not the documented one"),
        "{told}"
    );
    assert_eq!(said(folder.path(), &["explain", "nothing"]).0, Some(2));
    assert!(said(folder.path(), &["explain"]).1.contains("Laws:"));
}

#[test]
fn a_configuration_is_begun_and_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(said(folder.path(), &["init"]).0, Some(0));
    let file = folder.path().join("conformance.toml");
    assert!(conformance::config::Config::read(&file).is_ok());
    let text = std::fs::read_to_string(&file).unwrap();
    let explained = |line: &&str| {
        line.strip_prefix("# ")
            .is_some_and(|own| own.contains(" = "))
    };
    let settings: Vec<&str> = text.lines().filter(explained).collect();
    assert!(settings.len() > 15, "{settings:?}");
    let all = text
        .lines()
        .map(|line| if explained(&line) { &line[2..] } else { line });
    let all: Vec<&str> = all.filter(|line| !line.contains("[scenarios")).collect();
    let full = write(folder.path(), "full.toml", &all.join("\n"));
    let read = conformance::config::Config::read(&full);
    assert!(read.is_ok(), "what is shown can be used: {read:?}");
    let (code, told) = said(folder.path(), &["init"]);
    assert_eq!(code, Some(3), "what is there is never written over: {told}");
}

#[test]
fn shells_complete_the_words() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let (code, told) = said(folder.path(), &["completions", shell]);
        assert_eq!(code, Some(0));
        assert!(told.contains("without-laws"), "{shell}");
    }
}
