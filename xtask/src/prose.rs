//! `cargo xtask prose`: checks the language and the links of the Markdown pages.

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

/// Check the Markdown pages: long sentences and lines, refused phrases, broken links.
///
/// Exit code: 0 clean, 1 findings, 3 a page cannot be read.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Pages, relative to the top folder; default: all tracked ones.
    pages: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let root = workspace::root();
    let phrases = std::fs::read_to_string(root.join(PHRASES));
    let phrases = Phrases::parse(&phrases.with_context(|| format!("failed to read {PHRASES}"))?);
    let tracked = tracked_pages()?;
    let pages = match arguments.pages.as_slice() {
        [] => &tracked,
        given => given,
    };
    let mut site = Site::new(&root);
    let mut findings = site.missing_from_summary(&tracked)?;
    for path in pages {
        let text = std::fs::read_to_string(root.join(path));
        let text = text.with_context(|| format!("failed to read {}", path.display()))?;
        let page = Page::parse(&text);
        if !page.is_generated {
            findings.extend(language::check(&page, &phrases).map(|found| found.at(path)));
        }
        findings.extend(site.check(path, &page)?);
    }
    report(&findings, pages.len());
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}

fn report(findings: &[Finding], pages: usize) {
    for finding in findings {
        println!("{finding}");
    }
    println!("prose: {} findings in {pages} pages", findings.len());
}

/// The Markdown files that git knows, relative to the top folder.
fn tracked_pages() -> anyhow::Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "*.md",
    ]);
    let output = git.current_dir(workspace::root()).output();
    let output = output.context("failed to start git")?;
    anyhow::ensure!(output.status.success(), "git cannot list the pages");
    let names = String::from_utf8(output.stdout).context("a name is not UTF-8")?;
    Ok(names.lines().map(PathBuf::from).collect())
}
