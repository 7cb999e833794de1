//! Counters: an operation raises or lowers a number by its amount, or by one, and never below its least.

use openapi_document::{Node, Pointer};
use openapi_facts::Fact;
use openapi_facts::rule::Counter;

use super::taking::ask;
use super::whole::{Whole, at};
use crate::amount::Amount;
use crate::answered::{record_of, status, succeeded, told};
use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Model};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::{Ready, Scene};
use crate::value;

/// So many requests are sent at once.
const TWINS: usize = 4;

/// Each operation that moves the number.
pub(super) fn applies(rule: &Counter, _: &Model<'_>, call: &Call<'_>) -> bool {
    rule.subject.name.is_some() && rule.step(&call.operation.label()).is_some()
}

/// Calls the operation, and takes more than there is where the number has a least.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    facts: &[(&Fact, &Counter)],
    draft: &mut Draft,
) -> Tried {
    if !scene.may_write() {
        return Ok(false);
    }
    let mut tried = Ok(false);
    for (fact, rule) in facts {
        let Some((step, raises)) = rule.step(&call.operation.label()) else {
            continue;
        };
        let by = step.by.as_deref();
        let test = Test {
            call,
            fact,
            rule,
            by,
            raises,
        };
        let moves = test.moves(scene, draft).await;
        if let (Ok(true), Some(by), true) = (&moves, by, rule.least.is_some() && !raises) {
            // What cannot be asked for is not tried.
            let _ = test.beyond(scene, by, draft).await;
            if scene.may_race() {
                let _ = test.at_once(scene, by, draft).await;
            }
        }
        tried = super::both(tried, moves);
    }
    tried
}

struct Test<'t, 'd> {
    call: &'t Call<'d>,
    fact: &'t Fact,
    rule: &'t Counter,
    by: Option<&'t str>,
    raises: bool,
}

impl<'d> Test<'_, 'd> {
    fn name(&self) -> &str {
        self.rule.subject.name.as_deref().unwrap_or_default()
    }

    async fn ready<'w>(
        &self,
        scene: &mut Scene<'w, '_, '_, 'd>,
        tag: &str,
    ) -> Result<(Ready<'w, 'd>, Whole<'w, 'd>, Node), String> {
        let ready = scene.ready(self.call, tag).await?;
        let whole = Whole::of(scene, self.call, (&ready, &self.rule.subject.owner));
        let whole = whole.ok_or("nothing reads the record that it moves")?;
        let before = whole.read(scene).await.ok_or("the record cannot be read")?;
        Ok((ready, whole, before))
    }

    fn number(&self, record: &Node) -> Option<Amount> {
        at(record, self.name()).and_then(Amount::read_signed)
    }

    /// The number is raised or lowered by as much as is asked for.
    async fn moves(&self, scene: &mut Scene<'_, '_, '_, 'd>, draft: &mut Draft) -> Tried {
        let (ready, whole, before) = self.ready(scene, "moves").await?;
        let done = scene.call(&ready, "moves").await?;
        let is_open = record_of(self.call, &done).is_some_and(|own| scene.model.is_moving(own));
        if !succeeded(&done) || status(&done) == Some(202) || is_open {
            return Err(format!("it was not granted at once: {}", told(&done)));
        }
        let amount = match self.by {
            Some(by) => {
                { done.sent.json.as_ref() }.and_then(|sent| Amount::read_signed(at(sent, by)?))
            }
            None => Amount::read(&value::number(1)),
        };
        let after = whole.read(scene).await.ok_or("the record cannot be read")?;
        let (Some(was), Some(amount), Some(now)) =
            (self.number(&before), amount, self.number(&after))
        else {
            return Ok(false);
        };
        let units = if self.raises {
            amount.units
        } else {
            -amount.units
        };
        let due = was.plus(amount.with(units));
        let is_due = |due: Amount| now.compared(due).is_none_or(std::cmp::Ordering::is_eq);
        if let Some(due) = due.filter(|due| !is_due(*due) && !scene.model.is_moving(&after)) {
            let expected = format!("{}: {}", value::plain(&due.node()), self.rule);
            let pointer = Pointer::root();
            let pointer = { self.name().split('.') }.fold(pointer, |at, name| at.join(name));
            let actual = scene.shown(whole.reader, &pointer, at(&after, self.name()));
            let check = match (
                self.by,
                self.rule.lowered_by.is_empty() && self.rule.least.is_none(),
            ) {
                (None, _) => &checks::TOTAL_DIFFERS,
                // What only grows is the sum of what was done.
                (Some(_), true) => &checks::SUM_DIFFERS,
                (Some(_), false) => &checks::BALANCE_UNMOVED,
            };
            let claim = Claim::new(check, scene.ground(self.fact), expected, actual).at(pointer);
            scene.differ(draft, self.call, claim, &done);
        }
        Ok(true)
    }

    /// How much may be taken: what is above the least.
    fn left(&self, record: &Node) -> Option<Amount> {
        let least = self.rule.least.as_ref()?;
        let least = Amount::read_signed(&value::string(least.as_str()))?;
        let now = self.number(record)?;
        let left = least.with(-least.units);
        now.plus(left).filter(|own| own.units > 1)
    }

    /// One more than there is is refused.
    async fn beyond(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        by: &str,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let (ready, _, before) = self.ready(scene, "moves-beyond").await?;
        let left = self.left(&before).ok_or("nothing is left")?;
        let more = left.with(left.units + 1);
        let mut sent = ask(scene, &ready, by, (more, "beyond"))?;
        let json = sent.json.clone().ok_or("the call has no JSON body")?;
        scene
            .put_valid(self.call, (&mut sent, &ready.call), json)
            .ok_or("it is too much anyway")?;
        let exchange = scene.send(sent).await;
        if succeeded(&exchange) {
            self.exceeded(scene, (left, more, 1), &exchange, draft);
        }
        Ok(())
    }

    /// Parts of more than half of what is there, asked for at once: one at most is granted.
    async fn at_once(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        by: &str,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let (ready, _, before) = self.ready(scene, "moves-race").await?;
        let left = self.left(&before).ok_or("nothing is left")?;
        let part = left.with(left.units / 2 + 1);
        let mut twins = Vec::new();
        for twin in 0..TWINS {
            twins.push(ask(scene, &ready, by, (part, &format!("twin-{twin}")))?);
        }
        let all = scene.send_together(twins).await;
        let granted: Vec<&Exchange> = all.iter().filter(|own| succeeded(own)).collect();
        if let (2.., Some(last)) = (granted.len(), granted.last()) {
            self.exceeded(scene, (left, part, granted.len()), last, draft);
        }
        Ok(())
    }

    fn exceeded(
        &self,
        scene: &Scene<'_, '_, '_, 'd>,
        (left, part, times): (Amount, Amount, usize),
        exchange: &Exchange,
        draft: &mut Draft,
    ) {
        let is_open = record_of(self.call, exchange).is_some_and(|own| scene.model.is_moving(own));
        if status(exchange) == Some(202) || is_open {
            return;
        }
        let (left, part) = (value::plain(&left.node()), value::plain(&part.node()));
        let claim = Claim::new(
            &checks::SUM_EXCEEDED,
            scene.ground(self.fact),
            format!("no more than {left}: {}", self.rule),
            format!("granted: {times} times {part}"),
        );
        let claim = claim.at(Pointer::root().join(self.by.unwrap_or_default()));
        scene.differ(draft, self.call, claim, exchange);
    }
}
