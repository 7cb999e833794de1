//! Tests of the loader with valid and broken documents of many files.

use std::fs;
use std::path::Path;

use openapi_document::{Document, Node, Pointer, loader};

/// Writes the files and loads the first one, the root.
fn load(files: &[(&str, &str)]) -> Result<Document, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    loader::load(&folder.path().join(files[0].0)).map_err(|error| {
        let lines = error.diagnostics.iter().map(|diagnostic| {
            diagnostic
                .one_line(&error.sources)
                .replace(&folder.path().display().to_string(), "")
        });
        lines.collect::<Vec<_>>().join("\n")
    })
}

const ROOT: &str = "openapi: 3.0.4
info: {title: t, version: '1'}
paths:
  /things/{id}:
    $ref: paths/things.yaml#/thing
components:
  schemas:
    Shared: {$ref: schemas/all.yaml#/Shared}
";

#[test]
fn lifts_definitions_of_other_files() {
    let document = load(&[
        ("openapi.yaml", ROOT),
        (
            "paths/things.yaml",
            "thing:
  get:
    operationId: getThing
    responses:
      '200':
        content:
          application/json:
            schema: {$ref: '../schemas/all.yaml#/Thing', x-note: kept}
",
        ),
        (
            "schemas/all.yaml",
            "Thing:
  type: object
  properties:
    self: {$ref: '#/Thing'}
    shared: {$ref: '#/Shared'}
    root: {$ref: '../openapi.yaml#/components/schemas/Shared'}
Shared: {type: string}
",
        ),
    ])
    .unwrap();
    let operation = document.operation("getThing").unwrap();
    let schema = operation.responses()[0].content()[0].schema().unwrap();
    assert_eq!(schema.node.reference(), Some("#/components/schemas/Thing"));
    assert!(schema.node.get("x-note").is_some());
    let thing = document.resolve(&schema).unwrap();
    assert_eq!(
        thing.get("properties").unwrap().node.to_json(),
        r##"{"self":{"$ref":"#/components/schemas/Thing"},"shared":{"$ref":"#/components/schemas/Shared"},"root":{"$ref":"#/components/schemas/Shared"}}"##
    );
    assert!(
        document
            .place(thing.node.span)
            .to_string()
            .ends_with("schemas/all.yaml:2:3")
    );
    let shared: Vec<_> = document
        .components("schemas")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(shared, ["Shared", "Thing"]);
}

#[test]
fn every_missing_reference_is_reported_with_its_place() {
    let problems = load(&[
        ("openapi.yaml", "openapi: 3.0.4\npaths:\n  /a: {$ref: paths.yaml#/nope}\n  /b: {$ref: gone.yaml}\n  /c: {$ref: 'https://example.com/x.yaml'}\n"),
        ("paths.yaml", "a: {}\n"),
    ])
    .unwrap_err();
    let lines: Vec<_> = problems.lines().collect();
    assert_eq!(lines.len(), 3, "{problems}");
    assert!(
        lines[0].starts_with("/openapi.yaml:3:14: error[unresolved-reference]"),
        "{problems}"
    );
    assert!(
        lines[1].starts_with("/openapi.yaml:4:14: error[unreadable-file]"),
        "{problems}"
    );
    assert!(
        lines[2].starts_with("/openapi.yaml:5:14: error[remote-reference]"),
        "{problems}"
    );
}

#[test]
fn definitions_with_the_same_name_get_distinct_names() {
    let files = |first: &str, second: &str| {
        let root = format!(
            "openapi: 3.0.4\ncomponents:\n  schemas:\n    A: {{items: {{$ref: {first}}}}}\n    B: {{items: {{$ref: {second}}}}}\n    T: {{type: string}}\n"
        );
        let texts = [
            ("openapi.yaml", root.as_str()),
            ("orders/item.yaml", "type: string\n"),
            ("payments/item.yaml", "type: integer\n"),
            ("x.yaml", "T: {type: boolean}\n"),
        ];
        let document = loader::load_texts(&texts).unwrap();
        let schemas = document.components("schemas").into_iter();
        let mut names: Vec<String> = schemas.map(|(name, _)| name.to_owned()).collect();
        names.sort();
        let reference = |path: &str| {
            let at = document.root.at(&Pointer::parse(path).unwrap());
            at.and_then(Node::as_str).unwrap_or_default().to_owned()
        };
        let at = |name: &str| reference(&format!("/components/schemas/{name}/items/$ref"));
        (names.join(" "), at("A"), at("B"))
    };
    let local = |name: &str| format!("#/components/schemas/{name}");
    assert_eq!(
        files("orders/item.yaml", "payments/item.yaml"),
        (
            "A B T orders-item payments-item".to_owned(),
            local("orders-item"),
            local("payments-item")
        )
    );
    assert_eq!(
        files("payments/item.yaml", "orders/item.yaml").1,
        local("payments-item")
    );
    assert_eq!(
        files("orders/item.yaml", "orders/item.yaml").0,
        "A B T item"
    );
    assert_eq!(files("x.yaml#/T", "x.yaml#/T").0, "A B T x-T");
}

#[test]
fn mappings_and_siblings_of_a_path_item_reference_resolve_in_their_file() {
    let document = loader::load_texts(&[
        (
            "openapi.yaml",
            "openapi: 3.0.4\npaths:\n  /a:\n    $ref: paths.yaml#/a\n    parameters: [{$ref: 'paths.yaml#/limit'}]\n",
        ),
        (
            "paths.yaml",
            "a: {get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: 'pets.yaml#/components/schemas/Pet'}}}}}}}\nlimit: {name: limit, in: query}\n",
        ),
        (
            "pets.yaml",
            "components:\n  schemas:\n    Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind, mapping: {cat: Cat, dog: 'dog.yaml', gone: 'gone.yaml', own: '#/components/schemas/Cat'}}}\n    Cat: {type: object}\n",
        ),
        ("dog.yaml", "type: object\n"),
    ])
    .unwrap();
    let at = |path: &str| {
        let at = document.root.at(&Pointer::parse(path).unwrap());
        at.and_then(Node::as_str).unwrap_or_default().to_owned()
    };
    let mapping = |key: &str| {
        at(&format!(
            "/components/schemas/Pet/discriminator/mapping/{key}"
        ))
    };
    assert_eq!(mapping("cat"), "#/components/schemas/Cat");
    assert_eq!(mapping("dog"), "#/components/schemas/dog");
    assert_eq!(mapping("own"), "#/components/schemas/Cat");
    // A mapping that a bundle kept from its sources leads nowhere.
    assert_eq!(mapping("gone"), "gone.yaml");
    assert_eq!(
        at("/paths/~1a/parameters/0/$ref"),
        "#/components/parameters/limit"
    );
}

#[test]
fn path_items_that_refer_to_themselves_are_reported() {
    let problems = load(&[
        (
            "openapi.yaml",
            "openapi: 3.0.4\npaths:\n  /a: {$ref: p.yaml#/a}\n",
        ),
        ("p.yaml", "a: {$ref: '#/b'}\nb: {$ref: '#/a'}\n"),
    ])
    .unwrap_err();
    assert!(problems.contains("cyclic-reference"), "{problems}");
}

#[test]
fn other_files_are_refused_with_a_reason() {
    for (text, rule) in [
        ("swagger: '2.0'\n", "unsupported-version"),
        ("openapi: 4.0.0\n", "unsupported-version"),
        ("openapi: 3.0\n", "unsupported-version"),
        ("a: b\n", "unsupported-version"),
        ("[]\n", "unsupported-version"),
        ("a: [\n", "malformed-yaml"),
        ("{\"openapi\": }", "malformed-json"),
        ("", "malformed-yaml"),
    ] {
        let problems = load(&[("openapi.yaml", text)]).unwrap_err();
        assert!(problems.contains(rule), "{text:?}: {problems}");
    }
    let missing = loader::load(Path::new("/nowhere/openapi.yaml")).unwrap_err();
    assert!(
        missing
            .render(false)
            .contains("failed to read `/nowhere/openapi.yaml`")
    );
}

#[test]
fn duplicate_keys_are_found_in_unreferenced_definitions() {
    let document = load(&[
        (
            "openapi.yaml",
            "openapi: 3.0.4\ncomponents:\n  schemas:\n    A: {$ref: x.yaml#/A}\n",
        ),
        (
            "x.yaml",
            "A: {type: string}\nB: {a: 1, a: 2}\nA: {type: integer}\n",
        ),
    ])
    .unwrap();
    let twice = document
        .findings
        .iter()
        .filter(|finding| finding.rule == "duplicate-key");
    assert_eq!(twice.count(), 2);
}

#[cfg(unix)]
#[test]
fn a_document_behind_a_symbolic_link_resolves_references_at_its_real_place() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("real/deep")).unwrap();
    fs::create_dir_all(at("other")).unwrap();
    fs::write(
        at("real/a.yaml"),
        "openapi: 3.0.4\npaths:\n  /a: {$ref: p.yaml#/a}\n",
    )
    .unwrap();
    fs::write(
        at("real/p.yaml"),
        "a: {parameters: [{$ref: 'a.yaml#/x-parameter'}]}\n",
    )
    .unwrap();
    std::os::unix::fs::symlink(at("real/deep"), at("other/link")).unwrap();
    let error = loader::load(&at("other/link/../a.yaml")).unwrap_err();
    let rules: Vec<_> = error.diagnostics.iter().map(|found| found.rule).collect();
    assert_eq!(
        rules,
        ["unresolved-reference"],
        "only what is wrong in the document itself"
    );
}

