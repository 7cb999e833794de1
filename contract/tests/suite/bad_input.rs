//! Tests unreadable and wrong input: a complete list of errors with places, the documented exit
//! code, and never a panic.

use std::fmt::Write as _;

use crate::support::Bench;

#[test]
fn a_file_that_is_not_a_document_is_reported_with_its_place() {
    let bench = Bench::new();
    bench.write("list.yaml", "- a\n- b\n");
    bench.write("broken.yaml", "openapi: 3.0.4\ninfo: {title: [}\n");
    bench.write("broken.json", "{\"openapi\": \"3.0.4\",\n \"info\": }");
    bench.write("empty.yaml", "");
    std::fs::write(bench.path().join("bytes.yaml"), [0xff, 0xfe, 0x00]).unwrap();
    for (file, parts) in [
        ("list.yaml", &["unsupported-version", "list.yaml:1:1"][..]),
        ("broken.yaml", &["malformed-yaml", "broken.yaml:2:"]),
        ("broken.json", &["malformed-json", "broken.json:2:"]),
        ("empty.yaml", &["malformed-yaml", "empty.yaml:1:1"]),
        ("bytes.yaml", &["unreadable-file", "bytes.yaml"]),
        ("nothing.yaml", &["unreadable-file", "nothing.yaml"]),
    ] {
        bench.run(&["lint", file]).ends(3).tells(parts);
        bench
            .run(&["diff", "openapi.yaml", file])
            .ends(3)
            .tells(parts);
        bench
            .run(&["diff", file, "openapi.yaml"])
            .ends(3)
            .tells(parts);
        bench.run(&["bundle", file]).ends(3);
        bench.run(&["generate", file, "--out", "crate"]).ends(3);
    }
}

#[test]
fn errors_of_both_documents_are_reported_at_once() {
    let bench = Bench::new();
    bench.write("a.yaml", "openapi: 3.0.4\ninfo: {title: [}\n");
    bench.write("b.yaml", "arazzo: 1.0.1\n");
    let run = bench.run(&["diff", "a.yaml", "b.yaml"]).ends(3);
    run.tells(&[
        "a.yaml:2:",
        "malformed-yaml",
        "b.yaml:1:1",
        "unsupported-version",
    ]);
}

#[test]
fn documents_of_another_kind_are_refused() {
    let bench = Bench::new();
    bench.write(
        "swagger.json",
        "{\"swagger\": \"2.0\", \"info\": {}, \"paths\": {}}",
    );
    bench.write("workflows.yaml", "arazzo: 1.0.1\nworkflows: []\n");
    let run = bench.run(&["diff", "swagger.json", "openapi.yaml"]).ends(3);
    run.tells(&["this is a Swagger document", "swagger.json:1:"]);
    let run = bench
        .run(&["diff", "openapi.yaml", "workflows.yaml"])
        .ends(3);
    run.tells(&["this is not an OpenAPI document", "workflows.yaml:1:1"]);
}

#[test]
fn a_missing_revision_is_reported() {
    let bench = Bench::new();
    for (arguments, part) in [
        (
            &["diff", "nowhere:openapi.yaml"][..],
            "there is no revision `nowhere`",
        ),
        (
            &["diff", "main:other.yaml", "openapi.yaml"],
            "main:other.yaml",
        ),
        (
            &["diff", "--base", "v9", "openapi.yaml"],
            "there is no revision `v9`",
        ),
        (
            &["lint", "--", "-x:openapi.yaml"],
            "there is no revision `-x`",
        ),
    ] {
        bench.run(arguments).ends(3).tells(&[part]);
    }
    let bare = Bench::bare();
    bare.write("openapi.yaml", crate::support::CLEAN);
    let run = bare.run(&["diff", "openapi.yaml"]).ends(3);
    run.tells(&["is in no git repository"]);
}

#[test]
fn broken_references_in_a_revision_are_reported_with_the_revision() {
    let bench = Bench::new();
    bench.replace(
        "openapi.yaml",
        "schema: {$ref: '#/components/schemas/Problem'}",
        "schema: {$ref: 'parts/problem.yaml#/Problem'}",
    );
    bench.commit();
    let run = bench
        .run(&["diff", "main:openapi.yaml", "openapi.yaml"])
        .ends(3);
    run.tells(&["main:parts/problem.yaml", "main:openapi.yaml:"]);
}

