//! Plants two lint findings and a breaking change in a copy of this project's contract, and checks
//! that every output is valid and has the same fingerprints.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::Bench;
use serde_json::Value;

const OUTPUTS: [&str; 7] = [
    "terminal",
    "terminal=out/terminal.txt",
    "json=out/report.json",
    "sarif=out/report.sarif",
    "github=out/github",
    "markdown=out/report.md",
    "html=out/report.html",
];

/// The file of each output; the terminal output also goes to standard output.
const FILES: [&str; 7] = [
    "out/terminal.txt",
    "out/report.json",
    "out/report.sarif",
    "out/github/annotations.txt",
    "out/github/summary.md",
    "out/report.md",
    "out/report.html",
];

/// A repository with this project's contract on `main`, and planted findings in the checkout.
fn planted() -> Bench {
    let bench = Bench::bare();
    bench.git(&["init", "--quiet", "--initial-branch=main"]);
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec");
    copy(&spec, bench.path(), &["src", "tests"]);
    bench.commit();
    bench.git(&["switch", "--quiet", "--create", "work"]);
    // Two unknown keys, and a parameter that becomes required.
    bench.replace(
        "paths/payouts.yaml",
        "    summary: ",
        "    sumary: of it\n    summary: ",
    );
    bench.replace("schemas/values.yaml", "description: ", "descriptoin: ");
    bench.replace(
        "paths/payment-links.yaml",
        "required: false",
        "required: true",
    );
    bench
}

fn copy(from: &Path, to: &Path, without: &[&str]) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let target = to.join(&name);
        if without.iter().any(|other| name == *other) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target, without);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn run(bench: &Bench, task: &str) -> Value {
    let mut arguments = vec![task, "openapi.yaml"];
    for output in &OUTPUTS {
        arguments.extend(["--output", output]);
    }
    let run = bench.run(&arguments).ends(1);
    let report: Value = serde_json::from_str(&bench.read("out/report.json")).unwrap();
    assert_eq!(run.out, bench.read("out/terminal.txt"));
    report
}

fn fingerprints(report: &Value, rules: &[&str]) -> Vec<String> {
    let all = report["findings"].as_array().unwrap().iter();
    all.filter(|finding| rules.contains(&finding["rule"].as_str().unwrap()))
        .map(|finding| finding["fingerprint"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn planted_findings_have_one_fingerprint_in_every_output() {
    let bench = planted();
    for (task, rules, count) in [
        ("lint", &["unknown-key"][..], 2),
        ("diff", &["request-parameter-became-required"], 1),
    ] {
        let report = run(&bench, task);
        let planted = fingerprints(&report, rules);
        assert_eq!(planted.len(), count, "{report:#}");
        for file in FILES {
            let text = bench.read(file);
            for fingerprint in &planted {
                assert!(
                    text.contains(fingerprint),
                    "{fingerprint} is not in {file}: {text}"
                );
            }
        }
        follows("report.schema.json", &report);
        let sarif: Value = serde_json::from_str(&bench.read("out/report.sarif")).unwrap();
        follows("tests/sarif.schema.json", &sarif);
        if let Some(official) = official() {
            check(&official, &sarif);
        }
        same_findings(&report, &sarif);
    }
}

#[test]
fn a_change_of_a_shared_part_is_reported_once_with_its_operations() {
    let print = |others: &str, reached: usize| {
        let bench = Bench::new();
        let all = format!("{others}components:\n");
        bench.replace("openapi.yaml", "components:\n", &all);
        let message = ["--allow-empty", "--message", "with others"];
        bench.git(&[&["commit", "--quiet", "--all"], &message[..]].concat());
        bench.git(&["switch", "--quiet", "--create", "work"]);
        bench.replace("openapi.yaml", "maximum: 100", "maximum: 200");
        let report = run(&bench, "diff");
        let found = report["findings"].as_array().unwrap().iter();
        let found: Vec<&Value> = found
            .filter(|finding| finding["rule"] == "response-property-max-increased")
            .collect();
        assert_eq!(found.len(), 1, "{report:#}");
        assert_eq!(found[0]["reach"].as_array().unwrap().len(), reached);
        assert_eq!(found[0]["operation"], Value::Null);
        assert_eq!(report["counts"]["error"], 2, "{report:#}");
        follows("report.schema.json", &report);
        for file in FILES {
            let output = bench.read(file);
            assert!(
                output.contains(&format!("({reached} operations: ")),
                "{file}: {output}"
            );
        }
        found[0]["fingerprint"].clone()
    };
    let path = |name: &str| {
        format!(
            "  /{name}:\n    get:\n      operationId: {name}\n      responses:\n        '200':\n          \
             description: It.\n          content:\n            application/json:\n              \
             schema: {{$ref: '#/components/schemas/Thing'}}\n"
        )
    };
    let others = ["left", "right", "upper", "lower"].map(path).concat();
    assert_eq!(print("", 2), print(&others, 6));
}

/// The official SARIF schema, if it is installed.
fn official() -> Option<Value> {
    if !prerequisites::SARIF_SCHEMA.is_met() {
        return None;
    }
    // One of its patterns, for a field that is never written, is invalid.
    let text = fs::read_to_string(prerequisites::tools::sarif_schema()).unwrap();
    let text = text.replace("{2}]?$", "{2}$");
    Some(serde_json::from_str(&text).unwrap())
}

fn follows(schema: &str, value: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(schema);
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    check(&schema, value);
}

#[track_caller]
fn check(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Checks that each finding is a result with its rule and place.
fn same_findings(report: &Value, sarif: &Value) {
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let results: BTreeSet<_> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
            let region = &result["locations"][0]["physicalLocation"]["region"];
            (
                text(&result["partialFingerprints"]["contractFinding/v1"]),
                text(&result["ruleId"]),
                region["startLine"].as_u64(),
                region["startColumn"].as_u64(),
            )
        })
        .collect();
    let findings: BTreeSet<_> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let place = &finding["places"][0];
            (
                text(&finding["fingerprint"]),
                text(&finding["rule"]),
                place["line"].as_u64(),
                place["column"].as_u64(),
            )
        })
        .collect();
    assert_eq!(results, findings);
}

