//! Shared resources: what a call draws from without naming it, such as the balance of the caller.
//!
//! The document shows it in sentences: a refusal mentions that there is too little, other operations add to it.

use openapi_document::Node;
use openapi_document::view::Method;

use super::{Call, Model, Role};
use crate::names;
use crate::prose::{has, spoken, texts_in};
use crate::shape::Shape;

/// Words for a resource that calls can use up.
const MEANS: [&str; 6] = ["balance", "fund", "credit", "stock", "budget", "wallet"];

/// Words of a refusal because there is too little.
const WANTING: [&str; 11] = [
    "insufficient",
    "enough",
    "low",
    "exceed",
    "exceeds",
    "exceeding",
    "available",
    "covered",
    "suffice",
    "suffices",
    "sufficient",
];

/// Words of a sentence that says that the resource grows.
const ADDING: [&str; 9] = [
    "add",
    "adds",
    "added",
    "credited",
    "increase",
    "increases",
    "increased",
    "replenish",
    "replenishes",
];

/// Words of a sentence that says that the resource shrinks. Such a sentence never counts as adding.
const TAKING: [&str; 6] = [
    "taken",
    "takes",
    "debited",
    "deducted",
    "decreases",
    "withdrawn",
];

impl<'d> Model<'d> {
    /// The word for the resource that a call draws from, such as `balance`, if a documented refusal says that there
    /// can be too little. `None` for a call whose path names a record.
    pub fn resource(&self, call: &Call<'d>) -> Option<&'static str> {
        let writes = call.operation.method == Method::Post && call.role == Role::Create;
        if !writes || !call.path_parameters().is_empty() {
            return None;
        }
        let refusals = [402, 409, 422].into_iter();
        let texts = refusals.filter_map(|code| Some(spoken(call.text_of(code)?)));
        texts
            .flatten()
            .find(|sentence| has(sentence, &WANTING))
            .and_then(|item| MEANS.into_iter().find(|word| mentions(&item, word)))
    }

    /// Whether a status is a documented refusal that can mean that the resource is too small.
    pub fn wants(&self, call: &Call<'d>, status: Option<u16>) -> bool {
        let of_state = status.filter(|code| matches!(code, 402 | 409 | 422));
        of_state.is_some_and(|code| call.response(code).is_some()) && self.resource(call).is_some()
    }

    /// The operations that add to the resource of a call by their texts.
    pub fn fillers(&self, call: &Call<'d>) -> Vec<&Call<'d>> {
        let Some(means) = self.resource(call) else {
            return Vec::new();
        };
        let adds = |call: &&Call<'d>| {
            let is_under = call
                .operation
                .path
                .split('/')
                .any(|name| mentions(&names::words(name), means));
            says(call, means, (&ADDING, &TAKING))
                || (is_under
                    && name_matches(call, |words| has(words, &ADDING) && !has(words, &TAKING)))
        };
        let writes = self.calls.iter().filter(|other| {
            other.operation.method == Method::Post
                && other.operation.label() != call.operation.label()
                && matches!(other.role, Role::Create | Role::Change)
        });
        writes.filter(adds).collect()
    }

    /// The operations that can bring in what a call is refused for lack of: both name the same owner, such as the
    /// seller who is charged for and paid out.
    pub fn suppliers(&self, call: &Call<'d>) -> Vec<&Call<'d>> {
        let owners = self.owners(call);
        let supplies = |call: &&Call<'d>| {
            let shape = Shape::of(self.document, call.record().map(|record| &record.schema));
            let mut names = shape.property_names().into_iter();
            let has_amount = names.any(|name| has(&names::words(name), &["amount", "total"]));
            let is_of_owner = self.owners(call).iter().any(|item| owners.contains(item));
            has_amount && is_of_owner && call.operation.method == Method::Post && !is_short(call)
        };
        let creators = self.calls.iter().filter(|call| call.role == Role::Create);
        let may_be = is_short(call) && call.role == Role::Create;
        let supplied = creators.filter(|_| may_be).filter(supplies);
        let crediting = self.calls.iter().filter(|_| may_be).filter(|other| {
            let is_other = other.operation.label() != call.operation.label();
            is_other && self.credits(other, &owners)
        });
        // Operations that the text describes so come before those that only match by shape.
        crediting.chain(supplied).collect()
    }

    /// Whether a step credits the balance of an owner by its text: "credits the balance of each seller".
    fn credits(&self, call: &Call<'d>, owners: &[String]) -> bool {
        const CREDITS: [&str; 4] = ["credits", "credited", "credit", "adds"];
        let kinds = owners.iter().filter_map(|item| self.call(item)?.record());
        let nouns: Vec<String> = kinds
            .filter_map(|record| names::words(&record.name).pop())
            .collect();
        let is_step = matches!(call.role, Role::Create | Role::Change);
        let says = |words: &Vec<String>| {
            let is_named = words
                .iter()
                .any(|word| nouns.contains(&names::singular(word)));
            is_named && has(words, &CREDITS) && has(words, &["balance", "balances"])
        };
        is_step && call.operation.method == Method::Post && call.spoken().iter().any(says)
    }

    /// Whether a refusal with this status can mean that an operation of [`Self::suppliers`] has to come first.
    pub fn wants_supply(&self, call: &Call<'d>, code: u16) -> bool {
        may_be_short(call, code) && !self.suppliers(call).is_empty()
    }

    /// The labels of the operations that create the records which a call has to name.
    fn owners(&self, call: &Call<'d>) -> Vec<String> {
        let shape = Shape::of(self.document, call.body.as_ref());
        let names = shape.property_names().into_iter();
        let required: Vec<&str> = names.filter(|name| shape.requires(name)).collect();
        let named = |shape: &Shape<'d>, name: &str| {
            self.named_by(&shape.property(self.document, name), name)
        };
        // `splits`, each of which names a seller.
        let within = required.iter().flat_map(|name| {
            let items = shape.property(self.document, name).items(self.document);
            let names = items.property_names().into_iter();
            let names = names.filter(|name| items.requires(name));
            names
                .filter_map(|name| named(&items, name))
                .collect::<Vec<_>>()
        });
        let kinds = required.iter().filter_map(|name| named(&shape, name));
        let kinds = kinds.chain(within);
        let in_body: Vec<&Call<'d>> = kinds.filter_map(|kind| self.creator_of(&kind)).collect();
        let in_path = call.path_parameters().into_iter();
        let in_path = in_path.filter_map(|name| self.creator_for(&call.operation, name));
        let all = in_path.chain(in_body);
        all.map(|call| call.operation.label()).collect()
    }
}

