//! Card expiry: a card whose month of expiry is over is refused, where a text says so, with the status and the code that are
//! told; where it says that a card is valid to the end of that month, the month that runs is granted: "an expired card is
//! refused with `400` `card_expired`; it is valid to the end of the month".

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, codes, names, prose};
use crate::shape::Shape;
use crate::value;

use super::told::Told;
use crate::laws::records::freshness::is_time_of_making;
use crate::laws::trial::answered::{record_of, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So deep in a body is looked for an expiry.
const DEPTH: usize = 3;

/// Words of the names of an expiry.
const EXPIRY: [&str; 6] = [
    "exp",
    "expiry",
    "expiration",
    "expires",
    "expire",
    "expiring",
];

/// A year in which no card is valid any more.
const LONG_OVER: i16 = 2001;

/// Where a body has the month and the year of an expiry.
#[derive(Debug, PartialEq, Eq)]
struct Expiry {
    month: Pointer,
    year: Pointer,
}

/// Sends a card of a month that is over, and one of the month that runs.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    body: &Node,
    draft: &mut Draft,
) -> Option<()> {
    let expiry = expiry(body, &Pointer::root())?;
    let texts: Vec<&'d str> = texts(world, call, &expiry);
    let others = others(world, call);
    let is_own = |own: &&str| refuses_expired(own) && !others.iter().any(|kind| has(own, kind));
    let mut said = texts.iter().copied().flat_map(prose::sentences);
    let sentence = said.find(is_own)?;
    let ready = world.ready(call, "card-expiry").await.ok()?;
    let sent = world.compose(&ready, "card-expiry").ok()?;
    let granted = world.send(sent).await;
    // A clock that stands is behind: what is over here is not there.
    let made = made_on(call, &granted);
    let mut over = vec![(LONG_OVER, 1)];
    // Where a month has just begun, the one before it may still run elsewhere.
    over.extend(made.and_then(|own| month(own, -2, -1)));
    for (year, month) in over {
        let Some(exchange) = send(world, call, (&expiry, body, (year, month))).await else {
            continue;
        };
        if succeeded(&exchange) {
            let expected = format!("a refusal: {year:04}-{month:02} is over");
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Text,
                expected,
                told(&exchange),
            );
            world.differ(draft, call, claim.at(expiry.year.clone()), &exchange);
            break;
        }
        Told::read(world.model, sentence).judge(world, call, &exchange, draft);
    }
    let is_whole = texts.iter().any(|own| lasts_the_month(own));
    // Where the month ends just now, it may be over elsewhere.
    let today = made.unwrap_or_else(|| Timestamp::now().to_zoned(TimeZone::UTC).date());
    let running = month(today, 2, 0);
    if let Some((year, month)) = running.filter(|_| is_whole && draft.is_clean()) {
        let exchange = send(world, call, (&expiry, body, (year, month))).await?;
        if says_expired(&exchange) {
            let expected = format!("a success: {year:04}-{month:02} is not over");
            let claim = Claim::new(
                &checks::VALID_REFUSED,
                Ground::Text,
                expected,
                told(&exchange),
            );
            world.differ(draft, call, claim.at(expiry.month), &exchange);
        }
    }
    Some(())
}

/// Sends the call with another month, written as the one that is valid.
async fn send<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (expiry, body, (year, month)): (&Expiry, &Node, (i16, i8)),
) -> Option<Exchange> {
    let tag = format!("card-expiry-{year}-{month}");
    let ready = world.ready(call, &tag).await.ok()?;
    let mut sent = world.compose(&ready, &tag).ok()?;
    let mut json = sent.json.clone()?;
    let month = written(body.at(&expiry.month)?, i32::from(month))?;
    let year = written(body.at(&expiry.year)?, i32::from(year))?;
    value::put(&mut json, &expiry.month, month).ok()?;
    value::put(&mut json, &expiry.year, year).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    Some(world.send(sent).await)
}

