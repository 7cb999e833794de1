//! The parts of the runtime that `#[cfg(feature = …)]` turns on, within an item.

/// A part: the feature, and the words of the generated code that need it.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) feature: &'static str,
    pub(super) words: &'static [&'static str],
}

/// All parts. Other features are those of the generated crate.
pub(super) const PARTS: &[Part] = &[
    Part {
        feature: "boxes",
        words: &["Box"],
    },
    Part {
        feature: "credentials",
        words: &["Credential", "TokenSource"],
    },
    Part {
        feature: "fields",
        words: &["fields"],
    },
    Part {
        feature: "keys",
        words: &["Keyed", "NaturalKey"],
    },
    Part {
        feature: "links",
        words: &["LinkError"],
    },
    Part {
        feature: "maps",
        words: &["BTreeMap"],
    },
    Part {
        feature: "paging",
        words: &["Paginated"],
    },
    Part {
        feature: "seals",
        words: &["seal"],
    },
    Part {
        feature: "security",
        words: &["Credential", "security"],
    },
    Part {
        feature: "streams",
        words: &["ByteStream", "Streamed", "Incoming", "bytes", "multipart"],
    },
    Part {
        feature: "styles",
        words: &[
            "Shape",
            "Style",
            "cookie",
            "form",
            "multipart",
            "reserved",
            "server",
        ],
    },
    Part {
        feature: "texts",
        words: &["Number", "loose", "union"],
    },
    Part {
        feature: "unknown",
        words: &["Closed", "Kept"],
    },
];

/// An item for users that no generated code may name, and the word of that code with which it is
/// there.
#[derive(Debug)]
pub(super) struct Offer {
    pub(super) path: &'static [&'static str],
    pub(super) word: &'static str,
}

/// All such items.
pub(super) const OFFERS: &[Offer] = &[
    Offer {
        path: &["Checked"],
        word: "Violations",
    },
    Offer {
        path: &["client", "ClientCredentials"],
        word: "TokenSource",
    },
    Offer {
        path: &["client", "Failed"],
        word: "Settings",
    },
];
