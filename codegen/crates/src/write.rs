//! The crate of a document, written to be tried.

use std::io;
use std::path::Path;

use codegen::{Options, Runtime};
use contract::generate::{self, Flags};
use contract::input::{Input, Overlays};
use contract::streams::Streams;
use programs::workspace;

/// The runtime of this checkout as a package that a crate depends on.
pub fn runtime_package() -> Runtime {
    let folder = workspace::root().join("codegen/runtime");
    Runtime::Package(Some(folder.display().to_string()))
}

/// Writes the crate of a document as the generator prints it; gives how many examples are left out of its
/// tests. `None` where the document has errors, which are printed.
///
/// # Errors
/// It cannot be written.
pub fn write(spec: &Path, folder: &Path, round_trips: bool) -> anyhow::Result<Option<usize>> {
    write_with(spec, folder, round_trips, Runtime::Copied)
}

/// The same, for a crate that gets its runtime in this manner.
///
/// # Errors
/// It cannot be written.
pub fn write_with(
    spec: &Path,
    folder: &Path,
    round_trips: bool,
    runtime: Runtime,
) -> anyhow::Result<Option<usize>> {
    let name = |path: &Path| {
        let name = path.file_name();
        name.map(|name| name.to_string_lossy().into_owned())
    };
    let options = Options {
        crate_name: name(folder).unwrap_or_else(|| "generated".to_owned()),
        complete_crate: true,
        round_trips,
        source_label: name(spec).unwrap_or_default(),
        behaviour: None,
        command: String::new(),
        exact: false,
        runtime,
        ..Options::default()
    };
    let flags = Flags {
        unformatted: true,
        ..Flags::default()
    };
    let mut streams = Streams {
        out: &mut io::stdout(),
        err: &mut io::stderr(),
        color: false,
    };
    let input = Input::Disk(spec.to_owned());
    let Ok(generated) = generate::make(&input, &Overlays::default(), options, &flags, &mut streams)
    else {
        return Ok(None);
    };
    codegen::write(&generated.files, folder)?;
    Ok(Some(generated.left_out))
}
