//! Tests the answers of the programs to mistakes: each message says what to type instead.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use programs::build::build;

/// A document with one operation, and configurations with a misspelt name.
const FILES: [(&str, &str); 3] = [
    (
        "openapi.yaml",
        "openapi: 3.0.4\n\
         info: {title: Notes, version: 1.0.0}\n\
         paths:\n\
         \x20 /notes:\n\
         \x20   get: {operationId: listNotes, tags: [notes], responses: {'200': {description: Notes.}}}\n",
    ),
    (
        "contract.toml",
        "[levels]\noperation-without-exampel = \"off\"\n",
    ),
    (
        "deviations.toml",
        "[[deviation]]\ncheck = \"status-cod\"\noperation = \"listNote\"\npointer = \"\"\nreason = \"later\"\n\
         expires = 2099-01-01\n",
    ),
];

#[test]
fn conformance_says_what_to_type_instead() {
    let server = ["--spec", "openapi.yaml", "--server", "http://127.0.0.1:1"];
    let run = |more: &[&'static str]| [&["run"], &server[..], more].concat();
    let text = answers(
        "conformance",
        &[
            vec!["rum"],
            vec!["run", "--sever", "http://127.0.0.1:8080"],
            vec!["run", "--spec", "openapi.yaml"],
            vec![
                "run",
                "--spec",
                "openapi.yaml",
                "--server",
                "127.0.0.1:8080",
            ],
            vec![
                "run",
                "--spec",
                "openapi.yaml",
                "--server",
                "ftp://example.com/v1",
            ],
            vec![
                "run",
                "--spec",
                "openapi.yml",
                "--server",
                "http://127.0.0.1:1",
            ],
            run(&["--area", "note"]),
            run(&["--operation", "listNote"]),
            run(&["--header", "Authorization"]),
            run(&["--report", "htlm"]),
            run(&["--config", "no.toml"]),
            run(&["--deviations", "no.toml"]),
            run(&["--deviations", "deviations.toml"]),
            run(&["--wait", "ten"]),
            run(&[]),
            run(&["--skip-operation", "listNote"]),
            vec!["merge", "no.json"],
            vec!["explain", "schema-tipe"],
            vec!["explain", "listNotes"],
            vec!["facts", "--kind", "bared"],
            vec![
                "run",
                "--operation",
                "createPurchas",
                "--server",
                "http://127.0.0.1:1",
            ],
        ],
    );
    insta::assert_snapshot!("conformance", text);
}

#[test]
fn contract_says_what_to_type_instead() {
    let text = answers(
        "contract",
        &[
            vec!["lnt"],
            vec!["lint", "--outpt", "json"],
            vec!["lint", "--config", "no.toml"],
            vec!["lint", "openapi.yaml"],
            vec!["lint", "openapi.yml", "--config", "/dev/null"],
            vec![
                "lint",
                "https://example.com/openapi.yaml",
                "--config",
                "/dev/null",
            ],
            vec!["lint", "--config", "/dev/null"],
            vec!["lint", "openapi.yaml", "--output", "htlm"],
            vec!["lint", "openapi.yaml", "--fail-on", "warn"],
            vec!["diff", "openapi.yaml", "--config", "/dev/null"],
            vec![
                "diff",
                "openapi.yaml",
                "openapi.yml",
                "--config",
                "/dev/null",
            ],
            vec!["bundle", "openapi.yml"],
            vec!["explain", "operation-without-exampel"],
            vec!["generate", "openapi.yaml"],
        ],
    );
    insta::assert_snapshot!("contract", text);
}

#[test]
fn sandbox_says_what_to_type_instead() {
    let text = answers(
        "sandbox",
        &[
            vec!["--lisen", "127.0.0.1:8080"],
            vec!["--listen", "8080"],
            vec!["--listen", "localhost:8080"],
            vec!["--listen", "0.0.0.0:0"],
            vec!["--listen", "0.0.0.0:0", "--api-key", "mine"],
            vec!["--database", "sandbox.db"],
            vec!["--database", "mysql://localhost/sandbox"],
            vec!["--api-key", "two words"],
            vec!["--public-url", "sandbox.example"],
            vec!["audit", "--database", "sqlite://no.db"],
            vec!["trigger"],
            vec!["trigger", "refund.rejected", "--url", "http://127.0.0.1:1"],
            vec!["listen"],
        ],
    );
    insta::assert_snapshot!("sandbox", text);
}

#[test]
fn xtask_says_what_to_type_instead() {
    let text = answers(
        "xtask",
        &[
            vec!["lnt"],
            vec!["lint", "--spc", "openapi.yaml"],
            vec!["lint", "--spec", "openapi.yml"],
            vec!["generate", "--spec", "openapi.yml"],
            vec!["generate", "--spec", "openapi.yml", "--out", "crate"],
            vec!["certify", "--ulr", "http://127.0.0.1:8080"],
            vec!["certify", "--freeze", "--url", "http://127.0.0.1:8080"],
            vec!["prose", "docs/instal.md"],
            vec!["site", "--mdbook", "no-mdbook"],
        ],
    );
    insta::assert_snapshot!("xtask", text);
}

/// Both lists grow, so this is no snapshot.
#[test]
fn a_misspelt_step_or_server_is_refused_with_the_list() {
    let text = answers(
        "xtask",
        &[vec!["nightly", "--only", "tset"], vec!["real", "directsu"]],
    );
    for part in [
        "a similar value exists: 'test'",
        "there is no server `directsu`; the servers are chroma, ",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

/// Runs a program with each list of arguments in a folder with the files. Returns its output.
fn answers(program: &str, mistakes: &[Vec<&str>]) -> String {
    build(&[program]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut text = String::new();
    for arguments in mistakes {
        let output = Command::new(programs_folder().join(program))
            .args(arguments)
            .current_dir(folder.path())
            .env_remove("SANDBOX_API_KEY")
            .env_remove("SANDBOX_ADMIN_KEY")
            .output()
            .unwrap();
        let code = output.status.code().unwrap();
        let answer = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let arguments = arguments.join(" ");
        let _ = writeln!(
            text,
            "$ {program} {arguments}\n{}\n→ {code}\n",
            answer.trim()
        );
    }
    text
}

/// The folder of the programs, above that of this test.
fn programs_folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().to_owned()
}
