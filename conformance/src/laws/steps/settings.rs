//! A state that a change sets, or a step is asked for, is one that its text leads to from the state that there is: "`status` can
//! be set from `active` to `suspended`. Any other transition is answered with `409`". What is refused changes nothing else either.

use std::collections::BTreeSet;

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::case::Step;
use crate::checks;
use crate::collect::request;
use crate::exchange::{Exchange, Sent};
use crate::model::codes::code_of;
use crate::model::{Call, Role, names, prose};
use crate::sample::Extent;
use crate::value;

use super::place::{Place, asking, place};
use super::refusal::settle;
use crate::laws::records::versions::keep_up_with;
use crate::laws::requests::untouched::Untouched;
use crate::laws::trial::answered::{record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many states are set at most, from each that is reached.
const MOST: usize = 6;

/// Tries a change of which a text says from which state to which it leads.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Change || !world.may_write() {
        return Ok(false);
    }
    let Some(place) = place(world, call) else {
        return Ok(false);
    };
    let pairs: Vec<(&str, &str)> = call.texts().flat_map(pairs_in).collect();
    let pairs: Vec<_> = pairs
        .into_iter()
        .filter(|own| place.states.contains(&own.0) && place.values.contains(&own.1))
        .collect();
    if pairs.is_empty() || !bars_others(call) {
        return Ok(false);
    }
    let ready = world.ready(call, "settings").await?;
    let Some(first) = world.made_by_now(call, &ready).await else {
        return Ok(false);
    };
    let Some(first) = first.get(place.told).and_then(Node::as_str) else {
        return Ok(false);
    };
    let mut tried = false;
    let mut seen = Seen::default();
    for path in paths(first, &pairs) {
        let path = (&place, &*path, &*pairs);
        tried |= from(world, call, path, (draft, &mut seen)).await?;
        if !draft.is_clean() {
            break;
        }
    }
    seen.judge(world, (call, place.asked), draft);
    Ok(tried)
}

/// A status, and the code beside it in the body.
type Refusal = (u16, String);

/// How changes of the state were refused.
#[derive(Debug, Default)]
struct Seen {
    /// Those that a text leads to, each with what it is and how it was refused.
    led: Vec<(String, Refusal, Exchange)>,
    /// How those are that no text leads to.
    barred: BTreeSet<Refusal>,
}

impl Seen {
    fn refusal(exchange: &Exchange) -> Option<Refusal> {
        let body = exchange.outcome.as_ref().ok()?.json()?;
        Some((status(exchange)?, code_of(body)?.to_owned()))
    }

    /// What a text leads to is not refused for the same reason as what none leads to.
    fn judge<'d>(
        self,
        world: &mut World<'_, '_, '_, 'd>,
        (call, asked): (&Call<'d>, &str),
        draft: &mut Draft,
    ) {
        // `invalid_transition` says of itself what it is for.
        let is_told = |code: &str| prose::has(&names::words(code), &["transition"]);
        let is_barred = |own: &Refusal| self.barred.contains(own) || is_told(&own.1);
        let mut led = self.led.into_iter();
        let Some((expected, _, exchange)) = led.find(|own| is_barred(&own.1)) else {
            return;
        };
        let at = Pointer::root().join(asked);
        let claim = Claim::new(
            &checks::STATUS_CODE,
            Ground::Text,
            expected,
            told(&exchange),
        )
        .at(at);
        world.differ(draft, call, claim, &exchange);
    }
}

/// The shortest path to each state that pairs lead to, from where a record stands at first.
fn paths<'d>(first: &str, pairs: &[(&'d str, &'d str)]) -> Vec<Vec<&'d str>> {
    let mut paths: Vec<Vec<&'d str>> = vec![Vec::new()];
    let mut seen: BTreeSet<&str> = std::iter::once(first).collect();
    let mut next = 0;
    while let Some(path) = paths.get(next).cloned() {
        let here = path.last().copied().unwrap_or(first);
        for (_, to) in pairs.iter().filter(|own| own.0 == here) {
            if seen.insert(to) {
                let mut longer = path.clone();
                longer.push(to);
                paths.push(longer);
            }
        }
        next += 1;
    }
    paths
}

