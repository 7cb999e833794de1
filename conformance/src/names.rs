//! What the names of parameters, properties and path segments say: which record a key belongs to.

/// Words that end a name which is a key.
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

/// Words of states in which a record may still move by itself.
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

/// The words of a name in lower case: `sourceAccountId` and `source_account-id` are
/// `source`, `account`, `id`.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for char in name.chars() {
        let is_part = char.is_alphanumeric();
        let begins = char.is_uppercase() && before.is_lowercase();
        if (begins || !is_part) && words.last().is_some_and(|own| !own.is_empty()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (is_part, words.last_mut()) {
            // Nearly every name is plain, and this is called for each of them.
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

/// Whether a name is that of a state: `status`, `jobState`.
pub fn tells_state(name: &str) -> bool {
    let words = words(name);
    matches!(words.last().map(String::as_str), Some("status" | "state"))
}

/// The name of the state of a record as a whole: the only one that is that of a state, or the one that says nothing else, such as
/// `status` beside `delivery_status`.
pub fn own_state<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let all: Vec<&'n str> = names.filter(|own| tells_state(own)).collect();
    if let [only] = all[..] {
        return Some(only);
    }
    let mut plain = all.into_iter().filter(|own| words(own).len() == 1);
    plain.next().filter(|_| plain.next().is_none())
}

/// Whether a state may end by itself.
pub fn is_moving_word(state: &str) -> bool {
    let words = words(&state.to_lowercase());
    words.iter().any(|word| MOVING.contains(&word.as_str()))
}

/// Whether the words of a name are those of the time of one of some verbs: `create_time`.
pub fn is_time_of_verb(words: &[String], verbs: &[&str]) -> bool {
    const TIMES: [&str; 3] = ["time", "date", "timestamp"];
    let is_it =
        |own: &[String]| verbs.contains(&own[0].as_str()) && TIMES.contains(&own[1].as_str());
    words.windows(2).any(is_it)
}

/// Whether a name is that of a duration which the clock moves: `expires_in`, `secondsLeft`, `uptime`.
pub fn follows_the_clock(name: &str) -> bool {
    const UNITS: [&str; 6] = ["seconds", "minutes", "hours", "days", "time", "ms"];
    const WAYS: [&str; 4] = ["left", "remaining", "elapsed", "ago"];
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|own| list.contains(&own.as_str()));
    let last = words.last().map(String::as_str);
    has(&UNITS) && has(&WAYS)
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

/// Whether a name is that of a secret: `client_secret`, `token`.
pub fn is_secret(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map(String::as_str);
    matches!(last, Some("secret" | "token" | "password"))
        || words.ends_with(&["api".to_owned(), "key".to_owned()])
}

/// Verbs whose participle is not made of them by rule.
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

/// Whether a word says that what a verb asks for is done: `cancelled` and `canceled` of `cancel`.
pub fn is_done(word: &str, verb: &str) -> bool {
    if verb.len() < 3 {
        return false;
    }
    let is_regular = word.strip_suffix("ed").is_some_and(|stem| {
        let doubled = stem.len() == verb.len() + 1 && stem.ends_with(&verb[verb.len() - 1..]);
        let silent = verb.strip_suffix('e') == Some(stem);
        let turned = verb
            .strip_suffix('y')
            .is_some_and(|own| stem == format!("{own}i"));
        stem == verb || silent || turned || (doubled && stem.starts_with(verb))
    });
    is_regular || IRREGULAR.contains(&(verb, word))
}

/// Nouns whose verb is not told by how they end.
const DEEDS: [(&str, &str); 4] = [
    ("sale", "sell"),
    ("loan", "lend"),
    ("redemption", "redeem"),
    ("delivery", "deliver"),
];

/// The verbs that a noun may be made of: `pay` of `payment`, `reserve` of `reservation`; the noun itself first, which
/// may be a verb, too.
pub fn verbs(noun: &str) -> Vec<String> {
    let mut verbs = vec![noun.to_owned()];
    let irregular = DEEDS.iter().filter(|(own, _)| *own == noun);
    verbs.extend(irregular.map(|(_, verb)| (*verb).to_owned()));
    for ending in ["ment", "ation", "ion", "al", "ing"] {
        if let Some(stem) = noun.strip_suffix(ending).filter(|own| own.len() > 2) {
            verbs.extend([stem.to_owned(), format!("{stem}e")]);
        }
    }
    verbs
}

/// Whether a word says that something is done: `captured`, `paid`.
pub fn is_participle(word: &str) -> bool {
    word.ends_with("ed") || IRREGULAR.iter().any(|(_, done)| *done == word)
}

/// Whether two names have the same words.
pub fn same(one: &str, other: &str) -> bool {
    words(one) == words(other)
}

/// The record that a key's name speaks of: `charge` of `chargeId`, nothing of `id`; `None` where
/// the name is not that of a key.
pub fn subject(name: &str) -> Option<String> {
    let words = words(name);
    let (last, before) = words.split_last()?;
    KEYS.contains(&last.as_str()).then(|| before.join(" "))
}

/// Words of the part that one of two records of a kind has.
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

/// What people are to a record.
const OFFICES: [&str; 10] = [
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

/// What records of people are called.
pub const PEOPLE: [&str; 4] = ["user", "person", "member", "employee"];

/// Whether the subject of a key is somebody who has an office, and may be any of the people there are.
pub fn is_office(subject: &str) -> bool {
    let last = subject.rsplit(' ').next().unwrap_or_default();
    OFFICES.contains(&last)
}

/// The kind of record in a key's subject: `account` of `from account`.
pub fn without_part(subject: &str) -> &str {
    match subject.split_once(' ') {
        Some((part, kind)) if PARTS.contains(&part) => kind,
        _ => subject,
    }
}

/// The words of a name, the last of them in the singular: `payment link` of `payment-links`.
pub fn singular(name: &str) -> String {
    let mut words = words(name);
    if let Some(last) = words.last_mut() {
        *last = singular_word(last);
    }
    words.join(" ")
}

fn singular_word(word: &str) -> String {
    let cut = |ending: &str| word.strip_suffix(ending);
    // Shelves, halves, calves.
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

/// Properties that name a record which has no `id`, the most telling first.
const HANDLES: [&str; 6] = ["slug", "handle", "login", "key", "code", "name"];

/// The property of a record that a key of it stands in: of the key's own name, else `id`, else the
/// only one that ends like a key of this record.
pub fn key_property<'n>(key: &str, record: &str, properties: &[&'n str]) -> Option<&'n str> {
    let find = |wanted: &dyn Fn(&str) -> bool| properties.iter().copied().find(|own| wanted(own));
    let own = find(&|property| same(property, key));
    // `projectKey` is the `key` of a project that has an `id`, too.
    let of_its_kind = || {
        let words = words(key);
        let (last, kind) = words.split_last().filter(|(_, kind)| !kind.is_empty())?;
        let is_meant = last != "id" && fits(&kind.join(" "), record);
        find(&|property| is_meant && same(property, last))
    };
    let plain = || {
        // `chargeId` is the `id` of a charge; it is not the `id` of anything else.
        let speaks = match subject(key) {
            Some(about) => about.is_empty() || fits(&about, record),
            // `/charges/{charge}` names it without saying that it is its key.
            None => fits(&words(key).join(" "), record),
        };
        // The number of an account is beside its id.
        let speaks = speaks && !matches!(words(key).last(), Some(own) if own == "number");
        find(&|property| speaks && same(property, "id"))
    };
    let of_record = || {
        let is_own = |property: &str| subject(property).is_some_and(|about| fits(&about, record));
        find(&|property| subject(key).is_some_and(|about| about.is_empty()) && is_own(property))
    };
    // `/projects/{project}` of a project without an `id` names its `slug`.
    let handle = || {
        let is_of_it = subject(key).is_none() && fits(&words(key).join(" "), record);
        let mut handles = HANDLES.iter().filter(|_| is_of_it);
        handles.find_map(|handle| find(&|property| same(property, handle)))
    };
    own.or_else(of_its_kind)
        .or_else(plain)
        .or_else(of_record)
        .or_else(handle)
}

