//! The reference implementation as it is, with every law, again and again on one database: whatever
//! earlier runs have left there, nothing is found.

use std::path::Path;

use crate::support::sandbox::{KEY, Sandbox};
use crate::support::{certify, options, seeds, troubles};
use conformance::event::CaseReport;
use conformance::level::{Profile, Verdict};

/// This many runs share a database. After many more its lists are longer than the runner reads.
const ON_ONE_DATABASE: usize = 5;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_found_however_often_it_is_asked() {
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
        // Its seeded records are there to be changed.
        options.selection.exclusions.allow_destructive = true;
        options.profile = Profile::Complete;
        options.seed = seed;
        let record = certify(&options).await.unwrap();
        assert!(
            record.counts.pass > 1000,
            "seed {seed}: {:?}",
            record.counts
        );
        // Who has no signing secret cannot look at signatures.
        let is_unsigned = |own: &&CaseReport| {
            own.verdict == Verdict::Skip && own.id.starts_with("laws/notifications/")
        };
        for case in troubles(&record)
            .into_iter()
            .filter(|own| !is_unsigned(own))
        {
            let first = case.differences.first();
            let found = first.map(|own| (own.check.id, &own.pointer, &own.expected, &own.actual));
            wrong.push(format!(
                "seed {seed}: {} {:?} {found:?}",
                case.id, case.reason
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
