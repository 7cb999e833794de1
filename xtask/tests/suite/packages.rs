//! Tests the dependencies between packages, and that generated code can be restored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{fs, io};

use serde_json::Value;

/// Each package, and the packages of the workspace that it may depend on.
const ARROWS: &[(&str, &[&str])] = &[
    ("openapi-document", &[]),
    ("openapi-facts", &["openapi-document"]),
    ("openapi-lint", &["openapi-document", "openapi-facts"]),
    ("openapi-diff", &["openapi-document", "openapi-facts"]),
    // Only the tests of `codegen` use the fuzzer and the lint rules.
    (
        "openapi-generate",
        &[
            "codegen-fuzz",
            "openapi-generate-runtime",
            "openapi-document",
            "openapi-facts",
            "openapi-lint",
        ],
    ),
    (
        "codegen-fuzz",
        &["openapi-generate", "openapi-document", "programs"],
    ),
    ("codegen-goldens", &[]),
    ("openapi-generate-runtime", &[]),
    (
        "codegen-crates",
        &[
            "openapi-generate",
            "contract",
            "openapi-document",
            "openapi-lint",
            "programs",
        ],
    ),
    (
        "codegen-wire",
        &[
            "openapi-generate",
            "codegen-crates",
            "openapi-document",
            "programs",
        ],
    ),
    ("bench", &["openapi-generate", "programs"]),
    ("calls", &["merchant-payments"]),
    // Only the tests of `contract` use the programs.
    (
        "contract",
        &[
            "openapi-generate",
            "openapi-diff",
            "openapi-document",
            "openapi-lint",
            "programs",
        ],
    ),
    ("merchant-payments", &["openapi-generate-runtime"]),
    (
        "openapi-conformance",
        &["openapi-document", "openapi-facts"],
    ),
    ("sandbox", &["allocator", "merchant-payments"]),
    ("allocator", &[]),
    (
        "xtask",
        &[
            "openapi-generate",
            "contract",
            "openapi-lint",
            "prerequisites",
            "programs",
        ],
    ),
    ("browser", &["prerequisites"]),
    ("prerequisites", &[]),
    ("programs", &[]),
];

/// Packages that the tests of any package may use.
const FOR_TESTS: [&str; 2] = ["browser", "prerequisites"];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn run_metadata(folder: &Path) -> Output {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
        "--offline",
    ]);
    cargo.current_dir(folder).output().unwrap()
}

/// The metadata of a workspace's packages from cargo.
pub(crate) fn metadata(folder: &Path) -> Value {
    serde_json::from_slice(&run_metadata(folder).stdout).unwrap()
}

#[test]
fn packages_depend_on_each_other_as_planned() {
    let metadata = metadata(&root());
    let packages = metadata["packages"].as_array().unwrap();
    let names: Vec<&str> = packages
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    let plan: BTreeMap<_, _> = ARROWS.iter().copied().collect();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let allowed = plan
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not in the plan"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let on = dependency["name"].as_str().unwrap();
            let is_for_tests = dependency["kind"] == "dev" && FOR_TESTS.contains(&on);
            let fits = allowed.contains(&on) || is_for_tests;
            assert!(
                fits || !names.contains(&on),
                "{name} must not depend on {on}"
            );
        }
    }
}

/// `generate` uses only one parser of documents; lint uses a second one too.
#[test]
fn only_lint_uses_the_second_parser_of_documents() {
    let metadata = metadata(&root());
    let mut readers = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            match dependency["name"].as_str().unwrap() {
                "openapiv3" => readers.push(name),
                "openapi-lint" if name == "openapi-generate" => {
                    assert_eq!(dependency["kind"], "dev");
                }
                _ => {}
            }
        }
    }
    assert_eq!(readers, ["openapi-lint"]);
}

/// A copy of the files that `generate` reads and writes.
fn copy_of_the_checkout() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in [
        "Cargo.toml",
        "Cargo.lock",
        "rust-toolchain.toml",
        "rustfmt.toml",
    ] {
        fs::copy(root().join(file), copy.path().join(file)).unwrap();
    }
    for folder in [
        "spec",
        "codegen",
        "contract",
        "docs",
        "bench",
        "generated",
        "conformance",
        "openapi",
        "sandbox",
        "testing",
        "xtask",
    ] {
        copy_folder(&root().join(folder), &copy.path().join(folder)).unwrap();
    }
    copy
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn generate(checkout: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("generate")
        .args(arguments)
        .current_dir(checkout)
        .env("CARGO_MANIFEST_DIR", checkout.join("xtask"))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

/// Every file below a folder with its bytes.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            all.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    all
}