#[test]
fn places_are_those_of_the_planted_lines() {
    let bench = planted();
    let report = run(&bench, "diff");
    let now = bench.read("paths/payment-links.yaml");
    let found = now.lines().position(|line| line.contains("required: true"));
    let line = found.unwrap() as u64 + 1;
    let all = report["findings"].as_array().unwrap();
    let rule = "request-parameter-became-required";
    let finding = all.iter().find(|finding| finding["rule"] == rule).unwrap();
    let places = finding["places"].as_array().unwrap();
    assert_eq!(places.len(), 2, "{finding:#}");
    for (place, side) in places.iter().zip(["revision", "base"]) {
        assert_eq!(place["side"], side);
        assert_eq!(place["file"], "paths/payment-links.yaml");
        assert_eq!(place["line"], line, "{place:#}");
    }
    // Both excerpts, with carets under the marked parts.
    let terminal = bench.read("out/terminal.txt");
    assert!(
        terminal.contains("--> paths/payment-links.yaml:"),
        "{terminal}"
    );
    assert!(
        terminal.contains(":paths/payment-links.yaml:"),
        "{terminal}"
    );
    assert!(terminal.contains('^'), "{terminal}");
}

#[test]
fn the_output_for_github_stays_within_its_limits() {
    let bench = Bench::new();
    let mut many = String::new();
    for index in 0..60 {
        use std::fmt::Write as _;
        let _ = writeln!(
            many,
            "    Part{index}: {{type: object, descriptoin: 'a, b: 100%'}}"
        );
    }
    bench.replace("openapi.yaml", "    Thing:\n", &(many + "    Thing:\n"));
    bench
        .run(&["lint", "openapi.yaml", "--output", "github=out"])
        .ends(1);
    let annotations = bench.read("out/annotations.txt");
    for kind in ["error", "warning", "notice"] {
        let of_kind = annotations
            .lines()
            .filter(|line| line.starts_with(&format!("::{kind} ")));
        assert!(of_kind.count() <= 10, "{annotations}");
    }
    assert!(
        annotations.contains("and 51 more findings"),
        "{annotations}"
    );
    assert!(
        annotations.contains("::error file=openapi.yaml,line="),
        "{annotations}"
    );
    assert!(bench.read("out/summary.md").len() < 1 << 20);
    let summary = bench.write("step.md", "before\n");
    let mut command = bench.command(&["lint", "openapi.yaml", "--output", "github"]);
    let output = command
        .env("GITHUB_STEP_SUMMARY", &summary)
        .output()
        .unwrap();
    let run = crate::support::Run::of(&output).ends(1);
    assert_eq!(run.out, annotations);
    assert!(
        bench
            .read("step.md")
            .starts_with("before\n## Contract lint")
    );
}

#[test]
fn a_changelog_lists_the_changes_of_each_operation() {
    let bench = Bench::new();
    let others = "  /others:\n    get:\n      operationId: listOthers\n      responses:\n        \
                  '200': {description: They are there.}\n  /things:\n";
    bench.replace("openapi.yaml", "  /things:\n", others);
    bench.replace("openapi.yaml", "version: 1.2.0", "version: 1.3.0");
    bench.replace("openapi.yaml", "  /things/{id}:\n", "  /thing/{id}:\n");
    bench
        .run(&["diff", "openapi.yaml", "--output", "markdown=CHANGES.md"])
        .ends(1);
    let text = bench.read("CHANGES.md");
    let order = [
        "## Things 1.2.0 → 1.3.0",
        "must be 2.0.0 or higher",
        "### Breaking",
        "**`GET /things/{id}`**",
        "### Added",
        "**`GET /others`**",
    ];
    let places: Vec<Option<usize>> = order.iter().map(|part| text.find(part)).collect();
    let found = places.iter().all(Option::is_some) && places.is_sorted();
    assert!(found, "{places:?}\n{text}");
}
