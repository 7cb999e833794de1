//! Writes archives (`.tar.gz`). The same files give the same bytes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use tar::{Archive, Builder, Header};

/// Writes an archive with one folder. Each file has its name in that folder; the first one is the
/// program.
pub(super) fn write(
    archive: &Path,
    folder: &str,
    files: &[(PathBuf, String)],
) -> anyhow::Result<()> {
    let output =
        File::create(archive).with_context(|| format!("failed to create {}", archive.display()))?;
    let mut builder = Builder::new(GzEncoder::new(output, Compression::best()));
    for (index, (path, name)) in files.iter().enumerate() {
        let bytes = fs::read(path).with_context(|| format!("failed to read {}", path.display()))?;
        let mut header = Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(if index == 0 { 0o755 } else { 0o644 });
        // Some programs refuse the time 0.
        header.set_mtime(1);
        builder.append_data(&mut header, format!("{folder}/{name}"), bytes.as_slice())?;
    }
    builder.into_inner()?.finish()?;
    Ok(())
}

/// Unpacks an archive into a folder, without the archive's top folder.
pub(super) fn unpack(archive: &Path, folder: &Path) -> anyhow::Result<()> {
    let file = File::open(archive)?;
    let mut archive = Archive::new(GzDecoder::new(file));
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let name = path.file_name().context("an entry without a name")?;
        entry.unpack(folder.join(name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{unpack, write};

    #[test]
    fn an_archive_unpacks_and_has_the_same_bytes_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("program"), "#!/bin/sh\necho it runs\n").unwrap();
        fs::write(at("licence"), "Do what you like.\n").unwrap();
        let files = [
            (at("program"), "program".to_owned()),
            (at("licence"), "LICENSE".to_owned()),
        ];
        write(&at("one.tar.gz"), "program-1", &files).unwrap();
        fs::write(at("program"), "#!/bin/sh\necho it runs\n").unwrap();
        write(&at("two.tar.gz"), "program-1", &files).unwrap();
        assert_eq!(
            fs::read(at("one.tar.gz")).unwrap(),
            fs::read(at("two.tar.gz")).unwrap()
        );
        fs::create_dir(at("out")).unwrap();
        unpack(&at("one.tar.gz"), &at("out")).unwrap();
        let output = std::process::Command::new(at("out/program")).output();
        assert_eq!(output.unwrap().stdout, b"it runs\n");
        let licence = fs::read_to_string(at("out/LICENSE")).unwrap();
        assert_eq!(licence, "Do what you like.\n");
    }
}
