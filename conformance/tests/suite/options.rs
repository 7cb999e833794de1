//! Tests options for scope, time and hooks, with the program.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::support::{answer, binary, raw_server, validate, write};
use serde_json::Value;

/// A program that runs longer than this hangs.
const PATIENCE: Duration = Duration::from_mins(1);

const THINGS: &str = r"
openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things:
    get: {operationId: listThings, responses: {'200': {description: all}}}
    post:
      operationId: createThing
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {name: {type: string}, pin: {type: string, x-sensitive: true}}}
            example: {name: Lamp, pin: '471108'}
      responses: {'201': {description: made}, '400': {description: not so}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}, example: 7}]
    get: {operationId: getThing, responses: {'200': {description: one}, '404': {description: none}}}
    delete: {operationId: deleteThing, responses: {'204': {description: gone}}}
";

/// A server that accepts everything.
async fn agreeable() -> String {
    let server = raw_server(|line| {
        let status = match line.split(' ').next() {
            Some("POST") => "201 Created",
            Some("DELETE") => "204 No Content",
            _ => "200 OK",
        };
        Some(answer(status, ""))
    })
    .await;
    format!("http://{server}")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "things.yaml", THINGS);
    folder
}

fn run(folder: &Path, url: &str, more: &[&str]) -> (Option<i32>, String) {
    let item = ["run", "--spec", "things.yaml", "--url", url, "--seed", "7"];
    let output = binary(&[&item, more].concat(), folder);
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(printed).unwrap())
}

fn report(folder: &Path, out: &str) -> Value {
    let text = std::fs::read_to_string(folder.join(out).join("report.json")).unwrap();
    validate(&text);
    serde_json::from_str(&text).unwrap()
}

