//! Large documents are generated, or refused, in bounded time and memory.
//!
//! Each is given to the generator in a process of its own. What is bounded is the CPU that it
//! takes, which does not depend on what else the machine does, and its memory at the peak.

use std::fmt::Write;
use std::process::Command;

use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::time::TimeValLike;

/// What tells a process that it is to measure.
const MEASURED: &str = "BOUNDS_MEASURED";

/// Runs `work` in another process, which is this test once more; its CPU in milliseconds. It may
/// take so many seconds of it and so many megabytes.
fn bounded(test: &str, case: &str, seconds: u64, megabytes: i64, work: impl FnOnce()) -> i64 {
    if std::env::var(MEASURED).is_ok_and(|measured| measured == case) {
        setrlimit(Resource::RLIMIT_CPU, seconds, seconds).unwrap();
        work();
        let usage = getrusage(UsageWho::RUSAGE_SELF).unwrap();
        let cpu = usage.user_time() + usage.system_time();
        let (cpu, peak) = (cpu.num_milliseconds(), usage.max_rss() / 1024);
        #[expect(clippy::print_stdout, reason = "the process that measures reads it")]
        {
            println!("\ncost {cpu} {peak}");
        }
        return 0;
    }
    if std::env::var_os(MEASURED).is_some() {
        return 0;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args([&format!("bounds::{test}"), "--exact", "--nocapture"])
        .env(MEASURED, case)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{case}: {}: {told}{errors}",
        output.status
    );
    let cost = told.lines().find_map(|line| line.strip_prefix("cost "));
    let (cpu, peak) = cost.unwrap().split_once(' ').unwrap();
    assert!(
        peak.parse::<i64>().unwrap() <= megabytes,
        "{case}: {peak} MB"
    );
    cpu.parse().unwrap()
}

/// The rules of the diagnostics about a document, each once, and how many lines of Rust came of it.
fn generated(text: &str) -> (Vec<&'static str>, usize) {
    let document = openapi_document::loader::load_text("t.json", text).unwrap();
    let options = codegen_fuzz::judgement::options();
    let (diagnostics, lines) = match codegen::generate(&document, &options) {
        Ok(output) => {
            let lines = output.files.iter().map(|file| file.text.lines().count());
            (output.diagnostics.clone(), lines.sum())
        }
        Err(diagnostics) => (diagnostics, 0),
    };
    assert!(diagnostics.iter().all(|one| one.primary.is_some()));
    diagnostics.render(&document.sources, false);
    let mut rules: Vec<_> = diagnostics.iter().map(|one| one.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    (rules, lines)
}

fn document(paths: &str, schemas: &str) -> String {
    format!(
        r#"{{"openapi": "3.0.4", "info": {{"title": "t", "version": "1"}}, "paths": {{{paths}}},
        "components": {{"schemas": {{{schemas}}}}}}}"#
    )
}

