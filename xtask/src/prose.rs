//! `cargo xtask prose`: checks the language of Markdown pages and doc comments, and the links of the pages.

mod comments;
mod finding;
mod language;
pub(crate) mod links;
pub(crate) mod page;
mod phrases;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Context;

use finding::Finding;
use links::Site;
use page::Page;
use phrases::Phrases;
use programs::workspace;

/// The list of refused phrases, relative to the top folder.
const PHRASES: &str = "docs/style-words.txt";

/// Check Markdown pages and doc comments: long sentences, refused phrases; in pages also long lines and broken links.
///
/// Exit code: 0 clean, 1 findings, 3 a file cannot be read.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Markdown and Rust files, relative to the top folder; default: all tracked ones.
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let root = workspace::root();
    let phrases = std::fs::read_to_string(root.join(PHRASES));
    let phrases = Phrases::parse(&phrases.with_context(|| format!("failed to read {PHRASES}"))?);
    let tracked = tracked("*.md")?;
    let files = match arguments.files.as_slice() {
        [] => [tracked.clone(), self::tracked("*.rs")?].concat(),
        given => given.to_vec(),
    };
    let mut site = Site::new(&root);
    let mut findings = site.missing_from_summary(&tracked)?;
    for path in &files {
        let text = std::fs::read_to_string(root.join(path));
        let text = text.with_context(|| {
            let path = path.display();
            format!("failed to read {path}; name files relative to the top folder")
        })?;
        if path.extension().is_some_and(|extension| extension == "rs") {
            let comments = comments::doc_comments(&text).unwrap_or_default();
            let page = Page::parse(&comments);
            findings.extend(language::check_words(&page, &phrases).map(|found| found.at(path)));
            continue;
        }
        let page = Page::parse(&text);
        if !page.is_generated {
            findings.extend(language::check(&page, &phrases).map(|found| found.at(path)));
        }
        findings.extend(site.check(path, &page)?);
    }
    report(&findings, files.len());
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}

fn report(findings: &[Finding], files: usize) {
    for finding in findings {
        println!("{finding}");
    }
    println!("prose: {} findings in {files} files", findings.len());
}

/// The files that git knows and whose names match a pattern, relative to the top folder.
fn tracked(pattern: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let output = git.arg(pattern).current_dir(workspace::root()).output();
    let output = output.context("failed to start git")?;
    anyhow::ensure!(output.status.success(), "git cannot list the files");
    let names = String::from_utf8(output.stdout).context("a name is not UTF-8")?;
    Ok(names.lines().map(PathBuf::from).collect())
}
