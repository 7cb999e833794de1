//! Makes modules of the outputs: the text of each snapshot, without its header, is a module.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=outputs");
    let outputs = Path::new("outputs");
    let mut text = String::new();
    for part in ["client", "models", "operations", "server", "types"] {
        let _ = writeln!(
            text,
            "/// The outputs in `outputs/{part}`.\npub mod {part} {{"
        );
        for (name, output) in snapshots(&outputs.join(part))? {
            module(&mut text, part, &name, &output);
        }
        text.push_str("}\n");
    }
    machines(&mut text, &outputs.join("machines"))?;
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(target.join("outputs.rs"), text)
}

/// The snapshots of a folder: module names and Rust texts.
fn snapshots(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    // Until the first snapshot is accepted there is no folder.
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "snap")
        {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let snapshot = fs::read_to_string(&path)?;
            // ---\nmetadata\n---\ncontents
            let contents = snapshot.splitn(3, "---\n").nth(2).unwrap_or_default();
            all.push((stem.replace('-', "_"), contents.to_owned()));
        }
    }
    all.sort();
    Ok(all)
}

fn module(text: &mut String, part: &str, name: &str, output: &str) {
    // The root of a client names the modules beside it.
    let imports = match (part, name.strip_suffix("_root")) {
        ("client", Some(area)) => format!("use super::{area};\n"),
        _ => String::new(),
    };
    let _ = writeln!(
        text,
        "/// An output.\npub mod {name} {{\n{imports}{output}\n}}"
    );
    if part == "models" || name.ends_with("_root") && part == "operations" {
        let _ = writeln!(text, "pub use {name}::*;");
    }
    // As a client has a method for each area.
    if part == "client" && output.contains("fn new(connection: &Arc<Connection>) -> Self") {
        let handle: String = name.split('_').map(capitalized).collect();
        let _ = writeln!(
            text,
            "/// A handle.\npub fn {name}(connection: &std::sync::Arc<crate::runtime::client::Connection>) -> \
             {name}::{handle} {{\n{name}::{handle}::new(connection)\n}}"
        );
    }
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

/// The behaviour of the records: `root` declares what they share.
fn machines(text: &mut String, folder: &Path) -> io::Result<()> {
    text.push_str("/// The outputs in `outputs/machines`.\npub mod machines {\n");
    for (name, output) in snapshots(folder)? {
        match name.as_str() {
            "page" => {}
            "root" => text.push_str(&output),
            _ => module(text, "machines", &name, &output),
        }
    }
    text.push_str("}\n");
    Ok(())
}
