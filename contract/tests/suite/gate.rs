//! Tests the gate as users run it: exit codes, levels, the baseline, git revisions.

use std::collections::BTreeSet;

use crate::support::Bench;
use serde_json::Value;

const JSON: [&str; 2] = ["--output", "json"];

fn with_json<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    arguments.iter().copied().chain(JSON).collect()
}

/// The rule and fingerprint of each finding.
fn found(report: &Value) -> BTreeSet<(String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let all = report["findings"].as_array().unwrap().iter();
    all.map(|finding| (text(finding, "rule"), text(finding, "fingerprint")))
        .collect()
}

/// Removes one operation and adds another.
fn break_it(bench: &Bench) {
    bench.replace("openapi.yaml", "    get:\n", "    delete:\n");
}

#[test]
fn a_clean_document_is_clean() {
    let bench = Bench::new();
    bench
        .run(&["lint", "openapi.yaml", "--fail-on", "info"])
        .ends(0);
    bench
        .run(&["diff", "openapi.yaml", "--fail-on", "info"])
        .ends(0);
}

#[test]
fn only_the_requested_level_fails_the_run() {
    let bench = Bench::new();
    bench.replace(
        "openapi.yaml",
        "operationId: getThing",
        "operationld: getThing",
    );
    bench
        .run(&["lint", "openapi.yaml"])
        .ends(1)
        .tells(&["unknown-key", "did you mean"]);
    bench
        .run(&["lint", "openapi.yaml", "--fail-on", "never"])
        .ends(0);
    bench.write(
        "contract.toml",
        "document = \"openapi.yaml\"\n[levels]\n\"*\" = \"warning\"\n",
    );
    bench
        .run(&["lint"])
        .ends(0)
        .tells(&["warning[unknown-key]"]);
    bench.run(&["lint", "--fail-on", "warning"]).ends(1);
    bench.write(
        "contract.toml",
        "document = \"openapi.yaml\"\n[levels]\n\"*\" = \"off\"\n",
    );
    bench.run(&["lint", "--fail-on", "info"]).ends(0);
}

#[test]
fn a_change_is_found_from_any_folder_and_revision() {
    let bench = Bench::new();
    bench.git(&["switch", "--quiet", "--create", "work"]);
    bench.write("contract.toml", "document = \"openapi.yaml\"\n");
    break_it(&bench);
    bench.write("was.yaml", crate::support::CLEAN);
    let one = bench.run(&with_json(&["diff"])).ends(1).json();
    assert!(
        found(&one)
            .iter()
            .any(|(rule, _)| rule == "version-not-raised")
    );
    assert!(found(&one).len() > 1, "{one}");
    bench.commit();
    bench.write("src/placeholder", "");
    for arguments in [
        &["diff"][..],
        &["diff", "openapi.yaml"],
        &["diff", "main:openapi.yaml"],
        &["diff", "main:openapi.yaml", "openapi.yaml"],
        &["diff", "main:openapi.yaml", "work:openapi.yaml"],
        &["diff", "HEAD~1:./openapi.yaml", "HEAD:openapi.yaml"],
        &["diff", "openapi.yaml", "--base", "HEAD~1"],
        &["diff", "was.yaml", "openapi.yaml"],
    ] {
        let report = bench.run(&with_json(arguments)).ends(1).json();
        assert_eq!(found(&report), found(&one), "{arguments:?}");
    }
    // In a pull request, the target branch is the default branch.
    bench.git(&["update-ref", "refs/remotes/origin/next", "HEAD"]);
    let mut command = bench.command(&["diff"]);
    let output = command.env("GITHUB_BASE_REF", "next").output().unwrap();
    crate::support::Run::of(&output).ends(0);
}

#[test]
fn a_document_that_was_never_committed_has_no_changes() {
    let bench = Bench::bare();
    bench.git(&["init", "--quiet", "--initial-branch=main"]);
    bench.write("openapi.yaml", crate::support::CLEAN);
    bench.git(&["add", "--all"]);
    bench.run(&["diff", "openapi.yaml"]).ends(0);
    bench
        .run(&["diff", "openapi.yaml", "--base", "v1"])
        .ends(3)
        .tells(&["there is no revision `v1`"]);
    bench.commit();
    break_it(&bench);
    bench.git(&["switch", "--quiet", "--create", "work"]);
    bench.run(&["diff", "openapi.yaml"]).ends(1);
}

