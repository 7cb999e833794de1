//! Spent: where nothing is left of what is taken from, the refusal has the status that a text tells of that alone: "if
//! nothing is left at all, with a `409`".

use crate::checks;
use crate::model::{Call, prose};

use super::taking::{Taking, take};
use crate::laws::trial::answered::{status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// Takes one more of a record from which all was taken.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, taking): (&Ready<'_, 'd>, &Taking<'_, 'd>),
    draft: &mut Draft,
) -> Result<(), String> {
    let told_of = call.texts().flat_map(prose::sentences).find_map(of_nothing);
    let Some(code) = told_of.filter(|code| call.response(*code).is_some()) else {
        return Ok(());
    };
    let part = (taking.whole.with(1), "spent");
    let exchange = take(world, ready, taking, part).await?;
    if !succeeded(&exchange) && status(&exchange) != Some(code) {
        let expected = format!("status {code}: nothing is left");
        let claim = Claim::new(
            &checks::STATUS_CODE,
            Ground::Text,
            expected,
            told(&exchange),
        );
        world.differ(draft, call, claim, &exchange);
    }
    Ok(())
}

/// The only status that a sentence tells of what has nothing left.
fn of_nothing(sentence: &str) -> Option<u16> {
    let sentence = sentence.to_lowercase();
    let (before, after) = ["nothing is left", "nothing left"]
        .iter()
        .find_map(|own| sentence.split_once(own))?;
    // What is said of more than is left stands before it, and may have a status of its own.
    let clause = before.rsplit([',', ':']).next().unwrap_or_default();
    let is_case = clause
        .split_whitespace()
        .any(|own| matches!(own, "if" | "when" | "where" | "once"));
    let mut codes = after
        .split('`')
        .filter_map(|own| own.parse::<u16>().ok())
        .filter(|own| (400..500).contains(own));
    codes.next().filter(|_| is_case && codes.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_where_nothing_is_left() {
        for (text, expected) in [
            (
                "if nothing is left at all, with a `409` and the code `spent`",
                Some(409),
            ),
            ("When nothing is left, the answer is a `422`.", Some(422)),
            ("A `400` for more; if nothing is left, a `409`", Some(409)),
            ("If nothing is left, a `409`, else a `400`", None),
            ("Nothing is left out: a `400`", None),
            ("If nothing is left, it is closed", None),
        ] {
            assert_eq!(of_nothing(text), expected, "{text}");
        }
    }
}
