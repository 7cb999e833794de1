//! What the tests need beside a Rust toolchain, how it is found, and how it is installed.
//!
//! A test that needs something asks `prerequisites::CHROMIUM.is_met()` and returns early when the
//! answer is no. On a developer's machine the skip is printed. With `CI` set it is a failure that
//! names everything the machine lacks, unless the prerequisite may be absent in CI.

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

/// The variable that names the file to which skips are appended, one per line.
pub const SKIPS: &str = "TEST_SKIPS";

/// Something that a test needs and a machine may lack.
#[derive(Debug)]
pub struct Prerequisite {
    /// One word.
    pub name: &'static str,
    /// What is needed.
    pub what: &'static str,
    /// How to get it.
    pub install: &'static str,
    /// Why CI may run without it; a missing prerequisite without a reason fails there.
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

/// A library that verifies webhooks and that others wrote.
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

/// Published OpenAPI documents, which are not ours to distribute.
pub static PUBLISHED_DOCUMENTS: Prerequisite = Prerequisite {
    name: "published-documents",
    what: "OpenAPI documents of real services in ../shared/corpus",
    install: "put the documents into a folder shared/corpus beside the checkout",
    absent_in_ci: Some("the documents belong to their publishers and are not in the repository"),
    find: || found::is_folder_beside_checkout("shared/corpus"),
};

/// Many more of them.
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

    /// Whether the test that asks can run. If not, the skip is reported.
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
        // Straight to the stream, because the harness keeps what a passing test prints.
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

/// Whether this is a CI run, in which nothing is skipped unless that is expected.
#[must_use]
pub fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// What is missing and may not be absent in CI.
#[must_use]
pub fn missing_in_ci() -> Vec<&'static Prerequisite> {
    let required = ALL.into_iter().filter(|own| own.absent_in_ci.is_none());
    required.filter(|own| !own.is_found()).collect()
}

/// The message that names everything that is missing.
#[must_use]
pub fn refusal(missing: &[&Prerequisite]) -> String {
    let mut text =
        "CI is set, so no test may be skipped, and this machine lacks what tests need:\n"
            .to_owned();
    for own in missing {
        let _ = write!(
            text,
            "\n  {}: {}\n    {}\n",
            own.name, own.what, own.install
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
        for own in ALL {
            assert!(
                text.contains(own.what) && text.contains(own.install),
                "{text}"
            );
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names = ALL.map(|own| own.name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }
}