/// A number in the form of another one: as a text of as many digits, and of a year its last two where it has no more.
fn written(own: &Node, number: i32) -> Option<Node> {
    let text = value::plain(own);
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if number > 99 && text.len() <= 2 {
        number % 100
    } else {
        number
    };
    let written = match own.value {
        Value::Number(_) => value::number(number),
        _ => value::string(&format!("{number:0width$}", width = text.len())),
    };
    is_number.then_some(written)
}

/// The month and the year of an expiry beside each other in a body.
fn expiry(node: &Node, at: &Pointer) -> Option<Expiry> {
    let place = |last: &str| {
        let is_it = |name: &str| {
            let words = names::words(name);
            words.last().is_some_and(|own| own == last) && prose::has(&words, &EXPIRY)
        };
        let mut found = node.entries().filter(|own| is_it(&own.key));
        let only = found.next().filter(|_| found.next().is_none())?;
        written(&only.value, 1).map(|_| at.join(only.key.as_str()))
    };
    if let (Some(month), Some(year)) = (place("month"), place("year")) {
        return Some(Expiry { month, year });
    }
    let mut inner = node.entries().filter(|_| at.depth() < DEPTH);
    inner.find_map(|own| expiry(&own.value, &at.join(own.key.as_str())))
}

/// What is said of an operation, and of the month and the year.
fn texts<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>, expiry: &Expiry) -> Vec<&'d str> {
    let document = world.model.document;
    let of = |at: &Pointer| {
        let whole = Shape::of(document, call.body.as_ref());
        let own = at.segments();
        let own = own.fold(whole, |own, name| own.property(document, &name));
        own.keyword("description").and_then(Node::as_str)
    };
    let own = [of(&expiry.month), of(&expiry.year)];
    call.texts().chain(own.into_iter().flatten()).collect()
}

/// What other operations make: of a card that is saved it may be said that payments with it are refused.
fn others<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<String> {
    let noun = |own: &Call<'d>| names::words(&own.record()?.name).pop();
    let own = noun(call);
    let makers = world.model.of(Role::Create).filter_map(noun);
    makers
        .filter(|kind| kind != "card" && Some(kind) != own.as_ref())
        .collect()
}

fn has(sentence: &str, noun: &str) -> bool {
    let words = names::words(sentence);
    words.iter().any(|own| names::singular(own) == noun)
}

/// The day on which a record says that it was made.
fn made_on(call: &Call<'_>, made: &Exchange) -> Option<Date> {
    let mut entries = record_of(call, made)?.entries();
    let time = entries.find(|own| is_time_of_making(&own.key))?;
    let moment: Timestamp = time.value.as_str()?.parse().ok()?;
    Some(moment.to_zoned(TimeZone::UTC).date())
}

/// The year and the month so many days and months from a day.
fn month(day: Date, days: i32, months: i32) -> Option<(i16, i8)> {
    let then = day.checked_add(Span::new().days(days)).ok()?;
    let then = then
        .first_of_month()
        .checked_add(Span::new().months(months));
    then.ok().map(|own| (own.year(), own.month()))
}

/// Whether a refusal tells that a card has expired.
fn says_expired(exchange: &Exchange) -> bool {
    let answer = exchange.outcome.as_ref().ok();
    let body = answer.and_then(|own| own.json());
    let code = body
        .and_then(codes::code_of)
        .filter(|_| !succeeded(exchange));
    code.is_some_and(|own| speaks_of_expiry(&names::words(own)))
}

fn speaks_of_expiry(words: &[String]) -> bool {
    prose::has(words, &["expired", "expiry", "expiration"])
}

/// Whether a sentence says that a card is refused when it has expired.
fn refuses_expired(sentence: &str) -> bool {
    const REFUSED: [&str; 3] = ["refused", "rejected", "declined"];
    const OPEN: [&str; 16] = [
        "may", "might", "can", "should", "if", "unless", "when", "while", "not", "never", "no",
        "without", "except", "only", "but", "before",
    ];
    let words = prose::unmarked(sentence);
    let is_over = prose::has(&words, &["over", "past", "passed"]);
    let is_expired = prose::has(&words, &["expired"]);
    let must_not = words
        .windows(3)
        .any(|own| own[0] == "must" && own[1] == "not" && matches!(own[2].as_str(), "be" | "have"));
    let is_doubtful = prose::has(&words, &["unless", "if", "when", "except", "may"]);
    let is_refused = prose::has(&words, &REFUSED) && !prose::has(&words, &OPEN);
    let is_told = is_expired || (speaks_of_expiry(&words) && is_over);
    let is_barred = must_not && is_expired && !is_doubtful;
    prose::has(&words, &["card", "cards", "one"]) && ((is_told && is_refused) || is_barred)
}

