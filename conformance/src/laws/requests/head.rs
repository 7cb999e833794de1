//! Head: HEAD must be answered like GET, without a body.

use openapi_document::view::Method;

use crate::checks;
use crate::exchange::{Answer, Exchange};
use crate::model::Call;
use crate::prose;

use super::unknown::with_unused_key;
use crate::answered::{describe, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// Headers that depend on the record and not on the time.
const SAME: [&str; 8] = [
    "content-type",
    "content-length",
    "content-language",
    "etag",
    "last-modified",
    "cache-control",
    "link",
    "vary",
];

/// Tests a GET operation with a success.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.operation.method != Method::Get || call.success.is_none() {
        return Ok(false);
    }
    let tried = test_call(scene, call, draft).await;
    // If the document does not mention HEAD, the server need not support it.
    if documented(scene, call).is_none() && !is_promised(call) {
        return tried.or(Ok(false));
    }
    tried
}

/// Whether a text says that every GET path also answers HEAD.
fn is_promised(call: &Call<'_>) -> bool {
    let says = |words: &Vec<String>| {
        let both = prose::has(words, &["head"]) && prose::has(words, &["get"]);
        both && !prose::has(words, &["not", "never", "only"])
    };
    let overall = call.overall.into_iter().flat_map(prose::spoken);
    call.spoken()
        .into_iter()
        .chain(overall)
        .any(|sentence| says(&sentence))
}

/// The documented HEAD operation of the same path.
fn documented<'w, 'd>(scene: &Scene<'w, 'd>, call: &Call<'d>) -> Option<&'w Call<'d>> {
    let is_head = |other: &&Call<'d>| {
        other.operation.method == Method::Head && other.operation.path == call.operation.path
    };
    scene.model.calls.iter().find(is_head)
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "head").await?;
    let get = scene.call(&ready, "head").await?;
    if !succeeded(&get) {
        return Err(format!("the GET did not succeed: {}", describe(&get)));
    }
    let mut sent = get.sent.clone();
    sent.method = Method::Head;
    let head = scene.send(sent).await;
    let documented_head = documented(scene, call);
    let code = status(&head).unwrap_or_default();
    if documented_head.is_none() && !succeeded(&head) && !is_promised(call) {
        let failed = code / 100 == 5 && code != 501;
        if failed {
            let expected = "an answer to HEAD, or a refusal";
            let claim = Claim::new(
                &checks::SERVER_ERROR,
                Basis::Standard("RFC 9110, section 15.6: a 5xx status is an error of the server"),
                expected,
                describe(&head),
            );
            scene.differ(draft, call, claim, &head);
        }
        return Ok(failed);
    }
    if Some(code) != status(&get) {
        let expected = format!("{}, as for GET", describe(&get));
        let claim = Claim::new(
            &checks::HEAD_DIFFERS,
            Basis::Standard(
                "RFC 9110, section 9.3.2: HEAD is answered as GET is, without the content",
            ),
            expected,
            describe(&head),
        );
        scene.differ(draft, call, claim, &head);
        return Ok(true);
    }
    let again = scene.send(get.sent.clone()).await;
    compare(scene, call, (&get, &again, &head), draft);
    if let Some(head_call) = documented_head {
        scene.reach(head_call, code, draft);
    }
    unknown(scene, call, draft).await;
    Ok(true)
}

/// HEAD must refuse an unknown key like GET.
async fn unknown<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, draft: &mut Draft) -> Option<()> {
    call.response(404).filter(|_| draft.is_clean())?;
    let ready = scene.ready(call, "head-unknown").await.ok()?;
    let known = scene.compose(&ready, "head-unknown").ok()?;
    let mut sent = with_unused_key(scene, call, &ready, &known).ok()?;
    let get = scene.send(sent.clone()).await;
    status(&get).filter(|code| *code == 404)?;
    sent.method = Method::Head;
    let head = scene.send(sent).await;
    if succeeded(&head) {
        let expected = format!("{}, as for GET", describe(&get));
        let claim = Claim::new(
            &checks::HEAD_DIFFERS,
            Basis::Standard(
                "RFC 9110, section 9.3.2: HEAD is answered as GET is, without the content",
            ),
            expected,
            describe(&head),
        );
        scene.differ(draft, call, claim, &head);
    }
    Some(())
}

fn compare<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (get, again, head): (&Exchange, &Exchange, &Exchange),
    draft: &mut Draft,
) {
    let (Ok(one), Ok(other), Ok(short)) = (&get.outcome, &again.outcome, &head.outcome) else {
        return;
    };
    if short.body.as_ref().is_ok_and(|body| !body.is_empty()) {
        let claim = Claim::new(
            &checks::HEAD_DIFFERS,
            Basis::Standard(
                "RFC 9110, section 9.3.2: HEAD is answered as GET is, without the content",
            ),
            "no body",
            "a body",
        );
        scene.differ(draft, call, claim, head);
    }
    for name in SAME {
        let header_of = |answer: &Answer| answer.header(name);
        let (long, moved) = (header_of(one), header_of(other));
        let short_value = header_of(short);
        // Either answer may omit the length if the server would have to count.
        let is_length = name == "content-length";
        let is_uncounted = is_length && (short_value.is_none() || long.is_none());
        // The content may change with the time, and its length with it.
        if is_length && one.body.as_ref().ok() != other.body.as_ref().ok() {
            continue;
        }
        if long != moved || short_value == long || is_uncounted {
            continue;
        }
        let shown = |text: Option<String>| text.unwrap_or_else(|| "absent".to_owned());
        let expected = format!("`{name}` as for GET: {}", shown(long));
        let claim = Claim::new(
            &checks::HEAD_DIFFERS,
            Basis::Standard(
                "RFC 9110, section 9.3.2: HEAD is answered as GET is, without the content",
            ),
            expected,
            shown(short_value),
        );
        scene.differ(draft, call, claim, head);
    }
}
