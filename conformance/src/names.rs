//! Interprets the names of parameters, properties and path segments, such as which record a key
//! belongs to.

/// Last words of names that are keys.
const KEYS: [&str; 8] = [
    "id",
    "ids",
    "uuid",
    "key",
    "number",
    "code",
    "token",
    "reference",
];

/// Words for states in which a record may still change without a request.
const MOVING: [&str; 13] = [
    "pending",
    "processing",
    "queued",
    "created",
    "new",
    "submitted",
    "started",
    "scheduled",
    "waiting",
    "progress",
    "initiated",
    "generating",
    "running",
];

/// The words of a name in lower case: `sourceAccountId` and `source_account-id` are `source`,
/// `account`, `id`.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for char in name.chars() {
        let is_part = char.is_alphanumeric();
        let begins = char.is_uppercase() && before.is_lowercase();
        if (begins || !is_part) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (is_part, words.last_mut()) {
            // Most names are ASCII, and this function runs often.
            if char.is_ascii() {
                word.push(char.to_ascii_lowercase());
            } else {
                word.extend(char.to_lowercase());
            }
        }
        before = char;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a name is the name of a state: `status`, `jobState`.
pub fn names_state(name: &str) -> bool {
    let words = words(name);
    matches!(words.last().map(String::as_str), Some("status" | "state"))
}

/// The property with the state of the whole record: the only state, or the only one with a single
/// word, such as `status` beside `delivery_status`.
pub fn state_name<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let all: Vec<&'n str> = names.filter(|name| names_state(name)).collect();
    if let [only] = all[..] {
        return Some(only);
    }
    let mut plain = all.into_iter().filter(|item| words(item).len() == 1);
    plain.next().filter(|_| plain.next().is_none())
}

/// Whether a record in a state may still change without a request.
pub fn is_moving_word(state: &str) -> bool {
    let words = words(&state.to_lowercase());
    words.iter().any(|word| MOVING.contains(&word.as_str()))
}

/// Whether a name contains the time of one of some verbs: `create_time`.
pub fn is_time_of_verb(words: &[String], verbs: &[&str]) -> bool {
    const TIMES: [&str; 3] = ["time", "date", "timestamp"];
    let is_it =
        |item: &[String]| verbs.contains(&item[0].as_str()) && TIMES.contains(&item[1].as_str());
    words.windows(2).any(is_it)
}

/// Whether a name is a duration that changes with the clock: `expires_in`, `secondsLeft`, `uptime`.
pub fn follows_the_clock(name: &str) -> bool {
    const UNITS: [&str; 6] = ["seconds", "minutes", "hours", "days", "time", "ms"];
    const DIRECTIONS: [&str; 4] = ["left", "remaining", "elapsed", "ago"];
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let last = words.last().map(String::as_str);
    has(&UNITS) && has(&DIRECTIONS)
        || words.ends_with(&["expires".to_owned(), "in".to_owned()])
        || matches!(last, Some("uptime" | "ttl" | "age"))
}

/// Whether a name counts how often its record was read or used: `views`, `downloadCount`.
pub fn counts_uses(name: &str) -> bool {
    const USES: [&str; 6] = ["view", "hit", "visit", "read", "download", "click"];
    let words = words(&singular(name));
    match &words[..] {
        [use_] => USES.contains(&use_.as_str()) && name.ends_with('s'),
        [use_, count] => USES.contains(&singular(use_).as_str()) && count == "count",
        _ => false,
    }
}

/// Whether a name is the name of a secret: `client_secret`, `token`.
pub fn is_secret(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map(String::as_str);
    matches!(last, Some("secret" | "token" | "password"))
        || words.ends_with(&["api".to_owned(), "key".to_owned()])
}

/// Verbs with an irregular past participle.
const IRREGULAR: [(&str, &str); 18] = [
    ("pay", "paid"),
    ("sell", "sold"),
    ("send", "sent"),
    ("hold", "held"),
    ("lend", "lent"),
    ("freeze", "frozen"),
    ("withdraw", "withdrawn"),
    ("take", "taken"),
    ("give", "given"),
    ("hide", "hidden"),
    ("break", "broken"),
    ("win", "won"),
    ("put", "put"),
    ("void", "void"),
    ("open", "open"),
    ("activate", "active"),
    ("reactivate", "active"),
    ("deactivate", "inactive"),
];

