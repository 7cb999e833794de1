//! Tests `contract bundle`: the same tree as JSON and as YAML.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Bench;
use contract::bundle::{Format, text};
use contract::input::Overlays;
use openapi_document::{Node, SourceMap, json, yaml};

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read_yaml(text: String) -> Node {
    let mut sources = SourceMap::default();
    let file = sources.add("bundle.yaml", text);
    yaml::read(&sources, file).unwrap()
}

/// Checks that both formats have the same content, with all digits and in the same order.
fn compare(document: &Path) {
    let document = document.to_str().unwrap();
    let overlays = Overlays::default();
    let text = |format| text(document, &overlays, format).unwrap().text;
    let as_json = json::read_text(&text(Format::Json)).unwrap();
    let as_yaml = read_yaml(text(Format::Yaml));
    assert!(as_json.to_json() == as_yaml.to_json(), "{document}");
}

#[test]
fn both_formats_have_the_same_tree() {
    let documents = ["spec/openapi.yaml", "sandbox/admin.yaml"];
    for document in documents {
        compare(&checkout().join(document));
    }
}

#[test]
fn both_formats_of_published_documents_have_the_same_tree() {
    if !prerequisites::PUBLISHED_DOCUMENTS.is_met() {
        return;
    }
    let mut count = 0;
    for entry in fs::read_dir(checkout().join("../shared/corpus")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension != "md") {
            compare(&path);
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn the_extension_or_an_option_decides_on_the_format() {
    let bench = Bench::new();
    let bundle = |arguments: &[&str]| bench.run(&[&["bundle", "openapi.yaml"], arguments].concat());
    let as_json = bundle(&[]).ends(0).out;
    let as_yaml = bundle(&["--format", "yaml"]).ends(0).out;
    assert!(as_json.starts_with("{\n  \"openapi\": "), "{as_json}");
    assert!(as_yaml.starts_with("openapi: "), "{as_yaml}");
    for (arguments, file, expected) in [
        (&["--out", "a.yaml"][..], "a.yaml", &as_yaml),
        (&["--out", "a.yml"], "a.yml", &as_yaml),
        (&["--out", "a.json"], "a.json", &as_json),
        (&["--out", "a"], "a", &as_json),
        (&["--out", "b", "--format", "yaml"], "b", &as_yaml),
        (&["--out", "b.yaml", "--format", "json"], "b.yaml", &as_json),
    ] {
        bundle(arguments).ends(0);
        assert_eq!(bench.read(file), *expected, "{arguments:?}");
    }
    let refused = bundle(&["--format", "toml"]).ends(2);
    refused.tells(&["possible values: json, yaml"]);
    bundle(&["--out", "nowhere/a.yaml"])
        .ends(3)
        .tells(&["failed to write nowhere/a.yaml"]);
}
