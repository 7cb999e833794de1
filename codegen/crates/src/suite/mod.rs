//! The JSON Schema test suite against generated types.

mod case;
mod document;
mod fetch;
mod table;
mod trial;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;

/// Generate a type for each schema of the JSON Schema test suite, and read, check and write its instances.
///
/// Exit code: 0 every valid instance is read and written back equal, and no invalid one passes in
/// silence; else 1.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the suite's draft 2020-12; without it, pip downloads the sources of `jsonschema`.
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Where the crates are written.
    #[arg(long, value_name = "DIR", default_value = "target/suite")]
    out: PathBuf,
    /// Generate types that follow the letter of the schemas.
    #[arg(long)]
    exact: bool,
    /// Name each instance that is refused, or passes in silence.
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let out = std::path::absolute(&arguments.out)?;
    let folder = match &arguments.suite {
        Some(folder) => folder.clone(),
        None => fetch::fetch(&out)?,
    };
    let cases = case::read(&folder)?;
    ensure!(!cases.is_empty(), "{} holds no cases", folder.display());
    let mut good = true;
    for version in document::VERSIONS {
        let tried = trial::run(version, &cases, &out, arguments.exact)?;
        let trial::Trial { tried, left_out } = tried;
        println!("## OpenAPI {}\n", version.label);
        println!(
            "{} schemas; {left_out} more refer to other documents.\n",
            tried.len()
        );
        print!("{}", table::page(&tried));
        if arguments.verbose {
            print!("{}", table::failures(&tried));
        }
        good &= tried.iter().all(trial::Tried::is_good);
    }
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