/// Whether a word is the past participle of a verb: `cancelled` and `canceled` for `cancel`.
pub fn is_done(word: &str, verb: &str) -> bool {
    if verb.len() < 3 {
        return false;
    }
    let is_regular = word.strip_suffix("ed").is_some_and(|stem| {
        let doubled = stem.len() == verb.len() + 1 && stem.ends_with(&verb[verb.len() - 1..]);
        let silent = verb.strip_suffix('e') == Some(stem);
        let turned = verb
            .strip_suffix('y')
            .is_some_and(|base| stem == format!("{base}i"));
        stem == verb || silent || turned || (doubled && stem.starts_with(verb))
    });
    is_regular || IRREGULAR.contains(&(verb, word))
}

/// Nouns whose ending does not show their verb.
const NOUNS: [(&str, &str); 4] = [
    ("sale", "sell"),
    ("loan", "lend"),
    ("redemption", "redeem"),
    ("delivery", "deliver"),
];

/// The verbs of a noun: `pay` for `payment`, `reserve` for `reservation`. The noun itself comes
/// first, because it may be a verb.
pub fn verbs(noun: &str) -> Vec<String> {
    let mut verbs = vec![noun.to_owned()];
    let irregular = NOUNS.iter().filter(|(item, _)| *item == noun);
    verbs.extend(irregular.map(|(_, verb)| (*verb).to_owned()));
    for ending in ["ment", "ation", "ion", "al", "ing"] {
        if let Some(stem) = noun.strip_suffix(ending).filter(|ending| ending.len() > 2) {
            verbs.extend([stem.to_owned(), format!("{stem}e")]);
        }
    }
    verbs
}

/// Whether a word is a past participle: `captured`, `paid`.
pub fn is_participle(word: &str) -> bool {
    word.ends_with("ed") || IRREGULAR.iter().any(|(_, done)| *done == word)
}

/// Whether two names have the same words.
pub fn same(one: &str, other: &str) -> bool {
    words(one) == words(other)
}

/// The kind of record that a key's name contains: `charge` in `chargeId`, an empty text in `id`.
/// `None` when the name is not a key.
pub fn subject(name: &str) -> Option<String> {
    let words = words(name);
    let (last, before) = words.split_last()?;
    KEYS.contains(&last.as_str()).then(|| before.join(" "))
}

/// Words for the role of one of two records of a kind.
const PARTS: [&str; 14] = [
    "from",
    "to",
    "source",
    "target",
    "destination",
    "sender",
    "receiver",
    "recipient",
    "payer",
    "payee",
    "debit",
    "credit",
    "origin",
    "parent",
];

/// Roles that a person can have for a record.
const ROLES: [&str; 10] = [
    "owner",
    "author",
    "assignee",
    "creator",
    "reporter",
    "manager",
    "reviewer",
    "approver",
    "organizer",
    "editor",
];

/// Kinds of records about people.
pub const PEOPLE: [&str; 4] = ["user", "person", "member", "employee"];

/// Whether the subject of a key is a role, such as `owner`, that any person can have.
pub fn is_office(subject: &str) -> bool {
    let last = subject.rsplit(' ').next().unwrap_or_default();
    ROLES.contains(&last)
}

/// The kind of record in a key's subject: `account` in `from account`.
pub fn without_part(subject: &str) -> &str {
    match subject.split_once(' ') {
        Some((part, kind)) if PARTS.contains(&part) => kind,
        _ => subject,
    }
}

/// The words of a name with the last one in the singular: `payment link` for `payment-links`.
pub fn singular(name: &str) -> String {
    let mut words = words(name);
    if let Some(last) = words.last_mut() {
        *last = singular_word(last);
    }
    words.join(" ")
}

