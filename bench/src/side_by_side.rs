//! Runs the same five tasks with the clients of three generators, against the sandbox.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, ensure};

use crate::codegen::cost;
use crate::codegen::generator::{GENERATORS, Generator};
use programs::sandbox::{KEY, Sandbox};
use programs::{build, process, workspace};

/// Run the same five tasks with the clients of three generators, against the sandbox.
///
/// Prints the lines of each task, the output, and what happens when two values change places.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder in which the other generators are installed once; default: below target/.
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
}

/// The document and the programs.
const FOLDER: &str = "docs/side-by-side";
/// The generators, by the names of their programs.
const SIDES: [&str; 3] = ["ours", "progenitor", "openapi-to-rust"];
/// The outcome of a program that the compiler refuses.
const NOT: &str = "does not compile";
/// The functions of each program.
const TASKS: [&str; 5] = ["add", "find", "refused", "list", "remove"];
/// Neighbours that a caller may confuse: required fields of a body, parameters of a query and of a
/// path. Each program has those texts that fit its client.
const SWAPS: [(&str, &str, &str); 6] = [
    (
        "fields",
        ".merchant_customer_id(\"ada\")\n        .first_name(\"Ada\")",
        ".first_name(\"Ada\")\n        .merchant_customer_id(\"ada\")",
    ),
    (
        "fields",
        "merchant_customer_id: \"ada\".into(),\n        first_name: \"Ada\".into()",
        "first_name: \"Ada\".into(),\n        merchant_customer_id: \"ada\".into()",
    ),
    (
        "fields",
        "(\"Ada\".into(), \"ada\".into())",
        "(\"ada\".into(), \"Ada\".into())",
    ),
    (
        "query",
        ".items_per_page(2).page(1)",
        ".page(1).items_per_page(2)",
    ),
    ("query", "(Some(2), Some(page))", "(Some(page), Some(2))"),
    (
        "path",
        "remove_payment_card(\"ada\", CARD)",
        "remove_payment_card(CARD, \"ada\")",
    ),
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    build::build(&["sandbox"])?;
    let folder = workspace::root().join("target/side-by-side");
    let peers = workspace::root().join("target/bench-codegen");
    let peers = std::path::absolute(arguments.programs.as_ref().unwrap_or(&peers))?;
    let mut lines = String::new();
    let mut outputs = String::new();
    for name in SIDES {
        let mut generators = GENERATORS.iter();
        let generator = generators.find(|own| own.folder == name);
        let generator = generator.context("a side is a generator")?;
        let program = Program::new(generator, &peers, &folder.join(name))?;
        let said = program.run(&program.source)?;
        ensure!(!said.starts_with(NOT), "{name}: {said}");
        lines += &program.lines();
        let _ = writeln!(outputs, "{}:\n\n```text\n{said}```\n", generator.name);
        for (what, from, to) in SWAPS {
            let swapped = program.source.replace(from, to);
            if swapped != program.source {
                let after = program.run(&swapped)?;
                let _ = writeln!(outputs, "{what} swapped: {}", difference(&said, &after));
            }
        }
        outputs.push('\n');
    }
    println!("| client | {} | whole program |", TASKS.join(" | "));
    println!(
        "|---|{}---|\n{lines}\n{outputs}",
        "---|".repeat(TASKS.len())
    );
    Ok(ExitCode::SUCCESS)
}

/// What a program with a swap prints differently, apart from errors, which hold times and ids.
fn difference(said: &str, after: &str) -> String {
    if after.starts_with(NOT) {
        return NOT.to_owned();
    }
    let lines = said.lines().zip(after.lines());
    let changed = lines.filter(|(was, is)| was != is && !was.starts_with("refused: "));
    let changed: Vec<String> = changed
        .map(|(was, is)| format!("`{was}` becomes `{is}`"))
        .collect();
    if changed.is_empty() {
        return "the same".to_owned();
    }
    changed.join(", ")
}

/// The tasks with the client of one generator.
struct Program {
    name: &'static str,
    source: String,
    package: PathBuf,
}

impl Program {
    /// Generates the client.
    fn new(generator: &'static Generator, peers: &Path, package: &Path) -> anyhow::Result<Self> {
        let root = workspace::root().join(FOLDER);
        let document = root.join("openapi.yaml");
        let shop = package.join("shop");
        if shop.exists() {
            fs::remove_dir_all(&shop)?;
        }
        fs::create_dir_all(&shop)?;
        fs::create_dir_all(package.join("src"))?;
        let program = generator.install(peers)?;
        let mut generate = generator.command(&program, &document, &shop);
        let generated = process::succeeds(generate.stdout(Stdio::null()))?;
        ensure!(generated, "{} refuses the document", generator.name);
        generator.complete(&shop, "shop")?;
        let manifest = format!(
            "[package]\nname = \"{}-tasks\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nreqwest = {{ version = \"0.13\", default-features = false }}\n\
             shop = {{ path = \"shop\"{} }}\n\
             tokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n\n[workspace]\nexclude = [\"shop\"]\n",
            generator.folder,
            if generator.folder == "ours" {
                ", features = [\"areas\"]"
            } else {
                ""
            },
        );
        fs::write(package.join("Cargo.toml"), manifest)?;
        Ok(Self {
            name: generator.name,
            source: fs::read_to_string(root.join(generator.folder).with_extension("rs"))?,
            package: package.to_owned(),
        })
    }

    /// What a program prints that calls a new sandbox, or that it does not compile.
    fn run(&self, source: &str) -> anyhow::Result<String> {
        fs::write(self.package.join("src/main.rs"), source)?;
        let target = self.package.with_file_name("build");
        let mut cargo = process::cargo();
        cargo
            .args(["build", "--quiet"])
            .env("CARGO_TARGET_DIR", &target);
        let built = cost::of(cargo.current_dir(&self.package))?;
        if built.complaint.is_some() {
            return Ok(format!("{NOT}\n{}", built.output));
        }
        let sandbox = Sandbox::start(&build::built("sandbox"))?;
        let folder = self
            .package
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let program = target
            .join("debug")
            .join(format!("{folder}-tasks{}", std::env::consts::EXE_SUFFIX));
        let mut run = Command::new(program);
        let output = run.arg(&sandbox.server.url).arg(KEY).output()?;
        let said = [output.stdout, output.stderr].concat();
        Ok(String::from_utf8(said)?)
    }

    /// A row of the table: the lines of each function, and of the whole program.
    fn lines(&self) -> String {
        let mut row = format!("| {} |", self.name);
        for task in TASKS {
            let begin = format!("async fn {task}(");
            let lines = self
                .source
                .lines()
                .skip_while(|line| !line.starts_with(&begin));
            let count = lines.take_while(|line| *line != "}").count() + 1;
            let _ = write!(row, " {count} |");
        }
        row + &format!(" {} |\n", self.source.lines().count())
    }
}
