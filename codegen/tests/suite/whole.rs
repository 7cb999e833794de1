//! Properties of whole documents: the same bytes each time, whatever the order of keys; no panic,
//! whatever the document.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use codegen::{Options, Output, generate};
use openapi_document::node::{Mapping, Node, Value};
use openapi_document::{Document, Pointer};

fn options() -> Options {
    Options {
        crate_name: "sample".to_owned(),
        complete_crate: true,
        round_trips: false,
        source_label: "sample.yaml".to_owned(),
        behaviour: None,
        command: String::new(),
        exact: false,
        ..Options::default()
    }
}

fn load(path: &Path) -> Document {
    match openapi_document::loader::load(&path.canonicalize().unwrap()) {
        Ok(document) => document,
        Err(error) => panic!("{}", error.diagnostics.render(&error.sources, false)),
    }
}

fn contract() -> Document {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml"))
}

fn sample() -> Document {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample.yaml"))
}

/// The Rust files; the bundle keeps the order of the document.
fn rust(output: &Output) -> Vec<(PathBuf, String)> {
    let files = output.files.iter();
    let rust = files.filter(|file| file.path.extension().is_some_and(|it| it == "rs"));
    rust.map(|file| (file.path.clone(), file.text.clone()))
        .collect()
}

fn reversed(node: &Node) -> Node {
    let value = match &node.value {
        Value::Sequence(items) => Value::Sequence(items.iter().map(reversed).collect()),
        Value::Mapping(mapping) => {
            let mut entries = mapping.entries.clone();
            entries.reverse();
            for entry in &mut entries {
                entry.value = reversed(&entry.value);
            }
            Value::Mapping(Mapping { entries })
        }
        scalar => scalar.clone(),
    };
    Node {
        value,
        span: node.span,
    }
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    for document in [contract(), sample()] {
        let first = generate(&document, &options()).unwrap();
        let second = generate(&document, &options()).unwrap();
        assert_eq!(first.files, second.files);
    }
}

#[test]
fn the_order_of_keys_makes_no_difference() {
    for document in [contract(), sample()] {
        let shuffled = Document {
            root: reversed(&document.root),
            ..document.clone()
        };
        let expected = rust(&generate(&document, &options()).unwrap());
        let actual = rust(&generate(&shuffled, &options()).unwrap());
        for (expected, actual) in expected.iter().zip(&actual) {
            assert_eq!(expected, actual);
        }
        assert_eq!(expected.len(), actual.len());
    }
}

#[test]
fn no_node_can_be_replaced_by_something_that_breaks_the_generator() {
    let document = sample();
    let mut pointers = Vec::new();
    collect(&document.root, &Pointer::root(), &mut pointers);
    // Each place gets one of them, and every one with `EXHAUSTIVE`.
    let wrong = [
        "null",
        "true",
        "7",
        "\"x\"",
        "[]",
        "[{}]",
        "{}",
        "{\"$ref\":\"#/nowhere\"}",
    ];
    let is_exhaustive = std::env::var_os("EXHAUSTIVE").is_some();
    for (number, pointer) in pointers.into_iter().enumerate() {
        let some = if is_exhaustive {
            &wrong[..]
        } else {
            std::slice::from_ref(&wrong[number % wrong.len()])
        };
        for wrong in some {
            let wrong = openapi_document::json::read_text(wrong).unwrap().value;
            let mut root = document.root.clone();
            replace(&mut root, &pointer.segments().collect::<Vec<_>>(), wrong);
            let broken = Document {
                root,
                ..document.clone()
            };
            match generate(&broken, &options()) {
                Ok(output) => {
                    for (path, text) in rust(&output) {
                        let bad = text.contains("compile_error!");
                        assert!(!bad, "{pointer}: {} is no Rust", path.display());
                    }
                }
                Err(diagnostics) => {
                    assert!(
                        diagnostics.has_errors(),
                        "{pointer}: refused without a reason"
                    );
                    let have_places = diagnostics.iter().all(|own| own.primary.is_some());
                    assert!(
                        have_places,
                        "{pointer}: {}",
                        diagnostics.render(&broken.sources, false)
                    );
                }
            }
        }
    }
}

fn collect(node: &Node, pointer: &Pointer, pointers: &mut Vec<Pointer>) {
    pointers.push(pointer.clone());
    for entry in node.entries() {
        collect(&entry.value, &pointer.join(entry.key.as_str()), pointers);
    }
    for (index, item) in node.items().enumerate() {
        collect(item, &pointer.join(index.to_string()), pointers);
    }
}

