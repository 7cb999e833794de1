//! `cargo xtask site`: builds a site from the pages.
//!
//! mdBook takes pages from one folder and copies every other file in it. So the pages that
//! `docs/SUMMARY.md` lists, and the files that they link to, are copied to a separate folder.

mod links;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail, ensure};

use crate::prose::links::{SUMMARY, resolve};
use crate::prose::page::Page;
use programs::workspace;

/// Build the site of the pages with mdBook, in target/site/book.
///
/// Install mdBook with `cargo install mdbook --locked`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program.
    #[arg(long, value_name = "PROGRAM", default_value = "mdbook")]
    mdbook: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let root = workspace::root();
    let site = root.join("target/site");
    let _ = fs::remove_dir_all(&site);
    stage(&root, &site.join("src"))?;
    for file in ["book.toml", "site.css"] {
        fs::copy(root.join("docs").join(file), site.join(file))?;
    }
    let mut mdbook = Command::new(&arguments.mdbook);
    let status = mdbook.arg("build").arg(&site).status();
    let status = status.with_context(|| {
        let program = arguments.mdbook.display();
        format!("failed to start {program}; install it with `cargo install mdbook --locked`")
    })?;
    ensure!(status.success(), "mdbook ended with {status}");
    let broken = links::broken(&site.join("book"))?;
    ensure!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    println!("site: {}", workspace::shown(&site.join("book")).display());
    Ok(ExitCode::SUCCESS)
}

/// Copies the listed pages and the files that they link to.
fn stage(root: &Path, folder: &Path) -> anyhow::Result<()> {
    let text = read(root, Path::new(SUMMARY))?;
    let listed = targets(Path::new(SUMMARY), &text);
    for page in &listed {
        let text = read(root, page)?;
        write(&folder.join(page), &to_indexes(&text))?;
        for linked in targets(page, &text) {
            let is_page = linked.extension().is_some_and(|end| end == "md");
            if is_page && !listed.contains(&linked) {
                bail!(
                    "{} links to {}, which is not listed",
                    page.display(),
                    linked.display()
                );
            }
            if !is_page {
                let text = read(root, &linked)?;
                write(&folder.join(&linked), &text)?;
            }
        }
    }
    write(&folder.join("SUMMARY.md"), &from_root(&text))
}

/// A page whose links lead to the indexes that mdBook makes of READMEs.
fn to_indexes(page: &str) -> String {
    page.replace("README.md)", "index.md)")
        .replace("README.md#", "index.md#")
}

/// The local files that a page links to, relative to the top folder.
fn targets(page: &Path, text: &str) -> BTreeSet<PathBuf> {
    let links = Page::parse(text).links.into_iter();
    let local = links.filter(|(_, target)| !target.contains("://") && !target.starts_with('#'));
    local
        .map(|(_, target)| resolve(page, target.split('#').next().unwrap_or_default()))
        .collect()
}

/// The table of contents with targets relative to the top folder.
fn from_root(summary: &str) -> String {
    let moved = summary.lines().map(|line| match line.split_once("](") {
        Some((begin, target)) => {
            let target = resolve(Path::new(SUMMARY), target.trim_end_matches(')'));
            format!("{begin}]({})\n", target.display())
        }
        None => format!("{line}\n"),
    });
    moved.collect()
}

fn read(root: &Path, path: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(root.join(path));
    text.with_context(|| format!("failed to read {}", path.display()))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{from_root, stage, to_indexes};

    #[test]
    fn the_table_of_contents_moves_to_the_top() {
        let summary = "# Summary\n\n[Top](../README.md)\n- [One](a/one.md)\n";
        let moved = "# Summary\n\n[Top](README.md)\n- [One](docs/a/one.md)\n";
        assert_eq!(from_root(summary), moved);
    }

    #[test]
    fn links_to_a_readme_lead_to_the_index() {
        let page = "[Top](../README.md) [Use](README.md#use) `README.md`\n";
        let moved = "[Top](../index.md) [Use](index.md#use) `README.md`\n";
        assert_eq!(to_indexes(page), moved);
    }

    #[test]
    fn pages_come_with_the_files_that_they_link_to() {
        let root = tempfile::tempdir().unwrap();
        let site = tempfile::tempdir().unwrap();
        let docs = root.path().join("docs");
        fs::create_dir(&docs).unwrap();
        fs::write(docs.join("SUMMARY.md"), "- [One](one.md)\n").unwrap();
        fs::write(
            docs.join("one.md"),
            "[code](../main.rs#L1) [web](https://a.b)\n",
        )
        .unwrap();
        fs::write(root.path().join("main.rs"), "fn main() {}\n").unwrap();
        fs::write(root.path().join("other.rs"), "").unwrap();
        stage(root.path(), site.path()).unwrap();
        let is_there = |path| site.path().join(path).is_file();
        assert!(is_there("SUMMARY.md") && is_there("docs/one.md") && is_there("main.rs"));
        assert!(!is_there("other.rs"));
        fs::write(docs.join("one.md"), "[gone](two.md)\n").unwrap();
        assert!(stage(root.path(), site.path()).is_err());
    }
}
