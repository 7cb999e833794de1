//! Aggregates: what a text says to be the sum, or the number, of records in some states moves as they do, whatever is done with
//! them: "the sum of the amounts due of its sent invoices", "how many of its collections are pending".

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::time::Duration;

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Answer, Exchange, Sent};
use crate::model::{Call, Model, Role};
use crate::recipe::Recipe;
use crate::value;

use super::totals::{DEEPEST, Total, said, totals};
use crate::amount::{self, Amount};
use crate::answered::{own_key, record_of, succeeded};
use crate::laws::steps::barred::step_on;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// So many steps of the records that are counted are taken at most.
const STEPS: usize = 5;

/// So many documented requests of each of them.
const EXAMPLES: usize = 3;

/// So long later what is summed up a little later is read once more.
const LATER: Duration = Duration::from_millis(250);

/// Tries an operation that reads such a number.
pub(crate) async fn run<'w, 'd>(
    scene: &mut Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    // A list of records has such a number for each of them.
    let is_of_all = call.path_parameters().is_empty();
    let is_of_many = call.role == Role::List && own_key(call).is_some() && is_of_all;
    if call.operation.method != Method::Get || is_of_many || !scene.may_write() {
        return Ok(false);
    }
    let said = said(scene, call);
    let mut tried = false;
    let model: &'w Model<'d> = scene.model;
    let makers = model.of(Role::Create).filter(|_| !said.is_empty());
    let makers: Vec<&Call<'d>> = makers.filter(|own| scene.covers(own)).collect();
    for maker in makers {
        let totals = totals(scene, (call, maker), &said);
        if !totals.is_empty() {
            let mut watch = Watch::new(call, maker, totals);
            watch.all(scene).await;
            tried |= watch.tell(scene, draft);
        }
    }
    Ok(tried)
}

/// What a record adds to a total, and the total.
#[derive(Clone, Copy)]
struct Seen {
    total: Amount,
    part: Amount,
    /// Whether the record is in a state that counts.
    counts: bool,
}

/// What is seen of each total, and where.
type Measures = Vec<Option<(Seen, Pointer)>>;

/// A total that has not moved as what it is made of.
struct Astray {
    total: usize,
    expected: String,
    actual: Amount,
    pointer: Pointer,
    exchange: Exchange,
    /// Whether it has moved all the same, by another amount.
    has_moved: bool,
}

/// Totals that are watched while something is done with what they are made of.
struct Watch<'c, 'w, 'd> {
    reader: &'c Call<'d>,
    maker: &'w Call<'d>,
    totals: Vec<Total<'d>>,
    /// The totals that were seen to move as they are said to.
    held: BTreeSet<usize>,
    astray: Vec<Astray>,
    looked: bool,
}

impl<'c, 'w, 'd> Watch<'c, 'w, 'd> {
    fn new(reader: &'c Call<'d>, maker: &'w Call<'d>, totals: Vec<Total<'d>>) -> Self {
        Self {
            reader,
            maker,
            totals,
            held: BTreeSet::new(),
            astray: Vec::new(),
            looked: false,
        }
    }

    /// Makes a record, takes each step on another one, and the other steps after it.
    async fn all(&mut self, scene: &mut Scene<'w, '_, '_, 'd>) {
        let steps = self.steps(scene);
        let mut seen = BTreeSet::new();
        let chosen = scene.chosen(self.maker).into_iter();
        let ways: Vec<&'w Recipe<'d>> = chosen.chain(scene.ways(self.maker)).collect();
        for way in ways {
            if seen.len() >= EXAMPLES || !seen.insert(way.example) {
                continue;
            }
            self.made(scene, (way, seen.len())).await;
        }
        for (index, step) in steps.iter().enumerate() {
            let mut seen = BTreeSet::new();
            let chosen = scene.chosen(step).into_iter();
            let ways: Vec<&'w Recipe<'d>> = chosen.chain(scene.ways(step)).collect();
            for way in ways {
                if seen.len() >= EXAMPLES || !seen.insert(way.example) {
                    continue;
                }
                let tag = self.tag(&format!("{index}-{}", seen.len()));
                if let Ok(ready) = scene.prepare(way, &tag).await {
                    self.after(scene, (step, &ready), &steps).await;
                }
            }
        }
    }

