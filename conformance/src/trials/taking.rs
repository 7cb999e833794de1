//! Taking: an operation that takes a part of a record's amount, and the whole amount, as a fact says.

use openapi_document::view::MediaType;
use openapi_facts::rule::SumLimit;
use openapi_facts::{Fact, Rule};

use crate::amount::{self, Amount};
use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::scene::whole::{Whole, at, place};
use crate::scene::{Ready, Scene};
use crate::value;

/// The property with the part, and the whole.
pub(crate) struct Taking<'w> {
    /// The body property with the amount.
    pub(crate) property: &'w str,
    /// The amount of the whole.
    pub(crate) whole: Amount,
}

/// What a call takes, by the first fact about it.
pub(crate) async fn taking<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Taking<'w>> {
    let limit = |fact: &'w Fact| match &fact.rule {
        Rule::SumLimit(rule) => Some(rule),
        _ => None,
    };
    let rule = scene.facts_about(call).find_map(limit)?;
    Taking::of(scene, call, (ready, rule)).await
}

impl<'w> Taking<'w> {
    /// What a call takes, by a rule. `None` if the record does not show the whole, or shows less than two units.
    pub(crate) async fn of<'d>(
        scene: &mut Scene<'w, 'd>,
        call: &Call<'d>,
        (ready, rule): (&Ready<'_, 'd>, &'w SumLimit),
    ) -> Option<Self> {
        let record = Whole::by(
            scene,
            call,
            (ready, &rule.limit.owner),
            rule.link.as_deref(),
        )?;
        let now = record.read(scene).await?;
        let limit = rule.limit.name.as_deref()?;
        let whole = Amount::read(at(&now, limit)?)?;
        (whole.units > 1).then_some(Self {
            property: rule.subject.name.as_deref()?,
            whole,
        })
    }

    /// Half of the whole.
    pub(crate) fn half(&self) -> Amount {
        self.whole.with(self.whole.units / 2)
    }

    /// A request that takes an amount.
    pub(crate) fn request<'d>(
        &self,
        scene: &Scene<'_, 'd>,
        ready: &Ready<'_, 'd>,
        (amount, tag): (Amount, &str),
    ) -> Result<Sent, String> {
        ask(scene, ready, self.property, (amount, tag))
    }

    /// Takes an amount.
    pub(crate) async fn take<'d>(
        &self,
        scene: &mut Scene<'_, 'd>,
        ready: &Ready<'_, 'd>,
        part: (Amount, &str),
    ) -> Result<Exchange, String> {
        let sent = self.request(scene, ready, part)?;
        Ok(scene.send(sent).await)
    }
}

/// The request of a call with another amount, in the form of its current value or of an example.
pub(super) fn ask<'d>(
    scene: &Scene<'_, 'd>,
    ready: &Ready<'_, 'd>,
    property: &str,
    (amount, tag): (Amount, &str),
) -> Result<Sent, String> {
    let mut sent = scene.compose(ready, tag)?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let at = place(&json, property).ok_or("the amount can be in several places")?;
    if json.at(&at).is_none() {
        let content = ready
            .call
            .operation
            .request_body()
            .map(|body| body.content());
        let content = content.unwrap_or_default();
        let mut shown = content.iter().flat_map(MediaType::examples);
        if let Some(form) = shown.find_map(|example| example.value.node.at(&at)) {
            value::put(&mut json, &at, form.clone())?;
        }
    }
    let amount = match json.at(&at).and_then(Amount::read) {
        Some(form) => form.of_value(amount).ok_or("the amount has another unit")?,
        None => amount,
    };
    let bare = amount.node();
    let value = match json.at(&at) {
        Some(form) => amount::like(form, bare),
        None => bare,
    };
    value::put(&mut json, &at, value)?;
    scene.put_json(&mut sent, &ready.call, json);
    Ok(sent)
}