/// The verdict of each case.
fn verdicts(report: &Value) -> BTreeMap<String, String> {
    let cases = report["cases"].as_array().unwrap().iter();
    let text = |verdicts: &Value| verdicts.as_str().unwrap().to_owned();
    let verdicts = cases.map(|case| (text(&case["id"]), text(&case["verdict"])));
    verdicts.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_prints_everything_and_sends_nothing() {
    let folder = folder();
    // No server listens there.
    let more = ["--dry-run", "--header", "Authorization: key-of-ours"];
    let (code, printed) = run(folder.path(), "http://127.0.0.1:9", &more);
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.contains("createThing/201/default\n  curl -sS -i -X POST"),
        "{printed}"
    );
    assert!(
        printed.contains("\"name\":\"Lamp") && printed.contains("$CONFORMANCE_AUTH"),
        "{printed}"
    );
    assert!(
        !printed.contains("471108") && !printed.contains("key-of-ours"),
        "{printed}"
    );
    assert!(
        printed.contains("laws") && printed.ends_with("nothing was sent\n"),
        "{printed}"
    );
    assert!(!folder.path().join("target").exists());
    let (_, one) = run(
        folder.path(),
        "http://127.0.0.1:9",
        &["--dry-run", "--case", "getThing/200/default"],
    );
    assert_eq!(one.matches("curl").count(), 1, "{one}");
    let (_, far) = run(folder.path(), "http://198.51.100.1", &["--dry-run"]);
    assert!(
        far.contains("createThing/201/default: the request changes something"),
        "{far}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shards_of_a_run_cover_all_cases() {
    let (folder, url) = (folder(), agreeable().await);
    run(folder.path(), &url, &["--out", "whole"]);
    let whole = report(folder.path(), "whole");
    let mut together = BTreeMap::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let out = format!("part{}", &shard[..1]);
        run(folder.path(), &url, &["--shard", shard, "--out", &out]);
        let part = report(folder.path(), &out);
        assert_eq!(part["run"]["configuration"]["shard"], shard);
        for (id, verdict) in verdicts(&part) {
            assert!(
                together.insert(id.clone(), verdict).is_none(),
                "{id} is in two shards"
            );
        }
    }
    assert_eq!(together, verdicts(&whole));
    let parts = [
        "part1/report.json",
        "part2/report.json",
        "part3/report.json",
    ];
    let merged = binary(
        &[&["merge"], &parts[..], &["--out", "merged"]].concat(),
        folder.path(),
    );
    assert_eq!(merged.status.code(), Some(1), "{merged:?}");
    let merged = report(folder.path(), "merged");
    assert_eq!(verdicts(&merged), together);
    assert_eq!(merged["counts"], whole["counts"]);
    let lacking = binary(&["merge", parts[0], parts[2]], folder.path());
    assert_eq!(lacking.status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_that_never_succeeded_fails_on_request() {
    let server = raw_server(|line| {
        let status = match line.split(' ').collect::<Vec<_>>()[..] {
            ["GET", "/things", ..] => "200 OK",
            ["POST", ..] => "201 Created",
            _ => "404 Not Found",
        };
        Some(answer(status, ""))
    })
    .await;
    let (folder, url) = (folder(), format!("http://{server}"));
    let scope = ["--only", "listThings", "--only", "getThing"];
    let (code, printed) = run(folder.path(), &url, &scope);
    assert_eq!(code, Some(0), "{printed}");
    let strict = [&scope[..], &["--fail-on", "fail,unreached"]].concat();
    let (code, printed) = run(folder.path(), &url, &strict);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("getThing"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_run_before_and_after() {
    let (folder, url) = (folder(), agreeable().await);
    let note = |moment: &str| format!("echo {moment} $CONFORMANCE_GROUP $CONFORMANCE_URL >> notes");
    let hooks = ["before", "after", "before-each", "after-each"];
    let hooks: Vec<String> = hooks
        .iter()
        .flat_map(|hook| [format!("--{hook}"), note(hook)])
        .collect();
    let hooks: Vec<&str> = hooks.iter().map(String::as_str).collect();
    let cases = ["--case", "listThings/200/default,getThing/200/default"];
    let (code, printed) = run(
        folder.path(),
        &url,
        &[&hooks[..], &cases, &["--without-laws"]].concat(),
    );
    assert_eq!(code, Some(0), "{printed}");
    let notes = std::fs::read_to_string(folder.path().join("notes")).unwrap();
    let expected = format!(
        "before {url}\nbefore-each listThings/200/default {url}\nafter-each listThings/200/default {url}\n\
         before-each getThing/200/default {url}\nafter-each getThing/200/default {url}\nafter {url}\n"
    );
    assert_eq!(notes, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_fails_is_an_error_without_secrets() {
    let (folder, url) = (folder(), agreeable().await);
    for (hook, case, expected) in [
        ("--before", "hooks/before", 3),
        (
            "--before-each",
            "hooks/before-each/listThings/200/default",
            3,
        ),
        // The error does not hide that the server differs.
        ("--after", "hooks/after", 1),
    ] {
        let command = "echo cannot log in with key-of-ours >&2; exit 3";
        let more = [
            hook,
            command,
            "--header",
            "Authorization: key-of-ours",
            "--out",
            "out",
        ];
        let (code, printed) = run(folder.path(), &url, &more);
        assert_eq!(code, Some(expected), "{printed}");
        assert!(!printed.contains("key-of-ours"), "{printed}");
        let report = report(folder.path(), "out");
        let cases = report["cases"].as_array().unwrap();
        let cases = cases.iter().find(|item| item["id"] == case).unwrap();
        assert_eq!(cases["verdict"], "error");
        let reason = cases["reason"].as_str().unwrap();
        assert!(
            reason.contains("cannot log in with $CONFORMANCE_AUTH"),
            "{reason}"
        );
        let sent = report["requests"].as_u64().unwrap();
        assert_eq!(sent > 0, hook == "--after", "{hook}: {sent}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_last_command_is_reported_after_a_failed_first_one() {
    let (folder, url) = (folder(), agreeable().await);
    let more = ["--before", "exit 3", "--after", "exit 4", "--out", "out"];
    let (code, printed) = run(folder.path(), &url, &more);
    assert_eq!(code, Some(3), "{printed}");
    let report = report(folder.path(), "out");
    let cases = report["cases"].as_array().unwrap();
    let ids: Vec<_> = cases
        .iter()
        .map(|case| case["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["hooks/before", "hooks/after"], "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_the_contract_is_run_at_once() {
    let (folder, url) = (folder(), agreeable().await);
    let mut program = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args([
            "run",
            "--spec",
            "things.yaml",
            "--url",
            &url,
            "--watch",
            "--without-laws",
        ])
        .current_dir(folder.path())
        .env("CI", "true")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    // Ends a program that prints nothing more, and so ends its lines.
    let (done, ended) = mpsc::channel::<()>();
    let guard = std::thread::spawn(move || {
        let _ = ended.recv_timeout(PATIENCE);
        program.kill().unwrap();
        program.wait().unwrap();
    });
    let mut until = |word: &str| {
        let mut seen = String::new();
        for line in lines.by_ref() {
            let line = line.unwrap();
            seen.push_str(&line);
            if line.contains(word) {
                return seen;
            }
        }
        panic!("`{word}` never came: {seen}");
    };
    assert!(until("watching").contains("listThings"));
    // A document that cannot be read does not stop the program.
    write(folder.path(), "things.yaml", "openapi: [");
    until("watching");
    write(
        folder.path(),
        "things.yaml",
        &THINGS.replace("listThings", "listEverything"),
    );
    // A file may be noticed more than once while it is written.
    until("listEverything");
    drop(done);
    guard.join().unwrap();
}

/// A deviation of one operation for a server that accepts everything.
const KNOWN: &str = "[[deviation]]\ncheck = \"CHECK\"\noperation = \"getThing\"\nreason = \"so it is\"\nexpires = 2999-12-31\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_known_deviation_that_no_shard_saw_fails_after_merging() {
    let (folder, url) = (folder(), agreeable().await);
    // A server that accepts everything answers unknown keys, and has no limit for bodies.
    for (check, is_used) in [("unknown-key-found", true), ("body-too-large", false)] {
        write(folder.path(), "known.toml", &KNOWN.replace("CHECK", check));
        for shard in ["1/2", "2/2"] {
            let out = format!("part{}", &shard[..1]);
            let more = [
                "--deviations",
                "known.toml",
                "--shard",
                shard,
                "--out",
                &out,
            ];
            run(folder.path(), &url, &more);
        }
        let parts = ["part1/report.json", "part2/report.json"];
        let printed = |report: &Value| {
            let all = verdicts(report).into_iter();
            let mut selected = all.filter(|(id, _)| id.starts_with("deviations/"));
            selected.next().map(|(_, verdict)| verdict)
        };
        let in_parts: Vec<String> = ["part1", "part2"]
            .iter()
            .filter_map(|item| printed(&report(folder.path(), item)))
            .collect();
        assert_eq!(in_parts.is_empty(), is_used, "{check}");
        assert!(in_parts.iter().all(|part| part == "skip"), "{in_parts:?}");
        binary(
            &[&["merge"], &parts[..], &["--out", "merged"]].concat(),
            folder.path(),
        );
        let merged = printed(&report(folder.path(), "merged"));
        assert_eq!(merged.as_deref(), (!is_used).then_some("fail"), "{check}");
    }
}

const RECORDS: &str = "behaviour: '1.0'
actors: {guest: {summary: Asks.}}
records:
  thing:
    summary: A thing.
    states: {there: {summary: It is there.}, gone: {summary: It is not., wire: null}}
    events: {drop: {summary: Dropped., done: dropped, by: guest, operations: {thing: deleteThing}}}
    machines:
      thing:
        summary: A thing.
        createdBy: createThing
        initial: [there]
        transitions: [{from: there, event: drop, to: gone}]
";

#[tokio::test(flavor = "multi_thread")]
async fn behaviour_that_contradicts_the_document_ends_a_run_with_its_line() {
    let (folder, url) = (folder(), agreeable().await);
    let one = ["--case", "listThings/200/default"];
    write(folder.path(), "behaviour.yaml", RECORDS);
    let (code, printed) = run(folder.path(), &url, &one);
    assert_eq!(code, Some(0), "{printed}");
    for (what, by, line) in [
        ("thing: deleteThing", "thing: dropThing", 7),
        ("createdBy: createThing", "createdBy: makeThing", 11),
        ("to: gone", "to: lost", 13),
        (
            "    summary: A thing.\n    states",
            "    summary: A thing.\n    schema: Thing\n    property: state\n    states",
            6,
        ),
        (
            "behaviour: '1.0'\n",
            "behaviour: '1.0'\nexceptions: [{law: deletions, summary: No.}]\n",
            2,
        ),
        (
            "behaviour: '1.0'\n",
            "behaviour: '1.0'\nexceptions: [{check: deleted-three-times, summary: No.}]\n",
            2,
        ),
        (
            "behaviour: '1.0'\n",
            "behaviour: '2.0'\nexceptions: [{law: paging, summary: No.}]\n",
            2,
        ),
    ] {
        write(
            folder.path(),
            "behaviour.yaml",
            &RECORDS.replacen(what, by, 1),
        );
        for more in [&one[..], &["--dry-run"]] {
            let (code, printed) = run(folder.path(), &url, more);
            assert_eq!(code, Some(3), "{by}: {printed}");
            assert!(
                printed.contains(&format!("behaviour.yaml:{line}:")),
                "{by}: {printed}"
            );
        }
    }
}

const OVERLAY: &str = "overlay: 1.1.0
info: {title: What is served, version: '1'}
actions:
  - target: $.paths['/things'].post
    remove: true
";

#[test]
fn an_overlay_changes_the_document_before_it_is_used() {
    let folder = folder();
    write(folder.path(), "served.overlay.yaml", OVERLAY);
    let list = |more: &[&str]| {
        let item = ["list", "--spec", "things.yaml"];
        let output = binary(&[&item, more].concat(), folder.path());
        let printed = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(printed).unwrap())
    };
    assert!(list(&[]).1.contains("createThing"));
    let overlaid = ["--overlay", "served.overlay.yaml"];
    let (code, printed) = list(&overlaid);
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.contains("getThing") && !printed.contains("createThing"),
        "{printed}"
    );
    let wrong = OVERLAY.replace("remove: true", "update: []");
    write(folder.path(), "served.overlay.yaml", &wrong);
    let (code, printed) = list(&overlaid);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("served.overlay.yaml:5:13"), "{printed}");
}

#[test]
fn the_version_names_the_program() {
    let output = binary(&["--version"], Path::new("."));
    let expected = concat!("conformance ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn the_help_and_the_reference_say_the_same_of_exit_codes() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/runner.md");
    let page = std::fs::read_to_string(page).unwrap();
    for words in [vec!["--help"], vec!["run", "--help"]] {
        let help = binary(&words, Path::new("."));
        let help = String::from_utf8(help.stdout).unwrap();
        let (_, codes) = help.split_once("Exit codes:\n").unwrap();
        // A long meaning continues on the next line.
        let codes = codes.replace("\n     ", " ");
        let codes: Vec<_> = codes
            .lines()
            .filter_map(|line| line.trim().split_once("  "))
            .collect();
        assert_eq!(codes.len(), 4, "{help}");
        for (code, meaning) in codes {
            let row = format!("| {code} | {meaning} |");
            assert!(page.contains(&row), "docs/runner.md lacks `{row}`");
        }
    }
}
