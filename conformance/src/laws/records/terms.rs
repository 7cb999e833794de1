//! Terms: where documented answers show that one time is so long after another one as the request asks for, or as a
//! text says, it is so in each answer: `trialEndsAt` is `trialDays` after `createdAt`, `dueOn` fourteen days. Names
//! tell as much where a record has one time at which it ends, and one other.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::recipe::Recipe;
use crate::shape::Shape;
use crate::value;

use super::pairs::{is_paired, shown_of};
use crate::answered::record_of;
use crate::names::is_time_of_making;
use crate::scene::Scene;
use crate::scene::compare::tells_of_changes;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::lengths;

/// So many seconds a time may be off.
const OFF: i64 = 2;

const DAY: i64 = 86_400;

/// Tries an operation whose documented answers tell of times that follow from each other.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let writes = matches!(call.role, Role::Create | Role::Change) && scene.may_write();
    if !writes {
        return Ok(false);
    }
    let mut terms = shown(scene, call);
    let named = named(scene, call);
    let is_new = |own: &Term<'d>| terms.iter().all(|(term, _)| term.to != own.to);
    terms.extend(named.filter(is_new).map(|own| (own, None)));
    let mut tried = false;
    for (index, (term, way)) in terms.iter().enumerate() {
        let numbers = match term.length {
            Length::Asked(name) => numbers(scene, call, name),
            Length::Said(_) => vec![None],
        };
        for number in numbers {
            let tag = format!("terms-{index}-{}", number.unwrap_or_default());
            let ask = (term, *way, number);
            tried |= of(scene, call, ask, &tag, draft).await == Ok(true);
        }
    }
    Ok(tried)
}

/// That one time of a record is so long after another one.
struct Term<'d> {
    from: &'d str,
    to: &'d str,
    length: Length<'d>,
}

/// How long.
#[derive(Clone, Copy)]
enum Length<'d> {
    /// So many seconds for each one that a property of the request asks for.
    Asked(&'d str),
    /// So many seconds.
    Said(i64),
}

/// What an account of a time says.
#[derive(Clone, Copy)]
enum Moment {
    Time(Timestamp),
    Day(Date),
}

impl Moment {
    fn read(node: &Node) -> Option<Self> {
        let text = node.as_str()?;
        let day = || text.parse().ok().map(Self::Day);
        let is_day = text.len() == "2026-01-01".len();
        if is_day {
            day()
        } else {
            text.parse().ok().map(Self::Time)
        }
    }

    fn day(self) -> Date {
        match self {
            Self::Day(own) => own,
            Self::Time(own) => own.to_zoned(TimeZone::UTC).date(),
        }
    }

    /// How many seconds it is after another one, and how many of them nobody can be sure of: whose day it is.
    fn after(self, other: Self) -> (i64, i64) {
        match (other, self) {
            (Self::Time(from), Self::Time(to)) => (to.as_second() - from.as_second(), OFF),
            (from, to) => {
                let days = i64::from((to.day() - from.day()).get_days());
                let is_sure = matches!((from, to), (Self::Day(_), Self::Day(_)));
                (days * DAY, if is_sure { 0 } else { DAY })
            }
        }
    }
}

/// What documented pairs show, each with the way that brings its answer about.
fn shown<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
) -> Vec<(Term<'d>, Option<&'w Recipe<'d>>)> {
    let mut found: Vec<(Term<'d>, Option<&Recipe<'d>>)> = Vec::new();
    let model = scene.model;
    for way in scene
        .ways(call)
        .iter()
        .filter(|own| is_paired(model, call, own))
    {
        let Some((step, _)) = way.split() else {
            continue;
        };
        let Some(shown) = shown_of(call, step) else {
            continue;
        };
        for (from, to, seconds) in spans(shown) {
            let asked = asked(scene, call, step.expected.request_example, seconds);
            let said = || says(scene, call, to, seconds).then_some(Length::Said(seconds));
            let Some(length) = asked.map(Length::Asked).or_else(said) else {
                continue;
            };
            if found.iter().all(|(own, _)| own.to != to) {
                found.push((Term { from, to, length }, Some(way)));
            }
        }
    }
    found
}