#[test]
fn an_endless_document_ends() {
    let bench = Bench::new();
    bench.replace(
        "openapi.yaml",
        "  schemas:\n",
        "  schemas:\n    Loop: {$ref: '#/components/schemas/Loop'}\n    Tree: {type: object, properties: {next: {$ref: '#/components/schemas/Tree'}}, allOf: [{$ref: '#/components/schemas/Tree'}]}\n",
    );
    bench
        .run(&["lint", "openapi.yaml"])
        .ends(1)
        .tells(&["cyclic-reference"]);
    let code = bench.run(&["diff", "openapi.yaml"]).code;
    assert!((0..=1).contains(&code), "{code}");
}

#[test]
fn thirteen_megabytes_are_read() {
    let bench = Bench::new();
    let bundle = bench.run(&["bundle", "openapi.yaml"]).ends(0).out;
    let mut schemas = String::from("\"schemas\": {");
    let words = "words that go on and on and say nothing at all, ".repeat(2_000);
    for index in 0..136 {
        let _ = write!(
            schemas,
            "\"Part{index}\": {{\"type\": \"object\", \"description\": \"{words}\"}},"
        );
    }
    let text = bundle.replacen("\"schemas\": {", &schemas, 1);
    assert!(text.len() > 13_000_000, "{}", text.len());
    bench.write("large.json", &text);
    bench.write(
        "larger.json",
        &text.replace("\"maximum\": 100", "\"maximum\": 99"),
    );
    let lint = ["lint", "large.json", "--output", "json=a.json"];
    let diff = [
        "diff",
        "large.json",
        "larger.json",
        "--output",
        "html=b.html",
    ];
    for arguments in [lint.as_slice(), &diff] {
        let code = bench.run(arguments).code;
        assert!((0..=1).contains(&code), "{arguments:?}: {code}");
    }
}

#[test]
fn all_errors_of_the_configuration_are_reported_at_once() {
    let bench = Bench::new();
    bench.write(
        "contract.toml",
        "documnt = \"openapi.yaml\"\nfail-on = \"eror\"\n\n[levels]\n\"unknown-kee\" = \"off\"\n\
         \"area=Secrity\" = \"error\"\n\"duplicate-key\" = \"sometimes\"\n",
    );
    for command in ["lint", "diff"] {
        bench.run(&[command, "openapi.yaml"]).ends(2).tells(&[
            "contract.toml:1:1",
            "did you mean `document`?",
            "did you mean `error`?",
            "did you mean `unknown-key`?",
            "no rule matches `area=Secrity`",
            "security",
            "`sometimes` is not a level",
        ]);
    }
    bench
        .run(&["lint", "openapi.yaml", "--config", "no.toml"])
        .ends(2)
        .tells(&["no.toml"]);
}

#[test]
fn all_errors_of_the_baseline_are_reported_at_once() {
    let bench = Bench::new();
    bench.write(
        "contract.baseline.toml",
        "[[finding]]\nfingerprint = \"0123456789ab\"\nrule = \"unknown-kee\"\nreason = \"r\"\n\
         expires = 2027-01-01\n\n[[finding]]\nfingerprint = \"0123456789ac\"\nrule = \"unknown-key\"\n\
         reason = \"r\"\nexpires = \"soon\"\n",
    );
    bench.run(&["lint", "openapi.yaml"]).ends(2).tells(&[
        "contract.baseline.toml:3:8",
        "there is no rule `unknown-kee`",
        "did you mean `unknown-key`?",
        "contract.baseline.toml:11:",
        "`expires` is not a date",
    ]);
    let run = bench
        .run(&["lint", "openapi.yaml", "--baseline", "no.toml"])
        .ends(2);
    run.tells(&["no.toml"]);
}

#[test]
fn unknown_arguments_are_refused() {
    let bench = Bench::new();
    for (arguments, part) in [
        (&["lint"][..], "no document is named"),
        (&["diff"], "no document is named"),
        (
            &["lint", "openapi.yaml", "--output", "sariff"],
            "did you mean `sarif`?",
        ),
        (
            &["lint", "openapi.yaml", "--fail-on", "eror"],
            "error, warning, info, never",
        ),
        (&["explain", "unknown-kee"], "did you mean `unknown-key`?"),
        (&["lnit"], "lint"),
    ] {
        bench.run(arguments).ends(2).tells(&[part]);
    }
}

#[test]
fn a_file_that_cannot_be_written_is_reported() {
    let bench = Bench::new();
    let run = bench
        .run(&[
            "lint",
            "openapi.yaml",
            "--output",
            "json=openapi.yaml/a.json",
        ])
        .ends(3);
    run.tells(&["failed to write openapi.yaml/a.json"]);
}
