//! `fuzz`: give the generator documents that were broken at random.

#![allow(
    clippy::print_stdout,
    reason = "the program answers on standard output"
)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context;
use codegen_fuzz::{Answer, Case, Finding, Seeds, judge, shrink};
use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage, setrlimit};
use nix::sys::time::TimeValLike;

use programs::workspace;

/// Seconds of CPU that a document may take, being generated twice.
const SECONDS: u64 = 20;
/// Bytes of memory that a document may take.
const MEMORY: u64 = 1 << 30;
/// How often a document that shows a defect is made smaller.
const TRIES: usize = 400;

/// Give the generator documents that were broken at random, and keep those it does not survive.
///
/// Each is judged in a process that may take 20 seconds of CPU and 1 GiB of memory. Exit code: 0 all
/// is well, 1 there are findings.
#[derive(clap::Parser)]
#[command(name = "fuzz", version)]
struct Arguments {
    /// How long.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// The same number gives the same documents; a random one where it is left out.
    #[arg(long)]
    seed: Option<u64>,
    /// The number of the first document.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// A folder of documents to start from, instead of those of the checkout and ../shared/corpus.
    #[arg(long, value_name = "DIR")]
    documents: Vec<PathBuf>,
    /// Where findings are written.
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    save: PathBuf,
    /// Judge documents one after the other, saying so; what the other processes do.
    #[arg(long, hide = true)]
    worker: bool,
    /// Judge this document only.
    #[arg(long, value_name = "FILE")]
    judge: Option<PathBuf>,
}

fn main() -> ExitCode {
    let outcome = run(&<Arguments as clap::Parser>::parse());
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(3)
    })
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(file) = &arguments.judge {
        return judge_file(file);
    }
    let seed = arguments.seed.unwrap_or_else(random_seed);
    let folders = folders(arguments);
    if arguments.worker {
        work(&Seeds::read(&folders)?, seed, arguments.from);
        return Ok(ExitCode::SUCCESS);
    }
    let mut run = Run {
        seeds: Seeds::read(&folders)?,
        folders,
        seed,
        save: arguments.save.clone(),
        until: Instant::now() + Duration::from_secs_f64(arguments.minutes * 60.0),
        tally: Tally::default(),
    };
    println!("seed {seed}, {} documents to start from", run.seeds.len());
    run.go(arguments.from)?;
    let Tally {
        refused,
        generated,
        findings,
    } = &run.tally;
    let count = refused + generated + findings.len() as u64;
    println!(
        "{count} documents: {generated} generated, {refused} refused, {} findings",
        findings.len()
    );
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn random_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.unwrap_or_default().as_secs()
}

fn folders(arguments: &Arguments) -> Vec<PathBuf> {
    if !arguments.documents.is_empty() {
        return arguments.documents.clone();
    }
    ["codegen/tests", "spec", "sandbox", "../shared/corpus"]
        .map(|folder| workspace::root().join(folder))
        .to_vec()
}

#[derive(Default)]
struct Tally {
    refused: u64,
    generated: u64,
    findings: Vec<String>,
}

struct Run {
    seeds: Seeds,
    folders: Vec<PathBuf>,
    seed: u64,
    save: PathBuf,
    until: Instant,
    tally: Tally,
}

impl Run {
    fn go(&mut self, first: u64) -> anyhow::Result<()> {
        let mut next = first;
        while Instant::now() < self.until {
            next = self.watch(next)?;
        }
        Ok(())
    }

    /// Starts a worker and listens until it dies or time is up; says which document is next.
    fn watch(&mut self, first: u64) -> anyhow::Result<u64> {
        let mut command = itself();
        command.args([
            "--worker",
            "--seed",
            &self.seed.to_string(),
            "--from",
            &first.to_string(),
        ]);
        for folder in &self.folders {
            command.arg("--documents").arg(folder);
        }
        let mut worker = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let said = worker.stdout.take().context("the worker has no output")?;
        let stderr = worker.stderr.take().context("the worker has no errors")?;
        let errors = std::thread::spawn(move || last_lines(stderr));
        let mut open = first;
        for line in BufReader::new(said).lines() {
            let line = line?;
            match line.split_once(' ') {
                Some(("begin", number)) => open = number.parse()?,
                Some(("generated", _)) => self.tally.generated += 1,
                Some(("refused", _)) => self.tally.refused += 1,
                Some(("finding", what)) => self.keep(open, what)?,
                _ => {}
            }
            if Instant::now() >= self.until {
                worker.kill()?;
                worker.wait()?;
                return Ok(open);
            }
        }
        let status = worker.wait()?;
        let errors = errors.join().unwrap_or_default();
        let finding = death(status, &errors);
        self.keep(open, &finding.to_string())?;
        Ok(open + 1)
    }

    /// Writes a document that shows a defect, made smaller.
    fn keep(&mut self, number: u64, what: &str) -> anyhow::Result<()> {
        println!("document {number}: {what}");
        let is_new = !self.tally.findings.iter().any(|known| known == what);
        self.tally.findings.push(what.to_owned());
        if !is_new {
            return Ok(());
        }
        fs::create_dir_all(&self.save)?;
        let case = Case::of(&self.seeds, self.seed, number);
        let path = self.save.join(format!("{}-{number}.yaml", self.seed));
        fs::write(&path, &case.text)?;
        if case.is_whole {
            let scratch = self.save.join("smaller.yaml");
            let kind = kind(what).to_owned();
            let smallest = shrink(&case.tree, TRIES, &mut |tree| {
                let text = Case::whole(tree.clone()).text;
                let found = fs::write(&scratch, text)
                    .ok()
                    .and_then(|()| verdict(&scratch).ok());
                found
                    .flatten()
                    .is_some_and(|found| self::kind(&found) == kind)
            });
            fs::write(&path, Case::whole(smallest).text)?;
        }
        println!("  kept as {}", path.display());
        Ok(())
    }
}

