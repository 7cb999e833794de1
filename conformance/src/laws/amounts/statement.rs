//! Statement: what a sentence says that a property is made of, wherever one has such a name. Pure.

use openapi_document::Node;

use crate::model::Call;
use crate::names;
use crate::prose;

use super::expression::Expression;
use super::formula::{SOMETIMES, of_all};
use super::percent;
use crate::amount::Amount;

/// What a text says that a property is, wherever one has such a name: "`totals.net` is `total` - `tax`".
#[derive(Debug)]
pub(crate) struct Statement {
    pub(super) subject: String,
    pub(super) said: Said,
}

/// What a statement says.
#[derive(Debug)]
pub(super) enum Said {
    /// What an expression comes to.
    Expression(Expression),
    /// What all of a list come to: "sum of the `line_total`s".
    Sum(String),
    /// So many percent of another property, with how that is rounded and what comes on top.
    Percent(String),
}

impl Said {
    fn read(text: &str) -> Option<Self> {
        let sum = || {
            let words = names::words(text);
            let is_sum = words.iter().take(2).any(|own| own == "sum");
            let rest = text.trim().strip_suffix('s').unwrap_or(text);
            let is_of_all = rest.ends_with('`') && text.split('`').count() == 3;
            let all = is_sum && is_of_all && words.len() < 7;
            all.then(|| Self::Sum(text.replace("the `", "all `")))
        };
        let expression = Expression::read(text).map(Self::Expression);
        expression.or_else(sum)
    }

    pub(super) fn of(&self, nodes: &[&Node], told: Amount) -> Option<Amount> {
        match self {
            Self::Expression(own) => own.of(nodes, told),
            Self::Sum(text) => of_all(text, nodes),
            Self::Percent(text) => {
                let object = nodes.last().filter(|_| told.units != 0)?;
                percent::due(text, object, told)
            }
        }
    }

    /// Whether it names its parts as they are called, so that nothing else can be meant.
    pub(super) fn is_exact(&self) -> bool {
        !matches!(self, Self::Percent(_))
    }
}

/// What the texts of all operations, of the records that they answer, and of the whole document, say of properties.
pub(crate) fn statements(calls: &[Call<'_>]) -> Vec<Statement> {
    let overall = calls.first().and_then(|own| own.overall);
    let records = calls.iter().filter_map(Call::record);
    let of_records = records.filter_map(|own| own.schema.node.get("description")?.as_str());
    let mut texts: Vec<&str> = calls.iter().flat_map(Call::texts).collect();
    texts.extend(overall);
    for own in of_records {
        if !texts.contains(&own) {
            texts.push(own);
        }
    }
    let texts = texts.into_iter();
    texts
        .flat_map(prose::sentences)
        .flat_map(|own| statement(own).into_iter().chain(rates(own)))
        .collect()
}

/// What a sentence says to be so many percent, of what may be called a fee: "we keep a fee of 1.5 % of its `amount`".
fn rates(sentence: &str) -> Vec<Statement> {
    const FEES: [&str; 3] = ["fee", "fee_amount", "feeAmount"];
    let rate = [" fee of ", " fee is "].iter().find_map(|own| {
        let (_, rate) = sentence.split_once(own)?;
        rate.starts_with(|own: char| own.is_ascii_digit())
            .then_some(rate)
    });
    let rate = rate.filter(|own| own.contains('%') || own.contains("percent"));
    let of = |subject: &&str| {
        let said = Said::Percent(rate?.to_owned());
        let subject = (*subject).to_owned();
        Some(Statement { subject, said })
    };
    FEES.iter().filter_map(of).collect()
}

pub(super) fn statement(sentence: &str) -> Option<Statement> {
    let (before, rest) = sentence.split_once('`')?;
    let (code, rest) = rest.split_once('`')?;
    // An equation may be one piece of code, and what comes after it is said of something else.
    let equation = code.split_once(" = ");
    let equal = equation.map(|(own, said)| (own, "", format!("`{said}`")));
    let (subject, between, said) = equal.or_else(|| {
        let signs = [" = ", " always equals ", " equals ", " is always "];
        let mut signs = signs.into_iter();
        let told = signs.find_map(|own| {
            let (between, said) = rest.split_once(own)?;
            let said = said.split(", and ").next()?.to_owned();
            between.trim().is_empty().then_some((code, "", said))
        });
        told.or_else(|| {
            let (between, said) = rest.split_once(" is ")?;
            Some((code, between, said.to_owned()))
        })
    })?;
    let lower = before.to_lowercase();
    let lower = lower.replace("after each", "").replace("after every", "");
    let is_plain = |text: &str| !prose::has(&names::words(text), &SOMETIMES);
    let is_short = names::words(between).len() <= 3 && !between.contains('`');
    let is_name = |own: char| own.is_ascii_alphanumeric() || "_.[]".contains(own);
    let is_sure = is_plain(&lower) && is_plain(&said) && is_short && subject.chars().all(is_name);
    let said = Said::read(&said).filter(|_| is_sure)?;
    let subject = subject.rsplit("[].").next()?.to_owned();
    Some(Statement { subject, said })
}
