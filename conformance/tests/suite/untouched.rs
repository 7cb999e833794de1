//! Tests the reference server with every law, repeatedly on one database: earlier runs cause no
//! finding.

use std::path::Path;

use crate::support::sandbox::{KEY, Sandbox};
use crate::support::{certify, options, seeds, troubles};
use conformance::event::CaseReport;
use conformance::level::{Profile, Verdict};

/// The number of runs that share a database. After many more its lists are longer than the runner
/// reads.
const ON_ONE_DATABASE: usize = 5;

#[tokio::test(flavor = "multi_thread")]
async fn repeated_runs_have_no_finding() {
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml");
    let mut wrong = Vec::new();
    let mut sandbox = Sandbox::start();
    for (run, seed) in seeds(50).into_iter().enumerate() {
        if run > 0 && run % ON_ONE_DATABASE == 0 {
            sandbox = Sandbox::start();
        }
        let mut options = options(&contract, &sandbox.url);
        options.headers = vec![("authorization".to_owned(), KEY.to_owned())];
        options.laws = true;
        // The run may change the seed records.
        options.selection.exclusions.allow_destructive = true;
        options.profile = Profile::Complete;
        options.seed = seed;
        let record = certify(&options).await.unwrap();
        assert!(
            record.counts.pass > 1000,
            "seed {seed}: {:?}",
            record.counts
        );
        // Without a signing secret the runner cannot verify signatures.
        let is_unsigned = |case: &&CaseReport| {
            case.verdict == Verdict::Skip && case.id.starts_with("laws/notifications/")
        };
        for case in troubles(&record)
            .into_iter()
            .filter(|item| !is_unsigned(item))
        {
            let first = case.differences.first();
            let found = first.map(|found| {
                (
                    found.check.id,
                    &found.pointer,
                    &found.expected,
                    &found.actual,
                )
            });
            wrong.push(format!(
                "seed {seed}: {} {:?} {found:?}",
                case.id, case.reason
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