fn replace(node: &mut Node, segments: &[Cow<'_, str>], value: Value) {
    let Some((first, rest)) = segments.split_first() else {
        node.value = value;
        return;
    };
    match &mut node.value {
        Value::Mapping(mapping) => {
            if let Some(entry) = mapping.entries.iter_mut().find(|entry| entry.key == *first) {
                replace(&mut entry.value, rest, value);
            }
        }
        Value::Sequence(items) => {
            if let Some(item) = first
                .parse()
                .ok()
                .and_then(|index: usize| items.get_mut(index))
            {
                replace(item, rest, value);
            }
        }
        _ => {}
    }
}

#[test]
fn another_version_is_an_error_with_a_place() {
    let mut document = sample();
    replace(
        &mut document.root,
        &["openapi".into()],
        Value::String("2.0".to_owned()),
    );
    let errors = generate(&document, &options()).unwrap_err();
    let text = errors.render(&document.sources, false);
    assert!(text.contains("version-not-supported"), "{text}");
    assert!(text.contains("sample.yaml:1"), "{text}");
}

#[test]
fn references_to_nowhere_are_errors_wherever_they_stand() {
    let text = r##"{"openapi": "3.0.4", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {
        "parameters": [{"$ref": "#/components/parameters/Gone"}],
        "responses": {"200": {"$ref": "#/components/responses/Gone"}}}}},
        "components": {"schemas": {"A": {"$ref": "#/components/schemas/A"}}}}"##;
    let document = openapi_document::loader::load_text("a.json", text).unwrap();
    let errors = generate(&document, &options()).unwrap_err();
    let rules: Vec<_> = errors.iter().map(|error| error.rule).collect();
    let nowhere = "unresolved-reference";
    assert_eq!(rules, [nowhere, nowhere, "cyclic-reference"]);
}

#[test]
fn what_is_not_expressed_is_told_with_its_place() {
    let document = sample();
    let output = generate(&document, &options()).unwrap();
    let lines: Vec<String> = output
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.one_line(&document.sources))
        .collect();
    for rule in [
        "link-body-not-json",
        "link-expression-not-valid",
        "link-outside-document",
        "link-parameter-unknown",
        "link-target-unknown",
        "link-to-other-server",
        "media-type-left-out",
        "pattern-not-supported",
        "example-not-held",
    ] {
        let told = lines
            .iter()
            .any(|line| line.contains(&format!("warning[{rule}]")));
        assert!(told, "{rule} is not in {lines:#?}");
    }
    assert!(
        lines.iter().all(|line| line.contains("sample.yaml:")),
        "{lines:#?}"
    );
}

#[test]
fn callbacks_are_told_of_and_their_bodies_are_models() {
    let text = r##"{"openapi": "3.0.4", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": {
        "operationId": "a", "responses": {"204": {"description": "done"}}, "callbacks": {
        "named": {"{$request.body#/url}": {"post": {"requestBody": {"content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/Told"}}}}, "responses": {}}}},
        "nameless": {"{$request.body#/url}": {"post": {"requestBody": {"content": {"application/json": {
            "schema": {"type": "object"}}}}, "responses": {}}}}}}}},
        "components": {"schemas": {"Told": {"type": "object", "properties": {"b": {"type": "string"}}}}}}"##;
    let document = openapi_document::loader::load_text("a.json", text).unwrap();
    let output = generate(&document, &options()).unwrap();
    assert_eq!(rules(&output), Vec::<&str>::new());
    let text: String = rust(&output).into_iter().map(|(_, text)| text).collect();
    for expected in [
        "Calls back: `named`, which sends a `Told`.",
        "Calls back: `nameless`.",
        "pub struct Told",
        "body: Option<models::Told>",
        "fn receive_named<T: Callbacks>(path: &str, implementation: &Arc<T>)",
        "fn receive_nameless<T: Callbacks>",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
}

fn rules(output: &Output) -> Vec<&str> {
    output.diagnostics.iter().map(|one| one.rule).collect()
}

/// A document with one webhook, and an operation with the given callbacks.
fn telling(version: &str, callbacks: &str) -> Output {
    let text = format!(
        r#"{{"openapi": "{version}", "info": {{"title": "t", "version": "1"}}, "paths": {{
        "/a": {{"post": {{"operationId": "a", "responses": {{}}, "callbacks": {callbacks}}}}},
        "/b": {{"post": {{"operationId": "b", "responses": {{}}, "callbacks": {callbacks}}}}}}},
        "webhooks": {{"newPet": {{"post": {{"requestBody": {{"required": true, "content": {{"application/json": {{
        "schema": {{"type": "object", "properties": {{"name": {{"type": "string"}}}}}}}}}}}}, "responses": {{}}}}}}}}}}"#
    );
    let document = openapi_document::loader::load_text("a.json", &text).unwrap();
    generate(&document, &options()).unwrap()
}

