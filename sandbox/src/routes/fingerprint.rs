//! Canonical bodies, which identify repeated requests: members are sorted, and secrets that could
//! be guessed from a hash are removed.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::store::StoreError;

/// Secret properties with so few values that an attacker with the database could find them from the
/// keyed hash. All other properties have to be equal in a repeated request: another card is another
/// purchase.
const GUESSABLE: [&str; 1] = ["cvv"];

/// The canonical text of a body; numbers keep all their digits.
pub(super) fn canonical(body: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    let mut text = String::new();
    serde_json::value::to_raw_value(body)
        .and_then(|body| write(&body, &mut text))
        .map_err(|_| StoreError::Corrupt("body"))?;
    Ok(text.into_bytes())
}

fn write(value: &RawValue, text: &mut String) -> serde_json::Result<()> {
    match value.get().as_bytes().first() {
        Some(b'{') => {
            let mut members: BTreeMap<String, &RawValue> = serde_json::from_str(value.get())?;
            members.retain(|name, _| !GUESSABLE.contains(&name.as_str()));
            text.push('{');
            for (name, member) in members {
                text.push_str(&serde_json::to_string(&name)?);
                text.push(':');
                write(member, text)?;
                text.push(',');
            }
            text.push('}');
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(value.get())?;
            text.push('[');
            for item in items {
                write(item, text)?;
                text.push(',');
            }
            text.push(']');
        }
        _ => text.push_str(value.get()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn order_and_guessable_secrets_make_no_difference() {
        let one = json!({"amount": "1", "card": {"cvv": 123, "expiryDate": "1230"}, "a": [{"c": 1, "b": 2}]});
        let two = json!({"a": [{"b": 2, "c": 1}], "card": {"expiryDate": "1230", "cvv": 999}, "amount": "1"});
        assert_eq!(canonical(&one).unwrap(), canonical(&two).unwrap());
        let three =
            json!({"amount": "1.0", "card": {"expiryDate": "1230"}, "a": [{"c": 1, "b": 2}]});
        assert_ne!(canonical(&one).unwrap(), canonical(&three).unwrap());
    }

    #[test]
    fn numbers_keep_all_digits() {
        let value = |text: &str| canonical(&RawValue::from_string(text.to_owned()).unwrap());
        assert_ne!(
            value("[9007199254740992.1]").unwrap(),
            value("[9007199254740992.2]").unwrap()
        );
        assert_eq!(value("[1e400]").unwrap(), b"[1e400,]");
    }

    #[test]
    fn a_different_card_is_a_different_body() {
        let with = |token: &str| json!({"amount": "1", "cardToken": token});
        assert_ne!(
            canonical(&with("one")).unwrap(),
            canonical(&with("two")).unwrap()
        );
    }

    /// Every property that the contract marks as secret is in `GUESSABLE` or in `LONG`.
    #[test]
    fn every_secret_of_the_contract_is_left_out_or_long() {
        const LONG: [&str; 5] = [
            "authenticationValue",
            "cardToken",
            "paymentToken",
            "threeDSReqAuthData",
            "ticket",
        ];
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated/openapi.json");
        let bundle: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut found = Vec::new();
        for (name, schema) in bundle["components"]["schemas"].as_object().unwrap() {
            // Only schemas of operations that the sandbox implements.
            let areas = [
                "Purchase",
                "Renew",
                "Refund",
                "Capture",
                "Payout",
                "VerificationResult",
            ];
            if areas.iter().any(|area| name.starts_with(area)) && !name.contains("Card")
                || name == "PurchaseCard"
            {
                secrets(schema, &mut found);
            }
        }
        assert!(
            found.len() > 3,
            "the contract marks too few secrets: {found:?}"
        );
        for name in found {
            assert!(
                GUESSABLE.contains(&name.as_str()) || LONG.contains(&name.as_str()),
                "add the secret {name} to GUESSABLE or LONG"
            );
        }
    }

    fn secrets(schema: &Value, found: &mut Vec<String>) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if property["x-sensitive"] == json!(true) {
                found.push(name.clone());
            }
            secrets(property, found);
        }
    }
}
