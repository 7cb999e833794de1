//! Repository: paths relative to the root of a repository.

use std::path::{Component, Path, PathBuf};

/// The path of a file relative to its repository, with slashes. Outside a repository, it is
/// relative to the current folder, or unchanged.
pub fn relative(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = normal(&here.join(file));
    let root = { path.ancestors() }.find(|folder| folder.join(".git").exists());
    let short = path.strip_prefix(root.unwrap_or(&here));
    let short = short.map_or_else(|_| Path::new(file).to_owned(), Path::to_owned);
    let names = short
        .components()
        .map(|name| name.as_os_str().to_string_lossy());
    let names: Vec<_> = names.filter(|name| name != "/").collect();
    let lead = if short.is_absolute() { "/" } else { "" };
    format!("{lead}{}", names.join("/"))
}

/// Removes `.` and `..` without looking at the disk, so that the path may lead through missing
/// files.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join(".git")).unwrap();
        let file = root.join("a/./b/../spec.yaml");
        assert_eq!(relative(&file.display().to_string()), "a/spec.yaml");
        assert_eq!(relative("/nowhere/at all.yaml"), "/nowhere/at all.yaml");
    }
}
