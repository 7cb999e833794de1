//! Declined: what was declined with `402` leaves what it names as it was, where a text says so: "a declined attempt leaves the link as
//! it was", "if the card is refused the checkout stays open", "a request that is refused changes nothing". What is declined may be
//! paid with what has to be stored before: a card whose number a table has among those that are declined.

use openapi_document::{Mapping, Pointer, Value};

use crate::case::Step;
use crate::collect::request;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use super::kept;
use super::tabled::{self, Row};
use super::test_numbers::{place, tells_reason, with};
use super::untouched::Untouched;
use crate::laws::trial::answered::{own_key, record_of, status, succeeded};
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::{Ready, World};

/// The status of what is declined.
pub(super) const DECLINED: u16 = 402;

/// So many numbers are stored at most.
const MOST: usize = 2;

/// Words of what is not granted.
const REFUSED: [&str; 8] = [
    "declined", "declines", "decline", "refused", "rejected", "fails", "failed", "denied",
];

/// Pays with each number that a table has among those that are declined, where that is stored first.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    call.response(DECLINED)?;
    let rows = tabled::declined(call);
    for (index, row) in rows.iter().take(MOST).enumerate() {
        let tag = format!("declined-{index}");
        of(world, call, (row, &tag), draft).await;
    }
    if rows.is_empty() {
        shown(world, call, draft).await;
    }
    Some(())
}

/// Pays as the example of a request does whose name says that it is declined.
async fn shown<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let keys = request::keys(&call.operation);
    let mut ways = world.all_ways(call).iter();
    let way = ways.find(|own| {
        let words = own.example.map(names::words).unwrap_or_default();
        own.example.is_some_and(|own| keys.contains(&own)) && prose::has(&words, &REFUSED)
    })?;
    let tag = "declined-shown";
    let ready = world.prepare(way, tag).await.ok()?;
    let sent = world.compose(&ready, tag).ok()?;
    let before = before(world, call, (&ready, &sent)).await;
    let exchange = world.send(sent).await;
    world.judge_seen(draft, call, &exchange, |own| *own == DECLINED);
    hold(world, call, (before, &exchange), draft).await
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (row, tag): (&Row<'d>, &str),
    draft: &mut Draft,
) -> Option<()> {
    let ready = world.ready(call, tag).await.ok()?;
    let sent = world.compose(&ready, tag).ok()?;
    let is_direct = sent.json.as_ref().and_then(|own| place(own, row.value));
    if is_direct.is_some() {
        return None;
    }
    let (ready, sent) = match named(world, call, (&ready, sent), (row, tag)).await {
        Some(sent) => (ready, sent),
        None => instead(world, call, (row, tag)).await?,
    };
    let before = before(world, call, (&ready, &sent)).await;
    let exchange = world.send(sent).await;
    let response = call.response(DECLINED)?;
    (status(&exchange) == Some(DECLINED)).then_some(())?;
    if let Some(reason) = row.only_mark() {
        let told = (row.value, reason);
        tells_reason(world, call, (&response, told), &exchange, draft);
    }
    world.judge_seen(draft, call, &exchange, |own| *own == DECLINED);
    hold(world, call, (before, &exchange), draft).await
}

/// The request with what is stored of such a number in the place of what it names.
async fn named<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, mut sent): (&Ready<'_, 'd>, Sent),
    (row, tag): (&Row<'d>, &str),
) -> Option<Sent> {
    let (_, before) = world.chosen(call)?.split()?;
    let (step, at) = before
        .iter()
        .rev()
        .find_map(|own| stores(world, own, row))?;
    let maker = world.model.call(&step.name.operation)?;
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    let name = names.find(|name| {
        let kind = world
            .model
            .named_by(&shape.property(world.model.document, name), name);
        let own = kind.and_then(|own| world.model.creator_of(&own));
        own.is_some_and(|own| own.operation.label() == maker.operation.label())
    })?;
    let mut storing = world.compose_anew(ready, step, tag).ok()?;
    let mut json = storing.json.clone()?;
    value::put(&mut json, &at, value::string(row.value)).ok()?;
    world.put_valid(maker, (&mut storing, step), json)?;
    let stored = world.send(storing).await;
    let key = record_of(maker, &stored)?.get(own_key(maker)?)?.clone();
    let nothing = || value::node(Value::Mapping(Mapping::default()));
    let mut json = sent.json.clone().unwrap_or_else(nothing);
    value::put(&mut json, &Pointer::root().join(name), key).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    Some(sent)
}

/// Whether a step stores such a number, and where its body has it.
fn stores<'s, 'd>(
    world: &World<'_, '_, '_, 'd>,
    step: &'s Step<'d>,
    row: &Row<'d>,
) -> Option<(&'s Step<'d>, Pointer)> {
    let maker = world.model.call(&step.name.operation)?;
    let body = step.request.body.as_ref()?.value.plain()?;
    let at = place(body, row.value)?;
    (maker.role == Role::Create).then_some((step, at))
}

