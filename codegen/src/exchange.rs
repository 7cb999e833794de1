//! Which request goes with which answer, when the documented examples are tried.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::ir::{Api, Encoding, Example, Exchange, Method, Operation, Role, Status, Usage};
use crate::sample::Samples;

/// The exchanges of all operations: every example of a body is in one of them. Examples with the
/// same key are a pair; what has no example is made up, as far as a value is found.
pub(crate) fn exchanges(api: &Api) -> Vec<Exchange> {
    let mut all = Vec::new();
    let samples = RefCell::new(Samples::of(&api.types));
    // Of operations that a server cannot tell apart it answers the first.
    let mut routes = HashSet::new();
    // What is sent goes to an address that no example has.
    let areas = api.areas.iter().enumerate();
    for (area, group) in areas.filter(|(_, area)| !area.sent) {
        for (index, operation) in group.operations.iter().enumerate() {
            if !routes.insert((operation.method, route(&operation.path))) {
                continue;
            }
            let planning = Planning {
                operation,
                samples: &samples,
            };
            let examples = api
                .examples
                .iter()
                .filter(|it| it.area == area && it.operation == index);
            let examples: Vec<&Example> = examples.collect();
            for mut exchange in planning.exchanges(&examples) {
                (exchange.area, exchange.operation) = (area, index);
                all.push(exchange);
            }
        }
    }
    all
}

/// A path as a server sees it, in which the names of parameters do not count.
fn route(path: &str) -> String {
    let path = path.split('#').next().unwrap_or_default();
    let mut route = String::new();
    let mut is_name = false;
    for c in path.chars() {
        is_name = c == '{' || (is_name && c != '}');
        if !is_name {
            route.push(c);
        }
    }
    route
}

struct Planning<'a> {
    operation: &'a Operation,
    samples: &'a RefCell<Samples<'a>>,
}

/// One side of an exchange.
#[derive(Clone)]
struct Side {
    key: String,
    name: String,
    /// Index of the response; of no meaning in a request.
    response: usize,
    content: Option<usize>,
    json: String,
}

