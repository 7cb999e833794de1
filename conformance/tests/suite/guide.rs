//! Follows the guide for a team without Rust and the action for its CI, against a server in Python.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

const KEY: &str = "key-of-the-team";

/// The server in Python; it ends when this value is dropped.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    /// Starts the server when Python is installed.
    fn start() -> Option<Self> {
        if !prerequisites::PYTHON.is_met() {
            return None;
        }
        let mut process = Command::new("python3")
            .arg(repository_path("tests/suite/support/server.py"))
            .env("KEY", KEY)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let stdout = process.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut url).unwrap();
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Some(Self { process, url })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn repository_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs a shell command in a folder, with only the program on the path.
fn shell(line: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_conformance"));
    let path = std::env::var("PATH").unwrap();
    Command::new("bash")
        .args(["-c", line])
        .current_dir(folder)
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .env("KEY", KEY)
        .env("CI", "true")
        .output()
        .unwrap()
}

#[test]
fn the_guide_can_be_followed() {
    let guide = std::fs::read_to_string(repository_path("../docs/certify.md")).unwrap();
    let commands = guide
        .lines()
        .filter_map(|line| line.strip_prefix("       "));
    let commands: Vec<&str> = commands
        .filter(|repository_path| repository_path.starts_with("conformance "))
        .collect();
    assert_eq!(commands.len(), 8, "{commands:#?}");
    let Some(server) = Server::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut codes = Vec::new();
    for command in commands {
        let line = command.replace("http://127.0.0.1:8080", &server.url);
        let output = shell(&line, folder.path());
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!printed.contains(KEY), "{printed}");
        codes.push((output.status.code(), command, printed));
    }
    let codes: Vec<Option<i32>> = codes
        .iter()
        .inspect(|(code, command, printed)| println!("{command} ended with {code:?}\n{printed}"))
        .map(|(code, ..)| *code)
        .collect();
    let ok = Some(0);
    // The runs differ until the differences are recorded.
    assert_eq!(codes, [ok, ok, ok, Some(1), ok, Some(1), Some(1), ok]);
    for file in [
        "conformance.toml",
        "deviations.toml",
        "target/certify/certificate.json",
    ] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

fn action() -> Value {
    let text = std::fs::read_to_string(repository_path("action.yml")).unwrap();
    serde_yaml::from_str(&text).unwrap()
}

#[test]
fn the_action_certifies_and_reports_the_result() {
    let Some(server) = Server::start() else {
        return;
    };
    let action = action();
    let steps = action["runs"]["steps"].as_array().unwrap();
    let script = steps
        .iter()
        .find(|repository_path| repository_path["id"] == "certify")
        .unwrap()["run"]
        .as_str()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
        .current_dir(folder.path())
        .envs([
            ("SERVER", &*server.url),
            ("SPEC", ""),
            ("CONFIG", ""),
            ("OUT", "out"),
        ])
        .envs([
            ("AREA", "payment-methods"),
            ("ARGUMENTS", "--without-laws --seed 5"),
        ])
        .env("HEADER", format!("Authorization: {KEY}"))
        .env("PROGRAM", env!("CARGO_BIN_EXE_conformance"))
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_OUTPUT", folder.path().join("output"))
        .env("GITHUB_STEP_SUMMARY", folder.path().join("summary"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("::error file=spec/"), "{printed}");
    assert!(!printed.contains(KEY), "{printed}");
    let outputs = std::fs::read_to_string(folder.path().join("output")).unwrap();
    assert_eq!(outputs, "verdict=fail\nreport=out/report.json\n");
    let report = std::fs::read(folder.path().join("out/report.json")).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["run"]["seed"], 5);
    for file in ["report.html", "report.sarif", "junit.xml", "badge.json"] {
        assert!(folder.path().join("out").join(file).is_file(), "{file}");
    }
}

#[test]
fn the_action_uses_all_its_inputs() {
    let action = action();
    let inputs = action["inputs"].as_object().unwrap();
    let steps = action["runs"]["steps"].to_string();
    for (name, input) in inputs {
        assert!(
            steps.contains(&format!("inputs.{name}")),
            "{name} is an unused input"
        );
        assert!(input["description"].is_string());
        assert_ne!(
            input["required"] == true,
            input["default"].is_string(),
            "{name}"
        );
    }
    for step in action["runs"]["steps"].as_array().unwrap() {
        let variables = step["env"].as_object().unwrap();
        let script = step["run"].as_str().unwrap();
        for name in variables.keys() {
            assert!(
                script.contains(&format!("${name}")) || script.contains(&format!("{{{name}")),
                "{name}"
            );
        }
    }
}
