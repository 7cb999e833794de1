//! Documents of others are read, linted and generated, in bounded time.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use codegen::Options;
use programs::workspace;

/// Load, lint and generate each document in memory, and print those that cannot be.
///
/// Exit code: 0 all can, 1 some cannot or take too long.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The documents, YAML or JSON; of a folder all that it holds.
    #[arg(required = true, value_name = "FILE|DIR")]
    documents: Vec<PathBuf>,
}

/// How long the largest document may take.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let documents = workspace::documents(&arguments.documents)?;
    let (mut good, mut warnings) = (0, 0);
    for path in &documents {
        let begun = Instant::now();
        match generate(path) {
            Ok(count) if begun.elapsed() < PATIENCE => {
                good += 1;
                warnings += usize::from(count > 0);
            }
            Ok(_) => println!("{}: took {:.0?}", path.display(), begun.elapsed()),
            Err(why) => println!("{}: {why}", path.display()),
        }
    }
    let count = documents.len();
    println!(
        "{good} of {count} published documents generate, {} without a warning",
        good - warnings
    );
    Ok(if good == count && count > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Gives the number of warnings.
fn generate(path: &Path) -> Result<usize, String> {
    let document = openapi_document::loader::load(path).map_err(|error| error.render(false))?;
    openapi_lint::lint(&document);
    let options = Options {
        crate_name: "published".to_owned(),
        complete_crate: true,
        round_trips: true,
        source_label: path.display().to_string(),
        behaviour: None,
        command: String::new(),
        exact: false,
        ..Options::default()
    };
    let output = codegen::generate(&document, &options);
    let output = output.map_err(|errors| errors.render(&document.sources, false))?;
    let found = output.diagnostics.iter();
    let warnings = found.filter(|own| own.severity > openapi_document::Severity::Info);
    Ok(warnings.count())
}
