//! Tests frozen lists of requirements: checks added after the list of a certificate only warn.

use std::fs;
use std::path::Path;

use crate::support::{answer, binary, options, raw_server, validate_against, write};
use conformance::checks;
use conformance::laws;
use conformance::level::{Examples, Level, Profile, Weights};
use conformance::requirements::Lists;
use conformance::run::list;
use serde_json::Value;

const THINGS: &str = r"
openapi: 3.0.3
info: {title: Things, version: '1.2'}
paths:
  /thing:
    get:
      operationId: getThing
      responses:
        '200':
          description: one
          content:
            application/json:
              schema: {type: object, required: [a], properties: {a: {type: string}}}
              example: {a: x}
  /other:
    get: {operationId: getOther, responses: {'200': {description: another}}}
";

/// A server that answers a number where a text is documented.
async fn server() -> String {
    let address = raw_server(|line| {
        let body = if line.contains("/thing") {
            r#"{"a":1}"#
        } else {
            ""
        };
        Some(answer("200 OK", body))
    });
    format!("http://{}", address.await)
}

fn run(folder: &Path, url: &str, more: &[&str]) -> (Option<i32>, String) {
    let item = ["run", "--spec", "things.yaml", "--url", url];
    run_command(folder, &[&item, &["--without-laws"][..], more].concat())
}

fn run_command(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = binary(arguments, folder);
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(printed).unwrap())
}

fn certificate(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("target/certify/certificate.json")).unwrap();
    validate_against(conformance::report::certificate::SCHEMA, &text);
    serde_json::from_str(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_growing_suite_does_not_fail_an_old_certificate() {
    let (folder, url) = (tempfile::tempdir().unwrap(), server().await);
    let folder = folder.path();
    write(folder, "things.yaml", THINGS);
    assert_eq!(run(folder, &url, &[]).0, Some(1));
    assert!(certificate(folder).get("requirements").is_none());
    let (code, printed) = run_command(folder, &["requirements", "--check"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("no list of the version 1.2"), "{printed}");
    assert_eq!(run_command(folder, &["requirements"]).0, Some(0));
    assert_eq!(run_command(folder, &["requirements", "--check"]).0, Some(0));

    // An earlier suite lacked the case and one of the checks.
    let first = folder.join("requirements/1.2-1.yaml");
    let whole = fs::read_to_string(&first).unwrap();
    let without = |what: &str| {
        let kept = whole.lines().filter(|line| !line.contains(what));
        kept.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(run(folder, &url, &[]).0, Some(1));
    for newer in ["getThing/200/example:", "-type"] {
        fs::write(&first, without(newer)).unwrap();
        let (code, printed) = run(folder, &url, &[]);
        assert_eq!(code, Some(0), "{newer}: {printed}");
        let warned = printed.contains("the list of requirements 1.2-1 does not demand this");
        assert!(warned, "{newer}: {printed}");
    }
    fs::write(&first, &whole).unwrap();
    assert_eq!(run(folder, &url, &[]).0, Some(1));
    let none = without("getThing");
    fs::write(&first, &none).unwrap();
    let (code, printed) = run(folder, &url, &[]);
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(certificate(folder)["requirements"]["name"], "1.2-1");

    // Another list is written, and the old one still applies when it is named.
    let (code, printed) = run_command(folder, &["requirements", "--check"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.contains("getThing/200/example\n") && printed.contains("1.2-2.yaml"),
        "{printed}"
    );
    assert_eq!(run_command(folder, &["requirements"]).0, Some(0));
    assert_eq!(fs::read_to_string(&first).unwrap(), none);
    assert_eq!(run(folder, &url, &[]).0, Some(1));
    assert_eq!(certificate(folder)["requirements"]["name"], "1.2-2");
    for list in ["1.2-1", "requirements/1.2-1.yaml"] {
        assert_eq!(run(folder, &url, &["--requirements", list]).0, Some(0));
        assert_eq!(certificate(folder)["requirements"]["name"], "1.2-1");
    }
    let (code, printed) = run(folder, &url, &["--requirements", "1.2-3"]);
    assert_eq!(code, Some(2));
    assert!(
        printed.contains("the contract has: 1.2-1, 1.2-2"),
        "{printed}"
    );
    // A run of a part of the contract writes no list.
    run(folder, &url, &["--operation", "getOther"]);
    let (code, printed) = run_command(folder, &["requirements"]);
    assert_eq!(code, Some(3));
    assert!(printed.contains("a part of the contract only"), "{printed}");
}

/// The cases of laws are known only after a run, so `cargo xtask certify` checks them.
#[test]
fn the_contract_has_a_list_of_its_version() {
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml");
    let folder = contract.with_file_name("requirements");
    let document = openapi_document::loader::load(&contract).unwrap();
    let version = document.root.get("info").unwrap().get("version").unwrap();
    let lists = Lists::in_folder(&folder).unwrap();
    let newest = lists.newest(version.as_str().unwrap());
    let newest = newest
        .expect("`cargo xtask certify --freeze` writes one")
        .unwrap();
    let listed: Vec<&str> = newest.cases().map(|case| case.case).collect();
    let cases = list(&options(&contract, "http://127.0.0.1:1")).unwrap();
    let checks = checks::ALL.iter().map(|item| item.id);
    let lacking: Vec<&str> = cases
        .iter()
        .map(String::as_str)
        .filter(|item| !listed.contains(item))
        .chain(checks.filter(|check| !newest.has_check(check)))
        .collect();
    assert!(
        lacking.is_empty(),
        "`cargo xtask certify --freeze` writes a list that has {lacking:#?}"
    );
}

/// A rule that was read from names and examples only warns, so the contract confirms those in its
/// list.
#[test]
fn each_law_of_our_list_binds_in_our_contract() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec");
    let document = openapi_document::loader::load(&spec.join("openapi.yaml")).unwrap();
    assert_eq!(Examples::of(&document), Some(Examples::Normative));
    let behaviour = openapi_document::behaviour::load(&spec.join("behaviour.yaml")).unwrap();
    let lists = fs::read_dir(spec.join("requirements")).unwrap();
    let lists = lists.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let list: String = lists.collect();
    let mut gaps = Vec::new();
    let mut count = 0;
    for line in list.lines() {
        let Some((case, level)) = line.trim().rsplit_once(": ") else {
            continue;
        };
        let mut parts = case.split('/');
        let (Some("laws"), Some(law), Some(operation)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        count += 1;
        let evidence = laws::evidence(&behaviour.confirmed, law, operation);
        let level = Level::parse(level).unwrap();
        for profile in [Profile::Documented, Profile::Complete] {
            let weights = Weights {
                profile,
                examples: Examples::Normative,
            };
            if weights.weigh(level, evidence) < profile.raise(level) {
                gaps.push(format!("{case} under {profile:?}: {evidence}"));
            }
        }
    }
    assert!(count > 600 && gaps.is_empty(), "{count} {gaps:#?}");
}