fn singular_word(word: &str) -> String {
    let cut = |ending: &str| word.strip_suffix(ending);
    // `shelves`, `halves`, `calves`.
    if let Some(stem) = cut("lves").filter(|stem| *stem != "va") {
        return format!("{stem}lf");
    }
    if let Some(stem) = cut("ies") {
        return format!("{stem}y");
    }
    let hissing = ["sses", "shes", "ches", "xes", "zes"];
    if hissing.iter().any(|ending| word.ends_with(ending)) {
        return word[..word.len() - 2].to_owned();
    }
    match cut("s") {
        Some(stem) if !word.ends_with("ss") && !word.ends_with("us") && !stem.is_empty() => {
            stem.to_owned()
        }
        _ => word.to_owned(),
    }
}

/// Properties that identify a record without an `id`, the most specific first.
const HANDLES: [&str; 6] = ["slug", "handle", "login", "key", "code", "name"];

/// The property of a record that holds a key: the one with the key's name, else `id`, else the only
/// one that ends like a key of this record.
pub fn key_property<'n>(key: &str, record: &str, properties: &[&'n str]) -> Option<&'n str> {
    let find = |wanted: &dyn Fn(&str) -> bool| {
        properties.iter().copied().find(|property| wanted(property))
    };
    let of_same_name = find(&|property| same(property, key));
    // `projectKey` is the `key` of a project even when the project has an `id`.
    let of_its_kind = || {
        let words = words(key);
        let (last, kind) = words.split_last().filter(|(_, kind)| !kind.is_empty())?;
        let is_meant = last != "id" && fits(&kind.join(" "), record);
        find(&|property| is_meant && same(property, last))
    };
    let plain = || {
        // `chargeId` is the `id` of a charge, and of no other kind of record.
        let speaks = match subject(key) {
            Some(about) => about.is_empty() || fits(&about, record),
            // `/charges/{charge}` does not say that the parameter is the key.
            None => fits(&words(key).join(" "), record),
        };
        // An account number is not the account's id.
        let speaks = speaks && !matches!(words(key).last(), Some(last) if last == "number");
        find(&|property| speaks && same(property, "id"))
    };
    let of_record = || {
        let is_same = |property: &str| subject(property).is_some_and(|about| fits(&about, record));
        find(&|property| subject(key).is_some_and(|about| about.is_empty()) && is_same(property))
    };
    // `/projects/{project}` is the `slug` of a project without an `id`.
    let handle = || {
        let is_of_it = subject(key).is_none() && fits(&words(key).join(" "), record);
        let mut handles = HANDLES.iter().filter(|_| is_of_it);
        handles.find_map(|handle| find(&|property| same(property, handle)))
    };
    of_same_name
        .or_else(of_its_kind)
        .or_else(plain)
        .or_else(of_record)
        .or_else(handle)
}

/// The property that a name selects with its kind of record: `voucher_code` is the `code` of a
/// voucher, and not its `id`.
pub fn property_of<'n>(key: &str, record: &str, properties: &[&'n str]) -> Option<&'n str> {
    const MEANT: [&str; 2] = ["code", "token"];
    let words = words(key);
    let (last, kind) = words.split_last()?;
    let is_meant = MEANT.contains(&last.as_str()) && kind.join(" ") == record;
    last_of(key, properties).filter(|_| is_meant)
}

/// The property that a name of several words ends with: `code` for `pairingCode`.
pub fn last_of<'n>(name: &str, properties: &[&'n str]) -> Option<&'n str> {
    let words = words(name);
    let last = words.get(1..)?.last()?;
    properties
        .iter()
        .copied()
        .find(|property| same(property, last))
}

/// Whether a key's subject is a record of this kind: one ends with the words of the other.
pub fn fits(subject: &str, record: &str) -> bool {
    let ends = |long: &str, short: &str| {
        let rest = long.strip_suffix(short);
        !short.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(' '))
    };
    ends(subject, record) || ends(record, subject)
}