/// Whether the refusal of a status, or a sentence of the operation, says that there can be too little.
fn may_be_short(call: &Call<'_>, code: u16) -> bool {
    call.response(code)
        .is_some_and(|response| mentions_shortage(response.at.node))
        || {
            let status = code.to_string();
            let mut said = call.spoken().into_iter();
            // A code says so as well as a status does: `insufficient_balance`.
            let is_stated =
                |words: &[String]| has(words, &[&status]) || has(words, &["insufficient"]);
            said.any(|sentence| is_stated(&sentence) && is_of_want(&sentence))
        }
}

fn is_of_want(words: &[String]) -> bool {
    has(words, &["insufficient"]) || is_beyond_means(words)
}

/// Whether a text within a node says that there can be too little.
fn mentions_shortage(node: &Node) -> bool {
    let mut texts = Vec::new();
    texts_in(node, &mut texts);
    texts
        .into_iter()
        .flat_map(spoken)
        .any(|sentence| is_of_want(&sentence))
}

/// Whether a text of an operation, or of its refusals, says that there can be too little: `insufficient_funds`.
fn is_short(call: &Call<'_>) -> bool {
    let mut refusals = [402, 409, 422]
        .into_iter()
        .filter_map(|code| call.response(code));
    let is_refused = refusals.any(|response| mentions_shortage(response.at.node));
    is_refused || call.spoken().iter().any(|sentence| is_of_want(sentence))
}

/// Whether a sentence mentions more than there is, such as `an amount above the balance`.
fn is_beyond_means(words: &[String]) -> bool {
    const BEYOND: [&str; 5] = ["above", "exceed", "exceeds", "exceeding", "than"];
    const BETWEEN: [&str; 10] = [
        "the",
        "its",
        "a",
        "s",
        "card",
        "account",
        "wallet",
        "available",
        "current",
        "remaining",
    ];
    let is_so = |rest: &[String]| {
        let mut rest = rest.iter();
        let first = rest.find(|word| !BETWEEN.contains(&word.as_str()));
        first.is_some_and(|word| MEANS.iter().any(|means| names::singular(word) == *means))
    };
    let mut all = words.iter().enumerate();
    all.any(|(at, word)| BEYOND.contains(&word.as_str()) && is_so(&words[at + 1..]))
}

impl Call<'_> {
    /// The resource that an operation moves by its text, such as `balance`, and whether it adds to it.
    pub fn said_to_move(&self) -> Option<(&'static str, bool)> {
        MEANS.into_iter().find_map(|means| {
            let adds = says(self, means, (&ADDING, &TAKING));
            let takes = says(self, means, (&TAKING, &ADDING));
            (adds != takes).then_some((means, adds))
        })
    }

    /// The word before the resource that tells several balances apart: `pending` of the pending balance.
    pub fn said_which(&self, means: &str) -> Option<&'static str> {
        const WHICH: [&str; 8] = [
            "pending",
            "available",
            "reserved",
            "held",
            "blocked",
            "incoming",
            "outgoing",
            "settled",
        ];
        let moved = |words: &&Vec<String>| {
            mentions(words, means) && has(words, &ADDING) != has(words, &TAKING)
        };
        let said = self.spoken();
        let mut pairs = said.iter().filter(moved).flat_map(|item| item.windows(2));
        pairs.find_map(|text| {
            let is_means = names::singular(&text[1]) == means;
            WHICH.into_iter().find(|word| is_means && text[0] == *word)
        })
    }

    /// Whether the text says that the movement is complete when the answer comes.
    pub fn is_said_to_be_at_once(&self) -> bool {
        const AT_ONCE: [&str; 4] = ["once", "immediately", "instantly", "directly"];
        let text = self.operation.at.node.get("description");
        let mut all = spoken(text.and_then(Node::as_str).unwrap_or_default()).into_iter();
        all.any(|sentence| {
            has(&sentence, &AT_ONCE) && MEANS.iter().any(|means| mentions(&sentence, means))
        })
    }
}