/// The request where such a number is stored instead of the one that is usual: what the call does not name may be paid with.
async fn instead<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    (row, tag): (&Row<'d>, &str),
) -> Option<(Ready<'w, 'd>, Sent)> {
    let way = world.chosen(call)?;
    let steps = with(world, way, row.value)?;
    let tag = format!("{tag}-instead");
    let ready = world.prepare_by(way, &steps, &tag).await.ok()?;
    let sent = world.compose(&ready, &tag).ok()?;
    Some((ready, sent))
}

/// What a request names, where that is said to stay as it was if it is declined.
pub(super) async fn before<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &Sent),
) -> Option<Untouched<'w, 'd>> {
    let leaves = Leaves::of(call)?;
    let mut all = Box::pin(Untouched::by(world, call, (ready, sent.clone()))).await?;
    if kept::says_kept(call) {
        all = all.without_lists();
    }
    match leaves {
        Leaves::It => Some(all),
        Leaves::All => all.without_failing(world),
    }
}

/// Reads it again after it was declined.
pub(super) async fn hold<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    (before, declined): (Option<Untouched<'w, 'd>>, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let is_declined = !succeeded(declined) && status(declined) == Some(DECLINED);
    let before = before.filter(|_| is_declined)?;
    Box::pin(before.look(world, call, declined, draft)).await
}

/// What is said to stay as it was.
#[derive(Debug, PartialEq, Eq)]
enum Leaves {
    /// What is paid for.
    It,
    /// Whatever there is, whatever is refused.
    All,
}

impl Leaves {
    fn of(call: &Call<'_>) -> Option<Self> {
        let own: Vec<Vec<String>> = call.spoken();
        let answer = call.text_of(DECLINED).unwrap_or_default();
        let overall = call.overall.unwrap_or_default();
        Self::read(&own, &prose::spoken(answer), &prose::spoken(overall))
    }

    /// Reads the sentences of an operation, those of its answer to what is declined, and those of all operations.
    fn read(own: &[Vec<String>], answer: &[Vec<String>], overall: &[Vec<String>]) -> Option<Self> {
        const OTHERS: [&str; 6] = ["400", "403", "404", "409", "410", "422"];
        let is_about = |words: &&Vec<String>| prose::has(words, &REFUSED);
        // What is refused for another reason is another matter.
        let is_of_it = |words: &&Vec<String>| {
            prose::has(words, &REFUSED)
                && (prose::has(words, &["402"]) || !prose::has(words, &OTHERS))
        };
        if own
            .iter()
            .filter(is_of_it)
            .chain(answer)
            .any(|own| changes(own))
        {
            return None;
        }
        if own
            .iter()
            .filter(is_of_it)
            .chain(answer)
            .any(|own| leaves(own))
        {
            return Some(Self::It);
        }
        let mut of_all = overall.iter().filter(is_about);
        of_all.any(|own| leaves(own)).then_some(Self::All)
    }
}

/// Whether a sentence says that nothing becomes another.
fn leaves(words: &[String]) -> bool {
    const SAYS: [&str; 8] = [
        "as it was",
        "as they were",
        "unchanged",
        "untouched",
        "nothing was changed",
        "nothing is changed",
        "changes nothing",
        "change nothing",
    ];
    const OPEN: [&str; 5] = ["may", "unless", "except", "only", "but"];
    let said = words.join(" ");
    SAYS.iter().any(|own| said.contains(own)) && !prose::has(words, &OPEN)
}

/// Whether a sentence may say that something becomes another of what is declined.
fn changes(words: &[String]) -> bool {
    const CHANGES: [&str; 23] = [
        "becomes",
        "become",
        "moves",
        "moved",
        "goes",
        "turns",
        "marked",
        "marks",
        "sets",
        "set",
        "status",
        "raises",
        "raised",
        "increments",
        "counts",
        "counted",
        "attempts",
        "retried",
        "retry",
        "records",
        "recorded",
        "updates",
        "updated",
    ];
    prose::has(words, &CHANGES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_say_of_what_is_declined() {
        for (own, answer, overall, expected) in [
            (
                "It is paid after one payment; a declined attempt leaves the link as it was.",
                "",
                "",
                Some(Leaves::It),
            ),
            (
                "If the card is refused (`402`) the checkout stays open.",
                "",
                "",
                None,
            ),
            (
                "Less is refused (`409`) and leaves it unchanged.",
                "",
                "",
                None,
            ),
            (
                "",
                "The card was declined. The invoice becomes past due; its amount is unchanged.",
                "",
                None,
            ),
            (
                "",
                "The card was refused. Nothing was changed.",
                "",
                Some(Leaves::It),
            ),
            (
                "Pays it.",
                "Declined.",
                "A request that is refused changes nothing.",
                Some(Leaves::All),
            ),
            (
                "If the card is declined the invoice becomes `past_due`.",
                "",
                "A request that is refused changes nothing.",
                None,
            ),
            (
                "If the card is declined the invoice stays open and the attempt is counted.",
                "",
                "",
                None,
            ),
            ("An order that is not paid stays open.", "", "", None),
            ("Pays it.", "Declined.", "", None),
        ] {
            let [own, answer, overall] = [own, answer, overall].map(prose::spoken);
            assert_eq!(
                Leaves::read(&own, &answer, &overall),
                expected,
                "{own:?} {answer:?}"
            );
        }
    }
}
