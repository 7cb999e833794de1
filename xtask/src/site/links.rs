//! Checks the links of the built site.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::prose::links::resolve;

/// A page with all others in it, and a page for addresses that do not exist.
const COLLECTED: [&str; 2] = ["print.html", "404.html"];

/// The links of a site that lead to no file or no heading.
pub(super) fn broken(site: &Path) -> anyhow::Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    collect(site, Path::new(""), &mut pages)?;
    let anchors: BTreeMap<_, BTreeSet<_>> = { pages.iter() }
        .map(|(path, text)| (path.clone(), values(text, " id=\"").collect()))
        .collect();
    let mut broken = BTreeSet::new();
    for (path, text) in &pages {
        for link in values(text, " href=\"").filter(|link| !link.contains(':')) {
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let file = match file {
                "" => path.clone(),
                file => resolve(path, file.split('?').next().unwrap_or_default()),
            };
            let is_there = match anchors.get(&file) {
                Some(anchors) => fragment.is_empty() || anchors.contains(fragment),
                None => site.join(&file).is_file(),
            };
            if !is_there {
                broken.insert(format!("{}: {link}", path.display()));
            }
        }
    }
    Ok(broken.into_iter().collect())
}

/// Reads the pages of a folder and of the folders in it.
fn collect(
    site: &Path,
    folder: &Path,
    pages: &mut BTreeMap<PathBuf, String>,
) -> anyhow::Result<()> {
    for entry in fs::read_dir(site.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(site, &path, pages)?;
        } else if path.extension().is_some_and(|end| end == "html")
            && !COLLECTED.iter().any(|name| path == Path::new(name))
        {
            let text = fs::read_to_string(entry.path());
            let text = text.with_context(|| format!("failed to read {}", path.display()))?;
            pages.insert(path, text);
        }
    }
    Ok(())
}

/// The values of an attribute, which is given with its opening quote.
fn values<'t>(text: &'t str, attribute: &'static str) -> impl Iterator<Item = &'t str> {
    { text.split(attribute).skip(1) }.filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::broken;

    #[test]
    fn links_without_a_file_or_heading_are_found() {
        let site = tempfile::tempdir().unwrap();
        fs::create_dir(site.path().join("docs")).unwrap();
        let write = |name: &str, text: &str| fs::write(site.path().join(name), text).unwrap();
        write("icon.svg", "");
        write(
            "index.html",
            "<link href=\"icon.svg\"><a href=\"docs/a.html#there\">a</a> <a href=\"https://a.b\">b</a>",
        );
        write(
            "docs/a.html",
            "<h2 id=\"there\"></h2><a href=\"#there\">1</a><a href=\"../index.html\">2</a>",
        );
        assert_eq!(broken(site.path()).unwrap(), [""; 0]);
        write(
            "docs/b.html",
            "<a href=\"a.html#gone\">1</a> <a href=\"../docs/c.html\">2</a>",
        );
        let found = ["docs/b.html: ../docs/c.html", "docs/b.html: a.html#gone"];
        assert_eq!(broken(site.path()).unwrap(), found);
    }
}
