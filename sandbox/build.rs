//! Compresses the contract and the script of the documentation page at build time.

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The contract's bundle.
const CONTRACT: &str = "../generated/openapi.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={CONTRACT}");
    let program = scalar_api_reference::get_asset("scalar.js").ok_or("its program is missing")?;
    pack("scalar.js.gz", &program)?;
    pack("openapi.json.gz", &std::fs::read(CONTRACT)?)
}

fn pack(name: &str, content: &[u8]) -> Result<(), Box<dyn Error>> {
    let folder = std::env::var("OUT_DIR")?;
    let file = File::create(Path::new(&folder).join(name))?;
    let mut packed = GzEncoder::new(file, Compression::best());
    packed.write_all(content)?;
    packed.finish()?;
    Ok(())
}