fn file(output: &Output, path: &str) -> String {
    let found = rust(output)
        .into_iter()
        .find(|(own, _)| own == Path::new(path));
    found.map(|(_, text)| text).unwrap_or_default()
}

#[test]
fn webhooks_are_received_and_sent() {
    let output = telling("3.1.0", "{}");
    assert_eq!(rules(&output), Vec::<&str>::new());
    let receiver = file(&output, "src/server/webhooks.rs");
    for expected in [
        "pub trait Webhooks",
        "fn receive_new_pet<T: Webhooks>",
        "body: models::NewPetRequest",
    ] {
        assert!(
            receiver.contains(expected),
            "{expected} is not in {receiver}"
        );
    }
    assert!(file(&output, "src/client/webhooks.rs").contains("address: &str"));
    assert!(!receiver.contains("Secrets"));
    let manifest = output
        .files
        .iter()
        .find(|file| file.path == Path::new("Cargo.toml"))
        .unwrap();
    assert!(manifest.text.contains("callbacks = []") && !manifest.text.contains("hmac"));
}

#[test]
fn what_several_operations_send_alike_is_one_callback_and_what_differs_is_not() {
    let told = r#"{"told": {"{$request.body#/url}": {"post": {"responses": {}}}}}"#;
    let receiver = file(&telling("3.1.0", told), "src/server/callbacks.rs");
    assert_eq!(receiver.matches("pub fn receive_").count(), 1, "{receiver}");
    let told = r#"{"told": {"{$request.body#/url}": {"post": {"responses": {}}},
        "{$request.body#/other}": {"post": {"responses": {}}, "put": {"responses": {}}}}}"#;
    let receiver = file(&telling("3.1.0", told), "src/server/callbacks.rs");
    for name in ["told_post", "told_post_2", "told_put"] {
        assert!(
            receiver.contains(&format!("fn receive_{name}<")),
            "{receiver}"
        );
    }
}

#[test]
fn three_headers_declare_a_signature() {
    let header = |name| {
        format!(
            r#"{{"name": "{name}", "in": "header", "required": true, "schema": {{"type": "string"}}}}"#
        )
    };
    let names = ["webhook-id", "webhook-timestamp", "Webhook-Signature"];
    for (count, signed) in [(3, true), (2, false)] {
        let headers: Vec<String> = names[..count].iter().map(header).collect();
        let told = format!(
            r#"{{"told": {{"{{$request.body#/url}}": {{"post": {{"parameters": [{}], "responses": {{}}}}}}}}}}"#,
            headers.join(",")
        );
        let output = telling("3.1.0", &told);
        let receiver = file(&output, "src/server/callbacks.rs");
        assert_eq!(
            receiver.contains("secrets.check(&call)?"),
            signed,
            "{receiver}"
        );
        let copied = !file(&output, "src/runtime/signature.rs").is_empty();
        let manifest = output
            .files
            .iter()
            .find(|file| file.path == Path::new("Cargo.toml"))
            .unwrap();
        assert_eq!((copied, manifest.text.contains("hmac")), (signed, signed));
    }
}

#[test]
fn a_parameter_that_no_style_can_say_is_told_of() {
    let text = r#"{"openapi": "3.0.4", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {
        "operationId": "a", "responses": {}, "parameters": [
            {"name": "deep", "in": "query", "style": "deepObject", "schema": {"type": "array",
                "items": {"type": "array", "items": {"type": "string"}}}},
            {"name": "flat", "in": "query", "schema": {"type": "array",
                "items": {"type": "array", "items": {"type": "string"}}}}]}}}}"#;
    let document = openapi_document::loader::load_text("a.json", text).unwrap();
    let output = generate(&document, &options()).unwrap();
    let told = output.diagnostics.iter();
    let told: Vec<_> = told.map(|one| one.one_line(&document.sources)).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    let (place, rule) = ("a.json:5:13", "warning[parameter-nested]");
    assert!(
        told[0].contains(place) && told[0].contains(rule),
        "{told:#?}"
    );
}

