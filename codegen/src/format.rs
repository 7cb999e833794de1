//! The last touch: rustfmt, for the crates that are checked in.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use crate::output::File;

/// Runs every Rust file through `rustfmt`.
///
/// # Errors
/// There is no `rustfmt`, or it refuses a file.
pub fn format(files: Vec<File>) -> io::Result<Vec<File>> {
    let rust = |file: &File| {
        file.path
            .extension()
            .is_some_and(|extension| extension == "rs")
    };
    files
        .into_iter()
        .map(|file| {
            if rust(&file) {
                formatted(file)
            } else {
                Ok(file)
            }
        })
        .collect()
}

fn formatted(file: File) -> io::Result<File> {
    let missing = |error: io::Error| {
        let message =
            format!("failed to run rustfmt ({error}); `rustup component add rustfmt` installs it");
        io::Error::new(error.kind(), message)
    };
    let mut rustfmt = Command::new("rustfmt")
        .args([
            "--edition",
            "2024",
            "--config",
            "max_width=100",
            "--emit",
            "stdout",
            "--quiet",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(missing)?;
    let stdin = rustfmt.stdin.take();
    let text = file.text.clone();
    // Written from a thread of its own, since rustfmt may answer before it has read everything.
    let writer = std::thread::spawn(move || match stdin {
        Some(mut stdin) => stdin.write_all(text.as_bytes()),
        None => Ok(()),
    });
    let output = rustfmt.wait_with_output()?;
    writer
        .join()
        .map_err(|_| io::Error::other("failed to write to rustfmt"))??;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        let message = format!("rustfmt refuses {}: {reason}", file.path.display());
        return Err(io::Error::other(message));
    }
    let text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
    Ok(File { text, ..file })
}
