//! Documents that somebody wrote to break the generator, or that were broken at random: each gets a
//! diagnostic with a place, or code that is well formed.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use codegen_fuzz::{Answer, judge};

/// A document with these schemas, in JSON.
fn with_schemas(schemas: &str) -> String {
    format!(
        r#"{{"openapi": "3.0.4", "info": {{"title": "t", "version": "1"}}, "paths": {{}},
        "components": {{"schemas": {{{schemas}}}}}}}"#
    )
}

/// A document of schemas that are each made of its number and that of the next one; the last is a text.
fn chain(length: usize, schema: impl Fn(usize, usize) -> String) -> String {
    let mut schemas = String::new();
    for number in 0..length {
        let text = schema(number, number + 1);
        write!(schemas, r#""S{number}": {text},"#).unwrap();
    }
    write!(
        schemas,
        r#""S{length}": {{"type": "string", "maxLength": 3}}"#
    )
    .unwrap();
    with_schemas(&schemas)
}

#[track_caller]
fn expect(text: &str, answer: Answer) {
    match judge(text) {
        Ok(given) => assert_eq!(given, answer),
        Err(finding) => panic!("{finding}"),
    }
}

/// The rules of the diagnostics about a document, each once.
fn rules(text: &str) -> Vec<&'static str> {
    let diagnostics = match openapi_document::loader::load_text("t.yaml", text) {
        Ok(document) => match codegen::generate(&document, &codegen_fuzz::judgement::options()) {
            Ok(output) => output.diagnostics,
            Err(diagnostics) => diagnostics,
        },
        Err(error) => error.diagnostics,
    };
    let mut rules: Vec<_> = diagnostics.iter().map(|one| one.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

#[test]
fn findings_stay_repaired() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        if let Err(finding) = judge(&text) {
            panic!("{}: {finding}", path.display());
        }
    }
}

#[test]
fn alternatives_that_lead_back_to_themselves_take_any_value() {
    let text = include_str!("../hostile/alternative-of-itself.yaml");
    let document = openapi_document::loader::load_text("t.yaml", text).unwrap();
    let output = codegen::generate(&document, &codegen_fuzz::judgement::options()).unwrap();
    let told = |rule: &str| {
        let told = output.diagnostics.iter().filter(|one| one.rule == rule);
        let places = told.filter_map(|one| one.primary.as_ref());
        let mut lines: Vec<_> = places.map(|(span, _)| document.place(*span).line).collect();
        lines.sort_unstable();
        lines
    };
    let line = |schema: &str| text.lines().position(|it| it.trim().starts_with(schema));
    let lines = |schemas: &[&str]| -> Vec<_> {
        let lines = schemas.iter().map(|schema| line(schema).unwrap() + 1);
        lines.collect()
    };
    let endless = [
        "Direct:", "First:", "Second:", "Chain:", "Through:", "Middle:", "oneOf:",
    ];
    assert_eq!(told("endless-alternatives"), lines(&endless));
    assert_eq!(told("schema-of-itself"), lines(&["Only:", "Merged:"]));
}

#[test]
fn keys_that_stand_twice_are_told() {
    let yaml = include_str!("../hostile/duplicate-keys.yaml");
    let tree = openapi_document::loader::load_text("t.yaml", yaml)
        .unwrap()
        .root;
    for text in [yaml.to_owned(), tree.to_json_pretty()] {
        let document = openapi_document::loader::load_text("t.yaml", &text).unwrap();
        let output = codegen::generate(&document, &codegen_fuzz::judgement::options()).unwrap();
        let told = output.diagnostics.iter();
        let told: Vec<_> = told.filter(|one| one.rule == "duplicate-key").collect();
        assert_eq!(told.len(), 5);
        let marked =
            |span: &openapi_document::Span| &document.sources.file(span.file).text()[span.range()];
        assert!(marked(&told[0].primary.as_ref().unwrap().0).contains("200"));
        assert!(marked(&told[1].primary.as_ref().unwrap().0).contains("/things"));
        assert_eq!(told[0].severity, openapi_document::Severity::Warning);
        assert!(openapi_lint::lint(&document).iter().any(|one| {
            one.rule == "duplicate-key" && one.severity == openapi_document::Severity::Error
        }));
    }
}

#[test]
fn an_overlay_may_remove_what_stands_twice() {
    let text = r#"{"openapi": "3.0.0", "paths": {"responses": {"$ref": "a", "$ref": "b"}},
        "x-overlay": {"overlay": "1.1.0", "info": {"title": "o", "version": "1"},
        "actions": [{"target": "$.paths.*.*", "remove": true}]}}"#;
    expect(text, Answer::Generated);
}

