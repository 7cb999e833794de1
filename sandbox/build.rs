//! Packs the documentation page's program: compressed once, here, rather than in the server.

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let program = scalar_api_reference::get_asset("scalar.js").ok_or("its program is missing")?;
    let folder = std::env::var("OUT_DIR")?;
    let file = File::create(Path::new(&folder).join("scalar.js.gz"))?;
    let mut packed = GzEncoder::new(file, Compression::best());
    packed.write_all(&program)?;
    packed.finish()?;
    Ok(())
}