/// Leads a record along a path, and asks for each state that no text leads to from there.
async fn from<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (place, path, pairs): (&Place<'d>, &[&str], &[(&str, &str)]),
    (draft, seen): (&mut Draft, &mut Seen),
) -> Result<bool, String> {
    let tag = format!("settings-{}", path.join("-"));
    let ready = world.ready(call, &tag).await?;
    let Some(record) = world.made_by_now(call, &ready).await else {
        return Ok(false);
    };
    let state = |own: &Node| {
        own.get(place.told)
            .and_then(Node::as_str)
            .map(str::to_owned)
    };
    let Some(mut now) = state(&record) else {
        return Ok(false);
    };
    let mut last: Option<Exchange> = None;
    for (index, to) in path.iter().enumerate() {
        let tag = format!("{tag}-{index}");
        let Some(mut sent) = asking(world, call, (&ready.call, place, to), {
            world.compose(&ready, &tag)?
        }) else {
            return Ok(false);
        };
        if let Some(last) = &last {
            keep_up_with(call, &mut sent, last);
        }
        let led = world.send(sent).await;
        let told = record_of(call, &led)
            .filter(|_| succeeded(&led))
            .and_then(state);
        if told.as_deref() != Some(*to) {
            let what = format!("a success: a text leads from {now} to {to}");
            let refusal = Seen::refusal(&led).filter(|_| !succeeded(&led));
            seen.led.extend(refusal.map(|own| (what, own, led)));
            return Ok(false);
        }
        (*to).clone_into(&mut now);
        last = Some(led);
    }
    // The state that there is is no other one, but where a text says so.
    let bars_same = call
        .texts()
        .flat_map(prose::spoken)
        .any(|own| bars_the_same(&own));
    let known = place.values.iter();
    let known = known.filter(|own| bars_same || **own != now);
    let barred = known.filter(|own| !pairs.contains(&(now.as_str(), **own)));
    let mut tried = false;
    let is_change = matches!(call.operation.method, Method::Patch | Method::Put);
    let forms = if is_change {
        &[false, true][..]
    } else {
        &[false]
    };
    for (to, has_more) in barred
        .take(MOST)
        .flat_map(|to| forms.iter().map(move |more| (to, *more)))
    {
        let before = Untouched::of(world, call, &ready).await;
        let sent = world.compose(&ready, &format!("{tag}-to-{to}-{has_more}"))?;
        let Some(mut sent) = asking(world, call, (&ready.call, place, to), sent) else {
            continue;
        };
        if let Some(last) = &last {
            keep_up_with(call, &mut sent, last);
        }
        // What goes with another state may be refused for that: first it is asked for alone.
        if has_more {
            with_more(world, call, (&ready.call, &mut sent))?;
        }
        let exchange = world.send(sent).await;
        tried = true;
        let expected = format!("a refusal: no text leads from {now} to {to}");
        if succeeded(&exchange) {
            let at = Pointer::root().join(place.asked);
            let claim = Claim::new(
                &checks::TRANSITION_FORBIDDEN,
                Ground::Text,
                expected,
                "a success",
            )
            .at(at);
            world.differ(draft, call, claim, &exchange);
            return Ok(true);
        }
        seen.barred.extend(Seen::refusal(&exchange));
        settle(
            world,
            call,
            (Ground::Refusal(409), expected),
            &exchange,
            draft,
        );
        if let Some(before) = before {
            before.look(world, call, &exchange, draft).await;
        }
    }
    Ok(tried)
}