#[test]
fn a_document_of_many_files_is_read_from_its_revision() {
    let bench = Bench::new();
    let problem = "type: object\ndescription: What went wrong.\nrequired: [title]\nproperties:\n  title: {$ref: '../common/texts.yaml#/Title'}\n";
    bench.write("api/schemas/problem.yaml", problem);
    bench.write(
        "api/common/texts.yaml",
        "Title: {type: string, maxLength: 200}\n",
    );
    let split = crate::support::CLEAN.replacen(
        "'#/components/schemas/Problem'",
        "'schemas/problem.yaml'",
        2,
    );
    bench.write("api/openapi.yaml", &split);
    bench.commit();
    bench.git(&["switch", "--quiet", "--create", "work"]);
    bench.replace("api/common/texts.yaml", "maxLength: 200", "maxLength: 300");
    bench.replace("api/openapi.yaml", "version: 1.2.0", "version: 2.0.0");
    let was = bench.run(&["bundle", "main:api/openapi.yaml"]).ends(0);
    let was = was.tells(&["\"maxLength\": 200"]);
    assert!(
        !was.out.contains("300") && !was.out.contains(".yaml"),
        "{}",
        was.out
    );
    bench
        .run(&["bundle", "api/openapi.yaml"])
        .ends(0)
        .tells(&["\"maxLength\": 300"]);
    let report = bench.run(&with_json(&["diff", "api/openapi.yaml"]));
    let report = report.ends(1).json();
    let findings = report["findings"].as_array().unwrap().iter();
    let places = findings.flat_map(|finding| finding["places"].as_array().unwrap());
    let shared: Vec<&Value> = places
        .filter(|place| place["file"] == "api/common/texts.yaml")
        .collect();
    let was = |place: &&&Value| place["side"] == "base" && place.get("revision").is_some();
    let is = |place: &&&Value| place["side"] == "revision" && place.get("revision").is_none();
    assert!(shared.iter().any(|place| was(&place)), "{report:#}");
    assert!(shared.iter().any(|place| is(&place)), "{report:#}");
    bench.commit();
    // As in git: from the top of the repository, or from the current folder.
    for (revision, shown) in [
        ("main:openapi.yaml", "main:openapi.yaml against"),
        ("work:./openapi.yaml", "work:api/"),
    ] {
        let mut command = bench.command(&["diff", "main:api/openapi.yaml", revision]);
        command.current_dir(bench.path().join("api"));
        crate::support::Run::of(&command.output().unwrap())
            .tells(&[shown])
            .ends(1);
    }
}

#[test]
fn fingerprints_survive_moved_lines_and_new_texts() {
    let bench = Bench::new();
    let plant = |bench: &Bench| {
        bench.replace(
            "openapi.yaml",
            "maxLength: 40}\n          example",
            "maxLenght: 40}\n          example",
        );
        break_it(bench);
    };
    plant(&bench);
    let lint = bench
        .run(&with_json(&["lint", "openapi.yaml"]))
        .ends(1)
        .json();
    let diff = bench
        .run(&with_json(&["diff", "openapi.yaml"]))
        .ends(1)
        .json();
    bench.replace(
        "openapi.yaml",
        "openapi: 3.0.4\n",
        "# A line\n# and another.\nopenapi: 3.0.4\n",
    );
    bench.replace(
        "openapi.yaml",
        "Which one.",
        "Which of them, in many more words.",
    );
    bench.replace(
        "openapi.yaml",
        "        - name: id\n",
        "        - name: verbose\n          in: query\n          description: More.\n          schema: {type: string, maxLength: 4}\n          example: a\n        - name: id\n",
    );
    let moved = bench
        .run(&with_json(&["lint", "openapi.yaml"]))
        .ends(1)
        .json();
    assert_eq!(found(&lint), found(&moved));
    let moved = bench
        .run(&with_json(&["diff", "openapi.yaml"]))
        .ends(1)
        .json();
    assert!(
        found(&diff).is_subset(&found(&moved)),
        "{:#?}",
        found(&moved)
    );
}

#[test]
fn an_accepted_finding_passes_until_it_expires_or_disappears() {
    let bench = Bench::new();
    bench.replace(
        "openapi.yaml",
        "operationId: getThing",
        "operationld: getThing",
    );
    let accept = [
        "lint",
        "openapi.yaml",
        "--accept",
        "older clients \"read\" it",
        "--expires",
        "2026-07-01",
    ];
    bench
        .run(&accept)
        .ends(1)
        .tells(&["accepted", "contract.baseline.toml"]);
    let text = bench.read("contract.baseline.toml");
    assert!(
        text.contains("reason = ") && text.contains("expires = 2026-07-01"),
        "{text}"
    );
    bench
        .run(&["lint", "openapi.yaml"])
        .ends(0)
        .tells(&["accepted"]);
    // A diff does not judge the lint findings that the baseline accepts.
    bench
        .run(&["diff", "openapi.yaml", "--fail-on", "never"])
        .ends(0);
    let late = bench
        .command(&["lint", "openapi.yaml", "--today", "2026-07-02"])
        .output()
        .unwrap();
    let late = crate::support::Run::of(&late).ends(1);
    late.tells(&[
        "baseline-entry-expired",
        "contract.baseline.toml:2:1",
        "error[unknown-key]",
    ]);
    bench.replace(
        "openapi.yaml",
        "operationld: getThing",
        "operationId: getThing",
    );
    let stale = bench.run(&["lint", "openapi.yaml"]).ends(1);
    stale.tells(&[
        "baseline-entry-stale",
        "contract.baseline.toml:2:1",
        "remove the entry",
    ]);
}

