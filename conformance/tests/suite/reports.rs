//! Tests every output of one run: each follows its format, and none contains a secret.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::keys::{PIN, SECRET_OF_SERVER, TOKEN, arguments, forms, start};
use crate::support::{binary, validate_against};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use conformance::checks;
use conformance::report::{certificate, json};
use serde_json::Value;
use tempfile::TempDir;

/// A run of the program with every output.
struct Run {
    folder: TempDir,
    account: String,
}

impl Run {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = start(folder.path()).await;
        let arguments = arguments(&url);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = binary(&arguments, folder.path());
        let account = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            output.status.code(),
            Some(1),
            "{account}{:?}",
            output.stderr
        );
        Self { folder, account }
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join("out").join(name)).unwrap()
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).unwrap()
    }
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            let text = crate::support::details::readable(&path);
            files.insert(path.display().to_string(), text);
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn no_output_contains_a_secret_in_any_form() {
    let run = Run::new().await;
    let mut texts = files(&run.folder.path().join("out"));
    texts.extend(files(&run.folder.path().join("snaps")));
    assert!(texts.len() > 8, "{:?}", texts.keys());
    texts.insert("stdout".to_owned(), run.account.clone());
    let inner = STANDARD.encode(format!("{{\"pin\":\"{PIN}\"}}"));
    let mut hidden = 0;
    for (name, text) in &texts {
        // The raw text, and the text of the parsed JSON.
        let unescaped = text.replace("\\\"", "\"").replace("\\\\", "\\");
        for text in [text, &unescaped] {
            for secret in [TOKEN, PIN, SECRET_OF_SERVER, "not-to-be-shown"] {
                for form in forms(secret) {
                    assert!(!text.contains(&form), "{form} is in {name}:\n{text}");
                }
            }
            assert!(!text.contains(&inner[12..20]), "{name}:\n{text}");
        }
        hidden += text.matches("$CONFORMANCE_AUTH").count();
    }
    assert!(hidden > 20, "{hidden}");
    assert!(
        texts["stdout"].contains("$CONFORMANCE_SECRET"),
        "{}",
        texts["stdout"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_and_the_certificate_fit_their_schemas() {
    let run = Run::new().await;
    validate_against(json::SCHEMA, &run.text("report.json"));
    validate_against(certificate::SCHEMA, &run.text("certificate.json"));
    let certificate = run.json("certificate.json");
    assert_eq!(certificate["verdict"], "fail");
    assert_eq!(certificate["seed"], 7);
    assert_eq!(
        certificate["configuration"]["headers"]["authorization"],
        "$CONFORMANCE_AUTH"
    );
    let spec = run.folder.path().join("keys.yaml");
    let hash = conformance::contract::identity::sha256(&std::fs::read_to_string(spec).unwrap());
    assert_eq!(certificate["contract"]["files"]["keys.yaml"], hash);
    let skipped = certificate["skipped"].as_array().unwrap();
    let is_skipped = |case: &str| skipped.iter().any(|item| item["case"] == case);
    assert!(is_skipped("createKey/409/default"), "{skipped:?}");
    let deviation = &certificate["deviations"][0];
    assert_eq!(deviation["level"], "MUST");
    let deviations = certificate["deviations"].as_array().unwrap();
    let wrong = deviations
        .iter()
        .find(|deviation| deviation["pointer"] == "/id" && deviation["check"] == "json-type")
        .unwrap();
    assert_eq!(wrong["cases"], serde_json::json!(["createKey/201/brass"]));
    for schema in ["report", "certificate"] {
        let printed = binary(&["schema", schema], run.folder.path()).stdout;
        assert!(String::from_utf8(printed).unwrap().contains(schema));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn coverage_shows_which_branches_and_properties_were_seen() {
    let run = Run::new().await;
    let report = run.json("report.json");
    let answers = report["coverage"].as_array().unwrap();
    let of = |operation: &str, status: &str| {
        let same = |value: &&Value| value["operationId"] == operation && value["status"] == status;
        answers.iter().find(same).unwrap()
    };
    let parts = |answer: &Value| {
        let part = |part: &Value| {
            let name = part["name"].as_str().unwrap_or_default();
            format!(
                "{} {name} {}",
                part["pointer"].as_str().unwrap(),
                part["seen"]
            )
        };
        let parts = answer["parts"].as_array().unwrap().iter().map(part);
        parts.collect::<Vec<_>>()
    };
    assert_eq!(
        parts(of("listKeys", "200")),
        [
            "/*/made  0",
            "/*/note  0",
            "/*/tint  0",
            "/*/lock  1",
            "/*/lock Door 0",
            "/*/lock Safe 1"
        ]
    );
    assert_eq!(
        parts(of("createKey", "201")),
        [
            "/made  1",
            "/note  1",
            "/tint  0",
            "/lock  1",
            "/lock Door 1",
            "/lock Safe 0"
        ]
    );
    assert_eq!(of("createKey", "409")["seen"], 0);
    assert_eq!(of("createKey", "401")["seen"], 1);
    assert_eq!(of("closeDoor", "204")["seen"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_lines_in_the_order_of_the_run() {
    let run = Run::new().await;
    let text = run.text("events.ndjson");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<&str> = lines
        .iter()
        .map(|line| line["event"].as_str().unwrap())
        .collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("started", "finished"));
    let count = |kind: &str| kinds.iter().filter(|item| **item == kind).count();
    let report = run.json("report.json");
    assert_eq!(count("case"), report["cases"].as_array().unwrap().len());
    assert_eq!(
        count("exchange"),
        usize::try_from(report["requests"].as_u64().unwrap()).unwrap()
    );
    assert_eq!(count("coverage"), 1);
    let position = |kind: &str| {
        let id = if kind == "case" { "id" } else { "case" };
        let same = |value: &Value| value["event"] == kind && value[id] == "createKey/201/brass";
        lines.iter().position(same).unwrap()
    };
    assert!(position("exchange") < position("case") && position("compared") < position("case"));
    let finished = &lines[lines.len() - 1];
    assert_eq!(finished["counts"], report["counts"]);
    let printed = binary(&["schema", "events"], run.folder.path()).stdout;
    let schema = String::from_utf8(printed).unwrap();
    for line in text.lines() {
        validate_against(&schema, line);
    }
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for wrong in ["{\"event\": \"case\"}", "{\"event\": \"other\"}"] {
        assert!(!validator.is_valid(&serde_json::from_str(wrong).unwrap()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sarif_has_the_fields_that_code_scanning_requires() {
    let run = Run::new().await;
    let sarif = run.json("report.sarif");
    assert_eq!(sarif["version"], "2.1.0");
    let run_of = &sarif["runs"][0];
    let rules = run_of["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), checks::ALL.len());
    for rule in rules {
        for field in ["id", "name"] {
            assert!(!rule[field].as_str().unwrap().is_empty());
        }
        for field in ["shortDescription", "fullDescription", "help"] {
            assert!(
                rule[field]["text"].as_str().unwrap().ends_with('.'),
                "{rule}"
            );
        }
        assert!(rule["properties"]["tags"].as_array().unwrap().len() <= 20);
    }
    let results = run_of["results"].as_array().unwrap();
    assert!(results.len() >= 3, "{results:#?}");
    let mut fingerprints = Vec::new();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let level = result["level"].as_str().unwrap();
        assert!(["error", "warning", "note"].contains(&level));
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "keys.yaml");
        let line = usize::try_from(place["region"]["startLine"].as_u64().unwrap()).unwrap();
        assert!(line >= 1 && line <= crate::support::keys::KEYS.lines().count());
        let fingerprint = &result["partialFingerprints"]["primaryLocationLineHash"];
        fingerprints.push(fingerprint.as_str().unwrap().to_owned());
    }
    let mut unique = fingerprints.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), fingerprints.len());
    // Another run on another day has the same fingerprints.
    let again = Run::new().await.json("report.sarif");
    let again = again["runs"][0]["results"].as_array().unwrap().iter();
    let again: Vec<&Value> = again
        .map(|result| &result["partialFingerprints"]["primaryLocationLineHash"])
        .collect();
    let before: Vec<Value> = fingerprints.into_iter().map(Value::from).collect();
    assert!(again.into_iter().eq(&before));
}

#[tokio::test(flavor = "multi_thread")]
async fn junit_follows_the_common_part_of_its_schemas() {
    let run = Run::new().await;
    let text = run.text("junit.xml");
    let document = roxmltree::Document::parse(&text).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let number = |node: &roxmltree::Node<'_, '_>, name: &str| -> usize {
        node.attribute(name).unwrap().parse().unwrap()
    };
    assert_eq!(root.attributes().len(), 0);
    for suite in root.children().filter(roxmltree::Node::is_element) {
        for name in ["name", "timestamp", "hostname", "package", "id", "time"] {
            assert!(suite.attribute(name).is_some(), "{name}");
        }
        assert_eq!(
            suite.attribute("timestamp").unwrap().len(),
            "2026-01-01T00:00:00".len()
        );
        let children: Vec<_> = suite
            .children()
            .filter(roxmltree::Node::is_element)
            .collect();
        let names: Vec<&str> = children.iter().map(|item| item.tag_name().name()).collect();
        let cases = names.len() - 3;
        assert_eq!(
            (names[0], &names[cases + 1..]),
            ("properties", &["system-out", "system-err"][..])
        );
        assert_eq!(number(&suite, "tests"), cases);
        let mut results = BTreeMap::new();
        for case in &children[1..=cases] {
            assert_eq!(case.tag_name().name(), "testcase");
            for name in ["name", "classname", "time"] {
                assert!(case.attribute(name).is_some(), "{name}");
            }
            let result: Vec<_> = case
                .children()
                .filter(roxmltree::Node::is_element)
                .collect();
            assert!(result.len() <= 1);
            for result in result {
                *results.entry(result.tag_name().name()).or_insert(0) += 1;
                assert!(result.attribute("message").is_some());
            }
        }
        for (total, tag) in [
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            assert_eq!(
                number(&suite, total),
                results.get(tag).copied().unwrap_or(0)
            );
        }
    }
    assert!(text.contains("<failure type=\"json-type\""), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn har_has_every_request_with_its_answer() {
    let run = Run::new().await;
    let har = run.json("traffic.har");
    let log = &har["log"];
    assert_eq!(log["version"], "1.2");
    let entries = log["entries"].as_array().unwrap();
    assert_eq!(
        entries.len() as u64,
        run.json("report.json")["requests"].as_u64().unwrap()
    );
    for entry in entries {
        let started = entry["startedDateTime"].as_str().unwrap();
        assert!(started.ends_with('Z') && started.len() == 24, "{started}");
        let time = entry["time"].as_f64().unwrap();
        let timings = &entry["timings"];
        let sum: f64 = ["send", "wait", "receive"]
            .iter()
            .map(|name| timings[name].as_f64().unwrap())
            .sum();
        assert!((sum - time).abs() < 1e-6);
        for side in ["request", "response"] {
            for field in [
                "httpVersion",
                "cookies",
                "headers",
                "headersSize",
                "bodySize",
            ] {
                assert!(!entry[side][field].is_null(), "{side} {field}");
            }
        }
        assert!(
            entry["request"]["url"]
                .as_str()
                .unwrap()
                .starts_with("http://")
        );
        assert!(entry["response"]["content"]["mimeType"].is_string());
        assert!(entry["cache"].is_object());
    }
    let create = entries
        .iter()
        .find(|entry| entry["comment"] == "createKey/201/brass")
        .unwrap();
    let body = create["request"]["postData"]["text"].as_str().unwrap();
    assert!(body.contains(r#""pin":"$CONFORMANCE_SECRET""#), "{body}");
    assert!(
        create["response"]["redirectURL"]
            .as_str()
            .unwrap()
            .starts_with("/keys?by=")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn annotations_and_the_summary_are_safe_to_read() {
    let run = Run::new().await;
    let annotations = run.text("annotations.txt");
    let mut kinds = BTreeMap::new();
    for line in annotations.lines() {
        let (head, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (kind, properties) = head.split_once(' ').unwrap();
        *kinds.entry(kind.to_owned()).or_insert(0) += 1;
        assert!(["error", "warning", "notice"].contains(&kind), "{line}");
        let names: Vec<&str> = properties
            .split(',')
            .map(|property| property.split_once('=').unwrap().0)
            .collect();
        assert_eq!(names, ["file", "line", "title"], "{line}");
        assert!(properties.starts_with("file=keys.yaml,line="), "{line}");
        assert!(message.contains("expected"), "{line}");
    }
    assert!(kinds.values().all(|count| *count <= 10), "{kinds:?}");
    let summary = run.text("summary.md");
    assert!(summary.starts_with("## ❌ Conformance: fail"), "{summary}");
    let row = "| MUST | `json-type` | `/id` | `createKey`, such as `createKey/201/brass` | 1 |";
    assert!(summary.contains(row), "{summary}");
    assert!(summary.contains("`Keys & <b>locks</b>`"), "{summary}");
    assert!(!run.account.contains("\n::error"), "{}", run.account);
}