/// What else may be asked for must not be done either.
fn with_more<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (step, sent): (&Step<'d>, &mut Sent),
) -> Result<(), String> {
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let more = request::invented_body(world.contract(), &call.operation, Extent::Other);
    let more = more.as_ref().and_then(|own| own.value.plain());
    for entry in more.into_iter().flat_map(Node::entries) {
        let is_free = !names::tells_state(&entry.key) && entry.value.as_str().is_some();
        let mut whole = json.clone();
        let put = value::put(
            &mut whole,
            &Pointer::root().join(&*entry.key),
            entry.value.clone(),
        );
        let is_valid = |own| world.contract().validate_request(schema, own);
        let fits = is_free && json.get(&entry.key).is_none() && put.is_ok();
        if fits && is_valid(&whole)?.is_empty() {
            json = whole;
        }
    }
    world.put_json(sent, step, json);
    Ok(())
}

/// How one marked state stands to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    /// It leads there.
    Arrow,
    /// It is led to from there: `shipped` (from `paid`).
    From,
    /// Both are meant.
    Or,
    /// Both are, or the next one begins anew.
    And,
    /// Nothing is said of both.
    Nothing,
}

impl Between {
    fn of(text: &str) -> Self {
        let text = text.trim_matches([' ', '\n']);
        match text {
            "to" | "→" | "->" | "=>" | "|" => Self::Arrow,
            "(from" | "from" => Self::From,
            "or" | "/" | ", or" => Self::Or,
            "and" | "," | ", and" => Self::And,
            _ => Self::Nothing,
        }
    }
}

/// Whether the first column of a table is the state that is led to.
fn begins_with_target(text: &str) -> bool {
    const TARGETS: [&str; 5] = ["to", "next", "after", "new", "target"];
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.windows(2).any(|pair| {
        let is_head = pair[1].starts_with("|-") || pair[1].starts_with("| -");
        let first = names::words(pair[0]).into_iter().next().unwrap_or_default();
        is_head && TARGETS.contains(&first.as_str())
    })
}

/// The states that a text leads from, and to: from `active` to `suspended`, `open` → `paid` or `void`, and the rows of a table.
fn pairs_in(text: &str) -> Vec<(&str, &str)> {
    if begins_with_target(text) {
        return Vec::new();
    }
    let parts: Vec<&str> = text.split('`').collect();
    let marks = parts.iter().skip(1).step_by(2);
    let between = parts.iter().skip(2).step_by(2).map(|own| Between::of(own));
    let mut pairs = Vec::new();
    let (mut left, mut group): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut led_to = None;
    let mut last = Between::Nothing;
    for (mark, between) in marks.copied().zip(between) {
        // `a` to `b`, `b` to `c` and `a` to `c`
        if last == Between::And && between == Between::Arrow {
            if !left.is_empty() {
                group.clear();
            }
            left.clear();
        }
        last = between;
        if let Some(to) = led_to.take_if(|_| last != Between::Arrow) {
            pairs.push((mark, to));
            // `shipped` (from `packed` or `paid`)
            led_to = Some(to).filter(|_| matches!(last, Between::Or | Between::And));
            left.clear();
            group.clear();
            continue;
        }
        group.push(mark);
        for from in &left {
            pairs.push((*from, mark));
        }
        match last {
            Between::Arrow => left = std::mem::take(&mut group),
            Between::From => {
                led_to = Some(mark).filter(|_| left.is_empty() && group.len() == 1);
                group.clear();
            }
            Between::Or | Between::And => {}
            Between::Nothing => {
                left.clear();
                group.clear();
            }
        }
    }
    pairs
}

/// Whether a text says that no other state is set: any other transition is answered with `409`.
fn bars_others(call: &Call<'_>) -> bool {
    let mut sentences = call.texts().flat_map(prose::spoken);
    // Who draws how states follow each other leaves none out.
    let is_drawn = |own: &str| own.contains("` → `") || own.contains("` -> `");
    sentences.any(|words| bars(&words)) || call.texts().any(is_drawn)
}