#[test]
fn an_accepted_breaking_change_still_needs_a_new_version() {
    let bench = Bench::new();
    break_it(&bench);
    bench
        .run(&["diff", "openapi.yaml", "--accept", "nobody sends it yet"])
        .ends(1);
    bench
        .run(&["diff", "openapi.yaml"])
        .ends(0)
        .tells(&["must be 2.0.0 or higher"]);
    bench.replace("openapi.yaml", "version: 1.2.0", "version: 2.0.0");
    // After the version is increased, its finding is gone, and its entry must be removed.
    bench
        .run(&["diff", "openapi.yaml"])
        .ends(1)
        .tells(&["baseline-entry-stale"]);
}

#[test]
fn versions_must_match_the_changes() {
    let added = "  /others:\n    get:\n      operationId: listOthers\n      summary: Others\n      description: All others.\n      tags: [things]\n      responses:\n        '200': {description: They are there.}\n  /things:\n";
    for (change, version, code, expected) in [
        ("break", "1.2.0", 1, "version-not-raised"),
        ("break", "1.3.0", 1, "2.0.0"),
        ("break", "2.0.0", 0, "step major"),
        ("add", "1.2.0", 1, "1.3.0"),
        ("add", "1.2.9", 1, "1.3.0"),
        ("add", "1.3.0", 0, "step minor"),
        ("words", "1.2.0", 0, "version-unchanged"),
        ("words", "1.2.1", 0, "step patch"),
        ("nothing", "1.1.0", 1, "decreased"),
        ("nothing", "1.2.1", 0, "clean"),
    ] {
        let bench = Bench::new();
        bench.git(&["switch", "--quiet", "--create", "work"]);
        match change {
            "break" => break_it(&bench),
            "add" => bench.replace("openapi.yaml", "  /things:\n", added),
            "words" => bench.replace("openapi.yaml", "Adds a thing.", "Adds one thing."),
            _ => {}
        }
        bench.replace(
            "openapi.yaml",
            "version: 1.2.0",
            &format!("version: {version}"),
        );
        let run = bench.run(&["diff", "openapi.yaml"]);
        if change == "break" && version == "2.0.0" {
            run.tells(&[expected]).ends(1);
        } else {
            run.tells(&[expected]).ends(code);
        }
    }
}

#[test]
fn rules_of_every_family_explain_themselves() {
    let bench = Bench::bare();
    for (id, part) in [
        ("unknown-key", "contract lint"),
        ("endpoint-added", "Axes: direction="),
        ("version-not-raised", "The gate"),
        ("malformed-yaml", "Reading a document"),
        ("too-many-values", "contract generate"),
    ] {
        bench.run(&["explain", id]).ends(0).tells(&[part, id]);
    }
    let index = bench.run(&["explain"]).ends(0).out;
    let listed = index.lines().filter(|line| line.starts_with("  ")).count();
    assert!(listed > 400, "{listed}");
}

#[test]
fn a_bundle_is_an_independent_document() {
    let bench = Bench::new();
    bench
        .run(&["bundle", "main:openapi.yaml", "--out", "bundle.json"])
        .ends(0);
    bench
        .run(&["diff", "openapi.yaml", "bundle.json", "--fail-on", "info"])
        .ends(0);
    bench
        .run(&["bundle", "openapi.yaml", "--out", "bundle.yaml"])
        .ends(0);
    bench
        .run(&["diff", "openapi.yaml", "bundle.yaml", "--fail-on", "info"])
        .ends(0);
    bench
        .run(&["completions", "bash"])
        .ends(0)
        .tells(&["_contract"]);
    bench.run(&["schema"]).ends(0).tells(&["fingerprint"]);
}

#[test]
fn a_crate_is_generated_and_checked_against_its_document() {
    let bench = Bench::new();
    bench
        .run(&[
            "generate",
            "openapi.yaml",
            "--out",
            "client",
            "--unformatted",
        ])
        .ends(0);
    let check = [
        "generate",
        "openapi.yaml",
        "--out",
        "client",
        "--unformatted",
        "--check",
    ];
    bench.run(&check).ends(0).tells(&["current"]);
    bench.replace(
        "openapi.yaml",
        "operationId: addThing",
        "operationId: makeThing",
    );
    bench
        .run(&check)
        .ends(1)
        .tells(&["contract generate openapi.yaml"]);
}