impl Planning<'_> {
    fn exchanges(&self, examples: &[&Example]) -> Vec<Exchange> {
        let Some(parameters) = self.parameters() else {
            return Vec::new();
        };
        let requests = self.requests(examples);
        let answers = self.answers(examples);
        let (Some(first), Some(usual)) = (requests.first(), answers.first()) else {
            return Vec::new();
        };
        let mut pairs: Vec<(&Side, &Side)> = Vec::new();
        for request in &requests {
            let before = pairs.len();
            let partners = answers.iter().filter(|answer| answer.key == request.key);
            pairs.extend(partners.map(|answer| (request, answer)));
            if pairs.len() == before {
                pairs.push((request, usual));
            }
        }
        for answer in &answers {
            let told = pairs.iter().any(|(_, known)| std::ptr::eq(*known, answer));
            if !told {
                pairs.push((first, answer));
            }
        }
        let exchange = |(request, answer): &(&Side, &Side)| Exchange {
            name: format!("{}, {}", request.name, answer.name),
            area: 0,
            operation: 0,
            parameters: parameters.clone(),
            body: request
                .content
                .map(|content| (content, request.json.clone())),
            response: answer.response,
            content: answer.content,
            status: self.status(answer.response),
            answer: answer.json.clone(),
        };
        pairs.iter().map(exchange).collect()
    }

    /// Values of the parameters that have an example or must be given.
    fn parameters(&self) -> Option<Vec<(usize, String)>> {
        let mut values = Vec::new();
        for (index, parameter) in self.operation.parameters.iter().enumerate() {
            match (&parameter.example, parameter.required) {
                (Some(json), _) => values.push((index, json.clone())),
                (None, true) => {
                    let made = self.samples.borrow_mut().sample(&parameter.usage);
                    values.push((index, made?.to_string()));
                }
                (None, false) => {}
            }
        }
        Some(values)
    }

    fn requests(&self, examples: &[&Example]) -> Vec<Side> {
        let none = Side {
            key: String::new(),
            name: "no body".to_owned(),
            response: 0,
            content: None,
            json: String::new(),
        };
        let Some(body) = &self.operation.body else {
            return vec![none];
        };
        let mut sides = Vec::new();
        for (index, content) in body.contents.iter().enumerate() {
            if content.encoding == Encoding::Json {
                let known = examples.iter().filter(|it| it.role == Role::Request);
                let known = known.filter(|it| it.usage == content.usage);
                sides.extend(self.sides(known, &content.usage, "a request", 0, index));
            }
            if !sides.is_empty() {
                break;
            }
        }
        if !body.required && sides.is_empty() {
            sides.push(none);
        }
        sides
    }

    fn answers(&self, examples: &[&Example]) -> Vec<Side> {
        let mut sides = Vec::new();
        for (index, response) in self.operation.responses.iter().enumerate() {
            let what = format!("an answer {}", response.status);
            if response.contents.is_empty() {
                sides.push(Side {
                    key: String::new(),
                    name: what.clone(),
                    response: index,
                    content: None,
                    json: String::new(),
                });
            }
            // The answer to a HEAD has no body, whatever is documented.
            let contents = response.contents.iter().enumerate();
            for (at, content) in contents.filter(|_| self.operation.method != Method::Head) {
                if content.encoding == Encoding::Json {
                    let role = Role::Response(response.status);
                    let known = examples.iter().filter(|it| it.role == role);
                    let known = known.filter(|it| it.usage == content.usage);
                    sides.extend(self.sides(known, &content.usage, &what, index, at));
                }
            }
        }
        sides
    }

    /// The examples of a body, or else one that is made up.
    fn sides<'e>(
        &self,
        examples: impl Iterator<Item = &'e &'e Example>,
        usage: &Usage,
        what: &str,
        response: usize,
        content: usize,
    ) -> Vec<Side> {
        let side = |key: &str, name: String, json: String| Side {
            key: key.to_owned(),
            name,
            response,
            content: Some(content),
            json,
        };
        let mut sides: Vec<Side> = examples
            .map(|it| side(&it.key, format!("{what} `{}`", it.key), it.json.clone()))
            .collect();
        if sides.is_empty() {
            let made = self.samples.borrow_mut().sample(usage);
            sides
                .extend(made.map(|it| side("", format!("{what} that is made up"), it.to_string())));
        }
        sides
    }

    /// A status that the response stands for and no other does.
    fn status(&self, response: usize) -> u16 {
        let taken = |code: u16| {
            let mut others = self.operation.responses.iter();
            others.any(|other| other.status == Status::Code(code))
        };
        let first_free = |mut codes: std::ops::Range<u16>| codes.find(|code| !taken(*code));
        match self.operation.responses[response].status {
            Status::Code(code) => code,
            Status::Range(class) => {
                let from = u16::from(class) * 100;
                first_free(from..from + 100).unwrap_or(from)
            }
            Status::Default => first_free(500..600).unwrap_or(500),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::lower;

    /// Name, status, request and answer of each exchange of a document with these examples.
    fn planned(requests: &str, answers: &str, more: &str) -> Vec<String> {
        let media = |examples: &str| {
            format!("{{application/json: {{schema: {{type: integer}}, examples: {{{examples}}}}}}}")
        };
        let text = format!(
            "openapi: 3.0.4\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    post:\n      parameters: \
             [{{name: q, in: query, required: true, schema: {{type: boolean}}}}, {{name: r, in: query, \
             schema: {{type: boolean}}}}]\n      requestBody: {{required: true, content: {}}}\n      \
             responses:\n        '200': {{description: d, content: {}}}\n{more}",
            media(requests),
            media(answers)
        );
        let document = openapi_document::loader::load_text("a.yaml", &text).unwrap();
        let (api, _) = lower(&document, &crate::Options::default());
        let told = |one: &Exchange| {
            assert_eq!(one.parameters, [(0, "true".to_owned())]);
            let sent = one.body.as_ref().map_or("-", |(_, json)| json);
            format!("{}: {} {sent} {}", one.name, one.status, one.answer)
        };
        exchanges(&api).iter().map(told).collect()
    }

    #[test]
    fn examples_with_the_same_key_are_a_pair() {
        let requests = "one: {value: 1}, two: {value: 2}, three: {value: 3}";
        let answers = "two: {value: 20}, one: {value: 10}, left: {value: 30}";
        let expected = [
            "a request `one`, an answer 200 `one`: 200 1 10",
            "a request `three`, an answer 200 `left`: 200 3 30",
            "a request `two`, an answer 200 `two`: 200 2 20",
        ];
        assert_eq!(planned(requests, answers, ""), expected);
    }

    #[test]
    fn what_has_no_example_is_made_up() {
        let expected = ["a request that is made up, an answer 200 that is made up: 200 1 1"];
        assert_eq!(planned("", "", ""), expected);
    }

    #[test]
    fn a_range_and_the_rest_have_a_status_that_no_other_has() {
        let more = "        '400': {description: d}\n        4XX: {description: d}\n        '500': \
                    {description: d}\n        default: {description: d}\n";
        let expected = [
            "a request `one`, an answer 200 `one`: 200 1 2",
            "a request `one`, an answer 400: 400 1 ",
            "a request `one`, an answer 500: 500 1 ",
            "a request `one`, an answer 4XX: 401 1 ",
            "a request `one`, an answer default: 501 1 ",
        ];
        assert_eq!(
            planned("one: {value: 1}", "one: {value: 2}", more),
            expected
        );
    }
}