#[test]
fn a_document_of_many_files_may_be_in_memory() {
    let path = "thing:\n  get: {operationId: getThing, responses: {'200': {description: d}}}\n";
    let all = "Shared: {type: string}\n";
    let texts = [
        ("api/openapi.yaml", ROOT),
        ("api/paths/things.yaml", path),
        ("api/schemas/all.yaml", all),
    ];
    let document = loader::load_texts(&texts).unwrap();
    assert_eq!(document.operations()[0].label(), "getThing");
    let error = loader::load_texts(&texts[..2]).unwrap_err();
    let rendered = error.render(false);
    assert!(
        rendered.contains("api/schemas/all.yaml") && rendered.contains("api/openapi.yaml:8"),
        "{rendered}"
    );
}

#[test]
fn files_that_only_an_example_names_are_not_loaded() {
    let document = load(&[
        (
            "openapi.yaml",
            "openapi: 3.0.4
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Own: {$ref: own.yaml}
    Shown:
      type: object
      example: {$ref: shown.yaml, other: {$ref: malformed.yaml}, third: {$ref: missing.yaml}}
",
        ),
        ("own.yaml", "type: string\n"),
        ("shown.yaml", "type: string\n"),
        ("malformed.yaml", "a: [\n"),
    ])
    .unwrap();
    let names: Vec<_> = document.sources.files().collect();
    let names: Vec<_> = names.iter().map(|file| file.1.path().file_name()).collect();
    let expected = ["openapi.yaml", "own.yaml"].map(|name| Some(name.as_ref()));
    assert_eq!(names, expected);
}

