//! Checks links between pages, and the table of contents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::Context;

use super::finding::Finding;
use super::page::Page;

/// The table of contents.
pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";
/// Pages for forges, which are not part of the site.
const OUTSIDE: &str = ".github";

/// The pages of the checkout.
pub(crate) struct Site {
    root: PathBuf,
    /// The fragments of the pages that are link targets.
    anchors: BTreeMap<PathBuf, BTreeSet<String>>,
}

impl Site {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            anchors: BTreeMap::new(),
        }
    }

    /// The broken links of a page.
    pub(crate) fn check(&mut self, path: &Path, page: &Page) -> anyhow::Result<Vec<Finding>> {
        let mut findings = Vec::new();
        for (line, target) in &page.links {
            if let Some(problem) = self.problem(path, target)? {
                findings.push(Finding::new(*line, format!("{target}: {problem}")).at(path));
            }
        }
        Ok(findings)
    }

    fn problem(&mut self, path: &Path, target: &str) -> anyhow::Result<Option<String>> {
        if target.contains("://") || target.starts_with("mailto:") {
            return Ok(None);
        }
        let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
        let file = match file {
            "" => path.to_owned(),
            file => resolve(path, file),
        };
        if !self.root.join(&file).is_file() {
            return Ok(Some(format!("there is no file {}", file.display())));
        }
        if fragment.is_empty() || file.extension().is_none_or(|end| end != "md") {
            return Ok(None);
        }
        let is_there = self.anchors(&file)?.contains(fragment);
        Ok((!is_there).then(|| format!("{} has no heading #{fragment}", file.display())))
    }

    fn anchors(&mut self, path: &Path) -> anyhow::Result<&BTreeSet<String>> {
        if !self.anchors.contains_key(path) {
            let text = read(&self.root, path)?;
            let anchors = Page::parse(&text).anchors;
            self.anchors.insert(path.to_owned(), anchors);
        }
        self.anchors.get(path).context("the page was read")
    }

    /// The pages that the table of contents lacks.
    pub(crate) fn missing_from_summary(&self, pages: &[PathBuf]) -> anyhow::Result<Vec<Finding>> {
        let summary = Path::new(SUMMARY);
        let listed = Page::parse(&read(&self.root, summary)?).links;
        let listed: BTreeSet<PathBuf> = listed
            .iter()
            .map(|(_, target)| resolve(summary, target))
            .collect();
        let missing = pages.iter().filter(|page| {
            let is_outside = page.starts_with(OUTSIDE) || *page == summary;
            !is_outside && !listed.contains(*page)
        });
        let message = |page: &PathBuf| format!("the page {} is not listed", page.display());
        let missing = missing.map(|page| Finding::new(1, message(page)).at(summary));
        Ok(missing.collect())
    }
}

fn read(root: &Path, path: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(root.join(path));
    text.with_context(|| format!("failed to read {}", path.display()))
}

/// The target of a link in a page, relative to the top folder.
pub(crate) fn resolve(page: &Path, target: &str) -> PathBuf {
    let mut resolved = page.parent().unwrap_or(Path::new("")).to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => drop(resolved.pop()),
            Component::CurDir => {}
            part => resolved.push(part),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::super::page::Page;
    use super::Site;

    #[test]
    fn broken_links_and_unlisted_pages_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("docs")).unwrap();
        fs::write(root.join("docs/SUMMARY.md"), "- [One](one.md)\n").unwrap();
        fs::write(root.join("README.md"), "# Top\n").unwrap();
        let text = "# First part\n\n[a](../README.md#top) [b](#first-part)\n\
            [c](https://example.com/#x) [d](gone.md) [e](../README.md#gone)\n";
        let page = Path::new("docs/one.md");
        fs::write(root.join(page), text).unwrap();
        let mut site = Site::new(root);
        let found = site.check(page, &Page::parse(text)).unwrap();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        let expected = [
            "docs/one.md:4: gone.md: there is no file docs/gone.md",
            "docs/one.md:4: ../README.md#gone: README.md has no heading #gone",
        ];
        assert_eq!(found, expected);
        let pages = ["README.md", "docs/one.md", ".github/form.md"].map(PathBuf::from);
        let missing = site.missing_from_summary(&pages).unwrap();
        assert_eq!(missing.len(), 1, "{missing:?}");
    }
}
