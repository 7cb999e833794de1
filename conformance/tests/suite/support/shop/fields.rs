//! The rules for the fields of a body.

use serde_json::{Map, Value};

use super::{Aspect, Fault};

/// The values that one field allows.
enum Kind {
    Text { least: usize, most: usize },
    Email,
    Phone,
    Whole,
    OneOf(&'static [&'static str]),
    Flag,
    Texts,
    Map,
}

struct Field(&'static str, bool, Kind);

fn fields(operation: &str) -> Vec<Field> {
    let text = |least, most| Kind::Text { least, most };
    match operation {
        "create_customer" | "update_customer" => {
            let all = operation == "create_customer";
            let mut fields = vec![
                Field("email", all, Kind::Email),
                Field("name", all, text(1, 60)),
                Field("phone", false, Kind::Phone),
            ];
            fields.extend(all.then_some(Field("tags", false, Kind::Texts)));
            fields
        }
        "create_charge" => vec![
            Field("customer_id", true, text(0, usize::MAX)),
            Field("amount", true, Kind::Whole),
            Field("currency", true, Kind::OneOf(&["EUR", "USD", "GBP"])),
            Field("capture", false, Kind::Flag),
            Field("reference", true, text(1, 40)),
            Field("description", false, text(0, 100)),
            Field("metadata", false, Kind::Map),
        ],
        "capture_charge" => vec![Field("amount", false, Kind::Whole)],
        _ => {
            let reasons = &["duplicate", "fraudulent", "requested_by_customer"];
            vec![
                Field("amount", true, Kind::Whole),
                Field("reason", false, Kind::OneOf(reasons)),
            ]
        }
    }
}

/// The first mistake in a body. `None` when it is valid.
pub(super) fn mistake(fault: Fault, operation: &'static str, body: &Value) -> Option<String> {
    let lax = |field, aspect| fault == Fault::Accepts(operation, field, aspect);
    let Some(body) = body.as_object() else {
        return (!lax("", Aspect::Type)).then(|| "not an object".to_owned());
    };
    let fields = fields(operation);
    if operation == "update_customer" && body.is_empty() && !lax("", Aspect::Minimum) {
        return Some("nothing to update".to_owned());
    }
    let strange = body
        .keys()
        .find(|name| !fields.iter().any(|field| field.0 == *name));
    if let (Some(name), false) = (strange, lax("", Aspect::Undeclared)) {
        return Some(format!("{name} is not known"));
    }
    let wrong = |field: &Field| wrong(field, body, &|aspect| lax(field.0, aspect));
    fields
        .iter()
        .find(|field| wrong(field))
        .map(|item| format!("{} is not valid", item.0))
}

fn wrong(
    Field(name, required, kind): &Field,
    body: &Map<String, Value>,
    lax: &dyn Fn(Aspect) -> bool,
) -> bool {
    let Some(value) = body.get(*name) else {
        return *required && !lax(Aspect::Required);
    };
    if value.is_null() {
        return !lax(Aspect::Null);
    }
    let is_whole = value.is_i64() || value.is_u64();
    let fits = match kind {
        Kind::Whole => is_whole || (value.is_f64() && lax(Aspect::Fraction)),
        Kind::Flag => value.is_boolean(),
        Kind::Texts => value.is_array(),
        Kind::Map => value.is_object(),
        _ => value.is_string(),
    };
    if !fits {
        return !lax(Aspect::Type);
    }
    let length = value.as_str().map_or(0, |item| item.chars().count());
    let text = value.as_str().unwrap_or_default();
    match kind {
        Kind::Text { least, most } => {
            (length < *least && !lax(Aspect::Minimum)) || (length > *most && !lax(Aspect::Maximum))
        }
        Kind::Email => {
            let is_address = text
                .split_once('@')
                .is_some_and(|(user, host)| !user.is_empty() && host.contains('.'));
            (length > 120 && !lax(Aspect::Maximum))
                || ((!is_address || text.contains(' ')) && !lax(Aspect::Format))
        }
        Kind::Phone => {
            let digits = text.strip_prefix('+').unwrap_or_default();
            let fits = (6..=14).contains(&digits.len());
            (!fits || !digits.bytes().all(|byte| byte.is_ascii_digit())) && !lax(Aspect::Format)
        }
        Kind::Whole => {
            let number = value.as_f64().unwrap_or_default();
            (number < 1.0 && !lax(Aspect::Minimum))
                || (number > 99_999_999.0 && !lax(Aspect::Maximum))
        }
        Kind::OneOf(list) => !list.contains(&text) && !lax(Aspect::Enum),
        Kind::Texts => {
            let items = value.as_array().unwrap();
            let fits = |value: &Value| {
                value
                    .as_str()
                    .is_some_and(|text| text.chars().count() <= 20)
            };
            (items.len() > 5 && !lax(Aspect::MaxItems))
                || (!items.iter().all(fits) && !lax(Aspect::Format))
        }
        Kind::Map => {
            let mut values = value.as_object().unwrap().values();
            !values.all(Value::is_string) && !lax(Aspect::Format)
        }
        Kind::Flag => false,
    }
}
