//! Areas are features of a crate: any of them compiles alone, with the models that it needs.

use std::path::{Path, PathBuf};

use codegen::{File, Options, generate};

use crate::goldens::assert_output;

fn beside(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/areas");
    folder.join(name)
}

fn shop(complete_crate: bool) -> Vec<File> {
    let document = openapi_document::loader::load(&beside("areas.yaml")).unwrap();
    let options = Options {
        crate_name: "shop".to_owned(),
        complete_crate,
        round_trips: true,
        source_label: "areas.yaml".to_owned(),
        behaviour: None,
        command: String::new(),
        exact: false,
        ..Options::default()
    };
    generate(&document, &options).unwrap().files
}

fn text(files: &[File], path: &str) -> String {
    let found = files.iter().find(|file| file.path == Path::new(path));
    found.unwrap().text.clone()
}

/// What holds for the item that a line begins.
fn condition<'a>(text: &'a str, item: &str) -> Option<&'a str> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.starts_with(item))
        .unwrap();
    let above = at.checked_sub(1).map(|above| lines[above]);
    above.filter(|line| line.starts_with("#[cfg"))
}

#[test]
fn each_area_is_a_feature_and_brings_those_that_its_links_lead_to() {
    let manifest = text(&shop(true), "Cargo.toml");
    for line in [
        "default = [\"client\", \"rustls\"]",
        "areas = [\n    \"area-customers\",\n    \"area-files\",\n    \"area-orders\",\n]",
        "area-customers = []\n",
        "area-files = []\n",
        "area-orders = [\"area-customers\"]\n",
        "callbacks = [\"areas\"]\n",
    ] {
        assert!(manifest.contains(line), "{line}\n{manifest}");
    }
}

#[test]
fn models_are_there_with_the_areas_that_need_them() {
    let files = shop(true);
    let models = text(&files, "src/models/mod.rs");
    let of = |module: &str| condition(&models, &format!("mod {module};"));
    assert_eq!(of("orders"), Some("#[cfg(feature = \"area-orders\")]"));
    assert_eq!(of("unused"), Some("#[cfg(feature = \"areas\")]"));
    assert_eq!(of("shared"), None);
    let shared = text(&files, "src/models/shared.rs");
    assert!(shared.contains("struct Money"), "two areas use it");
    assert!(shared.contains("enum Reason"), "a shared header has it");
    assert!(text(&files, "src/models/unused.rs").contains("struct Forgotten"));
}

#[test]
fn the_root_of_the_models_names_the_areas_of_each_module() {
    let models = text(&shop(true), "src/models/mod.rs");
    assert_output("areas", "models", &models);
}

#[test]
fn a_crate_without_a_manifest_of_its_own_is_whole() {
    for file in shop(false) {
        assert!(!file.text.contains("area-"), "{}", file.path.display());
    }
}