#[test]
fn a_fragment_of_a_path_is_not_sent() {
    let text = r#"{"openapi": "3.0.4", "info": {"title": "t", "version": "1"}, "paths": {"/a#b": {"put": {
        "operationId": "a", "responses": {}, "parameters": [{"name": "q", "in": "query", "schema": {
        "type": "string"}}]}}}}"#;
    let document = openapi_document::loader::load_text("a.json", text).unwrap();
    let output = generate(&document, &options()).unwrap();
    let text: String = rust(&output).into_iter().map(|(_, text)| text).collect();
    assert!(text.contains("\"PUT\", \"/a\")"), "{text}");
}

#[test]
fn the_own_values_of_an_alternative_are_its_tags_without_a_mapping() {
    let text = r##"{"openapi": "3.0.4", "info": {"title": "t", "version": "1"}, "paths": {}, "components": {"schemas": {
        "Tool": {"oneOf": [{"$ref": "#/components/schemas/Search"}, {"$ref": "#/components/schemas/Call"}],
            "discriminator": {"propertyName": "type"}},
        "Search": {"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "enum": ["find"]}}},
        "Call": {"type": "object", "required": ["type"], "properties": {"type": {"type": "string"}}}}}}"##;
    let document = openapi_document::loader::load_text("a.json", text).unwrap();
    let output = generate(&document, &options()).unwrap();
    let text: String = rust(&output).into_iter().map(|(_, text)| text).collect();
    assert!(text.contains("\"find\" => union::branch"), "{text}");
    assert!(text.contains("\"Call\" => union::branch"), "{text}");
}

#[test]
fn own_values_that_name_other_alternatives_are_no_tags() {
    let text = r##"{"openapi": "3.0.4", "info": {"title": "t", "version": "1"}, "paths": {}, "components": {"schemas": {
        "Tool": {"oneOf": [{"$ref": "#/components/schemas/Search"}, {"$ref": "#/components/schemas/Call"}],
            "discriminator": {"propertyName": "type"}},
        "Kind": {"type": "string", "enum": ["Search", "Call"]},
        "Search": {"type": "object", "required": ["type"], "properties": {"type": {"$ref": "#/components/schemas/Kind"}}},
        "Call": {"type": "object", "required": ["type"], "properties": {"type": {"$ref": "#/components/schemas/Kind"}}}}}}"##;
    let document = openapi_document::loader::load_text("a.json", text).unwrap();
    let output = generate(&document, &options()).unwrap();
    let text: String = rust(&output).into_iter().map(|(_, text)| text).collect();
    for name in ["Search", "Call"] {
        let arm = format!("\"{name}\" => union::branch(&raw).map(Self::{name})");
        assert!(text.contains(&arm), "{text}");
    }
}

/// The compiler gives up on types that lie too deep in each other for its limit.
#[test]
fn types_deep_in_each_other_raise_the_limit_of_the_compiler() {
    let limit = |types: usize| {
        let schemas: Vec<String> = (0..types)
            .map(|index| {
                let next = (index + 1) % types;
                format!(
                    "\"T{index}\": {{\"type\": \"object\", \"properties\": {{\"next\": \
                     {{\"$ref\": \"#/components/schemas/T{next}\"}}}}}}"
                )
            })
            .collect();
        let text = format!(
            "{{\"openapi\": \"3.0.4\", \"info\": {{\"title\": \"t\", \"version\": \"1\"}}, \"paths\": {{}}, \
             \"components\": {{\"schemas\": {{{}}}}}}}",
            schemas.join(", ")
        );
        let document = openapi_document::loader::load_text("a.json", &text).unwrap();
        let output = generate(&document, &options()).unwrap();
        let root = Path::new("src/lib.rs");
        let file = output.files.iter().find(|file| file.path == root).unwrap();
        let limit = file.text.split_once("#![recursion_limit = \"");
        limit.map(|(_, rest)| rest.split_once('"').unwrap().0.to_owned())
    };
    assert_eq!(limit(5), None);
    assert_eq!(limit(40).as_deref(), Some("256"));
    assert_eq!(limit(100).as_deref(), Some("1024"));
}

#[test]
fn every_document_of_the_corpus_becomes_rust() {
    if !prerequisites::PUBLISHED_DOCUMENTS.is_met() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|it| it == "yaml" || it == "json")
    });
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    for path in paths {
        let document = load(&path);
        let output = generate(&document, &options()).unwrap();
        let operations = document.operations().len();
        let text: String = rust(&output).into_iter().map(|(_, text)| text).collect();
        assert!(!text.contains("compile_error!"), "{}", path.display());
        let emitted = text.matches("pub static ").count();
        assert!(
            emitted >= operations,
            "{}: {emitted} of {operations}",
            path.display()
        );
    }
}
