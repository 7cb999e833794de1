//! Free: a request that is refused leaves its key free, where a text says so: with the same key, and mended, it is granted.
//! It is refused for the form of its body, for what is taken already, for the state of a record, or for one of its values.

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::encoding::Encoding;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, names, prose};
use crate::mutation::mutations;
use crate::shape::Shape;
use crate::value;

use super::extremes;
use super::key::{set_key, spoken, with_key};
use super::unknown::unlike;
use crate::laws::amounts::amount::Amount;
use crate::laws::trial::answered::{status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many values are tried at most of which one may be refused.
const MOST: usize = 12;

/// Words of a request that is not granted.
const REFUSED: [&str; 12] = [
    "refused",
    "refusal",
    "refusals",
    "rejected",
    "declined",
    "failed",
    "fails",
    "unsuccessful",
    "error",
    "errors",
    "4xx",
    "invalid",
];

/// Words of one that is.
const GRANTED: [&str; 8] = [
    "created",
    "creates",
    "successful",
    "success",
    "successes",
    "succeeded",
    "granted",
    "2xx",
];

/// Which refusals leave a key free.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Refusals {
    /// Whatever they are for.
    All,
    /// Those with some statuses.
    With(Vec<u16>),
    /// Those of a body that is not formed as it has to be.
    OfForm,
}

impl Refusals {
    /// Whether an answer is one of them.
    fn have(&self, answer: &Exchange) -> bool {
        let Some(code @ 400..500) = status(answer) else {
            return false;
        };
        match self {
            Self::All => ![401, 403, 408, 425, 429].contains(&code),
            Self::With(codes) => codes.contains(&code),
            Self::OfForm => matches!(code, 400 | 422),
        }
    }
}

/// Looks at what becomes of the key of a refused request.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    header: &str,
    draft: &mut Draft,
) -> Option<()> {
    let refusals = told_free(&spoken(call))?;
    let of = (header, &refusals);
    of_form(world, call, of, draft).await;
    if draft.is_clean() && refusals != Refusals::OfForm {
        taken(world, call, of, draft).await;
        early(world, call, of, draft).await;
        valued(world, call, of, draft).await;
    }
    Some(())
}

/// A body that breaks its schema is refused.
async fn of_form<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (header, refusals): (&str, &Refusals),
    draft: &mut Draft,
) -> Option<()> {
    let (ready, sent) = with_key(world, call, (header, "repetition-free")).await?;
    let body = sent.json.clone()?;
    let schema = call.body.as_ref()?;
    let broken = mutations(world.contract(), schema, (&body, &Encoding::Json));
    let broken = broken.into_iter().find(|own| own.keyword == "type")?;
    let mut wrong = sent.clone();
    world.put_json(&mut wrong, &ready.call, broken.value);
    let refused = world.send(wrong).await;
    let elsewhere = with_another(&ready, (header, "repetition-elsewhere"), &sent);
    is_free_after(world, call, (&refused, refusals), (sent, elsewhere), draft).await
}

/// What has to be unique is refused under another key, and leaves that free, too; where one more can be made at all.
async fn taken<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (header, refusals): (&str, &Refusals),
    draft: &mut Draft,
) -> Option<()> {
    let (ready, mut sent) = with_key(world, call, (header, "repetition-first")).await?;
    succeeded(&world.send(sent.clone()).await).then_some(())?;
    let mut control = world.compose(&ready, "repetition-control").ok()?;
    let own = ready.state.fresh.fork("repetition-control").uuid();
    set_key(&mut control, header, own);
    succeeded(&world.send(control).await).then_some(())?;
    let mut mended = world.compose(&ready, "repetition-taken").ok()?;
    let own = ready.state.fresh.fork("repetition-taken").uuid();
    set_key(&mut sent, header, own.clone());
    set_key(&mut mended, header, own);
    let elsewhere = with_another(&ready, (header, "repetition-taken-elsewhere"), &mended);
    let refused = world.send(sent).await;
    is_free_after(
        world,
        call,
        (&refused, refusals),
        (mended, elsewhere),
        draft,
    )
    .await
}

/// What is asked for before the step that makes its record ready is refused.
async fn early<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (header, refusals): (&str, &Refusals),
    draft: &mut Draft,
) -> Option<()> {
    let way = world.chosen(call).filter(|own| own.stands_on.is_none())?;
    let (_, before) = way.split()?;
    let (step, others) = before.split_last()?;
    let maker = world.model.call(&step.name.operation)?;
    (maker.role == Role::Change).then_some(())?;
    let tag = "repetition-early";
    let ready = world.prepare_by(way, others, tag).await.ok()?;
    let mut sent = world.compose(&ready, tag).ok()?;
    set_key(&mut sent, header, ready.state.fresh.fork(tag).uuid());
    let refused = world.send(sent.clone()).await;
    refusals.have(&refused).then_some(())?;
    let step = world
        .compose_step(&ready, step, "repetition-early-step")
        .ok()?;
    succeeded(&world.send(step).await).then_some(())?;
    let elsewhere = with_another(&ready, (header, "repetition-early-elsewhere"), &sent);
    is_free_after(world, call, (&refused, refusals), (sent, elsewhere), draft).await
}

