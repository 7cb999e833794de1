//! Variants: what an operation is granted beside the example that it is brought to succeed with.

use super::answered::succeeded;
use super::world::World;
use crate::exchange::Exchange;
use crate::model::Call;

/// So many other examples are tried at most.
const MOST: usize = 4;

/// So many ways to each of them.
const WAYS: usize = 2;

impl<'d> World<'_, '_, '_, 'd> {
    /// What a call is granted with its other examples.
    pub(crate) async fn granted_otherwise(&mut self, call: &Call<'d>, tag: &str) -> Vec<Exchange> {
        let mut granted = Vec::new();
        for key in self.other_examples(call) {
            if let Some(exchange) = self.granted_with(call, key, tag).await {
                granted.push(exchange);
            }
        }
        granted
    }

    /// The examples of a call but that which it is brought to succeed with.
    fn other_examples(&self, call: &Call<'d>) -> Vec<&'d str> {
        let ways = self.ways(call);
        let choice = self.found.choice(&call.operation.label());
        let chosen = choice.get().and_then(|own| own.clone().ok());
        let first = chosen.and_then(|own| ways.get(own)?.example);
        let mut keys: Vec<&'d str> = Vec::new();
        for key in ways.iter().filter_map(|own| own.example) {
            if Some(key) != first && !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys.truncate(MOST);
        keys
    }

    async fn granted_with(&mut self, call: &Call<'d>, key: &'d str, tag: &str) -> Option<Exchange> {
        let ways = self.ways(call).iter();
        for way in ways.filter(|own| own.example == Some(key)).take(WAYS) {
            let Ok(ready) = self.prepare(way, tag).await else {
                continue;
            };
            let exchange = self.call(&ready, tag).await.ok()?;
            if succeeded(&exchange) {
                return Some(exchange);
            }
        }
        None
    }
}