#[test]
fn findings_in_large_files_have_their_place() {
    // The files are large enough to be parsed on several threads.
    let large = |name: &str| {
        let mut text = format!("{name}: {{type: string, maximum: 3}}\n");
        text.extend((0..3000).map(|number| format!("{name}{number}: {{type: string}}\n")));
        text + &format!("{name}Twice: {{type: string, type: string}}\n")
    };
    let files: Vec<(String, String)> = ["A", "B", "C", "D"]
        .map(|name| (format!("{name}.yaml"), large(name)))
        .into();
    let mut root =
        "openapi: 3.0.4\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n"
            .to_owned();
    let asked = ["D", "B", "A", "C"];
    root.extend(asked.map(|name| format!("    {name}: {{$ref: {name}.yaml#/{name}}}\n")));
    let mut all = vec![("openapi.yaml", root.as_str())];
    all.extend(
        files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str())),
    );
    let document = load(&all).unwrap();
    let schemas = document.components("schemas");
    for (place, name) in asked.into_iter().enumerate() {
        // Files are numbered in the order of the references, not of parsing.
        let (id, file) = document.sources.files().nth(place + 1).unwrap();
        assert!(file.path().ends_with(format!("{name}.yaml")), "{name}");
        let (_, schema) = schemas.iter().find(|schema| schema.0 == name).unwrap();
        let text = &file.text()[schema.node.span.range()];
        assert_eq!(
            (schema.node.span.file, text),
            (id, "{type: string, maximum: 3}")
        );
    }
    let mut found = document.findings.clone();
    found.sort();
    let twice = found
        .iter()
        .filter(|finding| finding.rule == "duplicate-key");
    let lines: Vec<_> = twice
        .map(|finding| finding.one_line(&document.sources))
        .collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].contains(":3002:"), "{}", lines[0]);
}