/// A document with a chain of schemas, each of which refers to the next one.
fn chain(length: usize, schema: impl Fn(usize, &str) -> String) -> String {
    let mut schemas = String::new();
    for number in 0..length {
        let next = format!(r##"{{"$ref": "#/components/schemas/S{}"}}"##, number + 1);
        write!(schemas, r#""S{number}": {},"#, schema(number, &next)).unwrap();
    }
    write!(schemas, r#""S{length}": {{"type": "object"}}"#).unwrap();
    document("", &schemas)
}

#[test]
fn a_chain_of_100_000_references_is_followed() {
    bounded(
        "a_chain_of_100_000_references_is_followed",
        "chain",
        60,
        500,
        || {
            let text = chain(100_000, |_, next| next.to_owned());
            let (rules, lines) = generated(&text);
            assert_eq!(rules, [""; 0]);
            assert!(lines > 100_000);
        },
    );
}

#[test]
fn a_chain_of_20_000_conjunctions_is_refused() {
    bounded(
        "a_chain_of_20_000_conjunctions_is_refused",
        "chain",
        120,
        1_500,
        || {
            let text = chain(20_000, |number, next| {
                format!(
                    r#"{{"allOf": [{next}, {{"properties": {{"p{number}": {{"type": "string"}}}}}}]}}"#
                )
            });
            assert_eq!(generated(&text), (vec!["too-many-properties"], 0));
        },
    );
}

#[test]
fn an_object_of_100_000_properties_is_a_struct() {
    bounded(
        "an_object_of_100_000_properties_is_a_struct",
        "object",
        120,
        1_500,
        || {
            let mut schema =
                r#""S": {"type": "object", "properties": {"p": {"type": "string"}"#.to_owned();
            for number in 1..100_000 {
                write!(schema, r#","p{number}": {{"type": "string"}}"#).unwrap();
            }
            let (rules, lines) = generated(&document("", &format!("{schema}}}}}")));
            assert_eq!(rules, [""; 0]);
            assert!(lines > 100_000);
        },
    );
}

/// Every warning of a document that stands on one line shows only a part of that line.
#[test]
fn a_warning_for_each_of_20_000_names_is_told() {
    bounded(
        "a_warning_for_each_of_20_000_names_is_told",
        "names",
        60,
        500,
        || {
            let names: Vec<String> = (0..20_000)
                .map(|number| format!("\"required name {number}\""))
                .collect();
            let schema = format!(
                r#""S": {{"type": "object", "required": [{}], "properties": {{"a": {{}}}}}}"#,
                names.join(",")
            );
            let rules = ["keyword-not-expressed", "required-undeclared"];
            assert_eq!(generated(&document("", &schema)).0, rules);
        },
    );
}

/// Operations as published documents have them, with long descriptions and an example each.
fn published(operations: usize) -> String {
    let words = "What is told about the thing, at some length, as people do. ".repeat(120);
    let (mut paths, mut schemas) = (String::new(), String::new());
    for n in 0..operations {
        let comma = if n == 0 { "" } else { "," };
        let thing = format!(r##"{{"schema": {{"$ref": "#/components/schemas/Thing{n}"}}}}"##);
        write!(
            paths,
            r#"{comma}"/things{n}/{{id}}": {{
            "parameters": [{{"name": "id", "in": "path", "required": true, "schema": {{"type": "string"}}}}],
            "get": {{"operationId": "getThing{n}", "tags": ["area{area}"], "description": "{words}",
                "parameters": [{{"name": "limit", "in": "query", "schema": {{"type": "integer"}}}}],
                "responses": {{"200": {{"description": "{words}", "content": {{"application/json": {thing}}}}}}}}},
            "put": {{"operationId": "putThing{n}", "tags": ["area{area}"],
                "requestBody": {{"required": true, "content": {{"application/json": {thing}}}}},
                "responses": {{"204": {{"description": "Kept."}}}}}}}}"#,
            area = n % 20,
        )
        .unwrap();
        write!(
            schemas,
            r##"{comma}"Thing{n}": {{"type": "object", "description": "{words}", "required": ["id"], "properties": {{
            "id": {{"type": "string", "maxLength": 36}}, "kind": {{"type": "string", "enum": ["a{n}", "b"]}},
            "parent": {{"$ref": "#/components/schemas/Thing{parent}"}}, "note{n}": {{"type": "string"}},
            "of": {{"oneOf": [{{"type": "string"}}, {{"type": "integer"}}]}}}}}}"##,
            parent = n / 2,
        )
        .unwrap();
    }
    document(&paths, &schemas)
}

#[test]
fn a_document_of_13_megabytes_takes_twice_the_time_of_its_half() {
    const TEST: &str = "a_document_of_13_megabytes_takes_twice_the_time_of_its_half";
    let generate = |operations: usize, megabytes: usize| {
        move || {
            let text = published(operations);
            assert!(text.len() >= megabytes * 1_000_000, "{}", text.len());
            let (rules, lines) = generated(&text);
            assert_eq!(rules, [""; 0]);
            assert!(lines > operations * 100);
        }
    };
    let half = bounded(TEST, "half", 120, 600, generate(300, 6));
    let whole = bounded(TEST, "whole", 240, 900, generate(600, 13));
    // Twice; quadratic would be four times.
    assert!(whole <= half * 3, "{half} and {whole} ms");
}
