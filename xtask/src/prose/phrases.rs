//! Reads the phrases that pages must not contain.

/// The phrases, each with advice.
#[derive(Debug)]
pub(crate) struct Phrases(Vec<(String, String)>);

impl Phrases {
    /// Parses lines of the form `phrase | advice`; `#` begins a comment.
    pub(crate) fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| line.split_once('|'));
        let pairs = pairs.map(|(phrase, advice)| (normal(phrase), advice.trim().to_owned()));
        Self(pairs.collect())
    }

    /// The phrases in a text, each with its advice.
    pub(crate) fn within<'p>(&'p self, text: &str) -> impl Iterator<Item = (&'p str, &'p str)> {
        let text = normal(text);
        let pairs = self
            .0
            .iter()
            .filter(move |(phrase, _)| text.contains(phrase));
        pairs.map(|(phrase, advice)| (phrase.trim(), advice.as_str()))
    }
}

/// The words of a text in lower case, with a space around each.
fn normal(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && !"'-_".contains(c));
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::Phrases;

    #[test]
    fn phrases_are_found_as_whole_words_in_any_case() {
        let phrases = Phrases::parse("# comment\nis told | name the actor\nwhoever | the client\n");
        let found = |text| phrases.within(text).collect::<Vec<_>>();
        assert_eq!(found("Whoever it is,"), [("whoever", "the client")]);
        assert_eq!(found("it is\ntold."), [("is told", "name the actor")]);
        assert!(found("this toldo").is_empty());
    }
}