/// Values that the schema allows may be refused all the same: more than is there, another currency, a day that is over.
async fn valued<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (header, refusals): (&str, &Refusals),
    draft: &mut Draft,
) -> Option<()> {
    let (_, sent) = with_key(world, call, (header, "repetition-valued")).await?;
    let values = values(world, call, sent.json.as_ref()?);
    for (at, (pointer, other)) in values.into_iter().take(MOST).enumerate() {
        let tag = format!("repetition-valued-{at}");
        let (ready, sent) = with_key(world, call, (header, &tag)).await?;
        let mut wrong = sent.clone();
        let mut json = sent.json.clone()?;
        let is_put = value::put(&mut json, &pointer, other).is_ok();
        let valid = world.put_valid(call, (&mut wrong, &ready.call), json);
        if !is_put || valid.is_none() {
            continue;
        }
        let refused = world.send(wrong).await;
        let elsewhere = with_another(&ready, (header, &format!("{tag}-elsewhere")), &sent);
        is_free_after(world, call, (&refused, refusals), (sent, elsewhere), draft).await;
        if !draft.is_clean() {
            break;
        }
    }
    Some(())
}

/// Values of a body that are valid, and may be refused all the same.
fn values<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>, body: &Node) -> Vec<(Pointer, Node)> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut found = Vec::new();
    if let Some(schema) = call.body.as_ref() {
        let is_valid = |pointer: &Pointer, node: &Node| {
            let mut whole = body.clone();
            let is_put = value::put(&mut whole, pointer, node.clone()).is_ok();
            let broken = world.contract().validate_request(schema, &whole);
            is_put && broken.is_ok_and(|own| own.is_empty())
        };
        strangers(&Pointer::root(), body, &is_valid, &mut found);
        most(&Pointer::root(), body, &is_valid, &mut found);
    }
    let mut others = Vec::new();
    extremes::collect(world, &Pointer::root(), body, &shape, &mut others);
    others.retain(|(pointer, node)| match &node.value {
        Value::Number(_) => true,
        Value::String(text) => {
            let names = pointer.segments();
            let own = names.fold(shape.clone(), |own, name| own.property(document, &name));
            own.known_values().contains(&text.as_str())
        }
        _ => false,
    });
    found.extend(others);
    found
}

/// Keys of nobody in the place of those that a body names: one is enough.
fn strangers(
    pointer: &Pointer,
    node: &Node,
    is_valid: &impl Fn(&Pointer, &Node) -> bool,
    found: &mut Vec<(Pointer, Node)>,
) {
    for entry in node.entries().filter(|_| pointer.depth() < 3) {
        let at = pointer.join(entry.key.as_str());
        let is_key = names::subject(&entry.key).is_some_and(|own| !own.is_empty());
        match &entry.value.value {
            Value::String(text) if is_key && found.is_empty() => {
                let other = unlike(false, text, |own| is_valid(&at, own));
                found.push((at, other));
            }
            Value::Mapping(_) => strangers(&at, &entry.value, is_valid, found),
            Value::Sequence(items) => {
                if let Some(first) = items.first() {
                    strangers(&at.join("0"), first, is_valid, found);
                }
            }
            _ => {}
        }
    }
}

/// The amounts of a body as large as its schema allows.
fn most(
    pointer: &Pointer,
    node: &Node,
    is_valid: &impl Fn(&Pointer, &Node) -> bool,
    found: &mut Vec<(Pointer, Node)>,
) {
    const TIMES: [i128; 5] = [1_000_000, 100_000, 10_000, 1_000, 100];
    for entry in node.entries() {
        let at = pointer.join(entry.key.as_str());
        let is_key = names::subject(&entry.key).is_some();
        let is_amount = matches!(entry.value.value, Value::Number(_) | Value::String(_));
        let amount = Amount::read(&entry.value).filter(|own| is_amount && own.units > 0 && !is_key);
        if let Some(amount) = amount {
            let more = TIMES
                .iter()
                .filter_map(|own| amount.units.checked_mul(*own));
            let mut more = more.map(|own| amount.with(own).node());
            let more = more.find(|own| is_valid(&at, own));
            found.extend(more.map(|own| (at, own)));
        } else if entry.value.as_mapping().is_some() && at.depth() < 3 {
            most(&at, &entry.value, is_valid, found);
        }
    }
}

/// The same request with another key.
fn with_another(ready: &Ready<'_, '_>, (header, tag): (&str, &str), sent: &Sent) -> Sent {
    let mut sent = sent.clone();
    set_key(&mut sent, header, ready.state.fresh.fork(tag).uuid());
    sent
}

