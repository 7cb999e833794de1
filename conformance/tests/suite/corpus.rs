//! Tests documents of real services against servers that always fail: the run ends in bounded time
//! and never passes.

use std::path::Path;

use crate::support::{answer, certify, options, raw_server};
use conformance::level::Verdict;

/// Small documents; a large one takes longer than a test may.
const DOCUMENTS: [&str; 3] = ["keeper.json", "oai-petstore.yaml", "swagger-petstore3.yaml"];

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_only_fails_never_passes() {
    if !prerequisites::PUBLISHED_DOCUMENTS.is_met() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    for document in DOCUMENTS {
        for status in ["404 Not Found", "500 Internal Server Error"] {
            let server = raw_server(move |_| Some(answer(status, ""))).await;
            let mut options = options(&folder.join(document), &format!("http://{server}"));
            options.laws = true;
            let record = certify(&options).await.unwrap();
            let (counts, requests) = (record.counts, record.finish.unwrap().requests);
            let fails = [Verdict::Fail, Verdict::Error].contains(&counts.verdict());
            assert!(fails && counts.pass == 0, "{document}: {counts:?}");
            assert!(requests < 500, "{document}: {requests}");
        }
    }
}