#[test]
fn the_version_of_the_generated_crate_must_match_its_api_changes() {
    let bench = Bench::new();
    bench.write(
        "client/Cargo.toml",
        "[package]\nname = \"things\"\nversion.workspace = true\n",
    );
    bench.write("Cargo.toml", "[workspace.package]\nversion = \"0.3.1\"\n");
    bench.write(
        "contract.toml",
        "document = \"openapi.yaml\"\ncrate = \"client/Cargo.toml\"\n",
    );
    bench.commit();
    bench.git(&["switch", "--quiet", "--create", "work"]);
    bench
        .run(&["diff"])
        .ends(0)
        .tells(&["version of things: 0.3.1 → 0.3.1, step none"]);
    // The name does not matter to HTTP clients, but users of the crate call a method with it.
    bench.replace(
        "openapi.yaml",
        "operationId: addThing",
        "operationId: makeThing",
    );
    bench.replace("openapi.yaml", "version: 1.2.0", "version: 2.0.0");
    bench.run(&["diff"]).ends(1).tells(&[
        "crate-version-not-raised",
        "Cargo.toml:2:",
        "set it to 0.4.0",
        "add_thing",
    ]);
    bench.replace("Cargo.toml", "0.3.1", "0.4.0");
    let run = bench.run(&["diff", "--fail-on", "never"]).ends(0);
    run.tells(&["version of things: 0.3.1 → 0.4.0, step major"]);
}

#[test]
fn safe_fixes_are_applied_on_request() {
    let bench = Bench::new();
    bench.replace(
        "openapi.yaml",
        "operationId: getThing",
        "operationID: getThing",
    );
    let wrong = bench.read("openapi.yaml");
    bench.run(&["lint", "openapi.yaml"]).ends(1);
    assert_eq!(bench.read("openapi.yaml"), wrong);
    let run = bench.run(&["lint", "openapi.yaml", "--fix"]).ends(0);
    run.tells(&["fixed openapi.yaml: "]);
    assert_eq!(bench.read("openapi.yaml"), crate::support::CLEAN);
}

/// A behaviour file in which a thing cannot be read in these states.
fn behaviour(states: &str) -> String {
    format!("behaviour: 2.0.0\nfacts:\n  - barred: {{operation: getThing, in: [{states}]}}\n")
}

#[test]
fn facts_of_behaviour_files_are_compared_with_their_places() {
    let bench = Bench::new();
    bench.write("behaviour.yaml", &behaviour("gone"));
    bench.commit();
    bench.write("behaviour.yaml", &behaviour("gone, locked"));
    let run = bench.run(&with_json(&["diff", "openapi.yaml", "--base", "HEAD"]));
    let report = run.ends(1).json();
    let finding = &report["findings"][0];
    assert_eq!(finding["rule"], "operation-barred-in-state", "{report}");
    assert_eq!(finding["level"], "error");
    let place = |index: usize, key: &str| finding["places"][index][key].clone();
    for (index, side) in ["revision", "base"].into_iter().enumerate() {
        assert_eq!(place(index, "side"), side);
        assert_eq!(place(index, "file"), "behaviour.yaml", "{report}");
        assert_eq!(place(index, "line"), 3);
        assert_eq!(place(index, "pointer"), "/facts/0");
    }
    assert_eq!(place(1, "revision"), "HEAD");
}

#[test]
fn a_behaviour_file_on_only_one_side_is_reported_and_needs_no_new_version() {
    let bench = Bench::new();
    bench.write("behaviour.yaml", &behaviour("gone"));
    let run = bench.run(&with_json(&["diff", "openapi.yaml"])).ends(0);
    let report = run.json();
    assert_eq!(report["findings"][0]["rule"], "behaviour-file-not-compared");
    assert_eq!(report["versions"][0]["step"], "none", "{report}");
}

#[test]
fn a_fact_without_an_entry_is_reported_at_its_sentence_and_fails_no_run() {
    let bench = Bench::new();
    bench.replace(
        "openapi.yaml",
        "description: Which one.",
        "description: Which one. Must be unique.",
    );
    let finding = "info[fact-without-entry]";
    assert!(
        !bench
            .run(&["lint", "openapi.yaml"])
            .ends(0)
            .all()
            .contains(finding)
    );
    bench.write("behaviour.yaml", "behaviour: 2.0.0\n");
    let run = bench.run(&["lint", "openapi.yaml"]).ends(0);
    run.tells(&[
        finding,
        "- unique: {subject: {of: getThing, name: id}}",
        "openapi.yaml:27",
    ]);
}