/// Whether a name is the time at which its record was created.
pub(crate) fn is_time_of_making(name: &str) -> bool {
    let words = words(name);
    let is_creation = |word: &String| {
        matches!(
            word.as_str(),
            "created" | "creation" | "joined" | "registered"
        )
    };
    words.iter().any(is_creation) || is_time_of_verb(&words, &["create", "insert"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_record_as_a_whole() {
        for (names, expected) in [
            (&["id", "status", "refund_status"][..], Some("status")),
            (&["id", "payoutState"], Some("payoutState")),
            (&["payout_state", "refund_status"], None),
            (&["status", "state"], None),
            (&["id", "amount"], None),
        ] {
            assert_eq!(state_name(names.iter().copied()), expected, "{names:?}");
        }
    }

    #[test]
    fn names_beside_a_key() {
        let voucher = ["id", "code", "balance"];
        assert_eq!(
            property_of("voucher_code", "voucher", &voucher),
            Some("code")
        );
        for name in ["voucher_id", "voucher", "promo_code", "code"] {
            assert_eq!(property_of(name, "voucher", &voucher), None, "{name}");
        }
        assert_eq!(property_of("voucher_code", "voucher", &["id"]), None);
    }

    #[test]
    fn words_of_names() {
        for (name, expected) in [
            ("merchantTransactionId", "merchant transaction id"),
            ("merchant_transaction-id", "merchant transaction id"),
            ("X-Request-ID", "x request id"),
            ("id", "id"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn subjects_of_keys() {
        for (name, expected) in [
            ("chargeId", Some("charge")),
            ("charge_id", Some("charge")),
            ("id", Some("")),
            ("amount", None),
            ("cardToken", Some("card")),
        ] {
            assert_eq!(subject(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn participles_of_verbs() {
        for (word, verb, expected) in [
            ("cancelled", "cancel", true),
            ("canceled", "cancel", true),
            ("captured", "capture", true),
            ("denied", "deny", true),
            ("paid", "pay", true),
            ("refunded", "capture", false),
            ("published", "unpublish", false),
            ("unpublished", "publish", false),
            ("ed", "", false),
        ] {
            assert_eq!(is_done(word, verb), expected, "{word} {verb}");
        }
    }

    #[test]
    fn verbs_of_nouns() {
        for (noun, verb) in [
            ("payment", "pay"),
            ("refund", "refund"),
            ("reservation", "reserve"),
            ("cancellation", "cancell"),
            ("withdrawal", "withdraw"),
            ("booking", "book"),
            ("sale", "sell"),
        ] {
            assert!(verbs(noun).iter().any(|item| item == verb), "{noun}");
        }
    }

    #[test]
    fn kinds_of_records_in_subjects() {
        for (subject, expected) in [
            ("from account", "account"),
            ("destination bank account", "bank account"),
            ("merchant transaction", "merchant transaction"),
            ("to", "to"),
        ] {
            assert_eq!(without_part(subject), expected, "{subject}");
        }
    }

    #[test]
    fn singulars() {
        for (name, expected) in [
            ("charges", "charge"),
            ("payment-links", "payment link"),
            ("categories", "category"),
            ("boxes", "box"),
            ("addresses", "address"),
            ("status", "status"),
        ] {
            assert_eq!(singular(name), expected, "{name}");
        }
    }

    #[test]
    fn properties_of_keys() {
        let properties = ["id", "orderId", "merchantReference", "customerId"];
        for (key, record, expected) in [
            ("chargeId", "charge", Some("id")),
            ("id", "charge", Some("id")),
            ("customer_id", "charge", Some("customerId")),
            ("refundId", "charge", None),
            ("merchant-reference", "charge", Some("merchantReference")),
        ] {
            assert_eq!(key_property(key, record, &properties), expected, "{key}");
        }
        assert_eq!(
            key_property("id", "order", &["orderId", "x"]),
            Some("orderId")
        );
        for (key, expected) in [("projectKey", "key"), ("project_id", "id"), ("userKey", "")] {
            let found = key_property(key, "project", &["id", "key"]);
            assert_eq!(found.unwrap_or_default(), expected, "{key}");
        }
    }
}
