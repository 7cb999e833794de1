//! Converts the lexicon from YAML to JSON, which a program reads faster at its start.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for name in ["lexicon", "forms"] {
        let file = format!("src/{name}.yaml");
        println!("cargo:rerun-if-changed={file}");
        text.push_str(&fs::read_to_string(file)?);
    }
    let data: serde_json::Value = serde_yaml::from_str(&text)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    Ok(fs::write(
        out.join("lexicon.json"),
        serde_json::to_vec(&data)?,
    )?)
}
