//! What state machines become: `goldens/inputs/machines.yaml` beside its outputs.

use codegen::{Options, format, generate, page};
use openapi_document::{Behaviour, behaviour, loader};

use crate::goldens::{assert_output, folder, without_modules, without_origin};

fn input() -> Behaviour {
    behaviour::load(&folder("inputs/machines.yaml")).unwrap()
}

/// The generated files, by name; `root` declares what the records share.
fn outputs() -> Vec<(String, String)> {
    let text = "openapi: 3.0.4\ninfo: {title: Golden, version: '1'}\npaths: {}";
    let document = loader::load_text("golden.yaml", text).unwrap();
    let options = Options {
        crate_name: "golden".to_owned(),
        complete_crate: false,
        round_trips: false,
        source_label: "golden.yaml".to_owned(),
        behaviour: Some(input()),
        command: String::new(),
        exact: false,
        ..Options::default()
    };
    let mut files = generate(&document, &options).unwrap().files;
    files.retain(|file| file.path.starts_with("src/behaviour"));
    let files = format(files).unwrap().into_iter();
    let outputs = files.map(|file| {
        let name = file.path.file_stem().unwrap().to_str().unwrap();
        let name = if name == "mod" { "root" } else { name };
        let text = without_origin(&without_modules(&file.text));
        (name.to_owned(), text)
    });
    outputs.collect()
}

#[test]
fn every_output_is_what_comes_out() {
    let outputs = outputs();
    let names: Vec<_> = outputs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["door", "lamp", "root"]);
    for (name, text) in &outputs {
        assert_output("machines", name, text);
    }
    assert_output("machines", "page", &page(&input()));
}
