//! Counters: an operation raises or lowers a number by an amount or by one, and never below its minimum.

use std::cmp::Ordering;

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};
use openapi_facts::rule::Counter;
use openapi_facts::{Evidence, Fact};

use super::taking::ask;
use crate::amount::Amount;
use crate::answered::{describe, record_of, status, succeeded};
use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::{Call, Model};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::place::Place;
use crate::scene::unchanged::Unchanged;
use crate::scene::whole::{Whole, at, place};
use crate::scene::{Ready, Scene};
use crate::value;

/// The number of concurrent requests.
const TWINS: usize = 4;

/// At most this many records are created to reach the maximum.
const LONGEST: i128 = 20;

/// At most this many parts are taken before the rest is requested.
const DRAWS: usize = 8;

/// The tags and signs of the requests that move the number.
const MOVES: [(&str, i128); 3] = [("moves", 1), ("moves-again", 1), ("moves-down", -1)];

/// Operations that move the number.
pub(super) fn applies(rule: &Counter, _: &Model<'_>, call: &Call<'_>) -> bool {
    rule.subject.name.is_some() && rule.steps(&call.operation.label()).next().is_some()
}

/// Compares the number before and after the operation, then tries to go beyond its bounds.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Counter),
    draft: &mut Draft,
) -> Tried {
    let label = call.operation.label();
    let mut all = Ok(false);
    if scene.may_write() {
        for (step, raises) in rule.steps(&label) {
            let test = Test {
                call,
                fact,
                rule,
                by: step.by.as_deref(),
                link: step.of.as_deref(),
                raises,
            };
            all = super::both(all, Box::pin(test.run(scene, draft)).await);
        }
    }
    all
}

struct Test<'t, 'd> {
    call: &'t Call<'d>,
    fact: &'t Fact,
    rule: &'t Counter,
    by: Option<&'t str>,
    /// The property of the request that names the record.
    link: Option<&'t str>,
    raises: bool,
}

