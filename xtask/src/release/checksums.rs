//! Writes `SHA256SUMS`, in the form that `sha256sum --check` reads.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Writes the checksums of all files in a folder. Returns the path.
pub(super) fn write(folder: &Path) -> anyhow::Result<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for byte in Sha256::digest(fs::read(&path)?) {
            let _ = write!(text, "{byte:02x}");
        }
        let _ = writeln!(text, "  {name}");
    }
    let sums = folder.join("SHA256SUMS");
    fs::write(&sums, text)?;
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::write;

    #[test]
    fn a_line_has_the_checksum_and_the_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("abc"), "abc").unwrap();
        let sums = write(folder.path()).unwrap();
        assert_eq!(
            std::fs::read_to_string(sums).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc\n"
        );
    }
}
