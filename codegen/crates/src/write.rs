//! The crate of a document, written to be tried.

use std::io;
use std::path::Path;

use codegen::Options;
use contract::generate::{self, Flags};
use contract::input::{Input, Overlays};
use contract::streams::Streams;

/// Writes the crate of a document as the generator prints it; gives how many examples are left out of its
/// tests. `None` where the document has errors, which are printed.
///
/// # Errors
/// It cannot be written.
pub fn write(spec: &Path, folder: &Path, round_trips: bool) -> anyhow::Result<Option<usize>> {
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