/// What stays the same when the document is made smaller: the kind, for a panic with its place.
fn kind(finding: &str) -> &str {
    let end = if finding.starts_with("panic") {
        finding.find(" says ")
    } else {
        finding.find(':')
    };
    &finding[..end.unwrap_or(finding.len())]
}

fn itself() -> Command {
    Command::new(std::env::current_exe().unwrap_or_else(|_| "fuzz".into()))
}

/// What another process says of a document; nothing where all is well.
fn verdict(file: &Path) -> anyhow::Result<Option<String>> {
    let output = itself().arg("--judge").arg(file).output()?;
    if let Some(code) = output.status.code().filter(|code| *code <= 1) {
        let said = String::from_utf8_lossy(&output.stdout);
        let finding = said.lines().find_map(|line| line.strip_prefix("finding "));
        return Ok(finding.filter(|_| code == 1).map(str::to_owned));
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Ok(Some(death(output.status, &errors).to_string()))
}

fn death(status: ExitStatus, errors: &str) -> Finding {
    let kind = if errors.contains("overflowed its stack") {
        "stack overflow"
    } else if errors.contains("memory allocation of") {
        "too much memory"
    } else if status.signal() == Some(nix::libc::SIGXCPU) {
        "too much time"
    } else {
        "death"
    };
    let last = errors.lines().last().unwrap_or_default();
    Finding {
        kind,
        detail: format!("{status} {last}"),
    }
}

fn last_lines(mut from: impl Read) -> String {
    let mut text = Vec::new();
    let _ = from.read_to_end(&mut text);
    String::from_utf8_lossy(&text[text.len().saturating_sub(4096)..]).into_owned()
}

/// Judges one document after the other until somebody ends it.
fn work(seeds: &Seeds, seed: u64, first: u64) {
    let place = note_panics();
    let mut out = std::io::stdout();
    for number in first.. {
        let case = Case::of(seeds, seed, number);
        let line = |out: &mut std::io::Stdout, text: String| writeln!(out, "{text}").is_ok();
        if !line(&mut out, format!("begin {number}")) {
            return;
        }
        let answer = match limited(&case.text, &place) {
            Ok(Answer::Generated) => format!("generated {number}"),
            Ok(Answer::Refused) => format!("refused {number}"),
            Err(finding) => format!("finding {}", one_line(&finding)),
        };
        if !line(&mut out, answer) {
            return;
        }
    }
}

fn judge_file(file: &Path) -> anyhow::Result<ExitCode> {
    let mut text = String::new();
    File::open(file)?.read_to_string(&mut text)?;
    let place = note_panics();
    match limited(&text, &place) {
        Ok(answer) => {
            println!("{answer:?}");
            Ok(ExitCode::SUCCESS)
        }
        Err(finding) => {
            println!("finding {}", one_line(&finding));
            Ok(ExitCode::FAILURE)
        }
    }
}

fn one_line(finding: &Finding) -> String {
    let text = finding.to_string().replace('\n', " ");
    text.chars().take(600).collect()
}

/// Where the last panic was, and what it said.
type LastPanic = Arc<Mutex<String>>;

fn note_panics() -> LastPanic {
    let last = LastPanic::default();
    let noted = Arc::clone(&last);
    panic::set_hook(Box::new(move |information| {
        if let Ok(mut noted) = noted.lock() {
            let place = information
                .location()
                .map(ToString::to_string)
                .unwrap_or_default();
            let said = information.payload_as_str().unwrap_or_default();
            *noted = format!("{place} says {said}");
        }
    }));
    last
}

/// The address space that is taken already, in bytes: the allocator reserves some of it ahead.
fn reserved() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').next().and_then(|own| own.parse().ok());
    pages.unwrap_or(0_u64) * 4096
}

/// Judges a document within the bounds; beyond them the process dies.
fn limited(text: &str, last_panic: &LastPanic) -> Result<Answer, Finding> {
    // Not allowed to lower a limit: then there is none, and the document is judged all the same. The soft one
    // is lowered only, so that it can be set anew for the next document.
    let hard = getrlimit(Resource::RLIMIT_AS).map_or(nix::libc::RLIM_INFINITY, |(_, hard)| hard);
    let _ = setrlimit(Resource::RLIMIT_AS, reserved() + MEMORY, hard);
    let used = getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| {
        usage.user_time().num_seconds() + usage.system_time().num_seconds()
    });
    let until = u64::try_from(used).unwrap_or_default() + SECONDS;
    let _ = setrlimit(Resource::RLIMIT_CPU, until, nix::libc::RLIM_INFINITY);
    panic::catch_unwind(AssertUnwindSafe(|| judge(text))).unwrap_or_else(|_| {
        let detail = last_panic
            .lock()
            .map(|last| last.clone())
            .unwrap_or_default();
        Err(Finding {
            kind: "panic",
            detail,
        })
    })
}