/// Whether a sentence of an operation mentions a resource with one of `words` and none of `others`.
fn says(call: &Call<'_>, means: &str, (words, others): (&[&str], &[&str])) -> bool {
    name_matches(call, |name_words| {
        mentions(name_words, means) && has(name_words, words) && !has(name_words, others)
    })
}

/// Whether a sentence of an operation meets a condition.
fn name_matches(call: &Call<'_>, of: impl Fn(&[String]) -> bool) -> bool {
    call.spoken().iter().any(|item| of(item))
}

fn mentions(sentence: &[String], means: &str) -> bool {
    sentence.iter().any(|word| names::singular(word) == means)
}

#[cfg(test)]
mod tests {
    use super::*;
    use openapi_document::Behaviour;

    const BANK: &str = r#"
openapi: 3.0.3
info: {title: Bank, version: "1"}
paths:
  /payouts:
    post:
      operationId: addPayout
      responses:
        "201": {$ref: '#/components/responses/Own'}
        "422": {description: The available balance is too low.}
  /orders:
    post:
      operationId: addOrder
      description: What is ordered is taken from the balance, and added to the basket.
      responses: {"201": {$ref: '#/components/responses/Own'}, "422": {description: No such thing.}}
  /payments:
    post:
      operationId: addPayment
      description: Takes the money. It is added to your balance.
      responses: {"201": {$ref: '#/components/responses/Own'}}
components:
  responses:
    Own:
      description: made
      content: {application/json: {schema: {type: object, properties: {id: {type: string}, amount: {type: integer}}}}}
"#;

    #[test]
    fn sentences_that_mention_more_than_there_is() {
        for (text, expected) in [
            ("An amount above the card's balance is refused.", true),
            ("The amount may not exceed the `available` balance", true),
            ("More than the balance is refused", true),
            ("A load that takes the balance above `maxBalance`", false),
            ("An amount above the limit", false),
        ] {
            let is_so = spoken(text)
                .iter()
                .any(|sentence| is_beyond_means(sentence));
            assert_eq!(is_so, expected, "{text}");
        }
    }

    #[test]
    fn calls_that_draw_from_and_add_to_a_balance() {
        let document = openapi_document::loader::load_text("bank.yaml", BANK).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let payout = model.call("addPayout").unwrap();
        assert_eq!(model.resource(payout), Some("balance"));
        assert_eq!(model.resource(model.call("addOrder").unwrap()), None);
        let fillers = model.fillers(payout);
        let fillers: Vec<_> = fillers.iter().map(|call| call.operation.label()).collect();
        assert_eq!(fillers, ["addPayment"]);
        let moved = |id| model.call(id).and_then(Call::said_to_move);
        assert_eq!(moved("addPayment"), Some(("balance", true)));
        assert_eq!(moved("addOrder"), None);
    }

    const MARKET: &str = r#"
openapi: 3.0.3
info: {title: Market, version: "1"}
paths:
  /sellers:
    post:
      operationId: addSeller
      responses: {"201": {$ref: '#/components/responses/Seller'}}
  /charges:
    post:
      operationId: charge
      requestBody: {$ref: '#/components/requestBodies/OfSeller'}
      responses: {"201": {$ref: '#/components/responses/Own'}, "409": {description: The seller is not active.}}
  /notes:
    post:
      operationId: note
      requestBody: {$ref: '#/components/requestBodies/OfSeller'}
      responses: {"201": {$ref: '#/components/responses/Seller'}}
  /payouts:
    post:
      operationId: payOut
      requestBody: {$ref: '#/components/requestBodies/OfSeller'}
      responses:
        "201": {$ref: '#/components/responses/Own'}
        "409": {description: No., content: {application/json: {example: {code: insufficient_funds}}}}
components:
  requestBodies:
    OfSeller:
      content: {application/json: {schema: {type: object, required: [seller_id], properties: {seller_id: {type: string}}}}}
  responses:
    Seller:
      description: made
      content: {application/json: {schema: {type: object, properties: {id: {type: string}, name: {type: string}}}}}
    Own:
      description: made
      content: {application/json: {schema: {type: object, properties: {id: {type: string}, amount: {type: integer}}}}}
"#;

    #[test]
    fn suppliers_name_the_same_owner() {
        let document = openapi_document::loader::load_text("market.yaml", MARKET).unwrap();
        let model = Model::new(&document, Behaviour::default());
        let suppliers = |id| -> Vec<String> {
            let found = model.suppliers(model.call(id).unwrap());
            found.iter().map(|call| call.operation.label()).collect()
        };
        assert_eq!(suppliers("payOut"), ["charge"]);
        assert!(suppliers("charge").is_empty());
    }
}
