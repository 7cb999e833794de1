//! The registry of checks: every way in which a server can be found to differ.

use crate::level::Level;

/// One check. Its id is kept for ever.
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// Kebab-case, named for what is found.
    pub id: &'static str,
    /// What it finds, in one line.
    pub doc: &'static str,
    /// The level it has at most; the contract's provenance may lower it.
    pub level: Level,
}

impl Check {
    /// Whether what it finds means that the step did not do its work, so that later steps that
    /// need it cannot do theirs.
    pub fn breaks_the_step(&self) -> bool {
        [
            &STATUS_CODE,
            &UNDECLARED_STATUS,
            &NOT_IMPLEMENTED,
            &SERVER_ERROR,
            &REJECTION_EXPECTED,
            &UNTIL_DEADLINE,
        ]
        .contains(&self)
    }
}

macro_rules! checks {
    ($($name:ident, $level:ident, $id:literal, $doc:literal;)*) => {
        $(
            #[doc = concat!(" ", $doc)]
            pub static $name: Check = Check { id: $id, doc: $doc, level: Level::$level };
        )*

        /// Every check there is.
        pub static ALL: &[&Check] = &[$(&$name),*];
    };
}

checks! {
    NO_ANSWER, Must, "no-answer", "no complete answer within the time limit";
    CONNECTION_CLOSED, Must, "connection-closed", "the connection ended before an answer came, or what came is not HTTP";
    BODY_INCOMPLETE, Must, "body-incomplete", "the body ends before its announced length";
    BODY_TOO_LARGE, Must, "body-too-large", "the body is larger than the runner reads";
    NOT_IMPLEMENTED, Must, "not-implemented", "501 on an operation in scope";
    SERVER_ERROR, Must, "server-error", "a 5xx answer that is not the documented one";
    REJECTION_EXPECTED, Must, "rejection-expected", "a 2xx answer to a request that must be refused";
    STATUS_CODE, Must, "status-code", "another status than the documented one";
    UNDECLARED_STATUS, Must, "undeclared-status", "a status that the operation does not document";
    MEDIA_TYPE, Must, "media-type", "another media type than the documented one";
    PROBLEM_STATUS, Must, "problem-status", "the `status` of an `application/problem+json` body is not that of the answer";
    HEADER_MISSING, Must, "header-missing", "a response header that is documented as required is absent";
    HEADER_VALUE, Must, "header-value", "a response header breaks its documented schema";
    BODY_MISSING, Must, "body-missing", "a body is documented and none came";
    INVALID_UTF8, Must, "invalid-utf8", "a JSON body is not UTF-8";
    INVALID_JSON, Must, "invalid-json", "a JSON body is not JSON";
    DUPLICATE_KEY, Must, "duplicate-key", "an object has the same key twice";
    FIELD_MISSING, Must, "field-missing", "a field that the schema requires or the documented example shows is absent";
    ITEM_MISSING, Should, "item-missing", "an array is empty where the documented example has items";
    UNDECLARED_PROPERTY, Should, "undeclared-property", "an object has a property that its schema does not list";
    SCHEMA_TYPE, Must, "schema-type", "a value has another type than its schema says";
    SCHEMA_FORMAT, Must, "schema-format", "a value breaks the format of its schema";
    SCHEMA_PATTERN, Must, "schema-pattern", "a value breaks the pattern of its schema";
    SCHEMA_ENUM, Must, "schema-enum", "a value is none of those its schema lists";
    SCHEMA_BOUNDS, Must, "schema-bounds", "a value is beyond a bound of its schema";
    SCHEMA_SHAPE, Must, "schema-shape", "a value breaks its schema in another way";
    JSON_TYPE, Must, "json-type", "a value has another JSON type than in the documented example";
    DECIMAL_STYLE, Must, "decimal-style", "a decimal amount is not a string of plain decimal digits";
    TIMESTAMP_STYLE, Must, "timestamp-style", "a timestamp is not UTC with exactly three fractional digits";
    DATE_STYLE, Must, "date-style", "a date is not written YYYY-MM-DD";
    UUID_STYLE, Must, "uuid-style", "a UUID is not written in its lower-case hyphenated form";
    URL_STYLE, Must, "url-style", "a URL is not absolute";
    LETTER_CASE, Must, "letter-case", "a constant is written in another letter case than the documented ones";
    FINAL_VALUE, Must, "final-value", "an enumeration, a flag or the code of a refusal differs from the documented one where nothing else can be meant";
    ECHO, Must, "echo", "a value that was sent comes back altered";
    READ_BACK, Must, "read-back", "a re-read does not show what was written before";
    SUCCESS_CRITERION, Must, "success-criterion", "a success criterion of the scenario step does not hold";
    UNTIL_DEADLINE, Must, "until-deadline", "what the step waits for did not come true before its deadline";
    CREDENTIALS_IGNORED, Must, "credentials-ignored", "a 2xx answer to a request without credentials, or with wrong ones";
    UNKNOWN_KEY_FOUND, Must, "unknown-key-found", "a 2xx answer for a key that nobody has";
    TYPE_COERCED, Should, "type-coerced", "a text is taken for the number or the boolean that it spells";
    CONSTRAINT_IGNORED, Must, "constraint-ignored", "a 2xx answer to a request that breaks its schema, or what a text says of it";
    REFUSAL_CHANGED_STATE, Must, "refusal-changed-state", "a refused request left something behind";
    READ_DIFFERS, Must, "read-differs", "a record is read otherwise than it was answered";
    READ_UNSTABLE, Must, "read-unstable", "two readings of a record differ though nothing happened in between";
    LIST_MISSES, Must, "list-misses", "a list does not have a record that was made";
    LIST_ITEM_DIFFERS, Must, "list-item-differs", "an item of a list differs from the record as it is read";
    PAGE_SIZE_IGNORED, Must, "page-size-ignored", "a page has more items than were asked for";
    PAGE_REPEATS, Must, "page-repeats", "an item is on two pages of a list";
    PAGE_MISSES, Must, "page-misses", "an item of a list is on none of its pages";
    FILTER_IGNORED, Must, "filter-ignored", "a list has records without what it was asked for";
    FILTER_MISSES, Must, "filter-misses", "a list lacks a record that has what it was asked for";
    TOTAL_DIFFERS, Must, "total-differs", "a list tells another number of items or pages than it has, or another page than was asked for";
    MORE_PROMISED, Must, "more-promised", "a list says that more follows where nothing does";
    ORDER_IGNORED, Must, "order-ignored", "items do not stand in the order that was asked for";
    DEFAULT_DIFFERS, Must, "default-differs", "a parameter or property that is left out does not do what its documented default does";
    DELETED_FOUND, Must, "deleted-found", "what was deleted is still read";
    DELETED_LISTED, Must, "deleted-listed", "what was deleted is still in a list";
    DELETED_TWICE, Must, "deleted-twice", "what was deleted is deleted once more";
    FOREIGN_PARENT_FOUND, Must, "foreign-parent-found", "a record is found under a parent that it does not belong to, or by somebody whose it is not";
    REPEAT_MADE_ANOTHER, Must, "repeat-made-another", "a repeat with the same key made another record";
    REPEAT_DONE_AGAIN, Must, "repeat-done-again", "a repeat that was answered as the first request has changed a record once more";
    REPEAT_REFUSED, Must, "repeat-refused", "a repeat that has to be answered as the first request was, is not";
    KEY_REUSE_GRANTED, Must, "key-reuse-granted", "another body was granted with a key that was used";
    HEAD_DIFFERS, Must, "head-differs", "HEAD is answered otherwise than GET";
    LOCATION_LEADS_ASTRAY, Must, "location-leads-astray", "a `location` leads to nothing, or to another record";
    MISTAKE_GRANTED, Must, "mistake-granted", "a 2xx answer to another method, or to a body of another kind or size, than the documented ones";
    ALLOW_INCOMPLETE, Should, "allow-incomplete", "a 405 answer without an `allow` that has the methods of the path";
    RACE_WON_TWICE, Must, "race-won-twice", "what is granted once, one after another, was granted more than once when asked at once";
    SUM_EXCEEDED, Must, "sum-exceeded", "more was taken from a record than it has";
    CHILD_DIFFERS, Must, "child-differs", "a record that was made of another one differs where the documented ones do not";
    KEY_REUSED, Must, "key-reused", "two records have the same key";
    TIME_STANDS_STILL, Must, "time-stands-still", "a time has not moved with what it tells of, or has gone back";
    TIME_ASTRAY, Must, "time-astray", "a record that was made just now tells that time in another zone or unit";
    STEP_UNDONE, Must, "step-undone", "a step was granted, and its record is not in the state that it is called for";
    EFFECT_DIFFERS, Must, "effect-differs", "a flag, a time, a counter or an amount is not what a documented pair shows it to become, or a text says";
    VALID_REFUSED, Must, "valid-refused", "a request at the bounds of its schema was refused";
    PATCH_CHANGED_MORE, Must, "patch-changed-more", "a patch or a step changed what it does not name";
    OTHERS_CHANGED, Must, "others-changed", "what was done to one record changed another one";
    BALANCE_UNMOVED, Must, "balance-unmoved", "an amount that is paid in or out, or called off, does not move the balance that tells of it by as much";
    PUT_KEPT, Must, "put-kept", "a PUT that leaves a property out keeps what was there before";
    VERSION_DIFFERS, Must, "version-differs", "the entity tag of a change is not that of the record as it is read next";
    WRITTEN_TOLD, Must, "written-told", "a property that is written only is told in an answer";
    MADE_ANEW, Must, "made-anew", "a change altered the time at which its record was made";
    SUM_DIFFERS, Must, "sum-differs", "the parts of a record are together not its whole";
    VERSION_IGNORED, Must, "version-ignored", "an entity tag does not tell versions apart";
    VERSION_STANDS, Must, "version-stands", "a change left the entity tag of its record as it was";
    BULK_DIFFERS, Must, "bulk-differs", "a request for many was answered for another number";
    HISTORY_DIFFERS, Must, "history-differs", "after some steps a record is not read as the last of them has left it";
    TRANSITION_FORBIDDEN, Must, "transition-forbidden", "a step was granted in a state that it does not lead from";
    EVENT_ASTRAY, Must, "event-astray", "a list of what has happened to a record does not tell of a step once, under its name";
    NOTIFICATION_MISSING, Must, "notification-missing", "a notification that the contract promises at once did not come in time";
    NOTIFICATION_REPEATED, Must, "notification-repeated", "a notification came again although it was taken";
    NOTIFICATION_REQUEST, Must, "notification-request", "a notification has another method, media type or header than the documented ones";
    NOTIFICATION_PAYLOAD, Must, "notification-payload", "the body of a notification is not JSON, or breaks its schema";
    NOTIFICATION_SIGNATURE, Must, "notification-signature", "a notification is not signed with the secret that both sides know, at about this time";
    NOTIFICATION_ASTRAY, Must, "notification-astray", "a notification tells of another record than the one that was made";
    PARALLEL_COUNT, Must, "parallel-count", "more (or fewer) of the parallel requests were granted than may be";
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The text of all source files in a folder.
    fn sources(folder: &Path) -> String {
        let entries = fs::read_dir(folder).unwrap();
        let texts = entries.map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path)
            } else {
                fs::read_to_string(&path).unwrap()
            }
        });
        texts.collect()
    }

    #[test]
    fn ids_are_unique_kebab_case_and_documented() {
        for (index, check) in ALL.iter().enumerate() {
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(check.id.chars().all(kebab), "{}", check.id);
            assert!(
                check.doc.len() > 20 && !check.doc.ends_with('.'),
                "{}",
                check.id
            );
            assert!(
                !ALL[..index].iter().any(|other| other.id == check.id),
                "{}",
                check.id
            );
        }
    }

    #[test]
    fn every_check_is_used_and_in_the_readme() {
        let readme = include_str!("../README.md");
        let sources = sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")));
        for check in ALL {
            let row = format!("| `{}` | {} | {} |", check.id, check.level, check.doc);
            assert!(readme.contains(&row), "README.md lacks the row\n{row}");
            let name = check.id.to_uppercase().replace('-', "_");
            assert!(
                sources.contains(&format!("checks::{name}")),
                "{name} is never used"
            );
        }
    }
}
