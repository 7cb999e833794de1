//! Unmatched: a list that is asked for what no record has is empty, and no refusal, where a text says so.

use openapi_document::{Node, Pointer};

use super::filter::Filter;
use super::filters::Stand;
use super::paging::Walk;
use crate::checks;
use crate::exchange::Exchange;
use crate::laws::requests::unknown::{is_allowed, unlike};
use crate::laws::trial::answered::{status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;
use crate::model::{Call, names, prose};
use crate::value;

impl<'d> Stand<'_, 'd> {
    /// Asks for a value of the same form as one that there is.
    pub(super) async fn unmatched(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        filters: &[Filter<'d>],
        whole: &Walk,
        draft: &mut Draft,
    ) {
        for filter in filters.iter().filter(|own| own.is_exact() && own.is_open()) {
            let said = said(self.list, filter.parameter).filter(|_| draft.is_clean());
            let Some(said) = said else {
                continue;
            };
            let mut records = self.records(whole).into_iter();
            let Some(own) = records.find_map(|own| filter.value(own)) else {
                continue;
            };
            let Some(other) = self.other(world, filter.parameter, own) else {
                continue;
            };
            let _ = self
                .gives_nothing(world, (filter, other, said), draft)
                .await;
        }
    }

    /// A value of the same form that nobody has.
    fn other(&self, world: &World<'_, '_, '_, 'd>, parameter: &str, own: &Node) -> Option<Node> {
        let text = own.as_str()?;
        let parameters = self.list.operation.parameters();
        let schema = parameters.iter().find(|own| own.name == parameter)?;
        let schema = schema.schema()?;
        let allowed = |own: &Node| is_allowed(world.contract(), &schema, own);
        let other = unlike(false, text, allowed);
        (allowed(&other) && other.as_str() != Some(text)).then_some(other)
    }

    async fn gives_nothing(
        &self,
        world: &mut World<'_, '_, '_, 'd>,
        (filter, other, said): (&Filter<'d>, Node, Said),
        draft: &mut Draft,
    ) -> Result<(), String> {
        let shown = value::plain(&other);
        let given = self.walk(world, &[(filter.parameter, other)]).await?;
        // What is no filter at all for its form is refused for that, and what is said to be not found is.
        let is_found = self.list.response(404).is_some();
        let is_wrong = |own: &&Exchange| match said {
            Said::Unknown => !succeeded(own),
            Said::Unmatched => matches!(status(own), Some(404 | 410)) && !is_found,
        };
        let Some(last) = given.last.as_ref().filter(is_wrong) else {
            return Ok(());
        };
        let expected = format!("an empty list for `{shown}`, which nothing has");
        let claim = Claim::new(&checks::VALID_REFUSED, Ground::Text, expected, told(last))
            .at(Pointer::root().join("query").join(filter.parameter));
        world.differ(draft, self.list, claim, last);
        Ok(())
    }
}

/// What makes a list empty, as a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// Nothing has what is asked for.
    Unmatched,
    /// What is asked for is the key of something that is not known.
    Unknown,
}

/// What is said of a parameter of a list: in its own text, and in those of the list and of all lists.
fn said(list: &Call<'_>, parameter: &str) -> Option<Said> {
    let parameters = list.operation.parameters();
    let own = parameters.iter().find(|own| own.name == parameter);
    let own = own.and_then(|own| own.at.node.get("description")?.as_str());
    let texts = list.texts().chain(list.overall).chain(own);
    let all = texts.flat_map(prose::spoken);
    let all: Vec<Said> = all.filter_map(|own| empty(&own, parameter)).collect();
    let unknown = all.iter().find(|own| **own == Said::Unknown);
    unknown.or(all.first()).copied()
}

/// Whether a sentence says that the list is empty where nothing matches, or where what a parameter names is not known.
fn empty(sentence: &[String], parameter: &str) -> Option<Said> {
    const LISTS: [&str; 8] = [
        "list",
        "page",
        "array",
        "result",
        "results",
        "collection",
        "lists",
        "pages",
    ];
    const MATCHES: [&str; 6] = ["matches", "match", "matched", "matching", "fits", "fit"];
    const OPEN: [&str; 14] = [
        "may", "might", "can", "could", "unless", "except", "not", "never", "404", "400", "422",
        "error", "refused", "rejected",
    ];
    let has = |list: &[&str]| prose::has(sentence, list);
    if !(has(&["empty"]) && has(&LISTS)) || has(&OPEN) {
        return None;
    }
    let is_nothing = |own: &str| matches!(own, "nothing" | "no" | "none");
    // `If nothing matches` is what is asked for; any other condition is one more.
    let conditions = sentence.iter().enumerate();
    let mut conditions = conditions.filter(|(_, own)| matches!(own.as_str(), "if" | "when"));
    let is_plain = conditions.all(|(at, _)| {
        let next = sentence.get(at + 1);
        next.is_some_and(|own| is_nothing(own))
    });
    let is_unmatched = has(&MATCHES) && sentence.iter().any(|own| is_nothing(own));
    let subject = names::subject(parameter).filter(|own| !own.is_empty());
    let unknown = sentence.windows(2).any(|pair| {
        let own = subject.as_deref().unwrap_or(parameter);
        pair[0] == "unknown" && own.rsplit(' ').next() == Some(pair[1].as_str())
    });
    match (is_unmatched, unknown) {
        (_, true) if is_plain => Some(Said::Unknown),
        (true, false) if is_plain => Some(Said::Unmatched),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_empty() {
        for (text, expected) in [
            (
                "A filter that nothing matches, an unknown customer say, gives an empty list",
                Some(Said::Unknown),
            ),
            (
                "Filters that match no order give an empty page",
                Some(Said::Unmatched),
            ),
            (
                "If nothing matches, the list is empty",
                Some(Said::Unmatched),
            ),
            (
                "An unknown customer gives an empty list",
                Some(Said::Unknown),
            ),
            ("An unknown voucher gives an empty list", None),
            ("The list of an unknown customer may be empty", None),
            ("If the customer is closed, the list is empty", None),
            ("An unknown customer is answered with 404", None),
            ("A new customer has an empty list of cards", None),
        ] {
            let words = names::words(text);
            assert_eq!(empty(&words, "customer_id"), expected, "{text}");
        }
    }
}
