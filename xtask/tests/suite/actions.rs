//! Tests the step of each action that installs its program, with a release in a folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde::Deserialize;

use crate::packages::root;

/// Each program with its action.
const ACTIONS: [(&str, &str); 2] = [
    ("contract", ".github/actions/contract/action.yml"),
    ("conformance", "conformance/action.yml"),
];

#[derive(Deserialize)]
struct Action {
    runs: Runs,
}

#[derive(Deserialize)]
struct Runs {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    name: String,
    run: String,
}

/// A machine of a workflow: its folder for programs, and the release that it can download.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["temp", "bin"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("path"), "").unwrap();
        let machine = Self { folder };
        machine.write_program("bin/uname", "[ \"$1\" = -s ] && echo Linux || echo x86_64");
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write_program(&self, name: &str, script: &str) {
        std::fs::write(self.at(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        let mut chmod = Command::new("chmod");
        assert!(
            chmod
                .arg("+x")
                .arg(self.at(name))
                .status()
                .unwrap()
                .success()
        );
    }

    /// Publishes an archive of a program that prints `released`.
    fn publish(&self, program: &str, version: &str) {
        let release = format!("us/tools/releases/download/v{version}");
        let name = format!("{program}-{version}-x86_64-unknown-linux-gnu");
        std::fs::create_dir_all(self.at(&format!("{release}/{name}"))).unwrap();
        self.write_program(&format!("{release}/{name}/{program}"), "echo released");
        let script =
            format!("tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz >SHA256SUMS");
        let mut bash = Command::new("bash");
        bash.args(["-ec", &script]).current_dir(self.at(&release));
        assert!(bash.status().unwrap().success());
    }

    /// Runs the step as the action does.
    fn install(&self, action: &str, version: &str, build: &str) -> Output {
        let path = root().join(action);
        let text = std::fs::read_to_string(&path).unwrap();
        let action: Action = serde_yaml::from_str(&text).unwrap();
        let step = &action.runs.steps[0];
        assert_eq!(step.name, "Install");
        Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &step.run])
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", self.at("bin").display()),
            )
            .env("GITHUB_ACTION_PATH", path.parent().unwrap())
            .env(
                "GITHUB_SERVER_URL",
                format!("file://{}", self.folder.path().display()),
            )
            .env("GITHUB_PATH", self.at("path"))
            .env("RUNNER_TEMP", self.at("temp"))
            .envs([
                ("REPOSITORY", "us/tools"),
                ("VERSION", version),
                ("BUILD", build),
            ])
            .output()
            .unwrap()
    }

    /// The output of the installed program.
    fn runs(&self, program: &str) -> String {
        let path = std::fs::read_to_string(self.at("path")).unwrap();
        let output = Command::new(Path::new(path.trim()).join(program)).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    }
}

#[test]
fn an_action_installs_the_release_of_its_version() {
    for (program, action) in ACTIONS {
        let machine = Machine::new();
        machine.publish(program, env!("CARGO_PKG_VERSION"));
        let output = machine.install(action, "", "false");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(machine.runs(program), "released\n");
    }
}

#[test]
fn an_action_installs_the_requested_release() {
    let (program, action) = ACTIONS[0];
    let machine = Machine::new();
    machine.publish(program, "9.8.7");
    let output = machine.install(action, "9.8.7", "false");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(machine.runs(program), "released\n");
}

#[test]
fn an_action_builds_only_on_request() {
    for (program, action) in ACTIONS {
        let machine = Machine::new();
        machine.write_program(
            "bin/cargo",
            &format!("echo \"$@\" >{}", machine.at("asked").display()),
        );
        let output = machine.install(action, "", "false");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains("failed to download") && text.contains("build: true"),
            "{text}"
        );
        assert!(!machine.at("asked").exists());
        let output = machine.install(action, "", "true");
        assert!(output.status.success(), "{output:?}");
        let arguments = std::fs::read_to_string(machine.at("asked")).unwrap();
        let package = format!(
            "/{program} --root {}",
            machine.at("temp").join(program).display()
        );
        assert!(
            arguments.contains("install") && arguments.contains(&package),
            "{arguments}"
        );
    }
}

#[test]
fn an_action_refuses_an_archive_with_another_checksum() {
    let (program, action) = ACTIONS[1];
    let machine = Machine::new();
    let version = env!("CARGO_PKG_VERSION");
    machine.publish(program, version);
    let release = format!("us/tools/releases/download/v{version}");
    let archive = format!("{release}/{program}-{version}-x86_64-unknown-linux-gnu.tar.gz");
    let mut bytes = std::fs::read(machine.at(&archive)).unwrap();
    bytes.push(0);
    std::fs::write(machine.at(&archive), bytes).unwrap();
    let output = machine.install(action, "", "false");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let path = std::fs::read_to_string(machine.at("path")).unwrap();
    assert_eq!(path, "");
}