/// Whether a text says that a card is valid to the end of its month of expiry.
fn lasts_the_month(text: &str) -> bool {
    const VALID: [&str; 4] = ["valid", "usable", "accepted", "expires"];
    const OPEN: [&str; 6] = ["not", "may", "if", "unless", "never", "until"];
    const ENDS: [[&str; 2]; 2] = [["end", "of"], ["last", "day"]];
    let mut said = prose::spoken(text).into_iter();
    said.any(|words| {
        let end = words
            .windows(2)
            .position(|own| ENDS.contains(&[&own[0], &own[1]]));
        let after = end.map(|at| words.iter().skip(at + 2).take(4));
        let is_of_month = after.is_some_and(|mut own| own.any(|own| own == "month"));
        is_of_month && prose::has(&words, &VALID) && !prose::has(&words, &OPEN)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_expired_cards() {
        for (sentence, expected) in [
            (
                "A card whose month of expiry is over is refused with `400` `card_expired`",
                true,
            ),
            ("An expired card is refused", true),
            ("Expired cards are rejected with 422", true),
            ("The card must not have expired", true),
            ("A card whose month of expiry is over is not refused", false),
            ("An expired card may be refused", false),
            ("An expired card can be saved, but is declined later", false),
            ("A card is refused when it has expired", false),
            ("The month of expiry of the card", false),
            ("A card of another country is refused", false),
            ("An expired quote is rejected", false),
            (
                "A card that is not known is refused with `card_expired`",
                false,
            ),
            ("An expired card is refused with `not_usable`", true),
        ] {
            assert_eq!(refuses_expired(sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn how_long_a_card_is_said_to_be_valid() {
        for (text, expected) in [
            (
                "A card is refused after that; it is valid to the end of that month.",
                true,
            ),
            ("Cards are valid through the last day of the month", true),
            ("It may be valid to the end of the month", false),
            ("It is not valid to the end of the month", false),
            ("It is valid to the end of the trial", false),
            ("Paid at the end of the month", false),
        ] {
            assert_eq!(lasts_the_month(text), expected, "{text}");
        }
    }

    #[test]
    fn where_an_expiry_is() {
        let of = |text: &str| {
            let found = expiry(
                &openapi_document::json::read_text(text).unwrap(),
                &Pointer::root(),
            );
            found.map(|own| (own.month.to_string(), own.year.to_string()))
        };
        let both = |month: &str, year: &str| Some((month.to_owned(), year.to_owned()));
        assert_eq!(
            of(r#"{"exp_month":8,"exp_year":2030}"#),
            both("/exp_month", "/exp_year")
        );
        assert_eq!(
            of(r#"{"card":{"expiryMonth":"08","expiryYear":"30"}}"#),
            both("/card/expiryMonth", "/card/expiryYear")
        );
        assert_eq!(of(r#"{"month":8,"exp_year":2030}"#), None);
        assert_eq!(of(r#"{"exp_month":"august","exp_year":2030}"#), None);
    }

    #[test]
    fn months_and_how_they_are_written() {
        let day: Date = "2026-01-01".parse().unwrap();
        assert_eq!(month(day, -2, -1), Some((2025, 11)));
        assert_eq!(month(day, 2, 0), Some((2026, 1)));
        for (own, number, expected) in [
            ("8", 11, "11"),
            (r#""08""#, 1, r#""01""#),
            (r#""30""#, 2026, r#""26""#),
            ("2030", 2026, "2026"),
        ] {
            let own = openapi_document::json::read_text(own).unwrap();
            let found = written(&own, number).map(|own| own.to_json());
            assert_eq!(found.as_deref(), Some(expected));
        }
    }
}
