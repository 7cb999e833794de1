//! Sum limits: the parts taken from a record must never exceed the whole: at once, one by one, or concurrently.

use openapi_document::Pointer;
use openapi_facts::Fact;
use openapi_facts::rule::SumLimit;

use super::taking::Taking;
use crate::amount::Amount;
use crate::answered::{status, succeeded};
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Model};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::unchanged::Unchanged;
use crate::scene::{Ready, Scene};
use crate::value;

/// The number of concurrent requests.
const TWINS: usize = 6;

/// Operations whose body has the amount.
pub(super) fn applies(rule: &SumLimit, _: &Model<'_>, call: &Call<'_>) -> bool {
    call.body.is_some() && rule.subject.name.is_some()
}

/// Takes more than there is: in one request, in two, and concurrently.
pub(super) async fn run<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &'w SumLimit),
    draft: &mut Draft,
) -> Tried {
    let test = Test { call, fact, rule };
    let tried = test.in_parts(scene, draft).await?;
    // If no part is accepted, a refusal of more has no meaning.
    if tried {
        let ready = test.ready(scene, "sums-beyond").await?;
        test.beyond(scene, ready, draft).await?;
        // After earlier parts, less may be left than the record's other amounts show.
        if let Ok(ready) = scene.ready_by_halves(call, "sums-beyond-part").await
            && let Some(taking) = Taking::of(scene, call, (&ready, rule)).await
        {
            test.beyond(scene, (ready, taking), draft).await?;
        }
        if scene.may_race() {
            test.at_once(scene, draft).await?;
        }
    }
    Ok(tried)
}

struct Test<'t, 'w, 'd> {
    call: &'t Call<'d>,
    fact: &'t Fact,
    rule: &'w SumLimit,
}

impl<'w, 'd> Test<'_, 'w, 'd> {
    async fn ready(
        &self,
        scene: &mut Scene<'w, 'd>,
        tag: &str,
    ) -> Result<(Ready<'w, 'd>, Taking<'w>), String> {
        // Each fact is tested with separate records.
        let tag = format!("{tag}-{}", self.fact.id.as_str());
        let ready = scene.ready(self.call, &tag).await?;
        let taking = Taking::of(scene, self.call, (&ready, self.rule)).await;
        let taking = taking.ok_or("no answer shows how much there is")?;
        Ok((ready, taking))
    }

    /// Takes more than half twice: the server must refuse the second request.
    async fn in_parts(&self, scene: &mut Scene<'w, 'd>, draft: &mut Draft) -> Tried {
        let (ready, taking) = self.ready(scene, "sums-parts").await?;
        let part = taking.whole.with(taking.whole.units / 2 + 1);
        let first = taking.take(scene, &ready, (part, "first")).await?;
        if !succeeded(&first) {
            return Ok(false);
        }
        let second = taking.take(scene, &ready, (part, "second")).await?;
        if succeeded(&second) {
            let what = format!("{0} and {0} of {1}", shown(part), shown(taking.whole));
            self.differ(scene, (&taking, what), &second, draft);
        } else {
            // The record may change its state as soon as everything is taken; its reading is checked.
            let rest = taking.whole.with(taking.whole.units - part.units);
            taking.take(scene, &ready, (rest, "rest")).await?;
            Taking::of(scene, self.call, (&ready, self.rule)).await;
        }
        Ok(true)
    }

    /// Takes one unit more than there is: the server must refuse.
    async fn beyond(
        &self,
        scene: &mut Scene<'w, 'd>,
        (ready, taking): (Ready<'w, 'd>, Taking<'w>),
        draft: &mut Draft,
    ) -> Tried {
        let more = taking.whole.with(taking.whole.units + 1);
        let sent = taking.request(scene, &ready, (more, "beyond"))?;
        let before = Unchanged::by(scene, self.call, (&ready, sent.clone())).await;
        let exchange = scene.send(sent).await;
        if let Some(before) = before {
            before.check(scene, self.call, &exchange, draft).await;
        }
        if succeeded(&exchange) {
            let what = format!("{} of {}", shown(more), shown(taking.whole));
            self.differ(scene, (&taking, what), &exchange, draft);
        } else {
            let wanted = self.rule.status;
            let is_one = |code: &u16| match wanted {
                Some(wanted) => *code == wanted,
                None => matches!(code, 402 | 409 | 422),
            };
            scene.judge_seen(draft, self.call, &exchange, is_one);
        }
        Ok(true)
    }

    /// Takes more than half in concurrent requests: the server must accept at most one.
    async fn at_once(&self, scene: &mut Scene<'w, 'd>, draft: &mut Draft) -> Tried {
        let (ready, taking) = self.ready(scene, "sums-race").await?;
        let part = taking.whole.with(taking.whole.units / 2 + 1);
        let tags = (0..TWINS).map(|twin| format!("twin-{twin}"));
        let twins = tags.map(|tag| taking.request(scene, &ready, (part, &tag)));
        let twins: Vec<Sent> = twins.collect::<Result<_, _>>()?;
        let exchanges = scene.send_together(twins).await;
        let granted: Vec<&Exchange> = exchanges
            .iter()
            .filter(|exchange| succeeded(exchange))
            .collect();
        if let (2.., Some(last)) = (granted.len(), granted.last()) {
            let (part, whole) = (shown(part), shown(taking.whole));
            let what = format!("{} times {part} of {whole}, at once", granted.len());
            self.differ(scene, (&taking, what), last, draft);
        }
        Ok(true)
    }

    fn differ(
        &self,
        scene: &Scene<'_, 'd>,
        (taking, what): (&Taking<'_>, String),
        exchange: &Exchange,
        draft: &mut Draft,
    ) {
        // A request that was only accepted for later may still be refused.
        if status(exchange) == Some(202) {
            return;
        }
        let claim = Claim::new(
            &checks::SUM_EXCEEDED,
            scene.basis(self.fact),
            format!("no more than {}: {}", shown(taking.whole), self.rule),
            format!("accepted: {what}"),
        );
        let claim = claim.at(Pointer::root().join(taking.property));
        scene.differ(draft, self.call, claim, exchange);
    }
}

fn shown(amount: Amount) -> String {
    value::plain(&amount.node())
}