/// After what was refused, sends with the same key what is not: what is refused under another key, too, is for another
/// reason, such as that no more is left.
async fn is_free_after<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (refused, refusals): (&Exchange, &Refusals),
    (mended, elsewhere): (Sent, Sent),
    draft: &mut Draft,
) -> Option<()> {
    refusals.have(refused).then_some(())?;
    let mended = world.send(mended).await;
    if !succeeded(&mended) && succeeded(&world.send(elsewhere).await) {
        let expected = "a success: a request that was refused does not use up its key";
        let claim = Claim::new(
            &checks::REPEAT_REFUSED,
            Ground::Text,
            expected,
            told(&mended),
        );
        world.differ(draft, call, claim, &mended);
    }
    Some(())
}

/// Which refusals are said to leave a key free.
fn told_free(said: &[Vec<String>]) -> Option<Refusals> {
    const FORM: [&str; 6] = [
        "validation",
        "invalid",
        "malformed",
        "schema",
        "syntax",
        "valid",
    ];
    let sentence = said.iter().find(|own| keeps_free(own))?;
    let codes = sentence.iter().filter_map(|own| own.parse::<u16>().ok());
    let codes: Vec<u16> = codes.filter(|own| (400..500).contains(own)).collect();
    if prose::has(sentence, &FORM) || said.iter().any(|own| keeps(own)) {
        return Some(Refusals::OfForm);
    }
    Some(if codes.is_empty() {
        Refusals::All
    } else {
        Refusals::With(codes)
    })
}

/// Whether a sentence says that a refused request may be sent again with its key.
fn keeps_free(sentence: &[String]) -> bool {
    const FREE: [&str; 16] = [
        "be used again",
        "not use up",
        "not used up",
        "not consume",
        "not stored",
        "not remembered",
        "again with the same",
        "sent again with its",
        "reuse the same",
        "same key may be sent",
        "same key can be sent",
        "same key may be used",
        "same key can be used",
        "key free",
        "key stays free",
        "key remains free",
    ];
    let joined = sentence.join(" ");
    let is_barred =
        prose::has(sentence, &["cannot", "unless", "never"]) || joined.contains("not be");
    let says = FREE.iter().any(|own| joined.contains(own));
    // `Failed requests are not remembered` speaks of no key.
    let of_requests = joined.contains("requests are not");
    let is_about = prose::has(sentence, &["key", "keys"]) || of_requests;
    let is_refused = prose::has(sentence, &REFUSED) && says;
    is_about && !is_barred && (is_refused || is_of_successes(sentence))
}

/// Whether a sentence says that only what is granted uses its key up.
fn is_of_successes(sentence: &[String]) -> bool {
    const USES: [&str; 5] = ["up", "consume", "consumes", "stored", "remembered"];
    let only = sentence.iter().position(|own| own == "only");
    let after = only.map(|at| sentence.iter().skip(at + 1).take(5));
    let is_granted = after.is_some_and(|mut own| own.any(|own| GRANTED.contains(&own.as_str())));
    is_granted && prose::has(sentence, &USES) && !prose::has(sentence, &["not"])
}

/// Whether a sentence says that the answer to a refused request is kept under its key.
fn keeps(sentence: &[String]) -> bool {
    const KEPT: [&str; 6] = [
        "stored",
        "remembered",
        "kept",
        "saved",
        "replayed",
        "repeated",
    ];
    const NOT: [&str; 6] = ["not", "never", "only", "no", "nothing", "unless"];
    let is_about = prose::has(sentence, &["key", "keys"]);
    let is_refused = prose::has(sentence, &REFUSED) || prose::has(sentence, &["fail", "402"]);
    is_about && is_refused && prose::has(sentence, &KEPT) && !prose::has(sentence, &NOT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_stay_free() {
        let all = Some(Refusals::All);
        for (text, expected) in [
            (
                "A request that was refused does not use up its key.",
                all.clone(),
            ),
            (
                "Only successes are kept, so a refused request can be sent again with the same key.",
                all.clone(),
            ),
            (
                "Only successful requests use a key up: after a refusal (any 4xx) the same key may be sent.",
                all.clone(),
            ),
            ("Keys are stored only for successful requests.", all.clone()),
            (
                "Only a request that created an order uses up its key; a refused one does not.",
                all.clone(),
            ),
            (
                "A refused request cannot be sent again with the same key",
                None,
            ),
            ("A request can be sent again with the same key", None),
            ("A refused request does not use up its reference", None),
            ("After a refusal the same key may not be used.", None),
            ("Only new keys may be used.", None),
            ("A key whose request failed can be used again.", all.clone()),
            (
                "Requests refused with 400 or 422 do not use up their key.",
                Some(Refusals::With(vec![400, 422])),
            ),
            (
                "A request that fails validation does not consume its key.",
                Some(Refusals::OfForm),
            ),
            (
                "Refused requests do not use up their key; a declined one is remembered with its key.",
                Some(Refusals::OfForm),
            ),
        ] {
            assert_eq!(told_free(&prose::spoken(text)), expected, "{text}");
        }
    }
}