#[test]
fn generating_again_gives_the_same_bytes() {
    let checkout = copy_of_the_checkout();
    let generated = checkout.path().join("generated");
    let before = contents(&generated);
    let (done, output) = generate(checkout.path(), &[]);
    assert!(done, "{output}");
    assert!(
        before == contents(&generated),
        "generated/ was not current: {output}"
    );
}

#[test]
fn emptied_bindings_are_restored_by_one_command() {
    let checkout = copy_of_the_checkout();
    let generated = checkout.path().join("generated");
    let before = contents(&generated);
    fs::remove_dir_all(generated.join("src")).unwrap();
    fs::create_dir(generated.join("src")).unwrap();
    let loaded = run_metadata(checkout.path());
    assert!(
        loaded.status.success(),
        "{}",
        String::from_utf8_lossy(&loaded.stderr)
    );
    let (current, _) = generate(checkout.path(), &["--check"]);
    assert!(!current);
    let (done, output) = generate(checkout.path(), &[]);
    assert!(done, "{output}");
    assert!(before == contents(&generated), "{output}");
}

#[test]
fn a_changed_contract_is_reported_with_the_command_to_run() {
    let checkout = copy_of_the_checkout();
    let path = checkout.path().join("spec/openapi.yaml");
    let text = fs::read_to_string(&path).unwrap();
    let (current, output) = generate(checkout.path(), &["--check"]);
    assert!(current, "{output}");
    fs::write(&path, text.replacen("title: ", "title: Other ", 1)).unwrap();
    let (current, output) = generate(checkout.path(), &["--check"]);
    assert!(!current);
    assert!(output.contains("run `cargo xtask generate`"), "{output}");
    assert!(output.contains("openapi.json"), "{output}");
}

#[test]
fn commands_work_with_broken_bindings() {
    let checkout = copy_of_the_checkout();
    fs::write(
        checkout.path().join("generated/src/lib.rs"),
        "this is not Rust",
    )
    .unwrap();
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--package",
            "xtask",
            "--prefix",
            "none",
        ])
        .current_dir(checkout.path())
        .output()
        .unwrap();
    let tree = String::from_utf8_lossy(&tree.stdout).into_owned();
    assert!(
        tree.contains("xtask v") && !tree.contains("merchant-payments"),
        "{tree}"
    );
    let (done, output) = generate(checkout.path(), &[]);
    assert!(done, "{output}");
}

/// The Rust files below a folder.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// A file that no module declares is a test that never runs.
#[test]
fn every_file_of_a_test_program_is_compiled() {
    let metadata = metadata(&root());
    let mut suites = 0;
    for package in metadata["packages"].as_array().unwrap() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let targets = package["targets"].as_array().unwrap().iter();
        let tests: Vec<&str> = targets
            .filter(|target| target["kind"][0] == "test")
            .map(|target| target["src_path"].as_str().unwrap())
            .collect();
        assert!(tests.len() < 2, "{tests:?}: one program for each package");
        let Some(main) = tests.first().map(Path::new) else {
            continue;
        };
        suites += 1;
        let suite = manifest.with_file_name("tests").join("suite");
        assert_eq!(main, suite.join("main.rs"));
        let files = rust_files(&suite);
        let texts: String = files
            .iter()
            .map(|file| fs::read_to_string(file).unwrap())
            .collect();
        for file in files.iter().filter(|file| *file != main) {
            let (name, module) = (file.file_name().unwrap(), file.file_stem().unwrap());
            let (name, mut module) = (name.to_str().unwrap(), module.to_str().unwrap());
            if name == "mod.rs" {
                module = file
                    .parent()
                    .unwrap()
                    .file_name()
                    .unwrap()
                    .to_str()
                    .unwrap();
            }
            let is_declared = texts.lines().any(|line| {
                let line = line.trim().trim_start_matches("pub ");
                let line = line.trim_start_matches("pub(crate) ");
                line == format!("mod {module};")
            });
            assert!(is_declared, "{} is never compiled", file.display());
        }
    }
    assert!(suites > 6, "{suites} test programs");
}

/// The packages in the workspace's dependency tree, each with its features.
fn features(edges: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--workspace", "--prefix", "none"])
        .args(["--format", "{p}|{f}", "--edges", edges])
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
    lines.map(str::to_owned).collect()
}

/// Otherwise `cargo test` would build again what `cargo xtask certify` has built.
#[test]
fn tests_turn_on_no_feature_of_what_programs_depend_on() {
    let (programs, tests) = (features("normal,build"), features("normal,build,dev"));
    let more: Vec<_> = programs.difference(&tests).collect();
    assert!(programs.len() > 100, "{programs:?}");
    assert!(
        more.is_empty(),
        "built twice, with and without features: {more:?}"
    );
}