    /// What is new in one try is new in another one, too.
    fn tag(&self, own: &str) -> String {
        let (reader, maker) = (self.reader.operation.label(), self.maker.operation.label());
        format!("aggregates-{reader}-{maker}-{own}")
    }

    /// What is done with what is counted: steps on it, and what is made under it.
    fn steps(&self, scene: &Scene<'w, '_, '_, 'd>) -> Vec<&'w Call<'d>> {
        let model = scene.model;
        let Some(kind) = self.maker.record() else {
            return Vec::new();
        };
        let readers = model.readers(kind);
        let is_step = |own: &&Call<'d>| {
            let is_of_kind = own.record().is_some_and(|own| own.is(kind));
            let is_under = || {
                let path = own.operation.path;
                let mut paths = readers
                    .iter()
                    .filter(|own| !own.path_parameters().is_empty());
                paths.any(|reader| {
                    let rest = path.strip_prefix(reader.operation.path);
                    rest.is_some_and(|rest| rest.starts_with('/'))
                })
            };
            let posts = own.operation.method == Method::Post;
            let is_other = own.operation.label() != self.maker.operation.label();
            let is_meant = match own.role {
                Role::Change => is_of_kind,
                Role::Create => is_under() || own.is_step(),
                _ => false,
            };
            posts && is_other && is_meant && scene.covers(own)
        };
        model.calls.iter().filter(is_step).take(STEPS).collect()
    }

    /// The request that reads the totals which a record counts in: those of what it belongs to, or of all.
    fn reading(&self, scene: &mut Scene<'w, '_, '_, 'd>, ready: &Ready<'w, 'd>) -> Option<Sent> {
        let kept = ready.state.kept.as_deref().unwrap_or_default();
        let Some(last) = self.reader.path_parameters().last().copied() else {
            let none = value::node(openapi_document::Value::Null);
            let with = kept.first().map(|own| own.sent.clone());
            let with = with.or_else(|| scene.compose(ready, "aggregates").ok())?;
            return scene.compose_read(self.reader, &none, &with, &[]).ok();
        };
        let owner = scene.model.creator_for(&self.reader.operation, last)?;
        let label = owner.operation.label();
        let mut made = kept.iter().filter(|own| own.sent.operation == label);
        let only = made.next().filter(|_| made.next().is_none())?;
        let record = record_of(owner, only)?;
        let key = own_key(owner).and_then(|key| record.get(key))?;
        let mut with = only.sent.clone();
        with.path_arguments
            .push((last.to_owned(), value::plain(key)));
        scene.compose_read(self.reader, record, &with, &[]).ok()
    }

    /// What each total is, and what a record adds to it; nothing of what is not there yet.
    async fn measure(
        &self,
        scene: &mut Scene<'w, '_, '_, 'd>,
        (reading, record): (&Sent, Option<(&Node, &Sent)>),
        currency: Option<&str>,
    ) -> Option<(Measures, Exchange)> {
        let own = match record {
            None => None,
            Some((record, with)) => {
                let readers = scene.readers_for(self.maker, record, with);
                let reader = readers.first().copied()?;
                let read = scene.read(reader, record, with).await.ok()?;
                Some(
                    record_of(reader, &read)
                        .filter(|own| !scene.model.is_moving(own))?
                        .clone(),
                )
            }
        };
        let read = scene.send(reading.clone()).await;
        let body = read.outcome.as_ref().ok().filter(|own| own.is_success());
        let body = body.and_then(Answer::json)?;
        let all = self.totals.iter().map(|total| {
            let (pointer, told) = only(body, total.name, currency)?;
            let state = total
                .state
                .and_then(|name| own.as_ref()?.get(name)?.as_str());
            let record = own.as_ref();
            let counts = record.is_some_and(|own| total.tally.counts(own, state));
            let part = total.tally.part(own.as_ref().filter(|_| counts))?;
            let seen = Seen {
                total: told,
                part,
                counts,
            };
            Some((seen, pointer))
        });
        let all = all.collect();
        Some((all, read))
    }

    /// A record is made.
    async fn made(
        &mut self,
        scene: &mut Scene<'w, '_, '_, 'd>,
        (way, number): (&'w Recipe<'d>, usize),
    ) -> Option<()> {
        let tag = self.tag(&format!("made-{number}"));
        let ready = scene.prepare(way, &tag).await.ok()?;
        // In which currency it is, only what is made tells.
        let first = scene.call(&ready, "aggregates-first").await.ok()?;
        let record = record_of(self.maker, &first)?;
        let currency = amount::currency_of(record).map(|(_, own)| own.to_owned());
        let again = scene.prepare(way, &format!("{tag}-again")).await.ok()?;
        let reading = self.reading(scene, &again)?;
        let (before, _) = self
            .measure(scene, (&reading, None), currency.as_deref())
            .await?;
        let made = scene.call(&again, "aggregates-made").await.ok()?;
        let record = record_of(self.maker, &made)
            .filter(|_| succeeded(&made))?
            .clone();
        let with = (&record, &made.sent);
        let stand = (before, self.maker);
        self.moved(scene, (&reading, with), currency.as_deref(), stand)
            .await?;
        Some(())
    }

    /// A step is taken, and then the others.
    async fn after(
        &mut self,
        scene: &mut Scene<'w, '_, '_, 'd>,
        (step, ready): (&'w Call<'d>, &Ready<'w, 'd>),
        steps: &[&'w Call<'d>],
    ) -> Option<()> {
        let reading = self.reading(scene, ready)?;
        let label = self.maker.operation.label();
        let kept = ready.state.kept.as_deref().unwrap_or_default();
        let mut made = kept.iter().filter(|own| own.sent.operation == label);
        let made = made.next().filter(|_| made.next().is_none())?;
        let record = record_of(self.maker, made)?.clone();
        let with = (&record, &made.sent);
        own_key(self.maker).and_then(|key| record.get(key))?;
        let currency = amount::currency_of(&record).map(|(_, own)| own.to_owned());
        let currency = currency.as_deref();
        let (mut before, _) = self
            .measure(scene, (&reading, Some(with)), currency)
            .await?;
        let first = scene.call(ready, "aggregates").await.ok()?;
        if !succeeded(&first) || self.makes_another(step, &first, &record) {
            return None;
        }
        before = self
            .moved(scene, (&reading, with), currency, (before, step))
            .await?;
        for other in steps {
            if other.operation.label() == step.operation.label() {
                continue;
            }
            let Some(next) = step_on(scene, other, ready) else {
                continue;
            };
            let Ok(sent) = scene.compose_step(ready, &next, "aggregates-next") else {
                continue;
            };
            let done = scene.send(sent).await;
            if !succeeded(&done) {
                continue;
            }
            if self.makes_another(other, &done, &record) {
                return None;
            }
            before = self
                .moved(scene, (&reading, with), currency, (before, other))
                .await?;
        }
        Some(())
    }

    /// Whether a step has made another record of the kind that is counted, which counts as well.
    fn makes_another(&self, step: &Call<'d>, done: &Exchange, record: &Node) -> bool {
        let kinds = step.record().zip(self.maker.record());
        let is_of_kind = kinds.is_some_and(|(one, other)| one.is(other));
        let key = own_key(self.maker);
        let keys = key.and_then(|key| Some((record.get(key)?, record_of(step, done)?.get(key)?)));
        is_of_kind && !keys.is_some_and(|(one, other)| one.same_value(other))
    }

    /// What is there after a step, and whether it has moved so; once more a little later, where it has not.
    async fn moved(
        &mut self,
        scene: &mut Scene<'w, '_, '_, 'd>,
        (reading, with): (&Sent, (&Node, &Sent)),
        currency: Option<&str>,
        (before, step): (Measures, &Call<'d>),
    ) -> Option<Measures> {
        let (mut now, mut read) = self.measure(scene, (reading, Some(with)), currency).await?;
        let fits = |now: &Measures| {
            let mut pairs = before.iter().zip(now);
            pairs.all(|(one, other)| due(one.as_ref(), other.as_ref()).is_none_or(|own| own.1))
        };
        if !fits(&now) {
            scene.pass(LATER).await;
            (now, read) = self.measure(scene, (reading, Some(with)), currency).await?;
        }
        self.compare(&before, &now, (step, &read));
        Some(now)
    }

    /// The totals have moved as what the record adds to them.
    fn compare(
        &mut self,
        before: &Measures,
        now: &Measures,
        (by, exchange): (&Call<'d>, &Exchange),
    ) {
        for (index, (before, now)) in before.iter().zip(now).enumerate() {
            let (Some((one, _)), Some((other, pointer))) = (before, now) else {
                continue;
            };
            let moved = due(before.as_ref(), now.as_ref());
            let (Some(total), Some((due, fits))) = (self.totals.get(index), moved) else {
                continue;
            };
            // What becomes of it once its record counts no more is not always said.
            if total.tally.is_open() && one.counts && !other.counts {
                continue;
            }
            self.looked = true;
            if fits {
                if one.total.compared(other.total) != Some(Ordering::Equal) {
                    self.held.insert(index);
                }
                continue;
            }
            let told = value::plain(&due.node());
            let expected = format!(
                "{told} after `{}`: {}",
                by.operation.label(),
                total.tally.said()
            );
            self.astray.push(Astray {
                total: index,
                expected,
                actual: other.total,
                pointer: pointer.clone(),
                exchange: exchange.clone(),
                has_moved: one.total.compared(other.total) == Some(Ordering::Less)
                    && due.compared(one.total) == Some(Ordering::Greater),
            });
        }
    }

    /// Takes down the first that went astray of each total that was seen to hold, or of which nothing else is said; whether any was
    /// looked at.
    fn tell(self, scene: &Scene<'w, '_, '_, 'd>, draft: &mut Draft) -> bool {
        let mut told = BTreeSet::new();
        for own in &self.astray {
            let is_sure = self.totals.get(own.total).is_some_and(|own| own.is_sure);
            let holds = self.held.contains(&own.total) || (is_sure && own.has_moved);
            if holds && told.insert(own.total) {
                let actual = value::plain(&own.actual.node());
                let claim = Claim::new(
                    &checks::SUM_DIFFERS,
                    Ground::Text,
                    own.expected.clone(),
                    actual,
                )
                .at(own.pointer.clone());
                scene.differ(draft, self.reader, claim, &own.exchange);
            }
        }
        self.looked && !self.held.is_empty()
    }
}

/// What a total is to be after a record has moved, and whether it is.
fn due(before: Option<&(Seen, Pointer)>, now: Option<&(Seen, Pointer)>) -> Option<(Amount, bool)> {
    let (one, other) = (&before?.0, &now?.0);
    let due = one.total.plus(other.part)?;
    let due = due.plus(one.part.with(-one.part.units))?;
    Some((due, due.compared(other.total)? == Ordering::Equal))
}

/// The only number of a name in a body, of the objects in a currency if they tell of theirs.
fn only(body: &Node, name: &str, currency: Option<&str>) -> Option<(Pointer, Amount)> {
    let mut found = Vec::new();
    find(body, (&Pointer::root(), 0), (name, currency), &mut found);
    let only = found.pop()?;
    found.is_empty().then_some(only)
}

fn find(
    node: &Node,
    (at, depth): (&Pointer, usize),
    (name, currency): (&str, Option<&str>),
    found: &mut Vec<(Pointer, Amount)>,
) {
    let own = amount::currency_of(node).map(|(_, own)| own);
    let is_meant = own.is_none_or(|own| currency.is_none_or(|wanted| own == wanted));
    let told = node.get(name).filter(|_| is_meant);
    found.extend(
        told.and_then(Amount::read_signed)
            .map(|own| (at.join(name), own)),
    );
    if depth < DEEPEST {
        for own in node.entries() {
            find(
                &own.value,
                (&at.join(own.key.as_str()), depth + 1),
                (name, currency),
                found,
            );
        }
        for (index, own) in node.items().enumerate() {
            find(
                own,
                (&at.join(index.to_string()), depth + 1),
                (name, currency),
                found,
            );
        }
    }
}