impl<'d> Test<'_, 'd> {
    async fn run(&self, scene: &mut Scene<'_, 'd>, draft: &mut Draft) -> Tried {
        let mut ready = self.ready(scene, "moves").await?;
        if ready.1.is_shared() && !self.raises && self.rule.least.is_some() {
            self.feed(scene).await;
            ready = self.ready(scene, "moves-fed").await?;
        }
        let has_currencies = ready.1.has_currencies(&ready.2, self.name());
        if !self.moves(scene, ready, draft).await? {
            return Ok(false);
        }
        let tag = format!("moves-other-{}", self.fact.id.as_str());
        if has_currencies
            && let Ok(ready) = scene.ready_in_another_currency(self.call, &tag).await
            && let Ok(ready) = self.whole(scene, ready).await
        {
            // The number of another currency moves alone.
            let _ = self.moves(scene, ready, draft).await;
        }
        let may_lower = !self.raises || self.is_signed(scene);
        let falls = self.rule.least.is_some() && may_lower;
        let rises = self.rule.most.is_some() && self.raises;
        for is_down in [true, false] {
            if !(if is_down { falls } else { rises }) {
                continue;
            }
            // A request that cannot be built is not tested.
            match self.by {
                Some(by) => {
                    let _ = self.beyond(scene, (by, is_down), draft).await;
                    if scene.may_race() && is_down {
                        let _ = self.at_once(scene, by, draft).await;
                    }
                }
                None if self.raises != is_down => {
                    let _ = self.one_more(scene, is_down, draft).await;
                }
                None => {}
            }
        }
        Ok(true)
    }

    /// Raises a number that all records share, so that there is something to take.
    async fn feed(&self, scene: &mut Scene<'_, 'd>) {
        for step in &self.rule.raised_by {
            let call = scene.model.call(&step.operation);
            if let Some(call) = call
                && let Ok(ready) = scene.ready(call, "moves-feed").await
            {
                let _ = scene.call(&ready, "moves-feed").await;
            }
        }
    }

    fn name(&self) -> &str {
        self.rule.subject.name.as_deref().unwrap_or_default()
    }

    /// Prepares the operation on a readable record.
    async fn ready<'w>(
        &self,
        scene: &mut Scene<'w, 'd>,
        tag: &str,
    ) -> Result<(Ready<'w, 'd>, Whole<'w, 'd>, Node), String> {
        let owner = self.rule.subject.owner.as_str();
        // Each fact is tested with separate records.
        let tag = format!("{tag}-{}", self.fact.id.as_str());
        if self.link.is_some() {
            let ready = scene.ready(self.call, &tag).await?;
            return self.whole(scene, ready).await;
        }
        let (ready, whole) = Whole::ready(scene, self.call, (owner, &tag)).await?;
        let before = whole.read(scene).await.ok_or("the record cannot be read")?;
        Ok((ready, whole, before))
    }

    /// The readable record of a preparation.
    async fn whole<'w>(
        &self,
        scene: &mut Scene<'w, 'd>,
        ready: Ready<'w, 'd>,
    ) -> Result<(Ready<'w, 'd>, Whole<'w, 'd>, Node), String> {
        let owner = self.rule.subject.owner.as_str();
        let whole = Whole::by(scene, self.call, (&ready, owner), self.link);
        let whole = whole.ok_or("no operation reads the record whose number moves")?;
        let before = whole.read(scene).await.ok_or("the record cannot be read")?;
        Ok((ready, whole, before))
    }

    /// Whether the amount may be negative.
    fn is_signed(&self, scene: &Scene<'_, 'd>) -> bool {
        let document = scene.model.document;
        let place = self.by.and_then(|by| Place::of(document, self.call, by));
        let Some(Place::Body(at)) = place else {
            return false;
        };
        let shape = Place::Body(at).shape(document, self.call);
        let least = shape.keyword("minimum").and_then(Amount::read_signed);
        least.is_some_and(|least| least.units < 0)
    }

    /// The number in a record; for a list, its number of items.
    fn number(&self, whole: &Whole<'_, 'd>, record: &Node) -> Option<Amount> {
        let node = record.at(&whole.place(record, self.name())?)?;
        match node.as_sequence() {
            Some(items) => Amount::read(&value::number(items.len())),
            None => Amount::read_signed(node),
        }
    }

    /// The number must move by the requested amount, also the second time.
    async fn moves<'w>(
        &self,
        scene: &mut Scene<'w, 'd>,
        (ready, whole, mut before): (Ready<'w, 'd>, Whole<'w, 'd>, Node),
        draft: &mut Draft,
    ) -> Tried {
        let mut is_tried = false;
        // Repeated requests may count once per client, unless the fact is stated.
        let is_sure = self.by.is_some() || self.fact.evidence() == Evidence::Stated;
        // An identical PUT has no second effect.
        let is_sure = is_sure && self.call.operation.method != Method::Put;
        let times = match is_sure {
            true if self.is_signed(scene) => 3,
            true => 2,
            false => 1,
        };
        for (tag, sign) in MOVES.into_iter().take(times) {
            let done = self.granted(scene, &ready, (tag, sign)).await;
            let done = match done {
                Ok(done) => done,
                Err(_) if is_tried => break,
                Err(reason) => return Err(reason),
            };
            let after = whole.read(scene).await.ok_or("the record cannot be read")?;
            self.keeps_least(scene, (&whole, &after), &done, draft);
            is_tried |= self.compare(scene, (&before, &after, &whole), &done, draft);
            before = after;
        }
        Ok(is_tried)
    }

    /// Sends the operation, with half of its amount if possible, and returns the success.
    async fn granted(
        &self,
        scene: &mut Scene<'_, 'd>,
        ready: &Ready<'_, 'd>,
        (tag, sign): (&str, i128),
    ) -> Result<Exchange, String> {
        let plain = scene.compose(ready, tag)?;
        let amount = self
            .amount(plain.json.as_ref())
            .filter(|amount| amount.units > 1);
        if let (Some(by), Some(amount)) = (self.by, amount) {
            let half = amount.with(sign * (amount.units / 2));
            let sent = ask(scene, ready, by, (half, &format!("{tag}-half")))?;
            let done = scene.send(sent).await;
            if succeeded(&done) {
                return self.done_at_once(scene, done);
            }
        }
        if sign < 0 {
            return Err("no negative amount was accepted".to_owned());
        }
        let done = scene.send(plain).await;
        self.done_at_once(scene, done)
    }

    /// The answer, if the operation succeeded and is complete.
    fn done_at_once(&self, scene: &Scene<'_, 'd>, done: Exchange) -> Result<Exchange, String> {
        let is_open = self.is_open(scene, &done);
        if !succeeded(&done) || is_open && !self.is_refused_at_once() {
            return Err(format!(
                "the call did not succeed at once: {}",
                describe(&done)
            ));
        }
        Ok(done)
    }

    /// Whether an accepted operation may still be in progress.
    fn is_open(&self, scene: &Scene<'_, 'd>, done: &Exchange) -> bool {
        let moves = |node: &Node| scene.model.is_moving(node);
        status(done) == Some(202) || record_of(self.call, done).is_some_and(moves)
    }

    /// Whether a stated fact gives the refusal beyond a bound: then the number moves with the answer.
    fn is_refused_at_once(&self) -> bool {
        let is_bound = self.rule.least.is_some() || self.rule.most.is_some();
        is_bound && self.rule.status.is_some() && self.fact.evidence() == Evidence::Stated
    }

    /// The requested amount in a body; 1 for a count.
    fn amount(&self, body: Option<&Node>) -> Option<Amount> {
        match self.by {
            Some(by) => Amount::read_signed(at(body?, by)?),
            None => Amount::read(&value::number(1)),
        }
    }

    /// Compares the numbers before and after. Returns whether both are known.
    fn compare(
        &self,
        scene: &Scene<'_, 'd>,
        (before, after, whole): (&Node, &Node, &Whole<'_, 'd>),
        done: &Exchange,
        draft: &mut Draft,
    ) -> bool {
        // Without an amount in the request, the answered record has it.
        let amount = { self.amount(done.sent.json.as_ref()) }
            .or_else(|| self.amount(record_of(self.call, done)));
        let (Some(was), Some(amount), Some(now)) = (
            self.number(whole, before),
            amount,
            self.number(whole, after),
        ) else {
            return false;
        };
        let units = if self.raises {
            amount.units
        } else {
            -amount.units
        };
        let due = was.plus(amount.with(units));
        let differs = |due: &Amount| now.compared(*due).is_some_and(Ordering::is_ne);
        if let Some(due) = due.filter(|due| differs(due) && !scene.model.is_moving(after)) {
            let expected = format!("{}: {}", value::plain(&due.node()), self.rule);
            let pointer = whole
                .place(after, self.name())
                .unwrap_or_else(Pointer::root);
            let actual = value::plain(&now.node());
            let basis = scene.basis(self.fact);
            let claim = Claim::new(self.check(), basis, expected, actual).at(pointer);
            scene.differ(draft, self.call, claim, done);
        }
        true
    }

    /// The number must never be below its minimum, if the fact is stated.
    fn keeps_least(
        &self,
        scene: &Scene<'_, 'd>,
        (whole, record): (&Whole<'_, 'd>, &Node),
        done: &Exchange,
        draft: &mut Draft,
    ) {
        let is_sure = self.fact.evidence() == Evidence::Stated && self.rule.least.is_some();
        let number = self.number(whole, record).filter(|_| is_sure);
        if let Some(number) = number.filter(|_| self.room(whole, record, true).is_none()) {
            let expected = format!("at least the minimum: {}", self.rule);
            let actual = value::plain(&number.node());
            let basis = scene.basis(self.fact);
            let claim = Claim::new(&checks::SUM_EXCEEDED, basis, expected, actual);
            scene.differ(draft, self.call, claim, done);
        }
    }

    fn check(&self) -> &'static Check {
        let only_grows = self.rule.lowered_by.is_empty() && self.rule.least.is_none();
        match self.by {
            None => &checks::TOTAL_DIFFERS,
            // A number that only grows is the sum of all movements.
            Some(_) if only_grows => &checks::SUM_DIFFERS,
            Some(_) => &checks::BALANCE_UNMOVED,
        }
    }

    /// The maximum of one request, by its schema.
    fn most_at_once(&self, scene: &Scene<'_, 'd>, by: &str) -> Option<Amount> {
        let document = scene.model.document;
        let place = Place::of(document, self.call, by).filter(|_| !self.raises)?;
        let shape = place.shape(document, self.call);
        shape.keyword("maximum").and_then(Amount::read)
    }

    /// How far the number is from its minimum, or from its maximum. `None` if it is beyond.
    fn room(&self, whole: &Whole<'_, 'd>, record: &Node, is_down: bool) -> Option<Amount> {
        let bound = if is_down {
            &self.rule.least
        } else {
            &self.rule.most
        };
        let bound = Amount::read_signed(&value::string(bound.as_ref()?.as_str()))?;
        let now = self.number(whole, record)?;
        let room = if is_down {
            now.plus(bound.with(-bound.units))
        } else {
            bound.plus(now.with(-now.units))
        };
        room.filter(|amount| amount.units >= 0)
    }

    /// The server must refuse one unit more than the bound permits.
    async fn beyond(
        &self,
        scene: &mut Scene<'_, 'd>,
        (by, is_down): (&str, bool),
        draft: &mut Draft,
    ) -> Result<(), String> {
        let (ready, whole, before) = self.ready(scene, "moves-beyond").await?;
        let room = |record: &Node| self.room(&whole, record, is_down);
        let mut left = room(&before).ok_or("the number is beyond its bound")?;
        // If one request cannot take everything, parts are taken first.
        for index in 0..DRAWS {
            let most = self.most_at_once(scene, by);
            let is_enough = |most: &Amount| left.compared(*most).is_some_and(Ordering::is_ge);
            let Some(most) = most.filter(is_enough) else {
                break;
            };
            let sent = ask(scene, &ready, by, (most, &format!("draw-{index}")))?;
            let drawn = scene.send(sent).await;
            if !succeeded(&drawn) {
                return Err(format!("the call did not succeed: {}", describe(&drawn)));
            }
            let now = whole.read(scene).await.ok_or("the record cannot be read")?;
            left = room(&now).ok_or("the number is beyond its bound")?;
        }
        let more = left.with(left.units + 1);
        let requested = if self.raises == is_down {
            more.with(-more.units)
        } else {
            more
        };
        let mut sent = ask(scene, &ready, by, (requested, "beyond"))?;
        let json = sent.json.clone().ok_or("the call has no JSON body")?;
        scene
            .put_valid(self.call, (&mut sent, &ready.call), json)
            .ok_or("the schema already forbids this amount")?;
        let before = Unchanged::by(scene, self.call, (&ready, sent.clone())).await;
        let exchange = scene.send(sent).await;
        if let Some(before) = before {
            before.check(scene, self.call, &exchange, draft).await;
        }
        if succeeded(&exchange) {
            self.exceeded(scene, (left, more, 1), &exchange, draft);
            return Ok(());
        }
        let after = whole.read(scene).await.ok_or("the record cannot be read")?;
        let moved = room(&after).is_none_or(|now| now.compared(left) != Some(Ordering::Equal));
        if moved && is_refusal(&exchange) {
            let expected = format!("{} left, as before the refusal", value::plain(&left.node()));
            let actual = room(&after).map_or_else(String::new, |now| value::plain(&now.node()));
            let basis = scene.basis(self.fact);
            let claim = Claim::new(&checks::REFUSAL_CHANGED_STATE, basis, expected, actual);
            scene.differ(draft, self.call, claim, &exchange);
        }
        Ok(())
    }

    /// The server must refuse one more after the bound of a count is reached.
    async fn one_more(
        &self,
        scene: &mut Scene<'_, 'd>,
        is_down: bool,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let (ready, whole, before) = self.ready(scene, "moves-most").await?;
        let room = |record: &Node| self.room(&whole, record, is_down);
        let free = room(&before).ok_or("the number is beyond its bound")?.units;
        if !(0..=LONGEST).contains(&free) {
            return Err(format!("{free} more would have to be created"));
        }
        for index in 0..free {
            let done = scene.call(&ready, &format!("moves-most-{index}")).await?;
            if !succeeded(&done) {
                return Err(format!("the call did not succeed: {}", describe(&done)));
            }
        }
        // The refusal must have no partial effect.
        let full = whole.read(scene).await.ok_or("the record cannot be read")?;
        let left = room(&full).ok_or("the number is beyond its bound")?;
        let is_full = left.units == 0;
        let sent = scene.compose(&ready, "moves-one-more")?;
        let before = Unchanged::by(scene, self.call, (&ready, sent.clone())).await;
        let exchange = scene.send(sent).await;
        if let Some(before) = before {
            before.check(scene, self.call, &exchange, draft).await;
        }
        let one = Amount::read(&value::number(1)).ok_or("no number")?;
        if succeeded(&exchange) && is_full {
            self.exceeded(scene, (left, one, 1), &exchange, draft);
        } else if is_full {
            let wanted = self.rule.status;
            let is_one =
                |code: &u16| wanted.map_or(matches!(code, 400 | 409 | 422), |item| *code == item);
            scene.judge_cause(draft, self.call, self.fact, &exchange);
            scene.judge_seen(draft, self.call, &exchange, is_one);
        }
        Ok(())
    }

    /// Concurrent requests for more than half each: the server must accept at most one.
    async fn at_once(
        &self,
        scene: &mut Scene<'_, 'd>,
        by: &str,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let (ready, whole, before) = self.ready(scene, "moves-race").await?;
        let left = self
            .room(&whole, &before, true)
            .filter(|amount| amount.units > 1);
        let left = left.ok_or("nothing is left")?;
        let part = left.with(left.units / 2 + 1);
        let requested = if self.raises {
            part.with(-part.units)
        } else {
            part
        };
        let mut twins = Vec::new();
        for twin in 0..TWINS {
            twins.push(ask(
                scene,
                &ready,
                by,
                (requested, &format!("twin-{twin}")),
            )?);
        }
        let all = scene.send_together(twins).await;
        let granted: Vec<&Exchange> = all.iter().filter(|exchange| succeeded(exchange)).collect();
        if let (2.., Some(last)) = (granted.len(), granted.last()) {
            self.exceeded(scene, (left, part, granted.len()), last, draft);
        }
        Ok(())
    }

    fn exceeded(
        &self,
        scene: &Scene<'_, 'd>,
        (left, part, times): (Amount, Amount, usize),
        exchange: &Exchange,
        draft: &mut Draft,
    ) {
        if self.is_open(scene, exchange) && !self.is_refused_at_once() {
            return;
        }
        let (left, part) = (value::plain(&left.node()), value::plain(&part.node()));
        let claim = Claim::new(
            &checks::SUM_EXCEEDED,
            scene.basis(self.fact),
            format!("no more than {left}: {}", self.rule),
            format!("accepted {times} times: {part}"),
        );
        let sent = exchange.sent.json.as_ref().zip(self.by);
        let claim = match sent.and_then(|(json, by)| place(json, by)) {
            Some(at) => claim.at(at),
            None => claim,
        };
        scene.differ(draft, self.call, claim, exchange);
    }
}

/// Whether the server refused a request because of its content or of a state.
pub(super) fn is_refusal(exchange: &Exchange) -> bool {
    status(exchange).is_some_and(|code| matches!(code, 400 | 404 | 409 | 422))
}
