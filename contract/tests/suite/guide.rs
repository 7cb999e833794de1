//! Runs the commands of the guide in a new repository, and the GitHub action as a workflow does.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Bench, Run};
use programs::guide::{Block, blocks};
use serde::Deserialize;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a script in a shell whose path contains the command.
fn bash(script: &str, bench: &Bench, variables: &[(&str, &str)]) -> Output {
    let folder = Path::new(env!("CARGO_BIN_EXE_contract")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("bash");
    command
        .args(["-eo", "pipefail", "-c", script])
        .current_dir(bench.path());
    command.env("PATH", format!("{}:{path}", folder.display()));
    for name in ["GITHUB_BASE_REF", "GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn the_commands_of_the_guide_work_as_described() {
    let guide = std::fs::read_to_string(project().join("docs/gate.md")).unwrap();
    let bench = Bench::bare();
    let blocks = blocks(&guide);
    assert!(blocks.len() > 9, "{blocks:#?}");
    for block in blocks {
        match block {
            Block::File { name, text } => drop(bench.write(&name, &text)),
            Block::Commands { script, code } => {
                let run = Run::of(&bash(&script, &bench, &[]));
                assert_eq!(run.code, code, "{script}\n{}", run.all());
            }
        }
    }
    let page = bench.read("out/contract.html");
    assert!(page.contains("request-parameter-max-decreased"), "{page}");
}

/// The parts of an action that the tests use.
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
    run: Option<String>,
}

/// The script of the step that judges.
fn judge() -> String {
    let path = project().join(".github/actions/contract/action.yml");
    let action: Action = serde_yaml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let mut steps = action.runs.steps.into_iter();
    let found = steps.find(|step| step.name == "Judge");
    found.unwrap().run.unwrap()
}

#[test]
fn the_action_judges_a_pull_request() {
    let bench = Bench::new();
    bench.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    bench.git(&["switch", "--quiet", "--create", "work"]);
    let summary = bench.write("step.md", "");
    let summary = summary.display().to_string();
    let variables = [
        ("DOCUMENT", "openapi.yaml"),
        ("BASE", ""),
        ("FAIL_ON", ""),
        ("REPORTS", "reports"),
        ("GITHUB_BASE_REF", "main"),
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_STEP_SUMMARY", summary.as_str()),
    ];
    Run::of(&bash(&judge(), &bench, &variables)).ends(0);
    bench.replace("openapi.yaml", "    get:\n", "    delete:\n");
    let run = Run::of(&bash(&judge(), &bench, &variables)).ends(1);
    let run = run.tells(&["::error file=openapi.yaml,line=", "api-removed"]);
    assert!(run.err.is_empty(), "{}", run.err);
    for file in [
        "report.json",
        "contract.sarif",
        "CHANGES.md",
        "contract.html",
    ] {
        assert!(!bench.read(&format!("reports/lint/{file}")).is_empty());
        assert!(
            bench
                .read(&format!("reports/diff/{file}"))
                .contains("version"),
            "{file}"
        );
    }
    assert!(bench.read("step.md").contains("### Breaking"));
    bench.write("openapi.yaml", "- nothing\n");
    Run::of(&bash(&judge(), &bench, &variables)).ends(3);
}

/// The parts of a pre-commit hook that the tests use.
#[derive(Deserialize)]
struct Hook {
    entry: String,
}

#[test]
fn the_hooks_run_existing_commands() {
    let path = project().join(".pre-commit-hooks.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let hooks: Vec<Hook> = serde_yaml::from_str(&text).unwrap();
    let bench = Bench::new();
    bench.write("contract.toml", "document = \"openapi.yaml\"\n");
    for hook in &hooks {
        Run::of(&bash(&hook.entry, &bench, &[])).ends(0);
    }
    assert_eq!(hooks.len(), 2);
}