fn bars(words: &[String]) -> bool {
    const REFUSED: [&str; 6] = ["refused", "rejected", "409", "422", "conflict", "invalid"];
    let is_other = words
        .windows(2)
        .any(|own| matches!(own[0].as_str(), "any" | "every" | "all") && own[1] == "other");
    let is_only = prose::has(words, &["only"]) && prose::has(words, &["from"]);
    // `The allowed transitions are` those.
    let are_allowed = words.windows(3).any(|own| {
        let is_allowed = matches!(own[0].as_str(), "allowed" | "permitted" | "possible");
        let is_move = matches!(own[1].as_str(), "transitions" | "moves" | "changes");
        is_allowed && is_move && own[2] == "are"
    });
    are_allowed || (is_other || is_only) && prose::has(words, &REFUSED)
}

/// Whether a sentence says that the state which a record has already is refused, too: `any other move, also one to the
/// status that it has already, is refused`.
fn bars_the_same(words: &[String]) -> bool {
    const REFUSED: [&str; 4] = ["refused", "rejected", "409", "422"];
    const STATE: [&str; 2] = ["status", "state"];
    let is_same = words.windows(2).any(|own| {
        let (first, second) = (own[0].as_str(), own[1].as_str());
        (first == "same" && STATE.contains(&second))
            || matches!((first, second), ("has", "already") | ("already", "has"))
    });
    is_same
        && prose::has(words, &STATE)
        && prose::has(words, &REFUSED)
        && !prose::has(words, &["not", "no", "without", "accepted", "allowed"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_bars_the_state_that_there_is() {
        for (text, expected) in [
            (
                "Any other move, also one to the status that it has already, is refused with 409",
                true,
            ),
            ("Setting the same status again is refused", true),
            (
                "Setting the same status again is accepted and changes nothing; others are refused",
                false,
            ),
            ("The same amount is refused in that status", false),
            ("Setting the same status is not refused", false),
        ] {
            let spoken = prose::spoken(text);
            let found = spoken.iter().any(|own| bars_the_same(own));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_leads_where() {
        let text = "`status` can be set from `active` to `suspended` and from `suspended` to `active`. \
                    Any other transition is answered with `409`.";
        let expected = [("active", "suspended"), ("suspended", "active")];
        assert_eq!(pairs_in(text), expected);
        assert!(prose::spoken(text).iter().any(|own| bars(own)));
        assert!(pairs_in("It goes from `active` and to `closed`").is_empty());
        let text = "Moves are: `new` to `sent` or `void`; `sent` to `paid` or\n`failed`. Others are refused.";
        let expected = [
            ("new", "sent"),
            ("new", "void"),
            ("sent", "paid"),
            ("sent", "failed"),
        ];
        assert_eq!(pairs_in(text), expected);
        let text =
            "The allowed transitions are `new` to `sent`, `new` to `void` and `sent` to `void`.";
        let expected = [("new", "sent"), ("new", "void"), ("sent", "void")];
        assert_eq!(pairs_in(text), expected);
        assert!(prose::spoken(text).iter().any(|own| bars(own)));
        let text = "`a` → `b` → `a`; `a` or `b` → `c`. `c` is final";
        let expected = [("a", "b"), ("b", "a"), ("a", "c"), ("b", "c")];
        assert_eq!(pairs_in(text), expected);
        let text = "It may be set to `void` (from `new`) and `sent` (from `new` or `held`); others are refused";
        let expected = [("new", "void"), ("new", "sent"), ("held", "sent")];
        assert_eq!(pairs_in(text), expected);
        let text = "| to | from |\n|---|---|\n| `b` | `a` |";
        assert!(pairs_in(text).is_empty());
        let text = "| `a` | `b`, `c` |\n| `b` | `c` |";
        assert_eq!(pairs_in(text), [("a", "b"), ("a", "c"), ("b", "c")]);
        let text = [("a", "b"), ("b", "a"), ("b", "c")];
        assert_eq!(paths("a", &text), [vec![], vec!["b"], vec!["b", "c"]]);
        assert!(
            !prose::spoken("Any other field is kept")
                .iter()
                .any(|own| bars(own))
        );
    }
}