/// What names tell: of a record with one time at which it ends, and one other, and of a request with one length.
fn named<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<Term<'d>> {
    let document = scene.model.document;
    let record = Shape::of(document, Some(&call.record()?.schema));
    let is_time = |name: &&str| {
        let own = record.property(document, name);
        let is_sure = record.requires(name) && own.keyword("nullable").is_none();
        let is_time = matches!(own.format(), Some("date" | "date-time"));
        is_time && is_sure && !tells_of_changes(name)
    };
    let times: Vec<&str> = record
        .property_names()
        .into_iter()
        .filter(is_time)
        .collect();
    let (ends, others): (Vec<&str>, Vec<&str>) = times.into_iter().partition(|own| is_end(own));
    let ([to], [from]) = (&ends[..], &others[..]) else {
        return None;
    };
    let body = Shape::of(document, call.body.as_ref());
    let is_length = |name: &&str| {
        let own = body.property(document, name);
        let text = own.keyword("description").and_then(Node::as_str);
        let text = text.filter(|_| is_end(name));
        own.type_name() == Some("integer") && lengths::unit(name, text).is_some()
    };
    let mut asked = body.property_names().into_iter().filter(is_length);
    let asked = asked.next().filter(|_| asked.next().is_none())?;
    let length = Length::Asked(asked);
    Some(Term { from, to, length })
}

/// Whether a name tells when something ends, or in how much time.
fn is_end(name: &str) -> bool {
    const ENDS: [&str; 8] = [
        "expires",
        "expire",
        "expiry",
        "expiration",
        "ttl",
        "due",
        "until",
        "ends",
    ];
    prose::has(&names::words(name), &ENDS)
}

/// The times of a record that are after others, with how many seconds; first those after its making.
fn spans(record: &Node) -> Vec<(&str, &str, i64)> {
    let times = record.entries();
    let times: Vec<(&str, Moment)> = times
        .filter_map(|own| Some((own.key.as_str(), Moment::read(&own.value)?)))
        .collect();
    let mut all = Vec::new();
    for (from, since) in &times {
        for (to, until) in &times {
            let seconds = until.after(*since).0;
            if seconds > 0 {
                all.push((*from, *to, seconds));
            }
        }
    }
    all.sort_by_key(|(from, ..)| !is_time_of_making(from));
    all
}

/// The only property of a body that asks for so many seconds, by its unit and what was sent, or by its default.
fn asked<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    sent: Option<&Node>,
    seconds: i64,
) -> Option<&'d str> {
    let body = Shape::of(scene.model.document, call.body.as_ref());
    let names = body.property_names().into_iter();
    let mut names = names.filter(|name| length(scene, call, name, sent) == Some(seconds));
    names.next().filter(|_| names.next().is_none())
}

/// How many seconds a body asks for with a property.
fn length<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    sent: Option<&Node>,
) -> Option<i64> {
    let document = scene.model.document;
    let own = Shape::of(document, call.body.as_ref()).property(document, name);
    let text = own.keyword("description").and_then(Node::as_str);
    let unit = lengths::unit(name, text).filter(|_| own.type_name() == Some("integer"))?;
    let number = sent.and_then(|own| own.get(name));
    let number = number.or_else(|| own.keyword("default"))?;
    let number: i64 = value::plain(number).parse().ok()?;
    number.checked_mul(unit)
}

/// Whether the operation, or the time itself, says that it is so long.
fn says<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, to: &str, seconds: i64) -> bool {
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|own| &own.schema));
    let own = shape.property(document, to);
    let own = own.keyword("description").and_then(Node::as_str);
    let mut texts = call.texts().chain(own);
    texts.any(|own| lengths::said(own).contains(&seconds))
}