#[test]
fn a_million_values_are_a_text() {
    let values: Vec<String> = (0..1_000_000)
        .map(|number| format!("\"v{number}\""))
        .collect();
    let values = values.join(",");
    let text = with_schemas(&format!(r#""E": {{"type": "string", "enum": [{values}]}}"#));
    assert_eq!(rules(&text), ["too-many-values"]);
}

#[test]
fn values_that_collide_are_numbered_in_bounded_time() {
    let values: Vec<String> = (0..4_000)
        .map(|number| format!("\"a{}\"", "-".repeat(number)))
        .collect();
    let values = values.join(",");
    let text = with_schemas(&format!(r#""E": {{"type": "string", "enum": [{values}]}}"#));
    expect(&text, Answer::Generated);
}

#[test]
fn chains_of_any_length_are_followed() {
    let next = |next: usize| format!(r##"{{"$ref": "#/components/schemas/S{next}"}}"##);
    let objects = |_: usize, to: usize| format!(r#"{{"properties": {{"next": {}}}}}"#, next(to));
    expect(&chain(2_000, objects), Answer::Generated);
    let unions =
        |_: usize, to: usize| format!(r#"{{"oneOf": [{}, {{"type": "integer"}}]}}"#, next(to));
    expect(&chain(300, unions), Answer::Generated);
}

#[test]
fn references_in_a_long_row_are_followed() {
    let row = chain(300, |_, to| {
        format!(r##"{{"$ref": "#/components/schemas/S{to}"}}"##)
    });
    expect(&row, Answer::Generated);
}

#[test]
fn alternatives_that_multiply_are_bounded() {
    let mut schemas = Vec::new();
    for level in 0..30 {
        let next = level + 1;
        for side in ["A", "B"] {
            schemas.push(format!(
                r##""{side}{level}": {{"properties": {{"{side}{level}": {{"type": "string"}}}},
                "oneOf": [{{"$ref": "#/components/schemas/A{next}"}},
                {{"$ref": "#/components/schemas/B{next}"}}]}}"##
            ));
        }
    }
    schemas.push(r#""A30": {"type": "object"}, "B30": {"type": "string"}"#.to_owned());
    let text = with_schemas(&schemas.join(","));
    assert!(rules(&text).contains(&"too-many-combinations"));
}

#[test]
fn nesting_is_refused_or_followed() {
    let json = |depth: usize| {
        let (open, close) = (
            r#"{"type":"array","items":"#.repeat(depth),
            "}".repeat(depth),
        );
        with_schemas(&format!(r#""S": {open}{{}}{close}"#))
    };
    expect(&json(10_000), Answer::Refused);
    expect(&format!("# YAML\n{}", json(10_000)), Answer::Refused);
    expect(&json(200), Answer::Generated);
    let mut block = "openapi: 3.0.4\ninfo: {title: t, version: '1'}\npaths:\n".to_owned();
    for depth in 0..5_000 {
        writeln!(block, "{}a:", " ".repeat(depth + 2)).unwrap();
    }
    expect(&block, Answer::Refused);
    expect(&"- ".repeat(100_000), Answer::Refused);
}

#[test]
fn versions_that_are_none_are_refused_and_words_of_another_version_taken() {
    for version in [
        "\"2.0\"", "3.9.0", "3", "3.0", "", "null", "[3.0.4]", "3.3.0", "4.0.0", "{}",
    ] {
        let text = format!("openapi: {version}\ninfo: {{title: t, version: '1'}}\npaths: {{}}\n");
        expect(&text, Answer::Refused);
        assert_eq!(rules(&text), ["unsupported-version"], "{version}");
    }
    expect(
        "info: {title: t, version: '1'}\npaths: {}\n",
        Answer::Refused,
    );
    let schema = r#""S": {"type": ["string", "null"], "nullable": true, "exclusiveMinimum": 3, "const": "a"},
        "T": {"type": "integer", "minimum": 1, "exclusiveMinimum": true, "examples": [1], "example": 1}"#;
    let text = with_schemas(schema);
    expect(&text, Answer::Generated);
    expect(&text.replace("3.0.4", "3.1.0"), Answer::Generated);
}

#[test]
fn texts_that_are_no_document_are_refused() {
    let bomb: String = (1..9).fold(
        "openapi: 3.0.4\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned(),
        |text, level| {
            let aliases = vec![format!("*a{}", level - 1); 10].join(",");
            format!("{text}a{level}: &a{level} [{aliases}]\n")
        },
    );
    let cycle = "openapi: 3.0.4\ninfo: &a {title: *a}\n";
    for text in [
        "",
        " ",
        "\u{feff}",
        "\0\0\0",
        "\t- a",
        "openapi: 3.0.4\n\tinfo: {}",
        "[]",
        "null",
        "{",
        &bomb,
        cycle,
    ] {
        expect(text, Answer::Refused);
    }
    let plain = with_schemas(r#""S": {"type": "string"}"#);
    expect(&format!("\u{feff}{plain}"), Answer::Generated);
    expect(
        &plain.replace("{\"type", "{\"type\": \"integer\", \"type"),
        Answer::Generated,
    );
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openapi.yaml");
    let utf_16: Vec<u8> = "openapi: 3.0.4"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for bytes in [
        &[0xff, 0xfe][..],
        &utf_16,
        &[0x7f, b'E', b'L', b'F', 0, 0x80],
    ] {
        fs::write(&path, bytes).unwrap();
        let error = openapi_document::loader::load(&path).unwrap_err();
        assert!(error.diagnostics.has_errors());
        assert!(
            error.render(false).contains("openapi.yaml"),
            "{}",
            error.render(false)
        );
    }
}