/// The property that a name means by the kind of its record and its own: `voucher_code` is the `code` of a voucher, and not its `id`.
pub fn property_of<'n>(key: &str, record: &str, properties: &[&'n str]) -> Option<&'n str> {
    const MEANT: [&str; 2] = ["code", "token"];
    let words = words(key);
    let (last, kind) = words.split_last()?;
    let is_meant = MEANT.contains(&last.as_str()) && kind.join(" ") == record;
    last_of(key, properties).filter(|_| is_meant)
}

/// The property that a name of several words ends with: `code` of `pairingCode`.
pub fn last_of<'n>(name: &str, properties: &[&'n str]) -> Option<&'n str> {
    let words = words(name);
    let last = words.get(1..)?.last()?;
    properties.iter().copied().find(|own| same(own, last))
}

/// Whether a key's subject is a record of this name: the last words are the same.
pub fn fits(subject: &str, record: &str) -> bool {
    let ends = |long: &str, short: &str| {
        let rest = long.strip_suffix(short);
        !short.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(' '))
    };
    ends(subject, record) || ends(record, subject)
}

/// Whether a property tells when its record was made.
pub(crate) fn is_time_of_making(name: &str) -> bool {
    let words = words(name);
    let is_told = |word: &String| {
        matches!(
            word.as_str(),
            "created" | "creation" | "joined" | "registered"
        )
    };
    words.iter().any(is_told) || is_time_of_verb(&words, &["create", "insert"])
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
            assert_eq!(own_state(names.iter().copied()), expected, "{names:?}");
        }
    }

    #[test]
    fn what_a_name_means_beside_a_key() {
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
            assert!(verbs(noun).iter().any(|own| own == verb), "{noun}");
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