/// Numbers that a property is tried with, and without any, where it has a default.
fn numbers<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, name: &str) -> Vec<Option<i64>> {
    let document = scene.model.document;
    let body = Shape::of(document, call.body.as_ref());
    let own = body.property(document, name);
    let bound = |key: &str| {
        own.keyword(key)
            .and_then(|own| value::plain(own).parse().ok())
    };
    let (least, most) = (
        bound("minimum").unwrap_or(1),
        bound("maximum").unwrap_or(i64::MAX),
    );
    let default: Option<i64> = bound("default").filter(|_| !body.requires(name));
    let text = own.keyword("description").and_then(Node::as_str);
    let unit = lengths::unit(name, text).unwrap_or(1);
    // Another number than most defaults are.
    let mut all: Vec<Option<i64>> = vec![Some(least.max(3_600 / unit + 7).min(most))];
    all.extend(default.filter(|own| *own > 0).map(|_| None));
    all
}

async fn of<'w, 'd>(
    scene: &mut Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    (term, way, number): (&Term<'d>, Option<&'w Recipe<'d>>, Option<i64>),
    tag: &str,
    draft: &mut Draft,
) -> Result<bool, String> {
    let by_way = match way {
        Some(way) => scene.prepare(way, tag).await.ok(),
        None => None,
    };
    // What is said of every record is so of one that is made in another way.
    let ready = match by_way {
        Some(ready) => ready,
        None if way.is_none() || matches!(term.length, Length::Said(_)) => {
            scene.ready(call, tag).await?
        }
        None => return Err("no way leads there".to_owned()),
    };
    let mut sent = scene.compose(&ready, tag)?;
    if let Length::Asked(name) = term.length {
        let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
        value::remove(&mut json, name);
        if let Some(number) = number {
            value::put(
                &mut json,
                &Pointer::root().join(name),
                value::number(number),
            )?;
        }
        let schema = call.body.as_ref().ok_or("the call has no schema")?;
        if !scene.contract().validate_request(schema, &json)?.is_empty() {
            return Ok(false);
        }
        scene.put_json(&mut sent, &ready.call, json);
    }
    let due = match term.length {
        Length::Asked(name) => length(scene, call, name, sent.json.as_ref()),
        Length::Said(seconds) => Some(seconds),
    };
    let exchange = scene.send(sent).await;
    let times = record_of(call, &exchange).and_then(|own| {
        let moment = |name| own.get(name).and_then(Moment::read);
        Some(moment(term.to)?.after(moment(term.from)?))
    });
    let (Some(due), Some((seconds, off))) = (due, times) else {
        return Ok(false);
    };
    // Whose day it is, a document that speaks of UTC says.
    let off = if off > OFF && speaks_of_utc(scene, call, term.to) {
        0
    } else {
        off
    };
    if (seconds - due).abs() > off {
        tell(scene, call, term, (due, seconds), &exchange, draft);
    }
    Ok(true)
}

fn speaks_of_utc<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, to: &str) -> bool {
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|own| &own.schema));
    let own = shape.property(document, to);
    let own = own.keyword("description").and_then(Node::as_str);
    let texts = call.texts().chain(call.overall).chain(own);
    let mut all = texts.flat_map(prose::spoken);
    all.any(|own| prose::has(&own, &["utc"]))
}

fn tell<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    term: &Term<'d>,
    (due, seconds): (i64, i64),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let by = match term.length {
        Length::Asked(name) => format!("as `{name}` asks for"),
        Length::Said(_) => "as is said of it".to_owned(),
    };
    let (due, seconds) = (lengths::shown(due), lengths::shown(seconds));
    let expected = format!("{due} after `{}`, {by}", term.from);
    let claim = Claim::new(
        &checks::TIME_ASTRAY,
        Ground::Pair,
        expected,
        format!("{seconds} after it"),
    );
    scene.differ(
        draft,
        call,
        claim.at(Pointer::root().join(term.to)),
        exchange,
    );
}
